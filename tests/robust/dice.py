"""Choices that are the same on every machine and in every run: a case is known by its name alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")
SEED = 917


class Dice:
    """Draws that follow from a name, such as ``native 4711``."""

    def __init__(self, name: str, seed: int = SEED) -> None:
        self.name = name
        digest = sha256(f"{seed}|{name}".encode()).digest()
        # Only `random()` is promised to give the same numbers in every version of Python; all draws are made of it.
        self.random = random.Random(int.from_bytes(digest[:16], "big")).random

    def below(self, stop: int) -> int:
        """Return a whole number from 0 to ``stop`` - 1; 0 when there is none."""
        return int(self.random() * stop) if stop > 0 else 0

    def between(self, first: int, last: int) -> int:
        """Return a whole number from ``first`` to ``last``."""
        return first + self.below(last - first + 1)

    def one(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[self.below(len(choices))]

    def chance(self, share: float) -> bool:
        """Return True in this share of the draws."""
        return self.random() < share

    def place(self, choices: Sequence[object], extra: int = 0) -> int:
        """Return an index into the choices, or up to ``extra`` beyond the last."""
        return self.below(len(choices) + extra)
