"""The metadata files: what came in, what became of it, and which rows every configuration has.

No file has a time stamp or a path of the machine, keys and rows are in a fixed order: the same input gives
the same bytes.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports import dedup_report, machine, schema
from exports.warehouse import input_kind, relations, rows

if TYPE_CHECKING:
    import duckdb

    from exports.hub import Plan, Units, Written

LIBRARIES = ("sphragis", "datasketch", "dbt-core", "dbt-duckdb", "duckdb", "numpy", "pyarrow", "udtools")
"""Libraries whose version the bytes or the decisions depend on."""

EXAMPLES = 3
"""Sentences that the report names for each fate."""

BENCHMARK_TABLES = (
    "tracks",
    "authors",
    "tracks_not_built",
    "authors_absent",
    "held_out_works",
    "held_out_candidates",
    "shared_words",
)
"""Tables of the schema `benchmark` that the report repeats row by row."""


def write_json(path: Path, value: Any, compact: bool = False) -> None:
    """Write a value as JSON with sorted keys; `compact` without indentation, for long lists of ids."""
    path.parent.mkdir(parents=True, exist_ok=True)
    layout: dict[str, Any] = {"separators": (",", ":")} if compact else {"indent": 2}
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, **layout)
    path.write_text(text + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    """Sha256 of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_checksums(folder: Path) -> str:
    """Write SHA256SUMS over everything else in the folder; the checksum of that file, the edition's fingerprint."""
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    lines = [f"{sha256(folder / path)}  {path}\n" for path in paths if path != "SHA256SUMS"]
    target = folder / "SHA256SUMS"
    target.write_text("".join(lines), encoding="utf-8")
    return sha256(target)


def library_versions() -> dict[str, str]:
    """Versions of the libraries; not of Python, on which no byte of an edition depends."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def source_revisions(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Repository, revision and licence of every project, its files with sha256, and the absent ones."""
    files = rows(con, "select * from raw.files order by project, path")
    projects = rows(con, "select * from seeds.projects order by project")
    result = {}
    for project in projects:
        mine = [file for file in files if file["project"] == project["project"]]
        result[project["project"]] = {
            "repository": project["repository"],
            "revision": project["revision"],
            "revision_date": str(project["revision_date"]),
            "format": project["format"],
            "syntax_scheme": project["syntax_scheme"],
            "license": project["licence"],
            "license_url": project["licence_url"],
            "attribution": project["attribution"],
            "files": {
                file["path"]: {"sha256": file["sha256"], "bytes": file["bytes"], "status": file["status"]}
                for file in mine
                if file["status"] != "absent"
            },
            "absent": [file["path"] for file in mine if file["status"] == "absent"],
            "differs_from_pin": [file["path"] for file in mine if differs(file)],
        }
    return {"input": input_kind(con), "projects": result}


def differs(file: dict[str, Any]) -> bool:
    """Return true when a file was read whose content is not that of the pinned revision."""
    if (file.get("note") or "").startswith("substituted"):
        return True
    return bool(file["status"] != "absent" and file["expected_sha256"] and file["sha256"] != file["expected_sha256"])


def dataset_variants(con: duckdb.DuckDBPyConnection, units: Units, plans: Sequence[Plan]) -> dict[str, Any]:
    """Return the complete manifest: every configuration, its rows with their constituents, and the excluded rows."""
    ids = units.ids.to_pylist()
    configurations: dict[str, Any] = {}
    for row in rows(con, "select * from hub.configurations order by configuration"):
        configurations[row["configuration"]] = {
            "track": row["track"],
            "size": row["size"],
            "is_built": row["is_built"],
            "reason": row["reason"],
            "splits": {},
        }
    for plan in plans:
        names = plan.ids.to_pylist()
        members = plan.members.tolist()
        offsets = plan.offsets.tolist()
        split: dict[str, Any] = {"rows": plan.rows}
        if plan.size == 1:
            split["ids"] = names
        else:
            split["chunks"] = {
                name: [ids[number] for number in members[offsets[place] : offsets[place + 1]]]
                for place, name in enumerate(names)
            }
        configurations[plan.configuration]["splits"][plan.split] = split
    return {"configurations": configurations, "excluded": dump(con, "benchmark.split_remainders")}


def dump(con: duckdb.DuckDBPyConnection, relation: str) -> list[dict[str, Any]]:
    """All rows of a table in a total order; nothing when the warehouse does not have it."""
    if relation not in relations(con):
        return []
    return [plain(row) for row in rows(con, f"select * from {relation} order by all")]


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with values that JSON knows."""
    return {
        key: value if isinstance(value, (str, int, float, bool, list, dict)) else None if value is None else str(value)
        for key, value in row.items()
    }


def _nested(found: Iterable[dict[str, Any]], *keys: str) -> dict[str, Any]:
    """Return counts as nested dictionaries: `{author: {fate: count}}`."""
    result: dict[str, Any] = {}
    for row in found:
        place = result
        for key in keys[:-1]:
            place = place.setdefault(row[key] if row[key] is not None else "(none)", {})
        place[row[keys[-1]] if row[keys[-1]] is not None else "(none)"] = row["count"]
    return result


@dataclass(frozen=True)
class Fates:
    """What became of the sentences, for the report, the card and the last lines of the export."""

    supplied: int
    by_fate: dict[str, int]
    by_project: dict[str, Any]
    by_author: dict[str, Any]
    examples: dict[str, list[dict[str, Any]]]


def fates(con: duckdb.DuckDBPyConnection) -> Fates:
    """Return counts of `corpus.sentence_fates`, with a few examples of each fate."""
    if "corpus.sentence_fates" not in relations(con):
        return Fates(0, {}, {}, {}, {})
    table = "corpus.sentence_fates"

    def counts(*keys: str) -> dict[str, Any]:
        names = ", ".join(keys)
        query = f"select {names}, count(*) as count from {table} group by all order by all"
        return _nested(rows(con, query), *keys)

    by_fate = counts("fate")
    examples: dict[str, list[dict[str, Any]]] = {}
    query = (
        f"select fate, sentence_id, author, survivor_id, reason from {table} "
        "qualify row_number() over (partition by fate order by project, path, position) <= ? "
        "order by fate, project, path, position"
    )
    for row in rows(con, query, EXAMPLES):
        examples.setdefault(row.pop("fate"), []).append(row)
    return Fates(
        sum(by_fate.values()),
        by_fate,
        counts("project", "fate"),
        counts("author", "fate"),
        examples,
    )


def annotation_part(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return, per project, the share of words with annotation and the sentences that were never annotated as a whole.

    Both stay published (docs/decisions/0005-unannotated-and-flagged-sentences.md); sentences that a project has flagged
    are counted by flag.
    """
    if not {"audit.annotation_coverage", "audit.flagged_sentences"} <= relations(con):
        return {}
    kinds = ("tag", "relation", "head", "lemma")
    words = ", ".join(f"sum(round(share_with_{kind} * words)::bigint)::bigint as {kind}" for kind in kinds)
    totals = rows(
        con,
        "select project, sum(sentences)::bigint as sentences, sum(unannotated_sentences)::bigint as unannotated,"
        f" sum(words)::bigint as words, {words} from audit.annotation_coverage group by project order by project",
    )
    unannotated = rows(
        con,
        "select project, path, unannotated_sentences, sentences from audit.annotation_coverage"
        " where unannotated_sentences > 0 order by project, path",
    )
    flags = rows(con, "select project, flag, count(*) as count from audit.flagged_sentences group by all order by all")
    return {
        "by_project": {
            row["project"]: {
                "sentences": row["sentences"],
                "unannotated_sentences": row["unannotated"],
                "share_of_unannotated_sentences": round(row["unannotated"] / row["sentences"], 6),
                "words": row["words"],
                "share_of_words_with": {kind: round(row[kind] / row["words"], 6) for kind in kinds},
            }
            for row in totals
        },
        "files_with_unannotated_sentences": {
            _named(row): {"unannotated": row["unannotated_sentences"], "sentences": row["sentences"]}
            for row in unannotated
        },
        "flagged_sentences": _nested(flags, "project", "flag"),
    }


def build_report(
    con: duckdb.DuckDBPyConnection,
    units: Units,
    written: Sequence[Written],
    sentences: int,
    parse: dict[str, Any] | None = None,
    audits: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Everything that can be counted about an edition.

    Args:
        con: the warehouse.
        units: the published sentences.
        written: what was written, per split.
        sentences: distinct published sentences that were validated.
        parse: manifest of the machine layer, None without one.
        audits: the main figures of each published audit.
    """
    files = rows(con, "select * from raw.files order by project, path")
    found = fates(con)
    configurations: dict[str, Any] = {}
    for split in written:
        configuration = configurations.setdefault(
            split.configuration, {"rows": {}, "bytes": 0, "largest_row": {"bytes": 0}}
        )
        configuration["rows"][split.split] = split.rows
        configuration["bytes"] += split.bytes
        if split.largest_row > configuration["largest_row"]["bytes"]:
            configuration["largest_row"] = {"bytes": split.largest_row, "id": split.largest_row_id}
    return {
        "input": input_kind(con),
        "sentences": {
            "supplied": found.supplied,
            "by_fate": found.by_fate,
            "by_project": found.by_project,
            "by_author": found.by_author,
            "examples": found.examples,
        },
        "files": {
            "read": sum(file["status"] == "read" for file in files),
            "absent": [_named(file) for file in files if file["status"] == "absent"],
            "rejected": [_named(file) for file in files if file["status"] == "rejected"],
            "differs_from_pin": [_named(file) for file in files if differs(file)],
            "rows": {
                key: sum(file[key] or 0 for file in files) for key in ("rows_in_file", "rows_read", "rows_rejected")
            },
        },
        "rejects": _nested(
            rows(
                con,
                "select project, expected, found, count(*) as count from raw.rejects group by all order by all",
            ),
            "project",
            "expected",
            "found",
        ),
        "annotation": annotation_part(con),
        "benchmark": {name: dump(con, f"benchmark.{name}") for name in BENCHMARK_TABLES},
        "configurations": configurations,
        "deduplication": dedup_report.report(con),
        "machine_syntax": machine.report(con, parse, audits),
        "published": {"sentences": sentences, "tokens": len(units.human.values.values)},
        "writer": {
            "versions": library_versions(),
            "compression": f"{schema.COMPRESSION} {schema.COMPRESSION_LEVEL}",
            "rows_per_group": schema.ROWS_PER_GROUP,
            "largest_row_group": max(split.largest_group for split in written),
            "largest_row": max(split.largest_row for split in written),
        },
    }


def _named(file: dict[str, Any]) -> str:
    """Project and path of a file."""
    return f"{file['project']}/{file['path']}"
