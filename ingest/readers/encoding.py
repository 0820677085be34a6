"""The encoding of the sources, UTF-8, strictly; and how text of the input is shown to a user."""

from __future__ import annotations

import unicodedata

from runtime.errors import FileError

# Control, format, surrogate, private and unassigned characters, and the separators of lines and paragraphs.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def find_utf8_fault(data: bytes) -> FileError | None:
    """Say at which line the bytes stop being UTF-8, and at which byte; None when they are UTF-8 throughout."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = line_of(data, error.start)
        return FileError("UTF-8", f"the byte 0x{data[error.start]:02x}, {error.reason}", line)
    return None


def line_of(data: bytes, position: int) -> int:
    """Return the number of the line that a byte stands on; lines end with LF, CR or both."""
    before = data[:position]
    return before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1


def name_of_bytes(name: bytes) -> tuple[str, bool]:
    r"""Return the name of a file as text, and whether it is UTF-8; of other names the odd bytes are escaped.

    The result does not depend on the locale: ``b"a\xff.xml"`` is ``a\xff.xml``, with a backslash, everywhere.
    """
    try:
        return name.decode("utf-8"), True
    except UnicodeDecodeError:
        return name.decode("utf-8", "backslashreplace"), False


def shown(text: str) -> str:
    """Return text of the input for one line of a terminal: what cannot be seen stands as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(sign) if unicodedata.category(sign) in _UNSEEN else sign for sign in text)


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape", "surrogatepass").decode("ascii")
