"""``python -m ingest.registry``: write down what the files of a pinned revision are, from what has been read.

It is run after ``python -m ingest`` and writes ``seeds/catalogue/source_file_attributes.csv`` from the working
database: one row per file with the pinned content, for comparison with later files. With ``--pin PROJECT`` it first
takes the files of a project, as they have been read, for those of its pinned revision, in ``source_files.csv``: for a
new project, or one whose revision has changed.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ingest.attributes import measure
from ingest.sources import ATTRIBUTES, RATES, PinnedAttributes, load_registry, registry_folder
from runtime.database import open_database
from runtime.errors import IngestError
from runtime.settings import load_settings


def write_pins(work_db: Path, folder: Path, project: str) -> int:
    """Write the files of a project that are in the working database, with their checksums, as those of its revision.

    The rows of the other projects stay as they are, and those of files that were not read: a file that the revision no
    longer has is taken out by hand.

    Args:
        work_db: the working database, after a run of ingest.
        folder: the folder of the registry; its ``source_files.csv`` is written anew.
        project: name of the project.

    Returns:
        The number of files that were read.

    Raises:
        IngestError: there is no such database or project, the registry is wrong, or no file of the project was read.
    """
    registry = load_registry(folder)
    known = [one.name for one in registry.projects]
    if project not in known:
        raise IngestError(f"expected one of the projects {', '.join(known)}, found {project!r}")
    with open_database(existing(work_db)) as connection:
        query = "select path, sha256 from raw.files where project = ? and status = 'read' order by path"
        read = connection.execute(query, [project]).fetchall()
    if not read:
        raise IngestError(f"expected files of {project} in the working database, found none that was read")
    # In the order of the seed; a new file comes last in its project, a new project last of all.
    files: dict[str, dict[str, str]] = {}
    with (folder / "source_files.csv").open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            files.setdefault(row["project"], {})[row["path"]] = row["sha256"]
    files.setdefault(project, {}).update(read)
    rows = [(name, path, sha256) for name, group in files.items() for path, sha256 in group.items()]
    write_table(folder / "source_files.csv", ("project", "path", "sha256"), rows)
    return len(read)


def existing(work_db: Path) -> Path:
    """Return the path of a working database that is there.

    Raises:
        IngestError: there is none.
    """
    if not work_db.exists():
        raise IngestError(f"expected the working database {work_db}, found none: run `python -m ingest` first")
    return work_db


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a seed anew."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    path.write_text(table.getvalue(), encoding="utf-8")


def write_rates(work_db: Path, folder: Path) -> int:
    """Write the counts of the files that are in the working database with the pinned content.

    Counts of files that are not there now, and whose pin is still the same, stay.

    Args:
        work_db: the working database, after a run of ingest.
        folder: the folder of the registry; its ``source_file_attributes.csv`` is written anew.

    Returns:
        The number of files with counts.

    Raises:
        IngestError: there is no such database, or the registry is wrong.
    """
    registry = load_registry(folder)
    pins = {(file.project, file.path): file.sha256 for file in registry.files}
    rates = {(rate.project, rate.path): rate for rate in registry.rates}
    with open_database(existing(work_db)) as connection:
        query = "select project, path, sha256 from raw.files where status = 'read'"
        read = {(project, path): sha256 for project, path, sha256 in connection.execute(query).fetchall()}
        for file in measure(connection, registry):
            key = (file.project, file.path)
            sha256 = pins.get(key)
            if sha256 and read.get(key) == sha256:
                rates[key] = PinnedAttributes(file.project, file.path, sha256, file.words, file.filled)
    # In the order of the files in the registry.
    ordered = (rates[key] for key in pins if key in rates)
    rows = ((rate.project, rate.path, rate.sha256, rate.words, *rate.filled) for rate in ordered)
    write_table(folder / RATES, ("project", "path", "sha256", "words", *ATTRIBUTES), rows)
    return len(rates)


def main(arguments: list[str] | None = None) -> None:
    """Write the tables of the checkout and say how many files they have."""
    parser = argparse.ArgumentParser(prog="python -m ingest.registry", description=__doc__.splitlines()[0])
    parser.add_argument("--pin", metavar="PROJECT", help="take its files as read for those of its pinned revision")
    options = parser.parse_args(arguments)
    try:
        if options.pin:
            count = write_pins(load_settings().work_db, registry_folder(), options.pin)
            print(f"source_files.csv: {count} files of {options.pin}")
        count = write_rates(load_settings().work_db, registry_folder())
    except IngestError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    print(f"{RATES}: {count} files")


if __name__ == "__main__":
    main()
