"""Two systems on the same rows, in words and in numbers; tables for people and for model cards."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from huggingface_hub.repocard_data import model_index_to_eval_results
from score_fixture import HELD_OUT, IN_WORK, answers, header, write_dataset, write_predictions

from score.core.command import run
from score.core.faults import ScoreError


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("dataset"))


@pytest.fixture(scope="module")
def files(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Predictions: `all` always right, `many` in two rows of three, `none` never."""
    folder = tmp_path_factory.mktemp("files")
    found = {}
    for configuration in (IN_WORK, HELD_OUT):
        for name, is_right in (("all", lambda n: True), ("many", lambda n: n % 3 > 0), ("none", lambda n: False)):
            lines = answers(dataset, configuration, is_right=is_right)
            made = [header(dataset, configuration, system=name), *lines]
            found[f"{configuration} {name}"] = write_predictions(folder / f"{configuration}-{name}.jsonl", made)
    return found


def compared(dataset: Path, files: dict[str, Path], against: str, *names: str) -> list[dict[str, Any]]:
    paths = [str(files[name]) for name in names]
    _, record = run([*paths, "--edition", str(dataset), "--against", str(files[against])], None)
    found: list[dict[str, Any]] = record["comparisons"]
    return found


def test_differences_by_work_and_their_mean(dataset: Path, files: dict[str, Path]) -> None:
    (found,) = compared(dataset, files, f"{HELD_OUT} none", f"{HELD_OUT} many")
    assert found["headline"] == "mean over rival works"
    assert found["difference"] == pytest.approx(np.mean([row["difference"] for row in found["by_work"]]), abs=1e-5)
    assert (found["works"], found["wins"], found["losses"]) == (5, 5, 0)
    # Five works can all differ in one direction by chance in two of 32 cases.
    assert found["probability"] == pytest.approx(2 / 32)
    assert found["verdict"] == "many and none cannot be told apart on 5 works"


def test_in_work_systems_are_told_apart(dataset: Path, files: dict[str, Path]) -> None:
    found = compared(dataset, files, f"{IN_WORK} none", f"{IN_WORK} all", f"{IN_WORK} many")
    assert found[0]["difference"] == 1.0
    assert found[1]["interval"]["authors_with_one_work"] == 0
    assert found[0]["verdict"] == "all is better than none on 12 works by 1.000"
    assert found[1]["mcnemar_for_these_works_only"]["only_system_right"] == 18
    assert found[1]["probability_holm"] >= found[1]["probability"]
    assert [each["comparisons"] for each in found] == [2, 2]


def test_the_order_of_two_systems_changes_the_sign_alone(dataset: Path, files: dict[str, Path]) -> None:
    (there,) = compared(dataset, files, f"{HELD_OUT} many", f"{HELD_OUT} all")
    (back,) = compared(dataset, files, f"{HELD_OUT} all", f"{HELD_OUT} many")
    assert there["difference"] == -back["difference"]
    assert there["interval"]["low"] == -back["interval"]["high"]
    assert there["probability"] == back["probability"]


def test_systems_on_other_rows_are_not_compared(dataset: Path, files: dict[str, Path]) -> None:
    with pytest.raises(ScoreError) as caught:
        compared(dataset, files, f"{HELD_OUT} all", f"{IN_WORK} all")
    assert caught.value.check == "comparison-same-rows"


def test_text_names_what_was_resampled(dataset: Path, files: dict[str, Path]) -> None:
    text, _ = run([str(files[f"{HELD_OUT} many"]), "--edition", str(dataset)], None)
    assert "5 works, t" in text
    assert "rows of these 5 works" in text
    assert "2 works are too few for an interval: look at each of them" in text
    assert "Work of Author 6: " in text


def test_tables_have_a_row_per_file(dataset: Path, files: dict[str, Path]) -> None:
    paths = [str(path) for path in files.values()]
    text, record = run([*paths, "--edition", str(dataset), "--table", "csv"], None)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["system"] for row in rows] == ["all", "many", "none"] * 2
    assert float(rows[1]["value"]) == record["scores"][1]["headline"]["value"]
    text, _ = run([*paths, "--edition", str(dataset), "--table", "md"], None)
    assert len({line.count("|") for line in text.splitlines()}) == 1


def test_the_model_index_is_what_the_hub_reads(dataset: Path, files: dict[str, Path]) -> None:
    options = ["--edition", str(dataset), "--model-index", "owner/sphragis"]
    text, record = run([str(files[f"{HELD_OUT} many"]), str(files[f"{IN_WORK} many"]), *options], None)
    (entry,) = yaml.safe_load(text)["model-index"]
    assert entry["name"] == "many"
    first = entry["results"][0]
    assert first["task"]["type"] == "text-classification"
    assert (first["dataset"]["type"], first["dataset"]["config"]) == ("owner/sphragis", HELD_OUT)
    assert first["metrics"][0]["value"] == record["scores"][0]["headline"]["value"]
    assert len(model_index_to_eval_results(yaml.safe_load(text)["model-index"])[1]) == 4
