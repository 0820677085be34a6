"""Hits as a concordance: a word in its context, with every named word in its colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exports.ask.conllu import words_of
from exports.ask.patterns.search import Answer, Hit
from exports.ask.pictures.svg import COLOURS
from exports.ask.workbench.asked import sentence_address

if TYPE_CHECKING:
    import duckdb

WIDTH = 7
"""Words of context on both sides; a named word that stands further off is shown too, behind dots."""


@dataclass(frozen=True)
class Piece:
    """A word of a line.

    Attributes:
        text: the word, or dots for those left out.
        names: names of the request that it has.
        colour: number of its colour; None without a name.
    """

    text: str
    names: str = ""
    colour: int | None = None


@dataclass(frozen=True)
class Line:
    """A hit as a line of a concordance.

    Attributes:
        left, middle, right: before the key word, the key word, after it.
        citation, sentence_id: where it stands.
        address: the page of its sentence.
        edges: labels of the named edges.
    """

    left: list[Piece]
    middle: list[Piece]
    right: list[Piece]
    citation: str
    sentence_id: str
    address: str
    edges: dict[str, str | None]


def lines_of(con: duckdb.DuckDBPyConnection, answer: Answer) -> list[Line]:
    """Return the hits of an answer as lines."""
    layer = answer.question.layer
    words = words_of(con, layer, {hit.sentence_number for hit in answer.hits})
    return [line_of(hit, words.get(hit.sentence_number, []), layer) for hit in answer.hits]


def line_of(hit: Hit, words: Sequence[tuple[Any, ...]], layer: str) -> Line:
    """Return a hit as a line: its first named word in the middle, the anchor aside."""
    pieces, middle = pieces_of(hit.nodes, words)
    positions = [int(word[0]) for word in words]
    at = positions.index(middle) if middle in positions else 0
    return Line(
        left=shortened(pieces[:at], from_end=True),
        middle=pieces[at : at + 1],
        right=shortened(pieces[at + 1 :]),
        citation=hit.citation,
        sentence_id=hit.sentence_id,
        address=sentence_address(hit.sentence_id, layer, hit.nodes),
        edges=hit.edges,
    )


def pieces_of(nodes: Mapping[str, int], words: Sequence[tuple[Any, ...]]) -> tuple[list[Piece], int]:
    """Return the words of a sentence with their names and colours, and the position of the key word."""
    colours = {name: number % len(COLOURS) for number, name in enumerate(nodes)}
    names: dict[int, list[str]] = {}
    for name, position in nodes.items():
        names.setdefault(position, []).append(name)
    pieces = [
        Piece(str(form), ", ".join(names[position]), colours[names[position][0]])
        if position in names
        else Piece(str(form))
        for position, form, *_ in words
    ]
    return pieces, next((position for position in nodes.values() if position), 1)


def shortened(pieces: Sequence[Piece], from_end: bool = False) -> list[Piece]:
    """Return the words of one side with those left out that stand far off and have no name.

    >>> [piece.text for piece in shortened([Piece(sign) for sign in "αβγδεζηθι"])]
    ['α', 'β', 'γ', 'δ', 'ε', 'ζ', 'η', '…']
    """
    ordered = list(reversed(pieces)) if from_end else list(pieces)
    kept: list[Piece] = []
    for place, piece in enumerate(ordered):
        if place < WIDTH or piece.names:
            kept.append(piece)
        elif kept[-1].text != "…":
            kept.append(Piece("…"))
    return list(reversed(kept)) if from_end else kept
