"""What is written for readers is true: the README runs, every public table and column is described."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Build, connection

PUBLIC = ("corpus", "benchmark", "hub", "audit")
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def manifest(sample_build: Build) -> dict[str, Any]:
    """What dbt knows of the project."""
    loaded: dict[str, Any] = json.loads((sample_build.build / "target" / "manifest.json").read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL))
def test_python_of_the_readme_runs(code: str, sample_build: Build, tmp_path: Path) -> None:
    (tmp_path / "build").symlink_to(sample_build.build)
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip()


def test_commands_of_the_readme_exist() -> None:
    commands = sorted(set(re.findall(r"sphragis ((?:bench )?[a-z]+)", README)))
    assert commands
    for command in commands:
        finished = subprocess.run(
            [sys.executable, "-c", "from sphragis import app; app()", *command.split(), "--help"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, command


def test_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_model_says_what_a_row_is(manifest: dict[str, Any]) -> None:
    models = [node for node in manifest["nodes"].values() if node["resource_type"] == "model"]
    assert models
    wrong = sorted(
        node["name"]
        for node in models
        if node["config"]["materialized"] != "table_function" and not node["description"].startswith("One row ")
    )
    assert wrong == []


def test_every_public_model_has_a_contract_and_described_columns(manifest: dict[str, Any]) -> None:
    public = [
        node
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model"
        and node["schema"] in PUBLIC
        and node["config"]["materialized"] != "table_function"
    ]
    assert {node["schema"] for node in public} == set(PUBLIC)
    without = sorted(node["name"] for node in public if not node["config"]["contract"]["enforced"])
    assert without == []
    silent = sorted(
        f"{node['name']}.{column['name']}"
        for node in public
        for column in node["columns"].values()
        if not column["description"]
    )
    assert silent == []


def test_every_column_of_a_seed_is_described(manifest: dict[str, Any]) -> None:
    silent = []
    for node in manifest["nodes"].values():
        if node["resource_type"] == "seed":
            with (ROOT / node["original_file_path"]).open(encoding="utf-8") as file:
                header = file.readline().strip().split(",")
            silent += [
                f"{node['name']}.{name}" for name in header if not node["columns"].get(name, {}).get("description")
            ]
    assert silent == []


def test_public_tables_and_columns_carry_their_comments(sample_build: Build) -> None:
    with connection(sample_build.db) as warehouse:
        silent = warehouse.execute(
            "select schema_name || '.' || table_name || '.' || column_name from duckdb_columns() "
            f"where schema_name in {PUBLIC} and comment is null order by all"
        ).fetchall()
        tables = warehouse.execute(
            f"select schema_name || '.' || table_name from duckdb_tables() where schema_name in {PUBLIC} "
            "and comment is null order by all"
        ).fetchall()
    assert silent == []
    assert tables == []


def test_names_of_the_token_table_are_the_published_ones(sample_build: Build) -> None:
    names = re.findall(
        r"\w+",
        """
        sentence_id project path position author work canonical_work genre passage fate split source_index
        source_token token_index native_form form folded lemma native_tag native_head native_relation upos feats
        head relation deprel head_repair machine_upos machine_feats machine_head machine_deprel feat_aspect
        feat_case feat_degree feat_gender feat_mood feat_number feat_person feat_tense feat_verbform feat_voice
        """,
    )
    with connection(sample_build.db) as warehouse:
        columns = [row[0] for row in warehouse.execute("describe corpus.tokens").fetchall()]
    assert columns[: len(names)] == names


def test_models_are_short() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sorted((ROOT / "models").rglob("*.sql"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 160
    }
    assert long == {}
