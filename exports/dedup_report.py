"""What deduplication did, as numbers: its part of `build_report.json`.

Everything is read from public tables, and nothing in it depends on the machine or the moment (seconds are left out).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exports.warehouse import relations, rows

if TYPE_CHECKING:
    import duckdb

EXAMPLES = 3
# Fates that mean that the document was not kept, before any rule of deduplication.
NOT_CURATED = ("skipped_document", "excluded_work")
# Fates that a rule of deduplication gives, in the order of the rules.
RULES = ("no_words", "author_conflict", "exact_duplicate", "quotation", "near_duplicate", "fragment", "corrupt")
NEEDED = ("corpus.sentence_fates", "audit.near_duplicate_pairs", "audit.author_conflicts", "audit.minhash_recall")


def report(con: duckdb.DuckDBPyConnection) -> dict[str, Any] | None:
    """Return the part of the build report about deduplication.

    Args:
        con: the warehouse.

    Returns:
        `supplied` (sentences read), `curated` (of kept documents), `by_rule`, `entered`, `by_author`, `by_project`,
        `examples` of each rule with both texts, `pairs` by decision, `same_project_repetition` (kept),
        `author_conflicts`, `chains` and `minhash`. None when the warehouse has no deduplication tables.
    """
    if not set(NEEDED) <= relations(con):
        return None
    by_fate = {row["fate"]: row["count"] for row in rows(con, _counts())}
    supplied = sum(by_fate.values())
    curated = supplied - sum(by_fate.get(fate, 0) for fate in NOT_CURATED)
    by_rule = {rule: by_fate.get(rule, 0) for rule in RULES}
    return {
        "supplied": supplied,
        "curated": curated,
        "by_rule": by_rule,
        "entered": curated - sum(by_rule.values()),
        "by_author": _by(con, "author"),
        "by_project": _by(con, "project"),
        "examples": {rule: _examples(con, rule) for rule in RULES if by_rule[rule]},
        "pairs": _pairs(con),
        "same_project_repetition": _repetition(con),
        "author_conflicts": _conflicts(con),
        "chains": _chains(con),
        "minhash": rows(con, "select * exclude (seconds) from audit.minhash_recall order by setting"),
    }


def _counts(*keys: str) -> str:
    """Return the query that counts sentences by the columns named and by fate."""
    names = ", ".join((*keys, "fate"))
    return f"select {names}, count(*)::bigint as count from corpus.sentence_fates group by {names} order by {names}"


def _by(con: duckdb.DuckDBPyConnection, key: str) -> dict[str, dict[str, int]]:
    """Return, per value of a column, the sentences curated, those each rule removed, and those that entered."""
    result: dict[str, dict[str, int]] = {}
    for row in rows(con, _counts(key)):
        if row["fate"] in NOT_CURATED:
            continue
        place = result.setdefault(row[key], {"curated": 0, **dict.fromkeys(RULES, 0), "entered": 0})
        place["curated"] += row["count"]
        place[row["fate"] if row["fate"] in RULES else "entered"] += row["count"]
    return result


def _examples(con: duckdb.DuckDBPyConnection, rule: str) -> list[dict[str, Any]]:
    """Return the first sentences of a fate, with their reason and text, and the text that stands for them."""
    query = """
        select
            fates.sentence_id, fates.author, sentences.text, fates.reason, fates.survivor_id,
            survivors.text as survivor_text
        from corpus.sentence_fates as fates
        inner join corpus.sentences as sentences on fates.sentence_id = sentences.sentence_id
        left join corpus.sentences as survivors on fates.survivor_id = survivors.sentence_id
        where fates.fate = ?
        order by sentences.sentence_number
        limit ?
    """
    return rows(con, query, rule, EXAMPLES)


def _pairs(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return how many pairs were counted, what came of them, and the near-duplicate pairs by their projects."""
    counts = rows(
        con, "select decision, count(*)::bigint as count from audit.near_duplicate_pairs group by all order by all"
    )
    by_projects = rows(
        con,
        "select project, other_project, count(*)::bigint as pairs from audit.near_duplicate_pairs"
        " where decision = 'one_removed' group by all order by all",
    )
    return {
        "counted": sum(row["count"] for row in counts),
        "by_decision": {row["decision"]: row["count"] for row in counts},
        "near_duplicates_by_projects": by_projects,
    }


def _repetition(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return the pairs inside one project, which are kept: the author's own formulae."""
    found = rows(con, "select * from audit.same_project_repetition order by all")
    return {
        "pairs": sum(row["pairs"] for row in found),
        "by_author_and_project": found,
    }


def _conflicts(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return the groups whose author labels conflict, and the sentences that went with them."""
    total = rows(
        con,
        "select count(*)::bigint as groups, coalesce(sum(sentences), 0)::bigint as sentences"
        " from audit.author_conflicts",
    )[0]
    authors = rows(
        con,
        "select authors, count(*)::bigint as groups, sum(sentences)::bigint as sentences from audit.author_conflicts"
        " group by authors order by groups desc, authors limit 10",
    )
    return {**total, "most_frequent": authors}


def _chains(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return how far near-duplicate pairs chain sentences together."""
    return rows(
        con,
        "select count(*)::bigint as chains, coalesce(max(sentences), 0)::bigint as longest"
        " from audit.near_duplicate_chains",
    )[0]
