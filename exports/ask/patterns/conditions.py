"""The clauses of a request as conditions of the statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from exports.ask.patterns import sql
from exports.ask.patterns.bindings import Edge, Node, label_part
from exports.ask.patterns.layers import METADATA, STRUCTURE, Layer
from exports.ask.patterns.syntax import (
    Comparison,
    Dominance,
    Expression,
    FeatureTest,
    LabelTest,
    Measure,
    Order,
    PartTest,
    Presence,
    SentenceTest,
    Term,
)

NUMERIC = ("__id__", "length", "delta")
SIGNS = {"=": exp.EQ, "<>": exp.NEQ, "<": exp.LT, ">": exp.GT, "<=": exp.LTE, ">=": exp.GTE}


def matches(value: exp.Expr, expression: Expression) -> exp.Expr:
    """Return that a whole value matches an expression."""
    flags = [sql.text("i")] if expression.is_folded else []
    return sql.call("regexp_full_match", value, sql.text(expression.pattern), *flags)


def feature_test(value: exp.Expr, other: exp.Expr | None, test: FeatureTest) -> exp.Expr:
    """Return one condition between brackets.

    Args:
        value: the feature.
        other: the second feature of `f=v/g=w`.
        test: the condition.
    """
    if test.kind == "defined":
        return sql.is_defined(value)
    if test.kind == "absent":
        return sql.is_null(value)
    if test.kind == "expression" and test.expression is not None:
        found = matches(value, test.expression)
        return exp.Not(this=found) if test.is_negated else found
    if test.kind == "either" and other is not None:
        first = sql.same(value, sql.text(test.values[0]))
        second = sql.same(other, sql.text(test.values[1]))
        return exp.Case().when(sql.is_defined(value.copy()), first).else_(second)
    return sql.one_of(value, test.values, test.is_negated)


def label_test(label: exp.Expr, test: LabelTest, layer: Layer) -> exp.Expr | None:
    """Return the condition on a label; None when every label will do."""
    if test.expression is not None:
        return matches(label, test.expression)
    if test.parts:
        return sql.both(part_test(label_part(label.copy(), part.name, layer.separator), part) for part in test.parts)
    if not test.labels:
        return None
    if test.is_negated:
        label = exp.Coalesce(this=label, expressions=[sql.text("")]) if layer.may_be_odd else label
    return sql.one_of(label, test.labels, test.is_negated)


def part_test(value: exp.Expr, test: PartTest) -> exp.Expr:
    """Return the condition on one part of a label."""
    if test.is_absent:
        return sql.is_null(value)
    if not test.values:
        return sql.is_defined(value)
    return sql.one_of(value, test.values, test.is_negated)


@dataclass(frozen=True)
class Scene:
    """What names stand for at one place of the statement.

    Attributes:
        nodes: the nodes.
        edges: the named edges.
        layer: the layer asked.
    """

    nodes: Mapping[str, Node]
    edges: Mapping[str, Edge]
    layer: Layer

    def term(self, term: Term) -> exp.Expr:
        """Return the value of a term, null where it is undefined."""
        value = self._feature(term)
        if not term.other:
            return value
        return exp.Coalesce(this=value, expressions=[self._feature(replace(term, feature=term.other, other=""))])

    def _feature(self, term: Term) -> exp.Expr:
        if term.base == "meta":
            return sql.column("meta", METADATA[term.feature])
        if term.base == "global":
            return structure(term.feature)
        if term.base in self.nodes:
            return self.nodes[term.base].feature(term.feature)
        edge = self.edges[term.base]
        if term.feature == "label":
            return edge.label()
        if term.feature == "delta":
            return edge.delta()
        if term.feature == "length":
            return sql.call("abs", edge.delta())
        return label_part(edge.label(), term.feature, self.layer.separator)

    def measure(self, measure: Measure) -> exp.Expr:
        """Return a distance of two nodes."""
        delta = exp.Sub(this=self.nodes[measure.right].position(), expression=self.nodes[measure.left].position())
        return sql.call("abs", delta) if measure.name == "length" else delta

    def comparison(self, clause: Comparison) -> exp.Expr:
        """Return a comparison; what is undefined fulfils none."""
        left, right = clause.left, clause.right
        value = self.measure(left) if isinstance(left, Measure) else self.term(left)
        is_numeric = isinstance(left, Measure) or left.feature in NUMERIC
        if isinstance(right, Expression):
            found = matches(exp.cast(value, "varchar") if is_numeric else value, right)
            return found if clause.sign == "=" else exp.Not(this=found)
        if isinstance(right, Measure):
            other, other_is_numeric = self.measure(right), True
        elif isinstance(right, Term):
            other, other_is_numeric = self.term(right), right.feature in NUMERIC
        else:
            other_is_numeric = right.number is not None and (is_numeric or clause.sign not in ("=", "<>"))
            if is_numeric and right.number is None:
                return exp.false()
            other = sql.number(right.number) if other_is_numeric and right.number is not None else sql.text(right.text)
        if is_numeric or other_is_numeric or clause.sign not in ("=", "<>"):
            value = value if is_numeric else exp.TryCast(this=value, to=exp.DataType.build("double"))
            other = other if other_is_numeric else exp.TryCast(this=other, to=exp.DataType.build("double"))
        return SIGNS[clause.sign](this=value, expression=other)

    def presence(self, clause: Presence) -> exp.Expr:
        """Return that a feature is defined, or is not; of a property of the tree, that it holds, or does not."""
        value = self.term(clause.term)
        if clause.term.base == "global":
            return exp.Not(this=value) if clause.is_absent else value
        return sql.is_null(value) if clause.is_absent else sql.is_defined(value)

    def dominance(self, clause: Dominance) -> exp.Expr:
        """Return that a node stands in the subtree of another one."""
        above, below = self.nodes[clause.above], self.nodes[clause.below]
        gaps = above.column("subtree_gaps")
        is_in_gap = sql.call("list_contains", gaps.copy(), below.position())
        return sql.both(
            [
                sql.same(above.sentence(), below.sentence()),
                exp.Between(
                    this=below.position(), low=above.column("subtree_first"), high=above.column("subtree_last")
                ),
                exp.paren(exp.or_(sql.is_null(gaps), exp.Not(this=is_in_gap))),
            ]
        )

    def order(self, clause: Order) -> exp.Expr:
        """Return an order of nodes and edges."""
        if clause.left in self.nodes and clause.right in self.nodes:
            left, right = self.nodes[clause.left], self.nodes[clause.right]
            if clause.sign == "<":
                following = exp.Add(this=left.key(), expression=exp.Literal.number(1))
                return sql.same(right.key(), following)
            return sql.both([sql.same(left.sentence(), right.sentence()), sql.less(left.position(), right.position())])
        edge = self.edges[clause.right]
        if clause.left in self.nodes:
            node = self.nodes[clause.left]
            return sql.both(
                [
                    sql.same(node.sentence(), edge.target.sentence()),
                    sql.less(edge.left(), node.position()),
                    sql.less(node.position(), edge.right()),
                ]
            )
        return self.edges_apart(self.edges[clause.left], clause.sign, edge)

    def edges_apart(self, first: Edge, sign: str, second: Edge) -> exp.Expr:
        """Return how two edges lie: disjoint (`<>`), one covered by the other (`<<`), or crossing (`><`)."""
        disjoint = exp.or_(sql.at_most(first.right(), second.left()), sql.at_most(second.right(), first.left()))
        contains = sql.both([sql.at_most(first.left(), second.left()), sql.at_most(second.right(), first.right())])
        covered = sql.both([sql.at_most(second.left(), first.left()), sql.at_most(first.right(), second.right())])
        kinds = {
            "<>": disjoint,
            "<<": sql.both([covered, *(exp.Not(this=exp.paren(item)) for item in (disjoint, contains))]),
            "><": sql.both([exp.Not(this=exp.paren(item)) for item in (disjoint, contains, covered)]),
        }
        one_sentence = sql.same(first.target.sentence(), second.target.sentence())
        return sql.both([one_sentence, exp.paren(kinds[sign].copy())])


def structure(name: str) -> exp.Expr:
    """Return a property of the tree of a sentence."""
    column, is_denied = STRUCTURE[name]
    value = sql.column("tree", column)
    return exp.Not(this=value) if is_denied else value


def sentence_test(clause: SentenceTest) -> exp.Expr:
    """Return one condition of `global`."""
    test = clause.test
    if test.name in STRUCTURE:
        return structure(test.name)
    return feature_test(sql.column("meta", METADATA[test.name]), None, test)
