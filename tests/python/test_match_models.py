"""The tables that questions stand on, compared with what plain loops over the tokens find, on the bundled sample."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, Build, connection
from match_fixture import loaded
from match_reference import Matcher, Sentence
from match_requests import REQUESTS

from exports.ask.patterns.compiler import hit_statement
from exports.ask.patterns.search import Question, fetch

LAYERS = ("ud", "published", "machine", "native")
EVERY = 4
"""The plain matcher reads every fourth sentence."""

GREW = ROOT.parent / "shared" / "cases" / "grew"
DUPLICATES = ("exact_duplicate", "near_duplicate", "quotation", "fragment")


@pytest.fixture(scope="module")
def warehouse(sample_build: Build) -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse of the sample."""
    with connection(sample_build.db) as con:
        yield con


@pytest.fixture(scope="module")
def sentences(warehouse: duckdb.DuckDBPyConnection) -> dict[str, list[Sentence]]:
    """The sentences of every layer."""
    return {layer: loaded(warehouse, layer) for layer in LAYERS}


def hits_of_the_reference(number: str, sentences: list[Sentence]) -> list[tuple[int, tuple[object, ...]]]:
    """Return the hits of one of the requests, in their order."""
    matcher = Matcher(*REQUESTS[number])
    found = [(item.number, (*nodes, *edges)) for item in sentences for nodes, edges in matcher.hits(item)]
    return sorted(found, key=lambda hit: (hit[0], hit[1][: len(matcher.names)]))


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("number", REQUESTS)
def test_requests_have_the_hits_of_the_plain_matcher(
    number: str, layer: str, warehouse: duckdb.DuckDBPyConnection, sentences: dict[str, list[Sentence]]
) -> None:
    if not GREW.is_dir():
        pytest.skip("the requests do not lie beside this checkout")
    (file,) = GREW.glob(f"{number}-*.req")
    compiler, _ = Question(file.read_text(encoding="utf-8"), layer=layer).compiler()
    _, rows = fetch(warehouse, hit_statement(compiler))
    found = [(row[-1], tuple(row[3:-2])) for row in rows if row[-1] % EVERY == 0]
    some = [item for item in sentences[layer] if item.number % EVERY == 0]
    assert found == hits_of_the_reference(number, some)


def test_words_are_the_published_words_of_sentences_that_are_no_duplicate(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    tokens = warehouse.execute("select sentence_id, token_index, fate from corpus.tokens").fetchall()
    wanted = {(name, index) for name, index, fate in tokens if index is not None and fate not in DUPLICATES}
    words = warehouse.execute("select sentence_id, token_index from corpus.words").fetchall()
    assert len(words) == len(wanted)
    assert set(words) == wanted


def test_folding_gives_the_letters_key(warehouse: duckdb.DuckDBPyConnection) -> None:
    different = warehouse.execute(
        "select distinct form, folded, fold(form) from corpus.words "
        "where folded is distinct from fold(form) and not regexp_matches(form, '[^\\p{Greek}\\p{M}]')"
    ).fetchall()
    assert different == []
    assert warehouse.execute("select fold('Λόγος'), fold('ᾠδῇ'), fold('δ’'), fold('λογοσ')").fetchall() == [
        ("λογοσ", "ωδη", "δ", "λογοσ")
    ]


@pytest.mark.parametrize("layer", LAYERS)
def test_tree_columns_are_those_of_a_walk_through_the_heads(
    layer: str, warehouse: duckdb.DuckDBPyConnection, sentences: dict[str, list[Sentence]]
) -> None:
    query = """
        select position, subtree_first, subtree_last, subtree_size, subtree_gaps, is_projective, depth
        from corpus.nodes where layer = ? and sentence_number = ? order by position
    """
    shapes = {
        row[0]: row[1:]
        for row in warehouse.execute(
            "select sentence_number, is_projective, is_tree, is_forest, is_cyclic, unanchored from corpus.trees "
            "where layer = ?",
            [layer],
        ).fetchall()
    }
    for sentence in sentences[layer][::31]:
        for row in warehouse.execute(query, [layer, sentence.number]).fetchall():
            below = [node for node in range(1, len(sentence.heads)) if sentence.dominates(row[0], node)]
            gaps = [node for node in range(below[0], below[-1]) if node not in below]
            assert row[1:6] == (below[0], below[-1], len(below), gaps or None, not gaps), (sentence.number, row)
            if row[6] is not None:
                depth, at = 0, row[0]
                while at and sentence.heads[at] is not None:
                    depth, at = depth + 1, sentence.heads[at]
                assert row[6] == depth
        apart = [node for node in range(1, len(sentence.heads)) if not sentence.dominates(0, node)]
        assert shapes[sentence.number] == (
            *(sentence.is_projective, sentence.is_tree, not sentence.is_cyclic, sentence.is_cyclic),
            apart or None,
        )


def test_edges_have_both_their_ends(warehouse: duckdb.DuckDBPyConnection) -> None:
    rows = warehouse.execute(
        "select sentence_id, position, head, form, head_form, relation, distance, direction from corpus.edges "
        "where layer = 'ud' order by sentence_number, position"
    ).fetchall()
    words = warehouse.execute("select sentence_id, token_index, form, head, relation from corpus.words").fetchall()
    forms = {(name, index): form for name, index, form, _, _ in words}
    wanted = {
        (name, index, head, form, forms.get((name, head)), relation, index - head)
        for name, index, form, head, relation in words
    }
    assert {row[:7] for row in rows} == wanted and len(rows) == len(words)
    for *_, head, _, _, _, distance, direction in rows:
        assert direction == ("root" if head == 0 else "head_first" if distance > 0 else "head_last")


def test_native_nodes_are_all_rows_but_ranges(warehouse: duckdb.DuckDBPyConnection) -> None:
    rows = warehouse.execute(
        "select count(*) filter (not regexp_full_match(coalesce(source_token, ''), '\\d+-\\d+')) from corpus.tokens"
    ).fetchall()
    nodes = warehouse.execute("select count(*), count(distinct node_key) from corpus.nodes where layer = 'native'")
    assert nodes.fetchall() == [(rows[0][0], rows[0][0])]


def test_the_printed_sentence_has_its_capitals_and_stops(warehouse: duckdb.DuckDBPyConnection) -> None:
    texts = [row[0] for row in warehouse.execute("select native_text from corpus.sentences").fetchall() if row[0]]
    assert texts
    wrong = [text for text in texts if " ," in text or " ." in text or "( " in text or "  " in text]
    assert wrong == []
    assert any(text[0].isupper() and text[-1] == "." for text in texts)


def test_the_inventory_has_what_occurs(warehouse: duckdb.DuckDBPyConnection) -> None:
    counts = warehouse.execute(
        "select sum(node_count) filter (feature = 'upos'), sum(node_count) filter (feature = 'Case') "
        "from corpus.inventory where layer = 'published'"
    ).fetchall()
    wanted = warehouse.execute("select count(upos), count(feat_case) from corpus.words").fetchall()
    assert counts == wanted


def test_deep_trees_do_not_explode(sample_build: Build, tmp_path: Path) -> None:
    """Six chains of a thousand words, and one that is too long to be a sentence: through the statement itself."""
    compiled = sample_build.build / "target" / "compiled" / "sphragis" / "models" / "intermediate" / "trees"
    if not compiled.is_dir():
        pytest.skip("a build made earlier may have no compiled statements")
    depths, spans = ((compiled / f"int_trees__{name}.sql").read_text(encoding="utf-8") for name in ("depths", "spans"))
    with duckdb.connect(str(tmp_path / "deep.duckdb")) as con:
        con.execute("create schema intermediate")
        con.execute(
            """
            create table intermediate.int_trees__nodes as
            select 'human' as tree, sentence::integer as sentence_number, position::integer as position,
                (position - 1)::integer as head, sentence * 65536 + position as node_key,
                sentence * 65536 + position - 1 as head_key
            from range(1, 8) as s (sentence), range(1, 5001) as p (position)
            where position <= if(sentence = 7, 5000, 1000)
            """
        )
        for name, statement in (("depths", depths), ("spans", spans)):
            read = statement[statement.index("from ") :].split()[1]
            source = f"intermediate.int_trees__{'nodes' if name == 'depths' else 'depths'}"
            con.execute(f"create table intermediate.int_trees__{name} as {statement.replace(read, source)}")
        rows = con.execute(
            "select max(depth), min(subtree_size), max(subtree_size), count(*), count(distinct sentence_number) "
            "from intermediate.int_trees__spans"
        ).fetchall()
    assert rows == [(1000, 1, 1000, 6_000, 6)]
