"""Sentences of the warehouse as CoNLL-U, each with where it comes from; hits are marked in the last column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError
from runtime.command import short
from runtime.conllu import sentence as sentence_of

if TYPE_CHECKING:
    import duckdb

Marks = Mapping[str, int]
"""One hit: the position of every word that has a name."""

LAYERS = ("human", "machine", "ud", "published", "native")
"""What can be written: the trees of the dataset (human, machine), and the layers of corpus.nodes."""

NODES = """
    select sentence_number, position, form, lemma, upos, xpos, feats, head, label
    from corpus.nodes
    where layer = ? and sentence_number in (select unnest(?::integer[]))
    order by sentence_number, position
"""
DATASET = """
    select
        nodes.sentence_number, nodes.position, nodes.form,
        if(rows.token is not null, rows.lemma, tokens.published_lemma), nodes.upos, null, nodes.feats, nodes.head,
        nodes.label
    from corpus.nodes as nodes
    inner join corpus.tokens as tokens
        on nodes.sentence_number = tokens.sentence_number and nodes.source_index = tokens.source_index
    left join hub.sentences as published on nodes.sentence_number = published.sentence_number
    left join hub.tokens as rows on published.id = rows.id and nodes.position = rows.token
    where nodes.layer = ? and nodes.sentence_number in (select unnest(?::integer[]))
    order by nodes.sentence_number, nodes.position
"""
OF_THE_DATASET = {"human": "published", "machine": "machine"}
"""Layers that are written as the dataset has them, with the published lemma and without tags: each with its nodes."""

SOURCES = """
    select
        sentences.sentence_number, sentences.sentence_id, sentences.author, sentences.citation, sentences.text,
        sentences.line, projects.license
    from corpus.sentences as sentences
    inner join corpus.projects as projects on sentences.project = projects.project
    where sentences.sentence_number in (select unnest(?::integer[]))
"""
NUMBERS = """
    select sentence_id, sentence_number
    from corpus.sentences
    where sentence_id in (select unnest(?::varchar[]))
"""
AT_A_TIME = 5_000
"""Sentences that are held at a time."""


def words_of(con: duckdb.DuckDBPyConnection, layer: str, sentences: Iterable[int]) -> dict[int, list[tuple[Any, ...]]]:
    """Return the words of sentences in a layer: position, form, lemma, upos, xpos, feats, head, label."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    numbers = list(sentences)
    statement = DATASET if layer in OF_THE_DATASET else NODES
    rows = con.execute(statement, [OF_THE_DATASET.get(layer, layer), numbers]).fetchall()
    for number, *word in rows:
        found.setdefault(number, []).append(tuple(word))
    return found


def numbers_of(con: duckdb.DuckDBPyConnection, names: Iterable[str]) -> dict[str, int]:
    """Return the numbers of sentences by their ids; ids that the warehouse does not have are left out."""
    return {str(name): int(number) for name, number in con.execute(NUMBERS, [list(names)]).fetchall()}


def layer_to_write(name: str) -> str:
    """Return a layer by its name.

    Raises:
        ExportError: there is none of this name.
    """
    if name not in LAYERS:
        raise ExportError(f"--layer is {', '.join(LAYERS)}, not {short(name)}")
    return name


def as_conllu(
    con: duckdb.DuckDBPyConnection,
    layer: str,
    sentences: Mapping[int, Sequence[Marks]],
    names: Mapping[int, str] | None = None,
    is_plain: bool = False,
) -> Iterator[str]:
    """Yield sentences one by one, with source line, licence and citation.

    The names of a hit stand in MISC (`Hit=V`), with several hits each with its number (`Hit=1:V,2:S`).

    Args:
        con: a warehouse.
        layer: one of `LAYERS`.
        sentences: numbers of the sentences in their order, each with its hits.
        names: other ids for `sent_id`, such as the published ones.
        is_plain: without comments, as a model sees it.

    Raises:
        ExportError: a sentence has no words in the layer.
    """
    numbers = list(sentences)
    for start in range(0, len(numbers), AT_A_TIME):
        part = numbers[start : start + AT_A_TIME]
        words = words_of(con, layer, part)
        sources = {row[0]: row[1:] for row in con.execute(SOURCES, [part]).fetchall()}
        for number in part:
            source = sources[number]
            if number not in words:
                raise ExportError(f"{short(source[0])} has no {layer} layer in this edition")
            rows = _rows(words[number], sentences[number])
            comments = () if is_plain else _comments(source, layer, words[number], len(sentences[number]))
            if names and comments:
                comments = [("sent_id", names.get(number, source[0])), *comments[1:]]
            yield sentence_of(rows, comments)


def _comments(source: Sequence[Any], layer: str, words: Sequence[tuple[Any, ...]], hits: int) -> list[tuple[str, str]]:
    """Return the comments of a sentence."""
    sentence_id, author, citation, text, line, licence = source
    file = sentence_id.rpartition("#")[0]
    comments = {
        "sent_id": sentence_id,
        "author": author,
        "citation": citation,
        "source": f"{file}, line {line}" if line else file,
        "licence": licence,
        "layer": layer,
        "hits": hits or None,
        "text": text if layer != "native" else " ".join(str(word[1]) for word in words),
    }
    return [(name, _field(value)) for name, value in comments.items() if value is not None]


def _rows(words: Sequence[tuple[Any, ...]], hits: Sequence[Marks]) -> list[str]:
    """Return the lines of a sentence with its hits."""
    marks: dict[int, list[str]] = {}
    for count, hit in enumerate(hits, start=1):
        for name, position in hit.items():
            marks.setdefault(position, []).append(name if len(hits) == 1 else f"{count}:{name}")
    lines = []
    for position, form, lemma, upos, xpos, feats, head, label in words:
        misc = f"Hit={','.join(marks[position])}" if position in marks else None
        fields = (position, form, lemma, upos, xpos, feats, head, label, None, misc)
        lines.append("\t".join("_" if value in (None, "") else _field(value) for value in fields))
    return lines


def _field(value: Any) -> str:
    """Return a value for one field of a line."""
    return " ".join(str(value).split())
