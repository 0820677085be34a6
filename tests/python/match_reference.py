"""A plain matcher as reference: tries every node for every name, over sentences held in dictionaries, without SQL.

A request is given as plain data, not as text, so that the reader has no part in the answer. Clauses are

    ("node", "X", [[test, ...], ...])           tests: ("=", f, [v]), ("<>", f, [v]), ("def", f), ("!", f),
                                                ("re", f, regex, is_negated, as_written), ("else", f, v, g, w)
    ("edge", name or None, "X" or "*", "Y" or "*", label)
                                                labels: ("any",), ("in", [l]), ("not", [l]), ("re", regex, as_written),
                                                ("parts", [(part, "=" or "<>", [v]), (part, "*"), (part, "!")])
    ("dom", "X", "Y"), ("next", "X", "Y"), ("before", "X", "Y"), ("inside", "X", "e"),
    ("covered", "e", "f"), ("cross", "e", "f"), ("disjoint", "e", "f")
    ("cmp", term, sign, term or value)          terms: ("f", X, f), ("e", e, f), ("length", X, Y), ("delta", X, Y);
                                                values: ("v", text), ("n", number)
    ("has", "X", f), ("lacks", "X", f)
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

Clause = tuple[Any, ...]
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


@dataclass
class Sentence:
    """A sentence: node 0 is the anchor.

    Attributes:
        number: its key.
        features: features of every node.
        heads: head of every node; None without one.
        labels: label of every node's edge to its head.
        separator: the sign at which labels are split.
        metadata: metadata of the sentence.
    """

    number: int
    features: list[dict[str, str]]
    heads: list[int | None]
    labels: list[str | None]
    separator: str = ":"
    metadata: dict[str, str] = field(default_factory=dict)

    def dominates(self, above: int, below: int) -> bool:
        """Whether the way up from one node comes to another one, or begins there."""
        seen = set()
        at: int | None = below
        while at is not None and at not in seen:
            if at == above:
                return True
            seen.add(at)
            at = self.heads[at]
        return False

    def part(self, label: str | None, name: str) -> str | None:
        """Return a part of a label."""
        if label is None:
            return None
        first, stop, second = label.partition(self.separator)
        return first if name == "1" else second if stop else None

    @cached_property
    def is_projective(self) -> bool:
        """Whether no two edges cross."""
        spans = [
            (min(head, node), max(head, node)) for node, head in enumerate(self.heads) if node and head is not None
        ]
        return not any(a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1] for a, b in combinations(spans, 2))

    @cached_property
    def is_cyclic(self) -> bool:
        """Whether a way up comes back to where it was."""
        return any(self._ends(node) is None for node in range(1, len(self.heads)))

    @cached_property
    def is_tree(self) -> bool:
        """Whether every way up ends at the anchor."""
        return all(self._ends(node) == 0 for node in range(1, len(self.heads)))

    def _ends(self, node: int) -> int | None:
        seen = set()
        while node not in seen:
            seen.add(node)
            above = self.heads[node]
            if above is None:
                return node
            node = above
        return None

    def property(self, name: str) -> bool:
        """Return `is_projective`, `is_not_tree` and so on."""
        plain = name.replace("is_not_", "is_")
        value = {
            "is_projective": self.is_projective,
            "is_tree": self.is_tree,
            "is_forest": not self.is_cyclic,
            "is_cyclic": self.is_cyclic,
        }[plain]
        return value != name.startswith("is_not_")


Hit = tuple[tuple[int, ...], tuple[str | None, ...]]


class Matcher:
    """Finds the hits of one request.

    Args:
        pattern: clauses of the pattern.
        filters: `with` or `without` with clauses, in any number.
        sentence: names of properties, and tests of metadata.
    """

    def __init__(
        self,
        pattern: list[Clause],
        filters: Iterable[tuple[str, list[Clause]]] = (),
        sentence: Iterable[str | Clause] = (),
    ) -> None:
        self.pattern, self.filters, self.sentence = pattern, list(filters), list(sentence)
        self.names = declared(pattern)
        self.edges = {clause[1]: clause for clause in pattern if clause[0] == "edge" and clause[1]}

    def hits(self, sentence: Sentence) -> Iterator[Hit]:
        """Yield the positions of all names, in the order of their declaration, and the labels of the named edges."""
        for wanted in self.sentence:
            if isinstance(wanted, str):
                if not sentence.property(wanted):
                    return
            elif not test(sentence.metadata, wanted):
                return
        for found in extend(sentence, self.names, self.pattern, {}, self.edges):
            if all(self.can(sentence, clauses, found) == (kind == "with") for kind, clauses in self.filters):
                labels = tuple(sentence.labels[found[clause[3]]] for clause in self.edges.values())
                yield tuple(found[name] for name in self.names), labels

    def can(self, sentence: Sentence, clauses: list[Clause], found: dict[str, int]) -> bool:
        """Whether a hit can be extended by clauses."""
        names = [name for name in declared(clauses) if name not in found]
        edges = self.edges | {clause[1]: clause for clause in clauses if clause[0] == "edge" and clause[1]}
        return next(extend(sentence, names, clauses, found, edges), None) is not None


def declared(clauses: Iterable[Clause]) -> list[str]:
    """Return the nodes that clauses declare."""
    names: dict[str, None] = {}
    for clause in clauses:
        if clause[0] == "node":
            names[clause[1]] = None
        elif clause[0] == "edge":
            names |= {end: None for end in clause[2:4] if end != "*"}
    return list(names)


def mentioned(clause: Clause, edges: dict[str, Clause]) -> set[str]:
    """Return the nodes that have to be known before a clause can be tried."""
    kind = clause[0]
    if kind in ("node", "has", "lacks"):
        return {clause[1]}
    if kind == "edge":
        return {end for end in clause[2:4] if end != "*"}
    if kind in ("dom", "next", "before"):
        return {clause[1], clause[2]}
    if kind == "inside":
        return {clause[1], *ends(clause[2], edges)}
    if kind in ("covered", "cross", "disjoint"):
        return {*ends(clause[1], edges), *ends(clause[2], edges)}
    found: set[str] = set()
    for term in (clause[1], clause[3]):
        if term[0] == "f":
            found.add(term[1])
        elif term[0] == "e":
            found |= set(ends(term[1], edges))
        elif term[0] in ("length", "delta"):
            found |= {term[1], term[2]}
    return found


def ends(edge: str, edges: dict[str, Clause]) -> tuple[str, str]:
    """Return source and target of a named edge."""
    return edges[edge][2], edges[edge][3]


def extend(
    sentence: Sentence, names: list[str], clauses: list[Clause], found: dict[str, int], edges: dict[str, Clause]
) -> Iterator[dict[str, int]]:
    """Yield every way to give names nodes so that clauses hold, each clause tried as soon as it can be."""
    ready: list[list[Clause]] = [[] for _ in range(len(names) + 1)]
    candidates = {name: list(range(len(sentence.heads))) for name in names}
    for clause in clauses:
        needed = mentioned(clause, edges)
        if len(needed) == 1 and (name := next(iter(needed))) in candidates:
            candidates[name] = [node for node in candidates[name] if holds(sentence, clause, {name: node}, edges)]
            if not candidates[name]:
                return
            continue
        ready[max([names.index(name) + 1 for name in needed if name in names], default=0)].append(clause)
    if not all(holds(sentence, clause, found, edges) for clause in ready[0]):
        return
    taken = {node for name, node in found.items() if not name.endswith("$")}

    def step(depth: int, now: dict[str, int], used: set[int]) -> Iterator[dict[str, int]]:
        if depth == len(names):
            yield dict(now)
            return
        name = names[depth]
        is_free = name.endswith("$")
        for node in candidates[name]:
            if not is_free and node in used:
                continue
            now[name] = node
            if all(holds(sentence, clause, now, edges) for clause in ready[depth + 1]):
                yield from step(depth + 1, now, used if is_free else used | {node})
            del now[name]

    yield from step(0, dict(found), taken)


def holds(sentence: Sentence, clause: Clause, now: dict[str, int], edges: dict[str, Clause]) -> bool:
    """Whether a clause holds with these nodes."""
    kind = clause[0]
    if kind == "node":
        features = sentence.features[now[clause[1]]]
        return any(all(test(features, item) for item in tests) for tests in clause[2])
    if kind == "edge":
        return has_edge(sentence, clause, now)
    if kind == "has":
        return clause[2] in sentence.features[now[clause[1]]]
    if kind == "lacks":
        return clause[2] not in sentence.features[now[clause[1]]]
    if kind == "dom":
        return sentence.dominates(now[clause[1]], now[clause[2]])
    if kind == "next":
        return now[clause[1]] + 1 == now[clause[2]]
    if kind == "before":
        return bool(now[clause[1]] < now[clause[2]])
    if kind == "cmp":
        return compared(sentence, clause, now, edges)
    second = sorted(now[name] for name in ends(clause[2], edges))
    if kind == "inside":
        return bool(second[0] < now[clause[1]] < second[1])
    first = sorted(now[name] for name in ends(clause[1], edges))
    return bool(relative(first, second) == kind)


def relative(first: list[int], second: list[int]) -> str:
    """Return how two spans lie to each other; `covers` also for equal ones."""
    if first[1] <= second[0] or second[1] <= first[0]:
        return "disjoint"
    if first[0] <= second[0] and second[1] <= first[1]:
        return "covers"
    if second[0] <= first[0] and first[1] <= second[1]:
        return "covered"
    return "cross"


def has_edge(sentence: Sentence, clause: Clause, now: dict[str, int]) -> bool:
    """Whether there is an edge as a clause has it."""
    _, _, source, target, wanted = clause
    targets = range(1, len(sentence.heads)) if target == "*" else [now[target]]
    for node in targets:
        head = sentence.heads[node]
        if head is not None and (source == "*" or head == now[source]) and fits(sentence, node, wanted):
            return True
    return False


def fits(sentence: Sentence, node: int, wanted: Clause) -> bool:
    """Whether the label above a node is as wanted."""
    label = sentence.labels[node]
    if wanted[0] == "any":
        return True
    if wanted[0] == "in":
        return label in wanted[1]
    if wanted[0] == "not":
        return label not in wanted[1]
    if wanted[0] == "re":
        return label is not None and re.fullmatch(wanted[1], label) is not None
    for part, sign, *values in wanted[1]:
        value = sentence.part(label, part)
        if (value is None) != (sign == "!"):
            return False
        if sign in ("=", "<>") and (value in values[0]) != (sign == "="):
            return False
    return True


def test(features: dict[str, str], item: Clause) -> bool:
    """Whether features fulfil one test."""
    sign, name = item[0], item[1]
    value = features.get(name)
    if sign == "!":
        return value is None
    if sign == "else":
        return bool(value == item[2] if value is not None else features.get(item[3]) == item[4])
    if value is None:
        return False
    if sign == "def":
        return True
    if sign == "re":
        return bool((re.fullmatch(item[2], value) is not None) != item[3])
    return bool((value in item[2]) == (sign == "="))


def value_of(sentence: Sentence, term: Clause, now: dict[str, int], edges: dict[str, Clause]) -> str | float | None:
    """Return the value of a term; None where it is undefined."""
    kind = term[0]
    if kind in ("v", "n"):
        return str(term[1]) if kind == "v" else float(term[1])
    if kind == "f":
        return float(now[term[1]]) if term[2] == "__id__" else sentence.features[now[term[1]]].get(term[2])
    if kind in ("length", "delta"):
        delta = now[term[2]] - now[term[1]]
        return float(abs(delta) if kind == "length" else delta)
    source, target = (now[name] for name in ends(term[1], edges))
    if term[2] in ("length", "delta"):
        return float(abs(target - source) if term[2] == "length" else target - source)
    label = sentence.labels[target]
    return label if term[2] == "label" else sentence.part(label, term[2])


def compared(sentence: Sentence, clause: Clause, now: dict[str, int], edges: dict[str, Clause]) -> bool:
    """Whether a comparison holds; what is undefined fulfils none."""
    _, first, sign, second = clause
    left, right = value_of(sentence, first, now, edges), value_of(sentence, second, now, edges)
    if left is None or right is None:
        return False
    if sign not in ("=", "<>") or isinstance(left, float) or isinstance(right, float):
        try:
            left, right = float(left), float(right)
        except ValueError:
            return False
    return OPERATORS[sign](left, right)


# -- as text -----------------------------------------------------------------------------------------------------------


def render(
    pattern: list[Clause], filters: Iterable[tuple[str, list[Clause]]] = (), sentence: Iterable[Any] = ()
) -> str:
    """Return a request as text."""
    blocks = [("pattern", pattern), *filters]
    text = [f"{kind} {{ {'; '.join(map(render_clause, clauses))} }}" for kind, clauses in blocks]
    wanted = [item if isinstance(item, str) else render_test(item) for item in sentence]
    return "\n".join([f"global {{ {'; '.join(wanted)} }}"] * bool(wanted) + text)


def render_clause(clause: Clause) -> str:
    """Return a clause as text."""
    kind = clause[0]
    if kind == "node":
        return f"{clause[1]} " + "|".join(f"[{', '.join(map(render_test, tests))}]" for tests in clause[2])
    if kind == "edge":
        name = f"{clause[1]}: " if clause[1] else ""
        return f"{name}{clause[2]} {render_label(clause[4])} {clause[3]}"
    if kind == "has":
        return f"{clause[1]}.{clause[2]}"
    if kind == "lacks":
        return f"!{clause[1]}.{clause[2]}"
    if kind == "cmp":
        return f"{render_term(clause[1])} {clause[2]} {render_term(clause[3])}"
    signs = {
        "dom": "->>",
        "next": "<",
        "before": "<<",
        "inside": "<<",
        "covered": "<<",
        "cross": "><",
        "disjoint": "<>",
    }
    return f"{clause[1]} {signs[kind]} {clause[2]}"


def quoted(values: Iterable[str]) -> str:
    """Return values as a request has them."""
    return "|".join(f'"{value}"' for value in values)


def render_test(item: Clause) -> str:
    """Return a test as text."""
    sign, name = item[0], item[1]
    if sign == "def":
        return f"{name}=*"
    if sign == "!":
        return f"!{name}"
    if sign == "re":
        return f"{name}{'<>' if item[3] else '='}{item[4]}"
    if sign == "else":
        return f'{name}="{item[2]}"/{item[3]}="{item[4]}"'
    return f"{name}{sign}{quoted(item[2])}"


def render_label(wanted: Clause) -> str:
    """Return an arrow as text."""
    if wanted[0] == "any":
        return "->"
    if wanted[0] == "re":
        return f"-[{wanted[2]}]->"
    if wanted[0] in ("in", "not"):
        return f"-[{'^' if wanted[0] == 'not' else ''}{'|'.join(wanted[1])}]->"
    parts = [
        f"!{part}" if sign == "!" else f"{part}=*" if sign == "*" else f"{part}{sign}{'|'.join(values[0])}"
        for part, sign, *values in wanted[1]
    ]
    return f"-[{', '.join(parts)}]->"


def render_term(term: Clause) -> str:
    """Return a term or value as text."""
    if term[0] == "v":
        return f'"{term[1]}"'
    if term[0] == "n":
        return str(term[1])
    if term[0] in ("length", "delta"):
        return f"{term[0]}({term[1]},{term[2]})"
    return f"{term[1]}.{term[2]}"
