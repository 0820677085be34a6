"""JSON that somebody else wrote: its parts are asked for by shape; what has another one is noted and passed over."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, TypeVar

from ingest.readers.records import Reject, nothing_lost
from runtime.errors import FileError

T = TypeVar("T")

_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "a truth value",
    int: "a number",
    float: "a number",
}
# Signs that no text of a table may hold: control characters and halves of surrogate pairs.
_NO_TEXT = frozenset(map(chr, [*range(32), *range(0xD800, 0xE000)]))


class Shapes:
    """One JSON file while it is read.

    Attributes:
        faults: how often a part at a place has another shape, by what was expected and what was found.
    """

    def __init__(self) -> None:
        self.faults: Counter[tuple[str, str]] = Counter()

    def mapping(self, value: Any, place: str) -> dict[str, Any]:
        """Return an object; an empty one where it is none. Null counts as empty."""
        return value if isinstance(value, dict) else self._other(value, place, dict)

    def sequence(self, value: Any, place: str) -> list[Any]:
        """Return a list; an empty one where it is none. Null counts as empty."""
        return value if isinstance(value, list) else self._other(value, place, list)

    def text(self, value: Any, place: str) -> str | None:
        """Return a text; None where it is none, or empty, or has signs that no text can have."""
        text = value if isinstance(value, str) else self._other(value, place, str)
        if not _NO_TEXT.isdisjoint(text):
            self.faults[f"a text in {place}", "a text with control characters or half characters"] += 1
            return None
        return text or None

    def _other(self, value: Any, place: str, kind: type[T]) -> T:
        """Note that a part has another shape, unless it is null; return an empty one of the right shape."""
        if value is not None:
            self.faults[f"{_KINDS[kind]} in {place}", _KINDS[type(value)]] += 1
        return kind()

    def findings(self) -> list[Reject]:
        """Return one finding per kind of fault, in the order in which they were met."""
        return [
            nothing_lost(expected, found if count == 1 else f"{found}, {count:,} times")
            for (expected, found), count in self.faults.items()
        ]


def parse_json(data: bytes) -> Any:
    """Return the value of a JSON file.

    Raises:
        FileError: it is not UTF-8, no JSON, nested too deep, or more than memory holds.
    """
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FileError("UTF-8", f"the byte 0x{data[error.start]:02x}, {error.reason}") from error
    except json.JSONDecodeError as error:
        raise FileError("JSON", f"{error.msg} in column {error.colno}", error.lineno) from error
    except (RecursionError, ValueError, MemoryError) as error:
        reason = "too many levels" if isinstance(error, RecursionError) else str(error) or type(error).__name__
        raise FileError("JSON that can be read", reason) from error
