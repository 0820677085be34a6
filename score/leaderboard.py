"""The table of systems: every prediction file scored from scratch, a table per configuration, no number over tracks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from score.core import comparison, figures
from score.core.command import score_file
from score.core.edition import ROTATION, Edition, is_held_out, twin_of
from score.core.faults import ScoreError
from score.core.predictions import Predictions
from score.core.reports import markdown

ENDINGS = (".jsonl", ".jsonl.gz")

COLUMNS = {
    "rank": "rank",
    "system": "system",
    "inputs": "inputs",
    "headline": "headline",
    "interval": "95 % interval",
    "works": "works",
    "tie_with_leader": "tie with leader",
    "authors": "mean over authors",
    "above_floor": "above markup floor",
    "test": "track's own works",
    "rival": "rivals",
    "singleton": "singletons",
    "twin": "in-work twin",
    "gap": "gap",
}
"""Columns of a table, and their titles; HELD_OUT_ONLY tells which are on held-out tracks only."""

HELD_OUT_ONLY = ("authors", "test", "rival", "singleton", "twin", "gap")


@dataclass(frozen=True)
class Scored:
    """One prediction file of a system, with its figures."""

    system: str
    predictions: Predictions
    record: Mapping[str, Any]


def read_systems(folders: Iterable[Path], edition: Edition, baselines: Path | None = None) -> list[Scored]:
    """Score every prediction file of every system.

    Args:
        folders: each holds one folder per system.
        edition: the dataset.
        baselines: folder of the baselines that have the floor; by default that of the edition.

    Raises:
        ScoreError: a file is refused, a folder has two systems, or a system two files for the same rows.
    """
    found: list[Scored] = []
    owners: dict[str, Path] = {}
    seen: dict[tuple[str, str, str], Path] = {}
    for folder in folders:
        if not folder.is_dir():
            raise ScoreError(
                "leaderboard-folder", f"expected a folder with one folder per system, found none at {folder}"
            )
        for place in sorted(path for path in folder.iterdir() if path.is_dir()):
            for path in sorted(path for path in place.iterdir() if path.name.endswith(ENDINGS)):
                try:
                    predictions, record = score_file(path, edition, baselines=baselines)
                except ScoreError as error:
                    raise ScoreError(error.check, f"{path}: {error.message}", error.cases) from None
                if predictions is None:
                    continue
                owner = owners.setdefault(predictions.system, place)
                key = (predictions.system, record["configuration"], record["split"])
                if owner != place or key in seen:
                    raise ScoreError(
                        "leaderboard-one-file",
                        f"{path}: {predictions.system} on {key[1]}/{key[2]} is in {seen.get(key, owner)} too",
                    )
                seen[key] = path
                found.append(Scored(predictions.system, predictions, record))
    return found


def make(edition: Edition, systems: Sequence[Scored]) -> dict[str, Any]:
    """Return the tables: one per configuration, ranked by its headline."""
    by = {(each.system, each.record["configuration"], each.record["split"]): each for each in systems}
    configurations = sorted({each.record["configuration"] for each in systems})
    tables = [table(configuration, by) for configuration in configurations]
    return dict(figures.rounded({"format": "sphragis-leaderboard-1", "edition": edition.fingerprint, "tables": tables}))


def table(configuration: str, by: Mapping[tuple[str, str, str], Scored]) -> dict[str, Any]:
    """Return the table of a configuration.

    Held-out tracks are ranked by the rotation; systems without it stand below, without a rank. Equal figures share one.
    """
    track, _, size = configuration.rpartition("_")
    names = sorted({system for system, known, _ in by if known == configuration})
    ranking = ROTATION if is_held_out(track) else "test"
    rows = []
    for name in names:
        test, ranked = by.get((name, configuration, "test")), by.get((name, configuration, ranking))
        shown = ranked or test
        if shown is None:
            continue
        row: dict[str, Any] = {"system": name, "inputs": list(shown.record["inputs"])}
        row |= _headline(ranked.record if ranked else None)
        if is_held_out(track):
            twin = by.get((name, f"{twin_of(track)}_{size}", "test"))
            row |= _held_out(test.record if test else None, twin.record if twin else None)
            row["authors"] = ranked.record["mean_over_works"]["mean_over_authors"]["value"] if ranked else None
        rows.append(row)
    rows.sort(
        key=lambda row: (row["headline"] is None, -(row["headline"] or 0), -(row.get("test") or 0), row["system"])
    )
    _rank(rows)
    _ties(rows, configuration, ranking, by)
    return {
        "configuration": configuration,
        "ranked_by": "mean over all works of the rotation" if ranking == ROTATION else "macro-F1",
        "rows": rows,
    }


def _place(row: Mapping[str, Any]) -> tuple[bool, float, float, str]:
    headline, test = row["headline"], row.get("test")
    return (headline is None, -(headline or 0.0), -(test or 0.0), row["system"])


def _headline(record: Mapping[str, Any] | None) -> dict[str, Any]:
    if record is None:
        return {"headline": None, "interval": None, "works": None, "above_floor": None}
    interval = record["headline"]["intervals"][0]
    floor = record["above_floor"]
    return {
        "headline": record["headline"]["value"],
        "interval": None if interval["low"] is None else [interval["low"], interval["high"]],
        "works": interval["clusters"],
        "above_floor": None if floor is None else floor["difference"],
    }


def _held_out(test: Mapping[str, Any] | None, twin: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the figures of the track's own test works, and of the same authors on rows of works that were seen."""
    if test is None:
        return dict.fromkeys(HELD_OUT_ONLY)
    means = test["mean_over_works"]
    found = {
        "test": means["all"]["value"],
        **{name: means[name]["value"] if means[name] else None for name in ("rival", "singleton")},
    }
    authors = {row["author"] for row in test["authors"] if row["rows"]}
    recalls = [row["recall"] for row in twin["authors"] if row["author"] in authors] if twin else []
    # A mean exists only when all its parts exist.
    known = sum(recalls) / len(recalls) if recalls and len(recalls) == len(authors) and None not in recalls else None
    return {**found, "twin": known, "gap": None if known is None else known - found["test"]}


def _rank(rows: list[dict[str, Any]]) -> None:
    for place, row in enumerate(rows):
        before = rows[place - 1] if place else None
        if row["headline"] is None:
            row["rank"] = None
        elif before is not None and round(before["headline"], figures.DIGITS) == round(row["headline"], figures.DIGITS):
            row["rank"] = before["rank"]
        else:
            row["rank"] = place + 1


def _ties(
    rows: list[dict[str, Any]], configuration: str, split: str, by: Mapping[tuple[str, str, str], Scored]
) -> None:
    """Say of each ranked system whether the works can tell it from the first, corrected for the number of systems."""
    ranked = [row for row in rows if row["rank"] is not None]
    for row in rows:
        row["tie_with_leader"] = None
    if len(ranked) < 2:
        return
    leader = by[ranked[0]["system"], configuration, split].predictions
    others = [by[row["system"], configuration, split].predictions for row in ranked[1:]]
    found = comparison.correct([comparison.compare(leader, other) for other in others])
    for row, result in zip(ranked[1:], found, strict=True):
        row["tie_with_leader"] = "cannot be told apart" in result["verdict"]


def cells(row: Mapping[str, Any], columns: Sequence[str]) -> list[str]:
    """Return a row as it is shown."""
    made = []
    for name in columns:
        value = row[name]
        if value is None:
            made.append("")
        elif isinstance(value, bool):
            made.append("yes" if value else "no")
        elif name == "inputs":
            made.append(" ".join(value))
        elif name == "interval":
            made.append(f"{value[0]:.3f} to {value[1]:.3f}")
        elif name in ("above_floor", "gap"):
            made.append(f"{value:+.3f}")
        else:
            made.append(f"{value:.3f}" if isinstance(value, float) else str(value))
    return made


def columns_of(found: Mapping[str, Any]) -> list[str]:
    """Return the columns that a table has."""
    return [name for name in COLUMNS if found["rows"] and name in found["rows"][0]]


def as_markdown(board: Mapping[str, Any]) -> str:
    """Return the tables in Markdown."""
    parts = [f"Edition {board['edition']}\n"]
    for found in board["tables"]:
        names = columns_of(found)
        rows = [cells(row, names) for row in found["rows"]]
        parts.append(f"## {found['configuration']}\n\nRanked by {found['ranked_by']}.\n")
        parts.append(markdown([COLUMNS[name] for name in names], rows))
    return "\n".join(parts)


def as_page(board: Mapping[str, Any]) -> str:
    """Return the tables as one page that needs nothing else."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).resolve().parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    tables = [
        {
            **found,
            "titles": [COLUMNS[name] for name in columns_of(found)],
            "cells": [cells(row, columns_of(found)) for row in found["rows"]],
        }
        for found in board["tables"]
    ]
    return environment.get_template("leaderboard.html.jinja").render(board=board, tables=tables)


def write(board: Mapping[str, Any], target: Path) -> None:
    """Write the tables into a folder as Markdown, JSON and a page; the same systems give the same bytes."""
    target.mkdir(parents=True, exist_ok=True)
    text = json.dumps(board, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    (target / "leaderboard.json").write_text(text, encoding="utf-8")
    (target / "leaderboard.md").write_text(as_markdown(board), encoding="utf-8")
    (target / "leaderboard.html").write_text(as_page(board), encoding="utf-8")
