"""The models on a second engine: what is translated, what is not and says so, and how tables are compared."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
import unicodedata
from pathlib import Path

import duckdb
import pytest
from conftest import Build, build_environment, run
from sqlglot import exp

from exports.site.lineage import parsed
from exports.warehouse import ExportError
from portable.census import CONSTRUCTS, Finding, census, differences, exceptions
from portable.compare import Compared, compare
from portable.compared_run import FOR_LITTLE, compared_run
from portable.functions import nfc_normalize, strip_accents
from portable.models import Model, chain, inputs, models_of, read_models
from portable.report import report
from portable.rewrites import REWRITES, to_spark
from portable.stand_ins import STAND_INS

HAS_SPARK = importlib.util.find_spec("pyspark") is not None and shutil.which("java") is not None
needs_spark = pytest.mark.skipif(not HAS_SPARK, reason="Java and pyspark (the extra `spark`) are not here")


@pytest.fixture(scope="module")
def models(sample_build: Build) -> list[Model]:
    """The compiled models of the sample."""
    return read_models(sample_build.build / "target")


# Census ---------------------------------------------------------------------------------------------------------------


def test_models_that_do_not_go_over_are_known_and_no_others(models: list[Model]) -> None:
    assert differences(census(models), exceptions()) == []


def test_nothing_is_silently_different(models: list[Model]) -> None:
    assert [one for one in exceptions() if one.kind == "silent"] == []


def test_a_new_exception_and_one_that_is_gone_are_both_told() -> None:
    known = [Finding("a", "asof join", "refused"), Finding("b", "lower", "silent")]
    found = [Finding("a", "asof join", "refused"), Finding("c", "hash", "silent")]
    assert differences(known, known) == []
    new, gone = sorted(differences(found, known), key=lambda line: line.startswith("b"))
    assert new.startswith("c: hash (silent) is new")
    assert gone.startswith("b: lower (silent) is no longer there")


def test_an_exception_has_a_reason_and_stands_once(tmp_path: Path) -> None:
    head = "model,construct,kind,reason\n"
    for lines in ("a,hash,silent,\n", "a,hash,silent,x\na,hash,silent,y\n"):
        (tmp_path / "known.csv").write_text(head + lines, encoding="utf-8")
        with pytest.raises(ExportError, match="expected one line with a reason"):
            exceptions(tmp_path / "known.csv")


FOUND = {
    "ordered aggregate": "select sum(x order by y) from a.t",
    "left with a negative length": "select left(x, -1) from a.t",
    "replacement without 'g'": "select regexp_replace(x, 'a', '') from a.t",
    "hash": "select hash(x) from a.t",
    "ordinality": "select * from a.t, unnest(t.x) with ordinality as u(value, place)",
    "slice by brackets": "select x[1:2] from a.t",
    "recursion with union": "with recursive c as (select 1 as n union select n + 1 from c where n < 3) select * from c",
    "using key": "with recursive c(n) using key (n) as (select 1 union select n + 1 from c) select * from c",
    "asof join": "select * from a.t as t asof join a.u as u on t.x >= u.x",
    "union by name": "select x from a.t union all by name select x from a.u",
    "star with replace": "select * replace (x + 1 as x) from a.t",
    "alias in a window": "select x + 1 as y, max(y) over (partition by z order by z) as m from a.t",
    "function that Spark lacks": "select regexp_escape(x) from a.t",
    "window without partition": "select row_number() over (order by x) as n from a.t",
}
"""By construct, a query that has it. What a rewrite takes away in every form stands in MENDED."""

MENDED = {
    "ordered aggregate": "select list(x order by y), first(x order by y) from a.t group by z",
    "group in a replacement": r"select regexp_replace(x, '(a)', '\1', 'g') from a.t",
    "lower": "select lower(x) from a.t",
    "two unnests in one select": "select unnest(x) as v, generate_subscripts(x, 1) as p from a.t",
    "window without partition": "select max(x) over w as m from a.t window w as (partition by y order by z)",
    "alias in a window": "select sum(x) as x, row_number() over (order by sum(x), y) as n from a.t group by y",
    "recursion with union": "select x from a.t union select x from a.u",
}


@pytest.mark.parametrize("construct", sorted(FOUND))
def test_a_construct_is_found(construct: str) -> None:
    found = census([Model("m", "a.m", "m.sql", FOUND[construct], ())])
    assert construct in {one.construct for one in found}


@pytest.mark.parametrize("construct", sorted(MENDED))
def test_a_construct_that_is_mended_or_harmless_is_not_found(construct: str) -> None:
    found = census([Model("m", "a.m", "m.sql", MENDED[construct], ())])
    assert construct not in {one.construct for one in found}


def test_a_list_that_is_counted_by_len_is_found() -> None:
    one = Model("m", "a.m", "m.sql", "select len(x) as n, 'len' as word from a.t", ())
    assert Finding("m", "len", "refused") in census([one])


def test_every_construct_has_an_example() -> None:
    assert {one.name for one in CONSTRUCTS} == {*FOUND, *MENDED}


# Translation ----------------------------------------------------------------------------------------------------------


REWRITTEN = {
    "names_of_queries": "with a as (with b as (select 1 as n) select n from b) select n from a",
    "advice": "with a as materialized (select 1 as n) select n from a",
    "groups": r"select regexp_replace(x, '(a)', '\1', 'g') from a.t",
    "first_in_order": "select first(x order by y) from a.t",
    "argument_that_is_there": "select arg_min(x, y) from a.t",
    "any_value_that_is_there": "select any_value(x) from a.t",
    "lists": "select list(x) from a.t",
    "unnests": "select unnest(x) as y from a.t",
    "elements": "select x[1] from a.t",
    "slices": "select list_slice(x, 1, 2) from a.t",
    "signs": "select string_split(x, '') from a.t",
    "lower_sigma": "select lower(x) from a.t",
    "names": "select suffix(x, 'a') from a.t",
    "full_matches": "select regexp_full_match(x, 'a') from a.t",
}
"""By rewrite, a query that it changes."""


def test_every_rewrite_has_a_reason_and_changes_something() -> None:
    assert {one.name for one in REWRITES} == set(REWRITTEN)
    for one in REWRITES:
        tree = exp.Paren(this=parsed(REWRITTEN[one.name], "a query"))
        before = tree.sql("duckdb")
        one.apply(tree)
        assert tree.sql("duckdb") != before, one.name
        assert one.reason.strip()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ('select x from "db"."a"."t"', "SELECT x FROM a__t"),
        ("select list(x) from a.t group by y", "TRANSFORM(COLLECT_LIST(STRUCT(x AS value)), one -> one.value)"),
        ("select lower(x) from a.t", "LOWER(REPLACE(x, 'Σ', 'σ'))"),
        ("select x[2], x[y] from a.t", "GET(x, 1), GET(x, (y) - 1)"),
        ("select array_length(x) from a.t", "SIZE(x)"),
        (r"select regexp_replace(x, '(a)', '$\1', 'g') from a.t", r"'\\$$1'"),
        ("with c as materialized (select 1 as n) select n from c", "WITH c AS (SELECT"),
    ],
)
def test_what_is_written_for_spark(sql: str, expected: str) -> None:
    assert expected in to_spark(sql, "m")


def test_a_query_inside_of_one_with_its_name_gets_another() -> None:
    sql = """
        with words as (select x from a.t), made as (
            with words as (select x || '!' as x from words), twice as (select words.x from words)
            select words.x from words inner join twice on words.x = twice.x
        )
        select made.x, words.x as y from made cross join words
    """
    con = duckdb.connect()
    con.execute("create schema a; create table a.t as select 'x' as x")
    written = to_spark(sql, "m").replace("a__t", "a.t")
    assert written.count("words_0 AS (") == 1
    assert con.execute(written.replace("`", '"')).fetchall() == con.execute(sql).fetchall() == [("x!", "x")]


def test_models_stand_behind_what_they_read(models: list[Model]) -> None:
    links = chain(models)
    seen = set(inputs(links))
    for model in links:
        assert set(model.reads) <= seen
        seen.add(model.relation)
    assert {name for name in STAND_INS} <= {model.name for model in links}


def test_a_model_that_is_not_compiled_is_an_error(sample_build: Build, tmp_path: Path) -> None:
    manifest = json.loads((sample_build.build / "target" / "manifest.json").read_text(encoding="utf-8"))
    manifest["nodes"]["model.sphragis.int_text__forms"]["compiled_code"] = None
    with pytest.raises(ExportError, match="int_text__forms is not compiled"):
        models_of(manifest)
    with pytest.raises(ExportError, match="no compiled models"):
        read_models(tmp_path)


def test_functions_give_what_those_of_duckdb_give() -> None:
    letters = [chr(code) for code in (*range(0x20, 0x250), *range(0x300, 0x400), *range(0x1F00, 0x2000))]
    letters = [sign for sign in letters if unicodedata.category(sign) != "Cn"]
    texts = [*letters, *(letter + mark for letter in "αεηιουωρ" for mark in "\u0300\u0301\u0308\u0313\u0342\u0345")]
    con = duckdb.connect()
    con.execute("create table t as select unnest(?::varchar[]) as x", [texts])
    rows = con.execute("select x, nfc_normalize(x), strip_accents(x) from t").fetchall()
    assert [row for row in rows if row[1:] != (nfc_normalize(row[0]), strip_accents(row[0]))] == []
    assert nfc_normalize(None) is strip_accents(None) is None


# Comparison -----------------------------------------------------------------------------------------------------------

TABLE = "select * from (values (1, 'a', ['x', null]), (1, 'a', ['x', null]), (2, null, null)) as t(n, text, list)"


@pytest.mark.parametrize(
    ("spark", "only_duckdb", "only_spark", "wrong"),
    [
        (TABLE, 0, 0, ""),
        (f"select n::bigint as n, text, list from ({TABLE}) order by n desc", 0, 0, ""),
        (f"select distinct * from ({TABLE})", 1, 0, ""),
        (f"{TABLE} union all select 3, 'c', []", 0, 1, ""),
        (f"select n, coalesce(text, '') as text, list from ({TABLE})", 1, 1, ""),
        (f"select n::varchar as n, text, list from ({TABLE})", 0, 0, "n is INTEGER in DuckDB and VARCHAR in Spark"),
        (f"select text, n, list from ({TABLE})", 3, 3, "DuckDB has the columns n, text, list"),
    ],
)
def test_tables_are_compared_as_multisets(
    tmp_path: Path, spark: str, only_duckdb: int, only_spark: int, wrong: str
) -> None:
    con = duckdb.connect()
    con.execute(f"create schema a; create table a.t as {TABLE}")
    (tmp_path / "a.t").mkdir()
    con.execute(f"copy ({spark}) to '{tmp_path}/a.t/part.parquet' (format parquet)")
    found = compare(con, "a.t", tmp_path / "a.t")
    assert (found.only_duckdb, found.only_spark) == (only_duckdb, only_spark)
    assert " ".join(found.columns).startswith(wrong) and bool(found.columns) == bool(wrong)
    assert found.is_equal == (not wrong and not found.different)


def test_the_report_has_a_line_per_table_and_the_rows_that_differ() -> None:
    same = Compared("a.t", 1200, 1200, 0, 0)
    other = Compared("a.u", 2, 3, 0, 1, (), (("spark", (1, "x")),))
    lines = report([same, other], {"a.t": 1.25, "a.u": 2.0}, {"a.t": 0.5}, ["Spark on local[2]"]).splitlines()
    assert lines[0] == "Spark on local[2]"
    assert lines[2].split() == ["a.t", "1,200", "0", "1.2", "0.5"]
    assert lines[3].split() == ["a.u", "2", "1", "2.0", "-"]
    assert lines[4] == "a.u: only in spark: (1, 'x')"
    assert lines[5] == "2 tables, 1,202 rows, 1 different, in 1 tables; Spark 3 s, DuckDB 0 s"


def test_a_folder_of_somebody_else_is_not_emptied(sample_build: Build, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ExportError, match=r"mine.txt is no table of Spark"):
        compared_run(sample_build.work_db, sample_build.build / "target", tmp_path)
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_a_warehouse_of_other_models_is_an_error(sample_build: Build, tmp_path: Path) -> None:
    duckdb.connect(str(tmp_path / "empty.duckdb")).close()
    with pytest.raises(ExportError, match="expected the warehouse of a finished run"):
        compared_run(tmp_path / "empty.duckdb", sample_build.build / "target", tmp_path / "spark")


# Spark ----------------------------------------------------------------------------------------------------------------

SAME = [
    "select list(x order by k desc, x) from {t} where x is not null group by g order by 1",
    "select g, list(distinct x) filter (where k > 99) as a from {t} group by g order by g",
    "select list_sort(list(distinct x)) as a from {t} group by g order by 1",
    "select g, first(x order by k, x) as a, any_value(x) as b from {t} group by g order by g",
    "select g, arg_min(x, k) as a, arg_max(x, (k, x)) as b from {t} group by g order by g",
    "select g, string_agg(x, '+' order by k desc, x) as a from {t} group by g order by g",
    "select unnest(string_split(x, '')) as s, generate_subscripts(string_split(x, ''), 1) as p from {t} order by all",
    "select [1, 2][k] as a, list_slice([1, 2, 3], 2, k) as b, list_position([1, 2], k) as c from {t} order by k",
    "select lower('ΛΟΓΟΣ'), strip_accents('ᾄδω'), nfc_normalize('ά'), regexp_full_match('ab', 'a|ab')",
    r"select regexp_replace('a1b22', '([0-9]+)', '<\1>', 'g') as a, suffix('abc', 'bc') as b, -7 // 2 as c",
    "select k, row_number() over (order by k desc, x) as a from {t} order by 2",
]
"""Queries that mean the same in both engines, after the rewrites."""


@pytest.fixture
def little() -> str:
    """A few rows with nulls, repeated values and a last sigma."""
    return "(select * from (values (1, 1, 'λόγος'), (1, 2, null), (1, 3, 'b'), (2, 1, 'b'), (2, 4, 'a')) as v(g, k, x))"


@needs_spark
def test_rewrites_mean_in_spark_what_they_mean_in_duckdb(little: str) -> None:
    from portable.engine import spark_session

    con = duckdb.connect()
    with spark_session("local[1]", None, FOR_LITTLE) as spark:
        for query in SAME:
            sql = query.format(t=little)
            found = [plain(tuple(row)) for row in spark.sql(to_spark(sql, "a query")).collect()]
            assert found == [plain(row) for row in con.execute(sql).fetchall()], query


def plain(value: object) -> object:
    """Return a value of either engine with tuples for lists."""
    return tuple(plain(one) for one in value) if isinstance(value, list | tuple) else value


@needs_spark
def test_spark_makes_every_table_of_the_chain_as_duckdb_does(sample_build: Build, tmp_path: Path) -> None:
    environment = build_environment(sample_build.build, None) | {"PYTHONPATH": ":".join(filter(None, sys.path))}
    command = [sys.executable, "-m", "sphragis", "spark", "--db", str(sample_build.work_db)]
    command += ["--target", str(sample_build.build / "target"), "--folder", str(tmp_path / "spark")]
    finished = run(command, environment, check=False)
    assert finished.returncode == 0, finished.stdout[-4000:]
    last = finished.stdout.strip().splitlines()[-1]
    assert ", 0 different, in 0 tables" in last
    assert int(last.split()[0]) == len(chain(read_models(sample_build.build / "target")))
