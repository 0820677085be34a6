"""One export: dataset folder and published warehouse, from the working database, put in place when complete.

The order is such that a reader never sees half, nor a warehouse and a dataset that do not belong together:

1. take the lock of the build folder and clear what a killed run left;
2. check what is given beside the warehouse, write the dataset into the folder of a new edition, read it again and
   check it, write card, manifests and checksums;
3. write the copy of the warehouse into the same folder;
4. make the new edition the current one, in one step (`exports.edition.swap`);
5. remove the editions that are not kept.

Whatever fails before step 4 leaves the last edition as it was; whatever fails after it, the new one in place.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from exports.edition import swap
from exports.warehouse import ExportError, columns, open_read_only, relations, rows
from runtime.checkout import MARK, project_checksum, project_root
from runtime.command import visible

if TYPE_CHECKING:
    import duckdb

    from exports.audit.published import Audited
    from exports.dataset.files import Written
    from exports.dataset.plans import Plan
    from exports.dataset.units import Units
    from runtime.settings import Settings

NEEDED = (
    "hub.sentences",
    "hub.tokens",
    "hub.rows",
    "hub.configurations",
    "raw.files",
    "raw.rejects",
    "raw.source",
    "seeds.projects",
    "corpus.sentence_fates",
)


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


UNCHANGED = "The last edition is as it was"
IN_PLACE = "The new edition is in place"


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
    edition: Path | None = None

    def truth() -> str:
        return IN_PLACE if edition is not None and swap.is_current(settings, edition) else UNCHANGED

    with _told(truth, settings.build), swap.only_writer(settings.build), _cleared(settings):
        swap.recover(settings)
        new = swap.new_edition(settings)
        con = open_read_only(settings.work_db, new.with_name(".spill"))
        try:
            summary = _write(con, settings, new / settings.hub.name, say, processes, quiet)
        finally:
            con.close()
        write_copy(settings.work_db, new / settings.db.name)
        say("warehouse: copied for DuckDB clients from 1.4 on")
        edition = swap.finish(settings, new)
        swap.make_current(settings, edition)
        try:
            swap.settle(settings)
        except OSError as error:
            reason = f"{_name(error) or settings.build}: {error.strerror or error}"
            notice = f"{IN_PLACE}, but clearing up after it failed ({reason}); the next export goes on with that."
            summary["notices"] = [*summary["notices"], notice]
    return Summary(**summary, seconds=time.monotonic() - begin)


@contextmanager
def _cleared(settings: Settings) -> Iterator[None]:
    """Remove what an interrupted export has begun; what cannot be removed now is removed by the next run."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            swap.recover(settings)
        raise


@contextmanager
def _told(truth: Callable[[], str], build: Path) -> Iterator[None]:
    """Turn failures of the system into messages that name the place, and say what to do and which edition is there."""
    import duckdb

    try:
        yield
    except KeyboardInterrupt as error:
        error.add_note(truth())
        raise
    except duckdb.IOException as error:
        raise ExportError(
            f"cannot read the warehouse to its end: {str(error).splitlines()[0]}; it may be damaged: move it away and "
            f"build anew. {truth()}"
        ) from error
    except OSError as error:
        name = _name(error) or build
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            what = f"no space left while writing {name}: free some, or set SPHRAGIS_BUILD to another disk"
        elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            what = f"cannot write {name}: {error.strerror}; set SPHRAGIS_BUILD to a folder you may write"
        else:
            what = f"cannot go on with {name}: {error.strerror or error}; run it again when that is mended"
        raise ExportError(f"{what}. {truth()}") from error


def _name(error: OSError) -> str | None:
    """Return the path that an error of the system is about; None where a library does not know it."""
    return visible(os.fsdecode(error.filename)) if isinstance(error.filename, (str, bytes)) else None


def shapes_of(plans: Sequence[Plan]) -> dict[str, tuple[bool, bool]]:
    """For each configuration, whether it is chunked and whether its track is held out."""
    from exports.dataset import schema

    return {plan.configuration: (plan.size > 1, schema.is_held_out(plan.track)) for plan in plans}


def rule_variables(con: duckdb.DuckDBPyConnection | None = None) -> dict[str, Any]:
    """Thresholds of the rules, from the project file in which they are set, and from the run that was told others."""
    path = project_root(ExportError) / MARK
    variables = dict(yaml.safe_load(path.read_text(encoding="utf-8")).get("vars", {}))
    if con is not None and columns(con, "raw.whole_run"):
        for row in rows(con, "select variables from raw.whole_run"):
            variables |= json.loads(row["variables"] or "{}")
    return variables


def _write(
    con: duckdb.DuckDBPyConnection,
    settings: Settings,
    folder: Path,
    say: Callable[[str], None],
    processes: int,
    quiet: bool,
) -> dict[str, Any]:
    """Write everything of the dataset folder and check it; the facts of the summary."""
    missing = [name for name in NEEDED if name not in relations(con)]
    if missing:
        raise ExportError(
            f"the warehouse {settings.work_db} has no {', '.join(missing)}: run `dbt build`, it has not finished"
        )
    unfinished = why_unfinished(con)
    if unfinished:
        raise ExportError(f"the models of {settings.work_db} {unfinished}: run `dbt build`")
    from exports.about.parse import load_manifest
    from exports.audit import published
    from exports.dataset import validation
    from exports.dataset.files import plan_bytes, write_dataset
    from exports.dataset.plans import load_plans
    from exports.dataset.units import load_units
    from runtime.progress import progress

    audits = published.read_audits(settings.audits)
    units = load_units(con)
    parse = load_manifest(con, units.has_machine)
    audited = published.compare_with(con, audits, units.has_machine)
    plans = load_plans(con, units)
    if not plans:
        raise ExportError(why_nothing_is_built(con, settings.work_db))
    say(f"sentences: {len(units.ids):,} with {len(units.human.values.values):,} words")
    with progress("dataset", sum(plan_bytes(units, plan) for plan in plans), quiet) as advance:
        written = write_dataset(units, plans, folder, processes, advance)
    size = sum(split.bytes for split in written)
    say(f"dataset: {len(written)} files, {size / 1e6:,.0f} MB")
    inventories = validation.load_inventories(con)
    sentences = validation.validate_folder(folder, inventories, processes)
    say(f"checked: {sentences:,} distinct sentences, each read by the official loader")
    facts = _describe(con, folder, units, plans, written, sentences, parse, audited)
    say(f"edition: {facts['fingerprint']}")
    return facts | {
        "hub": settings.hub,
        "db": settings.db,
        "sentences": sentences,
        "configurations": {
            name: sum(split.rows for split in written if split.configuration == name) for name in shapes_of(plans)
        },
        "bytes": size,
    }


def why_nothing_is_built(con: duckdb.DuckDBPyConnection, work_db: Path) -> str:
    """Say why an input gives no configuration, in the words of the most frequent reason, and what can be used."""
    query = """
        select reason, count(*) as configurations, min(configuration) as example
        from hub.configurations
        where reason is not null
        group by reason
        order by configurations desc, example
        limit 1
    """
    told = [f" ({row['example']} and others: {row['reason']})" for row in rows(con, query)]
    return (
        f"the input is too small for an edition: no configuration is built{''.join(told)}. "
        f"{UNCHANGED}; {work_db} is whole and can be queried"
    )


def why_unfinished(con: duckdb.DuckDBPyConnection) -> str | None:
    """Say what is wrong with the models, None when the present project built all of them from the present input.

    dbt keeps the note (`macros/runs`). A warehouse that no run of dbt has begun is believed.
    """
    if "raw.whole_run" not in relations(con):
        return None
    wanted = {"project", "variables", "undone"}
    found = []
    if wanted <= set(columns(con, "raw.whole_run")):
        query = "select project from raw.whole_run inner join raw.present_input using (input) where is_finished"
        found = rows(con, query)
    if not found:
        return "were not built to the end from the input that is there"
    if found[0]["project"] != project_checksum(project_root(ExportError)):
        return "were built before the last change of models, seeds, macros or variables"
    return None


def _describe(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    units: Units,
    plans: Sequence[Plan],
    written: Sequence[Written],
    sentences: int,
    parse: dict[str, Any] | None,
    audited: Audited,
) -> dict[str, Any]:
    """Read what the edition says of itself, write it, and return what the last lines of the export say."""
    from exports.about import manifests
    from exports.about.parse import published_manifest
    from exports.about.read import read
    from exports.about.record import Made
    from exports.about.write import write

    if parse is not None and units.machine is not None:
        parse = published_manifest(parse, units.machine)
    made = Made(
        sentence_ids=units.ids.to_pylist(),
        plans=plans,
        written=written,
        checksums={split.path: manifests.sha256(folder / split.path) for split in written},
        validated=sentences,
        parse=parse,
        audits=audited.figures,
    )
    about = read(con, made, shapes_of(plans), rule_variables(con))
    fingerprint = write(folder, about, audited.files)
    _check_croissant(folder / "croissant.json")
    return {
        "input": about.input,
        "fates": about.fates_of_all,
        "not_built": {row.configuration: str(row.reason) for row in about.configurations if not row.is_built},
        "absent": about.absent_files,
        "differing": about.differing_files,
        "fingerprint": fingerprint,
        "notices": audited.notices,
    }


def _check_croissant(path: Path) -> None:
    """Validate the Croissant description where its library is installed (it is in the development extra).

    In a process of its own: the library keeps a graph of every field in memory.
    """
    import importlib.util
    import subprocess

    if importlib.util.find_spec("mlcroissant") is None:
        return
    root = project_root(ExportError)
    command = [sys.executable, "-m", "exports.about.croissant", str(path.resolve())]
    checked = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if checked.returncode:
        told = (checked.stdout or checked.stderr).strip().splitlines()
        raise ExportError(f"croissant.json is not valid: {told[-1] if told else 'no reason given'}")


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
