"""Every invariant of the benchmark has a test that passes, and a fixture that makes exactly this test fail."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, Build, build_environment, dbt, run

TESTS = ROOT / "tests" / "benchmark"
FIXTURES = ROOT / "tests" / "fixtures" / "invariants"
TABLE = ROOT / "docs" / "invariants.md"
IDS = sorted(path.stem for path in FIXTURES.glob("*.sql"))


def test_the_table_lists_every_invariant_with_its_test_and_its_fixture() -> None:
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| .+ \| `(.+)` \| `(.+)` \|$", TABLE.read_text(encoding="utf-8"), re.M)
    assert [row[0] for row in rows] == sorted({row[0] for row in rows}, key=[row[0] for row in rows].index)
    assert sorted(row[0] for row in rows) == IDS
    for name, test, fixture in rows:
        assert test == f"tests/benchmark/{name.replace('-', '_')}.sql"
        assert fixture == f"tests/fixtures/invariants/{name}.sql"
        assert f"-- {name}:" in (ROOT / test).read_text(encoding="utf-8")
    assert sorted(path.stem for path in TESTS.glob("*.sql")) == sorted(name.replace("-", "_") for name in IDS)


@pytest.fixture(scope="module")
def copied(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the warehouse of the sample, with the tests compiled against it beside."""
    folder = tmp_path_factory.mktemp("invariants")
    (folder / "work").mkdir()
    shutil.copy(sample_build.work_db, folder / "work" / "sphragis.duckdb")
    run(dbt("compile", "--select", "path:tests/benchmark"), build_environment(folder, None))
    return folder


@pytest.fixture
def warehouse(copied: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The copy, in a transaction that is rolled back after the test."""
    con = duckdb.connect(str(copied / "work" / "sphragis.duckdb"))
    con.execute("begin")
    yield con
    con.execute("rollback")
    con.close()


@pytest.mark.parametrize("name", IDS)
def test_the_fixture_breaks_its_invariant(copied: Path, warehouse: duckdb.DuckDBPyConnection, name: str) -> None:
    compiled = copied / "target" / "compiled" / "sphragis" / "tests" / "benchmark" / f"{name.replace('-', '_')}.sql"
    sql = compiled.read_text(encoding="utf-8")
    assert warehouse.execute(sql).fetchall() == []
    warehouse.execute((FIXTURES / f"{name}.sql").read_text(encoding="utf-8"))
    assert warehouse.execute(sql).fetchall() != []
