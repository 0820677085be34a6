"""Requests made at random over trees made at random: the statement finds exactly the hits of the plain matcher."""

from __future__ import annotations

import random
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from match_fixture import random_sentence, warehouse
from match_reference import Clause, Matcher, Sentence, render

from exports.ask.patterns.compiler import hit_statement
from exports.ask.patterns.search import Question, fetch, match

SEED = 20_917
LAYERS = ("ud", "native")


@pytest.fixture(scope="module")
def sentences() -> dict[str, list[Sentence]]:
    """Sentences of a layer of trees, and of one where heads may lead anywhere."""
    chance = random.Random(SEED)
    return {layer: [random_sentence(number, chance, layer == "native") for number in range(1, 61)] for layer in LAYERS}


@pytest.fixture(scope="module")
def trees(sentences: dict[str, list[Sentence]]) -> duckdb.DuckDBPyConnection:
    """Their warehouse; both layers have the metadata of the second."""
    for first, second in zip(*sentences.values(), strict=True):
        first.metadata = second.metadata
    return warehouse(sentences)


VALUES = {
    "form": ("α", "β", "__0__"),
    "lemma": ("α", "β"),
    "upos": ("NOUN", "VERB", "ADJ"),
    "Case": ("Nom", "Gen"),
    "Number": ("Sing", "Plur", "Nom"),
    "Person": ("1", "2", "3"),
    "Poss": ("Yes",),
    "nothing": ("x",),
}
features = st.sampled_from(sorted(VALUES))
numbers = st.integers(-3, 4)
signs = st.sampled_from(("=", "<>", "<", ">", "<=", ">="))
texts = st.sampled_from(("=", "<>"))
REGEXES = (
    ("α|β", "/α|β/"),
    ("α|β", r're"α\|β"'),
    ("N.*", 're"N.*"'),
    ("[a-zα]", "/[a-zα]/"),
    ("(?i)nom|PLUR", "/nom|PLUR/i"),
)
LABEL_REGEXES = (("nsubj.*", 're"nsubj.*"'), ("obj|obl.*", r're"obj\|obl.*"'), ("root", "/root/"))
labels = st.sampled_from(("obj", "nsubj", "nsubj:pass", "root", "obl:x:y", "nsubj_pass", "obl_x_y"))


@st.composite
def a_test(draw: st.DrawFn) -> Clause:
    """One test of a feature."""
    name = draw(features)
    kind = draw(st.sampled_from(("=", "=", "<>", "def", "!", "re", "else")))
    if kind in ("=", "<>"):
        return kind, name, draw(st.lists(st.sampled_from(VALUES[name]), min_size=1, max_size=2))
    if kind == "re":
        regex, written = draw(st.sampled_from(REGEXES))
        return kind, name, regex, draw(st.booleans()), written
    if kind == "else":
        other = draw(features)
        return kind, name, draw(st.sampled_from(VALUES[name])), other, draw(st.sampled_from(VALUES[other]))
    return kind, name


@st.composite
def a_label(draw: st.DrawFn) -> Clause:
    """One test of a label."""
    kind = draw(st.sampled_from(("any", "any", "in", "not", "re", "parts")))
    if kind in ("in", "not"):
        return kind, draw(st.lists(labels, min_size=1, max_size=3))
    if kind == "re":
        return kind, *draw(st.sampled_from(LABEL_REGEXES))
    if kind == "parts":
        found: list[Clause] = []
        for part in draw(st.lists(st.sampled_from("12"), min_size=1, max_size=2, unique=True)):
            sign = draw(st.sampled_from(("=", "<>", "*", "!")))
            values = (draw(st.lists(st.sampled_from(("nsubj", "obj", "pass", "x:y", "x_y")), min_size=1, max_size=2)),)
            found.append((part, sign, *(values if sign in ("=", "<>") else ())))
        return kind, found
    return (kind,)


@st.composite
def a_term(draw: st.DrawFn, nodes: list[str], edges: list[str], is_numeric: bool) -> Clause:
    """A term, of numbers or of texts."""
    name = draw(st.sampled_from(nodes))
    if is_numeric:
        kinds = ["id", "length", "delta", "Person", *(["e"] if edges else [])]
        kind = draw(st.sampled_from(kinds))
        if kind == "e":
            return "e", draw(st.sampled_from(edges)), draw(st.sampled_from(("length", "delta")))
        if kind in ("length", "delta"):
            return kind, name, draw(st.sampled_from(nodes))
        return "f", name, "__id__" if kind == "id" else "Person"
    is_of_edge = draw(st.booleans())
    if edges and is_of_edge:
        return "e", draw(st.sampled_from(edges)), draw(st.sampled_from(("label", "1", "2")))
    return "f", name, draw(features)


@st.composite
def comparisons(draw: st.DrawFn, nodes: list[str], edges: list[str]) -> Clause:
    """A comparison."""
    if draw(st.booleans()):
        left = draw(a_term(nodes, edges, True))
        right = draw(st.one_of(a_term(nodes, edges, True), st.tuples(st.just("n"), numbers)))
        return "cmp", left, draw(signs), right
    left = draw(a_term(nodes, edges, False))
    values = st.tuples(st.just("v"), st.sampled_from(("Nom", "α", "nsubj", "VERB", "pass")))
    return "cmp", left, draw(texts), draw(st.one_of(a_term(nodes, edges, False), values))


@st.composite
def clauses(draw: st.DrawFn, known: tuple[str, ...], fresh: tuple[str, ...], named: tuple[str, ...], most: int) -> Any:
    """Clauses over nodes that are known and fresh ones; returns them with nodes and edges."""
    found: list[Clause] = []
    nodes, edges = list(known), list(named)
    for name in fresh[: draw(st.integers(0 if known else 1, len(fresh)))]:
        nodes.append(name)
        alternatives = st.lists(st.lists(a_test(), min_size=0, max_size=2), min_size=1, max_size=2)
        found.append(("node", name, draw(alternatives)))
    for _ in range(draw(st.integers(0 if found else 1, most))):
        kind = draw(st.sampled_from(("edge", "edge", "edge", "star", "node", "dom", "order", "cmp", "has", "spans")))
        first, second = draw(st.sampled_from(nodes)), draw(st.sampled_from(nodes))
        if kind == "edge":
            edge_name = f"e{len(edges)}" if draw(st.booleans()) else None
            found.append(("edge", edge_name, first, second, draw(a_label())))
            edges += [edge_name] if edge_name else []
        elif kind == "star":
            pair = (first, "*") if draw(st.booleans()) else ("*", first)
            found.append(("edge", None, *pair, draw(a_label())))
        elif kind == "node":
            found.append(("node", first, [draw(st.lists(a_test(), min_size=1, max_size=2))]))
        elif kind == "dom":
            found.append(("dom", first, second))
        elif kind == "order":
            found.append((draw(st.sampled_from(("next", "before"))), first, second))
        elif kind == "has":
            found.append((draw(st.sampled_from(("has", "lacks"))), first, draw(features)))
        elif kind == "spans" and edges:
            edge, other = draw(st.sampled_from(edges)), draw(st.sampled_from(edges))
            spans = (("inside", first, edge), *((sign, edge, other) for sign in ("covered", "cross", "disjoint")))
            found.append(draw(st.sampled_from(spans)))
        else:
            found.append(draw(comparisons(nodes, edges)))
    return found, tuple(nodes), tuple(edges)


@st.composite
def requests(draw: st.DrawFn) -> Any:
    """A whole request: pattern, filters, conditions on the sentence."""
    free = draw(st.sampled_from(("Z", "Z$")))
    pattern, nodes, edges = draw(clauses((), ("X", "Y", free), (), 4))
    filters = []
    for _ in range(draw(st.integers(0, 2))):
        block, _, _ = draw(clauses(nodes, ("U", "W$"), edges, 3))
        filters.append((draw(st.sampled_from(("with", "without"))), block))
    conditions = st.one_of(
        st.sampled_from(("is_projective", "is_not_projective", "is_tree", "is_not_tree", "is_forest", "is_cyclic")),
        st.sampled_from((("=", "author", ["Lysias"]), ("<>", "author", ["Lysias"]), ("!", "author"))),
    )
    return pattern, filters, draw(st.lists(conditions, max_size=1))


def compare(con: duckdb.DuckDBPyConnection, sentences: list[Sentence], layer: str, request: Any) -> int:
    """Return the number of hits, which statement and plain matcher agree on."""
    pattern, filters, conditions = request
    text = render(pattern, filters, conditions)
    compiler, _ = Question(text, layer=layer, scope="all").compiler()
    _, rows = fetch(con, hit_statement(compiler))
    found = [(row[-1], tuple(row[3:-2])) for row in rows]
    matcher = Matcher(pattern, filters, conditions)
    assert matcher.names == list(compiler.scene.nodes), text
    wanted = [(item.number, (*nodes, *edges)) for item in sentences for nodes, edges in matcher.hits(item)]
    size = len(matcher.names)
    assert found == sorted(wanted, key=lambda hit: (hit[0], hit[1][:size])), text
    assert len(set(found)) == len(found), text
    return len(found)


ANY = ("any",)
ANCHOR = ("=", "form", ["__0__"])
# What chance seldom makes: gaps of subtrees, and the anchor in every place that it can have.
FIXED: dict[str, tuple[list[Clause], list[tuple[str, list[Clause]]]]] = {
    "dominance": ([("node", "X", [[]]), ("node", "Y", [[]]), ("dom", "X", "Y")], []),
    "dominance of itself": ([("node", "X", [[]]), ("dom", "X", "X")], []),
    "dominance of a free node": ([("node", "X", [[]]), ("node", "Y$", [[]]), ("dom", "X", "Y$")], []),
    "what the anchor dominates": ([("node", "X", [[ANCHOR]]), ("node", "Y", [[]]), ("dom", "X", "Y")], []),
    "what dominates the anchor": ([("node", "X", [[]]), ("node", "Y$", [[ANCHOR]]), ("dom", "X", "Y$")], []),
    "next": ([("node", "X", [[]]), ("node", "Y", [[]]), ("next", "X", "Y")], []),
    "before": ([("node", "X", [[]]), ("node", "Y", [[("def", "upos")]]), ("before", "X", "Y")], []),
    "the anchor alone": ([("node", "X", [[("!", "upos")]])], []),
    "the anchor or a verb": ([("node", "X", [[ANCHOR], [("=", "upos", ["VERB"])]])], []),
    "the anchor by an expression": ([("node", "X", [[("re", "form", "__.__", False, "/__.__/")]])], []),
    "an edge out of anything": ([("edge", "e", "X", "Y", ANY)], []),
    "an edge out of what has a form": ([("edge", None, "X", "Y", ANY), ("node", "X", [[("def", "form")]])], []),
    "two edges of one head": ([("edge", None, "X", "Y", ANY), ("edge", None, "X", "Z", ANY)], []),
    "two heads of one word": ([("edge", None, "X", "Y", ANY), ("edge", None, "Z$", "Y", ANY)], []),
    "a chain": ([("edge", None, "X", "Y", ANY), ("edge", None, "Y", "Z", ANY)], []),
    "an edge to itself": ([("edge", None, "X", "X", ANY)], []),
    "edges that cross": ([("edge", "e", "X", "Y", ANY), ("edge", "f", "Z", "U", ANY), ("cross", "e", "f")], []),
    "an edge under its own arc": (
        [("edge", "e", "X", "Y", ANY), ("edge", "f", "X", "Y", ANY), ("covered", "e", "f")],
        [],
    ),
    "a leaf": ([("node", "X", [[]])], [("without", [("edge", None, "X", "*", ANY)])]),
    "no word outside": ([("node", "X", [[]])], [("without", [("node", "Y", [[]]), ("before", "Y", "X")])]),
    "a filter on the head": (
        [("edge", None, "X", "Y", ANY)],
        [("with", [("edge", None, "*", "X", ANY)]), ("without", [("edge", None, "Z", "X", ("in", ["root"]))])],
    ),
    "a gap": (
        [
            *(("node", name, [[]]) for name in ("X", "Y", "Z")),
            *(("before", "X", "Z"), ("before", "Z", "Y"), ("dom", "X", "Y")),
        ],
        [("without", [("dom", "X", "Z")])],
    ),
}

COUNTS = {"requests": 0, "requests with hits": 0, "hits": 0}


@pytest.mark.parametrize("layer", LAYERS)
def test_random_requests_have_the_hits_of_the_plain_matcher(
    layer: str,
    sentences: dict[str, list[Sentence]],
    trees: duckdb.DuckDBPyConnection,
    request: pytest.FixtureRequest,
) -> None:
    examples = request.config.getoption("--match-examples")

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(requests())
    def check(made: Any) -> None:
        hits = compare(trees, sentences[layer], layer, made)
        COUNTS["requests"] += 1
        COUNTS["requests with hits"] += hits > 0
        COUNTS["hits"] += hits

    check()
    print(layer, COUNTS)
    assert COUNTS["requests with hits"] > examples // 5


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", FIXED)
def test_what_chance_seldom_makes(
    name: str, layer: str, sentences: dict[str, list[Sentence]], trees: duckdb.DuckDBPyConnection
) -> None:
    pattern, filters = FIXED[name]
    hits = compare(trees, sentences[layer], layer, (pattern, filters, []))
    assert hits or name in ("what dominates the anchor", "an edge under its own arc", "an edge to itself")


def test_the_answer_of_a_pattern_is_that_of_its_statement(
    sentences: dict[str, list[Sentence]], trees: duckdb.DuckDBPyConnection
) -> None:
    answer = match(trees, Question("pattern { e: V -[1=nsubj]-> S }", scope="all"), limit=3)
    matcher = Matcher([("edge", "e", "V", "S", ("parts", [("1", "=", ["nsubj"])]))])
    wanted = [(item.number, *hit) for item in sentences["ud"] for hit in matcher.hits(item)]
    assert answer.total == len(wanted)
    assert [
        (hit.sentence_number, tuple(hit.nodes.values()), tuple(hit.edges.values())) for hit in answer.hits
    ] == sorted(wanted)[:3]
    assert sum(answer.by_project.values()) == answer.total
