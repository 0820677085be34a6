"""A sentence as the pictures need it: its words in one layer or several, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exports.warehouse import ExportError
from runtime.command import short, visible

if TYPE_CHECKING:
    import duckdb

TITLES = {
    "native": "as annotated",
    "ud": "Universal Dependencies",
    "published": "published",
    "machine": "parsed by machine",
}
"""The layers that can be drawn, with what stands above each."""

MOST_WORDS = 1_000
"""Words of the longest sentence that is drawn."""

NOT_IN_XML = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x0b\ufffe\uffff"}

SENTENCE = """
    select
        sentences.sentence_id, sentences.citation, sentences.fate, sentences.project, sentences.path, sentences.line,
        projects.license
    from corpus.sentences as sentences
    inner join corpus.projects as projects on sentences.project = projects.project
    where sentences.sentence_id = ?
"""
NODES = """
    select
        nodes.layer, nodes.position, nodes.source_index, nodes.form, nodes.lemma, nodes.upos, nodes.feats, nodes.head,
        nodes.label
    from corpus.nodes as nodes
    inner join corpus.sentences as sentences on nodes.sentence_number = sentences.sentence_number
    where sentences.sentence_id = ? and list_contains(?, nodes.layer)
    order by nodes.layer, nodes.position
"""


@dataclass(frozen=True)
class Word:
    """One node of a layer.

    Attributes:
        position: its number in the layer, from 1.
        place: its place among the tokens of all layers that are shown, from 0: the same token stands in one column.
        form: as the layer has it.
        head: number of its head; 0 for a root, None without one.
        label: label of its relation, None where the layer has none.
        lemma, upos, feats: empty where the layer has none.
    """

    position: int
    place: int
    form: str
    head: int | None
    label: str | None = None
    lemma: str = ""
    upos: str = ""
    feats: str = ""


@dataclass(frozen=True)
class Panel:
    """The tree of one layer.

    Attributes:
        layer: ud, published, machine or native.
        title: the same for readers.
        words: its nodes, in the order of the text.
        marks: numbers of the words that stand out, each with a name or nothing.
    """

    layer: str
    title: str
    words: tuple[Word, ...]
    marks: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """A sentence in the layers that are drawn, one above the other.

    Attributes:
        sentence_id: its id.
        citation: author, work and passage.
        fate: what became of it.
        source: file and line.
        licence: licence of the file.
        panels: its trees, from above.
    """

    sentence_id: str
    citation: str
    fate: str
    source: str
    licence: str
    panels: tuple[Panel, ...]

    @property
    def places(self) -> int:
        """Number of the tokens that stand in one of the panels."""
        return 1 + max((word.place for panel in self.panels for word in panel.words), default=-1)

    @property
    def text(self) -> str:
        """The words of the first panel."""
        return " ".join(word.form for word in self.panels[0].words)


def marks_of(words: Sequence[Word], by_place: Mapping[int, str]) -> dict[int, str]:
    """Return the marks of places as those of the words of one layer, in the same order."""
    positions = {word.place: word.position for word in words}
    return {positions[place]: text for place, text in by_place.items() if place in positions}


def plain(value: object) -> str:
    """Return a value as text that every format can hold: signs that command a terminal or are none in XML are shown."""
    return "" if value is None else visible(value).translate(NOT_IN_XML)


def layer_for_pictures(name: str) -> str:
    """Return a layer by its name; `human` is what is published.

    Raises:
        ExportError: there is none of this name.
    """
    found = "published" if name == "human" else name
    if found not in TITLES:
        raise ExportError(f"--layer is {', '.join(TITLES)}, not {short(name)}")
    return found


def drawn_layers(con: duckdb.DuckDBPyConnection, name: str) -> set[str]:
    """Return the layers in which a sentence has a tree."""
    query = """
        select distinct trees.layer
        from corpus.trees as trees
        inner join corpus.sentences as sentences on trees.sentence_number = sentences.sentence_number
        where sentences.sentence_id = ?
    """
    return {str(layer) for (layer,) in con.execute(query, [name]).fetchall()}


def read_picture(
    con: duckdb.DuckDBPyConnection, sentence_id: str, layers: Sequence[str], marks: Mapping[int, str] | None = None
) -> Picture:
    """Read a sentence of the warehouse.

    Args:
        con: a warehouse.
        sentence_id: id of a sentence that is there.
        layers: from above; keys of `TITLES`.
        marks: words that stand out, by their numbers in the last layer, each with a name or nothing.

    Raises:
        ExportError: a layer has no word of the sentence, there is no word of a number, or the sentence is too long.
    """
    name, citation, fate, project, path, line, licence = con.execute(SENTENCE, [sentence_id]).fetchall()[0]
    rows = con.execute(NODES, [sentence_id, list(layers)]).fetchall()
    columns = {source: place for place, source in enumerate(sorted({row[2] for row in rows}))}
    if len(columns) > MOST_WORDS:
        raise ExportError(f"{len(columns):,} words are too many to draw (at most {MOST_WORDS:,}): {visible(name)}")
    words: dict[str, list[Word]] = {layer: [] for layer in layers}
    for layer, position, source, form, lemma, upos, feats, head, label in rows:
        told = {"lemma": plain(lemma), "upos": plain(upos), "feats": plain(feats)}
        words[layer].append(
            Word(position, columns[source], plain(form), head, None if label is None else plain(label), **told)
        )
    for layer in layers:
        if not words[layer]:
            raise ExportError(f"{visible(name)} has no words in the layer {layer} of this edition")
    wanted = marks or {}
    last = {word.position: word.place for word in words[layers[-1]]}
    if missing := sorted(set(wanted) - set(last)):
        raise ExportError(f"no word {missing[0]} to mark: the layer {layers[-1]} has the words 1 to {len(last)}")
    by_place = {last[position]: plain(text) for position, text in wanted.items()}
    return Picture(
        sentence_id=plain(name),
        citation=plain(citation),
        fate=plain(fate),
        source=plain(f"{project}/{path}" + (f", line {line}" if line else "")),
        licence=plain(licence),
        panels=tuple(
            Panel(
                layer,
                TITLES[layer],
                tuple(words[layer]),
                marks_of(words[layer], by_place),
            )
            for layer in layers
        ),
    )
