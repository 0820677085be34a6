"""A leakage report as tables for a terminal, plain where the output is a file."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import TYPE_CHECKING, Any

from exports.audit.report import table

if TYPE_CHECKING:
    from rich.console import Console

TELLS = 20
"""Values that tell most of the project that are shown; all of them are in the report."""


SHORT = {
    "upos": "-upos",
    "feats": "-feats",
    "classes and features": "both",
    "deprel": "deprel",
    "geometry": "-geometry",
}
"""Title of every part of the markup; a - stands before what a narrow terminal leaves out."""


def figure(value: float | None) -> str:
    """Return a share with three digits.

    >>> figure(0.98765), figure(None)
    ('0.988', '-')
    """
    return "-" if value is None else f"{value:.3f}"


def show(report: Mapping[str, Any], console: Console) -> None:
    """Print the main figures of the report about one layer."""
    _show_authors(report, console)
    _show_projects(report, console)
    if report["doubly_annotated"]:
        _show_doubly_annotated(report, console)
    if "information" in report:
        _show_information(report, console)


def _show_authors(report: Mapping[str, Any], console: Console) -> None:
    rows = [
        [
            name,
            str(found["authors"]),
            figure(found["majority"]["test"]["accuracy"]),
            figure(found["length"]["test"]["macro_f1"]),
            *(
                figure(found["markup"][split][key])
                for split in ("validation", "test")
                for key in ("accuracy", "macro_f1")
            ),
        ]
        for name, found in report["authors"].items()
    ]
    title = f"Author from markup, {report['layer']} layer"
    columns = ["configuration", "-authors", "-majority", "length F1", "-valid.", "-F1", "test", "F1"]
    table(console, title, columns, rows)


def _show_projects(report: Mapping[str, Any], console: Console) -> None:
    found = report["project_within_author"]
    rows = [
        [
            f"{row['author']} ({', '.join(row['projects'])})",
            figure(row["accuracy"]),
            *(figure(row["groups"].get(name)) for name in SHORT),
            figure(row["length"]),
            " ".join(figure(half) for half in row["halves"]),
        ]
        for row in found
    ]
    if len(rows) > 1:
        means = [fmean(row["groups"].get(name, 0.5) for row in found) for name in SHORT]
        mean_length = fmean(row["length"] for row in found)
        rows.append(
            ["mean", figure(fmean(row["accuracy"] for row in found)), *map(figure, means), figure(mean_length), ""]
        )
    title = f"Project within an author, blocks of {report['settings']['block']} sentences (chance 0.5)"
    table(console, title, ["author", "all", *SHORT.values(), "-length", "-halves"], rows)


def _show_doubly_annotated(report: Mapping[str, Any], console: Console) -> None:
    rows = [
        [
            ", ".join(row["projects"]),
            str(row["sentences"]),
            figure(row["same_markup"]),
            figure(row["sentence"]["accuracy"]),
            figure(row["block"]["accuracy"]),
            figure(row["side_by_side"]),
        ]
        for row in report["doubly_annotated"]
    ]
    columns = ["projects", "-texts", "-same", "sentence", "block", "beside"]
    table(console, "Project of doubly annotated sentences (chance 0.5)", columns, rows)


def _show_information(report: Mapping[str, Any], console: Console) -> None:
    columns = [[row["category"], f"{row['bits_per_word']:.5f}"] for row in report["information"]]
    table(console, "Bits per word about the project, author and form being known", ["column", "bits"], columns)
    tells = [
        [
            f"{row['category']} {row['value']}",
            f"{row['bits_per_word']:.5f}",
            f"{row['bits_per_occurrence']:.3f}",
            row["project"],
            "known" if row["reason"] else "",
        ]
        for row in report["tells"][:TELLS]
    ]
    table(console, "Values that tell most", ["value", "bits", "-each", "-most in", "reason"], tells)
    texts = [
        [
            f"{row['project']} and {row['other_project']}",
            str(row["texts"]),
            str(row["same_words"]),
            str(row["same_text"]),
        ]
        for row in report["texts"]
    ]
    table(console, "Texts that two projects have", ["projects", "texts", "same words", "same text"], texts)
