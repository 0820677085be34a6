"""What the reader says: every error with its place and what to write, every form of the language as its parts."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from exports.ask.patterns.checks import check
from exports.ask.patterns.compiler import Compiler, hit_statement
from exports.ask.patterns.expressions import from_slashes, from_str
from exports.ask.patterns.faults import Place, RequestError
from exports.ask.patterns.keys import LinkKey, OrderKey, read_key
from exports.ask.patterns.layers import LAYERS
from exports.ask.patterns.lexer import MOST_CHARACTERS
from exports.ask.patterns.reader import MOST_CLAUSES, read_clauses, read_request
from exports.ask.patterns.search import Question, written
from exports.ask.patterns.syntax import Comparison, Dominance, EdgeClause, NodeClause, Order, Presence

ERRORS = {
    "pattern { X [upos=VERB], Y [] }": "line 1, column 24: expected ';' or '}', found ','",
    "pattern { X [upos=VERB] Y [] }": "line 1, column 25: expected ';' or '}', found 'Y'",
    "pattern {\n  X [upos=VERB];\n  Y ->  }": "line 3, column 9: expected a node or '*', found '}'",
    "pattern { X [upos=VERB]": "line 1, column 24: expected ';' or '}', found the end of the request",
    "": "line 1, column 1: the request is empty: write pattern { X [upos=VERB] }",
    "% nothing": "line 1, column 1: the request is empty: write pattern { X [upos=VERB] }",
    "pattern { }": "line 1, column 1: the request asks for nothing: write pattern { X [upos=VERB] }",
    "X [upos=VERB]": "line 1, column 1: expected 'pattern', 'with', 'without' or 'global', found 'X'; "
    "write pattern { ... } around the clauses",
    "pattern { X [lemma=λόγος] }": "line 1, column 20: unexpected 'λόγος': write it in double quotes, \"λόγος\"",
    'pattern { X [lemma="λόγος] }': "line 1, column 20: a text begins here and does not end on its line: "
    'write " after it',
    "pattern { X -[nsubj]- Y }": "line 1, column 20: expected '|', ',' or ']->', found ']'",
    "pattern { X -[nsubj, obj]-> Y }": "line 1, column 20: expected '|', ',' or ']->', found ','",
    "pattern { X }": "line 1, column 11: 'X' alone says nothing: write X [] for a node",
    "pattern { X [upos=VERB]; X < Y }": "line 1, column 26: 'Y' is not declared: write Y [] in the pattern",
    "pattern { X [] } without { Y ->> X }": "line 1, column 28: 'Y' is not declared: write Y [] in the pattern",
    "pattern { X []; X.Case = Y.Case }": "line 1, column 26: 'Y' is not declared: write Y [] in the pattern",
    "pattern { X []; Y []; X >< Y }": "line 1, column 23: '><' stands between edges, and 'X' is a node",
    "pattern { X []; e <> f }": "line 1, column 17: 'e' is not declared: write e: X -> Y",
    "pattern { e: X -> Y; e << X }": "line 1, column 22: 'e' is an edge and 'X' a node: write X << e for a node inside "
    "an edge",
    "pattern { e: X -> Y; e: X -> Z }": "line 1, column 22: the edge 'e' is named twice: choose another name",
    "pattern { e: X -> Y; e [] }": "line 1, column 11: 'e' is a node and an edge: choose another name for one",
    "pattern { e: X -> Y; e.nothing = a }": "line 1, column 22: an edge has label, 1, 2, length and delta",
    "pattern { e: X -> * }": "line 1, column 11: an edge with a name needs a node at its end: write e: X -> Y",
    "pattern { * -> * }": "line 1, column 16: one end of an edge is a node: write X -> * or * -> X",
    "pattern { X -[3=a]-> Y }": "line 1, column 15: a label has the parts 1 and 2, not '3'",
    "pattern { X -[enhanced=yes]-> Y }": "line 1, column 15: enhanced edges are not supported",
    "pattern { X.Case < abc }": "line 1, column 20: '<' compares numbers: expected a number or a feature as Y.g",
    "pattern { X []; X < Y.Case }": "line 1, column 21: 'X' is a node and 'Y.Case' a feature: write X < Y or X.f < Y.g",
    "pattern { proj_size(X) < 3 }": "line 1, column 11: 'proj_size' is not supported; length(X,Y) and delta(X,Y) are",
    "pattern { width(X, Y) < 3 }": "line 1, column 11: unknown measure 'width': write length(X,Y) or delta(X,Y)",
    "pattern { X [lemma=lex.form] }": "line 1, column 20: 'lex.form' would be a field of a lexicon, which is not "
    'supported: write the values out, or "lex.form" for a value with a full stop',
    "rule r { pattern { X [] } }": "line 1, column 1: 'rule' is not supported: rules change trees",
    "pattern { X [] } commands { del_node X }": "line 1, column 18: 'commands' is not supported: commands change trees",
    "pattern { X [] }\n#BEGIN lex": "line 2, column 1: lexicons (#BEGIN ... #END) are not supported: write the values "
    "out, lemma=a|b|c",
    "global { is_nice }": "line 1, column 10: unknown property or metadata 'is_nice'",
    'pattern { X [form=re"a\\1"] }': "line 1, column 19: \\1 refers back to a group, which is not supported",
    "pattern { X [form=/a(/] }": "line 1, column 19: no regular expression",
    'pattern { X [form=re"[ab"] }': "line 1, column 19: a set of signs begins with [ and does not end",
    "pattern { meta [] }": "line 1, column 11: 'meta' is no name for a node: choose another one",
    "pattern { X [] ; meta.nothing = a }": "line 1, column 18: unknown metadata 'nothing'",
    "pattern { X [upos=VERB, ; ] }": "line 1, column 25: expected the name of a feature, '!' or ']', found ';'",
}


@pytest.mark.parametrize("text", ERRORS)
def test_an_error_tells_its_place_and_what_to_write(text: str) -> None:
    with pytest.raises(RequestError) as caught:
        Question(text).compiler()
    assert str(caught.value).startswith(ERRORS[text])


def test_too_long_requests_are_refused_at_once() -> None:
    with pytest.raises(RequestError, match="at most 200 clauses"):
        read_request("pattern { " + "X [];" * (MOST_CLAUSES + 1) + " }")
    with pytest.raises(RequestError, match="'X60' is one node too many: at most 60"):
        Question("pattern { " + "".join(f"X{number} [];" for number in range(61)) + " }").compiler()
    with pytest.raises(RequestError, match="'Y2' is one node too many"):
        nodes = "".join(f"X{number} [];" for number in range(58))
        Question(f"pattern {{ {nodes} }} without {{ Y0 []; Y1 []; Y2 [] }}").compiler()
    with pytest.raises(RequestError, match="at most 100,000 are read"):
        read_request("%" * (MOST_CHARACTERS + 1))


def test_clauses_are_read_as_their_parts() -> None:
    text = """
        pattern { X [upos=VERB|NOUN, !Case, form<>"a;b", Person=3, lemma, xpos=*]|[Case=Gen/Case=Dat];
          % a comment with } and "
          e: X -[^a|b:c]-> Y; X ->> Z$; Z$ >> X; X.Case <> "Gen"; !X.Voice; X.Mood; length(X,Y) <= 3; 2 < delta(X, Y); }
    """
    clauses = read_request(text).united()
    kinds = [type(clause) for clause in clauses]
    wanted = [NodeClause, EdgeClause, Dominance, Order, Comparison, Presence, Presence, Comparison, Comparison]
    assert kinds == wanted
    node = clauses[0]
    assert isinstance(node, NodeClause)
    tests = [(test.name, test.kind, test.values, test.is_negated) for tests in node.alternatives for test in tests]
    assert tests == [
        ("upos", "values", ("VERB", "NOUN"), False),
        ("Case", "absent", (), False),
        ("form", "values", ("a;b",), True),
        ("Person", "values", ("3",), False),
        ("lemma", "defined", (), False),
        ("xpos", "defined", (), False),
        ("Case", "either", ("Gen", "Dat"), False),
    ]
    edge, order, last = clauses[1], clauses[3], clauses[8]
    assert isinstance(edge, EdgeClause) and isinstance(order, Order) and isinstance(last, Comparison)
    assert (edge.name, edge.label.labels, edge.label.is_negated) == ("e", ("a", "b:c"), True)
    assert (order.left, order.sign, order.right) == ("X", "<<", "Z$")
    assert last.sign == ">"


def test_composed_and_decomposed_letters_are_the_same() -> None:
    composed, decomposed = 'pattern { X [lemma="λόγος"] }', 'pattern { X [lemma="λο\u0301γος"] }'
    assert Question(composed).sql() == Question(decomposed).sql()


EXPRESSIONS = {
    r"a\|b": "a|b",
    r"\(a\)*": "(?:a)*",
    "a(b|c)": r"a\(b\|c\)",
    r"a\.b": r"a\.b",
    "[^a-z]x": "[^a-z]x",
    r"[]a\]": "[\\]a\\\\]",
    "a{2}": r"a\{2\}",
    r"a\\b": r"a\\b",
}


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expressions_of_str_become_those_of_the_engine(source: str) -> None:
    assert from_str(source, Place(1, 1)).pattern == EXPRESSIONS[source]


def test_expressions_between_slashes_stay_as_they_are() -> None:
    expression = from_slashes("ἐπε(ί|ιδή)", "i", Place(1, 1))
    assert (expression.pattern, expression.is_folded) == ("ἐπε(ί|ιδή)", True)


def test_keys_are_read_as_their_parts() -> None:
    assert read_key("V # S#O").parts == (OrderKey(("V", "S", "O")),)
    assert read_key("X <-> Y").parts == (LinkKey("X", "Y", True),)
    assert len(read_key("(X.upos, length(X,Y), meta.author)").parts) == 3
    with pytest.raises(RequestError, match=r"expected X\.feature"):
        read_key("X")
    for key in ("Z.upos", "meta.nothing", "X -> Z", "X#Z"):
        with pytest.raises(RequestError, match="key "):
            Question("pattern { X -> Y }", keys=(key,)).compiler()
    with pytest.raises(RequestError, match="at most 5 nodes"):
        Question("pattern { A []; B []; C []; D []; E []; F [] }", keys=("A#B#C#D#E#F",)).sql()


REMARKS = {
    'pattern { X [lemma=re"a(b|c)"] }': "( ) | are letters here",
    "pattern { X [upos=VERB]; Y [upos=NOUN] }": "'X' and 'Y' have no relation to each other",
    "pattern { X [pos=VERB] }": "no node has the feature 'pos'",
    "pattern { X -> Y; X.pos = Y.pos }": "no node has the feature 'pos'",
}


@pytest.mark.parametrize("text", REMARKS)
def test_what_is_likely_not_meant_is_remarked(text: str) -> None:
    assert REMARKS[text] in " ".join(map(str, check(read_request(text))))


@pytest.mark.parametrize(
    "text",
    [
        "pattern { X []; Y []; X << Y }",
        "pattern { X -> Y; Z -> Y }",
        "pattern { e: X -> Y; Z []; Z << e }",
        "pattern { X []; Y []; length(X,Y) < 3 }",
    ],
)
def test_what_belongs_together_is_not_remarked(text: str) -> None:
    assert check(read_request(text)) == []


HOSTILE = "x'; drop table corpus.nodes; --"


def test_what_a_user_writes_becomes_a_literal_or_a_quoted_name() -> None:
    text = f'pattern {{ X [lemma="{HOSTILE}", form=re"{HOSTILE}"]; X -["{HOSTILE}"]-> Y\'a; X.Case = "{HOSTILE}" }}'
    statement = Question(text, keys=("X.upos",), whether=(f'{{ X [lemma="{HOSTILE}"] }}',)).sql()
    (parsed,) = sqlglot.parse(statement, dialect="duckdb")
    assert parsed is not None
    assert {table.name for table in parsed.find_all(exp.Table)} == {"nodes", "sentences"}
    literals = [literal.this for literal in parsed.find_all(exp.Literal)]
    assert literals.count(HOSTILE) == 5
    assert '"Y\'a"' in Question("pattern { Y'a [upos=VERB] }").sql()


def test_one_statement_is_made_whatever_is_asked() -> None:
    import duckdb

    text = 'pattern { e: X$ -[1=a]-> Y } with { Y -> * } without { Z [!Case]; Z < Y } global { is_tree; author = "x" }'
    statement = Question(text, keys=("(X$.upos, e.label)",), whether=("{ Z -> X$ }",)).sql()
    assert len(duckdb.extract_statements(statement)) == 1


def test_names_that_differ_in_case_only_have_columns_of_their_own() -> None:
    compiler = Compiler(read_request("pattern { x -> X; Author [] }"), LAYERS["ud"], 2)
    assert compiler.columns() == {"Author": "Author_2", "X": "X_2", "x": "x"}
    assert '"X_2"' in written(hit_statement(compiler))


def test_clauses_of_whether_are_one_block() -> None:
    assert len(read_clauses("{ X -> Y; Y [] }").clauses) == 2
    with pytest.raises(RequestError, match="nothing more"):
        read_clauses("{ X -> Y } { }")
