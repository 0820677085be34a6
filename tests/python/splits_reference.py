"""The rules of splits and chunks once more, in plain Python: the oracle of the SQL models.

Nothing here is shared with the models but the seeds: shares are fractions, orders are tuples, hashes come
from `hashlib`. The functions follow the text of the rules, one function for each paragraph, and take time
for clearness.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

SEED = 917
SPLITS = ("train", "validation", "validation2", "test")
MINIMA = {"train": 100, "validation": 50, "validation2": 10, "test": 50}


@dataclass(frozen=True)
class Row:
    """A sentence that entered.

    Attributes:
        key: the published dedup key.
        project: the project of the chosen copy.
        order: the place in the canonical work, from 1.
    """

    key: str
    author: str
    work: str
    title: str | None
    genre: str
    project: str
    path: str
    position: int
    passage: str | None


@dataclass(frozen=True)
class Choice:
    """The works that are held out for one author."""

    test: str
    validation: str | None


Assignment = dict[str, tuple[str, bool]]
"""For each dedup key the split, and whether the row is cut to reach a multiple of ten."""


def hash_order(purpose: str, rows: Iterable[Row], seed: int = SEED) -> list[Row]:
    """Return the rows in the pseudo-random order of one purpose."""

    def key(row: Row) -> tuple[str, str]:
        return hashlib.sha256(f"{seed}|{purpose}|{row.key}".encode()).hexdigest(), row.key

    return sorted(rows, key=key)


def by(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    """Group rows by a key."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def part(share: str, rows: int) -> int:
    """Return a share of a number of rows; Python rounds a fraction's half to the even number.

    >>> [part("1/10", rows) for rows in (5, 15, 25)]
    [0, 2, 2]
    """
    return round(Fraction(share) * rows)


def quotas(rows: int) -> tuple[int, int, int]:
    """Return how many rows of a work are validation, validation2 and test."""
    if rows < 3:
        return 0, 0, 0
    if rows <= 9:
        return 1, 0, 1
    return part("1/10", rows), part("1/20", rows), part("1/10", rows)


def in_work(rows: list[Row], seed: int = SEED) -> dict[str, str]:
    """Return the split of every row on the main track."""
    found: dict[str, str] = {}
    for work_rows in by(rows, lambda row: (row.author, row.work)).values():
        validation, validation2, test = quotas(len(work_rows))
        names = ["validation"] * validation + ["validation2"] * validation2 + ["test"] * test
        names += ["train"] * (len(work_rows) - len(names))
        found |= {row.key: name for row, name in zip(hash_order("split", work_rows, seed), names, strict=True)}
    return found


def cut_to_tens(rows: list[Row], splits: dict[str, str], seed: int = SEED) -> Assignment:
    """Mark the surplus of each author and split, the last rows of their hash order."""
    found: Assignment = {}
    for group in by(rows, lambda row: (row.author, splits[row.key])).values():
        kept = len(group) - len(group) % 10
        ordered = hash_order("surplus", group, seed)
        found |= {row.key: (splits[row.key], number >= kept) for number, row in enumerate(ordered)}
    return found


def has_minima(rows: list[Row], assignment: Assignment) -> bool:
    """Return whether one author's rows reach the minimum of each split after the cut."""
    counts = Counter(split for split, is_cut in (assignment[row.key] for row in rows) if not is_cut)
    return all(counts[split] >= minimum for split, minimum in MINIMA.items())


def choose(rows: list[Row]) -> Choice | None:
    """Choose the works of one author that are held out; None when no work can be the test."""
    total = len(rows)
    works = by(rows, lambda row: row.work)
    projects = {work: {row.project for row in work_rows} for work, work_rows in works.items()}

    def closest(candidates: list[str], share: str) -> str | None:
        return min(candidates, key=lambda work: (abs(len(works[work]) - Fraction(share) * total), work), default=None)

    def shares(work: str, others: Iterable[str]) -> bool:
        return any(projects[work] & projects[other] for other in others if other != work)

    test = closest(
        [work for work in works if len(works[work]) >= 50 and 2 * len(works[work]) <= total and shares(work, works)],
        "1/10",
    )
    if test is None:
        return None
    candidates = []
    for work in works:
        training = [other for other in works if other not in (test, work)]
        if (
            work != test
            and len(works[work]) >= 60
            and 2 * len(works[work]) <= total
            and sum(len(works[other]) for other in training) >= 100
            and shares(test, training)
        ):
            candidates.append(work)
    return Choice(test, closest(candidates, "3/20"))


def held_out(rows: list[Row], choice: Choice, seed: int = SEED) -> dict[str, str]:
    """Return the split of every row of one author on a held-out track."""
    found = {row.key: "test" if row.work == choice.test else "train" for row in rows}
    if choice.validation is None:
        source = [row for row in rows if row.work != choice.test]
        validation, validation2 = part("1/10", len(rows)), part("1/20", len(rows))
    else:
        source = [row for row in rows if row.work == choice.validation]
        validation = part("2/3", len(source))
        validation2 = len(source) - validation
    ordered = hash_order("held_out_split", source, seed)
    found |= {row.key: "validation" for row in ordered[:validation]}
    found |= {row.key: "validation2" for row in ordered[validation : validation + validation2]}
    return found


def held_out_track(rows: list[Row], authors: Iterable[str], seed: int = SEED) -> tuple[Assignment, dict[str, Choice]]:
    """Return rows and works of a held-out track for the authors who qualify."""
    groups = by(rows, lambda row: row.author)
    assignment: Assignment = {}
    choices: dict[str, Choice] = {}
    for author in authors:
        own = groups.get(author, [])
        choice = choose(own)
        if choice is None:
            continue
        found = cut_to_tens(own, held_out(own, choice, seed), seed)
        if has_minima(own, found):
            assignment |= found
            choices[author] = choice
    return assignment, choices


def matched_held_out_track(
    rows: list[Row], authors: list[str], priority: dict[str, int], seed: int = SEED
) -> tuple[Assignment, dict[str, Choice]]:
    """Return rows and works of a matched held-out track in its best project; empty with fewer than two authors."""
    own = [row for row in rows if row.author in authors]
    best: tuple[tuple[int, int, int], tuple[Assignment, dict[str, Choice]]] | None = None
    for project, project_rows in by(own, lambda row: row.project).items():
        track = held_out_track(project_rows, authors, seed)
        rank = (-len(track[1]), -len(project_rows), priority[project])
        if best is None or rank < best[0]:
            best = (rank, track)
    return best[1] if best is not None and len(best[1][1]) >= 2 else ({}, {})


def natural(text: str) -> tuple[tuple[int, int], ...]:
    """Return a key by which numbers in a name compare as numbers, and other characters by code point.

    >>> natural("1 20-39") < natural("1 100-119")
    True
    >>> natural("diodsic 11") < natural("diodsic11")
    True
    """
    pieces = re.findall(r"[0-9]+|[^0-9]", text)
    return tuple((ord("0"), int(piece)) if piece.isdigit() else (ord(piece), 0) for piece in pieces)


def passage_start(passage: str | None) -> tuple[tuple[int, str], ...] | None:
    """Return where a passage begins, level by level; None when it cannot be compared.

    >>> passage_start("1.20-1.39")
    ((1, ''), (20, ''))
    """
    level = r"[0-9]{1,9}[a-z]?"
    point = rf"{level}(?:\.{level})*"
    match = re.fullmatch(rf"({point})(?: *[-–] *{point})?", (passage or "").strip(" ").lower())
    if match is None:
        return None
    return tuple(
        (int(piece.rstrip("abcdefghijklmnopqrstuvwxyz")), piece.lstrip("0123456789")) for piece in match[1].split(".")
    )


def textual_order(rows: list[Row]) -> dict[str, int]:
    """Return the place of every row in its canonical work."""
    places: dict[str, int] = {}
    for work_rows in by(rows, lambda row: (row.author, row.work)).values():
        starts = {row.key: passage_start(row.passage) for row in work_rows}
        depths = {None if start is None else len(start) for start in starts.values()}
        is_comparable = None not in depths and len(depths) == 1

        def key(row: Row, starts: dict[str, Any] = starts, is_comparable: bool = is_comparable) -> tuple[Any, ...]:
            return (starts[row.key] if is_comparable else (), natural(row.path), row.path, row.position)

        places |= {row.key: place for place, row in enumerate(sorted(work_rows, key=key))}
    return places


def chunks(
    rows: list[Row], assignment: Assignment, places: dict[str, int], size: int
) -> dict[tuple[str, str, int], list[str]]:
    """Return the dedup keys of every chunk, by author, split and number of the chunk."""
    published = [row for row in rows if row.key in assignment and not assignment[row.key][1]]
    found = {}
    for (author, split), group in by(published, lambda row: (row.author, assignment[row.key][0])).items():
        whole, tails = [], []
        works = by(group, lambda row: row.work)
        for work in sorted(works):
            ordered = sorted(works[work], key=lambda row: places[row.key])
            end = len(ordered) - len(ordered) % size
            whole += ordered[:end]
            tails += ordered[end:]
        keys = [row.key for row in whole + tails]
        for start in range(0, len(keys), size):
            found[author, split, start // size + 1] = keys[start : start + size]
    return found
