"""The columns of all models, and a published field followed through them to where it comes from."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exports.site.lineage import CONSTANT, RANK, Kind, Origin, Origins, Relation, columns_of_model, looser
from exports.warehouse import ExportError

Declared = Mapping[str, Mapping[str, Sequence[tuple[str, str, Kind]]]]
"""Model -> column -> model or source that it reads, column, kind: for what no SQL tells."""


@dataclass(frozen=True)
class Node:
    """A relation of the warehouse.

    Attributes:
        name: `schema.name`, as one asks for it.
        kind: raw, seed or model.
        model: name in the project.
        path: its file in the checkout.
        description: what a row is.
    """

    name: str
    kind: str
    model: str
    path: str
    description: str


@dataclass(frozen=True)
class Graph:
    """The columns of the warehouse.

    Attributes:
        nodes: relations by `schema.name`.
        origins: by relation and column, the columns of other relations that it is made of.
    """

    nodes: dict[str, Node]
    origins: dict[Origin, Origins]


@dataclass(frozen=True)
class Way:
    """How a published field hangs together with one of its origins.

    Attributes:
        origin: raw or seed column, or `constant` and its value.
        kind: the part that it has.
        chain: relations and columns from the published one to the origin, both included.
    """

    origin: Origin
    kind: Kind
    chain: tuple[Origin, ...]


def relation_name(node: Mapping[str, Any]) -> str:
    """Return the name under which a node of the manifest stands in the warehouse."""
    return f"{node['schema']}.{node.get('alias') or node.get('identifier') or node['name']}"


def read_graph(manifest: Mapping[str, Any], columns: Mapping[str, Sequence[str]], declared: Declared) -> Graph:
    """Read the models of a manifest, each after those that it reads.

    Args:
        manifest: `manifest.json` of a run that compiled the models.
        columns: of raw tables and seeds, by `schema.name`.
        declared: columns of the models that are no SQL.

    Raises:
        ExportError: a model is not compiled, cannot be read, or is no SQL and not declared.
    """
    named = {
        key: node
        for key, node in {**manifest["nodes"], **manifest["sources"]}.items()
        if node["resource_type"] in ("model", "seed", "source")
        and node["config"].get("materialized") != "table_function"
    }
    nodes = {}
    origins: dict[Origin, Origins] = {}
    relations: dict[str, Relation] = {}
    for key in ordered(named):
        node = named[key]
        name = relation_name(node)
        kind = {"source": "raw"}.get(node["resource_type"], node["resource_type"])
        nodes[name] = Node(name, kind, node["name"], node["original_file_path"], node["description"])
        if kind != "model":
            leaves: dict[str, Origins] = {column: {(name, column): "value"} for column in columns.get(name, ())}
            relations[name] = Relation(leaves, is_reference=kind == "seed")
            continue
        read = [named[parent] for parent in node["depends_on"]["nodes"] if parent in named]
        tables = {relation_name(parent): relations[relation_name(parent)] for parent in read}
        made = model_columns(node, tables, {parent["name"]: relation_name(parent) for parent in read}, declared)
        origins |= {(name, column): found for column, found in made.items()}
        own: dict[str, Origins] = {column: {(name, column): "value"} for column in made}
        is_reference = bool(tables) and all(table.is_reference for table in tables.values())
        relations[name] = Relation(own, is_reference)
    return Graph(nodes, origins)


def model_columns(
    node: Mapping[str, Any], tables: Mapping[str, Relation], parents: Mapping[str, str], declared: Declared
) -> dict[str, Origins]:
    """Return the columns of a model with their origins: as its SQL tells, or as is declared."""
    if node["language"] == "sql":
        if not node.get("compiled_code"):
            raise ExportError(f"{node['name']} is not compiled in the manifest: run `make transform` first")
        return columns_of_model(node["compiled_code"], tables, node["name"])
    if node["name"] not in declared:
        raise ExportError(f"{node['name']} is no SQL: declare its columns in exports/site/declared.py")
    made: dict[str, Origins] = {}
    for column, links in declared[node["name"]].items():
        made[column] = {}
        for parent, parent_column, kind in links:
            relation = CONSTANT if parent == CONSTANT else parents.get(parent)
            if relation is None or (relation != CONSTANT and parent_column not in tables[relation].columns):
                raise ExportError(f"{node['name']}.{column} is declared to read {parent}.{parent_column}, it does not")
            made[column][relation, parent_column] = kind
    return made


def ordered(nodes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the nodes of a manifest, each behind those that it reads."""
    found: dict[str, None] = {}

    def visit(key: str) -> None:
        if key not in found:
            for parent in sorted(nodes[key].get("depends_on", {}).get("nodes", ())):
                if parent in nodes:
                    visit(parent)
            found[key] = None

    for key in sorted(nodes):
        visit(key)
    return list(found)


def ways(graph: Graph, starts: Iterable[tuple[Origin, Kind]]) -> list[Way]:
    """Return the way to every origin of a published field: the closest kind, then the shortest, then by names.

    Args:
        graph: the columns of the warehouse.
        starts: the columns that the field is written from.
    """
    queue: list[tuple[int, int, tuple[Origin, ...]]] = [(RANK[kind], 1, (start,)) for start, kind in starts]
    heapq.heapify(queue)
    kinds = {rank: kind for kind, rank in RANK.items()}
    seen: set[Origin] = set()
    found = []
    while queue:
        rank, length, chain = heapq.heappop(queue)
        here = chain[-1]
        if here in seen:
            continue
        seen.add(here)
        if here[0] == CONSTANT and rank > RANK["constant"]:
            continue  # a value that something is compared with
        if here[0] == CONSTANT or graph.nodes[here[0]].kind != "model":
            found.append(Way(here, kinds[rank], chain))
            continue
        if here not in graph.origins:
            raise ExportError(f"{here[0]} has no column {here[1]}")
        for origin, kind in graph.origins[here].items():
            if origin not in seen:
                heapq.heappush(queue, (RANK[looser(kinds[rank], kind)], length + 1, (*chain, origin)))
    return sorted(found, key=lambda way: (RANK[way.kind], way.origin))
