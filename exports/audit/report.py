"""A comparison as tables for a terminal, plain where the output is a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

FIGURES = {
    "UAS": "uas",
    "LAS": "las",
    "relation accuracy": "label_accuracy",
    "relation macro-F1": "relation_macro_f1",
    "UPOS accuracy": "upos_accuracy",
    "UPOS macro-F1": "upos_macro_f1",
    "FEATS accuracy": "feats_exact",
    "FEATS micro-F1": "feats_micro_f1",
    "FEATS macro-F1": "feats_macro_f1",
}
"""Title of every figure, and its key in the scores."""

AGREEMENTS = {
    "all three agree": "all_agree",
    "audits agree, parse differs": "audits_against_parse",
    "parse with A against B": "parse_with_a_against_b",
    "parse with B against A": "parse_with_b_against_a",
    "all three differ": "all_differ",
}

NARROW = 60
"""Columns of a terminal below which a table has its main figures only."""

LABELS = {"relation": "relations", "UPOS": "tags", "feature": "features"}


def percent(value: float | None) -> str:
    """Return a share in percent, with two digits.

    >>> percent(0.98765), percent(1.0), percent(None)
    ('98.77', '100.00', '-')
    """
    return "-" if value is None else f"{100 * value:.2f}"


def show(found: Mapping[str, Any], console: Console) -> None:
    """Print what `compare` returned: with two audits, their common sentences, and the rest of each in short."""
    agreement = found["agreement"]
    for part in found["audits"]:
        if agreement is None:
            _show_figures(console, part)
            _show_labels(console, part["scores"])
        elif part["scores"]["sentences"] > agreement["scores"]["a_and_b"]["sentences"]:
            _show_figures(console, part)
    if agreement is not None:
        _show_agreement(console, agreement)


def table(console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a title: the first column may be folded, numbers never are.

    Columns that begin with `-` are left out where the terminal is narrow.
    """
    from rich import box
    from rich.table import Table

    kept = [place for place, name in enumerate(columns) if console.width >= NARROW or not name.startswith("-")]
    console.print(title, style="bold", highlight=False)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    table.add_column(columns[0], overflow="fold", min_width=8)
    for place in kept[1:]:
        table.add_column(columns[place].lstrip("-"), justify="right", no_wrap=True, min_width=6)
    for row in rows:
        table.add_row(*(row[place] for place in kept))
    console.print(table, highlight=False)
    console.print()


def _told(inventory: str) -> str:
    """Return in words how relations are compared."""
    return "without subtypes" if inventory == "base" else "in the reduced inventory"


def _show_figures(console: Console, part: Mapping[str, Any]) -> None:
    """Print the figures of a parse against one audit."""
    scores = part["scores"]
    table(
        console,
        f"{part['parse']['name']} against {part['audit']['name']}: {scores['sentences']:,} sentences, "
        f"{scores['tokens']:,} tokens, relations {_told(part['inventory'])}",
        ["figure", "percent"],
        [[title, percent(scores[key])] for title, key in FIGURES.items()],
    )


def _show_labels(console: Console, scores: Mapping[str, Any]) -> None:
    """Print the figures of every relation, tag and feature."""
    for title, key in LABELS.items():
        rows = [
            [
                label,
                f"{row['support']:,}",
                f"{row['predicted']:,}",
                *(percent(row[name]) for name in ("precision", "recall", "f1")),
            ]
            for label, row in _by_support(scores[key])
        ]
        if rows:
            table(console, f"by {title}", [title, "audit", "-parse", "-prec.", "-recall", "F1"], rows)


def _by_support(table: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the labels with their figures, the most frequent first."""
    return sorted(table.items(), key=lambda item: (-item[1]["support"], -item[1]["predicted"], item[0]))


def _show_agreement(console: Console, part: Mapping[str, Any]) -> None:
    """Print the figures of two audits, of the parse against each, and who agrees with whom."""
    scores = part["scores"]
    pairs = [scores[key] for key in ("parse_and_a", "parse_and_b", "a_and_b")]
    names = ["parse/A", "parse/B", "A/B"]
    first = pairs[0]
    audits = part["audits"]
    table(
        console,
        f"{part['parse']['name']}, A = {audits['a']['name']}, B = {audits['b']['name']}: {first['sentences']:,} common "
        f"sentences, {first['tokens']:,} tokens, relations {_told(part['inventory'])}; A/B is the ceiling",
        ["percent", *names],
        [[title, *(percent(pair[key]) for pair in pairs)] for title, key in FIGURES.items()],
    )
    kinds = {"heads": "heads", "relations": "rel.", "heads_and_relations": "both", "upos": "UPOS"}
    agreement = part["agreement"]
    table(
        console,
        "who agrees with whom, percent of tokens",
        ["tokens", *kinds.values()],
        [[title, *(percent(agreement[kind][key]["share"]) for kind in kinds)] for title, key in AGREEMENTS.items()],
    )
    for title, key in LABELS.items():
        labels = {label: row for pair in pairs for label, row in pair[key].items()}
        counted = {
            label: {"support": scores["a_and_b"][key].get(label, {}).get("support", 0), "predicted": 0}
            for label in labels
        }
        rows = [
            [label, f"{row['support']:,}", *(percent(pair[key].get(label, {}).get("f1")) for pair in pairs)]
            for label, row in _by_support(counted)
        ]
        if rows:
            table(console, f"F1 by {title}", [title, "-in A", *names], rows)
