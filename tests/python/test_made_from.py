"""What is made from all that is there is not made again, and whatever it is made from is looked at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest import mock

import duckdb
import pytest
from typer.testing import CliRunner

import sphragis
from exports.edition import swap, unchanged
from runtime.checkout import project_root
from runtime.errors import IngestError
from runtime.made_from import fingerprint, is_made
from runtime.settings import Settings, load_settings


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a file of each kind."""
    root = tmp_path / "checkout"
    for name in ("ingest/raw.py", "seeds/a/b.csv", "models/m.sql", "tests/text/t.sql", "tests/python/test_a.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("one\n", encoding="utf-8")
    for name in ("dbt_project.yml", "profiles.yml"):
        (root / name).write_text("one\n", encoding="utf-8")
    return root


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in ("MACHINE", "PARSE", "URL", "THREADS", "MEMORY", "KEEP"):
        monkeypatch.delenv(f"SPHRAGIS_{name}", raising=False)
    monkeypatch.setenv("SPHRAGIS_BUILD", str(tmp_path / "build"))
    (tmp_path / "parse.conllu").write_text("one\n", encoding="utf-8")
    return replace(load_settings(), parse=tmp_path / "parse.conllu")


def test_every_part_of_it_counts_and_nothing_else(
    checkout: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fingerprint(checkout, settings)
    assert fingerprint(checkout, settings) == first
    (checkout / "tests" / "python" / "test_a.py").write_text("two\n", encoding="utf-8")
    monkeypatch.setenv("SPHRAGIS_THREADS", "7")
    assert fingerprint(checkout, settings) == first
    assert settings.parse is not None
    names = ("ingest/raw.py", "seeds/a/b.csv", "models/m.sql", "tests/text/t.sql", "dbt_project.yml", "profiles.yml")
    for path in [*(checkout / name for name in names), settings.parse]:
        path.write_text("two\n", encoding="utf-8")
        assert fingerprint(checkout, settings) != first, path
        path.write_text("one\n", encoding="utf-8")
    assert fingerprint(checkout, settings) == first
    (checkout / "seeds" / "a" / "new.csv").write_text("one\n", encoding="utf-8")
    assert fingerprint(checkout, settings) != first
    (checkout / "seeds" / "a" / "new.csv").unlink()
    for name, value in (("SPHRAGIS_URL", "https://there"), ("SPHRAGIS_MACHINE", "none")):
        with mock.patch.dict("os.environ", {name: value}):
            assert fingerprint(checkout, settings) != first, name
    with mock.patch("importlib.metadata.distributions", return_value=[]):
        assert fingerprint(checkout, settings) != first


@pytest.fixture
def whole(settings: Settings) -> Settings:
    """A warehouse with the note of a whole run of what is there, and nothing else."""
    made = replace(settings, parse=None)
    made.work_db.parent.mkdir(parents=True)
    with duckdb.connect(str(made.work_db)) as con:
        con.execute("create schema raw")
        con.execute(
            "create table raw.whole_run (input varchar, project varchar, variables varchar, undone varchar[], "
            "is_finished boolean, made_from varchar)"
        )
        con.execute("create view raw.present_input as select 'i' as input")
        con.execute(
            "insert into raw.whole_run values ('i', 'p', '{}', [], true, ?)",
            [fingerprint(project_root(IngestError), made)],
        )
    return made


@pytest.mark.parametrize(
    "change",
    [
        "update raw.whole_run set input = 'another'",
        "update raw.whole_run set is_finished = false",
        "update raw.whole_run set made_from = 'another'",
        "update raw.whole_run set made_from = null",
        """update raw.whole_run set variables = '{"threshold": 9}'""",
        "delete from raw.whole_run",
        "alter table raw.whole_run drop made_from",
        "drop table raw.whole_run",
    ],
)
def test_tables_are_made_again_unless_a_whole_run_made_them_of_all_that_is_there(whole: Settings, change: str) -> None:
    root = project_root(IngestError)
    assert is_made(root, whole)
    with duckdb.connect(str(whole.work_db)) as con:
        con.execute(change)
    assert not is_made(root, whole)


def test_the_models_are_not_run_when_nothing_has_changed(whole: Settings) -> None:
    command = ["transform", "--if-changed", "build", "--exclude-resource-type", "unit_test"]
    with mock.patch("runtime.transform.run", return_value=0) as run:
        told = CliRunner().invoke(sphragis.app, command)
        assert told.exit_code == 0, told.output
        assert "nothing has changed" in told.output
        run.assert_not_called()
        with duckdb.connect(str(whole.work_db)) as con:
            con.execute("update raw.whole_run set is_finished = false")
        CliRunner().invoke(sphragis.app, command)
        run.assert_called_once_with(command[2:])


def test_an_edition_is_made_again_unless_it_is_whole_and_of_all_that_is_there(whole: Settings) -> None:
    assert not unchanged.is_current(whole)
    edition = whole.editions / "new"
    (edition / "hub").mkdir(parents=True)
    (edition / "hub" / "README.md").write_text("an edition", encoding="utf-8")
    named = edition.rename(edition.with_name(swap.content_of(edition)))
    whole.current.symlink_to(f"editions/{named.name}")
    unchanged.note(whole)
    assert unchanged.is_current(whole)
    told = CliRunner().invoke(sphragis.app, ["export", "--if-changed"])
    assert told.exit_code == 0, told.output
    assert f"nothing has changed since {named.name} was made" in told.output
    # Another edition; a damaged one; other tables.
    whole.current.unlink()
    whole.current.symlink_to("editions/another")
    assert not unchanged.is_current(whole)
    whole.current.unlink()
    whole.current.symlink_to(f"editions/{named.name}")
    (named / "hub" / "README.md").write_text("an edition.", encoding="utf-8")
    assert not unchanged.is_current(whole)
    (named / "hub" / "README.md").write_text("an edition", encoding="utf-8")
    assert unchanged.is_current(whole)
    with duckdb.connect(str(whole.work_db)) as con:
        con.execute("create or replace view raw.present_input as select 'j' as input")
        con.execute("update raw.whole_run set input = 'j'")
    assert is_made(project_root(IngestError), whole)
    assert not unchanged.is_current(whole)
