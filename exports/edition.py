"""One export: dataset folder and published warehouse, from the working database, put in place when complete.

The order is such that a reader never sees half:

1. take the lock of the build folder and clear what a killed run left;
2. check what is given beside the warehouse, write the dataset folder beside the published one, read it again and
   check it, write card, manifests and checksums;
3. write the copy of the warehouse beside the published one;
4. put the warehouse in place, then the folder, each in one step.

Whatever fails before step 4 leaves both as they were.
"""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from exports import swap
from exports.warehouse import ExportError, input_kind, open_read_only, relations, rows
from ingest.checkout import MARK, project_root

if TYPE_CHECKING:
    import duckdb

    from exports.audit.published import Audited
    from exports.hub import Plan, Units, Written
    from exports.manifests import Fates
    from ingest.settings import Settings

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

URL = "https://huggingface.co/datasets"


@dataclass(frozen=True)
class Summary:
    """What an export made, for its last lines."""

    hub: Path
    db: Path
    input: str
    sentences: int
    configurations: dict[str, int]
    not_built: dict[str, str]
    fates: Fates
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
    database: bool = True,
) -> Summary:
    """Write and publish an edition.

    Args:
        settings: the paths of the build.
        say: called with a line about each finished step.
        processes: processes of the official loader, and threads of the writer.
        quiet: show no progress even on a terminal.
        database: also publish the copy of the warehouse.

    Raises:
        ExportError: nothing was changed; the message says why and what to do.
    """
    begin = time.monotonic()
    with swap.only_writer(settings.build), _told():
        swap.recover(settings.hub)
        swap.recover(settings.db)
        folder = swap.new_name(settings.hub)
        try:
            folder.mkdir(parents=True)
            con = open_read_only(settings.work_db)
            try:
                summary = _write(con, settings, folder, say, processes, quiet)
            finally:
                con.close()
            if database:
                from exports.database import write_copy

                settings.db.parent.mkdir(parents=True, exist_ok=True)
                write_copy(settings.work_db, settings.db)
                say("warehouse: copied for DuckDB clients from 1.4 on")
                swap.swap_file(settings.db)
            swap.swap_folder(settings.hub)
        except BaseException:
            _clear(settings)
            raise
    return Summary(**summary, seconds=time.monotonic() - begin)


def _clear(settings: Settings) -> None:
    """Remove what an interrupted export has begun; what cannot be removed now is removed by the next run."""
    for target in (settings.hub, settings.db):
        try:
            swap.recover(target)
        except OSError:
            continue


@contextmanager
def _told() -> Iterator[None]:
    """Turn failures of the system into messages that say what to do."""
    import duckdb

    try:
        yield
    except duckdb.IOException as error:
        raise ExportError(
            f"cannot read the warehouse to its end: {str(error).splitlines()[0]}; it may be damaged: move it away and "
            "build anew. The last edition is as it was"
        ) from error
    except OSError as error:
        name = error.filename or "the build folder"
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            what = f"no space left while writing {name}: free some, or set SPHRAGIS_BUILD to another disk"
        elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            what = f"cannot write {name}: {error.strerror}; set SPHRAGIS_BUILD to a folder you may write"
        else:
            what = f"{error}"
        raise ExportError(f"{what}. The last edition is as it was") from error


def shapes_of(plans: Sequence[Plan]) -> dict[str, tuple[bool, bool]]:
    """For each configuration, whether it is chunked and whether its track is held out."""
    from exports import schema

    return {plan.configuration: (plan.size > 1, schema.is_held_out(plan.track)) for plan in plans}


def rule_variables() -> dict[str, Any]:
    """Thresholds of the rules, from the project file in which they are set."""
    path = project_root(ExportError) / MARK
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")).get("vars", {}))


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
    if not is_finished(con):
        raise ExportError(
            f"the models of {settings.work_db} were not built to the end from the input that is there: run `dbt build`"
        )
    from exports import hub, machine, manifests, validate
    from exports.audit import published
    from ingest.progress import progress

    audits = published.read_audits(settings.audits)
    units = hub.load_units(con)
    parse = machine.load_manifest(con, units.has_machine)
    audited = published.compare_with(con, audits, units.has_machine)
    plans = hub.load_plans(con, units)
    if not plans:
        raise ExportError("no configuration is built: hub.configurations has none with is_built")
    say(f"sentences: {len(units.ids):,} with {len(units.human.values.values):,} words")
    with progress("dataset", sum(hub.plan_bytes(units, plan) for plan in plans), quiet) as advance:
        written = hub.write_dataset(units, plans, folder, processes, advance)
    size = sum(split.bytes for split in written)
    say(f"dataset: {len(written)} files, {size / 1e6:,.0f} MB")
    inventories = validate.load_inventories(con)
    sentences = validate.validate_folder(folder, inventories, processes)
    say(f"checked: {sentences:,} distinct sentences, each read by the official loader")
    facts = _describe(con, folder, units, plans, written, sentences, parse, audited)
    say(f"edition: {facts['fingerprint']}")
    files = rows(con, "select * from raw.files order by project, path")
    return facts | {
        "hub": settings.hub,
        "db": settings.db,
        "input": input_kind(con),
        "sentences": sentences,
        "configurations": {
            name: sum(split.rows for split in written if split.configuration == name) for name in shapes_of(plans)
        },
        "not_built": {
            row["configuration"]: row["reason"]
            for row in rows(con, "select * from hub.configurations where not is_built order by configuration")
        },
        "absent": [f"{file['project']}/{file['path']}" for file in files if file["status"] == "absent"],
        "differing": [f"{file['project']}/{file['path']}" for file in files if manifests.differs(file)],
        "bytes": size,
    }


def is_finished(con: duckdb.DuckDBPyConnection) -> bool:
    """Return True when all models were built without a failure from the files that are in the raw tables.

    dbt keeps the note (`macros/runs`). A warehouse that no run of dbt has begun is believed.
    """
    if "raw.whole_run" not in relations(con):
        return True
    return bool(rows(con, "select 1 from raw.whole_run inner join raw.present_input using (input) where is_finished"))


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
    """Write manifests, card, licences, Croissant and checksums."""
    import hashlib

    from exports import card, croissant, licences, machine, manifests

    if parse is not None and units.machine is not None:
        parse = machine.published_manifest(parse, units.machine)
    checksums = {split.path: manifests.sha256(folder / split.path) for split in written}
    listed = "".join(f"{checksums[path]}  {path}\n" for path in sorted(checksums))
    fates = manifests.fates(con)
    edition = card.Edition(
        version=manifests.library_versions()["sphragis"],
        fingerprint=hashlib.sha256(listed.encode()).hexdigest()[:16],
        shapes=shapes_of(plans),
        units=units,
        written=written,
        fates=fates,
        variables=rule_variables(),
        parse=parse,
        audits=audited.figures,
    )
    projects = rows(con, "select * from seeds.projects order by project")
    metadata = folder / "metadata"
    manifests.write_json(metadata / "source_revisions.json", manifests.source_revisions(con))
    manifests.write_json(
        metadata / "dataset_variants.json", manifests.dataset_variants(con, units, plans), compact=True
    )
    manifests.write_json(
        metadata / "build_report.json",
        manifests.build_report(con, units, written, sentences, parse, audited.figures),
    )
    if parse is not None:
        manifests.write_json(metadata / "machine_manifest.json", parse)
        folds = machine.sentence_folds(con)
        if folds:
            manifests.write_json(metadata / "machine_folds.json", folds, compact=True)
    for name, content in audited.files.items():
        manifests.write_json(metadata / name, content)
    (folder / "README.md").write_text(card.render(con, edition), encoding="utf-8")
    (folder / "LICENSES.md").write_text(licences.render(projects, card.licence_counts(con)), encoding="utf-8")
    is_sample = input_kind(con) == "sample"
    manifests.write_json(
        folder / "croissant.json",
        croissant.describe(
            edition.shapes,
            checksums,
            {
                "name": f"{card.NAME} (sample)" if is_sample else card.NAME,
                "description": ("A sample, not the treebanks. " if is_sample else "") + card.DESCRIPTION,
                "version": edition.version,
                "citation": card.citation(edition),
                "url": URL,
                "keywords": card.KEYWORDS,
            },
            sorted({str(project["licence_url"]) for project in projects}),
        ),
    )
    _check_croissant(folder / "croissant.json")
    return {"fates": fates, "fingerprint": manifests.write_checksums(folder), "notices": audited.notices}


def _check_croissant(path: Path) -> None:
    """Validate the Croissant description where its library is installed (it is in the development extra).

    In a process of its own: the library keeps a graph of every field in memory.
    """
    import importlib.util
    import subprocess

    if importlib.util.find_spec("mlcroissant") is None:
        return
    root = project_root(ExportError)
    command = [sys.executable, "-m", "exports.croissant", str(path.resolve())]
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
    for fate, count in sorted(summary.fates.by_fate.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"{fate:<26}{count:>10,}")
    lines.append(f"{'all read':<26}{summary.fates.supplied:>10,}")
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
