"""Lineage: what is read from SQL, and that the step from the warehouse into Parquet is declared as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import hub_fixture
import pytest
from conftest import ROOT

from exports.dataset.files import batch
from exports.dataset.plans import load_plans
from exports.dataset.units import load_units
from exports.site.declared import PYTHON_MODELS, STEP, published_fields
from exports.site.graph import Graph, Node, ways
from exports.site.lineage import CONSTANT, Origins, Relation, columns_of_model
from exports.warehouse import ExportError


def relation(name: str, columns: str, is_reference: bool = False) -> Relation:
    """Return a table that comes from nowhere."""
    return Relation({column: {(name, column): "value"} for column in columns.split()}, is_reference)


TABLES = {
    "raw.words": relation("raw.words", "gid sentence tag form head list"),
    "raw.more": relation("raw.more", "gid sentence tag form head list"),
    "seeds.tags": relation("seeds.tags", "tag upos reason", is_reference=True),
    "raw.structs": Relation(
        {"id": {("raw.structs", "id"): "value"}, "made": {}, "made[].x": {("raw.structs", "id"): "value"}}
    ),
}
VALUE, LOOK_UP, CONDITION = "value", "look-up", "condition"


def of(sql: str) -> dict[str, dict[str, str]]:
    """Return the origins of the columns of a query, as `relation.column`."""
    return {
        name: {f"{source[0]}.{source[1]}": kind for source, kind in origins.items()}
        for name, origins in columns_of_model(sql, TABLES).items()
    }


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select form || tag as a from raw.words", {"raw.words.form": VALUE, "raw.words.tag": VALUE}),
        ("select form as b, b || '!' as a from raw.words", {"raw.words.form": VALUE}),
        (
            "select case when tag = 'n' then form else 'x' end as a from raw.words",
            {"raw.words.tag": CONDITION, "raw.words.form": VALUE, "constant.'x'": "constant"},
        ),
        (
            "select tags.upos as a from raw.words as w left join seeds.tags as tags on w.tag = tags.tag",
            {"seeds.tags.upos": VALUE, "raw.words.tag": LOOK_UP},
        ),
        (
            "select tags.upos as a from seeds.tags as tags inner join raw.words as w on starts_with(w.form, tags.tag)",
            {"seeds.tags.upos": VALUE, "raw.words.form": LOOK_UP},
        ),
        ("select w.form as a from raw.words as w join raw.more as m on w.gid = m.gid", {"raw.words.form": VALUE}),
        ("select m.form as a from raw.words as w join raw.more as m on w.gid = m.gid", {"raw.more.form": VALUE}),
        (
            "select m.form as a from raw.words as w join raw.more as m on w.head = m.gid",
            {"raw.more.form": VALUE, "raw.words.head": LOOK_UP},
        ),
        ("select m.form as a from raw.words as w join raw.more as m using (gid)", {"raw.more.form": VALUE}),
        (
            "select m.form as a from raw.words as w join raw.more as m using (tag)",
            {"raw.more.form": VALUE, "raw.words.tag": LOOK_UP},
        ),
        ("select min_by(form, head) as a from raw.words", {"raw.words.form": VALUE, "raw.words.head": CONDITION}),
        (
            "select sum(head) filter (where tag = 'n') as a from raw.words",
            {"raw.words.head": VALUE, "raw.words.tag": CONDITION},
        ),
        (
            "select row_number() over (partition by sentence order by gid) as a from raw.words",
            {"raw.words.sentence": CONDITION, "raw.words.gid": CONDITION},
        ),
        (
            "select list(form order by gid) as a from raw.words",
            {"raw.words.form": VALUE, "raw.words.gid": CONDITION},
        ),
        (
            "select list_transform(list, lambda x: x || form) as a from raw.words",
            {"raw.words.list": VALUE, "raw.words.form": VALUE},
        ),
        (
            "select * exclude (form) replace (form as a) from (select form, tag as a from raw.words)",
            {"raw.words.form": VALUE},
        ),
        ("select w.* replace (w.form as tag), tag as a from raw.words as w", {"raw.words.tag": VALUE}),
        (
            "select tag as a from raw.words union all select form as b from raw.more",
            {"raw.words.tag": VALUE, "raw.more.form": VALUE},
        ),
        (
            "with recursive up(a, h) as (select form, head from raw.words union all "
            "select up.a || w.tag, w.head from up join raw.words as w on up.h = w.gid) select a from up",
            {"raw.words.form": VALUE, "raw.words.tag": VALUE, "raw.words.head": LOOK_UP},
        ),
        (
            "select 'n' as a from raw.words where tag = 'n'",
            {"constant.'n'": "constant", "raw.words.tag": CONDITION},
        ),
        ("select (select max(m.form) from raw.more as m) as a from raw.words", {"raw.more.form": VALUE}),
        (
            "select v.x as a from raw.words, (values (1), (2)) as v(x)",
            {"constant.1": "constant", "constant.2": "constant", "raw.words.gid": CONDITION},
        ),
        ("select form as a from raw.words qualify row_number() over (order by gid) = 1", {"raw.words.form": VALUE}),
        ("select a.form as a from raw.words as a", {"raw.words.form": VALUE}),
    ],
)
def test_origins_of_a_column(sql: str, expected: dict[str, str]) -> None:
    assert of(sql)["a"] == expected


def test_fields_of_structs_are_told_and_passed_on() -> None:
    made = of("with s as (select list(struct_pack(x := form, y := tag)) as r from raw.words) select s.r as t, * from s")
    for name in ("r", "t"):
        assert made[f"{name}[].x"] == {"raw.words.form": VALUE}
        assert made[f"{name}[].y"] == {"raw.words.tag": VALUE}
    assert of("select made from raw.structs")["made[].x"] == {"raw.structs.id": VALUE}


@pytest.mark.parametrize(
    "sql",
    [
        "select nowhere from raw.words",
        "select w.nowhere from raw.words as w",
        "select form from raw.unknown",
        "select form from raw.words union all select form, tag from raw.words",
        "select from where",
    ],
)
def test_what_cannot_be_read_is_an_error(sql: str) -> None:
    with pytest.raises(ExportError, match="of m"):
        columns_of_model(sql, TABLES, "m")


def test_the_way_is_the_closest_then_the_shortest() -> None:
    nodes = {
        name: Node(name, kind, name, "", "") for name, kind in {"m.a": "model", "m.b": "model", "raw.r": "raw"}.items()
    }
    origins: dict[tuple[str, str], Origins] = {
        ("m.a", "x"): {("raw.r", "z"): "condition", ("m.b", "y"): "value", (CONSTANT, "'k'"): "condition"},
        ("m.b", "y"): {("raw.r", "z"): "value"},
    }
    (way,) = ways(Graph(nodes, origins), [(("m.a", "x"), "value")])
    assert (way.kind, way.chain) == ("value", (("m.a", "x"), ("m.b", "y"), ("raw.r", "z")))
    del origins["m.b", "y"]
    with pytest.raises(ExportError, match=r"m\.b has no column y"):
        ways(Graph(nodes, origins), [(("m.a", "x"), "value")])


# The step into Parquet ------------------------------------------------------------------------------------------------

CHANGES = {
    "hub.sentences": {
        **{name: f"{name} || '+'" for name in ("text", "work", "work_id", "canonical_work", "genre", "cts_urn")},
        **{name: f"{name} || '+'" for name in ("passage", "passage_note", "treebank_source", "dedup_key")},
        "text_distorted": "text_distorted || '+'",
        "licenses": "list_append(licenses, 'ZZ')",
    },
    "hub.tokens": {
        **{name: f"{name} || '+'" for name in ("form", "lemma", "upos", "feats", "deprel")},
        **{f"machine_{name}": f"machine_{name} || '+'" for name in ("upos", "feats", "deprel")},
        "head": "head + 100",
        "machine_head": "machine_head + 100",
    },
    "hub.native_tokens": {
        **{name: f"{name} || '+'" for name in ("source_token", "relation", "native_head", "head_repair")},
        "token": "token + 100",
        "head_converted": "not head_converted",
    },
    "hub.rows": {
        **{name: f"{name} || '+'" for name in ("author", "held_out_work", "held_out_work_title", "held_out_genre")},
        **{name: f"{name} || '+'" for name in ("held_out_group", "held_out_validation_work")},
        "held_out_validation_work_title": "held_out_validation_work_title || '+'",
        "chunk_is_mixed_work": "not chunk_is_mixed_work",
    },
}
"""A change of every column of the warehouse that the files are written from, those apart that say what a row is."""

RECORD_CHANGES = {
    field.partition("[].")[2]: "['somebody else']" if field.endswith("annotators") else "'changed'"
    for field, _ in published_fields()
    if field.startswith("source_records")
}
KEYS = {"id", "split", "chunk_size", "chunk_target_size", "constituent_ids[]", "constituent_provenance[].id"}
KEYS |= {"native_syntax[].sentence", "conllu_human[].id", "conllu_machine[].id"}
"""Fields that are keys and sizes: with them changed, a row is another."""


def leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a value with their names as they are published."""
    if isinstance(value, list):
        while isinstance(value, list) and value and isinstance(value[0], list):
            value = [one for part in value for one in part]
        for one in value:
            if isinstance(one, dict):
                for member, inner in one.items():
                    yield f"{name}[].{member}", inner
            else:
                yield f"{name}[]", one
    else:
        yield name, value


def written(con: duckdb.DuckDBPyConnection) -> dict[str, list[Any]]:
    """Return the values of every published field, over a configuration with all columns."""
    units = load_units(con)
    found: dict[str, list[Any]] = {}
    for plan in load_plans(con, units):
        if plan.configuration in ("work_held_out_5", "work_held_out_1"):
            for row in batch(units, plan, 0, plan.rows).to_pylist():
                for column, value in row.items():
                    for name, leaf in leaves(column, value):
                        found.setdefault(name, []).append(leaf)
    return found


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A synthetic warehouse, which every change is taken back from."""
    path = hub_fixture.build(tmp_path_factory.mktemp("step") / "step.duckdb", count=150)
    with duckdb.connect(str(path)) as opened:
        for statement in hub_fixture.MACHINE:
            opened.execute(statement)
        yield opened


@pytest.fixture(scope="module")
def before(con: duckdb.DuckDBPyConnection) -> dict[str, list[Any]]:
    """What is published without a change."""
    return written(con)


def changed(con: duckdb.DuckDBPyConnection, before: dict[str, list[Any]], statement: str) -> set[str]:
    """Return the published fields that have other values after a change, which is taken back."""
    con.execute("begin")
    try:
        con.execute(statement)
        after = written(con)
    finally:
        con.execute("rollback")
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def declared(table: str, column: str) -> set[str]:
    """Return the published fields that are declared to take their values from a column."""
    return {name for name, links in STEP.items() if (table, column, "value") in links}


def test_every_published_field_is_declared_and_written(before: dict[str, list[Any]]) -> None:
    names = [name for name, _ in published_fields()]
    assert set(STEP) == set(names)
    assert len(names) == len(set(names))
    assert set(before) == set(names)
    tried = {name for table, columns in CHANGES.items() for column in columns for name in declared(table, column)}
    tried |= {f"source_records[].{member}" for member in RECORD_CHANGES}
    assert set(names) - tried == KEYS


@pytest.mark.parametrize(("table", "column"), [(table, column) for table, names in CHANGES.items() for column in names])
def test_a_changed_column_changes_what_is_declared(
    con: duckdb.DuckDBPyConnection, before: dict[str, list[Any]], table: str, column: str
) -> None:
    statement = f"update {table} set {column} = {CHANGES[table][column]}"
    assert declared(table, column)
    # Whether the sentences of a chunk agree in a column is seen in that column alone.
    assert changed(con, before, statement) == declared(table, column)


@pytest.mark.parametrize("member", RECORD_CHANGES)
def test_a_changed_record_changes_what_is_declared(
    con: duckdb.DuckDBPyConnection, before: dict[str, list[Any]], member: str
) -> None:
    packed = ", ".join(f"{one} := {RECORD_CHANGES[one] if one == member else f'r.{one}'}" for one in RECORD_CHANGES)
    made = f"list_transform(source_records, lambda r: struct_pack({packed}))"
    assert changed(con, before, f"update hub.sentences set source_records = {made}") == {f"source_records[].{member}"}


def test_models_in_python_are_declared() -> None:
    found = {path.stem for path in (ROOT / "models").rglob("*.py")}
    assert found == set(PYTHON_MODELS)
