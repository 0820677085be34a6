"""All figures of one system on one split, as one record that JSON can hold."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from . import intervals
from .edition import HELD_OUT, Rows
from .predictions import Predictions

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "sphragis-scores-1"

DIGITS = 6
"""Digits after the point: fewer than those in which machines differ."""

LENGTH_GROUPS = 4
"""Groups of equal size that the rows are divided into by their words."""

BINS = 10
"""Bins of equal width of the calibration error."""

COVERAGES = (0.25, 0.5, 0.75, 1.0)
"""Shares of the rows, the surest first, whose error is given."""

LEAST_SCORE = 1e-15
"""What a score counts at least in the log loss, so that one row cannot make it infinite."""


def score(predictions: Predictions) -> dict[str, Any]:
    """Return all figures of a prediction file that is checked."""
    rows = predictions.rows
    record = {
        "format": FORMAT,
        **{name: predictions.header.get(name) for name in HEADER},
        "predictions_sha256": checksum(predictions),
        "rows": len(rows.ids),
        "missing": predictions.missing,
        "abstained": int(np.count_nonzero(predictions.label < 0)) - predictions.missing,
        **_figures(rows, predictions.label),
        "chance": {"accuracy": 1 / len(rows.labels), "labels": len(rows.labels)},
        "majority": _majority(rows),
        "c_at_1": c_at_1(rows, predictions.label),
        "authors": _authors(rows, predictions.label),
        "works": _works(rows, predictions.label),
        "confusion": {
            "labels": rows.labels,
            "rows_true_columns_predicted_last_none": intervals.confusion(rows, predictions.label).tolist(),
        },
        "by_length": _by_length(rows, predictions.label),
        "mixed_chunks": _part(rows, predictions.label, rows.mixed),
        "without_noted_passages": _without_noted(rows, predictions.label),
        "probabilities": _probabilities(rows, predictions.scores),
    }
    return dict(rounded(record))


HEADER = (
    *("edition", "configuration", "split", "system", "inputs", "trained_on", "selected_on"),
    *("pretrained", "seed", "url", "combines"),
)
"""What a record repeats of the header."""


def rounded(value: Any) -> Any:
    """Return a record with its numbers rounded to DIGITS."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(each) for each in value]
    if isinstance(value, (float, np.floating)):
        return round(float(value), DIGITS) + 0.0
    return int(value) if isinstance(value, np.integer) else value


def checksum(predictions: Predictions) -> str:
    """Return the checksum of what is predicted, in the order of the ids: lines in another order have the same."""
    digest = hashlib.sha256()
    for name, label in zip(predictions.rows.ids, predictions.label, strict=True):
        digest.update(f"{name}\t{predictions.rows.labels[label] if label >= 0 else ''}\n".encode())
    if predictions.scores is not None:
        digest.update(np.round(predictions.scores, 9).astype("<f8").tobytes())
    return digest.hexdigest()


def right_by_unit(rows: Rows, label: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the right rows of every unit."""
    return np.bincount(rows.unit[label == rows.truth], minlength=len(rows.units))


def count_by_unit(rows: Rows) -> NDArray[np.int64]:
    """Return the rows of every unit."""
    return np.bincount(rows.unit, minlength=len(rows.units))


def headline_units(rows: Rows) -> tuple[str, NDArray[np.int64]]:
    """Return the name of the headline of a held-out track, and the works that it is the mean of.

    Rivals where the track tells rivals from singletons and has both, else all.
    """
    rivals = [place for place, unit in enumerate(rows.units) if unit.group == "rival"]
    if rows.configuration.rpartition("_")[0] == HELD_OUT and 0 < len(rivals) < len(rows.units):
        return "mean over rival works", np.array(rivals)
    return "mean over works", np.arange(len(rows.units))


def headline(rows: Rows, label: NDArray[np.int64]) -> float:
    """Return the headline alone: the mean over works on held-out tracks, else macro-F1."""
    if rows.is_held_out:
        chosen = headline_units(rows)[1]
        return float((right_by_unit(rows, label) / count_by_unit(rows))[chosen].mean())
    return float(intervals.macro_f1(intervals.confusion(rows, label)))


def _figures(rows: Rows, label: NDArray[np.int64]) -> dict[str, Any]:
    """Return the headline, accuracy and macro-F1, and on held-out tracks the means over works, with intervals."""
    table = intervals.confusion(rows, label)
    accuracy, macro_f1 = float(intervals.accuracy(table)), float(intervals.macro_f1(table))
    if rows.is_held_out:
        means = _means(rows, label)
        name = headline_units(rows)[0]
        best = means["rival" if name == "mean over rival works" else "all"]
        return {
            "headline": {"name": name, **best},
            "accuracy": {"value": accuracy},
            "macro_f1": {"value": macro_f1},
            "mean_over_works": means,
        }
    (draws,) = intervals.resampled(rows, [label])
    clusters = len(rows.units)
    of_f1 = {"value": macro_f1, "intervals": [intervals.of_draws(intervals.macro_f1(draws), macro_f1, rows)]}
    of_accuracy = {"value": accuracy, "intervals": [intervals.of_draws(intervals.accuracy(draws), accuracy, rows)]}
    return {
        "headline": {"name": "macro-F1", "works": clusters, **of_f1},
        "accuracy": of_accuracy,
        "macro_f1": of_f1,
        "mean_over_works": None,
    }


def _means(rows: Rows, label: NDArray[np.int64]) -> dict[str, Any]:
    right, count = right_by_unit(rows, label), count_by_unit(rows)
    groups = [unit.group for unit in rows.units]
    found: dict[str, Any] = {}
    for name in ("rival", "singleton", "all"):
        chosen = np.array([place for place, group in enumerate(groups) if name in ("all", group)], dtype=np.int64)
        if len(chosen) == 0:
            found[name] = None
            continue
        purpose = f"{rows.configuration}|{rows.split}|{name}"
        found[name] = {
            "value": float((right[chosen] / count[chosen]).mean()),
            "works": len(chosen),
            "intervals": intervals.of_mean(purpose, right[chosen], count[chosen]),
        }
    if rows.split == "rotation":
        authors = np.array([unit.author for unit in rows.units])
        each = [float((right / count)[authors == author].mean()) for author in np.unique(authors)]
        found["mean_over_authors"] = {"value": float(np.mean(each)), "authors": len(each)}
    return found


def _majority(rows: Rows) -> dict[str, Any]:
    constant = np.full(len(rows.ids), rows.majority, dtype=np.int64)
    table = intervals.confusion(rows, constant)
    return {
        "label": rows.labels[rows.majority],
        "accuracy": float(intervals.accuracy(table)),
        "macro_f1": float(intervals.macro_f1(table)),
        "headline": headline(rows, constant),
    }


def c_at_1(rows: Rows, label: NDArray[np.int64]) -> float:
    """Return c@1 (Peñas and Rodrigo 2011): an abstention counts as much as the rows that were answered are right."""
    count = len(rows.ids)
    right, none = int(np.count_nonzero(label == rows.truth)), int(np.count_nonzero(label < 0))
    return (right + none * right / count) / count


def _authors(rows: Rows, label: NDArray[np.int64]) -> list[dict[str, Any]]:
    table = intervals.confusion(rows, label)
    found = []
    for place, author in enumerate(rows.labels):
        right, true, predicted = int(table[place, place]), int(table[place].sum()), int(table[:, place].sum())
        found.append(
            {
                "author": author,
                "rows": true,
                "predicted": predicted,
                "precision": right / predicted if predicted else None,
                "recall": right / true if true else None,
                "f1": 2 * right / (true + predicted) if true + predicted else 0.0,
            }
        )
    return found


def _works(rows: Rows, label: NDArray[np.int64]) -> list[dict[str, Any]]:
    right, count = right_by_unit(rows, label), count_by_unit(rows)
    return [
        {
            "author": rows.labels[unit.author],
            "work": unit.name,
            "title": unit.title,
            "group": unit.group,
            "rows": int(count[place]),
            "right": int(right[place]),
            "accuracy": float(right[place] / count[place]),
        }
        for place, unit in enumerate(rows.units)
    ]


def _part(rows: Rows, label: NDArray[np.int64], chosen: NDArray[np.bool_]) -> dict[str, Any] | None:
    count = int(np.count_nonzero(chosen))
    if count == 0:
        return None
    return {"rows": count, "accuracy": float(np.mean(label[chosen] == rows.truth[chosen]))}


def _by_length(rows: Rows, label: NDArray[np.int64]) -> list[dict[str, Any]]:
    order = np.lexsort((np.arange(len(rows.ids)), rows.words))
    found = []
    for places in np.array_split(order, LENGTH_GROUPS):
        if len(places):
            found.append(
                {
                    "words_from": int(rows.words[places[0]]),
                    "words_to": int(rows.words[places[-1]]),
                    "rows": len(places),
                    "accuracy": float(np.mean(label[places] == rows.truth[places])),
                }
            )
    return found


def _without_noted(rows: Rows, label: NDArray[np.int64]) -> dict[str, Any] | None:
    """Return the headline without rows that have a passage of disputed authenticity, and how many these are.

    None where there is no such row, or no other.
    """
    kept = np.flatnonzero(~rows.noted)
    if len(kept) == len(rows.ids) or len(kept) == 0:
        return None
    known, unit = np.unique(rows.unit[kept], return_inverse=True)
    part = Rows(
        **{
            **{name: getattr(rows, name) for name in ("configuration", "split", "is_held_out", "labels", "majority")},
            **{name: getattr(rows, name)[kept] for name in ("truth", "words", "mixed", "noted")},
            "ids": [rows.ids[place] for place in kept],
            "unit": unit,
            "units": [rows.units[place] for place in known],
        }
    )
    return {
        "rows": len(kept),
        "noted_rows": len(rows.ids) - len(kept),
        "headline": headline(part, label[kept]),
        "accuracy": float(np.mean(label[kept] == part.truth)),
    }


def _probabilities(rows: Rows, scores: NDArray[np.float64] | None) -> dict[str, Any] | None:
    """Return what the scores are worth: log loss, Brier, calibration error, and the error of the surest rows."""
    if scores is None:
        return None
    count = len(rows.ids)
    of_truth = scores[np.arange(count), rows.truth]
    target = np.zeros_like(scores)
    target[np.arange(count), rows.truth] = 1
    sure, right = scores.max(axis=1), scores.argmax(axis=1) == rows.truth
    bins = np.minimum((sure * BINS).astype(np.int64), BINS - 1)
    gaps = [abs(float(sure[bins == place].sum()) - int(right[bins == place].sum())) for place in range(BINS)]
    order = np.lexsort((np.arange(count), -sure))
    errors = np.cumsum(~right[order]) / np.arange(1, count + 1)
    return {
        "log_loss": float(-np.log(np.maximum(of_truth, LEAST_SCORE)).mean()),
        "brier": float(((scores - target) ** 2).sum(axis=1).mean()),
        "calibration_error": sum(gaps) / count,
        "area_under_risk": float(errors.mean()),
        "risk": [{"coverage": share, "error": float(errors[max(1, round(share * count)) - 1])} for share in COVERAGES],
    }
