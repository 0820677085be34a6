"""The commands of deduplication: explain one sentence, measure the exact join."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exports.cli import as_utf8, told


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

    from exports import explain as explaining
    from exports.warehouse import open_read_only
    from ingest.settings import load_settings

    with told(), open_read_only(db or load_settings().db) as con:
        findings = explaining.explain(con, as_utf8(sentence))
        if as_json:
            for finding in findings:
                print(json.dumps(asdict(finding), ensure_ascii=False))
        else:
            print(explaining.as_text(findings, len(findings) if every_pair else 5))


def bench_dedup(
    db: Annotated[
        Path | None, typer.Option(help="Warehouse with the 4-grams; by default the published one.", exists=True)
    ] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each side and size; the median counts.", min=1)] = 3,
    copies: Annotated[str, typer.Option(help="Sizes of the enlarged corpora, as multiples.")] = "1,4,16",
    renamed: Annotated[float, typer.Option(help="Share of the words renamed in every copy.", min=0, max=1)] = 0.5,
) -> None:
    """Measure the exact join of 4-grams beside datasketch's MinHashLSH on the same sets, and how the join grows.

    Run in the checkout: the models themselves are compiled and run on copies of their inputs.
    """
    from exports.bench.dedup import measure
    from exports.warehouse import ExportError
    from ingest.settings import load_settings

    with told():
        if not all(size.strip().isdecimal() and int(size) for size in copies.split(",")):
            raise ExportError(f"--copies is a list of whole numbers such as 1,4,16, not {copies!r}")
        sizes = [int(size) for size in copies.split(",")]
        print(measure(db or load_settings().db, repeats, sizes, renamed))
