"""The commands of who scores: systems, baselines, the table of systems, pairs for verification."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from runtime.told import telling

Arguments = Annotated[list[str] | None, typer.Argument(metavar="PREDICTIONS... [OPTIONS]")]


def told() -> AbstractContextManager[None]:
    """Print an expected failure of scoring as one message and end with code 1."""
    from runtime.errors import IngestError
    from score.core.faults import ScoreError

    return telling(ScoreError, IngestError)


def dataset(folder: Path | None) -> Path:
    """Return the dataset folder that a command works on, by default that of the build."""
    from runtime.settings import load_settings

    return (folder or load_settings().hub).resolve()


def score(arguments: Arguments = None) -> None:
    """Score prediction files, with intervals over works. `sphragis score --help` tells the options.

    Exit code 1: a file was refused, with the reason.
    """
    from score.core.command import run

    with told():
        text, _ = run(arguments or [], dataset(None))
        sys.stdout.write(text)


def baseline(
    name: Annotated[
        str | None, typer.Argument(help="majority, length, markup, delta, burrows, word, lemma, char or syntax.")
    ] = None,
    configuration: Annotated[str | None, typer.Option(help="For example work_held_out_10.")] = None,
    column: Annotated[
        str | None, typer.Option("--input", help="text, text_distorted, conllu_human or conllu_machine.")
    ] = None,
    split: Annotated[str, typer.Option(help="test, validation or rotation.")] = "test",
    out: Annotated[Path | None, typer.Option(help="File, or with --all folder, to write; a file may be .gz.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All on all inputs, for ten sentences of every track.")] = False,
    folder: Annotated[Path | None, typer.Option(help="Dataset folder; by default that of the build.")] = None,
) -> None:
    """Run a baseline and write its predictions. Settings are chosen on validation alone.

    With --all the predictions of all baselines and their scores go to the build, where the next export of the same
    data finds them, or to the folder that --out names; what is made there already is not made again.
    """
    from score.core.faults import ScoreError

    with told():
        if every == (name is not None):
            raise ScoreError("baseline-name", "name one baseline, or give --all")
        from runtime.settings import load_settings
        from score.baselines import stored
        from score.baselines.run import run_one, write_text
        from score.core.edition import open_edition

        if every:
            edition = open_edition(dataset(folder))
            target = out or stored.folder_of(load_settings().build, edition)
            write = stored.fill if out is not None else stored.make
            if out is not None or not stored.is_made(target):
                write(edition, target, lambda line: print(line, file=sys.stderr))
            print(target)
            return
        if name is None or configuration is None:
            raise ScoreError("prediction-configuration", "name the configuration with --configuration")
        text = run_one(dataset(folder), name, configuration, column, split)
        if out is None:
            sys.stdout.write(text)
        else:
            write_text(out, text)


def leaderboard(
    systems: Annotated[
        list[Path] | None, typer.Argument(metavar="FOLDER", help="Folder with one folder of predictions per system.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write leaderboard.md, .json and .html here, instead of printing.")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Dataset folder; by default that of the build.")] = None,
) -> None:
    """Score all systems of a folder from scratch and rank them, beside the baselines that the edition stores.

    Exit code 1: a file was refused, with the reason.
    """
    from score.core.edition import BASELINES, open_edition
    from score.core.faults import ScoreError
    from score.leaderboard import as_markdown, make, read_systems, write

    with told():
        edition = open_edition(dataset(folder))
        stored = edition.folder / BASELINES
        folders = [*([stored] if stored.is_dir() else []), *(systems or [])]
        if not folders:
            raise ScoreError("leaderboard-folder", "name a folder of systems: this edition stores no baselines")
        board = make(edition, read_systems(folders, edition))
        if out is None:
            sys.stdout.write(as_markdown(board))
        else:
            write(board, out)


def pairs(
    configuration: Annotated[str, typer.Argument(help="Of a held-out track, for example work_held_out_10.")],
    split: Annotated[str, typer.Option(help="train, validation, validation2 or test.")] = "test",
    out: Annotated[Path | None, typer.Option(help="File to write, instead of printing.")] = None,
    folder: Annotated[Path | None, typer.Option(help="Dataset folder; by default that of the build.")] = None,
) -> None:
    """Print pairs of chunks for verification: do they have one author? One JSON object a line, with the answer.

    The first chunk is of the split, the second of train and of another work. Predictions are scored by `sphragis score`
    with the split `pairs/test`: lines of an id and a value from 0 to 1, one half for no answer.
    """
    import json

    from score.core.edition import open_edition
    from score.core.verification import make_pairs

    with told():
        made = make_pairs(open_edition(dataset(folder)), configuration, split)
        text = "".join(
            json.dumps({"id": pair.id, "first": pair.first, "second": pair.second, "same": pair.is_same}) + "\n"
            for pair in made
        )
        if out is None:
            sys.stdout.write(text)
        else:
            out.write_text(text, encoding="utf-8")
