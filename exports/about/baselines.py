"""The stored baselines as values for the card and the figures: what the scorer says of them, read once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from score.core.comparison import SIGNIFICANT
from score.core.edition import ROTATION, is_held_out

FLOOR = "markup-conllu_human"
"""The floor as a system: the baseline that sees the human annotation alone."""


@dataclass(frozen=True)
class Figure:
    """A mean over works, or macro-F1, with its interval where there are works enough."""

    value: float
    low: float | None
    high: float | None
    works: int


@dataclass(frozen=True)
class WorkShare:
    """Right rows of one test work, or of one author's rows of several works."""

    author: str
    title: str
    group: str | None
    rows: int
    right: int


@dataclass(frozen=True)
class Baseline:
    """One stored prediction file, scored.

    Attributes:
        system: name with input, as its folder is called.
        name: name of the baseline.
        looks_at: column that it looks at, None for nothing.
        configuration: for example `work_held_out_10`.
        split: test or rotation.
        headline: what the scorer's headline of these rows is: macro-F1, mean over works, mean over rival works.
        figure: its value.
        everything: mean over all works on held-out tracks, else None.
        rivals: mean over works with a rival where the track tells them apart.
        singletons: mean over the other works there.
        above_floor: paired distance of the headline from the floor, None where it is not known.
        works: right rows by work.
        recall: share of right rows by author, of the authors with rows.
        confusion: rows by author and prediction, in the order of `labels`; the last column counts abstentions.
        labels: the authors of the configuration.
    """

    system: str
    name: str
    looks_at: str | None
    configuration: str
    split: str
    headline: str
    figure: Figure
    everything: Figure | None
    rivals: Figure | None
    singletons: Figure | None
    above_floor: Figure | None
    works: Sequence[WorkShare]
    recall: Mapping[str, float]
    confusion: Sequence[Sequence[int]]
    labels: Sequence[str]


@dataclass(frozen=True)
class Comparison:
    """A system beside the best one of the same rows.

    Attributes:
        configuration: for example `work_held_out_10`.
        split: test or rotation.
        best: system with the highest headline.
        other: the system that it is compared with.
        difference: of the headline.
        half_width: of the paired 95 % interval, None where there is none.
        is_told_apart: by the test, corrected for the number of systems, and by the interval.
        works: works of the comparison.
    """

    configuration: str
    split: str
    best: str
    other: str
    difference: float
    half_width: float | None
    is_told_apart: bool
    works: int


@dataclass(frozen=True)
class Luck:
    """What a difference from the best baseline has to be on these rows.

    Attributes:
        configuration: for example `work_held_out_10`.
        split: test or rotation.
        works: works of the comparison.
        best: system with the highest headline.
        narrowest: the smallest half width of a paired interval.
        middle: the median one.
        widest: the largest.
        tied: systems that the works cannot tell from the best.
    """

    configuration: str
    split: str
    works: int
    best: str
    narrowest: float
    middle: float
    widest: float
    tied: Sequence[str]


@dataclass(frozen=True)
class Baselines:
    """All stored baselines of an edition."""

    scores: Sequence[Baseline]
    comparisons: Sequence[Comparison]

    def of(self, configuration: str, split: str = "test") -> list[Baseline]:
        """Return the baselines on these rows, the best first."""
        found = [one for one in self.scores if (one.configuration, one.split) == (configuration, split)]
        return sorted(found, key=lambda one: (-one.figure.value, one.system))

    def one(self, system: str, configuration: str, split: str = "test") -> Baseline | None:
        """Return a baseline on these rows, None where it is not stored."""
        return next((one for one in self.of(configuration, split) if one.system == system), None)

    def ranked_by(self, configuration: str) -> str:
        """Return the split by which a configuration is ranked: the rotation on held-out tracks that have one."""
        return (
            ROTATION if is_held_out(configuration.rpartition("_")[0]) and self.of(configuration, ROTATION) else "test"
        )

    def luck(self, configuration: str, split: str) -> Luck | None:
        """Return what a difference has to be on these rows; None where no interval says so."""
        mine = [one for one in self.comparisons if (one.configuration, one.split) == (configuration, split)]
        widths = [one.half_width for one in mine if one.half_width is not None]
        if not widths:
            return None
        tied = [one.other for one in mine if not one.is_told_apart]
        first = mine[0]
        return Luck(
            configuration, split, first.works, first.best, min(widths), float(median(widths)), max(widths), tied
        )


def read_baselines(found: Mapping[str, Any] | None) -> Baselines | None:
    """Return the scores of the stored baselines as values; None where none are stored.

    Args:
        found: what `metadata/baselines/scores.json` holds.
    """
    if found is None:
        return None
    return Baselines(
        tuple(_baseline(record) for record in found["scores"]),
        tuple(_comparison(record) for record in found["against_the_best"]),
    )


def _figure(record: Mapping[str, Any] | None) -> Figure | None:
    if record is None:
        return None
    interval = record["intervals"][0]
    return Figure(record["value"], interval["low"], interval["high"], interval["clusters"])


def _baseline(record: Mapping[str, Any]) -> Baseline:
    means = record["mean_over_works"] or {}
    floor = record["above_floor"]
    figure = _figure(record["headline"])
    assert figure is not None
    (looks_at,) = record["inputs"] or (None,)
    return Baseline(
        system=record["system"],
        name=record["system"].partition("-")[0],
        looks_at=looks_at,
        configuration=record["configuration"],
        split=record["split"],
        headline=record["headline"]["name"],
        figure=figure,
        everything=_figure(means.get("all")),
        rivals=_figure(means.get("rival")),
        singletons=_figure(means.get("singleton")),
        above_floor=floor
        and Figure(floor["difference"], floor["interval"]["low"], floor["interval"]["high"], floor["works"]),
        works=tuple(
            WorkShare(row["author"], row["title"], row["group"], row["rows"], row["right"]) for row in record["works"]
        ),
        recall={row["author"]: row["recall"] for row in record["authors"] if row["rows"]},
        confusion=record["confusion"]["rows_true_columns_predicted_last_none"],
        labels=record["confusion"]["labels"],
    )


def _comparison(record: Mapping[str, Any]) -> Comparison:
    low, high = record["interval"]["low"], record["interval"]["high"]
    is_apart = low is not None and not low <= 0 <= high and record["probability_holm"] < SIGNIFICANT
    return Comparison(
        record["configuration"],
        record["split"],
        record["system"],
        record["against"],
        record["difference"],
        None if low is None else (high - low) / 2,
        is_apart,
        record["works"],
    )


def mean(values: Iterable[float]) -> float | None:
    """Return a mean, None of nothing.

    >>> mean([0.25, 0.75]), mean([])
    (0.5, None)
    """
    found = list(values)
    return sum(found) / len(found) if found else None
