"""The table macros, against values computed by hand from a corpus of three small works."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from typing import Any

import conllu
import duckdb
import pytest
from conftest import Build, connection

# Three works: author, words. `a` stands 3 times in the first, once in the second, never in the third.
WORKS = {
    ("A", "epic"): [["α", "β", "γ", "α"], ["β", "α"]],
    ("B", "epic"): [["γ", "δ", "α"], ["δ"]],
    ("C", "oratory"): [["δ", "γ", "δ", "δ", "γ"]],
}


@pytest.fixture(scope="module")
def small(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A copy of the warehouse of the sample with nothing but the three works in its words."""
    path = tmp_path_factory.mktemp("macros") / "small.duckdb"
    shutil.copyfile(sample_build.db.resolve(), path)
    with duckdb.connect(str(path)) as con:
        con.execute("delete from corpus.words")
        con.execute("delete from corpus.sentences")
        number = 0
        for (author, genre), sentences in WORKS.items():
            for words in sentences:
                number += 1
                con.execute(
                    "insert into corpus.sentences by name select ? as sentence_id, ? as sentence_number, ? as author, "
                    "? as citation",
                    [f"s#{number}", number, author, f"{author} {number}"],
                )
                for index, word in enumerate(words, start=1):
                    con.execute(
                        "insert into corpus.words by name select ? as sentence_id, ? as sentence_number, ? as author, "
                        "? as canonical_work, ? as genre, ? as token_index, ? as form, ? as folded, ? as lemma, "
                        "? as lemma_folded, ? as head, 'p' as project",
                        [f"s#{number}", number, author, f"w{author}", genre, index, *[word] * 4, index - 1],
                    )
        yield con


def rows(con: duckdb.DuckDBPyConnection, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    return con.execute(query, list(values)).fetchall()


def test_kwic_has_both_sides_within_the_sentence(small: duckdb.DuckDBPyConnection) -> None:
    found = rows(
        small,
        "select left_context, hit, right_context, citation, author, token_index from corpus.kwic('α', width := 2)",
    )
    assert found == [
        ("", "α", "β γ", "A 1", "A", 1),
        ("β γ", "α", "", "A 1", "A", 4),
        ("β", "α", "", "A 2", "A", 2),
        ("γ δ", "α", "", "B 3", "B", 3),
    ]
    keys = rows(small, "select left_key from corpus.kwic('α', width := 2) order by left_key desc limit 1")
    assert keys == [("δ γ",)]


def test_a_needle_without_accents_finds_words_with_them(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        exact, bare, folded = (
            rows(con, query)
            for query in (
                "select count(*) from corpus.words where lemma_folded = fold('λόγος')",
                "select count(*) from corpus.kwic('λογος')",
                "select count(*) from corpus.kwic('ΛΟΓΟΣ', by := 'lemma_folded')",
            )
        )
        assert exact == bare == folded and exact[0][0] > 0
        assert rows(con, "select count(*) from corpus.kwic('λόγος')")[0][0] <= exact[0][0]


def test_frequencies_are_per_million_of_their_group(small: duckdb.DuckDBPyConnection) -> None:
    assert rows(small, "select value, absolute, per_million, words from corpus.frequencies('lemma')") == [
        ("δ", 5, round(5e6 / 15, 2), 15),
        *(("α", 4, round(4e6 / 15, 2), 15), ("γ", 4, round(4e6 / 15, 2), 15), ("β", 2, round(2e6 / 15, 2), 15)),
    ]
    by_genre = rows(small, "select value, in_group, absolute, words from corpus.frequencies('lemma', by := 'genre')")
    assert by_genre[0] == ("α", "epic", 4, 10) and ("δ", "oratory", 3, 5) in by_genre


def log_likelihood(a: float, b: float, c: float, d: float) -> float:
    """Return Dunning's value of four cells, negative where the first is smaller than expected."""
    total, value = a + b + c + d, 0.0
    for cell, row, column in ((a, a + b, a + c), (b, a + b, b + d), (c, c + d, a + c), (d, c + d, b + d)):
        value += cell * math.log(cell * total / (row * column)) if cell else 0
    return round((-2 if a * total < (a + b) * (a + c) else 2) * value, 3)


def test_collocates_have_the_four_cells(small: duckdb.DuckDBPyConnection) -> None:
    """Within one word of an α stand β γ β (sentences 1, 2) and δ (3); of 11 other words 2 are β, 4 γ, 5 δ."""
    found = rows(small, "from corpus.collocates('α', span := 1, minimum := 1)")
    cells = {row[0]: row[1:5] for row in found}
    assert cells == {"β": (2, 2, 0, 7), "γ": (1, 3, 3, 4), "δ": (1, 3, 4, 3)}
    for collocate, a, b, c, d, likelihood, dice, information in found:
        assert likelihood == log_likelihood(a, b, c, d), collocate
        assert dice == round(14 + math.log2(2 * a / (4 + a + c)), 3)
        assert information == round(math.log2(a * 11 / ((a + b) * (a + c))), 3)
    assert found[0][0] == "β"
    assert rows(small, "select collocate from corpus.collocates('α', span := 1, minimum := 2)") == [("β",)]


def test_collocates_by_syntax_are_head_and_dependents(small: duckdb.DuckDBPyConnection) -> None:
    """Every word hangs on the one before it, so head and dependent are the neighbours."""
    by_span = rows(small, "from corpus.collocates('α', span := 1, minimum := 1)")
    assert rows(small, "from corpus.collocates('α', minimum := 1, via := 'syntax')") == by_span


def test_keywords_compare_two_parts(small: duckdb.DuckDBPyConnection) -> None:
    found = {row[0]: row[1:] for row in rows(small, "from corpus.keywords('A')")}
    assert found["α"][:4] == (3, 3, 1, 8)
    assert found["α"][6] == log_likelihood(3, 3, 1, 8)
    assert found["α"][7] == round(math.log2((3 / 6) / (1 / 9)), 3)
    assert found["δ"][6] == log_likelihood(0, 6, 5, 4) < 0
    against = {row[0]: row[1:5] for row in rows(small, "from corpus.keywords('A', reference := 'oratory')")}
    assert against["γ"] == (1, 5, 2, 3)


def test_dispersion_is_that_of_the_works(small: duckdb.DuckDBPyConnection) -> None:
    """Sizes 6, 4, 5; hits 3, 1, 0: shares of the hits 3/4, 1/4, 0, of the words 6/15, 4/15, 5/15."""
    parts = [3 / 6, 1 / 4, 0]
    mean = sum(parts) / 3
    deviation = math.sqrt(sum((part - mean) ** 2 for part in parts) / 3)
    dp = (abs(3 / 4 - 6 / 15) + abs(1 / 4 - 4 / 15) + 5 / 15) / 2
    assert rows(small, "from corpus.dispersion('α')") == [
        (4, 2, 3, round(1 - deviation / mean / math.sqrt(2), 4), round(dp, 4), round(dp / (1 - 4 / 15), 4))
    ]


@pytest.mark.parametrize(
    "query",
    [
        "from corpus.kwic('α', by := 'nothing')",
        "from corpus.frequencies('nothing')",
        "from corpus.collocates('α', via := 'nothing')",
    ],
)
def test_a_wrong_parameter_is_told(query: str, small: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="nothing"):
        rows(small, query)


@pytest.fixture(scope="module")
def tree(sample_build: Build) -> Iterator[tuple[duckdb.DuckDBPyConnection, str, dict[int, int]]]:
    """The warehouse, and a published sentence with a gap in it: its id and the heads of its words."""
    with connection(sample_build.db) as con:
        (name,) = rows(
            con,
            "select sentence_id from corpus.sentences where fate = 'published' and not is_projective "
            "and word_count between 8 and 14 order by sentence_number limit 1",
        )[0]
        heads = dict(rows(con, "select token_index, head from corpus.words where sentence_id = ?", name))
        yield con, name, heads


def above(heads: dict[int, int], node: int) -> list[int]:
    """Return the words above a word, the head first."""
    found = []
    while node := heads[node]:
        found.append(node)
    return found


def test_the_ways_through_a_tree(tree: tuple[duckdb.DuckDBPyConnection, str, dict[int, int]]) -> None:
    con, name, heads = tree
    for node in heads:
        children = [row[0] for row in rows(con, "select position from corpus.children_of(?, ?)", name, node)]
        assert children == [child for child, head in sorted(heads.items()) if head == node]
        up = rows(con, "select steps, position from corpus.ancestors_of(?, ?)", name, node)
        assert up == list(enumerate(above(heads, node), start=1))
        under = [row[0] for row in rows(con, "select position from corpus.subtree_of(?, ?)", name, node)]
        assert under == [word for word in sorted(heads) if word == node or node in above(heads, word)]


def test_the_way_between_two_words(tree: tuple[duckdb.DuckDBPyConnection, str, dict[int, int]]) -> None:
    con, name, heads = tree
    for first in heads:
        for second in heads:
            up, down = [first, *above(heads, first)], [second, *above(heads, second)]
            top = next(node for node in up if node in down)
            wanted = up[: up.index(top) + 1] + down[: down.index(top)][::-1]
            found = rows(con, "select position from corpus.path_between(?, ?, ?)", name, first, second)
            assert [row[0] for row in found] == wanted


def test_a_sentence_as_tree_and_as_conllu(tree: tuple[duckdb.DuckDBPyConnection, str, dict[int, int]]) -> None:
    con, name, heads = tree
    drawn = rows(con, "select position, head, depth from corpus.sentence_tree(?)", name)
    assert drawn == [(node, head, len(above(heads, node)) + 1) for node, head in sorted(heads.items())]
    for layer in ("ud", "published", "native"):
        lines = rows(con, "select line from corpus.sentence_conllu(?, layer := ?)", name, layer)
        (parsed,) = conllu.parse("\n".join(line for (line,) in lines) + "\n\n")
        assert parsed.metadata["sent_id"] == name
        if layer != "native":
            assert {token["id"]: token["head"] for token in parsed} == heads


def test_ids_of_every_kind_find_the_sentence(tree: tuple[duckdb.DuckDBPyConnection, str, dict[int, int]]) -> None:
    con, name, _ = tree
    ((key,),) = rows(con, "select dedup_key from corpus.sentences where sentence_id = ?", name)
    found = [rows(con, "from corpus.citation(?)", wanted) for wanted in (name, key, f"s-{key[:16]}")]
    assert found[0] == found[1] == found[2]
    assert found[0][0][0] == name and found[0][0][-1]
    assert rows(con, "from corpus.citation('nothing')") == []
