"""The parts of a request, as its reader finds them; every part knows its place."""

from __future__ import annotations

from dataclasses import dataclass, field

from exports.ask.patterns.faults import Place

ANCHOR_FORM = "__0__"
"""Form of the node before the first word of every sentence, the source of the root."""


@dataclass(frozen=True)
class Expression:
    """A regular expression that a whole value has to match.

    Attributes:
        source: the expression as written.
        pattern: the same in RE2 syntax.
        is_folded: whether case does not count.
        has_bare_operators: whether `(`, `)` or `|` stand in it as letters, where an operator may have been meant.
    """

    source: str
    pattern: str
    place: Place
    is_folded: bool = False
    has_bare_operators: bool = False


@dataclass(frozen=True)
class FeatureTest:
    """One condition between the brackets of a node.

    Attributes:
        name: the feature.
        kind: `values` (one of them, or with `is_negated` none of them), `defined`, `absent`, `expression` or `either`.
        values: the values of `values`; of `either` the value of the feature and that of the other one.
        other: the second feature of `either`.
    """

    name: str
    kind: str
    place: Place
    values: tuple[str, ...] = ()
    expression: Expression | None = None
    other: str = ""
    is_negated: bool = False


@dataclass(frozen=True)
class PartTest:
    """A condition on one part of a label: `1=a|b`, `2=*` (negated, no values), `2<>c`, `!2` (absent)."""

    name: str
    place: Place
    values: tuple[str, ...] = ()
    is_negated: bool = False
    is_absent: bool = False


@dataclass(frozen=True)
class LabelTest:
    """A condition on the label of an edge: none, whole labels, an expression, or parts."""

    labels: tuple[str, ...] = ()
    is_negated: bool = False
    expression: Expression | None = None
    parts: tuple[PartTest, ...] = ()
    place: Place | None = None


@dataclass(frozen=True)
class NodeClause:
    """`X [...]|[...]`: a node with what it has to fulfil, either all of the first brackets or all of the next."""

    name: str
    alternatives: tuple[tuple[FeatureTest, ...], ...]
    place: Place


@dataclass(frozen=True)
class EdgeClause:
    """`e: X -[...]-> Y`; an end that is `*` is None."""

    source: str | None
    target: str | None
    label: LabelTest
    place: Place
    name: str | None = None


@dataclass(frozen=True)
class Dominance:
    """`X ->> Y`: a path of any length from X to Y, zero included."""

    above: str
    below: str
    place: Place


@dataclass(frozen=True)
class Order:
    """`X < Y` (next), `X << Y` (before), and with edges `X << e`, `e << f`, `e >< f`, `e <> f`.

    `>` and `>>` are turned round when they are read.
    """

    left: str
    sign: str
    right: str
    place: Place


@dataclass(frozen=True)
class Term:
    """`X.f`, `e.label`, `meta.k`; `other` is the feature that counts where the first is undefined (`X.f/g`)."""

    base: str
    feature: str
    place: Place
    other: str = ""


@dataclass(frozen=True)
class Measure:
    """`length(X,Y)` or `delta(X,Y)`."""

    name: str
    left: str
    right: str
    place: Place


@dataclass(frozen=True)
class Value:
    """A value as written; `number` where it is one."""

    text: str
    place: Place
    number: float | None = None


@dataclass(frozen=True)
class Comparison:
    """A term or measure, a sign of comparison, and what it is compared with."""

    left: Term | Measure
    sign: str
    right: Term | Measure | Value | Expression
    place: Place


@dataclass(frozen=True)
class Presence:
    """`X.f` or `!X.f`: a feature is defined, or is not."""

    term: Term
    is_absent: bool
    place: Place


@dataclass(frozen=True)
class SentenceTest:
    """One condition of `global`: a property of the tree, or metadata, which has the shape of a feature test."""

    test: FeatureTest
    place: Place


Clause = NodeClause | EdgeClause | Dominance | Order | Comparison | Presence | SentenceTest


@dataclass(frozen=True)
class Block:
    """`pattern {...}`, `with {...}`, `without {...}` or `global {...}`."""

    kind: str
    clauses: tuple[Clause, ...]
    place: Place


@dataclass(frozen=True)
class Request:
    """A whole request."""

    blocks: tuple[Block, ...]
    text: str = field(default="", compare=False)

    def united(self) -> tuple[Clause, ...]:
        """Return the clauses of all patterns: several are one."""
        return tuple(clause for block in self.blocks if block.kind == "pattern" for clause in block.clauses)

    def filters(self) -> tuple[Block, ...]:
        """Return the blocks `with` and `without`, each on its own."""
        return tuple(block for block in self.blocks if block.kind in ("with", "without"))

    def sentence_tests(self) -> tuple[SentenceTest, ...]:
        """Return the conditions on whole sentences."""
        return tuple(
            clause
            for block in self.blocks
            if block.kind == "global"
            for clause in block.clauses
            if isinstance(clause, SentenceTest)
        )
