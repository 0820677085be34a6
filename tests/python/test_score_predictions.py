"""Every check of a prediction file has an id, a row in docs/scoring.md, and here a file that breaks it and it alone."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from score_fixture import HELD_OUT, IN_WORK, answers, header, with_scores, write_dataset, write_predictions

from score.core.command import run
from score.core.faults import ScoreError

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("dataset"))


@pytest.fixture(scope="module")
def sound(dataset: Path) -> Lines:
    return [header(dataset), *with_scores(answers(dataset), ["Antiphon", "Demosthenes", "Lysias"])]


def changed(number: int, **values: Any) -> Callable[[Lines], Lines]:
    """A damage: other values in one line."""
    return lambda lines: [{**line, **(values if place == number else {})} for place, line in enumerate(lines)]


def without(number: int, key: str) -> Callable[[Lines], Lines]:
    """A damage: a line lacks a key."""
    return lambda lines: [
        {name: value for name, value in line.items() if place != number or name != key}
        for place, line in enumerate(lines)
    ]


def scored(number: int, scores: dict[str, float]) -> Callable[[Lines], Lines]:
    """A damage: other scores in one line."""
    return changed(number, scores=scores)


BROKEN: dict[str, list[tuple[Callable[[Lines], Lines], str]]] = {
    "prediction-header": [
        (without(0, "trained_on"), "expected 'trained_on', found no such key"),
        (changed(0, inputs="text"), "inputs: expected list, found 'text'"),
        (changed(0, format="sphragis-predictions-2"), "format: expected sphragis-predictions-1"),
        (changed(0, sytem="x"), "unknown key 'sytem'; is it system?"),
        (changed(0, system=" "), "system: expected a name"),
        (changed(0, system="a\x1b[31m"), r"found 'a\x1b[31m'"),
    ],
    "prediction-edition": [(changed(0, edition="0123456789abcdef"), "found '0123456789abcdef'")],
    "prediction-configuration": [(changed(0, configuration="sentences_10"), "is it sentence_10?")],
    "prediction-split": [(changed(0, split="tests"), "found 'tests'; is it test?")],
    "prediction-validation2": [
        (changed(0, split="validation2"), "combinations of models only"),
        (changed(0, selected_on=[f"{IN_WORK}/validation2"]), "combinations of models only"),
    ],
    "prediction-inputs": [
        (changed(0, inputs=["text", "work"]), "'work'"),
        (changed(0, inputs=["conllu_humans"]), "'conllu_humans'; is it conllu_human?"),
    ],
    "prediction-trained-on": [
        (changed(0, trained_on=[f"{IN_WORK}/train", f"{IN_WORK}/test"]), "has 27 of the 27 sentences"),
        (changed(0, trained_on=[f"{IN_WORK}/training"]), f"is it {IN_WORK}/train?"),
    ],
    "prediction-selected-on": [(changed(0, selected_on=[f"{IN_WORK}/test"]), "has 27 of the 27 sentences")],
    "prediction-row": [
        (changed(3, label="x"), "line 4: unknown key 'label'"),
        (without(3, "author"), "line 4: expected 'author'"),
        (changed(3, author=7), "line 4: expected a label or null, found 7"),
        (changed(3, id=None), "line 4: expected the id of a row"),
        (changed(3, scores={"Lysias": 1.5}), "line 4: expected a score from 0 to 1"),
    ],
    "prediction-repeated-id": [
        (lambda lines: [*lines, lines[3]], "line 29: sentence_10-antiphon-test-00002, first in")
    ],
    "prediction-unknown-id": [
        (changed(3, id="sentence_10-antiphon-tests-00002"), "is it sentence_10-antiphon-test-0000")
    ],
    "prediction-missing-id": [(lambda lines: lines[:-2], "expected 27 predictions, found 25")],
    "prediction-unknown-label": [(changed(3, author="Lysías"), "line 4: 'Lysías'; is it Lysias?")],
    "prediction-scores-all-or-none": [(without(3, "scores"), "line 4: sentence_10-antiphon-test-00002")],
    "prediction-scores-labels": [(scored(3, {"Lysías": 1.0}), "line 4: 'Lysías'; is it Lysias?")],
    "prediction-scores-sum": [
        (scored(3, {}), "line 4: 0"),
        (scored(3, {"Antiphon": 0.5, "Lysias": 0.1, "Demosthenes": 0.1}), "line 4: 0.7"),
    ],
    "prediction-scores-maximum": [
        (scored(3, {"Antiphon": 0.4, "Demosthenes": 0.4, "Lysias": 0.2}), "highest Antiphon, Demosthenes"),
        (scored(3, {"Antiphon": 0.0, "Demosthenes": 0.1, "Lysias": 0.9}), "author Antiphon, highest Lysias"),
    ],
}


def refused(path: Path, dataset: Path, *options: str) -> ScoreError:
    with pytest.raises(ScoreError) as caught:
        run([str(path), "--edition", str(dataset), *options], None)
    return caught.value


def test_the_sound_file_is_scored(dataset: Path, sound: Lines, tmp_path: Path) -> None:
    write_predictions(tmp_path / "p.jsonl", sound)
    _, record = run([str(tmp_path / "p.jsonl"), "--edition", str(dataset)], None)
    assert record["scores"][0]["rows"] == 27


@pytest.mark.parametrize(
    ("check", "damage", "told"), [(check, *each) for check, each_of in BROKEN.items() for each in each_of]
)
def test_a_damaged_file_is_refused(
    check: str, damage: Callable[[Lines], Lines], told: str, dataset: Path, sound: Lines, tmp_path: Path
) -> None:
    error = refused(write_predictions(tmp_path / "p.jsonl", damage(sound)), dataset)
    assert error.check == check
    assert told in str(error)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "found nothing"),
        (b"\xff\xfe", "expected UTF-8"),
        (b"{}\n[]\nx\n", "line 2: expected an object"),
        (b'{"format": NaN}\n', "NaN is no number"),
        (b'{"format": "a", "format": "b"}\n', "a key stands twice"),
        (b'{"format": "\\ud800"}\n', "surrogates not allowed"),
        (b"[" * 100_000, "expected one JSON object a line"),
    ],
)
def test_what_is_no_prediction_file_is_refused(content: bytes, told: str, dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_bytes(content)
    error = refused(tmp_path / "p.jsonl", dataset)
    assert error.check == "prediction-file"
    assert told in str(error)


def test_a_cut_gzip_file_is_refused(dataset: Path, sound: Lines, tmp_path: Path) -> None:
    text = "".join(json.dumps(line) + "\n" for line in sound)
    (tmp_path / "p.jsonl.gz").write_bytes(gzip.compress(text.encode())[:-30])
    assert refused(tmp_path / "p.jsonl.gz", dataset).check == "prediction-file"


def test_five_cases_are_shown_and_all_are_counted(dataset: Path, sound: Lines, tmp_path: Path) -> None:
    lines = [sound[0], *({**line, "author": "Plato"} for line in sound[1:])]
    error = refused(write_predictions(tmp_path / "p.jsonl", lines), dataset)
    assert len(str(error).splitlines()) == 7
    assert str(error).endswith("and 22 more: 27 in all")


def test_an_edition_that_was_changed_is_refused(sound: Lines, tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "dataset")
    path = folder / "data" / IN_WORK / "test-00000-of-00001.parquet"
    other = folder / "data" / IN_WORK / "validation-00000-of-00001.parquet"
    kept = path.read_bytes()
    path.write_bytes(other.read_bytes())
    error = refused(write_predictions(tmp_path / "p.jsonl", sound), folder)
    assert error.check == "edition-whole"
    (folder / "data" / IN_WORK / "train-00000-of-00001.parquet").write_bytes(b"PAR1")
    path.write_bytes(kept)
    assert "train-00000-of-00001.parquet cannot be read" in str(refused(tmp_path / "p.jsonl", folder))
    (folder / "SHA256SUMS").unlink()
    assert refused(tmp_path / "p.jsonl", folder).check == "edition-whole"


def test_missing_rows_are_wrong_by_choice_alone(dataset: Path, sound: Lines, tmp_path: Path) -> None:
    kept = [line for line in sound if not str(line.get("id", "")).endswith("00001")]
    whole = [{**line, "author": None} if str(line.get("id", "")).endswith("00001") else line for line in sound]
    write_predictions(tmp_path / "kept.jsonl", kept)
    write_predictions(tmp_path / "whole.jsonl", whole)
    assert refused(tmp_path / "kept.jsonl", dataset).check == "prediction-missing-id"
    options = [str(tmp_path / "kept.jsonl"), str(tmp_path / "whole.jsonl"), "--edition", str(dataset)]
    _, record = run([*options, "--missing", "wrong"], None)
    first, second = record["scores"]
    assert (first["missing"], first["abstained"]) == (3, 0)
    assert (second["missing"], second["abstained"]) == (0, 3)
    assert first["headline"] == second["headline"]


def test_a_combination_may_use_validation2(dataset: Path, tmp_path: Path) -> None:
    made = header(dataset, selected_on=[f"{IN_WORK}/validation2"], combines=["a", "b"])
    write_predictions(tmp_path / "p.jsonl", [made, *answers(dataset)])
    _, record = run([str(tmp_path / "p.jsonl"), "--edition", str(dataset)], None)
    assert record["scores"][0]["combines"] == ["a", "b"]


def test_a_csv_file_takes_its_header_from_options(dataset: Path, tmp_path: Path) -> None:
    lines = answers(dataset, HELD_OUT)
    with (tmp_path / "p.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "author"])
        writer.writerows([line["id"], line["author"]] for line in lines)
    write_predictions(tmp_path / "p.jsonl", [header(dataset, HELD_OUT), *lines])
    made = header(dataset, HELD_OUT)
    options = ["--made-on", made["edition"], "--configuration", HELD_OUT, "--split", "test", "--system", "a system"]
    options += ["--inputs", "text", "--trained-on", f"{HELD_OUT}/train", "--selected-on", f"{HELD_OUT}/validation"]
    options += ["--seed", "917"]
    _, of_csv = run([str(tmp_path / "p.csv"), "--edition", str(dataset), *options], None)
    _, of_json = run([str(tmp_path / "p.jsonl"), "--edition", str(dataset)], None)
    assert of_csv == of_json
    assert refused(tmp_path / "p.csv", dataset).check == "prediction-header"


def test_every_check_is_documented_and_broken() -> None:
    page = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([a-z0-9]+-[a-z0-9-]+)` \|", page, flags=re.MULTILINE))
    code = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "score").rglob("*.py")))
    raised = set(re.findall(r'"((?:prediction|edition|pairs|comparison|baseline|leaderboard)-[a-z0-9-]+)"', code))
    assert raised == documented
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_score_*.py")))
    assert {check for check in documented if f'"{check}"' not in tests} == set()
