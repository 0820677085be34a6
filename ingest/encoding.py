"""The encoding of the sources: UTF-8, strictly."""

from __future__ import annotations

import re

from ingest.errors import FileError


def utf8_fault(data: bytes, error: UnicodeDecodeError) -> FileError:
    """Say at which line the bytes stop being UTF-8, and at which byte."""
    line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
    return FileError("UTF-8", f"the byte 0x{data[error.start]:02x}, {error.reason}", line)


def find_utf8_fault(data: bytes) -> FileError | None:
    """Say where the bytes stop being UTF-8; None when they are UTF-8 throughout."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return utf8_fault(data, error)
    return None
