"""`metadata/build_report.json`: everything that can be counted about an edition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from exports.about import dedup_report, machine_report
from exports.about.record import About, FileAnnotation, FlagCount, ProjectAnnotation
from exports.dataset import schema

DIGITS = 6
"""Digits of a share in the report."""

BENCHMARK_PARTS = (
    "tracks",
    "authors",
    "tracks_not_built",
    "authors_absent",
    "held_out_works",
    "held_out_candidates",
    "shared_words",
)
"""Tables of the schema `benchmark` that the report repeats row by row."""


def report(about: About) -> dict[str, Any]:
    """Return the whole report."""
    written = about.made.written
    return {
        "input": about.input,
        "sentences": {
            "supplied": about.totals.sentences_read,
            "by_fate": about.fates_of_all,
            "by_project": _fates(about, "project"),
            "by_author": _fates(about, "author"),
            "examples": _examples(about),
        },
        "files": {
            "read": about.totals.files_read,
            "absent": about.absent_files,
            "rejected": [file.name for file in about.files if file.status == "rejected"],
            "differs_from_pin": about.differing_files,
            "rows": {
                "rows_in_file": about.totals.rows_in_file,
                "rows_read": about.totals.rows_read,
                "rows_rejected": about.totals.rows_rejected,
            },
        },
        "rejects": _rejects(about),
        "annotation": annotation(about.annotation, about.file_annotation, about.flags),
        "benchmark": {name: about.benchmark[name] for name in BENCHMARK_PARTS},
        "configurations": _configurations(about),
        "deduplication": dedup_report.report(about),
        "machine_syntax": machine_report.report(about),
        "published": {
            "sentences": about.made.validated,
            "tokens": about.totals.words,
            "passage_notes": [asdict(row) for row in about.passage_notes],
        },
        "writer": {
            "versions": about.libraries,
            "compression": f"{schema.COMPRESSION} {schema.COMPRESSION_LEVEL}",
            "rows_per_group": schema.ROWS_PER_GROUP,
            "largest_row_group": max(split.largest_group for split in written),
            "largest_row": max(split.largest_row for split in written),
        },
    }


def annotation(
    projects: Sequence[ProjectAnnotation], files: Sequence[FileAnnotation], flags: Sequence[FlagCount]
) -> dict[str, Any]:
    """Return, per project, the share of words with annotation and the sentences that were never annotated as a whole.

    Both stay published (docs/decisions/0005-unannotated-and-flagged-sentences.md); sentences that a project has flagged
    are counted by flag.
    """
    by_flag: dict[str, dict[str, int]] = {}
    for row in flags:
        by_flag.setdefault(row.project, {})[row.flag] = row.sentences
    return {
        "by_project": {
            row.project: {
                "sentences": row.sentences,
                "unannotated_sentences": row.unannotated_sentences,
                "share_of_unannotated_sentences": round(row.share_unannotated, DIGITS),
                "words": row.words,
                "share_of_words_with": {
                    "tag": round(row.share_with_tag, DIGITS),
                    "relation": round(row.share_with_relation, DIGITS),
                    "head": round(row.share_with_head, DIGITS),
                    "lemma": round(row.share_with_lemma, DIGITS),
                },
            }
            for row in projects
        },
        "files_with_unannotated_sentences": {
            f"{row.project}/{row.path}": {"unannotated": row.unannotated_sentences, "sentences": row.sentences}
            for row in files
            if row.unannotated_sentences
        },
        "flagged_sentences": by_flag,
    }


def _fates(about: About, scope: str) -> dict[str, dict[str, int]]:
    """Return, per value of a scope, the sentences of each fate."""
    found: dict[str, dict[str, int]] = {}
    for row in about.fates:
        if row.scope == scope:
            found.setdefault(row.scope_value, {})[row.fate] = row.sentences
    return found


def _examples(about: About) -> dict[str, list[dict[str, Any]]]:
    """Return the first sentences of each fate by project, path and position."""
    parts = ("sentence_id", "author", "survivor_id", "reason")
    found: dict[str, list[dict[str, Any]]] = {}
    for row in about.fate_examples:
        if row.place is not None:
            found.setdefault(row.fate, []).append({part: getattr(row, part) for part in parts})
    return found


def _rejects(about: About) -> dict[str, dict[str, dict[str, int]]]:
    """Return the faults of the input: project, what was expected, what was found, how often."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for row in about.rejects:
        found.setdefault(row.project, {}).setdefault(row.expected, {})[row.found] = row.faults
    return found


def _configurations(about: About) -> dict[str, Any]:
    """Return rows per split, bytes and the largest row of every configuration."""
    found: dict[str, Any] = {}
    for split in about.made.written:
        configuration = found.setdefault(split.configuration, {"rows": {}, "bytes": 0, "largest_row": {"bytes": 0}})
        configuration["rows"][split.split] = split.rows
        configuration["bytes"] += split.bytes
        if split.largest_row > configuration["largest_row"]["bytes"]:
            configuration["largest_row"] = {"bytes": split.largest_row, "id": split.largest_row_id}
    return found
