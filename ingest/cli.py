"""The command line of the ingest step."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ingest.raw import Summary


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
    from ingest.errors import IngestError
    from ingest.lean import without_pandas
    from ingest.raw import run
    from ingest.settings import load_settings

    without_pandas()
    try:
        summary = run(load_settings(), source=source.value, workers=workers or None, full=full, quiet=quiet)
    except IngestError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    if not quiet:
        print(report(summary))


def report(summary: Summary, limit: int = 20) -> str:
    """Return the summary of a run as text: counts per project, and every file that is not as expected.

    Of the sentences that were rejected at most ``limit`` are named; all of them are in ``raw.rejects``.
    """
    from ingest.raw import UNLISTED

    read = summary.with_status("read")
    lines = [
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
        lines += [f"{label}: {file.project}/{file.path}" for file in files]
    lines += [f"rejected: {finding}" for finding in summary.losses[:limit]]
    if len(summary.losses) > limit:
        lines.append(f"rejected: {len(summary.losses) - limit:,} more, see raw.rejects")
    lines.append(
        f"read {summary.changed:,} new or changed files of {len(read) + len(summary.with_status('rejected')):,} "
        f"in {summary.seconds:.1f} s; {len(summary.findings):,} findings in raw.rejects"
    )
    return "\n".join(lines)


def bench_ingest(
    workers: Annotated[int, typer.Option(help="Processes that read; 0: one per core.", min=0)] = 0,
    repeats: Annotated[int, typer.Option(help="Runs of each reader; the median counts.", min=1)] = 3,
) -> None:
    """Measure the readers beside conllu.parse_incr and ElementTree.iterparse on the same files, in one run."""
    from ingest.bench import measure
    from ingest.errors import IngestError
    from ingest.settings import load_settings

    try:
        print(measure(load_settings(), workers=workers or None, repeats=repeats))
    except IngestError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(1) from None
