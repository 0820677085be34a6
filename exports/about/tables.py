"""What the card says in tables and figures of speech: each a pure function of the record."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from exports.about import figures
from exports.about.baselines import FLOOR, Baseline, Figure
from exports.about.machine_report import DIGITS
from exports.about.record import DEFAULT, About
from exports.about.template import Verbatim
from score.core.edition import HELD_OUT, MAIN_TRACK, ROTATION

CONFUSIONS = 12
"""Confusions of the best baseline that the card lists."""


def order(configuration: str) -> tuple[bool, bool, str, int]:
    """Order of configurations for readers: the main track, the main held-out track, the others; by size."""
    track, _, size = configuration.rpartition("_")
    return (track != MAIN_TRACK, track != HELD_OUT, track, int(size))


def percent(share: Any) -> str:
    """Return a share as a percentage without needless digits.

    >>> percent("1/20"), percent(0.5)
    ('5 %', '50 %')
    """
    return f"{float(Fraction(str(share))) * 100:g} %"


def per_cent(share: float | None) -> str | None:
    """Return a share in per cent with one digit after the point; None stays.

    >>> per_cent(0.8333), per_cent(None)
    ('83.3', None)
    """
    return None if share is None else f"{100 * share:.1f}"


def agreement(about: About) -> list[tuple[str, dict[str, Any]]]:
    """Return words and agreement in each measure: over all projects, then by project."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in about.agreement:
        if row.scope in ("all", "project"):
            place = found.setdefault((row.scope, row.scope_value), {"tokens": row.tokens})
            place[row.measure] = round(row.share, DIGITS)
    return [(name if scope == "all" else f"`{name}`", figures) for (scope, name), figures in sorted(found.items())]


def shown(figure: Figure | None) -> str:
    """Return a figure in per cent with its interval, nothing for nothing.

    >>> shown(Figure(0.5, 0.25, 0.75, 9)), shown(Figure(0.5, None, None, 3))
    ('50.0 (25.0 to 75.0)', '50.0')
    """
    if figure is None:
        return ""
    interval = (
        "" if figure.low is None or figure.high is None else f" ({per_cent(figure.low)} to {per_cent(figure.high)})"
    )
    return f"{per_cent(figure.value)}{interval}"


def baseline_tables(about: About) -> dict[str, Any] | None:
    """Return the tables of the stored baselines; None where none are stored."""
    from score.baselines.models import BASELINES

    stored = about.made.baselines
    if stored is None:
        return None
    in_work, held_out = f"{MAIN_TRACK}_{figures.SIZE}", f"{HELD_OUT}_{figures.SIZE}"
    ranked = stored.of(held_out, stored.ranked_by(held_out)) or stored.of(in_work)
    titles = [f"`{in_work}`, macro-F1"]
    test = stored.of(held_out)
    parts: list[tuple[str, Callable[[Baseline], Figure | None]]] = []
    if test:
        parts = [
            (f"`{held_out}`, {title} ({works} works)", pick)
            for title, pick, works in (
                ("rivals", lambda one: one.rivals, test[0].rivals and test[0].rivals.works),
                ("singletons", lambda one: one.singletons, test[0].singletons and test[0].singletons.works),
                ("all", lambda one: one.everything, test[0].everything and test[0].everything.works),
            )
            if works
        ]
        titles += [title for title, _ in parts]
    has_rotation = stored.ranked_by(held_out) == ROTATION
    if has_rotation:
        titles += [f"rotation, mean over {ranked[0].figure.works} works", "rotation, above the floor"]
    rows = []
    for one in ranked:
        inside, outside = stored.one(one.system, in_work), stored.one(one.system, held_out)
        cells = [shown(inside.figure if inside else None)]
        cells += [shown(pick(outside) if outside else None) for _, pick in parts]
        if has_rotation:
            cells += [shown(one.figure), signed(one.above_floor)]
        method = BASELINES[one.name].what + (f", `{one.looks_at}`" if one.looks_at else "")
        rows.append({"system": one.system, "is_floor": one.system == FLOOR, "method": method, "cells": cells})
    others = [
        (name, split)
        for name in sorted(about.shapes, key=order)
        if name.endswith(f"_{figures.SIZE}") and name not in (in_work, held_out)
        for split in ("test", ROTATION)
        if stored.of(name, split)
    ]
    sized = figures.by_size(about, stored)
    known = [(in_work, "test"), (held_out, "test"), (held_out, ROTATION), *others]
    return {
        "titles": titles,
        "has_rotation": has_rotation,
        "rows": rows,
        "systems": [one.system for one in ranked],
        "luck": [found for place in known if (found := stored.luck(*place)) is not None],
        "by_size": sized,
        "sizes": sorted({size for _, pairs in sized for size in pairs}),
        "best": ranked[0] if ranked else None,
        "confusions": figures.confusions(ranked[0])[:CONFUSIONS] if ranked else [],
        "others": others,
        "other_rows": [
            (system, [shown(_whole(stored.one(system, *place))) for place in others])
            for system in (one.system for one in ranked)
        ],
    }


def _whole(one: Baseline | None) -> Figure | None:
    """Return the mean over all works on held-out tracks, else macro-F1."""
    return None if one is None else one.everything or one.figure


def signed(figure: Figure | None) -> str:
    """Return a difference in per cent with its sign and interval.

    >>> signed(Figure(-0.05, None, None, 3))
    '-5.0'
    """
    if figure is None:
        return ""
    return ("+" if figure.value > 0 else "") + shown(figure)


def balance(about: About) -> list[dict[str, Any]]:
    """Return of every built track its labels, and the largest and the smallest of them by their training rows."""
    found = []
    built = dict.fromkeys(name.rpartition("_")[0] for name in sorted(about.shapes, key=order))
    for track in built:
        counts = sorted((row.train, row.author) for row in about.authors if row.track == track)
        if not counts:
            continue
        total = sum(count for count, _ in counts)
        most = max(counts, key=lambda pair: (pair[0], [-ord(letter) for letter in pair[1]]))
        found.append(
            {
                "track": track,
                "labels": len(counts),
                "largest": most[1],
                "largest_share": most[0] / total if total else None,
                "smallest": counts[0][1],
                "smallest_share": counts[0][0] / total if total else None,
            }
        )
    return found


def commercial(about: About) -> dict[str, Any]:
    """Return how many rows have no licence that forbids commercial use: of the default, and of rows of ten."""
    counts: dict[str, list[int]] = {}
    for split in about.made.written:
        of = counts.setdefault(split.configuration, [0, 0])
        of[0] += split.commercial_rows
        of[1] += split.rows
    rows, every = counts.get(DEFAULT, [0, 0])
    chunks = [(name, *counts[name]) for name in sorted(counts, key=order) if name.endswith(f"_{figures.SIZE}")]
    return {"rows": rows, "all": every, "share": rows / every if every else None, "chunks": chunks}


def example(about: About) -> Verbatim | None:
    """Return a row as JSON, a token or a record a line."""
    if about.made.example is None:
        return None
    lines = []
    for name, value in about.made.example.items():
        lines.append(f"  {json.dumps(name)}: {_broken(value, 2)}")
    return Verbatim("{\n" + ",\n".join(lines) + "\n}")


def _broken(value: Any, depth: int) -> str:
    """Return JSON in which lists with structs inside are broken into lines."""
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
        inner = [" " * (depth + 2) + _broken(each, depth + 2) for each in value]
        return "[\n" + ",\n".join(inner) + "\n" + " " * depth + "]"
    return json.dumps(value, ensure_ascii=False)


def trust(about: About) -> dict[str, Any] | None:
    """Return how often the interval over works covers, in the middle of the scale and near the ceiling.

    The middle are the means up to 0.7; the ceiling is the highest mean, for as many works as the main held-out track
    has rivals, or the nearest simulated number, and for most works. None where nothing was measured.
    """
    if not about.coverage:
        return None
    rivals = sum(row.track == HELD_OUT and row.held_out_group == "rival" for row in about.authors)
    known = sorted({row.works for row in about.coverage})
    works = min(known, key=lambda count: (abs(count - rivals), count))
    highest = max(row.mean for row in about.coverage)
    middle = [row.share for row in about.coverage if row.mean < highest and row.works >= works]
    ceiling = {
        count: [(row.spread, row.share) for row in about.coverage if (row.works, row.mean) == (count, highest)]
        for count in (works, known[-1])
    }
    return {"works": works, "low": min(middle), "high": max(middle), "mean": highest, "ceiling": ceiling}


def sides(about: About) -> list[float]:
    """Return how well both annotations of a block are told apart side by side, for every two projects, sorted."""
    found = about.made.leakage[0].get("doubly_annotated", []) if about.made.leakage else []
    return sorted(row["side_by_side"] for row in found)
