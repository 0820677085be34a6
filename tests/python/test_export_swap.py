"""Kills, full disks and second writers: the last good edition stays, and the next run succeeds."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import hub_fixture
import pytest
from test_export_files import ROOT, settings_of, synthetic

from exports import database, edition, manifests, swap
from exports.warehouse import ExportError
from ingest.database import open_database
from ingest.errors import IngestError
from ingest.settings import Settings

STOPS = ("load_plans", "write_split", "validate_folder", "write_checksums", "write_copy", "swap_file", "swap_folder")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the Croissant library, which takes seconds to load, to the tests about it."""
    monkeypatch.setattr(edition, "_check_croissant", lambda path: None)


def state(settings: Settings) -> tuple[str, str]:
    return manifests.sha256(settings.hub / "SHA256SUMS"), manifests.sha256(settings.db)


def killed_at(settings: Settings, name: str) -> None:
    """Run an export in a process of its own that kills itself when it comes to a function."""
    script = f"""
import os, signal, sys
from pathlib import Path
from exports import database, edition, hub, manifests, swap, validate
from ingest.settings import Settings
for module in (hub, validate, manifests, database, swap):
    if hasattr(module, {name!r}):
        real = getattr(module, {name!r})
        calls = []
        def stop(*args, **kwargs):
            calls.append(1)
            if {name!r} != "write_split" or len(calls) > 3:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)
        setattr(module, {name!r}, stop)
edition._check_croissant = lambda path: None
build = Path(sys.argv[1])
edition.export(
    Settings(None, build, build / "sphragis.duckdb", build / "work" / "sphragis.duckdb", build / "hub"), processes=1
)
"""
    finished = subprocess.run([sys.executable, "-c", script, str(settings.build)], cwd=ROOT, check=False)
    assert finished.returncode == -signal.SIGKILL


@pytest.mark.parametrize("name", STOPS)
def test_a_kill_leaves_the_last_edition_and_the_next_run_succeeds(name: str, tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    before = state(settings)
    with duckdb.connect(str(settings.work_db)) as con:
        con.execute("update hub.sentences set work = 'Another title'")
    killed_at(settings, name)
    sums, db = state(settings)
    assert sums == before[0]
    with duckdb.connect(str(settings.db), read_only=True) as con:
        titles = con.execute("select count(*) from hub.sentences where work = 'Another title'").fetchall()
    if name == "swap_folder":  # the warehouse is in place already, whole
        assert titles == [(600,)]
    else:
        assert titles == [(0,)]
        assert db == before[1]
    edition.export(settings)
    assert state(settings)[0] != before[0]
    assert sorted(path.name for path in settings.build.iterdir()) == [".export.lock", "hub", "sphragis.duckdb", "work"]


def test_a_kill_between_the_two_renames_is_put_right(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    settings.hub.rename(swap.old_name(settings.hub))
    swap.new_name(settings.hub).mkdir()
    swap.recover(settings.hub)
    assert (settings.hub / "SHA256SUMS").is_file()
    assert not swap.old_name(settings.hub).exists()
    assert not swap.new_name(settings.hub).exists()


@pytest.mark.parametrize("can_exchange", [True, False])
def test_folders_are_swapped_with_and_without_an_exchange(
    can_exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_exchange:
        monkeypatch.setattr(swap, "_exchange", lambda left, right: False)
    target = tmp_path / "hub"
    for content in ("first", "second"):
        new = swap.new_name(target)
        new.mkdir()
        (new / "file").write_text(content)
        swap.swap_folder(target)
        assert (target / "file").read_text() == content
        assert [path.name for path in tmp_path.iterdir()] == ["hub"]


def test_a_full_disk_gives_one_message_and_leaves_the_last_edition(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    before = state(settings)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    finished = subprocess.run(
        [sys.executable, "-m", "exports"],
        cwd=ROOT,
        env=os.environ | {"SPHRAGIS_BUILD": str(settings.build)},
        preexec_fn=limit,
        text=True,
        capture_output=True,
        check=False,
    )
    assert finished.returncode == 1
    assert finished.stderr.startswith("error: ")
    assert "SPHRAGIS_BUILD" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert state(settings) == before
    assert not swap.new_name(settings.hub).exists()


def test_a_folder_that_cannot_be_written_gives_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    finished = subprocess.run(
        [sys.executable, "-m", "exports"],
        cwd=ROOT,
        env=os.environ | {"SPHRAGIS_BUILD": str(tmp_path / "file" / "build")},
        text=True,
        capture_output=True,
        check=False,
    )
    assert finished.returncode == 1
    assert finished.stderr.startswith("error: cannot write to")
    assert "Traceback" not in finished.stderr


def test_without_a_warehouse_the_message_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="run `make build`"):
        edition.export(settings_of(tmp_path / "build"))


def test_an_unfinished_warehouse_is_named(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build", "drop table hub.rows")
    with pytest.raises(ExportError, match=r"has no hub\.rows: run `dbt build`"):
        edition.export(settings)


@pytest.mark.parametrize(
    ("note", "finished"), [("", False), ("'other', true", False), ("input, false", False), ("input, true", True)]
)
def test_only_what_was_built_to_the_end_from_the_present_input_is_exported(
    note: str, finished: bool, tmp_path: Path
) -> None:
    settings = synthetic(
        tmp_path / "build",
        "create table raw.whole_run (input varchar, is_finished boolean)",
        "create view raw.present_input as select count(*)::varchar as input from raw.files",
        f"insert into raw.whole_run select {note} from raw.present_input" if note else "",
    )
    with duckdb.connect(str(settings.work_db), read_only=True) as con:
        assert edition.is_finished(con) == finished
    if not finished:
        with pytest.raises(ExportError, match="not built to the end from the input that is there: run `dbt build`"):
            edition.export(settings)
        assert not settings.hub.exists()


@pytest.mark.parametrize("content", [b"no database" * 1000, None])
def test_a_damaged_warehouse_is_told(content: bytes | None, tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    settings.work_db.write_bytes(content or settings.work_db.read_bytes()[:300_000])
    with pytest.raises(ExportError, match=r"damaged.* move it away and build anew"):
        edition.export(settings)
    if content:
        with pytest.raises(IngestError, match="move it away"), open_database(settings.work_db):
            pass


@pytest.mark.parametrize("name", ["corpus.duckdb", "raw.duckdb", "Main.duckdb"])
def test_a_warehouse_is_not_called_like_a_schema(name: str, tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="another name in SPHRAGIS_DB"), open_database(tmp_path / name):
        pass


def test_an_interrupted_statement_is_an_interrupt(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), open_database(tmp_path / "new.duckdb"):
        raise RuntimeError("Query interrupted")


def test_a_second_writer_is_told(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    with swap.only_writer(settings.build), pytest.raises(ExportError, match="another export is writing"):
        edition.export(settings)


def test_a_warehouse_that_is_being_written_is_told(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    script = "import duckdb, sys, time; con = duckdb.connect(sys.argv[1]); print('open', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", script, str(settings.work_db)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        try:
            with pytest.raises(ExportError, match="still writing"):
                edition.export(settings)
        finally:
            writer.kill()


@pytest.mark.parametrize("storage_version", ["v1.4.0", "v2.0.0"])
def test_the_published_warehouse_has_tables_views_macros_and_comments(storage_version: str, tmp_path: Path) -> None:
    settings = settings_of(tmp_path / "build")
    settings.work_db.parent.mkdir(parents=True)
    hub_fixture.build(settings.work_db, storage_version=storage_version)
    edition.export(settings)
    with duckdb.connect(str(settings.db), read_only=True) as con:
        tags = con.execute("select tags from duckdb_databases() where database_name = 'sphragis'").fetchall()
        assert tags[0][0]["storage_version"].startswith("v1.4")
        comments = dict(
            con.execute(
                "select table_name, comment from duckdb_tables() union all "
                "select view_name, comment from duckdb_views() union all "
                "select column_name, comment from duckdb_columns() union all "
                "select function_name, comment from duckdb_functions() where not internal"
            ).fetchall()
        )
        assert comments["sentence_fates"] == "One row per sentence read."
        assert comments["published"] == "One row per published sentence."
        assert comments["fate_of"] == "The fate of one sentence."
        name = con.execute("select min(sentence_id) from corpus.published").fetchall()[0][0]
        assert len(con.execute("from corpus.fate_of(?)", [name]).fetchall()) == 1


def test_a_reader_keeps_its_warehouse_while_the_next_one_is_published(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    reader = duckdb.connect(str(settings.db), read_only=True)
    try:
        edition.export(settings)
        assert reader.execute("select count(*) from hub.tokens").fetchall() == [(4200,)]
    finally:
        reader.close()


def test_a_warehouse_full_of_holes_is_written_anew(tmp_path: Path) -> None:
    settings = synthetic(
        tmp_path / "build",
        "create table hub.waste as select sha256(i::varchar) as waste from range(400000) as numbers(i)",
        "checkpoint",
        "create table hub.behind as select sha256('b' || i) as kept from range(20000) as numbers(i)",
        "checkpoint",
        "drop table hub.waste",
        "checkpoint",
    )
    copy = database.write_copy(settings.work_db, settings.db)
    assert copy.stat().st_size < settings.work_db.stat().st_size / 2


def test_a_copy_that_lost_a_comment_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = synthetic(tmp_path / "build")
    monkeypatch.setattr(database, "_can_be_copied", lambda con, path: False)
    real = database._catalog

    def lossy(con: duckdb.DuckDBPyConnection, name: str) -> list[tuple[object, ...]]:
        found = real(con, name)
        return found if name == database.WORKING else found[1:]

    monkeypatch.setattr(database, "_catalog", lossy)
    with pytest.raises(ExportError, match="not complete"):
        edition.export(settings)
    assert not settings.db.exists()
    assert not settings.hub.exists()


def test_a_kill_from_outside_at_any_moment_leaves_a_whole_edition(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    before = state(settings)
    for wait in (0.3, 1.2):
        with subprocess.Popen(
            [sys.executable, "-m", "exports", "--quiet"],
            cwd=ROOT,
            env=os.environ | {"SPHRAGIS_BUILD": str(settings.build)},
        ) as running:
            time.sleep(wait)
            running.kill()
        swap.recover(settings.hub)
        assert manifests.sha256(settings.hub / "SHA256SUMS") == before[0]
