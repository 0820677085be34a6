"""The commands of who asks for sentences: as CoNLL-U, as text, their fate; and for the difference of two editions."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exports.ask.query_cli import wrong_statement
from exports.told import Folder, as_utf8, dataset_folder, told
from runtime.command import short

if TYPE_CHECKING:
    import duckdb


Db = Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.")]
Seconds = Annotated[float, typer.Option(min=0.01, help="Time that it may take.")]


def conllu(
    name: Annotated[str | None, typer.Argument(metavar="ID", help="Id of a sentence or chunk, of any kind.")] = None,
    layer: Annotated[str, typer.Option(help="human (as published), machine, ud, published or native.")] = "human",
    plain: Annotated[bool, typer.Option("--plain", help="Without comments, as a model sees it.")] = False,
    where: Annotated[
        str | None, typer.Option(help="Instead of an ID, a condition in SQL over corpus.sentences.")
    ] = None,
    scope: Annotated[str, typer.Option(help="With --where: distinct (no duplicates), published or all.")] = "distinct",
    seconds: Seconds = 60.0,
    folder: Annotated[Path | None, typer.Option(help="Ask this dataset folder alone, without a warehouse.")] = None,
    db: Db = None,
) -> None:
    """Print a sentence, the sentences of a chunk, or all of a condition as CoNLL-U.

    Exit code 1: there is no such id, or it has no such layer. Exit code 2: the condition is wrong.
    """
    from exports.ask import conllu as writing
    from exports.ask import ids
    from exports.ask.reading import opened, time_limit
    from exports.warehouse import ExportError
    from runtime.settings import load_settings

    if (name is None) == (where is None):
        raise typer.BadParameter("give an ID, or --where CONDITION", param_hint="ID")
    with told():
        writing.layer_to_write(layer)
        if folder is not None:
            if name is None:
                raise ExportError("--where asks a warehouse: leave out --folder")
            print_row(as_utf8(name), layer, plain, folder)
            return
        with opened(db or load_settings().db) as con:
            if where is not None:
                print_sentences_where(con, as_utf8(where), layer, plain, scope, seconds)
                return
            with time_limit(con, seconds):
                found = ids.find(con, as_utf8(str(name)))
                numbers = writing.numbers_of(con, found.sentences)
                names = {numbers[sentence]: shown for sentence, shown in found.named()}
                sys.stdout.writelines(writing.as_conllu(con, layer, dict.fromkeys(names, ()), names, plain))


def print_sentences_where(
    con: duckdb.DuckDBPyConnection, condition: str, layer: str, plain: bool, scope: str, seconds: float
) -> None:
    """Print the sentences of a condition, and their number to the terminal."""
    from exports.ask import conllu as writing
    from exports.ask import query as asking
    from exports.ask.patterns.layers import scope_named
    from exports.ask.reading import time_limit

    with wrong_statement(), time_limit(con, seconds):
        tree = "published" if layer == "human" else layer
        statement = asking.where(condition, tree, scope_named(scope))
        found = asking.Asked(con, statement)
        names = [str(row[0]) for part in found.parts() for row in part]
        numbers = writing.numbers_of(con, names)
        wanted: dict[int, tuple[writing.Marks, ...]] = {numbers[name]: () for name in names}
        sys.stdout.writelines(writing.as_conllu(con, layer, wanted, is_plain=plain))
    print(f"{len(names):,} sentences (scope {scope}, layer {layer})", file=sys.stderr)


def print_row(name: str, layer: str, plain: bool, folder: Path) -> None:
    """Print a row of a dataset folder."""
    from exports.dataset.conllu import find_rows
    from exports.warehouse import ExportError
    from runtime.conllu import render_conllu

    if layer not in ("human", "machine"):
        raise ExportError(f"a dataset has the layers human and machine, not {short(layer)}: leave out --folder")
    place = dataset_folder(folder)
    row = find_rows(place, name, f"conllu_{layer}")
    if row is None:
        raise ExportError(f"no row {short(name)} in {place}: `sphragis explain ID` tells what became of a sentence")
    units = row[f"conllu_{layer}"]
    if not units:
        raise ExportError(f"{name} has no {layer} layer in this edition")
    names = row.get("constituent_ids") or [row["id"]]
    for unit, sentence in zip(units, names, strict=True):
        comments = {"author": row["author"]}
        sys.stdout.write(render_conllu(unit) if plain else render_conllu(unit, [sentence], comments))


def text(
    configuration: Annotated[
        str, typer.Argument(metavar="CONFIGURATION|ID", help="For example sentence_10; or an id of any kind.")
    ],
    split: Annotated[str, typer.Option(help="train, validation, validation2 or test.")] = "test",
    out: Annotated[Path | None, typer.Option(help="Write one file per row into this folder.")] = None,
    folder: Folder = None,
    db: Db = None,
) -> None:
    """Print or write the text alone: one sentence per line, no header, no markup, no metadata.

    Of a configuration the rows of a split are printed with a blank line between them, or with --out written into files
    <author>_<number>.txt; of an id the one sentence, or those of the chunk.
    """
    from exports.ask.text import configurations, read_texts, text_of, write_texts
    from exports.warehouse import ExportError
    from runtime.settings import load_settings

    with told():
        configuration, split = as_utf8(configuration), as_utf8(split)
        warehouse = db or load_settings().db
        is_id = out is None and folder is None and warehouse.is_file() and configuration not in configurations(None)
        if is_id:
            try:
                print("\n".join(text_of(warehouse, configuration)))
                return
            except ExportError as error:
                raise ExportError(
                    f"{error}; of configurations there is: {', '.join(configurations(None)) or 'nothing'}"
                ) from error
        place = dataset_folder(folder)
        if out is not None:
            count = write_texts(place, configuration, split, out)
            print(f"{count:,} files in {out}", file=sys.stderr)
            return
        for number, (_, sentences) in enumerate(read_texts(place, configuration, split)):
            sys.stdout.write(("\n" if number else "") + "\n".join(sentences) + "\n")


def explain(
    sentence: Annotated[str, typer.Argument(metavar="ID", help="Id of a sentence or chunk, of any kind.")],
    db: Annotated[
        Path | None, typer.Option(help="Warehouse to ask; by default the published one.", exists=True)
    ] = None,
    every_row: Annotated[bool, typer.Option("--all", help="Tables in full, not their first rows.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per sentence and line.")] = False,
) -> None:
    """Tell everything about one sentence, published or not: source, fate and reason, rows, tracks, changes, parse.

    Of a chunk this is told of every sentence in it.
    """
    from exports.ask.account.read import read_account
    from exports.ask.account.record import plain
    from exports.ask.account.text import as_text
    from exports.ask.ids import find
    from exports.warehouse import open_read_only
    from runtime.settings import load_settings

    with told(), open_read_only(db or load_settings().db) as con:
        for number, name in enumerate(find(con, as_utf8(sentence)).sentences):
            account = read_account(con, name)
            if as_json:
                print(json.dumps(plain(account), ensure_ascii=False))
            else:
                print(("\n\n" if number else "") + as_text(account, every_row))


def diff(
    before: Annotated[Path, typer.Argument(help="Dataset folder of the older edition.")],
    after: Annotated[Path, typer.Argument(help="Dataset folder of the newer edition.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Compare two editions: rows added, removed and moved between splits, columns, per author.

    Exit code 1: a folder is no edition.
    """
    from exports.ask import diff as comparison

    with told():
        found = comparison.compare(before.resolve(), after.resolve())
        if as_json:
            print(json.dumps(found, ensure_ascii=False, indent=2, sort_keys=True))
        else:
            print(comparison.as_text(found), end="")
