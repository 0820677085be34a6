"""The command line of the ingest step."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from runtime.cli import told

if TYPE_CHECKING:
    from ingest.raw import Finding, Summary


class SourceChoice(StrEnum):
    """Where the input comes from."""

    AUTO = "auto"
    FOLDER = "folder"
    GIT = "git"
    SAMPLE = "sample"


def ingest(
    source: Annotated[
        SourceChoice, typer.Option(help="Where from; auto: the folder if set, else git, else the sample.")
    ] = SourceChoice.AUTO,
    workers: Annotated[int, typer.Option(help="Processes that read; 0: one per core.", min=0)] = 0,
    full: Annotated[bool, typer.Option("--full", help="Read every file again, changed or not.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
) -> None:
    """Read the treebanks into the raw tables of the working database.

    The input is the folder SPHRAGIS_TREEBANKS; without it the pinned repositories are fetched; where they cannot
    be reached, the bundled sample is used. Only changed files are read again. Exit code 1: nothing was changed.
    """
    from ingest.raw import run
    from runtime.lean import without_pandas
    from runtime.settings import load_settings

    without_pandas()
    with told():
        summary = run(load_settings(), source=source.value, workers=workers or None, full=full, quiet=quiet)
    if not quiet:
        print(report(summary))


def report(summary: Summary, limit: int = 20) -> str:
    """Return the summary of a run as text: counts per project, and every file that is not as expected.

    Files with less than at their pinned revision come first. Of these, of the files that are odd and of what was
    rejected at most ``limit`` are named each; all of them are in ``raw.rejects``.
    """
    from ingest.raw import UNLISTED
    from ingest.readers.encoding import shown

    read = summary.with_status("read")

    def named(label: str, findings: list[Finding]) -> list[str]:
        lines = [f"{label}: {finding}" for finding in findings[:limit]]
        more = len(findings) - limit
        return [*lines, f"{label}: {more:,} more, see raw.rejects"] if more > 0 else lines

    lines = [
        *named("LESS THAN PINNED", summary.falls),
        f"input: {summary.source.note}",
        f"{'project':<12}{'files':>7}{'sentences':>11}{'tokens':>11}{'rejected':>10}",
    ]
    for name in [*dict.fromkeys(file.project for file in summary.files), "all"]:
        files = [file for file in summary.files if name in (file.project, "all")]
        lines.append(
            f"{name:<12}{sum(file.status == 'read' for file in files):>7,}"
            f"{sum(file.sentences for file in files):>11,}{sum(file.rows_read for file in files):>11,}"
            f"{sum(file.rows_rejected for file in files):>10,}"
        )
    for label, files in (
        ("absent", summary.with_status("absent")),
        ("differs from the pinned revision", summary.differing),
        (UNLISTED, [file for file in summary.files if file.note == UNLISTED]),
    ):
        lines += [f"{label}: {file.project}/{shown(file.path)}" for file in files]
    lines += [*named("found", summary.notices), *named("rejected", summary.losses)]
    lines.append(
        f"read {summary.changed:,} new or changed files of {len(read) + len(summary.with_status('rejected')):,} "
        f"in {summary.seconds:.1f} s; {len(summary.findings):,} findings in raw.rejects"
    )
    return "\n".join(lines)
