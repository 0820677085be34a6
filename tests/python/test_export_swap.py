"""Kills, full disks and second writers: the last good edition stays, and the next run succeeds."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import hub_fixture
import pyarrow.parquet as pq
import pytest
from test_export_files import ROOT, settings_of, synthetic

from exports.about import croissant
from exports.dataset import schema
from exports.edition import database, swap
from exports.edition import export as edition
from exports.told import dataset_folder
from exports.warehouse import ExportError
from runtime.checkout import project_checksum
from runtime.database import open_database
from runtime.errors import IngestError
from runtime.files import sha256
from runtime.settings import Settings

STOPS = ("load_plans", "write_split", "validate_folder", "_write_checksums", "write_copy", "make_current", "settle")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the Croissant library, which takes seconds to load, to the tests about it."""
    monkeypatch.setattr(croissant, "check", lambda path: None)


def state(settings: Settings) -> tuple[str, str]:
    return sha256(settings.hub / "SHA256SUMS"), sha256(settings.db)


def killed_at(settings: Settings, name: str) -> None:
    """Run an export in a process of its own that kills itself when it comes to a function."""
    script = f"""
import os, signal, sys
from pathlib import Path
from exports.dataset import contents, files, validation
from exports.edition import database, export as edition, swap
from exports.about import croissant, write
from runtime.settings import Settings
for module in (contents, files, validation, write, database, swap):
    if hasattr(module, {name!r}):
        real = getattr(module, {name!r})
        calls = []
        def stop(*args, **kwargs):
            calls.append(1)
            if {name!r} != "write_split" or len(calls) > 3:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)
        setattr(module, {name!r}, stop)
croissant.check = lambda path: None
build = Path(sys.argv[1])
edition.export(
    Settings(None, build, build / "sphragis.duckdb", build / "work" / "sphragis.duckdb", build / "hub"), processes=1
)
"""
    finished = subprocess.run([sys.executable, "-c", script, str(settings.build)], cwd=ROOT, check=False)
    assert finished.returncode == -signal.SIGKILL


def titled(settings: Settings) -> tuple[bool, bool]:
    """Return whether warehouse and dataset have the other title."""
    with duckdb.connect(str(settings.db), read_only=True) as con:
        ((count,),) = con.execute("select count(*) from hub.sentences where work = 'Another title'").fetchall()
    rows = pq.read_table(settings.hub / schema.data_file("sentence_1", "test"), columns=["work"])
    return count == 600, set(rows["work"].to_pylist()) == {"Another title"}


@pytest.mark.parametrize("name", STOPS)
def test_a_kill_leaves_one_edition_and_the_next_run_succeeds(name: str, tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    before = state(settings)
    with duckdb.connect(str(settings.work_db)) as con:
        con.execute("update hub.sentences set work = 'Another title'")
    killed_at(settings, name)
    assert titled(settings) == ((True, True) if name == "settle" else (False, False))
    assert (state(settings) == before) == (name != "settle")
    edition.export(settings)
    assert titled(settings) == (True, True)
    assert state(settings)[0] != before[0]
    assert sorted(path.name for path in settings.build.iterdir()) == [
        ".export.lock", "current", "editions", "hub", "leakage", "sphragis.duckdb", "work",
    ]  # fmt: skip
    assert len(list(settings.editions.iterdir())) == 2


@pytest.mark.parametrize("keep", [0, 2])
def test_as_many_earlier_editions_stay_as_are_kept(keep: int, tmp_path: Path) -> None:
    settings = replace(synthetic(tmp_path / "build"), keep=keep)
    made = []
    for number in range(4):
        with duckdb.connect(str(settings.work_db)) as con:
            con.execute(f"update hub.sentences set work = 'Title {number}'")
        edition.export(settings)
        made.append(settings.current.resolve())
    assert len(set(made)) == 4
    assert set(settings.editions.iterdir()) == set(made[3 - keep :])


def test_the_same_content_is_the_same_edition(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    first = settings.current.resolve()
    edition.export(settings)
    assert settings.current.resolve() == first
    assert list(settings.editions.iterdir()) == [first]
    next(settings.hub.glob("data/*/*.parquet")).write_bytes(b"damaged")
    edition.export(settings)
    assert settings.current.resolve() != first
    assert swap.content_of(settings.current.resolve()) == first.name


def test_a_reader_of_one_edition_can_go_on_after_the_next(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    folder = dataset_folder(settings.hub)
    with duckdb.connect(str(settings.work_db)) as con:
        con.execute("update hub.sentences set work = 'Another title'")
    edition.export(settings)
    assert titled(settings) == (True, True)
    rows = pq.read_table(folder / schema.data_file("sentence_1", "test"), columns=["work"])
    assert "Another title" not in rows["work"].to_pylist()


def test_a_build_folder_can_be_moved_and_copied(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    edition.export(settings)
    before = state(settings)
    for name, follow in (("links", True), ("followed", False)):
        copied = settings_of(tmp_path / name)
        shutil.copytree(settings.build, copied.build, symlinks=follow)
        assert state(copied) == before
        edition.export(copied)
        assert state(copied) == before
        assert copied.hub.is_symlink()
        assert [path.name for path in copied.editions.iterdir()] == [settings.current.resolve().name]


def test_the_warehouse_can_be_published_in_another_folder(tmp_path: Path) -> None:
    settings = replace(synthetic(tmp_path / "build"), db=tmp_path / "far" / "away" / "sphragis.duckdb")
    edition.export(settings)
    assert settings.db.resolve() == settings.current.resolve() / "sphragis.duckdb"
    with duckdb.connect(str(settings.db), read_only=True) as con:
        assert con.execute("select current_database()").fetchall() == [("sphragis",)]
        assert con.execute("select count(*) > 0 from corpus.published").fetchall() == [(True,)]


@pytest.mark.parametrize("name", ["hub", "current", "editions"])
def test_a_warehouse_is_not_called_like_a_part_of_the_build(name: str, tmp_path: Path) -> None:
    settings = replace(synthetic(tmp_path / "build"), db=tmp_path / "build" / name)
    with pytest.raises(ExportError, match="another name in SPHRAGIS_DB"):
        edition.export(settings)


def test_a_disk_without_symbolic_links_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*names: Any, **more: Any) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), names[1])

    settings = synthetic(tmp_path / "build")
    monkeypatch.setattr(os, "symlink", refuse)
    with pytest.raises(ExportError, match=r"cannot hold a symbolic link .* set SPHRAGIS_BUILD and SPHRAGIS_DB"):
        edition.export(settings)
    assert list(settings.editions.iterdir()) == []


def test_what_cannot_be_cleared_up_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(settings: Settings) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(settings.editions))

    settings = synthetic(tmp_path / "build")
    monkeypatch.setattr(swap, "retire", fail)
    *_, notice = edition.export(settings).notices
    assert notice.startswith("The new edition is in place, but clearing up after it failed")
    assert titled(settings) == (False, False)


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
    assert [path.name for path in settings.editions.iterdir()] == [settings.current.resolve().name]


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
    ("note", "refused"),
    [
        ("", "not built to the end from the input that is there: run `dbt build`"),
        ("'other', {project}, '{{}}', []::varchar[], true", "not built to the end"),
        ("input, {project}, '{{}}', ['a test'], false", "not built to the end"),
        (
            "input, 'before', '{{}}', []::varchar[], true",
            "before the last change of models, seeds, macros or variables",
        ),
        ("input, {project}, '{{}}', []::varchar[], true", None),
    ],
)
def test_only_what_was_built_to_the_end_from_input_and_project_is_exported(
    note: str, refused: str | None, tmp_path: Path
) -> None:
    note = note.format(project=f"'{project_checksum(ROOT)}'")
    settings = synthetic(
        tmp_path / "build",
        "create table raw.whole_run "
        "(input varchar, project varchar, variables varchar, undone varchar[], is_finished boolean)",
        "create view raw.present_input as select count(*)::varchar as input from raw.files",
        f"insert into raw.whole_run select {note} from raw.present_input" if note else "",
    )
    if refused is None:
        edition.export(settings)
        return
    with pytest.raises(ExportError, match=refused):
        edition.export(settings)
    assert not settings.hub.exists()


def test_the_mark_of_an_older_version_is_not_believed(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build", "create table raw.whole_run as select '' as input, true as is_finished")
    with pytest.raises(ExportError, match="not built to the end"):
        edition.export(settings)


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
    copy = database.write_copy(settings.work_db, tmp_path / "sphragis.duckdb")
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
    with duckdb.connect(str(settings.work_db)) as con:
        con.execute("update hub.sentences set work = 'Another title'")
    for wait in (0.3, 1.2):
        with subprocess.Popen(
            [sys.executable, "-m", "exports", "--quiet"],
            cwd=ROOT,
            env=os.environ | {"SPHRAGIS_BUILD": str(settings.build)},
        ) as running:
            time.sleep(wait)
            running.kill()
        assert state(settings) == before
