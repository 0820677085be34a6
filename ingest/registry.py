"""``python -m ingest.registry``: count what the words of the pinned files have, for comparison with later files.

It is run after ``python -m ingest`` when a pin in ``source_files.csv`` has changed, and writes
``seeds/catalogue/source_file_attributes.csv`` from the working database: one row per file with the pinned content.
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

from ingest.attributes import measure
from ingest.sources import ATTRIBUTES, RATES, PinnedAttributes, load_registry, registry_folder
from runtime.database import open_database
from runtime.errors import IngestError
from runtime.settings import load_settings


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
    if not work_db.exists():
        raise IngestError(f"expected the working database {work_db}, found none: run `python -m ingest` first")
    pins = {(file.project, file.path): file.sha256 for file in registry.files}
    rates = {(rate.project, rate.path): rate for rate in registry.rates}
    with open_database(work_db) as connection:
        query = "select project, path, sha256 from raw.files where status = 'read'"
        read = {(project, path): sha256 for project, path, sha256 in connection.execute(query).fetchall()}
        for file in measure(connection, registry):
            key = (file.project, file.path)
            sha256 = pins.get(key)
            if sha256 and read.get(key) == sha256:
                rates[key] = PinnedAttributes(file.project, file.path, sha256, file.words, file.filled)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("project", "path", "sha256", "words", *ATTRIBUTES))
    # In the order of the files in the registry.
    for key in pins:
        if key in rates:
            rate = rates[key]
            writer.writerow((rate.project, rate.path, rate.sha256, rate.words, *rate.filled))
    (folder / RATES).write_text(table.getvalue(), encoding="utf-8")
    return len(rates)


def main() -> None:
    """Write the table of the checkout and say how many files it has."""
    try:
        count = write_rates(load_settings().work_db, registry_folder())
    except IngestError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    print(f"{RATES}: {count} files")


if __name__ == "__main__":
    main()
