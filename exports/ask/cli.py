"""The commands of who asks: a sentence as CoNLL-U, its tree, its fate, texts, the difference of two editions."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from exports.told import Folder, as_utf8, dataset_folder, told
from runtime.command import short


def conllu(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of a published sentence (s-...) or of a chunk.")],
    layer: Annotated[str, typer.Option(help="human or machine.")] = "human",
    plain: Annotated[bool, typer.Option("--plain", help="Without comments, as a model sees it.")] = False,
    folder: Folder = None,
) -> None:
    """Print a published row as CoNLL-U. Exit code 1: there is no such row, or it has no such layer."""
    from exports.dataset.conllu import find_rows
    from exports.warehouse import ExportError
    from runtime.conllu import render_conllu

    with told():
        name = as_utf8(name)
        if layer not in ("human", "machine"):
            raise ExportError(f"--layer is human or machine, not {short(layer)}")
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
    configuration: Annotated[str, typer.Argument(help="For example sentence_10.")],
    split: Annotated[str, typer.Option(help="train, validation, validation2 or test.")] = "test",
    out: Annotated[Path | None, typer.Option(help="Write one file per row into this folder.")] = None,
    folder: Folder = None,
) -> None:
    """Print or write the published text alone: one sentence per line, no header, no markup, no metadata.

    With --out each row is a file <author>_<number>.txt; without it rows are separated by a blank line.
    """
    from exports.ask.text import read_texts, write_texts

    with told():
        configuration, split = as_utf8(configuration), as_utf8(split)
        place = dataset_folder(folder)
        if out is not None:
            count = write_texts(place, configuration, split, out)
            print(f"{count:,} files in {out}", file=sys.stderr)
            return
        for number, (_, sentences) in enumerate(read_texts(place, configuration, split)):
            sys.stdout.write(("\n" if number else "") + "\n".join(sentences) + "\n")


def tree(
    name: Annotated[
        str, typer.Argument(metavar="ID", help="Id of a sentence: project/path#position, or s-... as published.")
    ],
    layer: Annotated[
        list[str] | None, typer.Option(help="native, human or machine; may be repeated. Default: native and human.")
    ] = None,
    db: Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.")] = None,
) -> None:
    """Draw the trees of a sentence side by side: as annotated, and as published. Exit code 1: no such sentence."""
    from exports.ask.tree import LAYERS, load_sentence, render
    from exports.warehouse import ExportError, open_read_only
    from runtime.settings import load_settings

    with told():
        name = as_utf8(name)
        layers = layer or ["native", "human"]
        unknown = [given for given in layers if given not in LAYERS]
        if unknown:
            raise ExportError(f"--layer is native, human or machine, not {short(unknown[0])}")
        place = db or load_settings().db
        with open_read_only(place) as warehouse:
            sentence = load_sentence(warehouse, name)
        if sentence is None:
            raise ExportError(
                f"no sentence {short(name)} in {place}: an id looks like gorman/xml versions/Lysias 1 bu1.xml#93"
            )
        if "machine" in layers and all(node.head < 0 for node in sentence.layers["machine"]):
            raise ExportError(f"{name} has no machine layer in this edition")
        print(render(sentence, layers))


def explain(
    sentence: Annotated[
        str, typer.Argument(help="Sentence id (<project>/<path>#<position>), published id (s-...) or dedup key.")
    ],
    db: Annotated[
        Path | None, typer.Option(help="Warehouse to ask; by default the published one.", exists=True)
    ] = None,
    every_pair: Annotated[bool, typer.Option("--all", help="List every pair, not five of each rule.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per finding.")] = False,
) -> None:
    """Tell what became of one sentence: its source, the rules that touched it, the pair that decided, the survivor."""
    import json
    from dataclasses import asdict

    from exports.ask import explain as explaining
    from exports.warehouse import open_read_only
    from runtime.settings import load_settings

    with told(), open_read_only(db or load_settings().db) as con:
        findings = explaining.explain(con, as_utf8(sentence))
        if as_json:
            for finding in findings:
                print(json.dumps(asdict(finding), ensure_ascii=False))
        else:
            print(explaining.as_text(findings, len(findings) if every_pair else 5))


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
