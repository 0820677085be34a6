"""A page for every raw table, table of decisions and model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exports.site.facts import shortened
from exports.site.lineage import CONSTANT, RANK
from exports.site.pages import MOST_ORIGINS, Site, first_of, seed_table, slug
from exports.warehouse import columns, rows

KINDS = {"raw": "raw", "seed": "a table of decisions", "model": "a model"}
"""Kinds of tables, for readers."""


def tables(site: Site) -> None:
    """Write a page for every raw table, seed and model, and their list."""
    on_way: dict[str, list[str]] = {}
    for one in site.fields:
        for name in sorted({relation for way in one.ways for relation, _ in way.chain if relation != CONSTANT}):
            on_way.setdefault(name, []).append(one.name)
    listed = []
    for name, node in sorted(site.graph.nodes.items()):
        told = site.nodes[name]
        page = site.page_of(name)
        seed = seed_table(site, node.model) if node.kind == "seed" and name in site.known else None
        site.add(
            f"tables/{page}",
            "table.html.jinja",
            name,
            node={
                "description": node.description,
                "kind": KINDS[node.kind],
                "path": node.path,
                "language": told.get("language"),
            },
            projects=projects_of(site, node.model) if node.kind == "raw" else [],
            fields=[{"name": field, "page": f"{slug(field)}.html"} for field in on_way.get(name, ())],
            columns=columns_told(site, name, told.get("columns") or {}),
            rows=seed,
            sql=told.get("raw_code") if node.kind == "model" else None,
        )
        first = first_of(node.description)
        listed.append({"name": name, "page": page, "kind": KINDS[node.kind], "first": first})
        site.index.append((name, "table", f"tables/{page}", shortened(first, 120)))
    site.add("tables/index.html", "tables.html.jinja", "Tables", nodes=listed)


def columns_told(site: Site, relation: str, described: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the columns of a relation with their meanings and what they are made of, the values first."""
    made = {column: origins for (name, column), origins in site.graph.origins.items() if name == relation}
    found = []
    for column in made or columns(site.con, relation) or described:
        origins = sorted(made.get(column, {}).items(), key=lambda item: (RANK[item[1]], item[0]))
        told = [
            {"kind": kind, "name": of if name == CONSTANT else f"{name}.{of}", "page": site.page_of(name)}
            for (name, of), kind in origins[:MOST_ORIGINS]
        ]
        meaning = (described.get(column) or {}).get("description", "")
        found.append({"name": column, "description": meaning, "origins": told})
    return found


def projects_of(site: Site, model: str) -> list[dict[str, str]]:
    """Return the projects whose rows a raw table of a format has."""
    found = rows(site.con, "select project, format from seeds.projects order by project")
    return [
        {"name": row["project"], "page": f"{slug(row['project'])}.html"}
        for row in found
        if model.startswith(row["format"])
    ]
