"""The one check and repair of parses, whoever made them.

An error stops the build, because the layer would not be what its name says: sentences that are missing, repeated or
not published, lists of different lengths, a head out of range, no root, a cycle, a part of speech or relation that UD
does not have. What parsers do all the time and what leaves the analysis whole is repaired and counted by kind:

- ``extra_root``: a second token on the root hangs on the first, as ``parataxis``;
- ``root_label``: the token on the root is labelled otherwise than ``root``, and becomes ``root``;
- ``inner_root_label``: a token with a head is labelled ``root``, and becomes ``dep``;
- ``foreign_feature``: a feature or value that is not universal goes (models have language-specific ones);
- ``feature_order``: FEATS are sorted as UD sorts them, a value given twice counts once.

Foreign features in a tenth of all features mean another scheme, not a few additions: an error.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from machine.interface import MachineError, Parsed, Sentence
from runtime.checkout import project_root

EXAMPLES = 5
"""Findings that a message names; the rest are counted."""

CHECK_VERSION = 1
"""Changes whenever the repair gives other parses, so that artefacts made with the old one are remade."""

MAX_FOREIGN = 0.1
"""Share of features outside the inventory from which on the parse is taken to be in another scheme."""

SEEDS = ("ud_upos", "ud_relations", "ud_features")


@dataclass(frozen=True)
class Inventories:
    """The values that a parse may have.

    Attributes:
        upos: parts of speech.
        relations: relations without subtype.
        feats: features as ``Name=Value``, one value each.
    """

    upos: frozenset[str]
    relations: frozenset[str]
    feats: frozenset[str]


@dataclass
class Checked:
    """The result of a check.

    Attributes:
        parses: one parse per sentence, in the order of the sentences.
        repairs: number of repaired tokens by kind; for ``foreign_feature`` number of values.
        foreign: number of values taken out, by ``Name=Value``.
    """

    parses: list[Parsed] = field(default_factory=list)
    repairs: Counter[str] = field(default_factory=Counter)
    foreign: Counter[str] = field(default_factory=Counter)


@lru_cache(maxsize=1)
def load_inventories() -> Inventories:
    """Return the inventories of the seeds.

    Raises:
        MachineError: there are no seeds.
    """
    folder = project_root(MachineError) / "seeds" / "universal"
    upos, relations, feats = (_rows(folder / f"{name}.csv") for name in SEEDS)
    return Inventories(
        upos=frozenset(row["upos"] for row in upos),
        relations=frozenset(row["relation"] for row in relations),
        feats=frozenset(f"{row['feature']}={row['value']}" for row in feats),
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def raise_findings(findings: Sequence[str], what: str) -> None:
    """Raise one error for several findings: the first ones, and how many there are; nothing for none."""
    if not findings:
        return
    more = len(findings) - EXAMPLES
    tail = f"\n  ... and {more} more" if more > 0 else ""
    raise MachineError(f"{what} ({len(findings)}):\n  " + "\n  ".join(findings[:EXAMPLES]) + tail)


def check_parses(
    sentences: Sequence[Sentence],
    parses: Iterable[Parsed],
    inventories: Inventories,
    source: str,
) -> Checked:
    """Check the parses of a provider and repair what may be repaired.

    Args:
        sentences: the published sentences.
        parses: their parses, in any order.
        inventories: the values allowed.
        source: who made the parses, for messages.

    Raises:
        MachineError: names the first findings with sentence and token and counts the others.
    """
    by_id = match_sentences(sentences, parses, source)
    result = Checked()
    check = _Check(inventories, result)
    for sentence in sentences:
        check.add(sentence, by_id[sentence.id])
    raise_findings(check.findings, f"{source}: parses that cannot be used")
    foreign = result.repairs["foreign_feature"]
    if foreign > MAX_FOREIGN * check.feature_values:
        examples = ", ".join(f"{pair} ({count})" for pair, count in _most_common(result.foreign)[:EXAMPLES])
        raise MachineError(
            f"{source}: expected features of Universal Dependencies 2, found {foreign} of {check.feature_values} "
            f"values that are none: {examples}"
        )
    return result


def match_sentences(sentences: Sequence[Sentence], parses: Iterable[Parsed], source: str) -> dict[str, Parsed]:
    """Return the parses by id; every sentence has exactly one and there are no others.

    Raises:
        MachineError: names sentences that are missing, not expected or there twice.
    """
    expected = {sentence.id for sentence in sentences}
    by_id: dict[str, Parsed] = {}
    findings: list[str] = []
    for parse in parses:
        if parse.id in by_id:
            findings.append(f"sentence {parse.id}: expected one parse, found another")
        elif parse.id not in expected:
            findings.append(f"sentence {parse.id}: expected a published sentence, found an id of none")
        by_id[parse.id] = parse
    findings += [
        f"sentence {sentence.id}: expected one parse, found none" for sentence in sentences if sentence.id not in by_id
    ]
    raise_findings(findings, f"{source}: sentences and parses do not match")
    return by_id


def form_difference(expected: Sequence[str], found: Sequence[str]) -> str | None:
    """Say where the tokens of a parse stop being those of the sentence; None when they are the same.

    >>> form_difference(["ὁ", "ἀνήρ"], ["ὁ", "ἄνθρωπος"])
    "token 2: expected 'ἀνήρ', found 'ἄνθρωπος'"
    >>> form_difference(["ὁ", "ἀνήρ"], ["ὁ"])
    "token 2: expected 'ἀνήρ', found the end of the sentence"
    >>> form_difference(["ὁ"], ["ὁ", "ἀνήρ"])
    "token 2: expected the end of the sentence, found 'ἀνήρ'"
    """
    if list(expected) == list(found):
        return None
    for number in range(max(len(expected), len(found))):
        left = repr(expected[number]) if number < len(expected) else "the end of the sentence"
        right = repr(found[number]) if number < len(found) else "the end of the sentence"
        if left != right:
            return f"token {number + 1}: expected {left}, found {right}"
    return None


class _Check:
    """Looks at one parse after the other; what is the same for many tokens is looked at once."""

    def __init__(self, inventories: Inventories, result: Checked) -> None:
        self.inventories = inventories
        self.result = result
        self.findings: list[str] = []
        self.feature_values = 0
        self.known_feats: dict[str, Feats] = {}
        self.known_relations: set[str] = set(inventories.relations)

    def add(self, sentence: Sentence, parse: Parsed) -> None:
        """Check and repair one parse; keep it when nothing is wrong with it."""
        wrong = len(self.findings)
        length = len(sentence.forms)
        lengths = (len(parse.upos), len(parse.feats), len(parse.heads), len(parse.deprels))
        for name, found in zip(Parsed._fields[1:], lengths, strict=True):
            if found != length:
                self.report(sentence, None, f"{length} tokens", f"{found} values of {name}")
        if len(self.findings) > wrong:
            return
        heads, deprels = list(parse.heads), list(parse.deprels)
        self.check_values(sentence, parse.upos, deprels)
        feats = self.checked_feats(sentence, parse.feats)
        if self.check_heads(sentence, heads):
            self.repair_roots(heads, deprels)
            self.check_cycles(sentence, heads)
        if len(self.findings) == wrong:
            self.result.parses.append(Parsed(sentence.id, list(parse.upos), feats, heads, deprels))

    def report(self, sentence: Sentence, number: int | None, expected: str, found: str) -> None:
        """Record a finding; tokens are numbered from 1."""
        token = "" if number is None else f" token {number} {sentence.forms[number - 1]!r}"
        self.findings.append(f"sentence {sentence.id}{token}: expected {expected}, found {found}")

    def check_values(self, sentence: Sentence, upos: list[str], deprels: list[str]) -> None:
        """Report parts of speech and relations that are not in the inventories."""
        if not self.inventories.upos.issuperset(upos):
            for number, value in enumerate(upos, 1):
                if value not in self.inventories.upos:
                    self.report(sentence, number, "a universal part of speech", repr(value))
        if not self.known_relations.issuperset(deprels):
            for number, value in enumerate(deprels, 1):
                if not is_relation(value, self.inventories.relations):
                    self.report(sentence, number, "a universal relation, with or without subtype", repr(value))
                else:
                    self.known_relations.add(value)

    def checked_feats(self, sentence: Sentence, feats: list[str]) -> list[str]:
        """Return the features as published; count what was taken out."""
        checked = []
        for number, value in enumerate(feats, 1):
            if not value:
                checked.append("")
                continue
            known = self.known_feats.get(value)
            if known is None:
                known = self.known_feats[value] = read_feats(value, self.inventories.feats)
            if known.fault:
                self.report(sentence, number, known.fault, repr(value))
            self.feature_values += known.values
            if known.foreign:
                self.result.repairs["foreign_feature"] += len(known.foreign)
                self.result.foreign.update(known.foreign)
            if known.is_reordered:
                self.result.repairs["feature_order"] += 1
            checked.append(known.text)
        return checked

    def check_heads(self, sentence: Sentence, heads: list[int]) -> bool:
        """Report heads out of range and the lack of a root; return whether there are neither."""
        wrong = len(self.findings)
        length = len(heads)
        if heads and (min(heads) < 0 or max(heads) > length):
            for number, head in enumerate(heads, 1):
                if not 0 <= head <= length:
                    self.report(sentence, number, f"a head from 0 to {length}", str(head))
        elif 0 not in heads:
            self.report(sentence, None, "a token on the root", "none")
        return len(self.findings) == wrong

    def repair_roots(self, heads: list[int], deprels: list[str]) -> None:
        """Leave one root, labelled ``root``; no other token has that label."""
        root = heads.index(0)
        if heads.count(0) > 1:
            for index in range(root + 1, len(heads)):
                if heads[index] == 0:
                    heads[index], deprels[index] = root + 1, "parataxis"
                    self.result.repairs["extra_root"] += 1
        if deprels[root] != "root":
            deprels[root] = "root"
            self.result.repairs["root_label"] += 1
        for index, value in enumerate(deprels):
            if index != root and value.startswith("root") and value.partition(":")[0] == "root":
                deprels[index] = "dep"
                self.result.repairs["inner_root_label"] += 1

    def check_cycles(self, sentence: Sentence, heads: list[int]) -> None:
        """Report the first cycle of a sentence."""
        cycle = find_cycle(heads)
        if cycle:
            path = " -> ".join(map(str, [*cycle, cycle[0]]))
            self.report(sentence, cycle[0], "heads that lead to the root", f"the cycle {path}")


def is_relation(value: str, relations: Collection[str]) -> bool:
    """Return whether a value is one of the relations, alone or with a subtype behind a colon.

    >>> [is_relation(value, {"nsubj"}) for value in ("nsubj", "nsubj:pass", "nsubj:", "subj:pass")]
    [True, True, False, False]
    """
    base, colon, subtype = value.partition(":")
    return base in relations and bool(colon) == bool(subtype)


def find_cycle(heads: Sequence[int]) -> list[int]:
    """Return the tokens of the first cycle from its first token on, empty when the heads form a tree.

    >>> find_cycle([2, 0, 2]), find_cycle([0, 3, 4, 2])
    ([], [2, 3, 4])
    """
    # For each token the walk that met it first; walk 0 is the root.
    walk = [0] + [-1] * len(heads)
    for start in range(1, len(heads) + 1):
        token = start
        while walk[token] < 0:
            walk[token] = start
            token = heads[token - 1]
        if token and walk[token] == start:
            cycle = [token]
            while heads[cycle[-1] - 1] != token:
                cycle.append(heads[cycle[-1] - 1])
            first = cycle.index(min(cycle))
            return cycle[first:] + cycle[:first]
    return []


@dataclass(frozen=True)
class Feats:
    """A value of FEATS, read once.

    Attributes:
        text: as published.
        values: number of values it has.
        foreign: values that went, as ``Name=Value``.
        is_reordered: the text is another for its order or repetitions.
        fault: what was expected of it, None when it can be read.
    """

    text: str
    values: int = 0
    foreign: tuple[str, ...] = ()
    is_reordered: bool = False
    fault: str | None = None


def read_feats(text: str, allowed: frozenset[str]) -> Feats:
    """Read a value of FEATS; features are sorted without regard to case, values of a feature as text.

    >>> read_feats("Gender=Neut,Masc|Case=Nom", frozenset({"Case=Nom", "Gender=Masc", "Gender=Neut"})).text
    'Case=Nom|Gender=Masc,Neut'
    """
    pairs: dict[str, set[str]] = {}
    for part in text.split("|"):
        name, equals, listed = part.partition("=")
        values = listed.split(",")
        if not name or not equals or "" in values or "=" in listed or any(letter.isspace() for letter in part):
            return Feats(text, fault="FEATS like Case=Nom|Number=Sing")
        if name in pairs:
            return Feats(text, fault=f"FEATS with {name} once")
        pairs[name] = set(values)
    foreign = sorted(f"{name}={value}" for name, values in pairs.items() for value in values)
    foreign = [pair for pair in foreign if pair not in allowed]
    count = sum(map(len, pairs.values()))
    names = sorted(pairs, key=lambda name: (name.lower(), name))
    whole = "|".join(f"{name}={','.join(sorted(pairs[name]))}" for name in names)
    if not foreign:
        return Feats(whole, count, is_reordered=whole != text)
    kept = {name: sorted(value for value in pairs[name] if f"{name}={value}" in allowed) for name in names}
    text_kept = "|".join(f"{name}={','.join(values)}" for name, values in kept.items() if values)
    return Feats(text_kept, count, tuple(foreign), whole != text)


def _most_common(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return counts from the largest on, equal ones by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
