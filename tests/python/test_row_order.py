"""No choice hangs on the order in which rows of a seed stand: with all seeds turned round every table is the same.

One build of the sample is made from a copy of the project whose seeds have their last row first, and compared with the
build that the other tests share. The parse of the machine layer is taken over, so that its keys are compared too.
"""

from __future__ import annotations

import csv
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, Build, build_environment, dbt, run

from ingest.sources import load_registry

PARTS = ("dbt_project.yml", "profiles.yml", "macros", "models", "seeds", "tests/generic")
SCHEMAS = ("intermediate", "corpus", "benchmark", "hub", "audit")
IN_ORDER = ("corpus", "benchmark", "hub")
"""Schemas whose tables are read in the order in which they lie."""

MEASURED = "seconds"
"""Columns that hold times, another one in every build."""


def turn_round(path: Path) -> None:
    """Write the rows of a CSV file in the opposite order, below the same header."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *reversed(rows)])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with all seeds turned round."""
    folder = tmp_path_factory.mktemp("project")
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / part, folder / part)
    for path in (folder / "seeds").rglob("*.csv"):
        turn_round(path)
    return folder


@pytest.fixture(scope="module")
def both(
    project: Path, sample_build: Build, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The shared build as ``straight`` and the build from the copy as ``turned``."""
    build = tmp_path_factory.mktemp("turned") / "build"
    shutil.copytree(sample_build.build / "machine", build / "machine")
    environment = build_environment(build, None, DBT_PROJECT_DIR=str(project), DBT_PROFILES_DIR=str(project))
    run([sys.executable, "-m", "ingest", "--source", "sample"], environment, cwd=project)
    run(dbt("build", "--no-write-json", "--resource-types", "seed", "model"), environment, cwd=project)
    with duckdb.connect() as con:
        con.execute(f"attach '{sample_build.work_db}' as straight (read_only)")
        con.execute(f"attach '{build / 'work' / 'sphragis.duckdb'}' as turned (read_only)")
        yield con


def tables(con: duckdb.DuckDBPyConnection, database: str) -> set[str]:
    """Names of the compared tables of a build, with their schemas."""
    found = con.execute(
        "select schema_name || '.' || table_name from duckdb_tables() "
        "where database_name = ? and list_contains(?, schema_name)",
        [database, list(SCHEMAS)],
    ).fetchall()
    return {name for (name,) in found}


def rows_of(con: duckdb.DuckDBPyConnection, database: str, table: str) -> str:
    """Return the query of a table without its measured times."""
    columns = con.execute(f"select column_name from (describe {database}.{table})").fetchall()
    names = ", ".join(f'"{name}"' for (name,) in columns if name != MEASURED)
    return f"select {names} from {database}.{table}"


def test_every_table_is_the_same_with_seeds_turned_round(both: duckdb.DuckDBPyConnection) -> None:
    names = tables(both, "straight")
    assert tables(both, "turned") == names
    assert {name.partition(".")[0] for name in names} == set(SCHEMAS)
    different = []
    for name in sorted(names):
        straight, turned = rows_of(both, "straight", name), rows_of(both, "turned", name)
        if name.startswith(IN_ORDER):
            straight, turned = (
                f"select row_number() over () as place, * from ({query})" for query in (straight, turned)
            )
        [(count,)] = both.execute(
            f"select count(*) from (({straight} except all {turned}) union all ({turned} except all {straight}))"
        ).fetchall()
        if count:
            different.append((name, count))
    assert not different


def test_the_registry_of_sources_is_the_same_with_seeds_turned_round(project: Path) -> None:
    assert load_registry(project / "seeds" / "catalogue") == load_registry(ROOT / "seeds" / "catalogue")


def test_seeds_are_turned_round(project: Path) -> None:
    name = Path("seeds", "annotation", "tag_to_feats.csv")
    straight, turned = ((root / name).read_text(encoding="utf-8").splitlines() for root in (ROOT, project))
    assert turned == [straight[0], *reversed(straight[1:])]
