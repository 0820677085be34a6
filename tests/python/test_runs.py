"""Runs of dbt that do not build everything never pass for a whole one: a small project with the hooks of this one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT

from exports.about.read import rule_variables
from exports.edition.readiness import why_unfinished

FILES = {
    "dbt_project.yml": """
name: small
version: "1.0"
config-version: 2
profile: small
on-run-start: "{{ begin_run() }}"
on-run-end: "{{ end_run(results) }}"
flags: {send_anonymous_usage_stats: false}
vars: {threshold: 3, other: 1}
models: {+materialized: table}
""",
    "profiles.yml": """
small:
  target: local
  outputs:
    local: {type: duckdb, path: work/small.duckdb, threads: 1, plugins: [{module: runtime.dbt_plugin}]}
""",
    "seeds/universal/words.csv": "word\nλόγος\n",
    "models/first.sql": "select *, {{ var('threshold') }} as threshold from {{ ref('words') }}\n",
    # Fails as long as there is a row in the table.
    "models/second.sql": "select * from {{ ref('first') }} where (select count(error(what)) from raw.faults) = 0\n",
    "tests/no_row.sql": "select * from raw.findings -- about {{ ref('second') }}\n",
    "snapshots/kept.sql": "{% snapshot kept %}{{ config(target_schema='main', unique_key='word', strategy='check', "
    "check_cols='all') }} select * from {{ ref('words') }}{% endsnapshot %}\n",
}

PARTIAL = (
    ["run"],
    ["seed"],
    ["snapshot"],
    ["build", "--select", "first"],
    ["build", "--exclude", "second"],
    ["build", "--resource-type", "model"],
    ["build", "--exclude-resource-type", "test"],
    ["build", "--empty"],
    ["run", "--select", "first", "--vars", "{threshold: 9}"],
)

WHOLE = (["build"], ["build", "--exclude-resource-type", "unit_test"])

REPLACE_NOTHING = (["test"], ["build", "--select", "no_row"], ["compile"], ["docs", "generate"])


class Project:
    """A small project in a folder, and its working database."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.db = root / "work" / "small.duckdb"
        for name, text in FILES.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        shutil.copytree(ROOT / "macros" / "runs", root / "macros" / "runs")
        self.db.parent.mkdir()
        self.sql(
            "create schema raw",
            "create table raw.file_attributes (path varchar)",
            "create table raw.files as "
            "select 'p' as project, 'f' as path, 'read' as status, 's' as sha256, 1 as reader",
            "create table raw.faults (what varchar)",
            "create table raw.findings (what varchar)",
        )

    def sql(self, *statements: str) -> None:
        with duckdb.connect(str(self.db)) as con:
            for statement in statements:
                con.execute(statement)

    def dbt(self, *arguments: str) -> bool:
        """Run dbt in this process and return whether it ended well."""
        from dbt import selected_resources
        from dbt.adapters.duckdb.connections import DuckDBConnectionManager
        from dbt.cli.main import dbtRunner

        # As in a process of its own.
        selected_resources.set_selected_resources(set())
        try:
            return dbtRunner().invoke([*arguments, "--quiet"]).success
        finally:
            if DuckDBConnectionManager._ENV is not None:
                DuckDBConnectionManager._ENV.close()
                DuckDBConnectionManager._ENV = None

    def refused(self) -> str | None:
        """Why the export would refuse the models."""
        with duckdb.connect(str(self.db), read_only=True) as con:
            return why_unfinished(con)

    def note(self) -> list[tuple[object, ...]]:
        with duckdb.connect(str(self.db), read_only=True) as con:
            return con.execute("select input, project, variables, undone, is_finished from raw.whole_run").fetchall()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    for name in list(os.environ):
        if name.startswith(("DBT_", "SPHRAGIS_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DBT_PROFILES_DIR", str(tmp_path))
    yield Project(tmp_path)


NOT_BUILT = "were not built to the end from the input that is there"


def test_only_a_whole_run_can_be_exported(project: Project) -> None:
    for arguments in WHOLE:
        project.sql("drop table if exists raw.whole_run")
        assert project.dbt(*arguments)
        assert project.refused() is None
    (note,) = project.note()

    def as_after_a_whole_run() -> None:
        with duckdb.connect(str(project.db)) as con:
            con.execute("delete from raw.whole_run")
            con.execute(
                "insert into raw.whole_run (input, project, variables, undone, is_finished) values (?, ?, ?, ?, ?)",
                note,
            )

    for arguments in REPLACE_NOTHING:
        assert project.dbt(*arguments)
        assert project.refused() is None, arguments
    for arguments in PARTIAL:
        as_after_a_whole_run()
        assert project.dbt(*arguments), arguments
        assert project.refused() == NOT_BUILT, arguments
        assert project.note() == [], arguments
    as_after_a_whole_run()
    project.sql("insert into raw.findings values ('a row')")
    assert not project.dbt("test")
    assert project.refused() == NOT_BUILT
    project.sql("delete from raw.findings")
    assert project.dbt("retry")
    assert project.refused() == NOT_BUILT


def test_a_retry_finishes_a_whole_run_and_no_other(project: Project) -> None:
    project.sql("insert into raw.faults values ('not yet')")
    assert not project.dbt("build")
    assert project.refused() == NOT_BUILT
    assert project.note()[0][3] == ["model.small.second", "test.small.no_row"]
    # With other variables it would mix two builds.
    shutil.copytree("target", "failed")
    project.sql("delete from raw.faults", "create table raw.kept as select * from raw.whole_run")
    assert project.dbt("retry", "--vars", "{threshold: 9}")
    assert project.refused() == NOT_BUILT
    # A retry of another run that failed leaves undone what the whole run has left.
    project.sql("insert into raw.whole_run from raw.kept", "insert into raw.faults values ('not yet')")
    results = json.loads(Path("failed/run_results.json").read_text(encoding="utf-8"))
    results["results"] = [row for row in results["results"] if row["unique_id"] != "model.small.second"]
    Path("other").mkdir()
    Path("other/run_results.json").write_text(json.dumps(results), encoding="utf-8")
    assert project.dbt("retry", "--state", "other")
    assert project.refused() == NOT_BUILT
    project.sql("delete from raw.faults")
    assert project.dbt("retry", "--state", "failed")
    assert project.refused() is None


def test_the_variables_of_a_run_and_the_project_it_built_are_known(project: Project) -> None:
    assert project.dbt("build", "--vars", "{threshold: 9}")
    with duckdb.connect(str(project.db), read_only=True) as con:
        assert rule_variables(con) == {"threshold": 9, "other": 1}
        assert why_unfinished(con) is None
        for name in ("dbt_project.yml", "seeds/universal/words.csv", "models/first.sql", "macros/runs/end_run.sql"):
            before = Path(name).read_bytes()
            Path(name).write_bytes(before + b"\n")
            assert why_unfinished(con) == "were built before the last change of models, seeds, macros or variables"
            Path(name).write_bytes(before)
        assert why_unfinished(con) is None


def test_a_kill_in_a_partial_run_leaves_no_mark(project: Project) -> None:
    assert project.dbt("build")
    script = """
import os, signal, sys
from dbt.cli.main import dbtRunner
def kill(event):
    if event.info.name == "LogStartLine":
        os.kill(os.getpid(), signal.SIGKILL)
dbtRunner(callbacks=[kill]).invoke(["seed"])
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    finished = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=False)
    assert finished.returncode == -signal.SIGKILL
    assert project.refused() == NOT_BUILT


def test_a_clone_is_refused(project: Project) -> None:
    assert project.dbt("build")
    shutil.copytree("target", "state")
    assert not project.dbt("clone", "--state", "state", "--full-refresh")
    assert project.refused() is None
