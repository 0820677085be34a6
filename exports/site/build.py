"""What the build did, as pictures with tables, and the lineage as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from exports.site.drawings import bars_picture, flow_picture
from exports.site.pages import Site, counted, slug
from exports.site.trace import rows_of
from exports.warehouse import rows

HELD_OUT = """
    select
        track, author, held_out_work_title, test_work_rows, held_out_validation_work_title, held_out_group
    from benchmark.held_out_works order by all
"""
AGREEMENT = """
    select scope, scope_value, measure, tokens, share from audit.layer_agreement
    where scope in ('all', 'project') order by all
"""


def build(site: Site) -> None:
    """Write the page of what the build did."""
    found = rows(
        site.con, "select project, fate, count(*) as n from corpus.sentence_fates group by all order by project, fate"
    )
    splits = ["train", "validation", "validation2", "test"]
    told = []
    for track in rows(
        site.con, "select track, title, reason from benchmark.tracks where is_built order by track <> 'sentence', track"
    ):
        authors = rows(
            site.con,
            "select * from benchmark.authors where track = ? order by published_rows desc, author",
            track["track"],
        )
        bars = [(str(row["author"]), [row[f"{split}_rows"] for split in splits]) for row in authors]
        told.append({
            **track, "slug": slug(track["track"]), "drawn": bars_picture(f"Splits of {track['track']}", bars, splits),
            "names": ["author", *splits], "lines": [[name, *parts] for name, parts in bars],
        })  # fmt: skip
    held = counted(site, "Works held out", HELD_OUT)
    agreement = counted(site, "Agreement", AGREEMENT)
    site.add(
        "build.html", "build.html.jinja", "What the build did",
        flow=flow_picture({(row["project"], row["fate"]): row["n"] for row in found}, "Projects", "fates"),
        fates=[[row["project"], row["fate"], row["n"]] for row in found], tracks=told,
        held_out=held if held["lines"] else None, agreement=agreement if agreement["lines"] else None,
    )  # fmt: skip
    site.index.append(
        ("The build", "page", "build.html", "fates as a flow, splits per author, works held out, agreement")
    )


NOT_PUBLISHED = """
    select
        fates.sentence_id, fates.project, fates.path, sentences.line, fates.author, fates.fate, fates.reason,
        fates.survivor_id
    from corpus.sentence_fates as fates
    left join corpus.sentences as sentences using (sentence_id)
    where fates.fate <> 'published'
    order by fates.sentence_id
"""
"""One row per sentence that is not published."""


def not_published(site: Site) -> None:
    """Write the reason of every sentence that is not published, as a table: a page for each would be too many."""
    site.pages["fate/not_published.csv"] = as_csv(rows(site.con, NOT_PUBLISHED))


def lineage_files(site: Site) -> None:
    """Write the lineage as tables."""
    site.pages["lineage/column_lineage.csv"] = as_csv(rows_of(site.graph, site.fields))
    edges = (
        {"relation": relation, "column": column, "from_relation": origin[0], "from_column": origin[1], "kind": kind}
        for (relation, column), origins in sorted(site.graph.origins.items())
        for origin, kind in sorted(origins.items())
    )
    site.pages["lineage/column_edges.csv"] = as_csv(edges)


def as_csv(lines: Iterator[dict[str, Any]] | Sequence[dict[str, Any]]) -> str:
    """Return rows as CSV with a header."""
    written = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for line in lines:
        if writer is None:
            writer = csv.DictWriter(written, list(line), lineterminator="\n")
            writer.writeheader()
        writer.writerow(line)
    return written.getvalue()
