"""Pairs for verification are balanced and of different works, and their measures are those of PAN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import Build
from score_fixture import header, write_predictions
from sklearn import metrics

from score.core.command import run
from score.core.edition import open_edition
from score.core.faults import ScoreError
from score.core.verification import Pair, make_pairs

CONFIGURATION = "work_held_out_10"


@pytest.fixture(scope="module")
def dataset(sample_build: Build) -> Path:
    return sample_build.hub


@pytest.fixture(scope="module")
def pairs(dataset: Path) -> list[Pair]:
    return make_pairs(open_edition(dataset), CONFIGURATION, "test")


def test_pairs_are_balanced_and_of_different_works(dataset: Path, pairs: list[Pair]) -> None:
    edition = open_edition(dataset)
    for split in ("train", "validation", "test"):
        made = make_pairs(edition, CONFIGURATION, split)
        known: dict[str, tuple[str, str | None]] = {}
        for part in {split, "train"}:
            columns = edition.read(CONFIGURATION, part, ("id", "author", "canonical_work"))
            known |= dict(
                zip(columns["id"], zip(columns["author"], columns["canonical_work"], strict=True), strict=True)
            )
        assert len(made) == len({pair.id for pair in made}) > 0
        assert 2 * sum(pair.is_same for pair in made) == len(made)
        for pair in made:
            (author, work), (other, beside) = known[pair.first], known[pair.second]
            assert (author == other) == pair.is_same
            assert work is not None
            assert work != beside
    tests = {pair.first for pair in pairs}
    assert all(sum(pair.first == name for pair in pairs) == 2 for name in tests)


def test_measures_are_those_of_pan(dataset: Path, pairs: list[Pair], tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    truth = np.array([pair.is_same for pair in pairs])
    values = np.clip(np.round(0.5 + 0.2 * (truth - 0.5) + random.normal(0, 0.2, len(pairs)), 1), 0, 1)
    assert (values == 0.5).any()
    lines = [
        {"id": pair.id, "value": None if value == 0.5 and number % 2 else float(value)}
        for number, (pair, value) in enumerate(zip(pairs, values, strict=True))
    ]
    path = write_predictions(tmp_path / "p.jsonl", [header(dataset, CONFIGURATION, "pairs/test"), *lines])
    _, record = run([str(path), "--edition", str(dataset)], None)
    (found,) = record["scores"]
    assert found["auc"]["value"] == pytest.approx(metrics.roc_auc_score(truth, values), abs=1e-6)
    assert found["brier"]["value"] == pytest.approx(metrics.brier_score_loss(truth, values), abs=1e-6)
    right = np.sum((values > 0.5) == truth, where=values != 0.5)
    none = np.sum(values == 0.5)
    assert found["c_at_1"]["value"] == pytest.approx((right + none * right / len(pairs)) / len(pairs), abs=1e-6)
    hits, false = np.sum((values > 0.5) & truth), np.sum((values > 0.5) & ~truth)
    missed = np.sum((values < 0.5) & truth)
    assert found["f_05_u"]["value"] == pytest.approx(
        1.25 * hits / (1.25 * hits + 0.25 * (missed + none) + false), abs=1e-6
    )
    for name in ("auc", "c_at_1", "f_05_u", "brier"):
        (interval,) = found[name]["intervals"]
        assert interval["clusters"] == found["works"] == len({pair.work for pair in pairs})
        assert interval["low"] < found[name]["value"] < interval["high"]
    text, _ = run([str(path), "--edition", str(dataset), "--table", "md"], None)
    assert "| auc |" in text


def test_pairs_are_of_held_out_tracks(dataset: Path) -> None:
    with pytest.raises(ScoreError) as caught:
        make_pairs(open_edition(dataset), "sentence_10", "test")
    assert caught.value.check == "pairs-held-out"


def test_a_value_has_to_be_a_share(dataset: Path, pairs: list[Pair], tmp_path: Path) -> None:
    lines = [{"id": pair.id, "value": 2} for pair in pairs]
    path = write_predictions(tmp_path / "p.jsonl", [header(dataset, CONFIGURATION, "pairs/test"), *lines])
    with pytest.raises(ScoreError, match=r"expected a value from 0 to 1, found 2"):
        run([str(path), "--edition", str(dataset)], None)


def test_few_works_have_no_interval(dataset: Path, tmp_path: Path) -> None:
    configuration = "tragedians_work_held_out_10"
    made = make_pairs(open_edition(dataset), configuration, "test")
    lines = [{"id": pair.id, "value": 1.0 if pair.is_same else 0.0} for pair in made]
    path = write_predictions(tmp_path / "p.jsonl", [header(dataset, configuration, "pairs/test"), *lines])
    text, record = run([str(path), "--edition", str(dataset)], None)
    (found,) = record["scores"]
    assert [found[name]["value"] for name in ("auc", "c_at_1", "f_05_u", "brier")] == [1.0, 1.0, 1.0, 0.0]
    assert "2 works are too few for an interval" in text
