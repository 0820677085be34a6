"""Intervals: each is named by what is resampled, carries how many of these there are, and is never of zero width."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import chance
from .edition import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

FEWEST_WORKS = 5
"""Works from which an interval over works is given: with four the bound of t is above three standard errors, and one
odd work decides."""

NORMAL = 1.959963984540054
"""The bound that a normal variable stays within with the probability of an interval."""

TINY = 1e-18
"""Variance up to which values are equal but for rounding."""

SMALLEST_WIDTH = 1e-9
"""Width below which the limits of draws are equal but for rounding."""

WORKS = "works"
ROWS_OF_THESE = "rows of these works"
WORKS_OF_AUTHORS = "works inside authors"


def made(over: str, clusters: int, method: str, low: float, high: float) -> dict[str, Any]:
    """Return an interval as it is reported."""
    return {"over": over, "clusters": clusters, "method": method, "low": low, "high": high}


def refused(over: str, clusters: int, reason: str) -> dict[str, Any]:
    """Return what is reported where there can be no interval."""
    return {"over": over, "clusters": clusters, "method": None, "low": None, "high": None, "reason": reason}


def too_few(over: str, clusters: int) -> dict[str, Any]:
    """Return what is reported with fewer works than FEWEST_WORKS."""
    return refused(over, clusters, f"{clusters} works are too few for an interval: look at each of them")


def of_mean(purpose: str, right: NDArray[np.int64], count: NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return the intervals of a mean of shares over works.

    Args:
        purpose: names the draws.
        right: rows that are right, by work.
        count: rows, by work.

    Over works: t with one degree of freedom fewer than works; beside it the bootstrap of works. For these very works:
    the normal limits of what drawing rows inside each work would give. Where the works, or the rows inside them, do not
    differ at all, the variance is taken from shares with one more row right and one wrong, so that no interval has zero
    width.
    """
    clusters = len(count)
    if clusters < FEWEST_WORKS:
        return [too_few(WORKS, clusters)]
    shares = right / count
    smoothed = (right + 1) / (count + 2)
    inside = smoothed * (1 - smoothed) / count
    low, high = t_limits(shares, inside)
    intervals = [made(WORKS, clusters, "t", max(low, 0.0), min(high, 1.0))]
    means = shares[chance.indices(f"{purpose}|works", clusters, (chance.DRAWS, clusters))].mean(axis=1)
    low, high = chance.limits(means)
    if high > low:
        intervals.append(made(WORKS, clusters, "bootstrap of works", low, high))
    else:
        intervals.append(refused(WORKS, clusters, "the works do not differ: there is nothing to draw"))
    variance = np.where(count > 1, shares * (1 - shares) / np.maximum(count - 1, 1), inside)
    half = NORMAL * math.sqrt(float(variance.sum() or inside.sum())) / clusters
    mean = float(shares.mean())
    intervals.append(made(ROWS_OF_THESE, clusters, "normal", max(mean - half, 0.0), min(mean + half, 1.0)))
    return intervals


def of_mean_difference(
    differences: NDArray[np.float64], discordant: NDArray[np.int64], count: NDArray[np.int64]
) -> dict[str, Any]:
    """Return the interval over works of a mean of paired differences.

    Args:
        differences: of the shares of two systems, by work.
        discordant: rows in which one of the two is right, by work.
        count: rows, by work.
    """
    clusters = len(count)
    if clusters < FEWEST_WORKS:
        return too_few(WORKS, clusters)
    inside = (discordant + 1) / (count + 2) / count
    low, high = t_limits(differences, inside)
    return made(WORKS, clusters, "paired t", max(low, -1.0), min(high, 1.0))


def t_limits(values: NDArray[np.float64], inside: NDArray[np.float64]) -> tuple[float, float]:
    """Return the limits of t of a mean over works.

    Args:
        values: one per work.
        inside: the variance of each that comes from its rows, which counts where all values are equal.
    """
    clusters = len(values)
    mean = float(values.mean())
    variance = float(values.var(ddof=1)) / clusters
    if variance < TINY:
        variance = float(inside.sum()) / clusters**2
    half = chance.t_quantile(clusters - 1) * math.sqrt(variance)
    return mean - half, mean + half


def confusion(rows: Rows, label: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return rows by author and prediction; the last column counts abstentions."""
    known = len(rows.labels)
    flat = rows.truth * (known + 1) + np.where(label < 0, known, label)
    return np.bincount(flat, minlength=known * (known + 1)).reshape(known, known + 1)


def macro_f1(tables: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean F1 over all labels of one or many confusion tables; a label never predicted has F1 zero."""
    known = tables.shape[-2]
    right = np.diagonal(tables[..., :known], axis1=-2, axis2=-1)
    either = tables.sum(axis=-1) + tables[..., :known].sum(axis=-2)
    return np.asarray((2 * right / np.maximum(either, 1e-300)).mean(axis=-1))


def accuracy(tables: NDArray[Any]) -> NDArray[np.float64]:
    """Return the share of right rows of one or many confusion tables."""
    known = tables.shape[-2]
    return np.asarray(np.trace(tables[..., :known], axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1)))


def resampled(rows: Rows, labels: list[NDArray[np.int64]]) -> list[NDArray[np.float64]]:
    """Return drawn confusion tables of several systems, the same draws for all.

    Of each author one work fewer is drawn than he has, and counts so much more: with a few works each, drawing as many
    would make the spread too small (Rao and Wu 1988). Where an author has one work, rows are drawn inside it.
    """
    known = len(rows.labels)
    tables = [np.zeros((chance.DRAWS, known, known + 1)) for _ in labels]
    columns = [np.where(label < 0, known, label) for label in labels]
    for author, places, units in _by_author(rows):
        purpose = f"{rows.configuration}|{rows.split}|{rows.labels[author]}"
        if len(units) == 1:
            drawn, scale = _one_fewer(f"{purpose}|rows", len(places))
            start = np.arange(chance.DRAWS)[:, None] * (known + 1)
            for table, column in zip(tables, columns, strict=True):
                counts = np.bincount((start + column[places][drawn]).ravel(), minlength=chance.DRAWS * (known + 1))
                table[:, author] = counts.reshape(chance.DRAWS, known + 1) * scale
            continue
        drawn, scale = _one_fewer(f"{purpose}|works", len(units))
        weights = _weights(drawn, len(units)) * scale
        for table, column in zip(tables, columns, strict=True):
            table[:, author] = weights @ _by_unit(rows, places, units, column, known + 1)
    return tables


def swapped(rows: Rows, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return drawn differences of macro-F1 when in each work the two systems change places or not, at random."""
    known = len(rows.labels)
    tables = [np.zeros((chance.DRAWS, known, known + 1)) for _ in range(2)]
    columns = [np.where(label < 0, known, label) for label in (first, second)]
    for author, places, units in _by_author(rows):
        purpose = f"swap|{rows.configuration}|{rows.split}|{rows.labels[author]}"
        stays = (chance.signs(purpose, (chance.DRAWS, len(units))) > 0).astype(np.float64)
        counts = [_by_unit(rows, places, units, column, known + 1) for column in columns]
        tables[0][:, author] = stays @ counts[0] + (1 - stays) @ counts[1]
        tables[1][:, author] = stays @ counts[1] + (1 - stays) @ counts[0]
    return macro_f1(tables[0]) - macro_f1(tables[1])


def with_one_work(rows: Rows) -> int:
    """Return the number of authors whose rows are all of one unit: of them the interval knows nothing between works."""
    return sum(len(units) == 1 for _, _, units in _by_author(rows))


def of_draws(draws: NDArray[np.float64], value: float, rows: Rows) -> dict[str, Any]:
    """Return the interval of a figure from its draws over works inside authors.

    Where no draw differs, as with a system that is always right, Wilson's limits of a share among so many rows.
    """
    clusters = len(rows.units)
    if clusters < FEWEST_WORKS:
        return too_few(WORKS_OF_AUTHORS, clusters)
    low, high = chance.limits(draws)
    if high - low < SMALLEST_WIDTH:
        low, high = chance.wilson(value * len(rows.ids), len(rows.ids))
        return made(ROWS_OF_THESE, clusters, "Wilson, no draw differs", low, high)
    found = made(WORKS_OF_AUTHORS, clusters, "bootstrap", min(low, value), max(high, value))
    return {**found, "authors_with_one_work": with_one_work(rows)}


def of_drawn_differences(draws: NDArray[np.float64], value: float, rows: Rows) -> dict[str, Any]:
    """Return the interval of a paired difference from its draws over works inside authors."""
    clusters = len(rows.units)
    if clusters < FEWEST_WORKS:
        return too_few(WORKS_OF_AUTHORS, clusters)
    low, high = chance.limits(draws)
    if high - low < SMALLEST_WIDTH:
        bound = 1 - chance.wilson(len(rows.ids), len(rows.ids))[0]
        low, high = max(value - bound, -1.0), min(value + bound, 1.0)
        return made(ROWS_OF_THESE, clusters, "Wilson, no draw differs", low, high)
    found = made(WORKS_OF_AUTHORS, clusters, "paired bootstrap", min(low, value), max(high, value))
    return {**found, "authors_with_one_work": with_one_work(rows)}


def _by_author(rows: Rows) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    for author in range(len(rows.labels)):
        places = np.flatnonzero(rows.truth == author)
        if len(places):
            yield author, places, np.unique(rows.unit[places])


def _by_unit(
    rows: Rows, places: NDArray[np.int64], units: NDArray[np.int64], column: NDArray[np.int64], width: int
) -> NDArray[np.float64]:
    flat = np.searchsorted(units, rows.unit[places]) * width + column[places]
    return np.bincount(flat, minlength=len(units) * width).reshape(len(units), width).astype(np.float64)


def _one_fewer(purpose: str, count: int) -> tuple[NDArray[np.int64], float]:
    """Return draws of one fewer than there are, and what each counts."""
    taken = max(1, count - 1)
    return chance.indices(purpose, count, (chance.DRAWS, taken)), count / taken


def _weights(drawn: NDArray[np.int64], width: int) -> NDArray[np.float64]:
    count = len(drawn)
    flat = (np.arange(count)[:, None] * width + drawn).ravel()
    return np.bincount(flat, minlength=count * width).reshape(count, width).astype(np.float64)
