"""The tasks that the one classifier of rates (`score/baselines/logistic.py`) is given, and their figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from exports.leakage.markup import Markup, Pair, Part, Rows
from score.baselines.logistic import fitted

BLOCK = 10
"""Sentences of a block in which a project is recognised: the largest size of the rows of the benchmark."""
FOLDS = 5
"""Stretches of a text, each of which is tested once by what is learnt from the others."""
MIN_BLOCKS = 20
"""Blocks that each of two sides needs: four in every stretch."""
DIGITS = 4
"""Digits of a figure; one row more or less shows in the fourth at the earliest."""


def accuracy(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Return the share of rows with the right label.

    >>> accuracy(np.array(["a", "a", "b"]), np.array(["a", "b", "b"]))
    0.6667
    """
    return round(float(np.mean(truth == predicted)), DIGITS)


def macro_f1(truth: np.ndarray, predicted: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean over the labels of F1, which is 0 for one that is never met nor given.

    >>> macro_f1(np.array(["a", "a", "b"]), np.array(["a", "b", "b"]), np.array(["a", "b"]))
    0.6667
    """
    from sklearn.metrics import f1_score

    return round(float(f1_score(truth, predicted, labels=labels, average="macro", zero_division=0)), DIGITS)


def recall_mean(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Return the mean over the labels of recall: one half is chance with two labels, whatever their numbers.

    >>> recall_mean(np.array(["a", "a", "b"]), np.array(["a", "b", "b"]))
    0.75
    """
    return round(float(np.mean([np.mean(predicted[truth == label] == label) for label in np.unique(truth)])), DIGITS)


def scores(truth: np.ndarray, predicted: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Return accuracy and macro-F1."""
    return {"accuracy": accuracy(truth, predicted), "macro_f1": macro_f1(truth, predicted, labels)}


def authors(markup: Markup, splits: Mapping[str, Rows]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Tell the author of the rows of a configuration from markup, from parts of it, and from length alone.

    Returns:
        Figures on validation and test, and the labels that the whole markup gives the rows of both.
    """
    train = splits["train"]
    labels, counts = np.unique(train.authors, return_counts=True)
    tested = [split for split in ("validation", "test") if split in splits]
    truth = {split: splits[split].authors for split in tested}
    largest = labels[np.argmax(counts)]
    found: dict[str, Any] = {
        "rows": {split: len(part.ids) for split, part in splits.items()},
        "authors": len(labels),
        "chance": round(1 / len(labels), DIGITS),
        "majority": {split: scores(truth[split], np.full(len(truth[split]), largest), labels) for split in tested},
    }

    def told(values: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        joined = np.concatenate([values[split] for split in tested])
        predicted = fitted(values["train"], train.authors, joined).labels
        return dict(
            zip(tested, np.split(predicted, np.cumsum([len(truth[split]) for split in tested])[:-1]), strict=True)
        )

    rates = {split: markup.rates(part.members) for split, part in splits.items()}
    whole = told(rates)
    found["markup"] = {split: scores(truth[split], whole[split], labels) for split in tested}
    lengths = told({split: markup.lengths(part.members) for split, part in splits.items()})
    found["length"] = {split: scores(truth[split], lengths[split], labels) for split in tested}
    found["groups"] = {}
    for name, columns in markup.parts().items():
        given = told({split: values[:, columns] for split, values in rates.items()})
        found["groups"][name] = {split: scores(truth[split], given[split], labels) for split in tested}
    return found, whole


def blocks(members: np.ndarray) -> np.ndarray:
    """Return sentences in their order as blocks; what is left at the end is in none."""
    count = len(members) // BLOCK
    return members[: count * BLOCK].reshape(count, BLOCK, *members.shape[1:])


def stretches(count: int) -> np.ndarray:
    """Return the stretch of every block: a block is tested by what is learnt from other stretches of the text.

    >>> stretches(10).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    """
    return np.arange(count) * FOLDS // count


def crossed(values: np.ndarray, labels: np.ndarray, folds: np.ndarray) -> float:
    """Return the mean recall when every stretch is told by what is learnt from the others."""
    predicted = np.empty_like(labels)
    for fold in range(FOLDS):
        tested = folds == fold
        predicted[tested] = fitted(values[~tested], labels[~tested], values[tested], balanced=True).labels
    return recall_mean(labels, predicted)


def _by_groups(markup: Markup, values: np.ndarray, labels: np.ndarray, folds: np.ndarray) -> dict[str, Any]:
    """Tell two sides apart by the whole markup and by each part of it."""
    return {
        "accuracy": crossed(values, labels, folds),
        "groups": {name: crossed(values[:, columns], labels, folds) for name, columns in markup.parts().items()},
    }


def _sides(*counts: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels 0, 1 of two sides of so many rows, and the stretches of their rows."""
    labels = np.repeat(np.arange(len(counts)), counts)
    return labels, np.concatenate([stretches(count) for count in counts])


def projects_within_authors(markup: Markup, parts: list[Part]) -> list[dict[str, Any]]:
    """Tell the project of blocks of one author's sentences, for every two projects with blocks enough.

    Beside it stands the control: the two halves of each project's own sentences, told apart in the same way. Where the
    control is as high, works and topics explain it, and no annotator is needed.
    """
    found = []
    for index, one in enumerate(parts):
        for other in parts[index + 1 :]:
            mine, theirs = blocks(one.members), blocks(other.members)
            if one.author != other.author or min(len(mine), len(theirs)) < MIN_BLOCKS:
                continue
            labels, folds = _sides(len(mine), len(theirs))
            length = np.concatenate([markup.lengths(mine), markup.lengths(theirs)])
            found.append(
                {
                    "author": one.author,
                    "projects": [one.project, other.project],
                    "blocks": [len(mine), len(theirs)],
                    **_by_groups(markup, np.concatenate([markup.rates(mine), markup.rates(theirs)]), labels, folds),
                    "length": crossed(length, labels, folds),
                    "halves": [_halves(markup, mine), _halves(markup, theirs)],
                }
            )
    return found


def _halves(markup: Markup, members: np.ndarray) -> float | None:
    """Tell the two halves of one project's blocks apart; None with too few blocks."""
    if len(members) < 2 * MIN_BLOCKS:
        return None
    middle = len(members) // 2
    labels, folds = _sides(middle, len(members) - middle)
    return crossed(markup.rates(members), labels, folds)


def doubly_annotated(markup: Markup, pairs: list[Pair]) -> list[dict[str, Any]]:
    """Tell which of two projects annotated sentences that both have annotated; the words are the same.

    Three questions: about one sentence, about a block of sentences, and with both annotations of a block side by side,
    which of them is whose. Both annotations of a text are in one stretch, so that no text is learnt and told.
    """
    found = []
    for pair in pairs:
        grouped = blocks(pair.members)
        if len(grouped) < MIN_BLOCKS:
            continue
        one, other = pair.members[:, :1], pair.members[:, 1:]
        labels, folds = _sides(len(one), len(other))
        single = np.concatenate([markup.rates(one), markup.rates(other)])
        sides = [markup.rates(grouped[:, :, side]) for side in (0, 1)]
        block_labels, block_folds = _sides(len(grouped), len(grouped))
        equal = np.all(markup.counts[pair.members[:, 0]] == markup.counts[pair.members[:, 1]], axis=1)
        found.append(
            {
                "projects": [pair.project, pair.other_project],
                "sentences": len(pair.members),
                "same_markup": round(float(np.mean(equal)), DIGITS),
                "sentence": _by_groups(markup, single, labels, folds),
                "block": _by_groups(markup, np.concatenate(sides), block_labels, block_folds),
                "side_by_side": crossed(
                    np.concatenate([sides[0] - sides[1], sides[1] - sides[0]]), block_labels, block_folds
                ),
            }
        )
    return found
