"""Repeatable choices: every draw comes from sha256 of a key and a counter, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A stream of draws named by a key. Two dice with one key give the same draws in the same order."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._counter = 0
        self._buffer = b""
        self._position = 0

    def below(self, limit: int) -> int:
        """Draw a whole number from 0 to limit - 1 (two bytes per draw; limit at most 65536)."""
        if self._position >= len(self._buffer):
            self._buffer = sha256(f"{self._key}|{self._counter}".encode()).digest()
            self._counter += 1
            self._position = 0
        start = self._position
        self._position = start + 2
        return int.from_bytes(self._buffer[start : start + 2], "big") % limit

    def chance(self, percent: int) -> bool:
        """Say yes in `percent` of a hundred draws."""
        return self.below(100) < percent

    def choice(self, items: Sequence[T]) -> T:
        """Draw one item, each as likely as the others."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[tuple[T, int]]) -> T:
        """Draw one item by its weight."""
        point = self.below(sum(weight for _, weight in items))
        for item, weight in items:
            if point < weight:
                return item
            point -= weight
        raise AssertionError("weights do not add up")
