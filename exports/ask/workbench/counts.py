"""Counts as bars: how many hits, and how many of a million words of where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exports.ask.patterns.layers import METADATA, scope_named
from exports.ask.patterns.search import Answer, Question

if TYPE_CHECKING:
    import duckdb

WORDS = """
    select {groups}sum(trees.node_count)
    from corpus.trees as trees
    inner join corpus.sentences as sentences on trees.sentence_number = sentences.sentence_number
    where trees.layer = $layer and trees.scope <= $scope and ($author is null or sentences.author = $author)
    group by all
"""
UNDEFINED = "__undefined__"
MOST_BARS = 500
"""Rows that the page shows; a table has all of them."""


@dataclass(frozen=True)
class Bar:
    """One row of counts.

    Attributes:
        values: of the keys.
        hits, sentences: how many.
        per_million: hits of a million words; None where there are no words.
        share: hits as a share of the largest row, 0 to 100.
        of_rates: the same of the hits of a million words.
    """

    values: tuple[str, ...]
    hits: int
    sentences: int | None
    per_million: float | None
    share: float
    of_rates: float


@dataclass(frozen=True)
class Bars:
    """Counts by keys.

    Attributes:
        columns: names of the keys.
        bars: the rows, the most frequent first.
        left_out: rows that are not shown.
        words: what a million is a million of.
    """

    columns: tuple[str, ...]
    bars: list[Bar]
    left_out: int
    words: str


def words_by(con: duckdb.DuckDBPyConnection, question: Question, groups: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the number of words of layer, scope and author of a question, by columns of corpus.sentences."""
    columns = "".join(f"sentences.{name}, " for name in groups)
    where = {"layer": question.layer, "scope": scope_named(question.scope), "author": question.author}
    rows = con.execute(WORDS.format(groups=columns), where).fetchall()
    return {tuple(UNDEFINED if value is None else str(value) for value in row[:-1]): int(row[-1]) for row in rows}


def by_keys(con: duckdb.DuckDBPyConnection, answer: Answer) -> Bars:
    """Return the counts of an answer. Where a key is metadata, a million is one of the words with the same metadata."""
    question = answer.question
    keys = answer.columns[: answer.columns.index("hits")]
    metas = {number: METADATA[key.removeprefix("meta.")] for number, key in enumerate(keys) if key.startswith("meta.")}
    words = words_by(con, question, list(metas.values()))
    rows = []
    for row in answer.rows:
        values = tuple(UNDEFINED if value is None else str(value) for value in row[: len(keys)])
        there = words.get(tuple(values[number] for number in metas), 0)
        rows.append((values, int(row[len(keys)]), int(row[len(keys) + 1]), there))
    same = [*metas.values()] or ["author"] * bool(question.author)
    told = f"words with the same {' and '.join(same)}" if same else "words of this layer and scope"
    return bars_of(tuple(keys), rows, told)


def by_project(con: duckdb.DuckDBPyConnection, answer: Answer) -> Bars:
    """Return the counts of an answer by project."""
    words = words_by(con, answer.question, ["project"])
    rows = [((name,), hits, None, words.get((name,), 0)) for name, hits in answer.by_project.items()]
    return bars_of(("project",), rows, "words of the project")


def bars_of(columns: tuple[str, ...], rows: Sequence[tuple[tuple[str, ...], int, int | None, int]], told: str) -> Bars:
    """Return rows of values, hits, sentences and words as bars.

    >>> [(bar.per_million, bar.share) for bar in bars_of(("x",), [(("a",), 2, 2, 1000), (("b",), 1, 1, 0)], "").bars]
    [(2000.0, 100.0), (None, 50.0)]
    """
    rates = [1e6 * hits / there if there else None for _, hits, _, there in rows]
    most = max((hits for _, hits, _, _ in rows), default=0) or 1
    highest = max((rate for rate in rates if rate), default=0.0) or 1.0
    bars = [
        Bar(values, hits, sentences, rate, 100 * hits / most, 100 * (rate or 0.0) / highest)
        for (values, hits, sentences, _), rate in zip(rows, rates, strict=True)
    ]
    return Bars(columns, bars[:MOST_BARS], max(0, len(bars) - MOST_BARS), told)
