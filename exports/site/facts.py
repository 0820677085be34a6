"""What the pages tell, read from a warehouse and its dataset: counts, rows of decisions, examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.dataset import schema
from exports.warehouse import rows

if TYPE_CHECKING:
    import duckdb

MOST_ROWS = 400
"""Rows of a table of decisions that its page shows."""
MOST_VALUES = 12
"""Most frequent values that the page of a column shows."""
LONGEST = 600
"""Signs of an example that are shown."""

KINDS = {"relation": "label", "class": "upos", "feature": "feats"}
"""Kinds of words of the vocabulary that trees have, and the column of `corpus.nodes` that has them."""

LAYERS = ("published", "ud")
"""The layers that are counted: as published, and the full annotation that it is a reduction of."""


@dataclass(frozen=True)
class Example:
    """A sentence in which a value stands."""

    sentence_id: str
    layer: str
    position: int


def quoted(*names: str) -> str:
    """Return the name of a relation or column as SQL."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def occurrences(con: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary table of all values of published sentences: layer, kind, value, author, project, place."""
    parts = [
        f"select layer, sentence_number, position, '{kind}' as kind, {column} as value from found where {column} <> ''"
        for kind, column in KINDS.items()
        if kind != "feature"
    ]
    parts.append(
        "select layer, sentence_number, position, 'feature' as kind, unnest(string_split(feats, '|')) as value "
        "from found where feats <> ''"
    )
    con.execute(
        f"""
        create or replace temp table site_values as
        with found as (
            select layer, sentence_number, position, label, upos, feats from corpus.nodes
            where list_contains({list(LAYERS)}, layer)
        ),
        told as ({" union all ".join(parts)})
        select
            told.layer, told.kind, told.value, told.position, sentences.sentence_id, sentences.author,
            sentences.project, sentences.word_count
        from told
        inner join corpus.sentences as sentences using (sentence_number)
        where sentences.fate = 'published'
        """
    )


def values_of(con: duckdb.DuckDBPyConnection, kind: str) -> dict[str, dict[str, int]]:
    """Return the values of a kind with the number of words of each layer."""
    found: dict[str, dict[str, int]] = {}
    query = "select value, layer, count(*) as words from site_values where kind = ? group by all order by value, layer"
    for row in rows(con, query, kind):
        found.setdefault(row["value"], {})[row["layer"]] = row["words"]
    return found


def counts_of(con: duckdb.DuckDBPyConnection, kind: str, by: str) -> dict[str, list[dict[str, Any]]]:
    """Return for every value of a kind its words by `project` or `author`, in each layer, the most first."""
    found: dict[str, list[dict[str, Any]]] = {}
    layers = ", ".join(f"count(*) filter (where layer = '{layer}') as {layer}" for layer in LAYERS)
    query = f"""
        select value, {quoted(by)} as name, {layers}, count(distinct sentence_id) as sentences
        from site_values where kind = ? group by all order by value, {LAYERS[0]} desc, {LAYERS[1]} desc, name
    """
    for row in rows(con, query, kind):
        found.setdefault(row["value"], []).append(row)
    return found


def examples_of(con: duckdb.DuckDBPyConnection, kind: str) -> dict[str, list[Example]]:
    """Return two sentences of every value of a kind, short ones, chosen by checksum; of the published layer first."""
    found: dict[str, list[Example]] = {}
    query = """
        with places as (
            select value, layer, sentence_id, min(position) as position, any_value(word_count) as words
            from site_values where kind = ? group by value, layer, sentence_id
        )
        select value, layer, sentence_id, position from places
        qualify row_number() over (
            partition by value
            order by layer <> 'published', words not between 5 and 12, sha256(value || sentence_id), sentence_id
        ) <= 2
        order by value, layer, sentence_id
    """
    for row in rows(con, query, kind):
        found.setdefault(row["value"], []).append(Example(row["sentence_id"], row["layer"], row["position"]))
    return found


def seed_rows(
    con: duckdb.DuckDBPyConnection, name: str, where: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Return the rows of a seed, all or those in which a column has a value, in a total order."""
    condition = " or ".join(f"{quoted(column)}::varchar = ?" for column in where or {})
    given = f"where {condition}" if condition else ""
    return rows(con, f"select * from {quoted('seeds', name)} {given} order by all", *(where or {}).values())


def column_facts(con: duckdb.DuckDBPyConnection, relation: str, column: str) -> dict[str, Any]:
    """Return how many rows a column has, in how many nothing, how many values, and the most frequent ones."""
    name, source = quoted(column), quoted(*relation.split("."))
    counted = f"select count(*) as rows, count({name}) as filled, count(distinct {name}) as values from {source}"
    query = f"""
        select {name}::varchar as value, count(*) as rows from {source} group by all order by rows desc, value limit ?
    """
    return {
        "relation": relation,
        "column": column,
        **rows(con, counted)[0],
        "frequent": rows(con, query, MOST_VALUES),
    }


def example_rows(hub: Path) -> dict[str, tuple[str, str, Any]]:
    """Return an example of every published column: the configuration, the id of the row, and the value.

    It is the first row, by id, in which the column has a value, of the first configuration that has the column.
    """
    import pyarrow.parquet as pq

    found: dict[str, tuple[str, str, Any]] = {}
    paths = sorted(path for path in (hub / "data").glob("*") if path.is_dir()) if (hub / "data").is_dir() else []
    # The main track first, and single sentences before chunks.
    paths.sort(key=lambda path: (not path.name.startswith("sentence_"), len(path.name), path.name))
    for path in paths:
        missing = [column.name for column in schema.COLUMNS if column.name not in found]
        file = path / "test-00000-of-00001.parquet"
        if not missing or not file.is_file():
            continue
        with pq.ParquetFile(file) as opened:
            wanted = [name for name in missing if name in opened.schema_arrow.names]
            if not wanted:
                continue
            table = opened.read_row_group(0, columns=["id", *(name for name in wanted if name != "id")]).slice(0, 100)
        for row in sorted(table.to_pylist(), key=lambda one: str(one["id"])):
            for name in wanted:
                if name not in found and row[name] not in (None, []):
                    found[name] = (path.name, str(row["id"]), row[name])
    return found


SOURCES = """
    select sentences.sentence_id, sentences.path, sentences.line, sentences.project, records.url
    from hub.sentences as published
    inner join corpus.sentences as sentences using (sentence_id)
    inner join corpus.source_records as records on records.record_id = sentences.sentence_id
    where list_contains(coalesce((select any_value(constituent_ids) from hub.rows where id = $1), [$1]), published.id)
    order by sentences.sentence_number
"""


def sources_of(con: duckdb.DuckDBPyConnection, row: str) -> list[dict[str, Any]]:
    """Return where the sentences of a published row stand: project, file, line, and the address of the line."""
    found = rows(con, SOURCES, row)
    for one in found:
        is_address = str(one["url"]).startswith("https://")
        one["address"] = f"{one['url']}#L{one['line']}" if is_address and one["line"] else ""
    return found


def example_of(field: str, value: Any) -> Any:
    """Return of the value of a column what the page of a field shows: the first struct that has something in it.

    >>> example_of("trees[].form", [[[{"form": None, "id": 1}, {"form": "a", "id": 2}]]])
    {'form': 'a', 'id': 2}
    """
    member = field.partition("[].")[2]
    while member and isinstance(value, list) and value and isinstance(value[0], list):
        value = value[0]
    if not member or not isinstance(value, list):
        return value
    return next((one for one in value if one.get(member) not in (None, [])), value[0] if value else value)


def shortened(text: str, most: int = LONGEST) -> str:
    """Return a text, cut where it is too long.

    >>> shortened("abcdef", 3)
    'abc …'
    """
    return text if len(text) <= most else text[:most] + " …"


def as_table(found: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[Any]]]:
    """Return rows as names of columns and lists of values."""
    return (list(found[0]) if found else []), [list(row.values()) for row in found]
