"""Everything about one sentence: one record, equal to the tables it is read from, told as text, JSON and HTML."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import jinja2
import pytest
from conftest import Build, connection
from typer.testing import CliRunner

import sphragis
from exports.ask import account as package
from exports.ask.account.read import read_account
from exports.ask.account.record import DECISIONS, REPAIRS, Account, plain
from exports.ask.account.sections import sections
from exports.ask.account.text import as_text
from exports.warehouse import ExportError
from runtime.checkout import project_root

HOSTILE = "</code><script>alert(1)</script>&'\"{{ 7 * 7 }}\x1b[31m"
PARTS = ("sentence", "source", "fate", "copies", "rows", "tracks", "words", "tree", "parse")


@pytest.fixture(scope="module")
def con(sample_build: Build) -> Iterator[duckdb.DuckDBPyConnection]:
    """The sample, opened for reading."""
    with connection(sample_build.db) as opened:
        yield opened


@pytest.fixture(scope="module")
def accounts(con: duckdb.DuckDBPyConnection) -> dict[str, Account]:
    """Three sentences of every fate and every repair, and one of every kind of change, chosen by checksum."""
    query = """
        with chosen as (
            select sentence_id from corpus.sentences
            qualify row_number() over (partition by fate, project order by sha256(sentence_id), sentence_id) <= 2
            union
            select sentence_id from corpus.tokens where head_repair is not null
            qualify row_number() over (partition by head_repair order by sha256(sentence_id), source_index) <= 3
            union
            select sentence_id from corpus.tokens where token_index is not null and word is null
            qualify row_number() over (order by sha256(sentence_id), source_index) <= 3
            union
            select sentence_id from corpus.source_records
            qualify row_number() over (partition by record_index order by sha256(sentence_id)) <= 2
        )
        select sentence_id from chosen order by sentence_id
    """
    return {name: read_account(con, name) for (name,) in con.execute(query).fetchall()}


def test_the_record_has_every_part(accounts: dict[str, Account]) -> None:
    assert len(accounts) > 50
    for account in accounts.values():
        assert account.untold == ()
        assert [section.key for section in sections(account)] == list(PARTS)
        assert account.fate and account.reason and account.source.line and account.source.address
        assert account.source.licence and account.words and len(account.tracks) == 10
        assert json.loads(json.dumps(plain(account), ensure_ascii=False))["sentence_id"] == account.sentence_id


def test_ids_rows_and_splits_are_those_of_the_tables(
    con: duckdb.DuckDBPyConnection, accounts: dict[str, Account]
) -> None:
    published = 0
    for name, account in accounts.items():
        found = con.execute("select id, licenses from hub.sentences where sentence_id = ?", [name]).fetchall()
        assert [(account.published_id, list(account.licences))] == (found or [(None, [])])
        rows = con.execute(
            "select configuration, split, id from benchmark_rows where member = ? order by all", [account.published_id]
        ).fetchall()
        assert sorted((row.configuration, row.split, row.id) for row in account.rows) == rows
        for row in account.rows:
            [(members,)] = con.execute(
                "select constituent_ids from hub.rows where configuration = ? and id = ?", [row.configuration, row.id]
            ).fetchall()
            assert members[row.place - 1] == account.published_id and len(members) == row.size
        splits = con.execute("select track, split from benchmark.split_assignments where sentence_id = ?", [name])
        assert {one.track: one.split for one in account.tracks if one.split} == dict(splits.fetchall())
        published += bool(rows)
    assert published > 10


@pytest.fixture(scope="module", autouse=True)
def benchmark_rows(con: duckdb.DuckDBPyConnection) -> None:
    """Rows of all configurations by the sentences in them, read in another way than the record does."""
    con.execute(
        "create temp table benchmark_rows as select configuration, split, id, unnest(constituent_ids) as member "
        "from hub.rows"
    )


def test_every_absence_from_a_track_has_a_reason(con: duckdb.DuckDBPyConnection, accounts: dict[str, Account]) -> None:
    reasons = set()
    for account in accounts.values():
        for one in account.tracks:
            assert one.split or one.reason, (account.sentence_id, one.track)
            reasons.add(re.sub(r"[A-Z]\w+( of \w+)?|\d+", "X", one.reason or "").partition(":")[0])
            if account.fate not in ("published", "remainder", "author_below_threshold"):
                assert one.split is None and one.reason == f"it did not enter: {account.fate}"
    assert len(reasons) > 5
    [(name,)] = con.execute(
        "select min(sentence_id) from benchmark.split_remainders where track = 'sentence'"
    ).fetchall()
    [main] = [one for one in read_account(con, name).tracks if one.track == "sentence"]
    assert main.split is None and "were cut to whole tens" in str(main.reason)


def test_all_authors_and_projects_have_a_reason_where_they_are_on_no_track(con: duckdb.DuckDBPyConnection) -> None:
    names = con.execute(
        "select min(sentence_id) from corpus.sentences group by project, author, fate order by 1"
    ).fetchall()
    without = [
        (name, one.track)
        for (name,) in names
        for one in read_account(con, name).tracks
        if one.split is None and not one.reason
    ]
    assert without == []


def test_copies_are_told_from_both_sides(con: duckdb.DuckDBPyConnection, accounts: dict[str, Account]) -> None:
    told = 0
    for account in accounts.values():
        for one in account.copies:
            other = read_account(con, one.sentence_id)
            assert (other.fate, other.survivor_id) == ("exact_duplicate", account.sentence_id)
            assert other.dedup_key == account.dedup_key
            told += 1
    assert told > 3


def test_changes_are_exactly_the_words_that_differ(accounts: dict[str, Account]) -> None:
    kinds = set()
    for account in accounts.values():
        assert " ".join(word.form for word in account.words if word.form) == (account.text or "")
        for word in account.words:
            told = {change.what: change for change in word.changes}
            kinds |= set(told)
            if word.position is None:
                assert list(told) == ["left_out"]
            elif word.form is None:
                assert list(told) == ["joined"]
            elif "joined" not in told:
                assert ("form" in told) == (word.form != word.native_form)
                assert ("lemma" in told) == ((word.lemma or "") != (word.native_lemma or ""))
    assert {"left_out", "joined", "form", "lemma", "relation", "head", "coordinator", "repair"} <= kinds


def test_repairs_are_those_of_the_tokens(con: duckdb.DuckDBPyConnection, accounts: dict[str, Account]) -> None:
    found = {name for (name,) in con.execute("select distinct head_repair from corpus.tokens").fetchall() if name}
    assert found <= set(REPAIRS)
    told = set()
    for name, account in accounts.items():
        known = con.execute(
            "select token_index, head_repair from corpus.tokens where sentence_id = ? and head_repair is not null "
            "and word is not null order by source_index",
            [name],
        ).fetchall()
        mine = [
            (word.position, change.after.rpartition("(")[2].rstrip(")"))
            for word in account.words
            for change in word.changes
            if change.what == "repair"
        ]
        assert mine == known
        told |= {repair for _, repair in mine}
    assert told == found


def test_the_machine_layer_is_compared_as_the_audit_compares_it(
    con: duckdb.DuckDBPyConnection, accounts: dict[str, Account], sample_build: Build
) -> None:
    parsed = [account for account in accounts.values() if account.parse is not None]
    if not parsed:
        pytest.skip("this build has no machine layer")
    for account in parsed:
        assert account.parse is not None
        [(words, heads, classes)] = con.execute(
            "select count(*), count(*) filter (where tokens.head = tokens.machine_head), "
            "count(*) filter (where compared.is_same_upos) from corpus.tokens as tokens "
            "inner join intermediate.int_machine__compared as compared "
            "on tokens.sentence_number * 65536 + tokens.source_index = compared.gid where tokens.sentence_id = ?",
            [account.sentence_id],
        ).fetchall()
        assert (account.parse.words, account.parse.same_heads, account.parse.same_classes) == (words, heads, classes)
        assert len([one for one in account.parse.differences if one.what == "head"]) == words - heads


def test_decisions_that_are_named_are_there() -> None:
    numbers = {path.name[:4] for path in (project_root(ExportError) / "docs" / "decisions").glob("0*.md")}
    assert {f"{number:04d}" for number in DECISIONS.values()} <= numbers


def test_the_command_tells_of_every_kind_of_id(con: duckdb.DuckDBPyConnection, sample_build: Build) -> None:
    [(chunk, members)] = con.execute(
        "select id, constituent_ids from hub.rows where configuration = 'sentence_5' order by id limit 1"
    ).fetchall()
    asked = ["explain", chunk, "--json", "--db", str(sample_build.db)]
    found = [json.loads(line) for line in CliRunner().invoke(sphragis.app, asked).stdout.splitlines()]
    assert [one["published_id"] for one in found] == members
    assert all(chunk in {row["id"] for row in one["rows"]} for one in found)
    printed = CliRunner().invoke(sphragis.app, ["explain", members[0], "--db", str(sample_build.db)]).stdout
    for told in ("THE SENTENCE", "ITS SPLIT ON EVERY TRACK", f"{chunk}", "licence", "annotators", "THE MACHINE LAYER"):
        assert told in printed


def test_long_tables_are_cut_for_a_terminal_and_told_in_full(accounts: dict[str, Account]) -> None:
    longest = max(accounts.values(), key=lambda account: sum(len(word.changes) for word in account.words))
    cut, full = as_text(longest), as_text(longest, every_row=True)
    assert "more: all of them with --all" in cut and "more: all of them with --all" not in full
    assert len(full.splitlines()) > len(cut.splitlines())


def rendered(account: Account) -> str:
    """Return the record as the pages of both sites have it."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(str(package.__file__)).parent),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
    )
    page = environment.from_string("{% from 'account.html.jinja' import account %}{{ account(sections, link) }}")
    return page.render(sections=sections(account), link=lambda cell: f"#{cell.text}" if cell.kind == "row" else None)


def test_a_page_says_what_the_text_says(accounts: dict[str, Account]) -> None:
    for account in list(accounts.values())[:20]:
        page = rendered(account)
        for section in sections(account):
            assert f'<h2 id="{section.key}">{section.title}</h2>' in page
        assert page.count("<tr>") == sum(1 + len(section.table.lines) for section in sections(account) if section.table)


def test_what_files_say_stays_text(sample_build: Build, accounts: dict[str, Account], tmp_path: Path) -> None:
    name = next(name for name, one in accounts.items() if one.fate == "published")
    shutil.copy(sample_build.db, tmp_path / "hostile.duckdb")
    with duckdb.connect(str(tmp_path / "hostile.duckdb")) as con:
        for statement in (
            "update corpus.sentences set citation = $1, native_text = $1, passage_note = $1 where sentence_id = $2",
            "update corpus.sentence_fates set reason = $1 where sentence_id = $2",
            "update corpus.source_records set annotators = [$1], revision = $1, url = 'javascript:' || $1 "
            "where sentence_id = $2",
        ):
            con.execute(statement, [HOSTILE, name])
        con.execute("update corpus.tokens set native_form = $1, head_repair = $1", [HOSTILE])
        con.execute("update benchmark.tracks set title = $1", [HOSTILE])
        account = read_account(con, name)
    page, text = rendered(account), as_text(account)
    assert "<script" not in page and "{{ 7 * 7 }}" in page and "&lt;script" in page
    assert "\x1b" not in text and "\\u001b" in text


def test_a_warehouse_of_another_version_tells_what_it_has(
    sample_build: Build, accounts: dict[str, Account], tmp_path: Path
) -> None:
    name = next(name for name, one in accounts.items() if one.fate == "published")
    shutil.copy(sample_build.db, tmp_path / "old.duckdb")
    with duckdb.connect(str(tmp_path / "old.duckdb")) as con:
        con.execute("drop table corpus.machine_parses")
        con.execute("drop table intermediate.int_text__forms")
        account = read_account(con, name)
    assert account.untold == ("words", "machine layer")
    assert account.parse is None and account.words == () and account.rows
    assert "cannot tell: words, machine layer." in as_text(account)
    with duckdb.connect(str(tmp_path / "old.duckdb")) as con, pytest.raises(ExportError, match="no sentence"):
        read_account(con, "nothing")
