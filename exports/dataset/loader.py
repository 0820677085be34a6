"""The official CoNLL-U loader, run over many sentences at once.

The loader is the one of the Universal Dependencies evaluation script (package `udtools`). It builds
several Python objects per word that refer to one another, so the cyclic garbage collector would walk
all of them again and again: it is switched off here and run once per buffer.

This module imports little, because every worker process imports it.
"""

from __future__ import annotations

import gc
import io
import multiprocessing
import sys
from collections.abc import Sequence

from runtime.command import starting_workers

BUFFER = 500
"""Sentences in one buffer: the objects of one buffer, some twenty megabytes, are all that is alive."""

PARALLEL_FROM = 5000
"""Sentences from which a second process pays for its start."""

Named = tuple[str, str]
"""Name and CoNLL-U text of a sentence."""


def load_text(text: str) -> str | None:
    """Load CoNLL-U text with the official loader; the loader's message, or None when it is content."""
    from udtools import udeval

    try:
        udeval.load_conllu(io.StringIO(text), "published sentences", {})
    except udeval.UDError as error:
        return str(error)
    except (ValueError, IndexError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def load_batch(sentences: Sequence[Named]) -> list[Named]:
    """Load sentences in buffers; the name and the loader's message of each that it refuses."""
    # The loader climbs to the root by recursion: one level per word of the longest path.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    refused: list[Named] = []
    was_enabled = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        for start in range(0, len(sentences), BUFFER):
            buffer = sentences[start : start + BUFFER]
            if load_text("".join(text for _, text in buffer)) is not None:
                for name, text in buffer:
                    message = load_text(text)
                    if message is not None:
                        refused.append((name, message))
            gc.collect()
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
    return refused


def load_all(sentences: Sequence[Named], processes: int = 2) -> list[Named]:
    """Load every sentence, spread over processes when there are many; what the loader refuses, in order."""
    if processes < 2 or len(sentences) < PARALLEL_FROM:
        return load_batch(sentences)
    size = BUFFER * 4
    parts = [sentences[start : start + size] for start in range(0, len(sentences), size)]
    with starting_workers():
        pool = multiprocessing.get_context("spawn").Pool(processes)
    with pool:
        return [refused for part in pool.imap(load_batch, parts) for refused in part]
