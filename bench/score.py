"""What the intervals and tests of the scorer are worth, on simulated works of which the truth is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from score.core import chance, comparison, intervals
from score.core.edition import Rows, Unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS_OF_WORKS = (46, 14, 91, 30, 43, 5, 12, 25, 18, 65, 42)
"""Rows of ten sentences in the test works of `work_held_out_10`, which the simulated works have in turn."""

WORKS = (5, 9, 11, 45)
"""Works of a track: the fewest with an interval, rivals, all, the rotation."""

MEANS = (0.5, 0.7, 0.9)

SPREADS = (0.0, 0.1, 0.2, 0.3)
"""Standard deviation of the shares of works about their mean; n-grams of characters have 0.3 on held-out works."""


@dataclass(frozen=True)
class Coverage:
    """How often an interval has covered the truth.

    Attributes:
        of: what was covered.
        works: works of a simulation.
        mean: true mean.
        spread: true standard deviation between works.
        by: share of the simulations, by kind of interval.
    """

    of: str
    works: int
    mean: float
    spread: float
    by: dict[str, float]


def shares(random: np.random.Generator, works: int, mean: float, spread: float) -> NDArray[np.float64]:
    """Return true shares of works: of a beta distribution with this mean and standard deviation."""
    if spread == 0:
        return np.full(works, mean)
    most = 0.999 * mean * (1 - mean)
    strength = mean * (1 - mean) / min(spread**2, most) - 1
    return random.beta(mean * strength, (1 - mean) * strength, works)


def cover_mean(works: int, mean: float, spread: float, times: int, seed: int = 0) -> Coverage:
    """Return how often the intervals of a mean over works cover it.

    Over works, the truth is the mean of the population of works; over rows, that of the works which were drawn.
    """
    random = np.random.default_rng([seed, works, round(100 * mean), round(100 * spread)])
    count = np.resize(ROWS_OF_WORKS, works)
    hits = {"t": 0, "bootstrap of works": 0, "normal": 0}
    for number in range(times):
        true = shares(random, works, mean, spread)
        right = random.binomial(count, true)
        for found in intervals.of_mean(f"{seed}|{number}", right, count):
            if found["low"] is not None:
                truth = mean if found["over"] == intervals.WORKS else float(true.mean())
                hits[found["method"]] += found["low"] <= truth <= found["high"]
    return Coverage("mean over works", works, mean, spread, {name: hit / times for name, hit in hits.items()})


def cover_by_t(works: int, mean: float, spread: float, times: int, seed: int) -> float:
    """Return how often the interval that is printed first, t over works, covers the mean of the population of works."""
    random = np.random.default_rng([seed, works, round(100 * mean), round(100 * spread)])
    count = np.resize(ROWS_OF_WORKS, works)
    hits = 0
    for _ in range(times):
        right = random.binomial(count, shares(random, works, mean, spread))
        smoothed = (right + 1) / (count + 2)
        low, high = intervals.t_limits(right / count, smoothed * (1 - smoothed) / count)
        hits += low <= mean <= high
    return hits / times


def coverage_table(times: int, seed: int) -> str:
    """Return how often t over works covers, as CSV: `score/coverage.csv`, which the card quotes.

    Args:
        times: simulations of each kind.
        seed: of the simulations; another one is another check.
    """
    lines = ["works,mean,spread,times,seed,coverage"]
    lines += [
        f"{works},{mean},{spread},{times},{seed},{cover_by_t(works, mean, spread, times, seed):.3f}"
        for works in WORKS
        for mean in MEANS
        for spread in SPREADS
    ]
    return "\n".join(lines) + "\n"


def drawn_rows(works_of_author: int, authors: int, rows: int) -> Rows:
    """Return rows of an in-work split: so many authors with so many works of so many rows."""
    works = authors * works_of_author
    unit = np.repeat(np.arange(works), rows)
    truth = unit // works_of_author
    nothing = np.zeros(len(unit), dtype=np.bool_)
    return Rows(
        configuration="simulated",
        split="test",
        is_held_out=False,
        labels=[f"author {place}" for place in range(authors)],
        majority=0,
        ids=[str(place) for place in range(len(unit))],
        truth=truth,
        unit=unit,
        units=[Unit(str(place), str(place), place // works_of_author, None) for place in range(works)],
        words=np.ones(len(unit), dtype=np.int64),
        mixed=nothing,
        noted=nothing,
    )


def predicted(random: np.random.Generator, rows: Rows, mean: float, spread: float) -> NDArray[np.int64]:
    """Return labels that are right with a share of the work, and else any other."""
    true = shares(random, len(rows.units), mean, spread)
    wrong = (rows.truth + random.integers(1, len(rows.labels), len(rows.truth))) % len(rows.labels)
    return np.where(random.random(len(rows.truth)) < true[rows.unit], rows.truth, wrong)


def cover_macro_f1(works_of_author: int, mean: float, spread: float, times: int, seed: int = 0) -> Coverage:
    """Return how often the interval over works inside authors covers the macro-F1 of endless works."""
    random = np.random.default_rng([seed, works_of_author, round(100 * mean), round(100 * spread)])
    rows = drawn_rows(works_of_author, 6, 12)
    # With equal authors and errors that fall on all others alike, precision and recall are the share of right rows.
    hits = 0
    for _ in range(times):
        label = predicted(random, rows, mean, spread)
        value = float(intervals.macro_f1(intervals.confusion(rows, label)))
        draws = intervals.macro_f1(intervals.resampled(rows, [label])[0])
        found = intervals.of_draws(draws, value, rows)
        hits += found["low"] <= mean <= found["high"]
    return Coverage("macro-F1", len(rows.units), mean, spread, {"bootstrap": hits / times})


def size_of_sign_flips(works: int, spread: float, times: int, seed: int = 0) -> float:
    """Return how often the test tells apart two systems that are equally good."""
    random = np.random.default_rng([seed, works, round(100 * spread), 1])
    count = np.resize(ROWS_OF_WORKS, works)
    told = 0
    for _ in range(times):
        first, second = (random.binomial(count, shares(random, works, 0.7, spread)) / count for _ in range(2))
        told += chance.sign_flips("simulated", first - second) < comparison.SIGNIFICANT
    return told / times


def size_of_swaps(spread: float, times: int, seed: int = 0) -> float:
    """Return how often the test of macro-F1 tells apart two systems that are equally good."""
    random = np.random.default_rng([seed, round(100 * spread), 2])
    rows = drawn_rows(4, 6, 12)
    told = 0
    for _ in range(times):
        first, second = (predicted(random, rows, 0.7, spread) for _ in range(2))
        value = intervals.macro_f1(intervals.confusion(rows, first)) - intervals.macro_f1(
            intervals.confusion(rows, second)
        )
        apart = np.abs(intervals.swapped(rows, first, second)) >= abs(float(value)) - 1e-9
        told += int((1 + np.count_nonzero(apart)) / (1 + len(apart)) < comparison.SIGNIFICANT)
    return told / times


def measure(times: int) -> str:
    """Return a table of coverages and sizes.

    Args:
        times: simulations of each kind; of macro-F1 a quarter.
    """
    lines = [f"{'what':<24}{'works':>6}{'mean':>7}{'spread':>8}  coverage of 95 % intervals"]
    found: list[Coverage] = [
        cover_mean(works, mean, spread, times) for works in WORKS for mean in MEANS for spread in SPREADS
    ]
    fewer = max(1, times // 4)
    found += [cover_macro_f1(works, 0.7, spread, fewer) for works in (1, 3, 10) for spread in SPREADS[1:]]
    for row in found:
        told: list[Any] = [f"{name} {100 * share:.1f} %" for name, share in row.by.items()]
        lines.append(f"{row.of:<24}{row.works:>6}{row.mean:>7}{row.spread:>8}  {', '.join(told)}")
    lines.append("size of the tests at 0.05, two systems that are equally good")
    for works in WORKS:
        sizes = [f"spread {spread}: {100 * size_of_sign_flips(works, spread, times):.1f} %" for spread in SPREADS]
        lines.append(f"{'sign flips over works':<24}{works:>6}  {', '.join(sizes)}")
    sizes = [f"spread {spread}: {100 * size_of_swaps(spread, fewer):.1f} %" for spread in SPREADS]
    lines.append(f"{'systems swapped by work':<24}{24:>6}  {', '.join(sizes)}")
    return "\n".join(lines)
