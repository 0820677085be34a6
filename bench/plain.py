"""A matcher in plain Python over sentences held in dictionaries: what one would write without a database.

Every name of a request has its candidates, the nodes that fulfil what is asked of it alone; they are tried in the order
of the names, and every other clause as soon as its names are known.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exports.ask.patterns.faults import RequestError
from exports.ask.patterns.names import edges_of, nodes_of
from exports.ask.patterns.syntax import (
    ANCHOR_FORM,
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
    Term,
    Value,
)

Now = dict[str, int]
"""Position of every name that has one."""

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


@dataclass
class Sentence:
    """A sentence of a tree; node 0 is the anchor.

    Attributes:
        number: its key.
        nodes: what every node has, by name of the feature.
        heads: head of every node; None for the anchor.
        labels: label of the edge to it.
    """

    number: int
    nodes: list[dict[str, str]]
    heads: list[int | None]
    labels: list[str | None]

    @cached_property
    def is_projective(self) -> bool:
        """Whether no two edges cross."""
        spans = [(min(node, head), max(node, head)) for node, head in enumerate(self.heads) if head is not None]
        return not any(a < c < b < d for a, b in spans for c, d in spans)

    def is_under(self, below: int, above: int) -> bool:
        """Whether a node is another one or stands below it."""
        node: int | None = below
        while node is not None and node != above:
            node = self.heads[node]
        return node is not None


@dataclass(frozen=True)
class Check:
    """A clause that can be tried: the nodes it needs, and whether it holds."""

    needs: frozenset[str]
    holds: Callable[[Sentence, Now], bool]


class PlainMatcher:
    """Finds the hits of a request in sentences.

    Args:
        request: the request.
        names: the nodes of its pattern, in the order that hits have.

    Raises:
        RequestError: the request has a clause that this matcher does not know.
    """

    def __init__(self, request: Request, names: Sequence[str]) -> None:
        pattern = request.united()
        self.names = list(names)
        edges = edges_of(pattern)
        self.pattern = [check(clause, edges) for clause in pattern]
        self.filters = []
        for block in request.filters():
            more = {**edges, **edges_of(block.clauses, edges)}
            checks = [check(clause, more) for clause in block.clauses]
            self.filters.append((block.kind == "with", list(nodes_of(block.clauses, self.names)), checks))
        self.sentence = [sentence_check(item.test) for item in request.sentence_tests()]

    def hits(self, sentence: Sentence) -> Iterator[tuple[int, ...]]:
        """Yield the positions of the nodes of the pattern for every hit."""
        if not all(holds(sentence) for holds in self.sentence):
            return
        for now in extensions(sentence, self.names, self.pattern, {}):
            if all(
                (next(extensions(sentence, names, checks, now), None) is not None) == wanted
                for wanted, names, checks in self.filters
            ):
                yield tuple(now[name] for name in self.names)


def extensions(sentence: Sentence, names: list[str], checks: list[Check], known: Now) -> Iterator[Now]:
    """Yield every way to give more names nodes so that all checks hold; different names are different nodes."""
    candidates: dict[str, Iterable[int]] = dict.fromkeys(names, range(len(sentence.nodes)))
    waiting: list[list[Check]] = [[] for _ in range(len(names) + 1)]
    for item in checks:
        lone = next(iter(item.needs)) if len(item.needs) == 1 else None
        if lone in candidates and lone is not None:
            candidates[lone] = [node for node in candidates[lone] if item.holds(sentence, {lone: node})]
            if not candidates[lone]:
                return
        else:
            waiting[max((names.index(name) + 1 for name in item.needs if name in names), default=0)].append(item)
    if all(item.holds(sentence, known) for item in waiting[0]):
        yield from place(sentence, names, candidates, waiting, dict(known))


def place(
    sentence: Sentence, names: list[str], candidates: Mapping[str, Iterable[int]], waiting: list[list[Check]], now: Now
) -> Iterator[Now]:
    """Yield the ways to give the names that have no node yet one of their candidates."""
    depth = sum(name in now for name in names)
    if depth == len(names):
        yield dict(now)
        return
    name = names[depth]
    taken = set() if name.endswith("$") else {node for other, node in now.items() if not other.endswith("$")}
    for node in candidates[name]:
        if node not in taken:
            now[name] = node
            if all(item.holds(sentence, now) for item in waiting[depth + 1]):
                yield from place(sentence, names, candidates, waiting, now)
            del now[name]


# -- clauses -----------------------------------------------------------------------------------------------------------


def check(clause: Clause, edges: Mapping[str, EdgeClause]) -> Check:
    """Return a clause as something that can be tried.

    Raises:
        RequestError: it is of a kind that this matcher does not know.
    """
    if isinstance(clause, NodeClause):
        name, choices = clause.name, [[feature_check(test) for test in tests] for tests in clause.alternatives]
        return Check(
            frozenset({name}),
            lambda sentence, now: any(all(holds(sentence.nodes[now[name]]) for holds in tests) for tests in choices),
        )
    if isinstance(clause, EdgeClause):
        return edge_check(clause)
    if isinstance(clause, Dominance):
        above, below = clause.above, clause.below
        return Check(frozenset({above, below}), lambda sentence, now: sentence.is_under(now[below], now[above]))
    if isinstance(clause, Order):
        return order_check(clause, edges)
    if isinstance(clause, Presence):
        term, is_absent = clause.term, clause.is_absent
        needs, value = read(term, edges)
        return Check(needs, lambda sentence, now: (value(sentence, now) is None) == is_absent)
    if isinstance(clause, Comparison):
        return comparison_check(clause, edges)
    raise RequestError("the plain matcher does not know this clause", clause.place)


def edge_check(clause: EdgeClause) -> Check:
    """Return an edge as something that can be tried."""
    source, target, fits = clause.source, clause.target, label_check(clause.label)
    if target is None:
        assert source is not None
        return Check(
            frozenset({source}),
            lambda sentence, now: any(
                head == now[source] and fits(label) for head, label in zip(sentence.heads, sentence.labels, strict=True)
            ),
        )
    if source is None:
        return Check(
            frozenset({target}),
            lambda sentence, now: sentence.heads[now[target]] is not None and fits(sentence.labels[now[target]]),
        )
    return Check(
        frozenset({source, target}),
        lambda sentence, now: sentence.heads[now[target]] == now[source] and fits(sentence.labels[now[target]]),
    )


def order_check(clause: Order, edges: Mapping[str, EdgeClause]) -> Check:
    """Return a clause about order as something that can be tried.

    Raises:
        RequestError: it is about two edges.
    """
    left, right = clause.left, clause.right
    if left in edges:
        raise RequestError("the plain matcher does not know this clause", clause.place)
    if right in edges:
        first, second = str(edges[right].source), str(edges[right].target)
        return Check(
            frozenset({left, first, second}),
            lambda _, now: min(now[first], now[second]) < now[left] < max(now[first], now[second]),
        )
    if clause.sign == "<":
        return Check(frozenset({left, right}), lambda _, now: now[left] + 1 == now[right])
    return Check(frozenset({left, right}), lambda _, now: now[left] < now[right])


def comparison_check(clause: Comparison, edges: Mapping[str, EdgeClause]) -> Check:
    """Return a comparison as something that can be tried: both sides have to be defined."""
    needs, left = read(clause.left, edges)
    holds = SIGNS[clause.sign]
    if isinstance(clause.right, Value):
        wanted: str | float = clause.right.text if clause.right.number is None else clause.right.number
        return Check(needs, lambda sentence, now: compared(left(sentence, now), holds, wanted))
    if isinstance(clause.right, Expression):
        raise RequestError("the plain matcher does not know this comparison", clause.place)
    more, right = read(clause.right, edges)
    return Check(needs | more, lambda sentence, now: compared(left(sentence, now), holds, right(sentence, now)))


def compared(left: str | float | None, holds: Callable[[Any, Any], bool], right: str | float | None) -> bool:
    """Whether a comparison holds; with a number on one side, both have to be one."""
    if left is None or right is None:
        return False
    if isinstance(left, str) != isinstance(right, str):
        try:
            left, right = float(left), float(right)
        except ValueError:
            return False
    return holds(left, right)


def read(
    term: Term | Measure, edges: Mapping[str, EdgeClause]
) -> tuple[frozenset[str], Callable[[Sentence, Now], str | float | None]]:
    """Return the nodes that a term needs, and how its value is read.

    Raises:
        RequestError: it is of a kind that this matcher does not know.
    """
    if isinstance(term, Measure):
        left, right = term.left, term.right
        if term.name == "delta":
            return frozenset({left, right}), lambda _, now: float(now[right] - now[left])
        return frozenset({left, right}), lambda _, now: float(abs(now[right] - now[left]))
    base, feature, other = term.base, term.feature, term.other
    if base in edges:
        target = str(edges[base].target)
        if feature not in ("label", "1"):
            raise RequestError("the plain matcher does not know this part of an edge", term.place)
        if feature == "label":
            return frozenset({target}), lambda sentence, now: sentence.labels[now[target]]
        return frozenset({target}), lambda sentence, now: parts(sentence.labels[now[target]])[0]
    if base == "meta":
        raise RequestError("the plain matcher does not know metadata", term.place)
    if feature == "__id__":
        return frozenset({base}), lambda _, now: float(now[base])
    if other:
        return frozenset({base}), lambda sentence, now: sentence.nodes[now[base]].get(
            feature, sentence.nodes[now[base]].get(other)
        )
    return frozenset({base}), lambda sentence, now: sentence.nodes[now[base]].get(feature)


def feature_check(test: FeatureTest) -> Callable[[dict[str, str]], bool]:
    """Return one condition on a node."""
    name, values = test.name, frozenset(test.values)
    if test.kind == "defined":
        return lambda node: name in node
    if test.kind == "absent":
        return lambda node: name not in node
    if test.kind == "either":
        first, second = test.values
        other = test.other
        return lambda node: node[name] == first if name in node else node.get(other) == second
    if test.expression is not None:
        matches, is_negated = expression(test.expression), test.is_negated
        return lambda node: name in node and matches(node[name]) != is_negated
    if test.is_negated:
        return lambda node: name in node and node[name] not in values
    return lambda node: node.get(name) in values


def label_check(test: LabelTest) -> Callable[[str | None], bool]:
    """Return the condition on a label."""
    if test.expression is not None:
        matches = expression(test.expression)
        return lambda label: label is not None and matches(label)
    if test.parts:
        return lambda label: all(part_holds(parts(label)[int(item.name) - 1], item) for item in test.parts)
    if not test.labels:
        return lambda label: True
    labels, is_negated = frozenset(test.labels), test.is_negated
    return lambda label: (label in labels) != is_negated


def part_holds(value: str | None, item: PartTest) -> bool:
    """Whether a part of a label is as wanted."""
    if item.is_absent or value is None:
        return item.is_absent and value is None
    return (value in item.values) != item.is_negated


def parts(label: str | None) -> tuple[str | None, str | None]:
    """Return the parts of a label before and after the first colon."""
    if label is None:
        return None, None
    first, sign, second = label.partition(":")
    return first, second if sign else None


def expression(wanted: Expression) -> Callable[[str], bool]:
    """Return whether a whole value matches an expression."""
    compiled = re.compile(wanted.pattern, re.IGNORECASE if wanted.is_folded else 0)
    return lambda value: compiled.fullmatch(value) is not None


def sentence_check(test: FeatureTest) -> Callable[[Sentence], bool]:
    """Return a condition on a whole sentence.

    Raises:
        RequestError: it is another one than `is_projective` and `is_not_projective`.
    """
    if test.name not in ("is_projective", "is_not_projective"):
        raise RequestError("the plain matcher does not know this property", test.place)
    wanted = test.name == "is_projective"
    return lambda sentence: sentence.is_projective == wanted


def loaded(rows: Iterable[tuple[Any, ...]]) -> list[Sentence]:
    """Return sentences from rows, in the order of sentences and positions.

    Args:
        rows: number of the sentence, then form, folded, lemma, folded lemma, xpos, upos, features, head, label.
    """
    found: list[Sentence] = []
    for number, *columns, feats, head, label in rows:
        if not found or found[-1].number != number:
            found.append(Sentence(number, [{"form": ANCHOR_FORM}], [None], [None]))
        node = {name: value for name, value in zip(COLUMNS, columns, strict=True) if value is not None}
        if feats:
            node.update(pair.split("=", 1) for pair in feats.split("|"))
        found[-1].nodes.append(node)
        found[-1].heads.append(head)
        found[-1].labels.append(label)
    return found


COLUMNS = ("form", "folded", "lemma", "lemma_folded", "xpos", "upos")
"""Columns of corpus.nodes that a node is loaded with, in the order of the rows."""
