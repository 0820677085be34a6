"""Hits for readers and programs: lines of a terminal, CSV, JSON, CoNLL-U."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from exports.ask.patterns.search import Answer, Hit
from exports.warehouse import ExportError
from runtime.command import visible

if TYPE_CHECKING:
    import duckdb

WORDS = """
    select sentence_number, position, form, lemma, upos, xpos, feats, head, label
    from corpus.nodes
    where layer = ? and list_contains(?, sentence_number)
    order by sentence_number, position
"""
SOURCES = """
    select
        sentences.sentence_number, sentences.sentence_id, sentences.author, sentences.citation, sentences.text,
        sentences.line, projects.license
    from corpus.sentences as sentences
    inner join corpus.projects as projects on sentences.project = projects.project
    where list_contains(?, sentences.sentence_number)
"""
AT_A_TIME = 5_000
"""Sentences that are held at a time."""


def words_of(con: duckdb.DuckDBPyConnection, layer: str, sentences: Iterable[int]) -> dict[int, list[tuple[Any, ...]]]:
    """Return the nodes of sentences: position, form, lemma, upos, xpos, feats, head, label."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for number, *word in con.execute(WORDS, [layer, list(sentences)]).fetchall():
        found.setdefault(number, []).append(tuple(word))
    return found


def as_lines(con: duckdb.DuckDBPyConnection, answer: Answer) -> Iterator[str]:
    """Yield two lines per hit: where it stands and what its names are, then the sentence with its words marked."""
    words = words_of(con, answer.question.layer, {hit.sentence_number for hit in answer.hits})
    for hit in answer.hits:
        named = [f"{name}={position}" for name, position in hit.nodes.items()]
        named += [f"{name}={label}" for name, label in hit.edges.items()]
        yield visible("  ".join([hit.sentence_id, hit.citation, *named]))
        yield "    " + visible(marked(hit, words.get(hit.sentence_number, [])))


def marked(hit: Hit, words: Sequence[tuple[Any, ...]]) -> str:
    """Return the words of a sentence, those of the hit in brackets with their names."""
    names: dict[int, list[str]] = {}
    for name, position in hit.nodes.items():
        names.setdefault(position, []).append(name)
    shown = []
    for position, form, *_ in words:
        here = names.get(position)
        shown.append(f"[{','.join(here)}: {form}]" if here else str(form))
    return " ".join(shown)


def as_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return counts as CSV, the form that a table for a paper is made of."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def as_csv(answer: Answer) -> str:
    """Return hits, or counts by key, as CSV with one header line."""
    if answer.columns:
        return as_table(answer.columns, answer.rows)
    names, edges = (list(answer.hits[0].nodes), list(answer.hits[0].edges)) if answer.hits else ([], [])
    return as_table(
        ["sentence_id", "author", "project", *names, *edges, "citation"],
        (
            [hit.sentence_id, hit.author, hit.project, *hit.nodes.values(), *hit.edges.values(), hit.citation]
            for hit in answer.hits
        ),
    )


def as_json(answer: Answer) -> str:
    """Return the whole answer as one JSON object."""
    found: dict[str, Any] = {
        "request": answer.question.text,
        "layer": answer.question.layer,
        "scope": answer.question.scope,
        "sentences_asked": answer.asked,
        "hits_total": answer.total,
        "sentences_total": answer.sentences,
        "by_project": answer.by_project,
        "warnings": [str(remark) for remark in answer.remarks],
    }
    if answer.columns:
        found["counts"] = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    else:
        found["hits"] = [
            {
                "sentence_id": hit.sentence_id,
                "author": hit.author,
                "project": hit.project,
                "nodes": hit.nodes,
                "edges": hit.edges,
                "citation": hit.citation,
            }
            for hit in answer.hits
        ]
    return json.dumps(found, ensure_ascii=False, indent=1)


def as_conllu(con: duckdb.DuckDBPyConnection, answer: Answer) -> Iterator[str]:
    """Yield every sentence with a hit once, in the layer asked, with source line, licence and citation.

    The names of a node stand in MISC (`Hit=V`), with several hits each with its number (`Hit=1:V,2:S`).

    Raises:
        ExportError: counts have no sentences.
    """
    if answer.columns:
        raise ExportError("--conllu writes sentences: leave out --key and --whether")
    hits: dict[int, list[Hit]] = {}
    for hit in answer.hits:
        hits.setdefault(hit.sentence_number, []).append(hit)
    numbers = list(hits)
    for start in range(0, len(numbers), AT_A_TIME):
        part = numbers[start : start + AT_A_TIME]
        words = words_of(con, answer.question.layer, part)
        sources = {row[0]: row[1:] for row in con.execute(SOURCES, [part]).fetchall()}
        for number in part:
            yield sentence_as_conllu(hits[number], words.get(number, []), sources[number], answer.question.layer)


def sentence_as_conllu(hits: Sequence[Hit], words: Sequence[tuple[Any, ...]], source: Sequence[Any], layer: str) -> str:
    """Return one sentence with its hits."""
    sentence_id, author, citation, text, line, licence = source
    comments = {
        "sent_id": sentence_id,
        "author": author,
        "citation": citation,
        "source": f"{sentence_id.rpartition('#')[0]}, line {line}" if line else sentence_id.rpartition("#")[0],
        "licence": licence,
        "layer": layer,
        "hits": len(hits),
        "text": text if layer != "native" else " ".join(str(word[1]) for word in words),
    }
    lines = [f"# {name} = {_field(value)}" for name, value in comments.items() if value is not None]
    marks: dict[int, list[str]] = {}
    for count, hit in enumerate(hits, start=1):
        for name, position in hit.nodes.items():
            marks.setdefault(position, []).append(name if len(hits) == 1 else f"{count}:{name}")
    for position, form, lemma, upos, xpos, feats, head, label in words:
        misc = f"Hit={','.join(marks[position])}" if position in marks else None
        fields = (position, form, lemma, upos, xpos, feats, head, label, None, misc)
        lines.append("\t".join("_" if value in (None, "") else _field(value) for value in fields))
    return "\n".join(lines) + "\n\n"


def _field(value: Any) -> str:
    """Return a value for one field of a line."""
    return " ".join(str(value).split())
