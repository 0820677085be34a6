"""A small corpus in the layouts of the seven treebanks: the first sentences of every document of the sample."""

from __future__ import annotations

from pathlib import Path

from robust.sources import Piece, sample


def mini(sentences: int = 4) -> list[Piece]:
    """Return every file of the sample with its first sentences only; the files of UD with four times as many."""
    return [file.cut(0, sentences if file.head else 4 * sentences) for file in sample()]


def write(folder: Path, files: list[Piece]) -> Path:
    """Write files below a folder, as a folder of treebanks, and return it."""
    for file in files:
        target = folder / file.project / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
    return folder
