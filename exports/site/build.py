"""The page of what the build did, and the tables that stand beside the pages."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from exports.site.facts import shortened
from exports.site.pages import Site
from exports.site.results import parts
from exports.site.trace import rows_of


def build(site: Site) -> None:
    """Write the page of what the build did."""
    told = parts(site)
    site.add("build.html", "build.html.jinja", "What the build did", parts=told)
    for part in told:
        site.index.append((part["title"], "build", f"build.html#{part['anchor']}", shortened(part["said"], 120)))


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
