"""Figures are those of an independent implementation, and follow from what is predicted alone."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from score_fixture import AUTHORS, HELD_OUT, IN_WORK, answers, header, with_scores, write_dataset, write_predictions
from sklearn import metrics

from score.core.command import FLOOR, run
from score.core.edition import open_edition


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("dataset"))


def score(dataset: Path, path: Path, lines: list[dict[str, Any]]) -> dict[str, Any]:
    _, record = run([str(write_predictions(path, lines)), "--edition", str(dataset)], None)
    found: dict[str, Any] = record["scores"][0]
    return found


def truth_of(dataset: Path, configuration: str) -> list[str]:
    rows = open_edition(dataset).rows(configuration, "test")
    return [rows.labels[place] for place in rows.truth]


def test_figures_are_those_of_scikit_learn(dataset: Path, tmp_path: Path) -> None:
    lines = with_scores(answers(dataset), AUTHORS)
    found = score(dataset, tmp_path / "p.jsonl", [header(dataset), *lines])
    truth, labels = truth_of(dataset, IN_WORK), [line["author"] for line in lines]
    table = np.array([[line["scores"][author] for author in AUTHORS] for line in lines])
    assert found["headline"]["name"] == "macro-F1"
    assert found["headline"]["value"] == pytest.approx(metrics.f1_score(truth, labels, average="macro"), abs=1e-6)
    assert found["accuracy"]["value"] == pytest.approx(metrics.accuracy_score(truth, labels), abs=1e-6)
    precision, recall, f1, rows = metrics.precision_recall_fscore_support(truth, labels, labels=AUTHORS)
    for place, row in enumerate(found["authors"]):
        assert row["precision"] == pytest.approx(precision[place], abs=1e-6)
        assert row["recall"] == pytest.approx(recall[place], abs=1e-6)
        assert row["f1"] == pytest.approx(f1[place], abs=1e-6)
        assert row["rows"] == rows[place]
    confusion = np.array(found["confusion"]["rows_true_columns_predicted_last_none"])
    assert (confusion[:, :-1] == metrics.confusion_matrix(truth, labels, labels=AUTHORS)).all()
    probabilities = found["probabilities"]
    assert probabilities["log_loss"] == pytest.approx(metrics.log_loss(truth, table, labels=AUTHORS), abs=1e-6)
    one_hot = np.array([[author == name for name in AUTHORS] for author in truth])
    assert probabilities["brier"] == pytest.approx(((table - one_hot) ** 2).sum(axis=1).mean(), abs=1e-6)
    sure, right = table.max(axis=1), np.array(truth) == np.array(labels)
    gaps = [
        abs(sure[chosen].mean() - right[chosen].mean()) * chosen.mean()
        for low in np.arange(10) / 10
        if (chosen := (sure >= low) & (sure < low + 0.1)).any()
    ]
    assert probabilities["calibration_error"] == pytest.approx(sum(gaps), abs=1e-6)
    # The last lines are the surest.
    assert probabilities["risk"][0]["error"] == pytest.approx(1 - right[-7:].mean(), abs=1e-6)
    assert probabilities["risk"][-1]["error"] == pytest.approx(1 - right.mean(), abs=1e-6)


def test_held_out_headline_is_the_mean_over_rival_works(dataset: Path, tmp_path: Path) -> None:
    lines = answers(dataset, HELD_OUT)
    found = score(dataset, tmp_path / "p.jsonl", [header(dataset, HELD_OUT), *lines])
    truth = truth_of(dataset, HELD_OUT)
    right: dict[str, list[bool]] = {}
    for author, line in zip(truth, lines, strict=True):
        right.setdefault(author, []).append(author == line["author"])
    shares = [float(np.mean(right[author])) for author in sorted(right)]
    means = found["mean_over_works"]
    assert found["headline"]["name"] == "mean over rival works"
    assert found["headline"]["value"] == means["rival"]["value"] == pytest.approx(np.mean(shares[:5]), abs=1e-6)
    assert means["singleton"]["value"] == pytest.approx(np.mean(shares[5:]), abs=1e-6)
    assert means["all"]["value"] == pytest.approx(np.mean(shares), abs=1e-6)
    assert (means["rival"]["works"], means["singleton"]["works"]) == (5, 2)
    assert [found_of["low"] for found_of in means["singleton"]["intervals"]] == [None]
    assert [work["title"] for work in found["works"]] == [f"Work of Author {place}" for place in range(7)]


def test_a_constant_system_scores_the_majority_row(dataset: Path, tmp_path: Path) -> None:
    for configuration in (IN_WORK, HELD_OUT):
        rows = open_edition(dataset).rows(configuration, "test")
        label = rows.labels[rows.majority]
        lines = [{"id": name, "author": label} for name in rows.ids]
        found = score(dataset, tmp_path / "p.jsonl", [header(dataset, configuration), *lines])
        assert found["majority"] == {
            "label": label,
            "accuracy": found["accuracy"]["value"],
            "macro_f1": found["macro_f1"]["value"],
            "headline": found["headline"]["value"],
        }


def test_lines_in_another_order_give_the_same_bytes(dataset: Path, tmp_path: Path) -> None:
    lines = with_scores(answers(dataset), AUTHORS)
    other = lines.copy()
    random.Random(1).shuffle(other)
    assert other != lines
    for name, each in (("first", lines), ("second", other)):
        path = write_predictions(tmp_path / "p.jsonl", [header(dataset), *each])
        run([str(path), "--edition", str(dataset), "--json", str(tmp_path / name)], None)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_an_abstention_is_wrong_but_for_c_at_1(dataset: Path, tmp_path: Path) -> None:
    lines = answers(dataset)
    silent = [{**line, "author": None if number % 3 == 0 else line["author"]} for number, line in enumerate(lines)]
    loud = score(dataset, tmp_path / "p.jsonl", [header(dataset), *lines])
    quiet = score(dataset, tmp_path / "p.jsonl", [header(dataset), *silent])
    assert (loud["abstained"], quiet["abstained"]) == (0, 9)
    assert quiet["accuracy"]["value"] == loud["accuracy"]["value"] == loud["c_at_1"]
    assert quiet["c_at_1"] == pytest.approx((18 + 9 * 18 / 27) / 27, abs=1e-6)


def test_rows_of_disputed_authenticity_can_be_left_out(dataset: Path, tmp_path: Path) -> None:
    rows = open_edition(dataset).rows(HELD_OUT, "test")
    wrong = {name for name, is_noted in zip(rows.ids, rows.noted, strict=True) if is_noted}
    assert len(wrong) == 2
    lines = [
        {"id": name, "author": rows.labels[(truth + (name in wrong)) % 7]}
        for name, truth in zip(rows.ids, rows.truth, strict=True)
    ]
    found = score(dataset, tmp_path / "p.jsonl", [header(dataset, HELD_OUT), *lines])
    assert found["accuracy"]["value"] < 1
    assert found["without_noted_passages"] == {
        "rows": len(rows.ids) - 2,
        "noted_rows": 2,
        "headline": 1.0,
        "accuracy": 1.0,
    }
    told = f"1.000   {len(rows.ids) - 2} rows; 2 with a passage of disputed authenticity are left out\n"
    assert told in run([str(tmp_path / "p.jsonl"), "--edition", str(dataset)], None)[0]
    # In validation no row has such a passage, and nothing is told of it.
    lines = answers(dataset, HELD_OUT, "validation")
    made = [header(dataset, HELD_OUT, "validation", selected_on=[]), *lines]
    assert score(dataset, tmp_path / "p.jsonl", made)["without_noted_passages"] is None
    assert "noted passages" not in run([str(tmp_path / "p.jsonl"), "--edition", str(dataset)], None)[0]


def test_parts_add_up(dataset: Path, tmp_path: Path) -> None:
    found = score(dataset, tmp_path / "p.jsonl", [header(dataset), *answers(dataset)])
    right = found["accuracy"]["value"] * found["rows"]
    for part in ("by_length", "works"):
        assert sum(row["rows"] for row in found[part]) == found["rows"]
        assert sum(row["accuracy"] * row["rows"] for row in found[part]) == pytest.approx(right, abs=1e-4)
    assert found["mixed_chunks"]["rows"] == 3
    assert [row["words_from"] for row in found["by_length"]] == sorted(row["words_from"] for row in found["by_length"])


def test_the_floor_is_a_paired_distance(dataset: Path, tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "dataset")
    floor = folder / FLOOR.format(configuration=IN_WORK)
    floor.parent.mkdir(parents=True)
    worse = answers(folder, is_right=lambda number: number % 2 > 0)
    path = write_predictions(tmp_path / "p.jsonl", [header(folder, system="floor"), *worse])
    floor.write_bytes(path.read_bytes())
    found = score(folder, tmp_path / "p.jsonl", [header(folder), *answers(folder)])
    distance = found["above_floor"]
    assert distance["difference"] == pytest.approx(found["headline"]["value"] - distance["floor"], abs=1e-5)
    assert distance["interval"]["low"] < distance["difference"] < distance["interval"]["high"]
    assert score(dataset, tmp_path / "p.jsonl", [header(dataset), *answers(dataset)])["above_floor"] is None


def test_figures_are_rounded_and_hold_no_path(dataset: Path, tmp_path: Path) -> None:
    path = write_predictions(tmp_path / "p.jsonl", [header(dataset), *answers(dataset)])
    text, record = run([str(path), "--edition", str(dataset), "--json", "-"], None)
    assert json.loads(text) == record
    assert str(tmp_path) not in text
    assert all(len(number.split(".")[1]) <= 6 for number in re.findall(r"\d\.\d+", text))
