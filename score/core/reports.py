"""Scores for people: text, tables in Markdown and CSV, and the entries of a model card."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

COLUMNS = (
    *("system", "inputs", "configuration", "split", "rows", "headline", "value", "low", "high", "over", "clusters"),
    *("accuracy", "macro_f1", "majority", "chance", "above_floor", "floor_low", "floor_high"),
)
"""Columns of a table of systems."""

PAIR_COLUMNS = ("system", "inputs", "configuration", "split", "pairs", "auc", "c_at_1", "f_05_u", "brier")
"""Columns of a table of systems on pairs."""


def table_row(score: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of a system that stand in a table."""
    same = {name: score[name] for name in ("system", "configuration", "split")}
    same["inputs"] = " ".join(score["inputs"])
    if "auc" in score:
        return {**same, "pairs": score["pairs"], **{name: score[name]["value"] for name in PAIR_COLUMNS[5:]}}
    interval = score["headline"]["intervals"][0]
    floor = score["above_floor"] or {"difference": None, "interval": {"low": None, "high": None}}
    return {
        **same,
        "rows": score["rows"],
        "headline": score["headline"]["name"],
        "value": score["headline"]["value"],
        **{name: interval[name] for name in ("low", "high", "over", "clusters")},
        "accuracy": score["accuracy"]["value"],
        "macro_f1": score["macro_f1"]["value"],
        "majority": score["majority"]["headline"],
        "chance": score["chance"]["accuracy"],
        "above_floor": floor["difference"],
        "floor_low": floor["interval"]["low"],
        "floor_high": floor["interval"]["high"],
    }


def shown(value: object) -> str:
    """Return a value as it stands in a table: three digits, nothing for nothing.

    >>> shown(0.51249), shown(None), shown("text")
    ('0.512', '', 'text')
    """
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def as_table(scores: Sequence[dict[str, Any]], kind: str) -> str:
    """Return a table of systems, `md` or `csv`; systems on pairs have a table of their own, after it."""
    parts = []
    for columns, chosen in (
        (COLUMNS, [score for score in scores if "auc" not in score]),
        (PAIR_COLUMNS, [score for score in scores if "auc" in score]),
    ):
        rows = [table_row(score) for score in chosen]
        if not rows:
            continue
        if kind == "csv":
            text = io.StringIO(newline="")
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([["" if row[name] is None else row[name] for name in columns] for row in rows])
            parts.append(text.getvalue())
        else:
            parts.append(markdown(columns, [[shown(row[name]) for name in columns] for row in rows]))
    return "\n".join(parts)


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; a bar in a cell is escaped."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def as_text(scores: Sequence[dict[str, Any]], comparisons: Sequence[dict[str, Any]]) -> str:
    """Return scores and comparisons as they are printed."""
    lines: list[str] = []
    for score in scores:
        lines += _pairs(score) if "auc" in score else _score(score)
        lines.append("")
    for found in comparisons:
        chance = f"probability {found['probability']:.4f}"
        if found["comparisons"] > 1:
            chance += f", {found['probability_holm']:.4f} for {found['comparisons']} comparisons (Holm)"
        rows = found["mcnemar_for_these_works_only"]
        lines += [
            found["verdict"],
            f"  {found['headline']:<22} {found['difference']:+.3f}   {_interval(found['interval'])}",
            f"  {found['test']}: {chance}; {found['wins']} wins, {found['losses']} losses",
            f"  for these works only: {rows['only_system_right']} rows against {rows['only_against_right']}, "
            f"McNemar {rows['probability']:.4f}",
            "",
        ]
    return "\n".join(lines)


def _interval(interval: dict[str, Any]) -> str:
    if interval["low"] is None:
        return f"{interval['over']}: {interval['reason']}"
    over, clusters = interval["over"], str(interval["clusters"])
    clusters = over.replace("these", f"these {clusters}") if "these" in over else f"{clusters} {over}"
    single = interval.get("authors_with_one_work")
    end = f"; {single} authors have one work, whose rows are drawn" if single else ""
    return f"{interval['low']:.3f} to {interval['high']:.3f}   {clusters}, {interval['method']}{end}"


def _figure(name: str, figure: dict[str, Any]) -> list[str]:
    lines = [f"  {name:<22} {figure['value']:.3f}"]
    for place, interval in enumerate(figure.get("intervals", [])):
        if place == 0:
            lines[0] += f"   {_interval(interval)}"
        elif interval["low"] is not None:
            lines.append(f"  {'':<28}   {_interval(interval)}")
    return lines


def _score(score: dict[str, Any]) -> list[str]:
    missing = f", {score['missing']} missing counted as wrong" if score["missing"] else ""
    lines = [
        f"{score['system']} on {score['configuration']}/{score['split']}: {score['rows']:,} rows, "
        f"{score['abstained']} abstained{missing}"
    ]
    lines += _figure(score["headline"]["name"], score["headline"])
    means = score["mean_over_works"]
    if means:
        for key, name in (("singleton", "genre floor"), ("all", "mean over all works")):
            if means[key] and not (key == "all" and score["headline"]["name"] == "mean over works"):
                lines += _figure(name, means[key])
        if "mean_over_authors" in means:
            lines += _figure("mean over authors", means["mean_over_authors"])
        few = [found for found in score["works"] if means["all"]["works"] < 5 or found["group"] == "singleton"]
        lines += [f"    {found['title']}: {found['right']} of {found['rows']} ({found['author']})" for found in few]
    lines += _figure("accuracy", score["accuracy"])
    if score["headline"]["name"] != "macro-F1":
        lines += _figure("macro-F1", score["macro_f1"])
    lines.append(f"  {'majority':<22} {score['majority']['headline']:.3f}   always {score['majority']['label']}")
    lines.append(f"  {'chance':<22} {score['chance']['accuracy']:.3f}   {score['chance']['labels']} authors")
    floor = score["above_floor"]
    if floor is None:
        lines.append(f"  {'above markup floor':<22}         the edition stores no predictions of it here")
    else:
        lines.append(f"  {'above markup floor':<22} {floor['difference']:+.3f}   {_interval(floor['interval'])}")
    if score["without_noted_passages"]:
        part = score["without_noted_passages"]
        lines.append(
            f"  {'without noted passages':<22} {part['headline']:.3f}   {part['rows']:,} rows; "
            f"{part['noted_rows']:,} with a passage of disputed authenticity are left out"
        )
    found = score["probabilities"]
    if found:
        lines.append(
            f"  scores: log loss {found['log_loss']:.3f}, Brier {found['brier']:.3f}, "
            f"calibration error {found['calibration_error']:.3f}"
        )
    return lines


def _pairs(score: dict[str, Any]) -> list[str]:
    lines = [
        f"{score['system']} on {score['configuration']}/{score['split']}: {score['pairs']:,} pairs, "
        f"{score['unanswered']} unanswered"
    ]
    for key, name in (("auc", "AUC"), ("c_at_1", "c@1"), ("f_05_u", "F0.5u"), ("brier", "Brier (loss)")):
        lines += _figure(name, score[key])
    return lines


def model_index(scores: Sequence[dict[str, Any]], dataset: str) -> str:
    """Return the `model-index` of a model card: one entry per system, one result per configuration and split.

    Args:
        scores: of one or more systems.
        dataset: name of the dataset on the Hub.
    """
    entries: dict[str, list[dict[str, Any]]] = {}
    for score in scores:
        if "auc" in score:
            task = {"type": "text-classification", "name": "Authorship verification"}
            metrics = [{"type": name, "value": score[name]["value"]} for name in PAIR_COLUMNS[5:]]
        else:
            task = {"type": "text-classification", "name": "Authorship attribution"}
            metrics = [
                {"type": "accuracy", "value": score["headline"]["value"], "name": score["headline"]["name"]}
                if score["headline"]["name"] != "macro-F1"
                else {"type": "f1", "value": score["macro_f1"]["value"], "name": "macro-F1"},
                {"type": "accuracy", "value": score["accuracy"]["value"], "name": "accuracy over rows"},
            ]
            interval = score["headline"]["intervals"][0]
            if interval["low"] is not None:
                metrics[0]["args"] = {name: interval[name] for name in ("low", "high", "over", "clusters")}
        entries.setdefault(score["system"], []).append(
            {
                "task": task,
                "dataset": {
                    "type": dataset,
                    "name": f"Sphragis, edition {score['edition']}",
                    "config": score["configuration"],
                    "split": score["split"],
                },
                "metrics": metrics,
            }
        )
    lines = ["model-index:"]
    for name in entries:
        lines += [f"- name: {json.dumps(name, ensure_ascii=False)}", "  results:"]
        # JSON is YAML; a result a line can be read and compared.
        lines += [f"  - {json.dumps(result, ensure_ascii=False)}" for result in entries[name]]
    return "\n".join(lines) + "\n"
