"""The traces of docs/tracing.md are those of the rule by which they were chosen, and lead where the page says."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOT, Build, connection

from exports.dataset import schema

PAGE = ROOT / "docs" / "tracing.md"
CHOSEN = """
    select configuration, id, constituent_ids
    from hub.rows order by sha256(configuration || '/' || id), configuration, id limit 5
"""
UNPUBLISHED = """
    select sentences.sentence_id, sentences.line, sentences.fate, fates.reason, sentences.survivor_id
    from corpus.sentences as sentences
    inner join corpus.sentence_fates as fates on sentences.sentence_id = fates.sentence_id
    where sentences.sentence_id not in (select sentence_id from hub.sentences)
    order by sha256(sentences.sentence_id), sentences.sentence_id limit 5
"""
PLACE = """
    select sentences.project || '/' || sentences.path, sentences.line
    from hub.sentences as published
    inner join corpus.sentences as sentences on published.sentence_id = sentences.sentence_id
    where published.id = ?
"""


def column_of(configuration: str, name: str) -> str:
    """Return the column that is traced of a row: chosen by the same checksum among those of its configuration."""
    track, _, size = configuration.rpartition("_")
    columns = [column.name for column in schema.columns_of(chunked=size != "1", held_out="held_out" in track)]
    return columns[int(hashlib.sha256(f"{configuration}/{name}".encode()).hexdigest()[:8], 16) % len(columns)]


def values(con: duckdb.DuckDBPyConnection) -> list[list[str]]:
    """Return the five values: configuration, row, column, the sentence that is looked up, its file and its line."""
    found = []
    for configuration, name, members in con.execute(CHOSEN).fetchall():
        [(file, line)] = con.execute(PLACE, [members[0]]).fetchall()
        found.append([configuration, name, column_of(configuration, name), members[0], file, str(line)])
    return found


def unpublished(con: duckdb.DuckDBPyConnection) -> list[list[str]]:
    """Return the five sentences: id, line, fate, reason or survivor."""
    rows: list[tuple[Any, ...]] = con.execute(UNPUBLISHED).fetchall()
    return [
        [name, str(line), fate, survivor if fate == "exact_duplicate" else reason]
        for name, line, fate, reason, survivor in rows
    ]


def table(text: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table below a heading, without marks of code."""
    lines = text.partition(f"## {heading}\n")[2].partition("\n## ")[0].splitlines()
    rows = [line.strip("|").split("|") for line in lines if line.startswith("|")][2:]
    return [[re.sub(r"`", "", one).strip() for one in row] for row in rows]


def test_the_sample_has_values_to_trace(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        assert len(values(con)) == len(unpublished(con)) == 5


@pytest.mark.real
def test_the_page_has_the_traces_of_the_treebanks(real_build: Build) -> None:
    text = PAGE.read_text(encoding="utf-8")
    with connection(real_build.db) as con:
        assert [row[:6] for row in table(text, "Five published values")] == values(con)
        assert [row[:4] for row in table(text, "Five sentences that are not published")] == unpublished(con)


def write_tables(db: Path) -> None:
    """Print both tables of the page for a warehouse."""
    with connection(db) as con:
        for rows in (values(con), unpublished(con)):
            for row in rows:
                print("| " + " | ".join(f"`{one}`" for one in row) + " |")


if __name__ == "__main__":
    import sys

    write_tables(Path(sys.argv[1]))
