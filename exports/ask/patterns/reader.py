"""Reads a request, or a key, into its parts; every fault is told with its place and what to write."""

from __future__ import annotations

from collections.abc import Callable

from exports.ask.patterns.expressions import from_slashes, from_str
from exports.ask.patterns.faults import Place, RequestError
from exports.ask.patterns.lexer import Lexer, Token
from exports.ask.patterns.syntax import (
    Block,
    Clause,
    Comparison,
    Dominance,
    EdgeClause,
    Expression,
    FeatureTest,
    LabelTest,
    Measure,
    NodeClause,
    Order,
    PartTest,
    Presence,
    Request,
    SentenceTest,
    Term,
    Value,
)

BLOCKS = ("pattern", "with", "without", "global")
OUTSIDE = {
    "commands": "commands change trees",
    "rule": "rules change trees",
    "package": "packages hold rules",
    "strat": "strategies hold rules",
    "include": "other files are not read",
    "import": "other files are not read",
    "from": "lexicons are not supported",
}
MEASURES = ("length", "delta")
SIZES = ("proj_size", "cont_proj_size", "constituent_size", "height")
COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "<<": ">>", ">>": "<<", "=": "=", "<>": "<>"}
MOST_CLAUSES = 200
"""Clauses of the longest request that is read: nobody writes as many, and each is a table of the statement."""


class Reader:
    """Reads the tokens of a request from left to right."""

    def __init__(self, text: str) -> None:
        self.items = list(Lexer(text).tokens())
        self.at = 0
        self.clauses = 0

    # -- steps ---------------------------------------------------------------------------------------------------------

    @property
    def next(self) -> Token:
        """The token that comes next."""
        return self.items[self.at]

    def after(self, steps: int = 1) -> Token:
        """Return the token so many steps behind the next one."""
        return self.items[min(self.at + steps, len(self.items) - 1)]

    def take(self) -> Token:
        """Go one token on and return it."""
        token = self.next
        self.at = min(self.at + 1, len(self.items) - 1)
        return token

    def has(self, *kinds: str) -> bool:
        """Go on over a token of one of these kinds; False when there is none."""
        if self.next.kind in kinds:
            self.take()
            return True
        return False

    def expect(self, *kinds: str, what: str = "") -> Token:
        """Go on over a token of one of these kinds and return it.

        Raises:
            RequestError: another one is there.
        """
        if self.next.kind not in kinds:
            raise self.wrong(what or " or ".join(f"'{kind}'" for kind in kinds))
        return self.take()

    def wrong(self, expected: str, advice: str = "") -> RequestError:
        """Return the error that something else was expected here."""
        return RequestError(f"expected {expected}, found {self.next}{advice}", self.next.place)

    # -- blocks --------------------------------------------------------------------------------------------------------

    def request(self) -> tuple[Block, ...]:
        """Return all blocks up to the end."""
        blocks: list[Block] = []
        while self.next.kind != "end":
            token = self.next
            if token.kind == "name" and token.value in OUTSIDE:
                raise RequestError(f"'{token.value}' is not supported: {OUTSIDE[token.value]}", token.place)
            if token.kind != "name" or token.value not in BLOCKS:
                advice = "; write pattern { ... } around the clauses" if not blocks else ""
                raise self.wrong("'pattern', 'with', 'without' or 'global'", advice)
            self.take()
            blocks.append(self.block(token.value, token.place))
        if not blocks:
            raise RequestError("the request is empty: write pattern { X [upos=VERB] }", Place(1, 1))
        return tuple(blocks)

    def block(self, kind: str, place: Place) -> Block:
        """Return one block from its brace on."""
        self.expect("{", what=f"'{{' after '{kind}'")
        clauses: list[Clause] = []
        while not self.has("}"):
            self.clauses += 1
            if self.clauses > MOST_CLAUSES:
                raise RequestError(f"a request has at most {MOST_CLAUSES} clauses", self.next.place)
            clauses.append(self.sentence_test() if kind == "global" else self.clause())
            if self.next.kind != "}":
                self.expect(";", what="';' or '}'")
        return Block(kind, tuple(clauses), place)

    def sentence_test(self) -> SentenceTest:
        """Return one condition of `global`."""
        place = self.next.place
        if self.next.kind not in ("name", "!"):
            raise self.wrong('a property (is_projective) or a test of metadata (author = "...")')
        return SentenceTest(self.feature_test(), place)

    def clause(self) -> Clause:
        """Return one clause of a pattern or filter."""
        token = self.next
        if token.kind == "*":
            self.take()
            return self.edge(None, None, token.place)
        if token.kind == "!":
            self.take()
            return Presence(self.term("a feature as X.f"), True, token.place)
        if token.kind == "number":
            value = self.value()
            sign = self.expect("<", ">", "<=", ">=", what="'<', '>', '<=' or '>='")
            return Comparison(self.measured(), TURNED[sign.kind], value, token.place)
        if token.kind != "name":
            raise self.wrong("a clause", "; for example X [upos=VERB]")
        if token.value in OUTSIDE:
            raise RequestError(f"'{token.value}' is not supported: {OUTSIDE[token.value]}", token.place)
        following = self.after().kind
        if following == "(":
            return self.measure_clause()
        if "." in token.value or following in ("/", "="):
            return self.term_clause()
        name = self.take()
        if following == "[":
            return NodeClause(name.value, self.alternatives(), name.place)
        if following == ":":
            self.take()
            source = self.expect("name", what="the source of the edge")
            found = self.edge(simple(source), simple(name), name.place)
            if found.target is None:
                raise RequestError("an edge with a name needs a node at its end: write e: X -> Y", name.place)
            return found
        if following == "->>":
            self.take()
            return Dominance(simple(name), simple(self.expect("name", what="a node")), name.place)
        if following in ("->", "-[", "-[^"):
            return self.edge(simple(name), None, name.place)
        if following in ("<", ">", "<<", ">>", "><", "<>"):
            return self.order(name)
        if following in ("<=", ">="):
            raise self.wrong("'<' or '<<' between nodes", "; features are compared as X.f <= Y.g")
        if following in ("==>", "=[", "=[^", "+"):
            raise RequestError(f"'{name.value} {self.next.value}' is a command: commands are not supported", name.place)
        if following in ("end", "}", ";"):
            raise RequestError(f"'{name.value}' alone says nothing: write {name.value} [] for a node", name.place)
        raise self.wrong("'[', an edge (-> or -[...]->), an order (< or <<) or a comparison")

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def alternatives(self) -> tuple[tuple[FeatureTest, ...], ...]:
        """Return `[...]|[...]`."""
        found = []
        while True:
            self.expect("[", what="'['")
            tests: list[FeatureTest] = []
            while not self.has("]"):
                tests.append(self.feature_test())
                if self.next.kind != "]":
                    self.expect(",", what="',' or ']'")
            found.append(tuple(tests))
            if not self.has("|"):
                return tuple(found)

    def feature_test(self) -> FeatureTest:
        """Return one condition on a feature."""
        place = self.next.place
        if self.has("!"):
            name = self.expect("name", what="the name of a feature")
            return FeatureTest(simple(name), "absent", place)
        name = self.expect("name", what="the name of a feature, '!' or ']'")
        feature = simple(name)
        if self.next.kind not in ("=", "<>"):
            return FeatureTest(feature, "defined", place)
        is_negated = self.take().kind == "<>"
        if self.next.kind in ("expression", "slashed"):
            return FeatureTest(feature, "expression", place, expression=self.expression(), is_negated=is_negated)
        if self.next.kind == "*" and not is_negated:
            self.take()
            return FeatureTest(feature, "defined", place)
        values = [self.feature_value()]
        if self.next.kind == "/" and not is_negated:
            self.take()
            other = simple(self.expect("name", what="the other feature"))
            self.expect("=", what="'=' after the other feature")
            return FeatureTest(feature, "either", place, (values[0], self.feature_value()), other=other)
        while self.has("|"):
            values.append(self.feature_value())
        if values == ["*"]:
            return FeatureTest(feature, "defined", place)
        return FeatureTest(feature, "values", place, tuple(values), is_negated=is_negated)

    def feature_value(self) -> str:
        """Return a value of a feature."""
        token = self.expect("name", "text", "number", what="a value, or a text in double quotes")
        if token.kind == "name" and "." in token.value:
            raise RequestError(
                f"'{token.value}' would be a field of a lexicon, which is not supported: write the values out, "
                f'or "{token.value}" for a value with a full stop',
                token.place,
            )
        return token.value

    def expression(self) -> Expression:
        """Return a regular expression."""
        token = self.take()
        if token.kind == "slashed":
            return from_slashes(token.value, token.flags, token.place)
        return from_str(token.value, token.place)

    # -- edges ---------------------------------------------------------------------------------------------------------

    def edge(self, source: str | None, name: str | None, place: Place) -> EdgeClause:
        """Return an edge from its arrow on."""
        label = self.label_test()
        if self.next.kind == "*":
            star = self.take()
            if source is None:
                raise RequestError("one end of an edge is a node: write X -> * or * -> X", star.place)
            return EdgeClause(source, None, label, place, name)
        target = self.expect("name", what="a node or '*'")
        return EdgeClause(source, simple(target), label, place, name)

    def label_test(self) -> LabelTest:
        """Return what the arrow says about the label."""
        token = self.expect("->", "-[", "-[^", what="'->' or '-['")
        if token.kind == "->":
            return LabelTest(is_negated=True, place=token.place)
        is_negated = token.kind == "-[^"
        if self.next.kind in ("expression", "slashed"):
            if is_negated:
                raise self.wrong("a label after '^'", ": an expression cannot be negated")
            found = LabelTest(expression=self.expression(), place=token.place)
        elif not is_negated and (self.next.kind == "!" or self.after().kind in ("=", "<>")):
            found = LabelTest(parts=self.parts(), place=token.place)
        else:
            labels = [self.expect("label", "text", what="a label").value]
            while self.has("|"):
                labels.append(self.expect("label", "text", what="a label").value)
            found = LabelTest(tuple(labels), is_negated, place=token.place)
        self.expect("]->", what="'|', ',' or ']->'" if not found.expression else "']->'")
        return found

    def parts(self) -> tuple[PartTest, ...]:
        """Return `1=a|b, 2=*, 2<>c, !2`."""
        found = []
        while True:
            place = self.next.place
            if self.has("!"):
                found.append(PartTest(self.part(), place, is_absent=True))
            else:
                name = self.part()
                sign = self.expect("=", "<>", what="'=' or '<>' after the part of the label")
                if sign.kind == "=" and self.has("*"):
                    found.append(PartTest(name, place, is_negated=True))
                else:
                    values = [self.expect("label", "text", what="a value").value]
                    while self.has("|"):
                        values.append(self.expect("label", "text", what="a value").value)
                    found.append(PartTest(name, place, tuple(values), sign.kind == "<>"))
            if not self.has(","):
                return tuple(found)

    def part(self) -> str:
        """Return the name of a part of a label."""
        token = self.expect("label", what="a part of the label, 1 or 2")
        if token.value in ("enhanced", "deep", "kind"):
            raise RequestError(f"enhanced edges are not supported: '{token.value}' is no part here", token.place)
        if token.value not in ("1", "2"):
            raise RequestError(f"a label has the parts 1 and 2, not '{token.value}'", token.place)
        return token.value

    # -- comparisons ---------------------------------------------------------------------------------------------------

    def order(self, left: Token) -> Order:
        """Return an order of nodes and edges, turned so that the first comes first."""
        sign = self.take().kind
        right = self.expect("name", what="a node or an edge")
        if "." in right.value:
            raise RequestError(
                f"'{left.value}' is a node and '{right.value}' a feature: write X < Y or X.f < Y.g", right.place
            )
        if sign in (">", ">>"):
            return Order(simple(right), TURNED[sign], simple(left), left.place)
        return Order(simple(left), sign, simple(right), left.place)

    def term(self, what: str) -> Term:
        """Return `X.f` or `X.f/g`."""
        token = self.expect("name", what=what)
        base, stop, feature = token.value.partition(".")
        if not stop or not base or not feature or "." in feature:
            raise RequestError(f"expected {what}, found '{token.value}'", token.place)
        other = ""
        if self.has("/"):
            other = simple(self.expect("name", what="the other feature"))
        return Term(base, feature, token.place, other)

    def term_clause(self) -> Comparison | Presence:
        """Return a clause that begins with a feature."""
        place = self.next.place
        left = self.term("a feature as X.f")
        if self.next.kind in (";", "}"):
            return Presence(left, False, place)
        if self.next.kind not in COMPARISONS:
            raise self.wrong("'=', '<>', '<', '>', '<=' or '>='")
        sign = self.take().kind
        if sign == "=" and self.has("*"):
            return Presence(left, False, place)
        if self.next.kind in ("expression", "slashed"):
            if sign not in ("=", "<>"):
                raise RequestError("an expression is compared with '=' or '<>'", self.next.place)
            return Comparison(left, sign, self.expression(), place)
        if self.next.kind == "name" and "." in self.next.value:
            return Comparison(left, sign, self.term("a feature as X.f"), place)
        if self.next.kind == "name" and self.after().kind == "(":
            return Comparison(left, sign, self.measured(), place)
        value = self.value()
        if sign not in ("=", "<>") and value.number is None:
            raise RequestError(f"'{sign}' compares numbers: expected a number or a feature as Y.g", value.place)
        return Comparison(left, sign, value, place)

    def value(self) -> Value:
        """Return a value that something is compared with."""
        token = self.expect("name", "text", "number", what="a value, a feature as Y.g, or a text in double quotes")
        return Value(token.value, token.place, float(token.value) if token.kind == "number" else None)

    def measured(self) -> Term | Measure:
        """Return what a number is compared with."""
        if self.after().kind == "(":
            return self.measure()
        return self.term("a feature as X.f, length(X,Y) or delta(X,Y)")

    def measure(self) -> Measure:
        """Return `length(X,Y)` or `delta(X,Y)`."""
        name = self.take()
        if name.value in SIZES:
            raise RequestError(f"'{name.value}' is not supported; length(X,Y) and delta(X,Y) are", name.place)
        if name.value not in MEASURES:
            raise RequestError(f"unknown measure '{name.value}': write length(X,Y) or delta(X,Y)", name.place)
        self.expect("(")
        left = simple(self.expect("name", what="a node"))
        self.expect(",", what=f"',' and the other node of {name.value}")
        right = simple(self.expect("name", what="a node"))
        self.expect(")", what="')'")
        return Measure(name.value, left, right, name.place)

    def measure_clause(self) -> Comparison:
        """Return a comparison that begins with a measure."""
        left = self.measure()
        sign = self.expect(*COMPARISONS, what="'=', '<>', '<', '>', '<=' or '>='").kind
        if self.next.kind == "name":
            return Comparison(left, sign, self.measured(), left.place)
        token = self.expect("number", what="a number")
        return Comparison(left, sign, Value(token.value, token.place, float(token.value)), left.place)


def simple(token: Token) -> str:
    """Return a name without a full stop.

    Raises:
        RequestError: it has one.
    """
    if "." in token.value:
        raise RequestError(f"'{token.value}' is a feature, expected a name without a full stop", token.place)
    return token.value


def read_request(text: str) -> Request:
    """Read a request.

    Raises:
        RequestError: it is none, with place and advice.
    """
    return Request(Reader(text).request(), text)


def read_clauses(text: str) -> Block:
    """Read `{ ... }`, the clauses of `--whether`.

    Raises:
        RequestError: they are none.
    """
    return _whole(text, lambda reader: reader.block("whether", reader.next.place))


def _whole(text: str, read: Callable[[Reader], Block]) -> Block:
    """Return what a text has, when nothing is left after it."""
    reader = Reader(text)
    found = read(reader)
    reader.expect("end", what="nothing more")
    return found
