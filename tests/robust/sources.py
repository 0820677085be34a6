"""Good input to be damaged: files cut into a head, sentences and a tail, of the sample and of the real treebanks.

Nothing of the real treebanks is copied: they are read where they lie beside the checkout, and where they do not, the
sample has to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ingest.readers.files import list_files
from ingest.sample.generator import render
from ingest.sources import Project, load_registry
from robust.dice import Dice

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "treebanks"
FIXTURES = ROOT / "tests" / "fixtures" / "ingest"
NATIVE, CONLLU = "native_xml", "conllu"

_SENTENCE = re.compile(rb"[ \t]*<sentence[\s>].*?</sentence>[ \t]*\r?\n?", re.DOTALL)
_BLANK = re.compile(rb"\n(?:[^\S\n]*\n)+")


@dataclass(frozen=True)
class Piece:
    """A few sentences that follow each other in a file, with what stands before the first and after the last.

    Attributes:
        project: project whose layout it has.
        path: file it comes from.
        head: bytes before the first sentence.
        sentences: bytes of each sentence; those of CoNLL-U end with their blank lines.
        tail: bytes after the last one.
    """

    project: str
    path: str
    head: bytes
    sentences: tuple[bytes, ...]
    tail: bytes

    @property
    def format(self) -> str:
        """The format of the file: ``native_xml`` or ``conllu``."""
        return NATIVE if self.head else CONLLU

    @property
    def data(self) -> bytes:
        """The bytes of a whole file."""
        return self.head + b"".join(self.sentences) + self.tail

    def cut(self, start: int, count: int) -> Piece:
        """Return the piece with fewer sentences."""
        return Piece(self.project, self.path, self.head, self.sentences[start : start + count], self.tail)


def split(project: str, path: str, data: bytes, format: str) -> Piece:
    """Cut a whole file into sentences."""
    if format == CONLLU:
        sentences: list[bytes] = []
        start = 0
        for blank in _BLANK.finditer(data):
            sentences.append(data[start : blank.end()])
            start = blank.end()
        if data[start:].strip():
            sentences.append(data[start:] + b"\n\n")
        return Piece(project, path, b"", tuple(sentences), b"")
    found = list(_SENTENCE.finditer(data))
    if not found:
        return Piece(project, path, data, (), b"")
    return Piece(
        project, path, data[: found[0].start()], tuple(match[0] for match in found), data[found[-1].end() :]
    )  # fmt: skip


@cache
def projects() -> tuple[Project, ...]:
    """Return the seven projects with their layouts."""
    return load_registry().projects


@cache
def sample() -> tuple[Piece, ...]:
    """Return the files of the bundled sample, cut into sentences, in a fixed order."""
    format = {project.name: project.format for project in projects()}
    files = sorted(render().items())
    return tuple(
        split(name.partition("/")[0], name.partition("/")[2], text.encode(), format[name.partition("/")[0]])
        for name, text in files
        if "/" in name
    )


def real() -> Iterator[Piece]:
    """Give the files of the real treebanks, cut into sentences; none where they do not lie beside the checkout."""
    for project in projects():
        root = REAL / project.name
        if root.is_dir():
            for file in list_files(root, project.files)[0]:
                yield split(project.name, file.path, (root / file.path).read_bytes(), project.format)


@cache
def pieces(kind: str) -> dict[str, tuple[Piece, ...]]:
    """Return short pieces to be damaged, by format.

    Args:
        kind: ``sample``, ``real`` (empty where there are no treebanks) or ``fixtures``.
    """
    if kind == "fixtures":
        return {
            NATIVE: tuple(
                split("agdt", path.name, path.read_bytes(), NATIVE) for path in sorted(FIXTURES.glob("*.xml"))
            ),
            CONLLU: tuple(
                split("ud_ptnk", path.name, path.read_bytes(), CONLLU) for path in sorted(FIXTURES.glob("*.conllu"))
            ),
        }
    found: dict[str, list[Piece]] = {NATIVE: [], CONLLU: []}
    for file in sample() if kind == "sample" else real():
        format = NATIVE if file.head else CONLLU
        # The files of UD are few and long.
        windows = 4 if format == NATIVE else 60
        for number in range(windows):
            dice = Dice(f"{kind} {file.project}/{file.path} {number}")
            start = dice.below(len(file.sentences) - 1)
            piece = file.cut(start, dice.between(1, 4))
            if piece.sentences and len(piece.data) < 12_000:
                found[format].append(piece)
    return {format: tuple(some) for format, some in found.items()}
