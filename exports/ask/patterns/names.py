"""What a request says about its names: which are nodes, which edges, which need a row of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exports.ask.patterns.faults import Place, RequestError
from exports.ask.patterns.keys import Key, LinkKey, OrderKey
from exports.ask.patterns.syntax import (
    ANCHOR_FORM,
    Clause,
    Comparison,
    Dominance,
    EdgeClause,
    FeatureTest,
    Measure,
    NodeClause,
    Order,
    Presence,
    Term,
)

SENTENCE_BASES = ("meta", "global")


def nodes_of(clauses: Iterable[Clause], known: Sequence[str] = ()) -> dict[str, Place]:
    """Return the nodes that clauses declare, in their order: by brackets, or as an end of an edge.

    Args:
        clauses: those of one block; several patterns are one.
        known: nodes of the pattern, which are not declared again.
    """
    found: dict[str, Place] = {}
    for clause in clauses:
        names: list[str | None] = []
        if isinstance(clause, NodeClause):
            names = [clause.name]
        elif isinstance(clause, EdgeClause):
            names = [clause.source, clause.target]
        for name in names:
            if name is not None and name not in known:
                found.setdefault(name, clause.place)
    return found


def edges_of(clauses: Iterable[Clause], known: Iterable[str] = ()) -> dict[str, EdgeClause]:
    """Return the named edges of clauses.

    Raises:
        RequestError: a name is given twice.
    """
    found: dict[str, EdgeClause] = {}
    taken = set(known)
    for clause in clauses:
        if isinstance(clause, EdgeClause) and clause.name is not None:
            if clause.name in taken:
                raise RequestError(f"the edge '{clause.name}' is named twice: choose another name", clause.place)
            taken.add(clause.name)
            found[clause.name] = clause
    return found


def terms_of(clause: Clause) -> list[Term]:
    """Return the terms of a clause."""
    if isinstance(clause, Presence):
        return [clause.term]
    if isinstance(clause, Comparison):
        return [side for side in (clause.left, clause.right) if isinstance(side, Term)]
    return []


def row_needed(clauses: Iterable[Clause], keys: Iterable[Key] = ()) -> set[str]:
    """Return the nodes of which more is asked than their place."""
    found: set[str] = set()
    for clause in clauses:
        if isinstance(clause, NodeClause) and any(clause.alternatives):
            found.add(clause.name)
        elif isinstance(clause, EdgeClause) and clause.target is not None:
            found.add(clause.target)
        elif isinstance(clause, Dominance):
            found.add(clause.above)
        found |= {term.base for term in terms_of(clause) if term.feature != "__id__"}
    for key in keys:
        for part in key.parts:
            if isinstance(part, Term):
                found.add(part.base)
            elif isinstance(part, LinkKey):
                found |= {part.left, part.right}
    return found


def may_be_anchor(name: str, clauses: Iterable[Clause]) -> bool:
    """Whether the node before the first word can fulfil what clauses say about a node."""
    for clause in clauses:
        if isinstance(clause, EdgeClause) and clause.target == name:
            return False
        if isinstance(clause, Order) and clause.right == name:
            return False
        if isinstance(clause, Presence) and not clause.is_absent and _asks(clause.term, name):
            return False
        if isinstance(clause, Comparison) and any(_asks(term, name) for term in terms_of(clause)):
            return False
        if (
            isinstance(clause, NodeClause)
            and clause.name == name
            and not any(all(map(_fits_anchor, tests)) for tests in clause.alternatives)
        ):
            return False
    return True


def _asks(term: Term, name: str) -> bool:
    """Whether a term asks for a feature that the anchor does not have."""
    return term.base == name and term.feature not in ("form", "__id__") and term.other != "form"


def _fits_anchor(test: FeatureTest) -> bool:
    """Whether the anchor, whose form is all it has, can fulfil a condition."""
    if test.kind == "absent":
        return test.name != "form"
    if test.kind == "either":
        return "form" in (test.name, test.other)
    if test.name != "form":
        return False
    if test.kind == "values":
        return (ANCHOR_FORM in test.values) != test.is_negated
    return True


def key_names(key: Key) -> list[tuple[str, Place]]:
    """Return the names that a key speaks of."""
    start = Place(1, 1)
    found: list[tuple[str, Place]] = []
    for part in key.parts:
        if isinstance(part, Term):
            found.append((part.base, part.place))
        elif isinstance(part, Measure):
            found += [(part.left, part.place), (part.right, part.place)]
        elif isinstance(part, OrderKey):
            found += [(name, start) for name in part.names]
        else:
            found += [(part.left, start), (part.right, start)]
    return found
