"""Data walks through the house without going back, and no room holds more than one can read.

The order of the layers is that of `dbt_project.yml`, under `models`; the order of the rooms of the programs is `ROOMS`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOMS, ROOT, Build

LONGEST = 150
"""Lines of the longest model or macro: what is read in one sitting."""

LAYERS = [
    name
    for name in yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))["models"]["sphragis"]
    if not name.startswith("+")
]
"""Layers of the models, from the first to the last."""


def layer_of(node: dict[str, Any]) -> str | None:
    """Return the layer of a model; None for raw tables and seeds, which every layer may read."""
    return str(node["fqn"][1]) if node["resource_type"] == "model" else None


def arrows_back(order: Sequence[str], arrows: Iterable[tuple[str | None, str]]) -> list[str]:
    """Return the arrows (from what is read to who reads it) that run from a later layer to an earlier one."""
    return sorted(
        {f"{reader} reads {read}" for read, reader in arrows if read and order.index(read) > order.index(reader)}
    )


def imported(path: Path) -> set[str]:
    """Return the first names of everything that a module imports, at its top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def test_an_arrow_back_is_seen() -> None:
    order = ("staging", "benchmark", "hub")
    assert arrows_back(order, [(None, "staging"), ("staging", "staging"), ("benchmark", "hub")]) == []
    assert arrows_back(order, [("hub", "benchmark"), ("staging", "hub")]) == ["benchmark reads hub"]


def test_no_layer_reads_a_later_one(sample_build: Build) -> None:
    """Staging reads raw tables and seeds only, intermediate no public layer, and the public ones stand in no circle."""
    manifest = json.loads((sample_build.build / "target" / "manifest.json").read_text(encoding="utf-8"))
    nodes = manifest["nodes"] | manifest["sources"]
    arrows = {
        (layer_of(nodes[read]), str(layer_of(node)), f"{node['name']} reads {nodes[read]['name']}")
        for node in nodes.values()
        if node["resource_type"] == "model"
        for read in node["depends_on"]["nodes"]
    }
    assert {reader for _, reader, _ in arrows} == set(LAYERS)
    wrong = [told for read, reader, told in sorted(arrows, key=str) if arrows_back(LAYERS, [(read, reader)])]
    assert wrong == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_imports_from_a_later_one(room: str) -> None:
    later = {*ROOMS[ROOMS.index(room) + 1 :], "sphragis"}
    wrong = {str(path.relative_to(ROOT)): imported(path) & later for path in (ROOT / room).rglob("*.py")}
    assert wrong
    assert {path: names for path, names in wrong.items() if names} == {}


def test_the_reader_and_writer_of_trees_can_stand_alone() -> None:
    assert not imported(ROOT / "runtime" / "conllu.py") & {*ROOMS, "pyarrow", "duckdb"}


def test_no_model_or_macro_is_longer_than_one_reads() -> None:
    paths = [path for folder in ("models", "macros") for path in (ROOT / folder).rglob("*.sql")]
    lengths = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n") for path in paths}
    assert lengths
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST} == {}
