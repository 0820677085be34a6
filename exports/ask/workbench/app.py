"""The addresses of the page: every one only reads, and ends after the time that it may take."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import duckdb
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from exports.ask import ids
from exports.ask import query as asking
from exports.ask.account.read import read_account
from exports.ask.account.sections import Cell, sections
from exports.ask.patterns import results
from exports.ask.patterns.faults import RequestError
from exports.ask.patterns.layers import LAYERS, SCOPES
from exports.ask.patterns.search import match
from exports.ask.pictures.record import MOST_WORDS, TITLES, drawn_layers, layer_for_pictures, read_picture
from exports.ask.pictures.svg import as_markup, as_svg
from exports.ask.pictures.tikz import as_tikz
from exports.ask.reading import time_limit
from exports.ask.workbench import counts, hits, pages
from exports.ask.workbench.asked import KEYS, Asked, examples, read_asked, read_marks, sentence_address, sql_address
from exports.ask.workbench.guard import Guard
from exports.warehouse import ExportError
from runtime.command import short

SHOWN = 1_000
"""Hits, or rows, that a page shows; all are counted."""

EXPORTED = 100_000
"""Hits, or rows, of the largest file that a page gives; larger ones are the matter of the commands."""

LISTED = 400
"""Rows of a table about a sentence that a page shows."""

AT_ONCE = 4
"""Questions that are answered at a time; others wait."""

AUTHORS = "select distinct author from corpus.sentences where author is not null order by author"


class BusyError(ExportError):
    """Too many questions at once."""


class Workbench:
    """What all requests share.

    Args:
        con: the opened warehouse; every request asks it by a cursor of its own.
        edition: name of the edition, for readers.
        seconds: time that a request may take.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, edition: str, seconds: float) -> None:
        self.con, self.edition, self.seconds = con, edition, seconds
        self.turns = threading.BoundedSemaphore(AT_ONCE)
        self.authors = [str(name) for (name,) in con.execute(AUTHORS).fetchall()]
        self.examples = examples()
        self.sql_examples = pages.sql_examples()
        self.help, self.syntax = pages.help_text(), pages.help_text(pages.SYNTAX)
        self.style = pages.style()
        self.script = (pages.HERE / "page.js").read_text(encoding="utf-8")

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Wait for a turn and give a cursor.

        Raises:
            BusyError: the turn did not come in time.
        """
        if not self.turns.acquire(timeout=self.seconds):
            raise BusyError("others are being answered: try again in a moment")
        try:
            with self.con.cursor() as cursor:
                yield cursor
        finally:
            self.turns.release()

    def page(self, name: str, code: int = 200, **values: Any) -> Response:
        """Return a page of a template."""
        given = {"edition": self.edition, "has_help": self.help is not None, "seconds": self.seconds}
        return HTMLResponse(pages.page(name, **given, **values), code)

    # -- patterns ------------------------------------------------------------------------------------------------------

    def pattern(self, request: Request) -> Response:
        """Show the form, and the answer to what it asks."""
        asked = read_asked(request.query_params.multi_items())
        values: dict[str, Any] = {
            "asked": asked,
            "keys": [*asked.keys, *[""] * max(1, KEYS - len(asked.keys))],
            "layers": list(LAYERS),
            "scopes": list(SCOPES),
            "authors": self.authors,
            "examples": self.examples,
            "syntax": self.syntax,
            "answer": None,
            "error": None,
            "marked": None,
            "place": None,
        }
        if not asked.request.strip():
            return self.page("pattern.html.jinja", **values)
        try:
            return self.page("pattern.html.jinja", **values | self.answer(asked))
        except RequestError as error:
            place = error.place if not str(error).startswith(("key ", "--whether")) else None
            at = pages.marked(asked.request, place) if place else None
            told = {"error": str(error), "marked": at, "place": place}
            return self.page("pattern.html.jinja", 400, **values | told)
        except BusyError as error:
            return self.page("pattern.html.jinja", 503, **values | {"error": str(error)})
        except ExportError as error:
            return self.page("pattern.html.jinja", 408, **values | {"error": str(error)})

    def answer(self, asked: Asked) -> dict[str, Any]:
        """Return what a page shows of an answer.

        Raises:
            RequestError: the request cannot be run.
            ExportError: it took too long.
        """
        question = asked.question()
        end = time.monotonic() + self.seconds
        with self.cursor() as con:
            found = match(con, asked.question(is_counted=False), SHOWN, self.seconds)
            bars = []
            if question.keys or question.whether:
                counted = match(con, question, None, max(0.1, end - time.monotonic()))
                bars.append(counts.by_keys(con, counted))
            bars.append(counts.by_project(con, found))
            lines = hits.lines_of(con, found)
        return {
            "answer": found,
            "bars": bars,
            "lines": lines,
            "sql": asked.question(is_counted=False).sql(),
            "sql_address": sql_address(asked.question(is_counted=False).sql()),
            "address": asked.address(),
            "names": list(found.hits[0].nodes) if found.hits else [],
        }

    def pattern_file(self, request: Request) -> Response:
        """Give the hits, or the counts by key, as CSV, or the sentences of the hits as CoNLL-U."""
        asked = read_asked(request.query_params.multi_items())
        is_conllu = request.url.path.endswith(".conllu")
        with self.cursor() as con:
            answer = match(con, asked.question(is_counted=not is_conllu), EXPORTED, self.seconds)
            if not answer.columns and answer.total > EXPORTED:
                raise ExportError(
                    f"{answer.total:,} hits are too many for a page (at most {EXPORTED:,}): `sphragis match` writes all"
                )
            if is_conllu:
                with time_limit(con, self.seconds):
                    return attachment("hits.conllu", "".join(results.as_conllu(con, answer)))
            return attachment("counts.csv" if answer.columns else "hits.csv", results.as_csv(answer))

    # -- SQL -----------------------------------------------------------------------------------------------------------

    def sql(self, request: Request) -> Response:
        """Show the form for a statement, and its first rows."""
        statement = request.query_params.get("statement", "").replace("\r\n", "\n")
        values: dict[str, Any] = {
            "statement": statement,
            "examples": self.sql_examples,
            "table": None,
            "error": None,
        }
        if not statement.strip():
            return self.page("sql.html.jinja", **values)
        try:
            with self.cursor() as con:
                table = asking.run(con, statement, SHOWN, self.seconds, is_counted=True)
        except asking.QueryError as error:
            return self.page("sql.html.jinja", 400, **values | {"error": str(error)})
        except BusyError as error:
            return self.page("sql.html.jinja", 503, **values | {"error": str(error)})
        except ExportError as error:
            return self.page("sql.html.jinja", 408, **values | {"error": str(error)})
        place = table.columns.index("sentence_id") if "sentence_id" in table.columns else None
        links = [sentence_address(str(row[place]), "ud") if place is not None else "" for row in table.rows]
        return self.page(
            "sql.html.jinja",
            **values
            | {
                "table": table,
                "cells": list(zip(links, pages.cells(table.rows), strict=True)),
                "place": place,
                "address": urlencode({"statement": statement}),
            },
        )

    def sql_file(self, request: Request) -> Response:
        """Give the rows of a statement as CSV, or its sentences as CoNLL-U."""
        statement = request.query_params.get("statement", "")
        with self.cursor() as con:
            if request.url.path.endswith(".conllu"):
                limited = f"select sentence_id from (\n{asking.checked(con, statement)}\n) limit {EXPORTED + 1}"
                if len(asking.run(con, limited, EXPORTED + 1, self.seconds).rows) > EXPORTED:
                    raise ExportError(
                        f"more than {EXPORTED:,} rows are too many for a page: `sphragis query` writes all"
                    )
                return attachment("rows.conllu", "".join(asking.as_conllu(con, statement, "ud", self.seconds)[0]))
            table = asking.run(con, statement, EXPORTED, self.seconds)
        if not table.is_whole:
            raise ExportError(f"more than {EXPORTED:,} rows are too many for a page: `sphragis query` writes all")
        return attachment("rows.csv", results.as_table(table.columns, table.rows))

    # -- sentences -----------------------------------------------------------------------------------------------------

    def sentence(self, request: Request) -> Response:
        """Show the trees of a sentence, and everything that is known about it."""
        wanted, layers, marks = self.wanted(request)
        with self.cursor() as con, time_limit(con, self.seconds):
            found = ids.find(con, wanted)
            if len(found.sentences) > 1:
                return self.page("chunk.html.jinja", found=found, address=sentence_address)
            name = found.sentences[0]
            there = drawn_layers(con, name)
            account = read_account(con, name)
            drawn = [layer for layer in layers if layer in there] if len(account.words) <= MOST_WORDS else []
            picture = read_picture(con, name, drawn, known(marks, con, name, drawn)) if drawn else None
        query = {"id": name, "layer": layers[-1], "mark": request.query_params.get("mark", "")}
        return self.page(
            "part.html.jinja" if request.query_params.get("part") else "sentence.html.jinja",
            account=account,
            sections=sections(account, LISTED),
            link=cell_address,
            picture=picture,
            drawing=as_markup(picture) if picture else "",
            titles=TITLES,
            choices=[(layer, urlencode(query | {"layer": layer})) for layer in TITLES if layer in there],
            chosen=layers[-1],
            address=urlencode(query),
        )

    def tree_file(self, request: Request) -> Response:
        """Give the trees of a sentence as SVG or LaTeX."""
        wanted, layers, marks = self.wanted(request)
        with self.cursor() as con, time_limit(con, self.seconds):
            name = ids.find(con, wanted).sentence()
            picture = read_picture(con, name, layers, known(marks, con, name, layers))
        if request.url.path.endswith(".svg"):
            return attachment("tree.svg", as_svg(picture), "image/svg+xml")
        return attachment("tree.tex", as_tikz(picture), "application/x-tex")

    def wanted(self, request: Request) -> tuple[str, list[str], dict[int, str]]:
        """Return the id, the layers and the marks of an address: as annotated above, the layer asked below."""
        layer = layer_for_pictures(request.query_params.get("layer") or "ud")
        layers = ["native", "ud" if layer == "native" else layer]
        if layer == "native":
            layers.reverse()
        return request.query_params.get("id", ""), layers, read_marks(request.query_params.get("mark", ""))

    # -- the rest ------------------------------------------------------------------------------------------------------

    def helping(self, request: Request) -> Response:
        """Show the language of patterns."""
        if self.help is None:
            raise HTTPException(404, "the document of the patterns is in the checkout, docs/patterns.md")
        return self.page("help.html.jinja", text=self.help)

    def static(self, request: Request) -> Response:
        """Give the style sheet or the script; there is no icon."""
        if request.url.path == "/favicon.ico":
            return Response(status_code=204)
        if request.url.path == "/style.css":
            return PlainTextResponse(self.style, media_type="text/css")
        return PlainTextResponse(self.script, media_type="text/javascript")

    def failed(self, request: Request, error: Exception) -> Response:
        """Show what went wrong, and nothing of how the program is made."""
        code, told = 500, "a fault of the program"
        if isinstance(error, HTTPException):
            code, told = error.status_code, error.detail
        elif isinstance(error, (RequestError, asking.QueryError)):
            code, told = 400, str(error)
        elif isinstance(error, BusyError):
            code, told = 503, str(error)
        elif isinstance(error, ExportError):
            code, told = 404 if request.url.path in ("/sentence", "/tree.svg", "/tree.tex") else 422, str(error)
        elif type(error).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
            told = f"the engine could not answer: {short(str(error).splitlines()[0])}"
        return self.page("message.html.jinja", code, told=told)


def known(marks: dict[int, str], con: duckdb.DuckDBPyConnection, sentence: str, layers: list[str]) -> dict[int, str]:
    """Return the marks of words that the last layer has: an old link is no reason not to draw."""
    found = con.execute(
        "select max(node_count) from corpus.trees where sentence_id = ? and layer = ?", [sentence, layers[-1]]
    ).fetchall()[0][0]
    return {number: name for number, name in marks.items() if 0 < number <= (found or 0)}


def attachment(name: str, text: str, kind: str = "") -> Response:
    """Return a file."""
    kinds = {"csv": "text/csv", "conllu": "text/plain"}
    return Response(
        text.encode("utf-8", "backslashreplace"),
        media_type=f"{kind or kinds[name.rpartition('.')[2]]}; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def make_app(
    con: duckdb.DuckDBPyConnection, edition: str, names: Collection[str], seconds: float
) -> Callable[..., Any]:
    """Return the page.

    Args:
        con: a warehouse from `opened`.
        edition: name of the edition.
        names: names under which it may be asked, in the header Host.
        seconds: time that a request may take.
    """
    bench = Workbench(con, edition, seconds)
    routes = [
        Route("/", bench.pattern),
        Route("/hits.csv", bench.pattern_file),
        Route("/hits.conllu", bench.pattern_file),
        Route("/sql", bench.sql),
        Route("/rows.csv", bench.sql_file),
        Route("/rows.conllu", bench.sql_file),
        Route("/sentence", bench.sentence),
        Route("/tree.svg", bench.tree_file),
        Route("/tree.tex", bench.tree_file),
        Route("/help", bench.helping),
        Route("/style.css", bench.static),
        Route("/page.js", bench.static),
        Route("/favicon.ico", bench.static),
    ]
    kinds = (HTTPException, ExportError, duckdb.Error, Exception)
    handlers: dict[Any, Any] = dict.fromkeys(kinds, bench.failed)
    return Guard(Starlette(routes=routes, exception_handlers=handlers), names)


def cell_address(cell: Cell) -> str | None:
    """Return the address of a value in the record of a sentence; None for what has no page here."""
    if cell.kind in ("sentence", "row"):
        return sentence_address(cell.text, "ud")
    target = cell.target or cell.text
    return target if cell.kind == "address" and target.startswith("https://") else None
