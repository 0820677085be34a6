"""One export: dataset folder and published warehouse, from the working database, put in place when complete.

1. check that the models are built to the end, and read what is published;
2. write the dataset, read it again and check it; write card, manifests and checksums;
3. copy the warehouse beside it; then both are put in place in one step (`exports.edition.construction`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.edition.construction import under_construction
from exports.warehouse import open_read_only

if TYPE_CHECKING:
    import duckdb

    from runtime.settings import Settings


@dataclass(frozen=True)
class Summary:
    """What an export made, for its last lines."""

    hub: Path
    db: Path
    input: str
    sentences: int
    configurations: dict[str, int]
    not_built: dict[str, str]
    fates: dict[str, int]
    absent: list[str]
    differing: list[str]
    fingerprint: str
    bytes: int
    notices: list[str]
    seconds: float


def export(
    settings: Settings,
    say: Callable[[str], None] = lambda line: None,
    processes: int = 2,
    quiet: bool = True,
) -> Summary:
    """Write and publish an edition.

    Args:
        settings: the paths of the build.
        say: called with a line about each finished step.
        processes: processes of the official loader, and threads of the writer.
        quiet: show no progress even on a terminal.

    Raises:
        ExportError: nothing was changed; the message says why and what to do.
        KeyboardInterrupt: from outside; its note says which edition is in place.
    """
    from exports.edition.database import write_copy

    begin = time.monotonic()
    with under_construction(settings) as made:
        with closing(open_read_only(settings.work_db, made.spill)) as con:
            facts = _write(con, settings, made.dataset, say, processes, quiet)
        write_copy(settings.work_db, made.db)
        say("warehouse: copied for DuckDB clients from 1.4 on")
    facts["notices"] = [*facts["notices"], *made.notices]
    return Summary(**facts, hub=settings.hub, db=settings.db, seconds=time.monotonic() - begin)


def _write(
    con: duckdb.DuckDBPyConnection,
    settings: Settings,
    folder: Path,
    say: Callable[[str], None],
    processes: int,
    quiet: bool,
) -> dict[str, Any]:
    """Write everything of the dataset folder and check it; the facts of the summary."""
    from exports.about.baselines import read_baselines
    from exports.about.read import read, rule_variables
    from exports.about.record import DEFAULT, Made
    from exports.about.write import write, write_texts
    from exports.audit.published import audited_parse
    from exports.dataset.contents import read_contents
    from exports.dataset.files import example_row, write_dataset
    from exports.dataset.validation import validate_folder
    from exports.edition.readiness import check_ready
    from exports.leakage.audit import audit
    from exports.leakage.markup import LAYERS
    from score.hub import NO_BASELINES, take_baselines, write_scorer

    check_ready(con, settings.work_db)
    contents = read_contents(con)
    say(f"sentences: {len(contents.units.ids):,} with {contents.words:,} words")
    parse = audited_parse(con, settings.audits, contents.units.machine)
    written = write_dataset(contents.units, contents.plans, folder, processes, quiet)
    size = sum(split.bytes for split in written)
    say(f"dataset: {len(written)} files, {size / 1e6:,.0f} MB")
    sentences = validate_folder(folder, contents.inventories, processes)
    say(f"checked: {sentences:,} distinct sentences, each read by the official loader")
    leakage = [one for layer in LAYERS if (one := audit(con, settings.leakage_cache, layer, say))]
    edition = write_scorer(folder, {split.path: split.sha256 for split in written}, rule_variables(con))
    of_leakage = {name: text for one in leakage for name, text in one.texts(edition.fingerprint).items()}
    write_texts(folder / "metadata", of_leakage)
    baselines = take_baselines(edition, settings.build)
    made = Made(
        contents.units.ids.to_pylist(),
        contents.plans,
        written,
        sentences,
        parse.manifest,
        parse.audited.figures,
        [one.report for one in leakage],
        read_baselines(baselines),
        example_row(folder, DEFAULT),
    )
    about = read(con, made, settings.url)
    fingerprint = write(folder, about, parse.audited.files)
    say(f"edition: {fingerprint}")
    return {
        "input": about.input,
        "sentences": sentences,
        "configurations": {
            row.configuration: sum(split.rows for split in written if split.configuration == row.configuration)
            for row in about.configurations
            if row.is_built
        },
        "not_built": {row.configuration: str(row.reason) for row in about.configurations if not row.is_built},
        "fates": about.fates_of_all,
        "absent": about.absent_files,
        "differing": about.differing_files,
        "fingerprint": fingerprint,
        "bytes": size,
        "notices": [*parse.audited.notices, *([] if baselines else [NO_BASELINES])],
    }


def report(summary: Summary) -> str:
    """Return the last lines of an export: counts by fate, configurations, absent files, where everything is."""
    lines = []
    if summary.input == "sample":
        lines.append("This is the bundled SAMPLE, not the treebanks.")
    lines.append(f"{'fate':<26}{'sentences':>10}")
    for fate, count in summary.fates.items():
        lines.append(f"{fate:<26}{count:>10,}")
    lines.append(f"{'all read':<26}{sum(summary.fates.values()):>10,}")
    lines.append(f"{'configuration':<40}{'rows':>10}")
    lines += [f"{name:<40}{count:>10,}" for name, count in summary.configurations.items()]
    lines += [f"{name:<40}  not built: {reason}" for name, reason in summary.not_built.items()]
    lines += [f"absent: {name}" for name in summary.absent]
    lines += [f"differs from the pinned revision: {name}" for name in summary.differing]
    lines += summary.notices
    lines.append(f"warehouse: {summary.db}")
    lines.append(
        f"dataset:   {summary.hub} ({summary.sentences:,} distinct sentences, {summary.bytes / 1e6:,.0f} MB, "
        f"SHA256SUMS {summary.fingerprint[:16]}, {summary.seconds:.1f} s)"
    )
    return "\n".join(lines)


def say_on_terminal(line: str) -> None:
    """Tell a finished step on the error stream when a person is looking."""
    if sys.stderr.isatty():
        print(line, file=sys.stderr)
