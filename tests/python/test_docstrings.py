"""The examples in docstrings hold, in every room."""

from __future__ import annotations

import doctest
import importlib

import pytest
from conftest import ROOMS, ROOT

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for room in ROOMS
    for path in (ROOT / room).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
