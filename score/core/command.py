"""The command that scores: `sphragis score`, and `python scripts/score.py` inside a dataset."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import comparison, figures, reports
from .edition import BASELINES, ROTATION, Edition, Rows, open_edition
from .faults import ScoreError
from .predictions import FORMAT, TYPES, Predictions, check, read_file
from .verification import score_pairs

FLOOR = "metadata/leakage/{configuration}.test.conllu_human.jsonl"
"""Predictions of the classifier that sees the annotation alone, in every edition and for every configuration."""

FLOOR_OF_ROTATION = "markup-conllu_human/{configuration}-rotation.jsonl.gz"
"""Those of the same classifier over the folds, among the baselines."""


def options() -> argparse.ArgumentParser:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(
        prog="score",
        description="Score prediction files on an edition of Sphragis, with intervals over works.",
        epilog="Exit code 0: scored. 1: a file was refused, with the reason. 2: the command line is wrong.",
    )
    parser.add_argument("predictions", nargs="+", type=Path, metavar="PREDICTIONS", help="JSON Lines, gzipped or CSV")
    parser.add_argument("--edition", type=Path, metavar="DIR", help="the dataset folder; by default the one around")
    parser.add_argument("--against", type=Path, metavar="FILE", help="predictions of a system to compare each with")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures; - prints them instead of text")
    parser.add_argument("--table", choices=("md", "csv"), help="print a table of systems instead of text")
    parser.add_argument("--model-index", metavar="NAME", help="print entries of a model card; NAME is the dataset's")
    parser.add_argument("--missing", choices=("wrong",), help="count rows without a prediction as wrong")
    of_csv = parser.add_argument_group("header of CSV files with the columns id,author")
    of_csv.add_argument("--made-on", metavar="FINGERPRINT", help="the edition that was predicted on")
    for name in ("configuration", "split", "system", "pretrained", "url"):
        of_csv.add_argument(f"--{name}")
    of_csv.add_argument("--seed", type=int)
    for name in ("inputs", "trained-on", "selected-on", "combines"):
        of_csv.add_argument(f"--{name}", nargs="*")
    return parser


def header_of_options(given: argparse.Namespace) -> dict[str, Any]:
    """Return the header that the options of the command line give."""
    names = [name for name in TYPES if name not in ("format", "edition")]
    header = {"format": FORMAT, "edition": given.made_on} | {name: getattr(given, name) for name in names}
    return {name: value for name, value in header.items() if value is not None}


def read_predictions(path: Path, edition: Edition, given: argparse.Namespace | None = None) -> Predictions:
    """Return a checked prediction file of labels.

    Raises:
        ScoreError: it is refused.
    """
    header, lines = read_file(path, header_of_options(given) if given else None)
    if header["split"].startswith("pairs/"):
        raise ScoreError("comparison-same-rows", f"{path.name}: systems on pairs are not compared")
    return check(header, lines, edition, given is not None and given.missing == "wrong")


def score_file(
    path: Path, edition: Edition, given: argparse.Namespace | None = None, baselines: Path | None = None
) -> tuple[Predictions | None, dict[str, Any]]:
    """Return the checked predictions (None for pairs) and all figures of a file.

    Args:
        path: the prediction file.
        edition: the dataset.
        given: options of the command line.
        baselines: folder of the baselines; by default that of the edition.

    Raises:
        ScoreError: it is refused.
    """
    header, lines = read_file(path, header_of_options(given) if given else None)
    is_missing_wrong = given is not None and given.missing == "wrong"
    if header["split"].startswith("pairs/"):
        return None, score_pairs(header, lines, edition, is_missing_wrong)
    predictions = check(header, lines, edition, is_missing_wrong)
    record = figures.score(predictions)
    record["above_floor"] = above_floor(predictions, edition, baselines)
    return predictions, record


def above_floor(predictions: Predictions, edition: Edition, baselines: Path | None = None) -> dict[str, Any] | None:
    """Return the paired distance of the headline from the markup floor, None where the edition stores none.

    Raises:
        ScoreError: the stored predictions are damaged.
    """
    rows = predictions.rows
    path = floor_file(rows, edition, baselines or edition.folder / BASELINES)
    if path is None or not path.is_file():
        return None
    floor = read_predictions(path, edition)
    found = comparison.difference(rows, predictions.label, floor.label)
    value = figures.headline(rows, floor.label)
    kept = {name: found[name] for name in ("difference", "interval", "test", "works", "probability")}
    return dict(figures.rounded({"floor": value, **kept}))


def floor_file(rows: Rows, edition: Edition, baselines: Path) -> Path | None:
    """Return where the predictions of the floor for these rows would be; None for rows that it is not known of."""
    places = {"test": edition.folder / FLOOR, ROTATION: baselines / FLOOR_OF_ROTATION}
    place = places.get(rows.split)
    return None if place is None else place.with_name(place.name.format(configuration=rows.configuration))


def run(arguments: Sequence[str], around: Path | None) -> tuple[str, dict[str, Any]]:
    """Score what the command line names; return what is printed, and all figures.

    Args:
        arguments: of the command line, without its name.
        around: the dataset that is meant where none is named.

    Raises:
        ScoreError: a file is refused.
        SystemExit: the command line is wrong (code 2), or asks for help (0).
    """
    parser = options()
    given = parser.parse_args(arguments)
    folder = given.edition or around
    if folder is None:
        parser.error("name the dataset folder with --edition")
    edition = open_edition(folder)
    scored = [score_file(path, edition, given) for path in given.predictions]
    scores = [record for _, record in scored]
    comparisons = []
    if given.against is not None:
        other = read_predictions(given.against, edition, given)
        chosen = [predictions for predictions, _ in scored if predictions is not None]
        comparisons = comparison.correct([comparison.compare(each, other) for each in chosen])
    record = {"format": figures.FORMAT, "edition": edition.fingerprint, "scores": scores, "comparisons": comparisons}
    text = json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    if given.json is not None and str(given.json) != "-":
        given.json.write_text(text, encoding="utf-8")
    if str(given.json) == "-":
        return text, record
    if given.model_index:
        return reports.model_index(scores, given.model_index), record
    if given.table:
        return reports.as_table(scores, given.table), record
    return reports.as_text(scores, comparisons), record


def main(arguments: Sequence[str], around: Path | None) -> int:
    """Run the command by itself and return its exit code.

    Args:
        arguments: of the command line, without its name.
        around: the dataset that is meant where none is named.
    """
    try:
        text, _ = run(arguments, around)
    except ScoreError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"error: cannot use {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    sys.stdout.write(text)
    return 0
