"""The commands of audits, by hand and by classifiers; heavy imports wait until a command needs them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from exports.told import Folder, dataset_folder, told

audit = typer.Typer(
    help="Measure what tells the annotator; draw sentences for annotation, and compare the machine layer with it.",
    no_args_is_help=True,
)

SHOWN = 20
"""Sentences left out that are named on the terminal; all of them are in the JSON."""


@audit.command("compare")
def compare(
    parse: Annotated[str, typer.Argument(help="CoNLL-U file of a parse, or `machine`: the layer of the dataset.")],
    audit_a: Annotated[Path, typer.Argument(help="CoNLL-U file of the audit: published sentences, annotated by hand.")],
    audit_b: Annotated[Path | None, typer.Argument(help="A second audit, made independently of the first.")] = None,
    reduced: Annotated[bool, typer.Option("--reduced", help="Relations as the human layer reduces them.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 when any sentence is left out.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the JSON into this file.")] = None,
    folder: Folder = None,
) -> None:
    """Compare a parse with one audit or two: attachment, relations, tags, features, each of them, and the ceiling.

    A sentence that is malformed, unknown or has other forms is named at the end and left out; the others are compared.
    Exit code 1: nothing could be compared; with --strict, a sentence was left out.
    """
    from rich.console import Console

    from exports.audit import compare as comparison
    from exports.audit import dataset, report
    from exports.audit.reader import read_trees

    with told():
        audits = [read_trees(path) for path in (audit_a, audit_b) if path is not None]
        wanted = {name for trees in audits for name in trees.sentences}
        if parse == dataset.MACHINE:
            trees = dataset.machine_trees(dataset_folder(folder), wanted)
        else:
            trees = read_trees(Path(parse), wanted)
        found = comparison.compare(trees, audits, "reduced" if reduced else "base")
        text = json.dumps(found, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
        if out is not None:
            out.write_text(text, encoding="utf-8")
    if as_json:
        sys.stdout.write(text)
    else:
        report.show(found, Console(color_system=None))
    lines = comparison.left_out(found)
    for line in lines[:SHOWN]:
        print(f"left out: {line}", file=sys.stderr)
    if len(lines) > SHOWN:
        print(f"left out: {len(lines) - SHOWN:,} more; all of them are in the JSON", file=sys.stderr)
    if strict and lines:
        raise SystemExit(1)


@audit.command("sample")
def sample(
    size: Annotated[int, typer.Option(help="Sentences to draw.", min=1)] = 100,
    seed: Annotated[
        int | None, typer.Option(help="Another number gives another sample; by default the seed of the project.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the files.")] = Path("audit"),
    without: Annotated[
        list[Path] | None, typer.Option(help="CoNLL-U file whose sentences are not drawn again; may be repeated.")
    ] = None,
    with_source: Annotated[bool, typer.Option("--with-source", help="Author, work and passage as comments.")] = False,
    folder: Folder = None,
) -> None:
    """Draw published sentences for annotation, stratified by author and length; the same bytes for the same seed.

    Writes sample.conllu with ids and forms only, to be annotated, and sample_parse.conllu with the machine layer where
    the edition has one. A file that is there with another content is never overwritten. Exit code 1: nothing was
    written.
    """
    from exports.audit import dataset
    from exports.audit import sample as sampling
    from exports.warehouse import ExportError
    from runtime.checkout import project_seed

    with told():
        place = dataset_folder(folder)
        known = sampling.without(dataset.published(place), sampling.named_in(without or []))
        drawn = sampling.draw(known, size, project_seed(ExportError) if seed is None else seed)
        texts = sampling.files(place, drawn, with_source)
        sampling.write(out, texts)
    print(sampling.as_text(drawn))
    for name in texts:
        print(out / name)
    if sampling.PARSED not in texts:
        print("This edition has no machine layer: there is no file with a parse.", file=sys.stderr)


@audit.command("leakage")
def leakage(
    layer: Annotated[str | None, typer.Option(help="human or machine; by default all that there are.")] = None,
    working: Annotated[
        bool, typer.Option("--working", help="The warehouse under construction, not the published one.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Also write reports and predictions into this folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Measure what markup tells: the author, the project within an author, the project of twice annotated sentences.

    Reads no form and no lemma. Fits take some forty seconds per layer and are kept by content: nothing that was fitted
    is fitted again. Exit code 1: there is no warehouse, or it does not have the layer.
    """
    from rich.console import Console

    from exports.edition.export import say_on_terminal
    from exports.leakage import report
    from exports.leakage.audit import audit as measure
    from exports.leakage.markup import LAYERS
    from exports.warehouse import ExportError, open_read_only
    from runtime.settings import load_settings

    with told():
        if layer is not None and layer not in LAYERS:
            raise ExportError(f"--layer: expected one of {', '.join(LAYERS)}, found {layer!r}")
        settings = load_settings()
        say = (lambda line: None) if quiet else say_on_terminal
        con = open_read_only(settings.work_db if working else settings.db)
        try:
            found = [measure(con, settings.leakage_cache, name, say) for name in ([layer] if layer else LAYERS)]
        finally:
            con.close()
        audited = [one for one in found if one is not None]
        if not audited:
            raise ExportError(f"the warehouse has no {layer or 'published'} layer")
        for one in audited:
            if out is not None:
                one.write(out)
    if as_json:
        text = json.dumps({one.layer: one.report for one in audited}, ensure_ascii=False, indent=2, sort_keys=True)
        sys.stdout.write(text + "\n")
        return
    for one in audited:
        report.show(one.report, Console(color_system=None))
