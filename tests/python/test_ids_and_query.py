"""Ids of every kind find the same sentence everywhere, and SQL reads the warehouse and nothing else."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import conllu
import pyarrow.parquet as pq
import pytest
from conftest import ROOT, Build, connection
from typer.testing import CliRunner, Result

import sphragis
from exports.ask import query as asking
from exports.ask.ids import find
from exports.ask.query import QueryError
from exports.ask.reading import opened, time_limit
from exports.warehouse import ExportError


def run(build: Build, *arguments: str, text: str | bytes | None = None) -> Result:
    """Run a command on the sample."""
    return CliRunner().invoke(sphragis.app, [*arguments, "--db", str(build.db)], input=text)


@pytest.fixture(scope="module")
def names(sample_build: Build) -> dict[str, str]:
    """Ids of every kind of one published sentence, and that of a chunk with it."""
    with connection(sample_build.db) as con:
        row = con.execute(
            """
            select sentences.sentence_id, sentences.id, sentences.dedup_key, rows.id
            from hub.rows as rows
            inner join hub.sentences as sentences on list_contains(rows.constituent_ids, sentences.id)
            where rows.chunk_size = 5
            order by rows.id, sentences.id
            limit 1
            """
        ).fetchall()[0]
    return dict(zip(("sentence", "published", "text", "chunk"), row, strict=True))


def test_every_kind_of_id_is_looked_up(sample_build: Build, names: dict[str, str]) -> None:
    with connection(sample_build.db) as con:
        for kind in ("sentence", "published", "text"):
            found = find(con, names[kind])
            assert (found.kind, found.sentences) == (kind, (names["sentence"],))
        chunk = find(con, names["chunk"])
        assert (chunk.kind, len(chunk.sentences)) == ("chunk", 5)
        assert names["sentence"] in chunk.sentences and names["published"] in chunk.names
        with pytest.raises(
            ExportError, match=f"that is a chunk, ask for one of its sentences: {', '.join(chunk.names)}$"
        ):
            chunk.sentence()


def test_ids_are_looked_up_and_never_read(sample_build: Build, names: dict[str, str], tmp_path: Path) -> None:
    """Whatever a published id looks like, it finds its sentence."""
    path = tmp_path / "other.duckdb"
    path.write_bytes(sample_build.db.read_bytes())
    import duckdb

    with duckdb.connect(str(path)) as con:
        con.execute("update hub.sentences set id = 'opaque ''' || md5(id)")
        con.execute(
            "update hub.rows set id = 'row ' || md5(id), "
            "constituent_ids = list_transform(constituent_ids, lambda x: 'opaque ''' || md5(x))"
        )
        one, row = con.execute(
            "select 'opaque ''' || md5(?), 'row ' || md5(?)", [names["published"], names["chunk"]]
        ).fetchall()[0]
        assert find(con, one).sentences == (names["sentence"],)
        assert names["sentence"] in find(con, row).sentences


@pytest.mark.parametrize("command", ["explain", "tree", "conllu", "text"])
def test_commands_take_ids_of_every_kind(command: str, sample_build: Build, names: dict[str, str]) -> None:
    told = {kind: run(sample_build, command, name) for kind, name in names.items()}
    assert {kind: result.exit_code for kind, result in told.items()} == dict.fromkeys(names, 0), told
    alike = [result.stdout for kind, result in told.items() if kind != "chunk"]
    if command == "conllu":
        alike = [text.partition("\n")[2] for text in alike]
    assert alike[0] == alike[1] == alike[2]
    whole = told["chunk"].stdout
    assert alike[0].strip() in whole and len(whole) > len(alike[0])
    lost = run(sample_build, command, "nothing#1")
    assert lost.exit_code == 1 and "no sentence 'nothing#1' in the warehouse" in lost.stderr


@pytest.mark.parametrize("layer", ["human", "machine"])
def test_rows_from_the_warehouse_are_those_of_the_dataset(
    layer: str, sample_build: Build, names: dict[str, str]
) -> None:
    asked = ["conllu", names["chunk"], "--layer", layer, "--plain"]
    from_files = CliRunner().invoke(sphragis.app, [*asked, "--folder", str(sample_build.hub)])
    assert from_files.exit_code == 0, from_files.output
    assert run(sample_build, *asked).stdout == from_files.stdout


def test_sentences_of_a_condition_have_source_licence_and_citation(sample_build: Build) -> None:
    result = run(sample_build, "conllu", "--where", "author = 'Lysias' and word_count < 6", "--layer", "ud")
    assert result.exit_code == 0, result.output
    sentences = conllu.parse(result.stdout)
    assert sentences and f"{len(sentences)} sentences (scope distinct, layer ud)" in result.stderr
    for sentence in sentences:
        assert len(sentence) < 6 and sentence.metadata["author"] == "Lysias"
        assert ", line " in sentence.metadata["source"]
        assert sentence.metadata["licence"].startswith("CC ") and sentence.metadata["citation"]
    more = run(sample_build, "conllu", "--where", "author = 'Lysias' and word_count < 6", "--scope", "all")
    assert len(conllu.parse(more.stdout)) >= len(sentences)


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("autor = 'x'", "autor"),
        ("true) union (select path from x", ""),
        ("word_count in (select count from read_csv('/etc/passwd'))", "read_csv cannot stand after `from`"),
        ("1 = 1; drop table corpus.sentences", ""),
    ],
)
def test_a_wrong_condition_ends_with_two(condition: str, told: str, sample_build: Build) -> None:
    result = run(sample_build, "conllu", "--where", condition)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr and result.stderr.startswith("error: ")


QUERY = "select sentence_id, token_index, form from corpus.words where lemma = 'λόγος' order by all"


def test_a_query_is_a_table_a_csv_a_parquet_file_and_conllu(sample_build: Build, tmp_path: Path) -> None:
    file = tmp_path / "q.sql"
    file.write_text(f"\ufeff-- words\n{QUERY};\n", encoding="utf-8")
    with connection(sample_build.db) as con:
        wanted = con.execute(QUERY).fetchall()
    shown = run(sample_build, "query", str(file), "--limit", "2")
    assert shown.stdout.splitlines()[0].split() == ["sentence_id", "token_index", "form"]
    assert len(shown.stdout.splitlines()) == 3
    assert f"the first 2 of {len(wanted)} rows" in shown.stderr
    result = run(sample_build, "query", str(file), "--csv", "-")
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert [(name, int(place), form) for name, place, form in rows[1:]] == wanted
    assert run(sample_build, "query", "-", "--parquet", str(tmp_path / "q.parquet"), text=QUERY).exit_code == 0
    assert [tuple(row.values()) for row in pq.read_table(tmp_path / "q.parquet").to_pylist()] == wanted
    written = run(sample_build, "query", "-", "--conllu", str(tmp_path / "q.conllu"), text=QUERY)
    assert written.exit_code == 0, written.output
    sentences = conllu.parse((tmp_path / "q.conllu").read_text(encoding="utf-8"))
    assert [sentence.metadata["sent_id"] for sentence in sentences] == list(dict.fromkeys(row[0] for row in wanted))
    marked = [
        (sentence.metadata["sent_id"], word["id"], word["form"])
        for sentence in sentences
        for word in sentence
        if word["misc"]
    ]
    assert marked == wanted
    assert all(sentence.metadata["licence"] and sentence.metadata["source"] for sentence in sentences)


def test_rows_without_a_sentence_are_counted(sample_build: Build, tmp_path: Path) -> None:
    result = run(sample_build, "query", "-", "--conllu", "-", text="select 'nothing#1' as sentence_id")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "0 sentences; 1 rows name no sentence" in result.stderr


FORBIDDEN = {
    "insert into corpus.projects select * from corpus.projects": "only reads",
    "select 1; select 2": "expected one statement, found 2",
    "": "expected one statement, found 0",
    "copy corpus.words to 'x.csv'": "only reads",
    "attach 'x.duckdb'": "only reads",
    "set threads = 1": "only reads",
    "install httpfs": "only reads",
    "pragma database_list": "only reads",
    "create temp table t as select 1": "only reads",
    "call enable_logging()": "only reads",
    "from query('select 1')": "the function query cannot",
    "from read_text('/etc/passwd')": "the function read_text cannot",
    "from glob('/*')": "the function glob cannot",
    "select * from 'file.parquet'": "",
    "select (select count(*) from read_csv_auto('/etc/passwd'))": "the function read_csv_auto cannot",
    "from add_grammar_extension('x')": "cannot",
    "with x as (insert into corpus.projects select * from corpus.projects returning 1) from x": "",
    "selec 1": "syntax error",
    "select nothing from corpus.words": "nothing",
    "select error('x')": "x",
}


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_what_does_more_than_read_the_warehouse_is_refused(statement: str, sample_build: Build) -> None:
    result = run(sample_build, "query", "-", text=statement)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert FORBIDDEN[statement] in result.stderr and result.stderr.startswith("error: ")


def test_table_macros_and_lists_can_be_asked(sample_build: Build) -> None:
    for statement in ("from corpus.kwic('λόγος')", "from range(3)", "describe corpus.words", "select unnest([1, 2])"):
        assert run(sample_build, "query", "-", text=statement).exit_code == 0, statement


def test_a_question_of_the_cookbook_can_be_asked_as_it_is(sample_build: Build) -> None:
    path = ROOT / "analyses" / "cookbook" / "articles_by_author.sql"
    result = run(sample_build, "query", str(path))
    assert result.exit_code == 0 and result.stdout, result.output


def test_another_encoding_is_refused(sample_build: Build, tmp_path: Path) -> None:
    (tmp_path / "latin.sql").write_bytes(b"select '\xff'")
    for result in (
        run(sample_build, "query", str(tmp_path / "latin.sql")),
        run(sample_build, "query", "-", text=b"select '\xff'"),
    ):
        assert (result.exit_code, result.stdout) == (1, ""), result.output
        assert result.stderr.startswith("error: expected UTF-8, found ")


def test_the_place_of_a_fault_is_shown(sample_build: Build) -> None:
    result = run(sample_build, "query", "-", text="select form\nfrom corpus.word")
    assert "LINE 2: from corpus.word\n" in result.stderr and "^" in result.stderr


def test_a_query_that_runs_too_long_is_ended(sample_build: Build, tmp_path: Path) -> None:
    endless = "select count(*) from range(10000000000) as a, range(10000000000) as b"
    for more in ([], ["--csv", "-"], ["--parquet", str(tmp_path / "x.parquet")]):
        result = run(sample_build, "query", "-", "--seconds", "0.2", *more, text=endless)
        assert result.exit_code == 1
        assert "took longer than 0.2 seconds and was ended" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_time_is_over_also_between_two_statements(sample_build: Build) -> None:
    import time

    with opened(sample_build.db) as con, pytest.raises(ExportError, match="was ended"), time_limit(con, 0.05):
        time.sleep(0.2)
        con.execute("select count(*) from range(10000000000) as a, range(10000000000) as b").fetchall()


def test_variables_of_the_program_are_no_tables(sample_build: Build) -> None:
    import pyarrow as pa

    secret = pa.table({"x": [1]})
    with opened(sample_build.db) as con, pytest.raises(QueryError):
        asking.run(con, "select * from secret", 10)
    assert secret.num_rows == 1
