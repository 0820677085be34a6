"""Verification as in the shared tasks of PAN: two chunks, one question, do they have one author.

The pairs of a split follow from the edition alone, so that whoever scores makes the same ones as whoever predicts. The
first chunk is of the split, the second of `train`, from another work; each first chunk stands in one pair of the same
author and in one of different authors.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import chance, figures, intervals
from .edition import SPLITS, Edition, is_held_out
from .faults import ScoreError, proposal
from .predictions import Line, check_header, match_ids

if TYPE_CHECKING:
    from numpy.typing import NDArray

MEASURES = ("auc", "c_at_1", "f_05_u", "brier")
"""Area under the curve, c@1 and F0.5u: the more the better; the Brier score is a loss."""


@dataclass(frozen=True)
class Pair:
    """Two rows, and whether they have one author; `work` is that of the first."""

    id: str
    first: str
    second: str
    work: str
    is_same: bool


def make_pairs(edition: Edition, configuration: str, split: str) -> list[Pair]:
    """Return the pairs of a split of a held-out track, in the order of their ids.

    Args:
        edition: the dataset.
        configuration: of a held-out track.
        split: the split of the first chunks.

    Raises:
        ScoreError: the configuration is none of a held-out track, or the split none of SPLITS.
    """
    edition.check_configuration(configuration)
    if not is_held_out(configuration.rpartition("_")[0]):
        raise ScoreError("pairs-held-out", f"expected a configuration of a held-out track, found {configuration}")
    if split not in SPLITS:
        raise ScoreError(
            "prediction-split", f"expected a split among {', '.join(SPLITS)}, found {split!r}{proposal(split, SPLITS)}"
        )
    known: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, author, work in _of_one_work(edition, configuration, "train"):
        known[author][work].append(name)
    pairs = []
    for name, author, work in _of_one_work(edition, configuration, split):
        others = sorted(each for each in known if each != author)
        other = others[_draw(f"author|{name}", len(others))]
        same = sorted(row for each, rows in known[author].items() if each != work for row in rows)
        if same:
            different = sorted(row for rows in known[other].values() for row in rows)
            pairs.append(_pair(name, same[_draw(f"same|{name}", len(same))], work, True))
            pairs.append(_pair(name, different[_draw(f"different|{name}", len(different))], work, False))
    return sorted(pairs, key=lambda pair: pair.id)


def _of_one_work(edition: Edition, configuration: str, split: str) -> list[tuple[str, str, str]]:
    edition.check_files(configuration, split)
    columns = edition.read(configuration, split, ("id", "author", "canonical_work"))
    rows = zip(columns["id"], columns["author"], columns["canonical_work"], strict=True)
    return sorted((name, author, work) for name, author, work in rows if work is not None)


def _draw(purpose: str, below: int) -> int:
    return int(hashlib.sha256(f"{chance.SEED}|pairs|{purpose}".encode()).hexdigest(), 16) % below


def _pair(first: str, second: str, work: str, is_same: bool) -> Pair:
    name = hashlib.sha256(f"{first}|{second}".encode()).hexdigest()[:16]
    return Pair(f"p-{name}", first, second, work, is_same)


def score_pairs(header: dict[str, Any], lines: list[Line], edition: Edition, is_missing_wrong: bool) -> dict[str, Any]:
    """Return PAN's measures of a prediction file of pairs; a value of one half, or null, is no answer.

    Raises:
        ScoreError: a check failed.
    """
    check_header(header, edition)
    split = header["split"].removeprefix("pairs/")
    pairs = make_pairs(edition, header["configuration"], split)
    ids = [pair.id for pair in pairs]
    found = match_ids(lines, ids, is_missing_wrong, f"the pairs of {header['configuration']}/{split}")
    truth = np.array([pair.is_same for pair in pairs])
    values = np.array([_value(found.get(pair.id), pair.is_same) for pair in pairs])
    works = sorted({pair.work for pair in pairs})
    work = np.array([works.index(pair.work) for pair in pairs])
    counts, concordant = _tables(truth, values, work, len(works))
    once = np.ones((1, len(works)))
    measured = _measures(once, counts, concordant)
    drawn = chance.indices(f"pairs|{header['configuration']}|{split}", len(works), (chance.DRAWS, len(works)))
    start = np.arange(chance.DRAWS)[:, None] * len(works)
    weights = np.bincount((start + drawn).ravel(), minlength=chance.DRAWS * len(works))
    draws = _measures(weights.reshape(chance.DRAWS, len(works)).astype(np.float64), counts, concordant)
    record = {
        "format": figures.FORMAT,
        **{name: header.get(name) for name in figures.HEADER},
        "pairs": len(pairs),
        "missing": len(pairs) - len(found),
        "unanswered": int(np.count_nonzero(values == 0.5)),
        "works": len(works),
        **{
            name: {"value": float(measured[name][0]), "intervals": [_interval(draws[name], len(works))]}
            for name in MEASURES
        },
    }
    return dict(figures.rounded(record))


def _value(line: Line | None, is_same: bool) -> float:
    if line is None:
        return 0.0 if is_same else 1.0
    return 0.5 if line.value is None else line.value


def _interval(draws: NDArray[np.float64], works: int) -> dict[str, Any]:
    if works < intervals.FEWEST_WORKS:
        return intervals.too_few(intervals.WORKS, works)
    low, high = chance.limits(draws)
    if high > low:
        return intervals.made(intervals.WORKS, works, "bootstrap of works", low, high)
    return intervals.refused(intervals.WORKS, works, "the works do not differ: there is nothing to draw")


def _tables(
    truth: NDArray[np.bool_], values: NDArray[np.float64], work: NDArray[np.int64], works: int
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.float64]]:
    """Return what the measures are made of: counts by work, and pairs of pairs in the right order by two works."""
    marks = {
        "same": truth,
        "different": ~truth,
        "hit": truth & (values > 0.5),
        "false": ~truth & (values > 0.5),
        "missed": truth & (values < 0.5),
        "unanswered": values == 0.5,
        "right": np.where(truth, values > 0.5, values < 0.5),
        "loss": (values - truth) ** 2,
    }
    counts = {
        name: np.asarray(np.bincount(work, weights=mark.astype(np.float64), minlength=works), dtype=np.float64)
        for name, mark in marks.items()
    }
    concordant = np.zeros((works, works))
    for place in range(works):
        negative = np.sort(values[~truth & (work == place)])
        positive = values[truth]
        below = np.searchsorted(negative, positive, side="left")
        upto = np.searchsorted(negative, positive, side="right")
        concordant[:, place] = np.bincount(work[truth], weights=(below + upto) / 2, minlength=works)
    return counts, concordant


def _measures(
    weights: NDArray[np.float64], counts: dict[str, NDArray[np.float64]], concordant: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    total = {name: weights @ count for name, count in counts.items()}
    rows = total["same"] + total["different"]
    hits = 1.25 * total["hit"]
    return {
        "auc": ((weights @ concordant) * weights).sum(axis=1) / (total["same"] * total["different"]),
        "c_at_1": (total["right"] + total["unanswered"] * total["right"] / rows) / rows,
        "f_05_u": hits / np.maximum(hits + 0.25 * (total["missed"] + total["unanswered"]) + total["false"], 1e-300),
        "brier": total["loss"] / rows,
    }
