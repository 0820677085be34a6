"""The command ``sphragis tree``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exports.told import as_utf8, told
from runtime.command import short

if TYPE_CHECKING:
    import duckdb


def tree(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of a sentence or chunk, of any kind.")],
    layer: Annotated[
        list[str] | None,
        typer.Option(help="native, human, ud, published or machine; may be repeated. Default: native and human."),
    ] = None,
    as_svg: Annotated[
        bool, typer.Option("--svg", help="A picture: arcs above the words, a layer above the next.")
    ] = False,
    as_html: Annotated[bool, typer.Option("--html", help="The picture on a page, its words as a table.")] = False,
    as_tikz: Annotated[bool, typer.Option("--tikz", help="LaTeX for the package tikz-dependency.")] = False,
    as_text: Annotated[bool, typer.Option("--text", help="Lines for a terminal, the default.")] = False,
    mark: Annotated[str, typer.Option(help="Words that stand out, by their numbers in the last layer: 3,7.")] = "",
    db: Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.")] = None,
) -> None:
    """Draw the trees of a sentence: as annotated, and as published. Exit code 1: no such sentence.

    In the terminal they stand side by side, in a picture one above the other.
    """
    from exports.ask.ids import find
    from exports.ask.tree import TITLES
    from exports.warehouse import ExportError, open_read_only
    from runtime.settings import load_settings

    if as_svg + as_html + as_tikz + as_text > 1:
        raise typer.BadParameter("choose one of --svg, --html, --tikz, --text")
    with told():
        name = as_utf8(name)
        layers = list(dict.fromkeys(layer or ["native", "human"]))
        unknown = [given for given in layers if given not in TITLES]
        if unknown:
            raise ExportError(f"--layer is {', '.join(TITLES)}, not {short(unknown[0])}")
        marks = numbers_to_mark(mark)
        with open_read_only(db or load_settings().db) as warehouse:
            found = find(warehouse, name)
            if as_html or as_tikz:
                print(pictures_of(warehouse, found.sentences, layers, marks, as_html), end="")
            elif as_svg:
                print(picture_of(warehouse, found.sentence(), layers, marks))
            else:
                for number, sentence in enumerate(found.sentences):
                    print(("\n" if number else "") + drawing_of(warehouse, sentence, layers, marks))


def numbers_to_mark(text: str) -> list[int]:
    """Return the numbers of `--mark`.

    Raises:
        ExportError: one is none.
    """
    from exports.warehouse import ExportError

    parts = [part.strip() for part in text.split(",") if part.strip()]
    if wrong := [part for part in parts if not (part.isascii() and part.isdigit() and len(part) < 7)]:
        raise ExportError(f"--mark is numbers with commas between them, such as 3,7, not {short(wrong[0])}")
    return [int(part) for part in parts]


def drawing_of(con: duckdb.DuckDBPyConnection, sentence: str, layers: list[str], marks: list[int]) -> str:
    """Return a sentence as lines for a terminal.

    Raises:
        ExportError: a layer has nothing of it.
    """
    from exports.ask.tree import load_sentence, render
    from exports.warehouse import ExportError

    found = load_sentence(con, sentence)
    if "machine" in layers and all(node.head < 0 for node in found.layers["machine"]):
        raise ExportError(f"{sentence} has no machine layer in this edition")
    return render(found.marked(marks) if marks else found, layers)


def picture_of(con: duckdb.DuckDBPyConnection, sentence: str, layers: list[str], marks: list[int]) -> str:
    """Return a sentence as SVG."""
    from exports.ask.pictures.record import layer_for_pictures, read_picture
    from exports.ask.pictures.svg import as_svg

    return as_svg(read_picture(con, sentence, [*map(layer_for_pictures, layers)], dict.fromkeys(marks, "")))


def pictures_of(
    con: duckdb.DuckDBPyConnection, sentences: tuple[str, ...], layers: list[str], marks: list[int], as_page: bool
) -> str:
    """Return sentences as one page, or as LaTeX."""
    from exports.ask.pictures.html import as_html
    from exports.ask.pictures.record import layer_for_pictures, read_picture
    from exports.ask.pictures.tikz import as_tikz

    names = [*map(layer_for_pictures, layers)]
    found = [read_picture(con, sentence, names, dict.fromkeys(marks, "")) for sentence in sentences]
    return as_html(found) + "\n" if as_page else "\n".join(map(as_tikz, found))
