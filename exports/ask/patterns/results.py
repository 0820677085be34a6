"""Hits for readers and programs: lines of a terminal, CSV, JSON, CoNLL-U."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exports.ask import conllu
from exports.ask.patterns.search import Answer, Hit
from exports.warehouse import ExportError
from runtime.command import visible

if TYPE_CHECKING:
    import duckdb


def as_lines(con: duckdb.DuckDBPyConnection, answer: Answer) -> Iterator[str]:
    """Yield two lines per hit: where it stands and what its names are, then the sentence with its words marked."""
    words = conllu.words_of(con, answer.question.layer, {hit.sentence_number for hit in answer.hits})
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

    Raises:
        ExportError: counts have no sentences.
    """
    if answer.columns:
        raise ExportError("--conllu writes sentences: leave out --key and --whether")
    hits: dict[int, list[Mapping[str, int]]] = {}
    for hit in answer.hits:
        hits.setdefault(hit.sentence_number, []).append(hit.nodes)
    yield from conllu.as_conllu(con, answer.question.layer, hits)
