"""Chance with the same digits on every machine: draws seeded by sha256, and the few distributions that are needed.

The draws are the raw words of PCG64, whose stream numpy guarantees; indices are made from them in whole numbers.
"""

from __future__ import annotations

import hashlib
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 917
"""The seed of the benchmark."""

DRAWS = 4000
"""Draws of a bootstrap: the limits then move by less than a hundredth of the width from seed to seed."""

LEVEL = 0.95
"""What every interval is meant to cover."""

MOST_EXACT = 16
"""Works up to which all sign flips are counted; beyond, so many are drawn as DRAWS_OF_FLIPS says."""

DRAWS_OF_FLIPS = 50_000


def words(purpose: str, count: int) -> NDArray[np.uint64]:
    """Return so many random words of 64 bits, the same for the same purpose.

    >>> [int(word) for word in words("test", 2) % np.uint64(100)]
    [20, 87]
    """
    digest = hashlib.sha256(f"{SEED}|{purpose}".encode()).digest()
    made: NDArray[np.uint64] = np.asarray(np.random.PCG64(int.from_bytes(digest, "big")).random_raw(count))
    return made


def indices(purpose: str, below: int, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return random whole numbers from 0 to below one under `below` (under 2**32), each as likely as the others."""
    high = words(purpose, math.prod(shape)) >> np.uint64(32)
    return ((high * np.uint64(below)) >> np.uint64(32)).astype(np.int64).reshape(shape)


def signs(purpose: str, shape: tuple[int, int]) -> NDArray[np.int8]:
    """Return random signs, -1 or 1."""
    bits = np.unpackbits(words(purpose, -(-math.prod(shape) // 64)).astype("<u8").view(np.uint8))
    return (bits[: math.prod(shape)].astype(np.int8) * 2 - 1).reshape(shape)


def limits(draws: NDArray[Any]) -> tuple[float, float]:
    """Return the limits that leave out an equal number of draws at either end."""
    ordered = np.sort(draws)
    out = math.floor(len(ordered) * (1 - LEVEL) / 2)
    return float(ordered[out]), float(ordered[len(ordered) - 1 - out])


@cache
def t_quantile(freedom: int, level: float = LEVEL) -> float:
    """Return the bound that a t variable stays within, on both sides, with this probability.

    >>> round(t_quantile(8), 3), round(t_quantile(10**6), 3)
    (2.306, 1.96)
    """
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        if 1 - _beta(freedom / (freedom + middle * middle), freedom / 2, 0.5) < level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d, value = 1.0, 0.0, 1.0
    for step in range(2000):
        half = step // 2
        if step == 0:
            factor = 1.0
        elif step % 2 == 0:
            factor = half * (b - half) * x / ((a + step - 1) * (a + step))
        else:
            factor = -(a + half) * (a + b + half) * x / ((a + step - 1) * (a + step))
        d = 1 / (1 + factor * d or tiny)
        c = 1 + factor / c or tiny
        value *= c * d
        if step and abs(1 - c * d) < 1e-15:
            break
    return front * (value - 1)


def wilson(right: float, count: float, z: float = 1.959963984540054) -> tuple[float, float]:
    """Return Wilson's limits of a share.

    >>> [round(limit, 4) for limit in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    share = right / count
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    low = 0.0 if right == 0 else min(centre - half, share)
    high = 1.0 if right == count else max(centre + half, share)
    return low, high


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided probability of so uneven a share of the rows in which one of two systems is right.

    >>> round(mcnemar(1, 9), 6)
    0.021484
    """
    count, few = only_first + only_second, min(only_first, only_second)
    if count == 0:
        return 1.0
    terms = (math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in range(few + 1))
    return min(1.0, 2 * math.fsum(math.exp(term - count * math.log(2)) for term in terms))


def sign_flips(purpose: str, differences: NDArray[np.float64]) -> float:
    """Return how probable a mean at least so far from nothing is when every difference is as likely of the other sign.

    All flips are counted up to MOST_EXACT works that differ; beyond, DRAWS_OF_FLIPS are drawn.
    """
    differing = differences[differences != 0]
    count = len(differing)
    if count == 0:
        return 1.0
    bound = abs(float(differing.sum())) - 1e-9
    if count <= MOST_EXACT:
        sums = np.zeros(1)
        for value in differing:
            sums = np.concatenate([sums - value, sums + value])
        return float(np.mean(np.abs(sums) >= bound))
    sums = signs(f"sign flips|{purpose}", (DRAWS_OF_FLIPS, count)) @ differing
    return float((1 + np.count_nonzero(np.abs(sums) >= bound)) / (1 + DRAWS_OF_FLIPS))


def holm(values: list[float]) -> list[float]:
    """Return probabilities corrected for their number, by the method of Holm.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=lambda place: (values[place], place))
    corrected, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, values[place] * (len(values) - rank)))
        corrected[place] = highest
    return corrected
