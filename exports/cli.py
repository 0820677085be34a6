"""The command line of the export step; heavy imports wait until a command needs them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

from ingest.command import short


@contextmanager
def told() -> Iterator[None]:
    """Print an expected failure as one message and end with code 1."""
    from exports.warehouse import ExportError
    from ingest.command import say_error

    try:
        yield
    except UnicodeError as error:
        say_error(f"expected UTF-8, found {_faulty(error)}")
    except (ExportError, ValueError) as error:
        say_error(error)
    except OSError as error:
        if error.filename is None:
            raise
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        say_error(f"cannot use {short(name, 400)}: {error.strerror}")
    except Exception as error:
        # Those of the engine and of Arrow, which are not imported for this.
        if type(error).__module__.partition(".")[0] not in ("duckdb", "_duckdb", "pyarrow"):
            raise
        say_error(
            "expected a warehouse, or a dataset, of this version, found another or a damaged one: "
            f"{first_line(error)}; move it away and build anew"
        )
    else:
        return
    raise SystemExit(1)


def export(
    processes: Annotated[int, typer.Option(help="Threads of the writer and processes of the loader.", min=1)] = 2,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
) -> None:
    """Write the dataset folder and publish the warehouse.

    Everything is written beside the last edition; warehouse and folder are put in place in one step when they are
    complete and checked. Exit code 1: nothing was changed. Exit code 130: interrupted; the message says what is in
    place.
    """
    from exports import edition
    from ingest.settings import load_settings

    with told():
        say = (lambda line: None) if quiet else edition.say_on_terminal
        summary = edition.export(load_settings(), say, processes, quiet)
    if not quiet:
        print(edition.report(summary))


def first_line(error: Exception) -> str:
    """Return the first line of a message, where the others only repeat what was asked."""
    return short((str(error).strip() or type(error).__name__).splitlines()[0])


def _faulty(error: UnicodeError) -> str:
    """Return the text that is no UTF-8, as far as the error knows it."""
    faulty = getattr(error, "object", None)
    if isinstance(faulty, bytes):
        faulty = faulty[max(0, error.start - 40) : error.end + 40].decode("utf-8", "backslashreplace")  # type: ignore[attr-defined]
    return f"'{short(faulty or error)}'"


def as_utf8(name: str) -> str:
    """Return a name that was typed, as text.

    Raises:
        ExportError: its bytes are no UTF-8, so that it can be the name of nothing.
    """
    from exports.warehouse import ExportError

    try:
        return os.fsencode(name).decode("utf-8")
    except UnicodeError:
        raise ExportError(f"expected a name in UTF-8, found '{short(name)}'") from None


Folder = Annotated[Path | None, typer.Option(help="Dataset folder; by default that of the build.")]


def dataset_folder(folder: Path | None) -> Path:
    """Return the dataset folder that a command works on: of one edition, also when the next is put in place meanwhile.

    Raises:
        ExportError: there is none.
    """
    from exports.warehouse import ExportError
    from ingest.settings import load_settings

    found = folder or load_settings().hub
    edition = found.resolve()
    if not (edition / "data").is_dir():
        raise ExportError(f"no dataset in {found}: run `make build` first, or name one with --folder")
    return edition


def conllu(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of a published sentence (s-...) or of a chunk.")],
    layer: Annotated[str, typer.Option(help="human or machine.")] = "human",
    plain: Annotated[bool, typer.Option("--plain", help="Without comments, as a model sees it.")] = False,
    folder: Folder = None,
) -> None:
    """Print a published row as CoNLL-U. Exit code 1: there is no such row, or it has no such layer."""
    from exports.conllu import find_rows, render_conllu
    from exports.warehouse import ExportError

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
    from exports.text import read_texts, write_texts

    with told():
        configuration, split = as_utf8(configuration), as_utf8(split)
        place = dataset_folder(folder)
        if out is not None:
            count = write_texts(place, configuration, split, out)
            print(f"{count:,} files in {out}", file=sys.stderr)
            return
        for number, (_, sentences) in enumerate(read_texts(place, configuration, split)):
            sys.stdout.write(("\n" if number else "") + "\n".join(sentences) + "\n")


def diff(
    before: Annotated[Path, typer.Argument(help="Dataset folder of the older edition.")],
    after: Annotated[Path, typer.Argument(help="Dataset folder of the newer edition.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Compare two editions: rows added, removed and moved between splits, columns, per author.

    Exit code 1: a folder is no edition.
    """
    from exports import diff as comparison

    with told():
        found = comparison.compare(before.resolve(), after.resolve())
        if as_json:
            print(json.dumps(found, ensure_ascii=False, indent=2, sort_keys=True))
        else:
            print(comparison.as_text(found), end="")


def publish(
    repo: Annotated[str, typer.Option(help="Owner and name of the dataset on the Hub.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be uploaded, send nothing.")] = False,
    confirm: Annotated[str | None, typer.Option(help="The name of the dataset again, instead of the question.")] = None,
    message: Annotated[str, typer.Option(help="Title of the commit.")] = "New edition",
    folder: Folder = None,
) -> None:
    """Upload the edition to the Hugging Face Hub, in one commit, after showing what would change.

    Nothing is sent without a confirmation: type the name of the dataset when asked, or give it with --confirm. The
    token is the one of `hf auth login` or HF_TOKEN. Exit code 1: it was not published, and the message says what is on
    the Hub.
    """
    from huggingface_hub import HfApi

    from exports import publish as publication
    from exports.warehouse import ExportError

    def confirmed(change: publication.Change) -> bool:
        print(publication.as_text(change))
        if dry_run:
            return False
        answer = confirm
        if answer is None and sys.stdin.isatty():
            with suppress(EOFError):
                answer = input(f"Type {repo} to upload: ")
        if not publication.confirm_by_name(answer, repo):
            raise ExportError(f"not confirmed, nothing was sent: type the name, or give --confirm {short(repo)}")
        return True

    with told():
        repo, message = as_utf8(repo), as_utf8(message)
        change, address = publication.publish(dataset_folder(folder), repo, HfApi(), confirmed, message)
    if not change.is_needed:
        print(f"{repo} already has this edition")
    elif address is not None:
        print(f"published: {address}")


def bench_export(
    configurations: Annotated[
        list[str] | None, typer.Argument(help="Configurations to write; by default the three of the main track.")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each side; the median counts.", min=1)] = 3,
) -> None:
    """Measure the writing of nested rows beside Python dictionaries and Dataset.from_list, on the same rows."""
    from exports.bench.export import CONFIGURATIONS, measure
    from ingest.settings import load_settings

    with told():
        print(measure(load_settings().work_db, configurations or CONFIGURATIONS, repeats))


def bench_parser(
    backends: Annotated[
        list[str] | None, typer.Argument(help="crossfit, spacy (where it is installed); by default crossfit.")
    ] = None,
    fold: Annotated[int, typer.Option(help="The fold that is parsed; the others train.", min=0)] = 3,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting of the profile, such as epochs=2; may be repeated."),
    ] = None,
    db: Annotated[Path | None, typer.Option(help="Warehouse with folds; by default the published one.")] = None,
) -> None:
    """Train a parser on all folds but one, parse that one, and print agreement with the human layer, seconds, memory.

    Takes the time of a whole fold: a quarter of an hour on the treebanks.
    """
    from exports.bench.parser import BACKENDS, measure
    from exports.warehouse import ExportError
    from ingest.settings import load_settings

    with told():
        changes: dict[str, float] = {}
        for pair in setting or []:
            name, _, value = pair.partition("=")
            try:
                changes[name] = int(value) if value.isdecimal() else float(value)
            except ValueError:
                raise ExportError(f"--set takes NAME=NUMBER, not {pair!r}") from None
        unknown = sorted(set(backends or []) - set(BACKENDS))
        if unknown:
            raise ExportError(f"the backends are {', '.join(BACKENDS)}, not {unknown[0]}")
        print(measure(db or load_settings().db, backends or ["crossfit"], fold, changes))
