"""A small dataset that can be scored, with an in-work and a held-out configuration, and predictions for it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from score.core.edition import open_edition

AUTHORS = ("Antiphon", "Demosthenes", "Lysias")

IN_WORK, HELD_OUT = "sentence_10", "work_held_out_10"

STRINGS = pa.list_(pa.string())


def in_work_rows(split: str, rows: int) -> Iterable[dict[str, Any]]:
    """Rows of three works an author, the last of several works."""
    for author in AUTHORS:
        for number in range(rows):
            is_mixed = number == rows - 1
            name = f"{IN_WORK}-{author.lower()}-{split}-{number:05d}"
            yield {
                "id": name,
                "author": author,
                "text": ["λέγω τοῦτο"] * (1 + number % 4),
                "canonical_work": None if is_mixed else f"{author}:{number % 3}",
                "work": None if is_mixed else f"Work {number % 3}",
                "split": split,
                "chunk_is_mixed_work": is_mixed,
                "constituent_ids": [f"s-{author}-{split}-{number}"],
            }


def held_out_rows(split: str, rows: int) -> Iterable[dict[str, Any]]:
    """Rows of which the test split is one work an author; there are seven authors, of whom two are singletons."""
    for place in range(7):
        author = f"Author {place}"
        test = f"{author}:test"
        for number in range(rows + place % 3):
            is_test = split == "test"
            yield {
                "id": f"{HELD_OUT}-author-{place}-{split}-{number:05d}",
                "author": author,
                "text": ["λέγω"] * (1 + number),
                "canonical_work": test if is_test else f"{author}:{split}",
                "work": "File of the test work" if is_test else "Other",
                "split": split,
                "chunk_is_mixed_work": False,
                "constituent_ids": [f"s-{place}-{split}-{number}"],
                "held_out_work": test,
                "held_out_work_title": f"Work of {author}",
                "held_out_group": "singleton" if place > 4 else "rival",
                # Of the fourth author's test work two rows are of disputed authenticity.
                "passage_note": "disputed" if is_test and place == 3 and number < 2 else None,
            }


def write_dataset(folder: Path) -> Path:
    """Write the dataset with its checksums, and return its folder."""
    sums = []
    for configuration, make in ((IN_WORK, in_work_rows), (HELD_OUT, held_out_rows)):
        for split, rows in (("train", 12), ("validation", 5), ("validation2", 4), ("test", 9)):
            path = folder / "data" / configuration / f"{split}-00000-of-00001.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            table = pa.Table.from_pylist(sorted(make(split, rows), key=lambda row: str(row["id"])))
            pq.write_table(table, path)
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            sums.append(f"{digest}  {path.relative_to(folder)}\n")
    (folder / "SHA256SUMS").write_text("".join(sorted(sums)), encoding="utf-8")
    return folder


def header(folder: Path, configuration: str = IN_WORK, split: str = "test", **more: Any) -> dict[str, Any]:
    """Return the header of a sound prediction file."""
    return {
        "format": "sphragis-predictions-1",
        "edition": open_edition(folder).fingerprint,
        "configuration": configuration,
        "split": split,
        "system": "a system",
        "inputs": ["text"],
        "trained_on": [f"{configuration}/train"],
        "selected_on": [f"{configuration}/validation"],
        "pretrained": None,
        "seed": 917,
        "url": None,
        **more,
    }


def answers(
    folder: Path,
    configuration: str = IN_WORK,
    split: str = "test",
    is_right: Callable[[int], bool] = lambda n: n % 3 > 0,
) -> list[dict[str, Any]]:
    """Return a prediction for every row; a wrong one is the next label."""
    rows = open_edition(folder).rows(configuration, split)
    made = []
    for number, (name, truth) in enumerate(zip(rows.ids, rows.truth, strict=True)):
        label = rows.labels[truth if is_right(number) else (truth + 1) % len(rows.labels)]
        made.append({"id": name, "author": label})
    return made


def with_scores(lines: list[dict[str, Any]], labels: Iterable[str]) -> list[dict[str, Any]]:
    """Return predictions with scores, of which the predicted label has more the later the line."""
    names = list(labels)
    made = []
    for number, line in enumerate(lines):
        high = 0.5 + 0.4 * number / len(lines)
        rest = (1 - high) / (len(names) - 1)
        made.append({**line, "scores": {name: high if name == line["author"] else rest for name in names}})
    return made


def write_predictions(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    """Write a header and predictions, an object a line."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path
