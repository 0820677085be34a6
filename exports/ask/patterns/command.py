"""The command ``sphragis match``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from exports.told import as_utf8, told

SHOWN = 20
"""Hits that are printed, unless it is said how many; counts are printed whole, and all hits go into files."""


def match(
    request: Annotated[str, typer.Argument(metavar="REQUEST|FILE", help="A request in Grew's language, or its file.")],
    layer: Annotated[str, typer.Option(help="ud, published, native or machine.")] = "ud",
    scope: Annotated[str, typer.Option(help="distinct (no duplicates), published or all.")] = "distinct",
    author: Annotated[str | None, typer.Option(help="Sentences of this author alone.")] = None,
    key: Annotated[list[str] | None, typer.Option(help="Count by X.f, e.label, X#Y, X -> Y, meta.k, ...")] = None,
    whether: Annotated[list[str] | None, typer.Option(help="Count by whether clauses {...} hold, too.")] = None,
    count: Annotated[bool, typer.Option("--count", help="Only count, with a column per project.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Write hits, or counts, as CSV into this file.")] = None,
    conllu: Annotated[Path | None, typer.Option(help="Write the sentences of the hits as CoNLL-U.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole answer as JSON.")] = False,
    sql: Annotated[bool, typer.Option("--sql", help="Print the statement instead of running it.")] = False,
    limit: Annotated[int | None, typer.Option(min=0, help="Most hits; all are counted.")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time that the request may take.")] = 60.0,
    db: Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.")] = None,
) -> None:
    """Find a pattern of words and dependencies, written in the language of Grew.

    Exit code 2: the request is wrong, and where. See docs/patterns.md for the language.
    """
    from exports.ask.patterns import results
    from exports.ask.patterns.faults import RequestError
    from exports.ask.patterns.search import Question, match
    from exports.ask.reading import opened
    from runtime.command import say_error
    from runtime.settings import load_settings

    with told():
        try:
            question = Question(read(request), layer, scope, tuple(key or ()), tuple(whether or ()), author)
            question.compiler()
            path = db or load_settings().db
            if sql:
                projects = names_of_projects(path) if path.is_file() else []
                print(question.sql(limit, projects, is_counted=count))
                return
            is_whole = csv or conllu or as_json or question.keys or question.whether
            most = limit if limit is not None or is_whole else SHOWN
            with opened(path) as con:
                answer = match(con, question, most, seconds, is_counted=count)
                for remark in answer.remarks:
                    print(f"warning: {remark}", file=sys.stderr)
                if csv:
                    csv.write_text(results.as_csv(answer), encoding="utf-8")
                if conllu:
                    with conllu.open("w", encoding="utf-8") as file:
                        file.writelines(results.as_conllu(con, answer))
                if as_json:
                    print(results.as_json(answer))
                elif answer.columns:
                    if not csv:
                        sys.stdout.write(results.as_table(answer.columns, answer.rows))
                elif count:
                    columns = ["hits", "sentences", *answer.by_project]
                    row = [answer.total, answer.sentences, *answer.by_project.values()]
                    sys.stdout.write(results.as_table(columns, [row]))
                elif not csv and not conllu:
                    for line in results.as_lines(con, answer):
                        print(line)
                    if len(answer.hits) < answer.total:
                        print(f"... {answer.total - len(answer.hits):,} more: --limit N, --csv FILE", file=sys.stderr)
                print(answer.summary(), file=sys.stderr)
        except RequestError as error:
            say_error(error)
            raise SystemExit(2) from error


def read(request: str) -> str:
    """Return a request, or what its file says; what has a brace is no name of a file.

    Raises:
        RequestError: there is no such file.
    """
    from exports.ask.patterns.faults import RequestError
    from runtime.command import short

    text = as_utf8(request)
    if "{" in text:
        return text
    path = Path(text)
    if not path.is_file():
        raise RequestError(
            f"no request and no file: {short(text)}; write pattern {{ X [upos=VERB] }}, in single quotes"
        )
    return path.read_text(encoding="utf-8-sig")


def names_of_projects(path: Path) -> list[str]:
    """Return the projects of a warehouse."""
    from exports.ask.patterns.search import PROJECTS
    from exports.ask.reading import opened

    with opened(path) as con:
        return [str(name) for (name,) in con.execute(PROJECTS).fetchall()]
