"""Parts of a parse that takes hours, kept so that a stopped run goes on where it was.

A part is a file of CoNLL-U under a line with its checksum and whatever the provider counts. It is written aside and
renamed in; a part that is not what was written is none.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from machine.conllu_text import read_parses, render
from machine.interface import Parsed, Sentence


def write_part(path: Path, sentences: Sequence[Sentence], parses: Sequence[Parsed], count: int) -> None:
    """Write the parses of some sentences, and a number of the provider's."""
    body = "".join(render(sentences, parses)).encode()
    header = json.dumps({"sha256": hashlib.sha256(body).hexdigest(), "count": count})
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".new", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as part:
            part.write(f"{header}\n".encode() + body)
            part.flush()
            os.fsync(part.fileno())
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def read_part(path: Path, sentences: Sequence[Sentence]) -> tuple[list[Parsed], int] | None:
    """Read parses and number back; None when there is no sound part for these sentences."""
    try:
        header, _, body = path.read_bytes().partition(b"\n")
        facts = json.loads(header)
        if facts["sha256"] != hashlib.sha256(body).hexdigest():
            return None
        found, parses = read_parses(body.decode())
        count = int(facts["count"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if found != list(sentences):
        return None
    return parses, count
