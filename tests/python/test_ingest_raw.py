"""The raw tables: what is written, what is read again, and what a failure leaves behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOT, build_environment, connection

from ingest import raw
from ingest.raw import Summary, run
from ingest.readers import reading
from ingest.readers.records import TABLES
from ingest.sources import Project, Registry, SourceFile, load_registry
from runtime import database
from runtime.errors import IngestError
from runtime.settings import Settings

FIXTURES = ROOT / "tests" / "fixtures" / "ingest"
AGDT = "v2.1/Greek/texts/"
REGISTRY = Registry(
    (
        Project("agdt", "someone/agdt", "a" * 40, "native_xml", f"{AGDT}*.xml", None),
        Project("ud_ptnk", "someone/ptnk", "b" * 40, "conllu", "*.conllu", None),
    ),
    (),
)


def settings(tmp_path: Path) -> Settings:
    build = tmp_path / "build"
    return Settings(tmp_path / "treebanks", build, build / "s.duckdb", build / "work" / "s.duckdb", build / "hub")


@pytest.fixture
def treebanks(tmp_path: Path) -> Path:
    """A small folder of treebanks in two layouts, from the fixtures."""
    root = tmp_path / "treebanks"
    (root / "agdt" / AGDT).mkdir(parents=True)
    (root / "ud_ptnk").mkdir()
    for name in ("cycle.xml", "head-missing.xml", "gapped-ids.xml", "header.xml", "bom-crlf.xml"):
        shutil.copy(FIXTURES / name, root / "agdt" / AGDT / name)
    for name in ("mwt-empty.conllu", "range-one.conllu", "tolerated.conllu", "head-underscore.conllu"):
        shutil.copy(FIXTURES / name, root / "ud_ptnk" / name)
    return root


def ingest(tmp_path: Path, registry: Registry = REGISTRY, **options: Any) -> Summary:
    return run(settings(tmp_path), registry=registry, workers=options.pop("workers", 1), quiet=True, **options)


def content(tmp_path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every raw table, in the order in which it is stored."""
    with connection(settings(tmp_path).work_db) as database:
        names = database.execute("select table_name from duckdb_tables() where schema_name = 'raw'").fetchall()
        return {name: database.execute(f"select * from raw.{name}").fetchall() for (name,) in sorted(names)}


# What is written.


def test_tables_have_the_stated_columns(tmp_path: Path, treebanks: Path) -> None:
    ingest(tmp_path)
    with connection(settings(tmp_path).work_db) as database:
        query = "select table_name, list(column_name || ' ' || data_type order by column_index) from duckdb_columns()"
        columns = dict(database.execute(f"{query} where schema_name = 'raw' group by 1").fetchall())
    place = ["path VARCHAR", "sentence_position INTEGER", "position INTEGER", "line INTEGER"]
    native = "id form lemma postag relation head artificial insertion_id cite ref sem gloss attributes"
    assert columns["agdt_tokens"] == place + [f"{name} VARCHAR" for name in native.split()]
    ud = "id form lemma upos xpos feats head deprel deps misc"
    assert columns["ud_ptnk_tokens"] == place + [f"{name} VARCHAR" for name in ud.split()]
    assert columns["agdt_sentences"] == [
        "path VARCHAR", "position INTEGER", "line INTEGER", "id VARCHAR", "document_id VARCHAR", "subdoc VARCHAR",
        "span VARCHAR", "author VARCHAR", "corrupt VARCHAR", "annotators VARCHAR[]", "attributes VARCHAR",
    ]  # fmt: skip
    assert columns["ud_ptnk_sentences"] == [
        "path VARCHAR", "position INTEGER", "line INTEGER", "sent_id VARCHAR", "source VARCHAR", "text VARCHAR",
        "newdoc_id VARCHAR", "comments VARCHAR[]",
    ]  # fmt: skip
    assert columns["agdt_documents"] == [
        "path VARCHAR", "bytes BIGINT", "sha256 VARCHAR", "revision VARCHAR", "language VARCHAR", "title VARCHAR",
        "author VARCHAR", "annotators VARCHAR[]", "attributes VARCHAR",
    ]  # fmt: skip
    assert columns["ud_ptnk_documents"] == ["path VARCHAR", "bytes BIGINT", "sha256 VARCHAR", "revision VARCHAR"]


def test_a_view_per_format_has_the_rows_of_its_projects_with_their_names(tmp_path: Path, treebanks: Path) -> None:
    ingest(tmp_path)
    with connection(settings(tmp_path).work_db) as database:
        for format, project in (("native_xml", "agdt"), ("conllu", "ud_ptnk")):
            for entity in ("documents", "sentences", "tokens"):
                own = database.execute(f"select '{project}', * from raw.{project}_{entity} order by all").fetchall()
                assert database.execute(f"select * from raw.{format}_{entity} order by all").fetchall() == own != []


def test_the_view_of_a_format_without_projects_is_empty_and_has_its_columns(tmp_path: Path, treebanks: Path) -> None:
    ingest(tmp_path, Registry(REGISTRY.projects[:1], ()))
    with connection(settings(tmp_path).work_db) as database:
        columns = {name: kind for name, kind, *_ in database.execute("describe raw.conllu_sentences").fetchall()}
        assert database.execute("select * from raw.conllu_sentences").fetchall() == []
    assert columns == {"project": "VARCHAR"} | {
        name: {"s": "VARCHAR", "i": "INTEGER", "L": "VARCHAR[]"}[kind] for name, kind in TABLES["conllu"]["sentences"]
    }


def test_rows_read_and_rejected_add_up_to_the_rows_of_the_files(tmp_path: Path, treebanks: Path) -> None:
    summary = ingest(tmp_path)
    tables = content(tmp_path)
    assert all(file.rows_in_file == file.rows_read + file.rows_rejected for file in summary.files)
    assert summary.rows_rejected == sum(finding.reject.rows_lost for finding in summary.findings) == 7
    assert summary.tokens == len(tables["agdt_tokens"]) + len(tables["ud_ptnk_tokens"])
    assert summary.sentences == len(tables["agdt_sentences"]) + len(tables["ud_ptnk_sentences"])
    assert tables["source"] == [("folder", "treebanks of the folder treebanks")]


def test_a_message_names_project_path_line_sentence_and_token(tmp_path: Path, treebanks: Path) -> None:
    losses = [str(finding) for finding in ingest(tmp_path).losses]
    assert losses[0] == (
        "agdt/v2.1/Greek/texts/header.xml, line 24, token 1: expected a word inside a sentence, found a word outside"
    )
    assert losses[2] == (
        "ud_ptnk/range-one.conllu, line 3, sentence u5, token 1-1: "
        "expected a range of at least two words in rising order, found 1-1"
    )


def test_rows_lie_in_the_order_of_path_sentence_and_token(tmp_path: Path, treebanks: Path) -> None:
    ingest(tmp_path)
    keys = [row[:3] for row in content(tmp_path)["agdt_tokens"]]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_absent_unlisted_and_different_files_are_named(tmp_path: Path, treebanks: Path) -> None:
    expected = (
        SourceFile("agdt", f"{AGDT}cycle.xml", "0" * 64),
        SourceFile("agdt", f"{AGDT}gone.xml", "1" * 64),
        SourceFile("agdt", f"{AGDT}header.xml", None),
    )
    (treebanks / "MANIFEST.json").write_text(
        f'{{"agdt": {{"revision": "{"c" * 40}", "substituted": {{"{AGDT}header.xml": "an older release"}}}}}}'
    )
    summary = ingest(tmp_path, Registry(REGISTRY.projects, expected))
    assert [file.path for file in summary.with_status("absent")] == [f"{AGDT}gone.xml"]
    assert [file.path for file in summary.differing] == [f"{AGDT}cycle.xml", f"{AGDT}header.xml"]
    assert next(file.path for file in summary.files if file.note == raw.UNLISTED) == f"{AGDT}bom-crlf.xml"
    assert {file.revision for file in summary.files} == {"c" * 40, "b" * 40}


def test_the_registry_names_every_project_and_file_once() -> None:
    registry = load_registry()
    assert [project.name for project in registry.projects] == [
        "agdt", "gorman", "harrington", "pedalion", "ud_perseus", "ud_proiel", "ud_ptnk",
    ]  # fmt: skip
    assert len(registry.files) == 260
    assert SourceFile("ud_proiel", "grc_proiel-ud-train.conllu", None) in registry.files
    assert "public/xml/epictetus" in registry.files_of("pedalion")


@pytest.mark.parametrize(
    ("projects", "files", "message"),
    [
        ("x,o/r,abc,conllu,*,", "", "a commit id of 40"),
        (f"x,o/r,{'a' * 40},csv,*,", "", "format native_xml or conllu"),
        (f"x,o/r,{'a' * 40},conllu,*,", "y,a,", "a project of projects.csv"),
        (f"x,o/r,{'a' * 40},conllu,*,", "x,a,\nx,a,", "each file once"),
    ],
)
def test_a_wrong_registry_is_refused(tmp_path: Path, projects: str, files: str, message: str) -> None:
    head = "project,repository,revision,format,files,metadata_file\n"
    (tmp_path / "projects.csv").write_text(head + projects)
    (tmp_path / "source_files.csv").write_text("project,path,sha256\n" + files)
    with pytest.raises(IngestError, match=message):
        load_registry(tmp_path)


# What is read again.


def test_the_number_of_workers_changes_nothing(tmp_path: Path, treebanks: Path) -> None:
    ingest(tmp_path, workers=1)
    alone = content(tmp_path)
    ingest(tmp_path, workers=4, full=True)
    assert content(tmp_path) == alone


def test_small_inserts_change_nothing(tmp_path: Path, treebanks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(tmp_path)
    at_once = content(tmp_path)
    monkeypatch.setattr(raw, "ROWS_PER_INSERT", 1)
    ingest(tmp_path, full=True)
    assert content(tmp_path) == at_once


def test_only_changed_files_are_read_again(tmp_path: Path, treebanks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ingest(tmp_path).changed == 9
    first = content(tmp_path)
    assert ingest(tmp_path).changed == 0
    assert content(tmp_path) == first

    changed = treebanks / "agdt" / AGDT / "head-missing.xml"
    changed.write_bytes(changed.read_bytes().replace(b'relation="PRED"', b'relation="XXXX"'))
    os.utime(changed, ns=(0, 0))
    shutil.copy(FIXTURES / "unannotated.xml", treebanks / "agdt" / AGDT / "a-new-one.xml")
    (treebanks / "agdt" / AGDT / "header.xml").unlink()
    (treebanks / "ud_ptnk" / "range-one.conllu").unlink()
    summary = ingest(tmp_path)
    assert summary.changed == 2
    step_by_step = content(tmp_path)
    assert step_by_step != first

    assert ingest(tmp_path, full=True).changed == 8
    assert content(tmp_path) == step_by_step

    monkeypatch.setattr(reading, "READER_VERSION", "another")
    monkeypatch.setattr(raw, "READER_VERSION", "another")
    assert ingest(tmp_path).changed == 8


def test_a_file_that_breaks_disappears_with_its_reason_and_comes_back(tmp_path: Path, treebanks: Path) -> None:
    ingest(tmp_path)
    first = content(tmp_path)
    path = treebanks / "agdt" / AGDT / "cycle.xml"
    good = path.read_bytes()
    path.write_bytes(good[: good.index(b"<word", 500)])
    summary = ingest(tmp_path)
    assert [file.path for file in summary.with_status("rejected")] == [f"{AGDT}cycle.xml"]
    assert str(summary.losses[0]).startswith(
        f"agdt/{AGDT}cycle.xml, line 8: expected well-formed XML, found the end of the file"
    )
    assert not [row for row in content(tmp_path)["agdt_tokens"] if row[0].endswith("cycle.xml")]
    assert ingest(tmp_path).changed == 0, "a rejected file is not read again as long as it stays the same"
    path.write_bytes(good)
    ingest(tmp_path)
    assert content(tmp_path) == first


# What a failure leaves behind: the command line, as a user meets it.


def command(tmp_path: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = build_environment(tmp_path / "build", tmp_path / "treebanks") | more
    return subprocess.run(
        [sys.executable, "-m", "ingest", *arguments],
        cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        timeout=120,
    )  # fmt: skip


def work_db(tmp_path: Path) -> Path:
    return tmp_path / "build" / "work" / "sphragis.duckdb"


def token_count(tmp_path: Path) -> int:
    with connection(work_db(tmp_path)) as database:
        return int(database.execute("select count(*) from raw.agdt_tokens").fetchall()[0][0])


def test_the_command_reports_counts_absent_files_and_losses(tmp_path: Path, treebanks: Path) -> None:
    done = command(tmp_path)
    assert done.returncode == 0
    assert "absent: gorman/xml versions/antiphon 1 bu2.xml" in done.stdout
    assert "not in the list of expected files: agdt/v2.1/Greek/texts/cycle.xml" in done.stdout
    assert "rejected: ud_ptnk/range-one.conllu, line 3, sentence u5, token 1-1" in done.stdout
    assert "read 9 new or changed files of 9" in done.stdout
    assert "\r" not in done.stdout, "no progress where the output is no terminal"
    assert command(tmp_path, "--quiet").stdout == ""
    assert "--workers" in command(tmp_path, "--help").stdout


def test_a_missing_folder_is_an_error_and_the_tables_stay(tmp_path: Path, treebanks: Path) -> None:
    assert command(tmp_path).returncode == 0
    before = token_count(tmp_path)
    done = command(tmp_path, SPHRAGIS_TREEBANKS=str(tmp_path / "nowhere"))
    assert done.returncode == 1
    assert done.stdout.startswith("error: expected the treebanks in")
    assert done.stdout.count("\n") == 1
    (tmp_path / "empty").mkdir()
    done = command(tmp_path, SPHRAGIS_TREEBANKS=str(tmp_path / "empty"))
    assert done.returncode == 1 and "error: expected treebank files in" in done.stdout
    assert token_count(tmp_path) == before


def test_a_target_that_cannot_be_written_is_an_error(tmp_path: Path, treebanks: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = command(tmp_path, SPHRAGIS_DB=str(tmp_path / "file" / "s.duckdb"))
    assert done.returncode == 1
    assert done.stdout.startswith("error: expected a place to write") and done.stdout.count("\n") == 1
    (tmp_path / "db" / "work").mkdir(parents=True)
    (tmp_path / "db" / "work" / "s.duckdb").write_text("no database " * 1000)
    done = command(tmp_path, SPHRAGIS_DB=str(tmp_path / "db" / "s.duckdb"))
    assert done.returncode == 1
    assert "expected a DuckDB database" in done.stdout


def test_a_second_writer_is_told_to_wait(tmp_path: Path, treebanks: Path) -> None:
    assert command(tmp_path).returncode == 0
    holder = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(work_db(tmp_path))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        done = command(tmp_path)
        process.communicate()
    assert done.returncode == 1
    assert "expected to be the only writer" in done.stdout
    assert command(tmp_path).returncode == 0


def test_a_full_disk_leaves_the_last_tables(tmp_path: Path, treebanks: Path) -> None:
    assert command(tmp_path).returncode == 0
    before = token_count(tmp_path)
    big = (FIXTURES / "cycle.xml").read_text(encoding="utf-8")
    sentences = big[big.index("<sentence") : big.rindex("</treebank>")]
    parts = [sentences.replace("ὁ", f"ὁ{number}") for number in range(3000)]
    (treebanks / "agdt" / AGDT / "big.xml").write_text(f"<treebank>{''.join(parts)}</treebank>", encoding="utf-8")
    limit = work_db(tmp_path).stat().st_size + 100_000
    code = (
        f"import resource, runpy, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); import sys; sys.argv = ['ingest']; "
        f"runpy.run_module('ingest', run_name='__main__')"
    )
    environment = build_environment(tmp_path / "build", treebanks)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "error: expected room on the disk" in done.stdout
    assert token_count(tmp_path) == before
    assert command(tmp_path).returncode == 0
    assert token_count(tmp_path) == before + 3000 * 12


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_run_leaves_the_last_tables_and_no_process(tmp_path: Path, treebanks: Path, workers: str) -> None:
    assert command(tmp_path).returncode == 0
    before = token_count(tmp_path)
    big = (FIXTURES / "cycle.xml").read_text(encoding="utf-8")
    sentences = big[big.index("<sentence") : big.rindex("</treebank>")]
    for number in range(6):
        text = f"<treebank>{sentences * 4000}</treebank>"
        (treebanks / "agdt" / AGDT / f"big-{number}.xml").write_text(text, encoding="utf-8")
    after = before + 6 * 4000 * 12
    environment = build_environment(tmp_path / "build", treebanks)
    counts = []
    for delay in (0.6, 1.2, 2.0):
        with subprocess.Popen(
            [sys.executable, "-m", "ingest", "--workers", workers], cwd=ROOT, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        ) as process:  # fmt: skip
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        assert_group_ends(process.pid)
        counts.append(token_count(tmp_path))
    # The last tables, or on a fast machine the new ones, whole: never a part.
    assert counts[0] == before
    assert set(counts) <= {before, after}
    done = command(tmp_path)
    assert done.returncode == 0, done.stdout
    assert token_count(tmp_path) == after


def assert_group_ends(group: int) -> None:
    """Workers notice that their parent is gone and end by themselves."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("workers outlived the run")


def test_a_killed_worker_is_an_error(tmp_path: Path, treebanks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(tmp_path)
    before = content(tmp_path)
    deadly = [Deadly("agdt", "native_xml", tmp_path, "x", None)] * 2
    monkeypatch.setattr(raw, "read_files", lambda tasks, workers: reading.read_files(deadly, 2))
    with pytest.raises(IngestError, match="found one killed"):
        ingest(tmp_path, full=True)
    assert content(tmp_path) == before


class Deadly(reading.Task):
    """A task that ends the process which takes it, as the kernel would for want of memory."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (1,)


def test_the_database_has_the_storage_version_of_older_clients(tmp_path: Path, treebanks: Path) -> None:
    ingest(tmp_path)
    with duckdb.connect() as database:
        database.execute(f"attach '{settings(tmp_path).work_db}' as it (read_only)")
        tags = database.execute("select tags from duckdb_databases() where database_name = 'it'").fetchall()
    assert "v1.4" in str(tags[0][0]["storage_version"])


def test_the_sample_goes_through_the_same_readers(tmp_path: Path) -> None:
    summary = run(settings(tmp_path), source="sample", workers=2, quiet=True)
    assert summary.source.kind == "sample"
    assert {file.project for file in summary.files} == {project.name for project in load_registry().projects}
    assert all(file.status == "read" and file.note is None for file in summary.files)
    assert all(file.rows_in_file == file.rows_read + file.rows_rejected for file in summary.files)


@pytest.mark.real
def test_the_real_input_is_read_whole(real_treebanks: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    place = Settings(real_treebanks, build, build / "s.duckdb", build / "work" / "s.duckdb", build / "hub")
    summary = run(place, quiet=True)
    assert len(summary.with_status("read")) == 257
    assert [f"{file.project}/{file.path}" for file in summary.with_status("absent")] == [
        "pedalion/public/xml/procopius.xml",
        "ud_perseus/grc_perseus-ud-train.conllu",
        "ud_proiel/grc_proiel-ud-train.conllu",
    ]
    assert [file.path.split("/")[-1] for file in summary.differing] == [
        "tlg0012.tlg001.perseus-grc1.tb.xml",
        "tlg0012.tlg002.perseus-grc1.tb.xml",
    ]
    assert (summary.sentences, summary.tokens, summary.rows_rejected) == (88_382, 1_638_305, 0)


def test_a_database_that_a_killed_run_has_begun_is_cleared_and_another_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "work" / "s.duckdb"
    path.parent.mkdir()
    others = [".s.duckdb.notes", ".other.duckdb.0a1b.new", "s.duckdb.0a1b.new"]
    for name in (".s.duckdb.0a1b.new", ".s.duckdb.ffff.new.wal", *others):
        (path.parent / name).write_bytes(b"half")
    with database.open_database(path):
        pass
    assert sorted(found.name for found in path.parent.iterdir()) == sorted([*others, "s.duckdb"])


def test_a_database_that_another_run_has_made_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.duckdb"
    database.create_database(path)
    with duckdb.connect(path) as other:
        other.execute("create table kept as select 1 as one")
    for _ in range(2):
        database.create_database(path)
        with duckdb.connect(path) as other:
            assert other.execute("select one from kept").fetchall() == [(1,)]
        assert [found.name for found in tmp_path.iterdir()] == ["s.duckdb"]
        # The second time on a disk without hard links.
        monkeypatch.setattr(Path, "hardlink_to", no_hard_links)
    path.unlink()
    database.create_database(path)
    assert [found.name for found in tmp_path.iterdir()] == ["s.duckdb"]


def no_hard_links(target: Path, source: Path) -> None:
    raise PermissionError(1, "Operation not permitted")
