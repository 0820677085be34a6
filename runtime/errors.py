"""The errors that a user can do something about; everything else is a fault of the program."""

from __future__ import annotations


class IngestError(Exception):
    """A run that cannot go on: the message says what was expected, what was found and what to do."""


class SettingsError(IngestError, ValueError):
    """A setting of the environment that means nothing: its name, what was expected, what was found."""


class FileError(Exception):
    """One input file that cannot be read at all; the other files go on.

    Attributes:
        expected: what a readable file would have had.
        found: what was there instead.
        line: line of the fault, 1 for the first, None when the fault has no place.
    """

    def __init__(self, expected: str, found: str, line: int | None = None) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected = expected
        self.found = found
        self.line = line
