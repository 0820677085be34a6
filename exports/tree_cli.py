"""The command that draws a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exports.cli import as_utf8, told
from ingest.command import short


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
    from exports.tree import LAYERS, load_sentence, render
    from exports.warehouse import ExportError, open_read_only
    from ingest.settings import load_settings

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
