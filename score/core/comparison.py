"""Two systems on the same rows: how far they are apart, and whether the works can tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import chance, figures, intervals
from .edition import Rows
from .faults import ScoreError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from score.core.predictions import Predictions

SIGNIFICANT = 0.05
"""Probability, after Holm, below which two systems are told apart."""


def compare(first: Predictions, second: Predictions) -> dict[str, Any]:
    """Return the comparison of two checked prediction files of the same rows.

    Raises:
        ScoreError: they are of different rows.
    """
    for name in ("configuration", "split"):
        if first.header[name] != second.header[name]:
            raise ScoreError(
                "comparison-same-rows",
                f"expected two systems on the same {name}, found {first.header[name]} of {first.system} "
                f"and {second.header[name]} of {second.system}",
            )
    record = {"system": first.system, "against": second.system, **difference(first.rows, first.label, second.label)}
    return dict(figures.rounded(record))


def difference(rows: Rows, first: NDArray[np.int64], second: NDArray[np.int64]) -> dict[str, Any]:
    """Return difference of the headline, its interval, the test over works, wins and losses, McNemar over rows."""
    is_first, is_second = first == rows.truth, second == rows.truth
    count = figures.count_by_unit(rows)
    gaps = (figures.right_by_unit(rows, first) - figures.right_by_unit(rows, second)) / count
    if rows.is_held_out:
        name, chosen = figures.headline_units(rows)
        discordant = np.bincount(rows.unit[is_first != is_second], minlength=len(count))
        value = float(gaps[chosen].mean())
        interval = intervals.of_mean_difference(gaps[chosen], discordant[chosen], count[chosen])
        probability = chance.sign_flips(f"{rows.configuration}|{rows.split}", gaps[chosen])
        test = "sign flips over works"
    else:
        name, chosen = "macro-F1", np.arange(len(count))
        tables = [intervals.confusion(rows, label) for label in (first, second)]
        value = float(intervals.macro_f1(tables[0]) - intervals.macro_f1(tables[1]))
        drawn = intervals.resampled(rows, [first, second])
        draws = intervals.macro_f1(drawn[0]) - intervals.macro_f1(drawn[1])
        interval = intervals.of_drawn_differences(draws, value, rows)
        apart = np.abs(intervals.swapped(rows, first, second)) >= abs(value) - 1e-9
        probability = float((1 + np.count_nonzero(apart)) / (1 + len(apart)))
        test = "systems swapped by work"
    if np.array_equal(first, second):
        interval = intervals.refused(interval["over"], len(chosen), "they predict the same in every row")
    only_first, only_second = int(np.sum(is_first & ~is_second)), int(np.sum(is_second & ~is_first))
    return {
        "configuration": rows.configuration,
        "split": rows.split,
        "headline": name,
        "difference": value,
        "interval": interval,
        "test": test,
        "works": len(chosen),
        "probability": probability,
        "wins": int(np.count_nonzero(gaps[chosen] > 0)),
        "losses": int(np.count_nonzero(gaps[chosen] < 0)),
        "by_work": [
            {"work": rows.units[place].name, "title": rows.units[place].title, "difference": float(gaps[place])}
            for place in chosen
        ],
        "mcnemar_for_these_works_only": {
            "only_system_right": only_first,
            "only_against_right": only_second,
            "probability": chance.mcnemar(only_first, only_second),
        },
    }


def correct(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return comparisons with the probability corrected for their number (Holm), and a verdict in words."""
    corrected = chance.holm([each["probability"] for each in found])
    return [
        {**each, "probability_holm": figures.rounded(value), "comparisons": len(found), "verdict": verdict(each, value)}
        for each, value in zip(found, corrected, strict=True)
    ]


def verdict(found: dict[str, Any], probability: float) -> str:
    """Say in words whether two systems are told apart: by the test, and by an interval that leaves out zero."""
    works = f"{found['works']} works"
    low, high = found["interval"]["low"], found["interval"]["high"]
    if low is None or low <= 0 <= high or probability >= SIGNIFICANT:
        return f"{found['system']} and {found['against']} cannot be told apart on {works}"
    better, worse = (found["system"], found["against"])[:: 1 if found["difference"] > 0 else -1]
    return f"{better} is better than {worse} on {works} by {abs(found['difference']):.3f}"
