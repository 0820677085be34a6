"""The encoding of the sources: UTF-8, strictly."""

from __future__ import annotations

import re

from ingest.errors import FileError


def find_utf8_fault(data: bytes) -> FileError | None:
    """Say at which line the bytes stop being UTF-8, and at which byte; None when they are UTF-8 throughout."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        return FileError("UTF-8", f"the byte 0x{data[error.start]:02x}, {error.reason}", line)
    return None
