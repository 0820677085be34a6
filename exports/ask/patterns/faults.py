"""What is wrong with a request: the place, and what to write instead."""

from __future__ import annotations

from dataclasses import dataclass

from exports.warehouse import ExportError


@dataclass(frozen=True, order=True)
class Place:
    """Where something stands in a request, both counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        """Return the place as messages begin."""
        return f"line {self.line}, column {self.column}"


class RequestError(ExportError):
    """A request that cannot be run.

    Attributes:
        place: where the fault begins; None when it is none of the text.
        reason: what is wrong and what to write, without the place.
    """

    def __init__(self, reason: str, place: Place | None = None) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason
