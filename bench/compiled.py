"""The SQL of models as dbt compiles it, to run it on other tables than those of the warehouse.

A measurement or a test then runs the models themselves and not a copy of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError
from runtime.checkout import project_root
from runtime.command import run_child

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class CompiledModel:
    """One model: its schema and name, and its query, which names relations by schema and name only.

    Attributes:
        schema: schema of its table.
        name: name of the model, which is that of its table here.
        query: its SQL, or the text of a Python model.
        meta: what the file beside a Python model gives it; None for SQL.
    """

    schema: str
    name: str
    query: str
    meta: Mapping[str, Any] | None = None

    @property
    def relation(self) -> str:
        """Schema and name, as the queries of other models write them."""
        return f'"{self.schema}"."{self.name}"'


def compile_models(
    select: Sequence[str],
    variables: Mapping[str, Any] | None = None,
    project: Path | None = None,
    kinds: Sequence[str] = ("model",),
    with_python: bool = False,
) -> list[CompiledModel]:
    """Compile models (or tests) and return them in an order in which they can run.

    Args:
        select: what dbt shall compile (`--select`).
        variables: variables that differ from `dbt_project.yml`.
        project: folder of the project; the checkout by default.
        kinds: resource types to return, `model` or `test`.
        with_python: return the Python models among them too.

    Raises:
        ExportError: dbt cannot compile them; the message is dbt's.
    """
    root = (project or project_root(ExportError)).resolve()
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "target"
        (Path(place) / "work").mkdir()
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("SPHRAGIS_", "DBT_"))}
        environment |= {
            "SPHRAGIS_BUILD": place,
            "DBT_PROFILES_DIR": str(root),
            "DBT_LOG_PATH": str(Path(place) / "logs"),
        }
        command = [str(Path(sys.executable).with_name("dbt")), "--quiet", "compile", "--project-dir", str(root)]
        command += ["--target-path", str(target), "--vars", json.dumps(dict(variables or {})), "--select", *select]
        finished = run_child(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if finished.returncode != 0:
            raise ExportError(f"dbt cannot compile {' '.join(select)}:\n{finished.stdout[-4000:]}")
        nodes = json.loads((target / "manifest.json").read_text(encoding="utf-8"))["nodes"]
    chosen = {
        key: node
        for key, node in sorted(nodes.items())
        if node["resource_type"] in kinds and (with_python or node["language"] == "sql") and node.get("compiled_code")
    }
    ordered: list[CompiledModel] = []
    done: set[str] = set()
    while len(done) < len(chosen):
        for key, node in chosen.items():
            if key not in done and all(name in done or name not in chosen for name in node["depends_on"]["nodes"]):
                is_python = node["language"] == "python"
                query = node["raw_code"] if is_python else node["compiled_code"].replace(f'"{node["database"]}".', "")
                meta = node["config"]["meta"] if is_python else None
                ordered.append(CompiledModel(node["schema"], node["name"], query, meta))
                done.add(key)
    return ordered


def run_models(
    con: duckdb.DuckDBPyConnection, models: Sequence[CompiledModel], without: Sequence[str] = ()
) -> list[str]:
    """Create the models as tables of a database that has the relations they read; return the names created.

    Args:
        con: database to run in.
        models: models in an order in which they can run.
        without: names of models that are already there.
    """
    created = []
    for model in models:
        if model.name not in without:
            con.execute(f'create schema if not exists "{model.schema}"')
            if model.meta is None:
                con.execute(f"create or replace table {model.relation} as {model.query}")
            else:
                con.register("made", _run_python(con, model))
                con.execute(f"create or replace table {model.relation} as from made")
                con.unregister("made")
            created.append(model.name)
    return created


def _run_python(con: duckdb.DuckDBPyConnection, model: CompiledModel) -> Any:
    """Run a Python model on the tables of a database, as dbt runs it, and return what it gives."""
    scope: dict[str, Any] = {"__name__": model.name}
    exec(compile(model.query, model.name, "exec"), scope)

    def config(**_: object) -> None:
        """Pass over what a model says of its materialization."""

    config.meta_get = dict(model.meta or {}).get  # type: ignore[attr-defined]
    dbt = SimpleNamespace(config=config, ref=lambda name: con.table(f"intermediate.{name}"))
    return scope["model"](dbt, con)
