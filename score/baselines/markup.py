"""What the annotation says of a row without any Greek: the features of `audit.markup_rates`, from published trees.

The leakage audit counts them in the warehouse, where second annotations are too; whoever has the dataset alone counts
them here. Both give the same counts of the same sentence (`tests/python/test_score_floor.py`).
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from runtime.checkout import project_root
from runtime.errors import IngestError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from score.baselines.material import Tokens

NONE = "_"
"""What stands for a missing value."""

DISTANCES = ((1, "1"), (2, "2"), (3, "3"), (6, "4 to 6"), (12, "7 to 12"))
"""Distances of a word from its head, up to each: as `int_leakage__words` bins them."""
FARTHER = "13 and more"

DEPTHS = ("0", "1", "2", "3", "4", "5 and more")


CLASSES, RELATIONS = "universal/ud_upos.csv", "annotation/relation_reduction.csv"
"""Seeds that tell function words."""


def seeds() -> list[Path]:
    """Return the files of decisions that the counts depend on."""
    return [project_root(IngestError) / "seeds" / name for name in (CLASSES, RELATIONS)]


@cache
def function_classes() -> frozenset[str]:
    """Return the classes of function words, from the seed."""
    return frozenset(row["upos"] for row in _rows(seeds()[0]) if row["is_content"] == "false")


@cache
def function_relations() -> frozenset[str]:
    """Return the relations of function words, from the seed."""
    return frozenset(row["relation"] for row in _rows(seeds()[1]) if row["deprel"] == "case")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def markup_counts(tokens: Tokens, rows: int) -> tuple[list[tuple[str, str]], NDArray[np.float64]]:
    """Return group and name of every feature, sorted, and how many words of each row have it.

    Args:
        tokens: the words of all rows.
        rows: number of rows.
    """
    upos, deprel = tokens.codes["upos"], tokens.codes["deprel"]
    places = np.arange(len(tokens.row))
    is_root = tokens.head < 0
    is_head = np.bincount(tokens.head[~is_root], minlength=len(places)) > 0
    bounds = np.array([bound for bound, _ in DISTANCES])
    found: dict[tuple[str, str], NDArray[np.float64]] = {}

    def count(group: str, codes: NDArray[np.int64], names: Sequence[str], chosen: NDArray[np.bool_]) -> None:
        table = np.zeros((rows, len(names)))
        np.add.at(table, (tokens.row[chosen], codes[chosen]), 1)
        for code, name in enumerate(names):
            if name != NONE and table[:, code].any():
                found[group, name] = found.get((group, name), np.zeros(rows)) + table[:, code]

    everything = np.ones(len(places), dtype=np.bool_)
    count("upos", upos, tokens.values["upos"], everything)
    count("deprel", deprel, tokens.values["deprel"], everything)
    count("direction", (tokens.head > places).astype(np.int64), ("before", "after"), ~is_root)
    distance = np.searchsorted(bounds, np.abs(tokens.head - places))
    count("distance", distance, (*(name for _, name in DISTANCES), FARTHER), ~is_root)
    count("depth", depths(tokens.head), DEPTHS, everything)
    of_class = np.isin(tokens.values["upos"], list(function_classes()))
    count("heading", upos, tokens.values["upos"], is_head & of_class[upos])
    bare = [value.partition(":")[0] for value in tokens.values["deprel"]]
    of_relation = np.isin(bare, list(function_relations()))
    count("heading", deprel, tokens.values["deprel"], is_head & of_relation[deprel])
    for place in range(max((value.count("|") + 1 for value in tokens.values["feats"]), default=0)):
        parts = [(value.split("|") + [NONE] * place)[place] for value in tokens.values["feats"]]
        names = sorted(set(parts))
        of_value = np.array([names.index(part) for part in parts])
        count("feats", of_value[tokens.codes["feats"]], names, everything)
    features = sorted(found)
    return features, np.column_stack([found[feature] for feature in features])


def depths(head: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many heads stand above every word, at most the last of DEPTHS.

    >>> depths(np.array([1, -1, 1, 2])).tolist()
    [1, 0, 1, 2]
    """
    found = np.zeros(len(head), dtype=np.int64)
    above = head.copy()
    for _ in DEPTHS[1:]:
        is_below = above >= 0
        found += is_below
        above[is_below] = head[above[is_below]]
    return found


def length_figures(words: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the length of sentences alone says of rows: mean, mean logarithm, spread, both ends.

    Args:
        words: words of each sentence, one row of the array per row.
    """
    return np.column_stack(
        [words.mean(axis=1), np.log(words).mean(axis=1), words.std(axis=1), words.min(axis=1), words.max(axis=1)]
    )
