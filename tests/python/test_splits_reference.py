"""The splits and chunks of the real input equal a plain Python reading of the same rules, row for row."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import splits_reference as reference
from conftest import ROOT, Build, connection

if TYPE_CHECKING:
    import duckdb

SEEDS = ROOT / "seeds"
HELD_OUT = ("work_held_out",)


def read_seed(path: str) -> list[dict[str, str]]:
    with Path(SEEDS / path).open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def members(track: str, authors: list[str]) -> list[str]:
    """Return the authors whom the seed gives to a track, among the retained ones."""
    lists = [row for row in read_seed("benchmark/track_authors.csv") if row["track"] == track]
    named = {row["author"] for row in lists if row["decision"] == "include"}
    excluded = {row["author"] for row in lists if row["decision"] == "exclude"}
    return [author for author in authors if (author in named or "*" in named) and author not in excluded]


class Expected:
    """Everything the reference makes of the sentences that entered."""

    def __init__(self, rows: list[reference.Row], seed: int = reference.SEED) -> None:
        self.rows = rows
        self.places = reference.textual_order(rows)
        main = reference.cut_to_tens(rows, reference.in_work(rows, seed), seed)
        own = reference.by(rows, lambda row: row.author)
        self.retained = sorted(author for author in own if reference.has_minima(own[author], main))
        priority = {row["project"]: int(row["source_priority"]) for row in read_seed("catalogue/projects.csv")}
        self.assignments: dict[str, reference.Assignment] = {}
        self.choices: dict[str, dict[str, reference.Choice]] = {}
        for seed_row in read_seed("benchmark/tracks.csv"):
            track, authors = seed_row["track"], members(seed_row["track"], self.retained)
            if seed_row["split_rule"] == "in_work":
                self.assignments[track] = {row.key: main[row.key] for author in authors for row in own[author]}
            elif seed_row["is_matched"] == "true":
                found = reference.matched_held_out_track(rows, authors, priority, seed)
                self.assignments[track], self.choices[track] = found
            else:
                self.assignments[track], self.choices[track] = reference.held_out_track(rows, authors, seed)

    def counts(self) -> Counter[tuple[str, str, str, bool]]:
        """Return the rows by track, author, split and cut."""
        authors = {row.key: row.author for row in self.rows}
        return Counter(
            (track, authors[key], split, is_cut)
            for track, assignment in self.assignments.items()
            for key, (split, is_cut) in assignment.items()
        )


@pytest.fixture(scope="module")
def warehouse(real_build: Build) -> duckdb.DuckDBPyConnection:
    return connection(real_build.work_db)


@pytest.fixture(scope="module")
def rows(warehouse: duckdb.DuckDBPyConnection) -> list[reference.Row]:
    found = warehouse.execute(
        """
        select
            texts.dedup_key, sentences.author, sentences.canonical_work, sentences.work, sentences.genre,
            sentences.project, sentences.path, sentences.position, sentences.passage
        from intermediate.int_dedup__outcomes as outcomes
        inner join intermediate.int_catalogue__sentences as sentences using (sentence_number)
        inner join intermediate.int_text__sentences as texts using (sentence_number)
        where outcomes.outcome = 'entered'
        """
    ).fetchall()
    return [reference.Row(*row) for row in found]


@pytest.fixture(scope="module")
def expected(rows: list[reference.Row]) -> Expected:
    return Expected(rows)


@pytest.mark.real
def test_every_row_of_every_track_has_the_split_of_the_reference(
    warehouse: duckdb.DuckDBPyConnection, expected: Expected
) -> None:
    found = warehouse.execute(
        """
        select assignments.track, texts.dedup_key, assignments.split, assignments.is_remainder
        from (
            select *, false as is_remainder from benchmark.split_assignments
            union all
            select *, true as is_remainder from benchmark.split_remainders
        ) as assignments
        inner join intermediate.int_catalogue__sentences as sentences using (sentence_id)
        inner join intermediate.int_text__sentences as texts using (sentence_number)
        """
    ).fetchall()
    assert set(found) == {
        (track, key, split, is_cut)
        for track, assignment in expected.assignments.items()
        for key, (split, is_cut) in assignment.items()
    }
    assert len(found) == len(set(found))


@pytest.mark.real
def test_held_out_works_are_those_of_the_reference(warehouse: duckdb.DuckDBPyConnection, expected: Expected) -> None:
    found = warehouse.execute(
        "select track, author, held_out_work, held_out_validation_work from benchmark.held_out_works"
    ).fetchall()
    assert set(found) == {
        (track, author, choice.test, choice.validation)
        for track, choices in expected.choices.items()
        for author, choice in choices.items()
    }


@pytest.mark.real
@pytest.mark.parametrize("size", [1, 5, 10])
def test_chunks_are_those_of_the_reference(warehouse: duckdb.DuckDBPyConnection, expected: Expected, size: int) -> None:
    found = warehouse.execute(
        "select track, author, split, chunk_number, constituent_ids from benchmark.chunks where chunk_target_size = ?",
        [size],
    ).fetchall()
    assert {(track, author, split, number): ids for track, author, split, number, ids in found} == {
        (track, *chunk): [f"s-{key[:16]}" for key in keys]
        for track, assignment in expected.assignments.items()
        for chunk, keys in reference.chunks(expected.rows, assignment, expected.places, size).items()
    }


@pytest.mark.real
def test_counts_do_not_depend_on_the_hash(rows: list[reference.Row], expected: Expected) -> None:
    assert Expected(rows, seed=918).counts() == expected.counts()
