"""Edges that are only read here; `make torture` takes all of them through models and export."""

from __future__ import annotations

from pathlib import Path

import pytest

from robust import edges

pytestmark = pytest.mark.robust


@pytest.mark.parametrize(
    ("name", "sentences"),
    [("no sentence", 0), ("one sentence", 1), ("all duplicates", 200), ("a sentence of 20,000 words", 7)],
)
def test_an_edge_is_read(name: str, sentences: int, tmp_path: Path) -> None:
    outcome = edges.run(name, tmp_path / "edge", is_modelled=False)
    assert not outcome.wrong, outcome.wrong
    assert outcome.stages["ingest"].code == 0, outcome.stages["ingest"].output
    assert outcome.sentences == sentences


def test_many_small_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(edges.EDGES, "many", lambda folder: edges.many_files(folder, 1_000))
    outcome = edges.run("many", tmp_path / "edge", is_modelled=False)
    assert not outcome.wrong, outcome.wrong
    assert outcome.sentences == 1_001
