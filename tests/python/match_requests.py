"""The requests of ../shared/cases/grew as plain data for the reference matcher, put down by hand from their text."""

from __future__ import annotations

from typing import Any

from match_reference import Clause


def node(name: str, *tests: Clause) -> Clause:
    """Return a node with one pair of brackets."""
    return "node", name, [list(tests)]


def edge(source: str, target: str, *labels: str, name: str | None = None) -> Clause:
    """Return an edge with one of some labels, or with any."""
    return "edge", name, source, target, ("in", list(labels)) if labels else ("any",)


def isin(feature: str, *values: str) -> Clause:
    """Return that a feature has one of some values."""
    return "=", feature, list(values)


def same(left: str, feature: str, right: str, sign: str = "=") -> Clause:
    """Return that two nodes agree in a feature, or do not."""
    return "cmp", ("f", left, feature), sign, ("f", right, feature)


VERB, NOUN, PRON, ADJ = (isin("upos", value) for value in ("VERB", "NOUN", "PRON", "ADJ"))
REST = ("nsubj", "obj", "obl", "advmod", "conj", "root", "case", "cc", "mark", "advcl", "ccomp")

# Number of the file: pattern, filters, conditions on the sentence.
REQUESTS: dict[str, tuple[list[Clause], list[tuple[str, list[Clause]]], list[Any]]] = {
    "02": (
        [
            node("V", VERB),
            node("P", isin("VerbForm", "Part"), isin("Case", "Gen")),
            node("S", isin("Case", "Gen"), isin("upos", "NOUN", "PRON", "ADJ")),
            edge("V", "P", "advcl", "obl"),
            ("edge", None, "P", "S", ("parts", [("1", "=", ["nsubj"])])),
            same("P", "Number", "S"),
        ],
        [("without", [edge("P", "A", "case")])],
        [],
    ),
    "04": ([node("V", isin("VerbForm", "Inf")), node("S", isin("Case", "Acc")), edge("V", "S", "nsubj")], [], []),
    "06": ([node("V", isin("VerbForm", "Inf")), node("D", isin("upos", "DET")), edge("V", "D", "det")], [], []),
    "08": ([node("V", isin("Mood", "Sub")), node("M", isin("lemma", "ἵνα")), edge("V", "M", "mark")], [], []),
    "10": (
        [node("V"), node("M", ("re", "lemma", r"ἐπε\(ί\|ιδή\)", False, 're"ἐπε(ί|ιδή)"')), edge("V", "M", "mark")],
        [],
        [],
    ),
    "12": (
        [
            *(node("V"), node("R", PRON), edge("V", "R", "obj", "obl", "nsubj")),
            *(node("H"), edge("H", "V", "acl:relcl", "acl")),
        ],
        [],
        [],
    ),
    "14": (
        [
            *(node("N", NOUN), node("A", ADJ), edge("N", "A", name="e")),
            *(same("N", "Case", "A"), same("N", "Number", "A"), node("X", VERB), ("inside", "X", "e")),
        ],
        [("without", [("dom", "N", "X")])],
        [],
    ),
    "16": ([], [], ["is_not_projective"]),
    "18": (
        [node("N", NOUN), node("A", ADJ), edge("N", "A", "amod", "nmod"), same("N", "Gender", "A", "<>")],
        [],
        [],
    ),
    "20": ([node("N", ("<>", "Case", ["Dat"])), node("P", isin("lemma", "ἐν")), edge("N", "P", "case")], [], []),
    "22": ([node("V", VERB), edge("V", "S", "nsubj"), edge("V", "O", "obj")], [], []),
    "24": (
        [node("X1", PRON), node("X2", NOUN), ("next", "X1", "X2"), ("dom", "X2", "X1")],
        [("without", [edge("X2", "X1")])],
        [],
    ),
    "26": (
        [
            node("V", VERB),
            ("edge", "e", "V", "S", ("parts", [("1", "=", ["nsubj", "csubj"]), ("2", "!")])),
            node("S", ("<>", "Case", ["Nom"])),
        ],
        [],
        [],
    ),
    "28": ([node("X", VERB), ("edge", None, "X", "Y", ("not", list(REST)))], [], []),
    "30": (
        [
            (
                "node",
                "X",
                [[VERB, isin("VerbForm", "Part"), isin("Tense", "Past")], [ADJ, isin("Degree", "Sup")]],
            )
        ],
        [],
        [],
    ),
    "32": (
        [
            *(node(name, NOUN) for name in ("X1", "X2", "X3")),
            *(edge("V", name, "obl") for name in ("X1", "X2", "X3")),
            *(("cmp", ("f", a, "__id__"), "<", ("f", b, "__id__")) for a, b in (("X1", "X2"), ("X2", "X3"))),
        ],
        [],
        [],
    ),
    "34": (
        [node("V", VERB), edge("V", "D", "obl", "obj", "iobj"), node("D", isin("Case", "Dat"))],
        [("with", [edge("*", "V", "advcl", "acl", "ccomp")]), ("without", [edge("D", "*", "case")])],
        [],
    ),
}
