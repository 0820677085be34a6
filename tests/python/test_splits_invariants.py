"""Every invariant of the benchmark has a test that passes, and a fixture that makes exactly this test fail."""

from __future__ import annotations

import hashlib
import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, Build, build_environment, dbt, run

TESTS = ROOT / "tests" / "benchmark"
FIXTURES = ROOT / "tests" / "fixtures" / "invariants"
TABLE = ROOT / "docs" / "invariants.md"
IDS = sorted(path.stem for path in FIXTURES.glob("*.sql"))

# Faults that people in the field have reported, with texts made up here: one text in several encodings under two
# labels, and works that are not held out as a whole.
LEAK = [
    (1, "Nobody", "train", "Ἀλλ̓ ὁ ναύτης τὴν ναῦν εἶδεν ."),
    (2, "Nobody", "test", "ἀλλʼ ὁ ναύτης τὴν ναῦν εἶδεν"),
    (3, "Nobody", "validation", "ἀλλ’ ὁ ναύτης τὴν ναῦν εἶδε."),
    (4, "Another", "test", "ἀλλʼ ὁ ναύτης τὴν ναῦν εἶδεν"),
]
TOPIC = [
    (1, "Alpha", "w1", "train"),
    (2, "Alpha", "w1", "test"),
    (3, "Alpha", "w2", "test"),
    (4, "Beta", "w3", "train"),
    (5, "Beta", "w3", "test"),
]


def test_the_table_lists_every_invariant_with_its_test_and_its_fixture() -> None:
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| .+ \| `(.+)` \| `(.+)` \|$", TABLE.read_text(encoding="utf-8"), re.M)
    assert [row[0] for row in rows] == sorted({row[0] for row in rows}, key=[row[0] for row in rows].index)
    assert sorted(row[0] for row in rows) == IDS
    for name, test, fixture in rows:
        assert test == f"tests/benchmark/{name.replace('-', '_')}.sql"
        assert fixture == f"tests/fixtures/invariants/{name}.sql"
        assert f"-- {name}:" in (ROOT / test).read_text(encoding="utf-8")
    assert sorted(path.stem for path in TESTS.glob("*.sql")) == sorted(name.replace("-", "_") for name in IDS)


@pytest.fixture(scope="module")
def copied(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the warehouse of the sample, with the tests compiled against it beside."""
    folder = tmp_path_factory.mktemp("invariants")
    (folder / "work").mkdir()
    shutil.copy(sample_build.work_db, folder / "work" / "sphragis.duckdb")
    run(dbt("compile", "--select", "path:tests/benchmark"), build_environment(folder, None))
    return folder


def compiled_test(copied: Path, name: str) -> str:
    """Return the SQL of the test of one invariant; its rows are violations."""
    path = copied / "target" / "compiled" / "sphragis" / "tests" / "benchmark" / f"{name.replace('-', '_')}.sql"
    return path.read_text(encoding="utf-8")


@pytest.fixture
def warehouse(copied: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The copy, in a transaction that is rolled back after the test."""
    con = duckdb.connect(str(copied / "work" / "sphragis.duckdb"))
    con.execute("begin")
    yield con
    con.execute("rollback")
    con.close()


@pytest.mark.parametrize("name", IDS)
def test_the_fixture_breaks_its_invariant(copied: Path, warehouse: duckdb.DuckDBPyConnection, name: str) -> None:
    sql = compiled_test(copied, name)
    assert warehouse.execute(sql).fetchall() == []
    warehouse.execute((FIXTURES / f"{name}.sql").read_text(encoding="utf-8"))
    assert warehouse.execute(sql).fetchall() != []


def dedup_key(text: str) -> str:
    """Return sha256 of the letters of a text.

    >>> dedup_key("ἀλλʼ ὁ") == dedup_key("Ἀλλ̓ ὁ .")
    True
    """
    letters = (letter for letter in unicodedata.normalize("NFD", text.lower()) if "α" <= letter <= "ω")
    return hashlib.sha256("".join(letters).replace("ς", "σ").encode()).hexdigest()


@pytest.fixture
def tiny() -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty warehouse with the tables that the invariants below look at."""
    con = duckdb.connect()
    con.execute(
        """
        attach ':memory:' as sphragis;
        use sphragis;
        create schema benchmark;
        create schema hub;
        create table hub.sentences (id varchar, sentence_id varchar, dedup_key varchar);
        create table hub.rows (id varchar, split varchar, author varchar);
        create table hub.configurations (configuration varchar);
        create table benchmark.tracks (track varchar, split_rule varchar);
        create table benchmark.held_out_works (track varchar, author varchar, held_out_work varchar);
        create table benchmark.split_assignments (
            track varchar, sentence_id varchar, published_id varchar, author varchar, canonical_work varchar,
            split varchar
        );
        """
    )
    yield con
    con.close()


def test_one_text_in_two_encodings_is_a_leak(tiny: duckdb.DuckDBPyConnection, copied: Path) -> None:
    for number, author, split, text in LEAK:
        name = str(number)
        tiny.execute("insert into hub.sentences values (?, ?, ?)", [name, name, dedup_key(text)])
        tiny.execute(
            "insert into benchmark.split_assignments values ('sentence', ?, ?, ?, 'w', ?)", [name, name, author, split]
        )
    found = tiny.execute(compiled_test(copied, "split-disjoint-dedup-keys")).fetchall()
    assert found == [("sentence", dedup_key(LEAK[0][3]), 3)]


def test_a_held_out_work_in_training_is_a_leak(tiny: duckdb.DuckDBPyConnection, copied: Path) -> None:
    tiny.execute("insert into benchmark.tracks values ('work_held_out', 'held_out')")
    for author, work in (("Alpha", "w1"), ("Beta", "w3")):
        tiny.execute("insert into benchmark.held_out_works values ('work_held_out', ?, ?)", [author, work])
    for number, author, work, split in TOPIC:
        name = str(number)
        tiny.execute(
            "insert into benchmark.split_assignments values ('work_held_out', ?, ?, ?, ?, ?)",
            [name, name, author, work, split],
        )
    found = tiny.execute(compiled_test(copied, "held-out-work-only-in-test")).fetchall()
    assert sorted((work, split, name) for _, _, work, split, name in found) == [
        ("w1", "train", "1"),  # the test work in training
        ("w2", "test", "3"),  # a second work in the test
        ("w3", "train", "4"),
    ]


@pytest.mark.parametrize(
    ("kind", "name", "is_allowed"),
    [
        ("split", "train", True),
        ("split", "validation2", True),
        ("split", "validation-2", False),
        ("split", "held out", False),
        ("split", "test.a", True),
        ("configuration", "sentence_1", True),
        ("configuration", "work_held_out_10", True),
        ("configuration", "random_10k [2m]", False),
        ("configuration", "a/b", False),
        ("configuration", "Ἰλιάς", False),
        ("author", "Diodorus Siculus", True),
        ("author", "Homeric-Iliad", True),
        ("author", "Pseudo_Oppian", False),
    ],
)
def test_names_that_cannot_be_loaded_are_found(
    tiny: duckdb.DuckDBPyConnection, copied: Path, kind: str, name: str, is_allowed: bool
) -> None:
    if kind == "configuration":
        tiny.execute("insert into hub.configurations values (?)", [name])
    else:
        row = {"split": "train", "author": "Nobody"} | {kind: name}
        tiny.execute("insert into hub.rows values ('1', ?, ?)", [row["split"], row["author"]])
    found = tiny.execute(compiled_test(copied, "names-loadable")).fetchall()
    assert found == ([] if is_allowed else [(kind, name)])
