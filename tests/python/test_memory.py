"""What the engine may hold in memory: a setting, kept by ingest, models and export, with a folder for the rest."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from test_export_files import synthetic

from exports.warehouse import open_read_only
from runtime.database import limit, open_database
from runtime.errors import SettingsError
from runtime.settings import MOST_MEMORY, memory_limit


def settings_of(con: duckdb.DuckDBPyConnection) -> list[str]:
    query = "select current_setting('memory_limit'), current_setting('temp_directory')"
    return [str(value) for value in con.execute(query).fetchall()[0]]


def test_ingest_and_export_keep_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_MEMORY", "300MiB")
    work_db = synthetic(tmp_path / "build").work_db
    with open_database(work_db) as con:
        assert settings_of(con) == ["300.0 MiB", str(work_db.parent / "spill")]
    with open_read_only(work_db, tmp_path / "spill") as con:
        assert settings_of(con) == ["300.0 MiB", str(tmp_path / "spill")]


def test_what_does_not_fit_goes_to_the_disk_and_is_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_MEMORY", "60MiB")
    path, spill = tmp_path / "new.duckdb", tmp_path / "spill"
    spill.mkdir()
    (spill / "left_by_a_run_that_was_killed").write_text("much")
    with open_database(path) as con:
        assert not spill.exists()
        con.execute("set threads = 1")
        con.execute(
            "create temp table large as select sha256(i::varchar) as a, md5(i::varchar) as b from range(2000000) t(i)"
        )
        assert list(spill.iterdir())
        assert con.execute("select count(distinct a) from large").fetchall() == [(2000000,)]
    assert not spill.exists()


def test_the_limit_is_half_of_the_memory_and_not_more_than_is_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPHRAGIS_MEMORY", raising=False)
    assert 100 < int(memory_limit().removesuffix("MB")) <= MOST_MEMORY / 10**6
    with duckdb.connect() as con:
        limit(con, Path("nowhere"))


@pytest.mark.parametrize("given", ["much", "4", "0GB", "4 apples", "4GB; drop table x"])
def test_a_limit_that_is_no_size_is_told(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_MEMORY", given)
    with pytest.raises(SettingsError, match="SPHRAGIS_MEMORY: expected a size such as 4GB"):
        memory_limit()
