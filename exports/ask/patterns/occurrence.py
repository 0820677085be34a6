"""Remarks that need the warehouse: values that never occur in the layer, or in some projects only."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from exports.ask.patterns.checks import Remark
from exports.ask.patterns.faults import Place
from exports.ask.patterns.layers import Layer, is_universal
from exports.ask.patterns.names import SENTENCE_BASES, edges_of
from exports.ask.patterns.syntax import ANCHOR_FORM, Block, Comparison, EdgeClause, NodeClause, Request, Term, Value

if TYPE_CHECKING:
    import duckdb

WORDS = ("form", "folded", "lemma", "lemma_folded", "xpos")
"""Features with too many values to list."""

METADATA = ("author", "work", "canonical_work", "genre", "project")
"""What a sentence has few values of, so that one which never occurs is likely misspelt."""

MOST_LISTED = 40
"""Values that a remark lists."""

INVENTORY = "select feature, value, project, node_count from corpus.inventory where layer = ?"
WORD = """
    select sentences.project, count(*)
    from corpus.nodes as nodes
    inner join corpus.sentences as sentences on nodes.sentence_number = sentences.sentence_number
    where nodes.layer = ? and nodes.scope <= 2 and nodes.{feature} = ?
    group by sentences.project
"""


def values_asked(request: Request, whether: Sequence[Block]) -> list[tuple[str, str, Place]]:
    """Return feature, value and place of everything that a request wants to be there.

    The features `label`, `1` and `2` are those of edges.
    """
    edges = edges_of(request.united())
    found: list[tuple[str, str, Place]] = []
    for clause in [clause for block in [*request.blocks, *whether] for clause in block.clauses]:
        if isinstance(clause, NodeClause):
            for test in [test for tests in clause.alternatives for test in tests]:
                if test.kind == "either":
                    found += [(test.name, test.values[0], test.place), (test.other, test.values[1], test.place)]
                elif test.kind == "values":
                    found += [(test.name, value, test.place) for value in test.values]
                elif test.kind == "defined" and is_universal(test.name):
                    found.append((test.name, "", test.place))
        elif isinstance(clause, EdgeClause):
            place = clause.label.place or clause.place
            found += [("label", value, place) for value in clause.label.labels]
            found += [(part.name, value, part.place) for part in clause.label.parts for value in part.values]
        elif isinstance(clause, Comparison):
            found += compared_value(clause, edges)
    return list(dict.fromkeys(found))


def compared_value(clause: Comparison, edges: Collection[str]) -> list[tuple[str, str, Place]]:
    """Return feature, value and place of `X.f = v`, or nothing."""
    term, value = clause.left, clause.right
    if not (isinstance(term, Term) and isinstance(value, Value)) or clause.sign not in ("=", "<>"):
        return []
    is_label = term.feature in ("label", "1", "2")
    if term.base in SENTENCE_BASES or (term.base in edges) != is_label:
        return []
    return [(term.feature, value.text, value.place)]


class Inventory:
    """The values of one layer with their counts by project.

    Args:
        con: a warehouse.
        layer: the layer.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, layer: Layer) -> None:
        self.con, self.layer = con, layer
        self.counts: dict[tuple[str, str], dict[str, int]] = {}
        self.projects: set[str] = set()
        for feature, value, project, count in con.execute(INVENTORY, [layer.name]).fetchall():
            self.projects.add(project)
            self._add(feature, value, project, count)
            self._add(feature, "", project, count)
            if feature == "label":
                first, stop, second = value.partition(layer.separator)
                self._add("1", first, project, count)
                if stop:
                    self._add("2", second, project, count)

    def _add(self, feature: str, value: str, project: str, count: int) -> None:
        """Count a value; the empty one stands for all of a feature."""
        counts = self.counts.setdefault((feature, value), {})
        counts[project] = counts.get(project, 0) + count

    def of(self, feature: str, value: str) -> dict[str, int]:
        """Return the counts of a value by project."""
        if feature in WORDS:
            found = self.con.execute(WORD.format(feature=feature), [self.layer.name, value]).fetchall()
            return {str(project): int(count) for project, count in found}
        return self.counts.get((feature, value), {})

    def listed(self, feature: str) -> str:
        """Return the values of a feature for a message, the most frequent first."""
        counts = {
            value: sum(by_project.values())
            for (name, value), by_project in self.counts.items()
            if name == feature and value
        }
        values = sorted(counts, key=lambda value: (-counts[value], value))
        more = f", and {len(values) - MOST_LISTED} more" if len(values) > MOST_LISTED else ""
        return ", ".join(values[:MOST_LISTED]) + more


def remarks(
    con: duckdb.DuckDBPyConnection, request: Request, layer: Layer, whether: Sequence[Block] = ()
) -> list[Remark]:
    """Return a remark for every value that never occurs in a layer, or in some of its projects only, or of no sentence.

    Args:
        con: a warehouse.
        request: the request.
        layer: the layer it speaks of.
        whether: the clauses of `--whether`.
    """
    found = unknown_metadata(con, request)
    asked = values_asked(request, whether)
    if not asked:
        return found
    inventory = Inventory(con, layer)
    for feature, value, place in asked:
        if feature not in (*WORDS, "upos", "label", "1", "2") and not is_universal(feature):
            continue
        if (feature, value) in (("form", ANCHOR_FORM), ("label", "root"), ("1", "root")):
            continue
        counts = inventory.of(feature, value)
        if not counts:
            found.append(Remark(place, _never(feature, value, layer, inventory)))
        elif feature not in WORDS and (missing := inventory.projects - set(counts)):
            found.append(Remark(place, _partly(feature, value, counts, missing)))
    return found


def unknown_metadata(con: duckdb.DuckDBPyConnection, request: Request) -> list[Remark]:
    """Return a remark for every author, work, genre or project of `global` (`--author` too) that no sentence has."""
    found = []
    for test in [clause.test for clause in request.sentence_tests()]:
        if test.kind != "values" or test.name not in METADATA:
            continue
        rows = con.execute(
            f"select distinct {test.name} from corpus.sentences where {test.name} is not null"
        ).fetchall()
        known = sorted(str(value) for (value,) in rows)
        for value in test.values:
            if value not in known:
                near = difflib.get_close_matches(value, known, n=3)
                meant = f"; did you mean {', '.join(near)}?" if near else ""
                found.append(Remark(test.place, f"no sentence has the {test.name} {value}{meant}"))
    return found


def _called(feature: str, value: str) -> str:
    """Return feature and value as a message names them."""
    if feature in ("label", "1", "2"):
        return f"the label {value}" if feature == "label" else f"part {feature} = {value} of a label"
    return f"{feature}={value}" if value else f"the feature {feature}"


def _never(feature: str, value: str, layer: Layer, inventory: Inventory) -> str:
    """Return the remark that a value never occurs."""
    told = f"{_called(feature, value)} never occurs in the layer {layer.name}"
    if feature in WORDS:
        return f"{told}; 'folded' and 'lemma_folded' find a word without its accents"
    listed = inventory.listed(feature)
    return f"{told}, which has {listed}" if listed else told


def _partly(feature: str, value: str, counts: dict[str, int], missing: Iterable[str]) -> str:
    """Return the remark that some projects lack a value."""
    there = ", ".join(f"{project} {count:,}" for project, count in sorted(counts.items()))
    return f"{_called(feature, value)} occurs in some projects only ({there}), never in {', '.join(sorted(missing))}"
