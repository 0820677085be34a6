"""Column lineage: every published field with its origins, made from the models as dbt has compiled them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exports.site.declared import PYTHON_MODELS, STEP, published_fields
from exports.site.graph import Graph, Way, read_graph, ways
from exports.site.lineage import CONSTANT, Kind
from exports.warehouse import ExportError

if TYPE_CHECKING:
    import duckdb

COLUMNS_READ = """
    select table_schema || '.' || table_name as name, column_name
    from information_schema.columns
    order by table_schema, table_name, ordinal_position
"""


@dataclass(frozen=True)
class Field:
    """A published column or field.

    Attributes:
        name: as in `conllu_human[].upos`.
        column: the published column that it is in.
        starts: columns of the warehouse that the files are written from.
        ways: to every raw column, seed column and constant that it hangs together with.
    """

    name: str
    column: str
    starts: tuple[tuple[str, str, Kind], ...]
    ways: tuple[Way, ...]

    def reaches_raw(self, graph: Graph) -> bool:
        """Return True when it reaches a raw column."""
        return any(way.origin[0] != CONSTANT and graph.nodes[way.origin[0]].kind == "raw" for way in self.ways)


def columns_of(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Return the columns of all relations of a warehouse, by `schema.name`."""
    found: dict[str, list[str]] = {}
    for name, column in con.execute(COLUMNS_READ).fetchall():
        found.setdefault(name, []).append(column)
    return found


def trace(manifest: Mapping[str, Any], columns: Mapping[str, Sequence[str]]) -> tuple[Graph, list[Field]]:
    """Return the columns of the warehouse, and the published fields in the order of the files.

    Raises:
        ExportError: a model cannot be read, or a published field is not declared.
    """
    graph = read_graph(manifest, columns, PYTHON_MODELS)
    fields = []
    for name, column in published_fields():
        if name not in STEP:
            raise ExportError(f"{name} is published and not declared in exports/site/declared.py")
        starts = tuple(STEP[name])
        found = ways(graph, [((relation, source), kind) for relation, source, kind in starts])
        fields.append(Field(name, column, starts, tuple(found)))
    return graph, fields


def rows_of(graph: Graph, fields: Sequence[Field]) -> list[dict[str, Any]]:
    """Return the lineage as a table: one row per published field and origin."""
    return [
        {
            "published_column": field.column,
            "published_field": field.name,
            "kind": way.kind,
            "origin": CONSTANT if way.origin[0] == CONSTANT else graph.nodes[way.origin[0]].kind,
            "origin_relation": "" if way.origin[0] == CONSTANT else way.origin[0],
            "origin_column": way.origin[1],
            "chain": " <- ".join(f"{relation}.{column}" for relation, column in way.chain),
        }
        for field in fields
        for way in field.ways
    ]
