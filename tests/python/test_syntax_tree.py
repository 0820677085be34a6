"""Trees in the terminal: shapes, damaged heads, both layers of a sentence of the sample."""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import hub_fixture
import pytest
from conftest import Build, connection, run

from exports.ask.tree import Node, draw, load_sentence, render, rooted


def test_head_before_and_after_its_dependents() -> None:
    assert draw([Node("a", 2), Node("b", 0), Node("c", 2)]) == [
        "  ┌─ a",
        "──┤ b",
        "  └─ c",
    ]


def test_crossing_edges_stay_readable() -> None:
    # c hangs on a, d on b: the edges cross
    assert draw([Node("a", 0), Node("b", 1), Node("c", 1), Node("d", 2)]) == [
        "──┐ a",
        "  ├─┐ b",
        "  └─┼─ c",
        "    └─ d",
    ]


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        ([2, 3, 1], [0, 3, 1]),
        ([1, 1], [0, 1]),
        ([9, 1], [0, 1]),
        ([-1, 0, 2], [-1, 0, 2]),
        ([2, 1, 2, 0], [0, 1, 2, 0]),
    ],
)
def test_heads_that_lead_nowhere_become_roots(heads: list[int], expected: list[int]) -> None:
    assert rooted(heads) == expected


def test_lines_without_a_node_stay_empty() -> None:
    assert draw([Node("a", 3), Node("", -1), Node("b", 0)]) == ["  ┌─ a", "", "──┘ b"]


def test_every_line_of_the_sample_is_drawn(sample_build: Build) -> None:
    with connection(sample_build.db) as warehouse:
        names = warehouse.execute(
            "select sentence_id, count(*) from corpus.tokens group by sentence_id order by sentence_id limit 200"
        ).fetchall()
        for name, tokens in names:
            sentence = load_sentence(warehouse, name)
            assert len(render(sentence, ["native", "human"]).splitlines()) == tokens + 3


def test_a_warehouse_without_models_has_no_trees(tmp_path: Path) -> None:
    warehouse = hub_fixture.build(tmp_path / "read.duckdb", count=10)
    with duckdb.connect(str(warehouse)) as con:
        con.execute("drop table corpus.sentences")
    command = [sys.executable, "sphragis.py", "tree", "--db", str(warehouse), "agdt/nowhere.xml#1"]
    told = run(command, {"PYTHONIOENCODING": "utf-8"}, check=False)
    assert told.returncode == 1
    assert "this warehouse has no sentences to look up" in told.stdout
    assert "Traceback" not in told.stdout


def test_command_draws_both_trees_and_names_a_missing_sentence(sample_build: Build) -> None:
    with connection(sample_build.db) as warehouse:
        [(name,)] = warehouse.execute("select min(sentence_id) from corpus.sentences where text is not null").fetchall()
    command = [sys.executable, "sphragis.py", "tree", "--db", str(sample_build.db)]
    drawn = run([*command, name], {"PYTHONIOENCODING": "utf-8"})
    assert name in drawn.stdout
    assert "as annotated" in drawn.stdout
    assert "published" in drawn.stdout
    missing = run([*command, "agdt/nowhere.xml#1"], {"PYTHONIOENCODING": "utf-8"}, check=False)
    assert missing.returncode == 1
    assert "no sentence 'agdt/nowhere.xml#1'" in missing.stdout
