"""The compiled models of a dbt run, in the order in which they can run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exports.site.graph import ordered, relation_name
from exports.warehouse import ExportError

CHAIN = (
    "intermediate/text/int_text__",
    "intermediate/dedup/int_dedup__",
    "intermediate/splits/int_splits__",
    "benchmark/benchmark_",
    "corpus/corpus_sentence_fates",
)
"""How the files of the chain begin: words -> exact copies -> 4-grams -> near-duplicates -> fates -> splits."""


@dataclass(frozen=True)
class Model:
    """One model in SQL.

    Attributes:
        name: its name in the project.
        relation: `schema.name` in the warehouse.
        path: its file under `models`.
        sql: compiled, in the dialect of DuckDB.
        reads: the relations that it reads, `schema.name`.
    """

    name: str
    relation: str
    path: str
    sql: str
    reads: tuple[str, ...]


def read_models(target: Path) -> list[Model]:
    """Return the models in SQL that a dbt run has compiled, each after those that it reads.

    Models in Python are left out, and table macros: they are questions to DuckDB, no tables.

    Args:
        target: folder that dbt has written, with `manifest.json`.

    Raises:
        ExportError: there is no manifest, or a model in it is not compiled.
    """
    try:
        manifest = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
    except OSError as error:
        message = f"no compiled models in {target}: run `make transform` first, or name its folder by --target"
        raise ExportError(message) from error
    return models_of(manifest)


def models_of(manifest: Mapping[str, Any]) -> list[Model]:
    """Return the models in SQL of a manifest, each after those that it reads.

    Raises:
        ExportError: a model is not compiled.
    """
    nodes = {
        key: node
        for key, node in {**manifest["nodes"], **manifest["sources"]}.items()
        if node["resource_type"] in ("model", "seed", "source")
        and node["config"].get("materialized") != "table_function"
    }
    found = []
    for key in ordered(nodes):
        node = nodes[key]
        if node["resource_type"] != "model" or node["language"] != "sql":
            continue
        if not node.get("compiled_code"):
            raise ExportError(f"{node['name']} is not compiled in the manifest: run `make transform` first")
        reads = tuple(relation_name(nodes[one]) for one in node["depends_on"]["nodes"] if one in nodes)
        found.append(Model(node["name"], relation_name(node), node["path"], node["compiled_code"], reads))
    return found


def chain(models: Iterable[Model]) -> list[Model]:
    """Return the models from words to splits, in their order."""
    return [model for model in models if model.path.startswith(CHAIN)]


def inputs(models: Sequence[Model]) -> list[str]:
    """Return the relations that models read and none of them makes, sorted."""
    made = {model.relation for model in models}
    return sorted({read for model in models for read in model.reads} - made)


def model_seconds(target: Path, models: Iterable[Model]) -> dict[str, float]:
    """Return the seconds that DuckDB took for models, by relation, as a run of dbt has noted them."""
    try:
        results = json.loads((target / "run_results.json").read_text(encoding="utf-8"))["results"]
    except OSError:
        return {}
    relations = {model.name: model.relation for model in models}
    took = {str(one["unique_id"]).rpartition(".")[2]: one for one in results if one["status"] == "success"}
    return {relations[name]: float(one["execution_time"]) for name, one in took.items() if name in relations}
