"""The list of published columns, and a page for each column and field."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from exports.dataset import schema
from exports.site import facts, words
from exports.site.declared import NAMED_CONSTANTS
from exports.site.drawings import way_picture
from exports.site.graph import Way
from exports.site.lineage import CONSTANT, Origin
from exports.site.pages import FAMILIES, Site, first_of, seed_table, shown, slug
from exports.site.sentences import Places
from exports.site.trace import Field


def type_of(field: Field) -> str:
    """Return the type of a published column, or of the one that a field is in, in short."""
    column = next(one for one in schema.COLUMNS if one.name == field.column)
    return str(column.type) if len(str(column.type)) < 60 else "list of structs"


def columns(site: Site, places: Places) -> None:
    """Write the list of published columns and a page for each."""
    examples = facts.example_rows(site.hub)
    described = {one.name: one for one in schema.COLUMNS}
    listed = []
    for one in site.fields:
        column = described[one.column]
        entry = {
            "name": one.name,
            "column": one.column,
            "slug": slug(one.name),
            "type": type_of(one),
            "family": FAMILIES[column.family],
            "description": meaning_of(site, one) or column.description,
            "around": column.description if "[]." in one.name else "",
        }
        listed.append(entry)
        site.index.append(
            (one.name, "column", f"columns/{entry['slug']}.html", facts.shortened(entry["description"], 120))
        )
        column_page(site, places, one, entry, example_told(one.name, examples.get(one.column)))
    site.add("columns/index.html", "columns.html.jinja", "Published columns and fields", fields=listed)


def meaning_of(site: Site, one: Field) -> str:
    """Return what a field of a struct means: the description of the first column on its way that has one."""
    chain = one.ways[0].chain if "[]." in one.name and one.ways else ()
    for relation, column in chain:
        described = site.nodes[relation].get("columns") or {} if relation != CONSTANT else {}
        if said := (described.get(column) or {}).get("description"):
            return " ".join(str(said).split())
    return ""


def example_told(name: str, example: tuple[str, str, Any] | None) -> tuple[str, str, str] | None:
    """Return an example for the page of a field: configuration, row, and the value as JSON."""
    if example is None:
        return None
    value = facts.example_of(name, example[2])
    return example[0], example[1], json.dumps(value, ensure_ascii=False, indent=1, default=str)


def drawn_ways(ways: Sequence[Way]) -> list[Way]:
    """Return the ways that a picture shows: values and look-ups; of a field without these, its conditions."""
    close = [way for way in ways if way.kind in ("value", "look-up") and way.origin[0] != CONSTANT]
    return close or [way for way in ways if way.origin[0] != CONSTANT] or list(ways)


def column_page(
    site: Site, places: Places, one: Field, entry: dict[str, Any], example: tuple[str, str, str] | None
) -> None:
    """Write the page of a published column or field."""
    drawn = drawn_ways(one.ways)
    sources = facts.sources_of(site.con, example[1]) if example else []

    def link(relation: str) -> str | None:
        page = site.page_of(relation)
        return f"../tables/{page}" if page else None

    ways = [
        {
            "kind": way.kind,
            "relation": way.origin[0],
            "column": way.origin[1],
            "page": site.page_of(way.origin[0]),
            "of": "constant" if way.origin[0] == CONSTANT else kind_in_words(site, way.origin[0]),
            "steps": [
                {"name": f"{relation}.{column}" if relation != CONSTANT else column, "page": site.page_of(relation)}
                for relation, column in way.chain
            ],
        }
        for way in one.ways
    ]
    named = {way.origin[0] for way in drawn} - {CONSTANT}
    seeds = sorted(name for name in named if site.graph.nodes[name].kind == "seed")
    values = {way.origin[0] for way in one.ways if way.kind == "value" and way.origin[0] != CONSTANT}
    closest = [name for name in seeds if name in values][:3]
    site.add(
        f"columns/{entry['slug']}.html",
        "column.html.jinja",
        one.name,
        one=entry,
        constant=NAMED_CONSTANTS.get(one.name),
        example=example,
        sources=[{**source, "page": places.give_page(source["sentence_id"])} for source in sources],
        drawn=way_picture(site.graph, one.name, drawn, link),
        ways=ways,
        rule=[
            {"name": name, "page": site.page_of(name), "description": first_of(site.graph.nodes[name].description)}
            for name in rule_of(site, one)
        ],
        seeds=[{"name": name, "page": site.page_of(name)} for name in seeds],
        shown=[seed_table(site, name.removeprefix("seeds."), most=40) for name in closest if name in site.known],
        counts=[count_of(site, start) for start in one.starts if start[2] == "value" and countable(site, start)],
        limits=[
            {"said": said, "number": number, "page": site.decision_page(number)}
            for said, number in words.LIMITS.get(one.column, ())
        ],
    )


def kind_in_words(site: Site, relation: str) -> str:
    """Return what an origin is, for readers."""
    return {"raw": "a file of a treebank", "seed": "a table of decisions"}.get(
        site.graph.nodes[relation].kind, "a model"
    )


def rule_of(site: Site, one: Field) -> list[str]:
    """Return the models that make a field, from the published one down, as far as the value has one way."""
    found: list[str] = []
    queue: list[Origin] = [(relation, column) for relation, column, kind in one.starts if kind == "value"]
    while queue and len(found) < 8:
        here = queue.pop(0)
        if here[0] == CONSTANT or here[0] in found or site.graph.nodes[here[0]].kind != "model":
            continue
        found.append(here[0])
        queue += [origin for origin, kind in sorted(site.graph.origins[here].items()) if kind == "value"]
    return found


def countable(site: Site, start: tuple[str, str, Any]) -> bool:
    """Return True when the column that a field is written from stands in the warehouse by itself."""
    return start[0] in site.known and "[]" not in start[1]


def count_of(site: Site, start: tuple[str, str, Any]) -> dict[str, Any]:
    """Return the counts of a column."""
    found = facts.column_facts(site.con, start[0], start[1])
    lines = [[facts.shortened(shown(row["value"]), 120), row["rows"]] for row in found["frequent"]]
    return {**found, "lines": lines}
