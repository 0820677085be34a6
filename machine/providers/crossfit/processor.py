"""What the processor of this machine multiplies fast."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FAST = "bfloat16"
EXACT = "float32"

PROCESSOR = Path("/proc/cpuinfo")
MULTIPLIES = frozenset({"amx_bf16"})
"""Flags of processors that multiply matrices of bfloat16."""


@lru_cache(maxsize=1)
def precision() -> str:
    """Name of the type in which this machine multiplies: part of the key of a parse."""
    try:
        lines = PROCESSOR.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return EXACT
    flags = {flag for line in lines if line.startswith("flags") for flag in line.partition(":")[2].split()}
    return FAST if flags & MULTIPLIES else EXACT
