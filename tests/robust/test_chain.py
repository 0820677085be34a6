"""One batch of damaged sentences through readers and models: all are built, and each sentence has a fate."""

from __future__ import annotations

from pathlib import Path

import pytest

from robust import chain

pytestmark = pytest.mark.robust


def test_damaged_sentences_all_have_a_fate(tmp_path: Path) -> None:
    batch = chain.make(0, sentences=2)
    verdict = chain.run(batch, tmp_path / "batch", is_tested=False)
    assert not verdict.wrong, f"{verdict.wrong}\n{verdict.output[-3000:]}"
    assert verdict.is_built
    assert batch.damaged > 100
    assert sum(verdict.fates.values()) == verdict.sentences > 200
