"""Reading a prediction file: everything is checked before anything is scored, and nothing is ever skipped."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .edition import ROTATION, SPLITS, Edition, Rows
from .faults import ScoreError, proposal

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "sphragis-predictions-1"

INPUTS = ("text", "text_distorted", "conllu_human", "conllu_machine")
"""What a system may look at; every other column tells the author or who annotated him."""

TYPES: dict[str, tuple[type, ...]] = {
    "format": (str,),
    "edition": (str,),
    "configuration": (str,),
    "split": (str,),
    "system": (str,),
    "inputs": (list,),
    "trained_on": (list,),
    "selected_on": (list,),
    "pretrained": (str, type(None)),
    "seed": (int, type(None)),
    "url": (str, type(None)),
    "combines": (list, type(None)),
}
"""The keys of a header and what they hold."""

OPTIONAL = ("pretrained", "seed", "url", "combines")

MOST_BYTES = 2**30
"""Bytes that a compressed file may grow to."""

TOLERANCE = 1e-3
"""How far the scores of a row may be from one: what rounding to four digits does to 26 labels."""


@dataclass(frozen=True)
class Line:
    """One prediction as it was read: where it stands, the row, the label or value, the scores."""

    number: int
    id: str
    author: str | None
    scores: dict[str, float] | None
    value: float | None = None


@dataclass(frozen=True)
class Predictions:
    """A checked prediction file, in the order of the rows of the edition.

    Attributes:
        header: its header.
        rows: what is scored.
        label: place of the predicted label, -1 for none.
        scores: per row and label, or None.
        missing: rows that the file does not have, counted as wrong by choice.
    """

    header: dict[str, Any]
    rows: Rows
    label: NDArray[np.int64]
    scores: NDArray[np.float64] | None
    missing: int

    @property
    def system(self) -> str:
        """The name of the system."""
        return str(self.header["system"])


def read_file(path: Path, options: Mapping[str, Any] | None = None) -> tuple[dict[str, Any], list[Line]]:
    """Return header and predictions of a file, as they stand there.

    Args:
        path: JSON Lines, also gzipped, or CSV with the columns id and author.
        options: the header of a CSV file.

    Raises:
        ScoreError: it is none of these.
    """
    text = _text(path)
    if path.name.endswith((".csv", ".csv.gz")):
        return _checked_header(path, dict(options or {})), _csv_lines(path, text)
    numbered = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not numbered:
        raise ScoreError("prediction-file", f"{path.name}: expected a header and predictions, found nothing")
    faults: list[str] = []
    objects = []
    for number, line in numbered:
        try:
            found = json.loads(line, object_pairs_hook=_once, parse_constant=_no_constant)
            if not isinstance(found, dict):
                raise ValueError(f"expected an object, found {line[:60]}")
            if "\\u" in line:
                json.dumps(found, ensure_ascii=False).encode()
            objects.append((number, found))
        except (ValueError, RecursionError) as error:
            faults.append(f"line {number}: {error}")
    if faults:
        raise ScoreError("prediction-file", f"{path.name}: expected one JSON object a line", faults)
    header = _checked_header(path, objects[0][1])
    return header, _lines(path, objects[1:], "value" if header["split"].startswith("pairs/") else "author")


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        if path.name.endswith(".gz"):
            with gzip.open(io.BytesIO(content)) as file:
                content = file.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise ScoreError("prediction-file", f"{path.name}: expected at most {MOST_BYTES:,} bytes when unpacked")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScoreError(
            "prediction-file", f"{path.name}: expected UTF-8, found {content[error.start : error.start + 1]!r}"
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        raise ScoreError(
            "prediction-file", f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return made


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _checked_header(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    faults = []
    for name, types in TYPES.items():
        if name not in header:
            if name not in OPTIONAL:
                faults.append(f"expected {name!r}, found no such key")
        elif not isinstance(header[name], types) or isinstance(header[name], bool):
            faults.append(f"{name}: expected {types[0].__name__}, found {header[name]!r}")
        elif isinstance(header[name], list) and not all(isinstance(value, str) for value in header[name]):
            faults.append(f"{name}: expected a list of names, found {header[name]!r}")
    faults += [f"unknown key {name!r}{proposal(name, list(TYPES))}" for name in header if name not in TYPES]
    if not faults and header["format"] != FORMAT:
        faults.append(f"format: expected {FORMAT}, found {header['format']!r}")
    if not faults and not (header["system"].strip() and header["system"].isprintable()):
        faults.append(f"system: expected a name, found {header['system']!r}")
    if faults:
        raise ScoreError("prediction-header", f"{path.name}, line 1: not the header of a prediction file", faults)
    return header


def _lines(path: Path, objects: list[tuple[int, dict[str, Any]]], answer: str) -> list[Line]:
    faults, lines = [], []
    for number, found in objects:
        known = {"id", "author", "scores"} if answer == "author" else {"id", "value"}
        unknown = sorted(set(found) - known)
        author, scores, value = found.get("author"), found.get("scores"), found.get("value")
        if unknown:
            faults.append(f"line {number}: unknown key {unknown[0]!r}{proposal(unknown[0], sorted(known))}")
        elif not isinstance(found.get("id"), str):
            faults.append(f"line {number}: expected the id of a row, found {found.get('id')!r}")
        elif answer not in found:
            faults.append(f"line {number}: expected {answer!r}, found no such key (null abstains)")
        elif not (author is None or isinstance(author, str)):
            faults.append(f"line {number}: expected a label or null, found {author!r}")
        elif not (scores is None or (isinstance(scores, dict) and all(map(_is_share, scores.values())))):
            faults.append(f"line {number}: expected a score from 0 to 1 for each label, found {str(scores)[:60]}")
        elif not (value is None or _is_share(value)):
            faults.append(f"line {number}: expected a value from 0 to 1, found {value!r}")
        else:
            lines.append(Line(number, found["id"], author, scores, value))
    if faults:
        raise ScoreError("prediction-row", f"{path.name}: not predictions", faults)
    return lines


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _csv_lines(path: Path, text: str) -> list[Line]:
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise ScoreError("prediction-file", f"{path.name}: expected CSV: {error}") from None
    if not table or table[0] != ["id", "author"]:
        raise ScoreError(
            "prediction-file", f"{path.name}, line 1: expected id,author, found {','.join((table or [[]])[0])}"
        )
    wrong = [f"row {place}: {','.join(row)}" for place, row in enumerate(table, start=1) if len(row) not in (0, 2)]
    if wrong:
        raise ScoreError("prediction-row", f"{path.name}: expected an id and a label, or nothing for none", wrong)
    rows = enumerate(table[1:], start=2)
    return [Line(number, row[0], row[1] or None, None) for number, row in rows if row]


def check_header(header: Mapping[str, Any], edition: Edition) -> None:
    """Check what a header says of the edition and of what the system has seen.

    Raises:
        ScoreError: it was made on another edition, or has seen what is scored, or what names the author.
    """
    if header["edition"] != edition.fingerprint:
        raise ScoreError(
            "prediction-edition",
            f"expected predictions for the edition {edition.fingerprint}, found {header['edition']!r}: ids and splits "
            "of another edition are others, predict again",
        )
    configuration, split = header["configuration"], header["split"]
    edition.check_configuration(configuration)
    is_combination = len(set(header.get("combines") or [])) >= 2
    seen = [*header["trained_on"], *header["selected_on"]]
    if (split == "validation2" or any(name.endswith("/validation2") for name in seen)) and not is_combination:
        raise ScoreError(
            "prediction-validation2",
            "validation2 is for combinations of models only: say with `combines` which systems are combined, at least "
            "two, or use validation",
        )
    unknown = [f"{name!r}{proposal(name, INPUTS)}" for name in header["inputs"] if name not in INPUTS]
    if unknown:
        raise ScoreError(
            "prediction-inputs",
            f"expected inputs among {', '.join(INPUTS)}: the other columns name the author or his annotators",
            unknown,
        )
    base = split.removeprefix("pairs/")
    if base in SPLITS:
        edition.check_files(configuration, base)
    _check_seen(header["trained_on"], "prediction-trained-on", edition, configuration, base)
    if base in ("test", ROTATION):
        _check_seen(header["selected_on"], "prediction-selected-on", edition, configuration, base)


def _check_seen(names: Sequence[str], check: str, edition: Edition, configuration: str, split: str) -> None:
    """Refuse what a system was trained or selected on when a sentence of it is scored."""
    word = check.removeprefix("prediction-").replace("-", "_")
    known = [f"{each}/{part}" for each in edition.configurations for part in SPLITS]
    own = f"{configuration}/{ROTATION}"
    if split == ROTATION and check == "prediction-trained-on":
        if list(names) not in ([own], []):
            raise ScoreError(
                check,
                f"{word}: the rotation trains every fold on its own rows, so expected [{own!r}], found {list(names)}",
            )
        return
    unknown = [f"{name!r}{proposal(name, known)}" for name in names if name not in known]
    if unknown:
        raise ScoreError(check, f"{word}: expected names like {configuration}/train", unknown)
    if split == ROTATION:
        # Settings are chosen once for all folds, on rows that some fold holds out; the page on scoring says so.
        return
    scored = edition.sentences(configuration, split)
    shared = []
    for name in dict.fromkeys(names):
        count = len(scored & edition.sentences(*name.split("/")))
        if count:
            shared.append(f"{name} has {count:,} of the {len(scored):,} sentences")
    if shared:
        raise ScoreError(check, f"{word}: what is scored on {configuration}/{split} was seen before", shared)


def match_ids(lines: Sequence[Line], ids: Sequence[str], is_missing_wrong: bool, where: str) -> dict[str, Line]:
    """Return the predictions by id.

    Raises:
        ScoreError: one is there twice, is of no row, or is missing.
    """
    first: dict[str, Line] = {}
    repeated, unknown = [], []
    known = set(ids)
    for line in lines:
        if line.id in first:
            repeated.append(f"line {line.number}: {line.id}, first in line {first[line.id].number}")
        first.setdefault(line.id, line)
        if line.id not in known:
            unknown.append(line)
    if repeated:
        raise ScoreError("prediction-repeated-id", "expected one prediction a row", repeated)
    if unknown:
        near = [proposal(line.id, ids) if place < 5 else "" for place, line in enumerate(unknown)]
        cases = [f"line {line.number}: {line.id}{end}" for line, end in zip(unknown, near, strict=True)]
        raise ScoreError("prediction-unknown-id", f"expected ids of {where}", cases)
    missing = [name for name in ids if name not in first]
    if missing and not is_missing_wrong:
        raise ScoreError(
            "prediction-missing-id",
            f"expected {len(ids):,} predictions, found {len(first):,}; --missing wrong counts the others as wrong",
            missing,
        )
    return first


def check(header: dict[str, Any], lines: list[Line], edition: Edition, is_missing_wrong: bool = False) -> Predictions:
    """Return the predictions of labels, in the order of the rows.

    Raises:
        ScoreError: a check failed; the message has the first cases and their number.
    """
    check_header(header, edition)
    rows = edition.rows(header["configuration"], header["split"])
    found = match_ids(lines, rows.ids, is_missing_wrong, f"{rows.configuration}/{rows.split}")
    places = {label: place for place, label in enumerate(rows.labels)}
    unknown = [
        f"line {line.number}: {line.author!r}{proposal(line.author, rows.labels)}"
        for line in lines
        if line.author is not None and line.author not in places
    ]
    if unknown:
        raise ScoreError("prediction-unknown-label", f"expected the labels of {rows.configuration}, or null", unknown)
    label = np.full(len(rows.ids), -1, dtype=np.int64)
    for place, name in enumerate(rows.ids):
        line = found.get(name)
        if line is not None and line.author is not None:
            label[place] = places[line.author]
    missing = len(rows.ids) - len(found)
    return Predictions(header, rows, label, _scores(lines, found, rows, places), missing)


def _scores(
    lines: list[Line], found: Mapping[str, Line], rows: Rows, places: Mapping[str, int]
) -> NDArray[np.float64] | None:
    """Return the scores of all rows, None when the file has none; a row counted as missing has equal ones."""
    if all(line.scores is None for line in lines):
        return None
    without = [f"line {line.number}: {line.id}" for line in lines if line.scores is None]
    if without:
        raise ScoreError("prediction-scores-all-or-none", "expected scores in every line or in none", without)
    names, sums, highest = [], [], []
    made = np.full((len(rows.ids), len(rows.labels)), 1 / len(rows.labels))
    for place, name in enumerate(rows.ids):
        line = found.get(name)
        if line is None or line.scores is None:
            continue
        unknown = [label for label in line.scores if label not in places]
        if unknown:
            names.append(f"line {line.number}: {unknown[0]!r}{proposal(unknown[0], rows.labels)}")
            continue
        total = math.fsum(line.scores.values())
        if abs(total - 1) > TOLERANCE:
            sums.append(f"line {line.number}: {total:.6g}")
            continue
        best = max(line.scores.values())
        first = [label for label, score in line.scores.items() if score == best]
        if line.author is not None and first != [line.author]:
            highest.append(f"line {line.number}: author {line.author}, highest {', '.join(sorted(first))}")
        made[place] = 0.0
        for label, score in line.scores.items():
            made[place, places[label]] = score
    if names:
        raise ScoreError("prediction-scores-labels", f"expected scores for the labels of {rows.configuration}", names)
    if sums:
        raise ScoreError("prediction-scores-sum", "expected scores that sum to one", sums)
    if highest:
        raise ScoreError("prediction-scores-maximum", "expected `author` to have the only highest score", highest)
    return made
