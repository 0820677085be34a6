"""Figures of two annotations of the same tokens: attachment, labels, tags, features, and who agrees with whom.

One side is the reference, the other is judged. Accuracies and F1 do not change when the sides are swapped; precision
and recall change places. Every share is rounded to six digits, and None where there is nothing to divide by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from exports.audit.reader import Token

Reading = Callable[[str], str]
"""Which part of a relation counts."""

Pair = tuple[Sequence[Token], Sequence[Token]]
"""A sentence twice: as in the reference, and as judged."""


def base(relation: str) -> str:
    """Return a relation without its subtype.

    >>> base("nsubj:pass")
    'nsubj'
    """
    return relation.partition(":")[0]


def share(part: int | float, whole: int | float) -> float | None:
    """Return part of whole, rounded to six digits; None of nothing.

    >>> share(1, 3), share(0, 0)
    (0.333333, None)
    """
    return round(part / whole, 6) if whole else None


@dataclass
class Tally:
    """Occurrences of labels in the reference, in what is judged, and in both at the same token."""

    support: Counter[str] = field(default_factory=Counter)
    predicted: Counter[str] = field(default_factory=Counter)
    both: Counter[str] = field(default_factory=Counter)

    def add(self, reference: Iterable[str], judged: Iterable[str]) -> None:
        """Count the labels of one token, each at most once."""
        expected, found = set(reference), set(judged)
        self.support.update(expected)
        self.predicted.update(found)
        self.both.update(expected & found)

    @property
    def labels(self) -> list[str]:
        """Every label of either side, sorted."""
        return sorted(self.support.keys() | self.predicted.keys())

    def by_label(self) -> dict[str, dict[str, Any]]:
        """Return support, predicted, both, precision, recall and F1 of every label."""
        return {
            label: {
                "support": self.support[label],
                "predicted": self.predicted[label],
                "both": self.both[label],
                "precision": share(self.both[label], self.predicted[label]),
                "recall": share(self.both[label], self.support[label]),
                "f1": share(2 * self.both[label], self.support[label] + self.predicted[label]),
            }
            for label in self.labels
        }

    def macro_f1(self) -> float | None:
        """Return the mean F1 over the labels that occur on either side; one that only one side has counts 0.

        >>> tally = Tally()
        >>> tally.add(["obj"], ["obj"])
        >>> tally.add(["obl"], ["obj"])
        >>> tally.macro_f1()
        0.333333
        """
        scores = [2 * self.both[label] / (self.support[label] + self.predicted[label]) for label in self.labels]
        return share(sum(scores), len(scores))

    def micro_f1(self) -> float | None:
        """Return F1 over all occurrences of all labels."""
        return share(2 * self.both.total(), self.support.total() + self.predicted.total())


def score(pairs: Iterable[Pair], read: Reading = base) -> dict[str, Any]:
    """Return the figures of what is judged against the reference.

    Args:
        pairs: sentences, as in the reference and as judged, with the same tokens.
        read: which part of a relation counts.

    Tags are compared where both sides have one. Features are compared where both sides have any at all: an annotation
    without a single feature is one that leaves them out, not one that denies them; its figures are None.
    """
    known = list(pairs)
    tokens = [both for reference, judged in known for both in zip(reference, judged, strict=True)]
    relations, tags, features = Tally(), Tally(), Tally()
    heads = labelled = labels = tagged = right_tags = right_features = 0
    has_features = all(any(pair[side].feats for pair in tokens) for side in (0, 1))
    for expected, found in tokens:
        same_head = expected.head == found.head
        same_label = read(expected.deprel) == read(found.deprel)
        heads += same_head
        labels += same_label
        labelled += same_head and same_label
        relations.add([read(expected.deprel)], [read(found.deprel)])
        if expected.upos is not None and found.upos is not None:
            tagged += 1
            right_tags += expected.upos == found.upos
            tags.add([expected.upos], [found.upos])
        if has_features:
            right_features += expected.feats == found.feats
            features.add(expected.feats, found.feats)
    return {
        "sentences": len(known),
        "tokens": len(tokens),
        "uas": share(heads, len(tokens)),
        "las": share(labelled, len(tokens)),
        "label_accuracy": share(labels, len(tokens)),
        "relation_macro_f1": relations.macro_f1(),
        "upos_tokens": tagged,
        "upos_accuracy": share(right_tags, tagged),
        "upos_macro_f1": tags.macro_f1(),
        "feats_tokens": len(tokens) if has_features else 0,
        "feats_exact": share(right_features, len(tokens)) if has_features else None,
        "feats_micro_f1": features.micro_f1(),
        "feats_macro_f1": features.macro_f1(),
        "relations": relations.by_label(),
        "tags": tags.by_label(),
        "features": features.by_label(),
    }


def agreement(triples: Iterable[Sequence[Token]], value: Callable[[Token], Hashable]) -> dict[str, Any]:
    """Return how a parse stands to two audits, token by token; the five shares add up to one.

    Args:
        triples: a token as in the parse, in audit A and in audit B.
        value: what is compared; a token whose value is None on any side is left out.
    """
    counts: Counter[str] = Counter()
    for triple in triples:
        parse, a, b = (value(token) for token in triple)
        if parse is None or a is None or b is None:
            continue
        if a == b:
            counts["all_agree" if parse == a else "audits_against_parse"] += 1
        elif parse == a:
            counts["parse_with_a_against_b"] += 1
        elif parse == b:
            counts["parse_with_b_against_a"] += 1
        else:
            counts["all_differ"] += 1
    total = counts.total()
    return {"tokens": total} | {
        kind: {"tokens": counts[kind], "share": share(counts[kind], total)} for kind in AGREEMENTS
    }


AGREEMENTS = ("all_agree", "audits_against_parse", "parse_with_a_against_b", "parse_with_b_against_a", "all_differ")
"""The ways in which three values can agree."""
