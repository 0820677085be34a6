"""Reads the record of one sentence; what a warehouse of another version does not have is named and left empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exports.ask.account import queries
from exports.ask.account.record import (
    DECISIONS,
    Account,
    Change,
    Copy,
    Difference,
    Parse,
    Row,
    Source,
    Standing,
    Tree,
    Word,
)
from exports.ask.explain import explain
from exports.warehouse import ExportError, rows
from runtime.command import short

if TYPE_CHECKING:
    import duckdb

Found = dict[str, Any]

LEFT_OUT = {
    "range": "the range of a word that is written as several",
    "empty": "a node without a word",
    "elliptic": "supplied by the annotator, not in the text",
    "sign": "no Greek letter: a mark or a sign of an editor",
}
"""Why a token is not published."""


def read_account(con: duckdb.DuckDBPyConnection, sentence_id: str) -> Account:
    """Return everything that is known about a sentence.

    Args:
        con: a warehouse.
        sentence_id: id of a sentence that is there, as `ids.find` gives it.

    Raises:
        ExportError: there is no such sentence, or the warehouse has no fates to tell.
    """
    found = rows(con, queries.SENTENCE, sentence_id)
    if not found:
        raise ExportError(f"no sentence '{short(sentence_id)}' in the warehouse")
    known = found[0]
    findings = tuple(explain(con, sentence_id))
    untold: list[str] = []
    number = known["sentence_number"]
    reason = part(con, untold, "reason", queries.REASON, sentence_id)
    own = part(con, untold, "source", queries.SOURCE, sentence_id)
    copies = part(con, untold, "copies", queries.COPIES, sentence_id)
    published = part(con, untold, "published id", queries.PUBLISHED, sentence_id)
    one = published[0] if published else {}
    dataset_rows = part(con, untold, "rows", queries.ROWS, one["id"]) if one else []
    tracks = part(con, untold, "tracks", queries.TRACKS, sentence_id)
    words = part(con, untold, "words", queries.WORDS, number)
    machine = part(con, untold, "machine layer", queries.PARSE, sentence_id)
    compared = part(con, untold, "agreement", queries.COMPARED, number) if machine else []
    told: dict[str, Any] = {
        name: known.get(name)
        for name in (
            "sentence_id", "dedup_key", "author", "work", "canonical_work", "genre", "passage", "passage_note",
            "citation", "cts_urn", "text", "native_text", "fate", "survivor_id",
        )
    }  # fmt: skip
    return Account(
        **told,
        published_id=one.get("id"),
        word_count=known.get("word_count") or 0,
        reason=reason[0]["reason"] if reason else None,
        source=source_of(known, own[0] if own else {}),
        licences=tuple(one.get("licenses") or ()),
        findings=findings,
        copies=tuple(
            Copy(row["record_id"], row["line"], row["license"], tuple(row["annotators"] or ())) for row in copies
        ),
        rows=tuple(Row(**row) for row in dataset_rows),
        tracks=tuple(Standing(**row) for row in tracks),
        words=words_of(words),
        tree=Tree(known.get("is_tree"), known.get("is_projective"), known.get("tree_depth")),
        parse=parse_of(machine[0], compared) if machine else None,
        untold=tuple(untold),
    )  # fmt: skip


def part(con: duckdb.DuckDBPyConnection, untold: list[str], name: str, query: str, *values: Any) -> list[Found]:
    """Return the rows of a part; where the warehouse lacks a table or a column of it, none, and its name is noted."""
    import duckdb as engine

    try:
        return rows(con, query, *values)
    except (engine.CatalogException, engine.BinderException):
        untold.append(name)
        return []


def source_of(known: Mapping[str, Any], own: Mapping[str, Any]) -> Source:
    """Return where a sentence was read."""
    line = known.get("line")
    url = str(own.get("url") or "")
    return Source(
        **{name: known[name] for name in ("sentence_id", "project", "path")},
        position=known.get("position"),
        line=line,
        source_sentence_id=known.get("source_sentence_id"),
        document_id=known.get("document_id"),
        repository=own.get("repository"),
        revision=own.get("revision"),
        address=f"{url}#L{line}" if line and url.startswith("https://") else url or None,
        licence=own.get("license"),
        licence_url=own.get("license_url"),
        attribution=own.get("attribution"),
        annotators=tuple(own.get("annotators") or ()),
    )


# Words ----------------------------------------------------------------------------------------------------------------


def words_of(found: Sequence[Found]) -> tuple[Word, ...]:
    """Return the tokens of a sentence with what changed."""
    by_id: dict[str, Found] = {}
    by_number: dict[int, str] = {}
    for row in found:
        by_id.setdefault(str(row["source_token"]).strip(), row)
        if row["form"] is not None:
            by_number[row["position"]] = row["form"]
    names = (
        "source_index", "source_token", "native_form", "native_lemma", "native_tag", "native_head", "native_relation",
        "position", "form", "lemma", "upos", "feats", "head", "deprel", "relation",
    )  # fmt: skip
    return tuple(
        Word(**{name: row[name] for name in names}, changes=tuple(changes_of(row, by_id, by_number))) for row in found
    )


def changes_of(row: Found, by_id: Mapping[str, Found], by_number: Mapping[int, str]) -> list[Change]:
    """Return what is not published as it was read."""
    if row["position"] is None:
        kind = row["row_kind"] if row["row_kind"] != "word" else "elliptic" if row["is_elliptic"] else "sign"
        return [Change("left_out", row["native_form"], LEFT_OUT[kind], DECISIONS["editorial"])]
    if row["form"] is None:
        whole = by_number.get(row["position"], "")
        return [Change("joined", row["native_form"], f"a part of {whole}", DECISIONS["joined"])]
    changes = []
    if row["parts"] is not None:
        changes.append(Change("joined", row["parts"], row["form"], DECISIONS["joined"]))
    elif row["native_form"] != row["form"]:
        repairs = f" ({row['repairs'].replace(',', ', ')})" if row["repairs"] else ""
        reason = DECISIONS["repaired form" if repairs else "form"]
        changes.append(Change("form", row["native_form"], row["form"] + repairs, reason))
    if (row["native_lemma"] or "") != (row["lemma"] or ""):
        changes.append(Change("lemma", row["native_lemma"] or "", row["lemma"] or "", DECISIONS["lemma"]))
    if row["read_upos"] != row["upos"]:
        changes.append(Change("class", row["read_upos"] or "", row["upos"] or "", DECISIONS["class"]))
    changes += feature_changes(row["read_feats"], row["feats"])
    if row["is_coordinator"] and row["reduced"] != row["deprel"]:
        before = f"{row['native_relation'] or ''}, {row['relation']}"
        changes.append(Change("relation", before, row["deprel"] or "", DECISIONS["relation"]))
    if row["is_head_converted"] or row["head_repair"]:
        what = "repair" if row["head_repair"] else "coordinator" if row["is_coordinator_moved"] else "head"
        reason = DECISIONS.get(str(row["head_repair"]), DECISIONS[what])
        changes.append(Change(what, native_head(row, by_id), published_head(row, by_number), reason))
    return changes


def native_head(row: Found, by_id: Mapping[str, Found]) -> str:
    """Return the head as read: its id in the file and its form."""
    wanted = str(row["native_head"] or "").strip()
    there = by_id.get(wanted)
    return f"{wanted} {there['native_form']}" if there else "root" if wanted == "0" else wanted or "none"


def published_head(row: Found, by_number: Mapping[int, str]) -> str:
    """Return the head as published, with the name of its repair."""
    head = f"{row['head']} {by_number.get(row['head'], '')}" if row["head"] else "root"
    return f"{head} ({row['head_repair']})" if row["head_repair"] else head


def feature_changes(before: str | None, after: str | None) -> list[Change]:
    """Return the features that differ.

    >>> [(one.what, one.before, one.after, one.decision) for one in feature_changes("Case=Nom|Person=3", "Case=Nom")]
    [('Person', '3', '', 91)]
    """
    read, told = (
        dict(pair.split("=", 1) for pair in (feats or "").split("|") if "=" in pair) for feats in (before, after)
    )
    return [
        Change(name, read.get(name, ""), told.get(name, ""), DECISIONS.get(name))
        for name in sorted(set(read) | set(told))
        if read.get(name) != told.get(name)
    ]


# The machine layer ----------------------------------------------------------------------------------------------------


def parse_of(machine: Found, compared: Sequence[Found]) -> Parse:
    """Return the machine layer with its agreement."""
    differences = []
    for row in compared:
        for what, human, parsed in (
            ("head", row["head"], row["machine_head"]),
            ("relation", row["deprel"], row["machine_deprel"]),
            ("class", row["upos"], row["machine_upos"]),
            ("features", row["human_feats"], row["machine_feats"]),
        ):
            if not row[f"is_same_{what}"]:
                told = ("root" if one == 0 else "" if one is None else str(one) for one in (human, parsed))
                differences.append(Difference(row["position"], row["form"], what, *told))
    return Parse(
        **{name: machine[name] for name in ("provider", "model", "revision", "fold")},
        words=len(compared),
        same_heads=sum(row["is_same_head"] for row in compared),
        same_relations=sum(row["is_same_relation"] for row in compared),
        same_classes=sum(row["is_same_class"] for row in compared),
        differences=tuple(differences),
    )
