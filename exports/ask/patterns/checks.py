"""What cannot be in a request though its grammar is right, and what is likely not meant: a silent zero is the trap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exports.ask.patterns.faults import Place, RequestError
from exports.ask.patterns.keys import Key
from exports.ask.patterns.layers import METADATA, STRUCTURE, TOKEN_COLUMNS, is_known
from exports.ask.patterns.names import SENTENCE_BASES, edges_of, key_names, nodes_of, terms_of
from exports.ask.patterns.syntax import (
    Block,
    Clause,
    Comparison,
    Dominance,
    EdgeClause,
    Expression,
    Measure,
    NodeClause,
    Order,
    Request,
    SentenceTest,
    Term,
)

MOST_NODES = 60
"""Nodes of a block, those of the pattern included: every two of them are told apart, and planning cannot be ended."""

EDGE_FEATURES = ("label", "length", "delta", "1", "2")


@dataclass(frozen=True, order=True)
class Remark:
    """A warning with its place, where it has one in the request."""

    place: Place
    text: str

    def __str__(self) -> str:
        """Return the warning as it is told."""
        return f"{self.place}: {self.text}"


def check(request: Request, whether: Sequence[Block] = (), keys: Sequence[Key] = ()) -> list[Remark]:
    """Check the names of a request and return what is likely not meant.

    Raises:
        RequestError: a name is not declared, is declared twice, or stands where it cannot.
    """
    pattern = request.united()
    nodes, edges = nodes_of(pattern), edges_of(pattern)
    if not request.blocks or not (pattern or request.sentence_tests() or request.filters()):
        raise RequestError("the request asks for nothing: write pattern { X [upos=VERB] }", Place(1, 1))
    _check_number(nodes)
    _check_clauses(pattern, nodes, edges)
    for block in [*request.filters(), *whether]:
        own = nodes | nodes_of(block.clauses, tuple(nodes))
        _check_number(own)
        _check_clauses(block.clauses, own, edges | edges_of(block.clauses, edges))
    for key in keys:
        for name, _ in key_names(key):
            if name not in nodes and name not in edges and name not in SENTENCE_BASES:
                raise RequestError(f"key '{key.text}': '{name}' is not declared in the pattern")
        for part in key.parts:
            if isinstance(part, Term):
                _check_term(part, nodes, edges, key.text)
    for test in request.sentence_tests():
        _check_sentence_test(test)
    remarks = _expressions(request, whether) + _features(request, whether) + _apart(pattern, nodes)
    return sorted(set(remarks))


def _check_number(nodes: dict[str, Place]) -> None:
    """Check that there are not too many nodes."""
    if len(nodes) > MOST_NODES:
        name = list(nodes)[MOST_NODES]
        raise RequestError(f"'{name}' is one node too many: at most {MOST_NODES} can be told apart", nodes[name])


def _check_clauses(clauses: Iterable[Clause], nodes: dict[str, Place], edges: dict[str, EdgeClause]) -> None:
    """Check that names stand for what they are used as."""
    for name, edge in edges.items():
        if name in nodes:
            raise RequestError(f"'{name}' is a node and an edge: choose another name for one", edge.place)
    for clause in clauses:
        if isinstance(clause, Order):
            _check_order(clause, nodes, edges)
        elif isinstance(clause, Dominance):
            for name in (clause.above, clause.below):
                _need_node(name, clause.place, nodes, edges)
        elif isinstance(clause, Comparison):
            for side in (clause.left, clause.right):
                if isinstance(side, Measure):
                    _need_node(side.left, side.place, nodes, edges)
                    _need_node(side.right, side.place, nodes, edges)
        elif isinstance(clause, NodeClause) and clause.name in SENTENCE_BASES:
            raise RequestError(f"'{clause.name}' is no name for a node: choose another one", clause.place)
        for term in terms_of(clause):
            _check_term(term, nodes, edges)


def _need_node(name: str, place: Place, nodes: dict[str, Place], edges: dict[str, EdgeClause]) -> None:
    """Check that a name is a node."""
    if name in edges:
        raise RequestError(f"'{name}' is an edge, expected a node", place)
    if name not in nodes:
        raise RequestError(f"'{name}' is not declared: write {name} [] in the pattern", place)


def _check_order(clause: Order, nodes: dict[str, Place], edges: dict[str, EdgeClause]) -> None:
    """Check the kinds of both sides of an order."""
    for name in (clause.left, clause.right):
        if name not in nodes and name not in edges:
            advice = f"{name}: X -> Y" if clause.sign in ("><", "<>") else f"{name} [] in the pattern"
            raise RequestError(f"'{name}' is not declared: write {advice}", clause.place)
    if clause.sign in ("><", "<>"):
        for name in (clause.left, clause.right):
            if name in nodes:
                raise RequestError(f"'{clause.sign}' stands between edges, and '{name}' is a node", clause.place)
    elif clause.sign == "<":
        _need_node(clause.left, clause.place, nodes, edges)
        _need_node(clause.right, clause.place, nodes, edges)
    elif clause.left in edges and clause.right in nodes:
        raise RequestError(
            f"'{clause.left}' is an edge and '{clause.right}' a node: write {clause.right} << {clause.left} for a node "
            "inside an edge",
            clause.place,
        )


def _check_term(term: Term, nodes: dict[str, Place], edges: dict[str, EdgeClause], key: str = "") -> None:
    """Check that a term speaks of something that is there."""
    whole = f"key '{key}': " if key else ""
    place = None if key else term.place
    if term.base == "meta":
        if term.feature not in METADATA:
            raise RequestError(f"{whole}unknown metadata '{term.feature}': there is {', '.join(METADATA)}", place)
    elif term.base == "global":
        if term.feature not in STRUCTURE:
            raise RequestError(f"{whole}unknown property '{term.feature}': there is {', '.join(STRUCTURE)}", place)
    elif term.base in edges:
        if term.feature not in EDGE_FEATURES:
            raise RequestError(
                f"{whole}an edge has label, 1, 2, length and delta, not '{term.feature}'; "
                "enhanced edges are not supported",
                place,
            )
    elif term.base not in nodes:
        raise RequestError(f"{whole}'{term.base}' is not declared: write {term.base} [] in the pattern", place)
    elif term.feature == "__out__":
        raise RequestError(f"{whole}'__out__' is not supported: write X -> * in a with or without", place)


def _check_sentence_test(clause: SentenceTest) -> None:
    """Check that a property or metadata is known."""
    test = clause.test
    if test.kind == "defined" and test.name in STRUCTURE:
        return
    if test.name in METADATA:
        return
    raise RequestError(
        f"unknown property or metadata '{test.name}': there is {', '.join(STRUCTURE)}; {', '.join(METADATA)}",
        test.place,
    )


def _blocks(request: Request, whether: Sequence[Block]) -> list[Clause]:
    """Return all clauses."""
    return [clause for block in [*request.blocks, *whether] for clause in block.clauses]


def expressions_of(clause: Clause) -> list[Expression]:
    """Return the regular expressions of a clause."""
    if isinstance(clause, NodeClause):
        return [test.expression for tests in clause.alternatives for test in tests if test.expression]
    if isinstance(clause, EdgeClause):
        return [clause.label.expression] if clause.label.expression else []
    if isinstance(clause, SentenceTest):
        return [clause.test.expression] if clause.test.expression else []
    if isinstance(clause, Comparison):
        return [clause.right] if isinstance(clause.right, Expression) else []
    return []


def _expressions(request: Request, whether: Sequence[Block]) -> list[Remark]:
    r"""Return a remark for every `re"..."` with `(`, `)` or `|` that stand for themselves in it."""
    return [
        Remark(
            expression.place,
            f're"{expression.source}": ( ) | are letters here; write \\( \\) \\| for groups and alternatives, '
            f"or /{expression.source}/",
        )
        for clause in _blocks(request, whether)
        for expression in expressions_of(clause)
        if expression.has_bare_operators
    ]


def _features(request: Request, whether: Sequence[Block]) -> list[Remark]:
    """Return a remark for every feature that no node has."""
    asked: list[tuple[str, Place]] = []
    edges = edges_of(request.united())
    for clause in _blocks(request, whether):
        if isinstance(clause, NodeClause):
            for tests in clause.alternatives:
                asked += [(name, test.place) for test in tests for name in (test.name, test.other) if name]
        for term in terms_of(clause):
            if term.base not in edges and term.base not in SENTENCE_BASES:
                asked += [(name, term.place) for name in (term.feature, term.other) if name]
    return [
        Remark(
            place,
            f"no node has the feature '{name}': there is form, folded, lemma, upos, xpos, those of Universal "
            f"Dependencies (Case, Number, ...), and of other layers {', '.join(TOKEN_COLUMNS)}",
        )
        for name, place in asked
        if not is_known(name) and name not in ("label", "1", "2", "length", "delta")
    ]


def _apart(clauses: Iterable[Clause], nodes: dict[str, Place]) -> list[Remark]:
    """Return a remark when nodes of the pattern have no relation to each other: their hits multiply."""
    above = {name: name for name in nodes}

    def top(name: str) -> str:
        while above[name] != name:
            name = above[name]
        return name

    ends = {name: (clause.source, clause.target) for name, clause in edges_of(clauses).items()}
    for clause in clauses:
        names: list[str | None] = []
        if isinstance(clause, EdgeClause):
            names = [clause.source, clause.target]
        elif isinstance(clause, Dominance):
            names = [clause.above, clause.below]
        elif isinstance(clause, Order):
            names = [end for name in (clause.left, clause.right) for end in ends.get(name, (name,))]
        elif isinstance(clause, Comparison):
            for side in (clause.left, clause.right):
                if isinstance(side, Measure):
                    names += [side.left, side.right]
                elif isinstance(side, Term):
                    names += list(ends.get(side.base, (side.base,)))
        linked = [name for name in names if name in above]
        for name in linked[1:]:
            above[top(str(name))] = top(str(linked[0]))
    groups: dict[str, list[str]] = {}
    for name in nodes:
        groups.setdefault(top(name), []).append(name)
    if len(groups) < 2:
        return []
    first, second, *_ = groups.values()
    return [
        Remark(
            nodes[second[0]],
            f"'{first[0]}' and '{second[0]}' have no relation to each other: every pair of a sentence is a hit; "
            f"write an edge or an order between them",
        )
    ]
