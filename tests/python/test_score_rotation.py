"""The rotation of the sample: every work that could be held out is, once, and nothing of it trains."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Build
from score_fixture import header, write_predictions

from runtime.checkout import project_variables
from score.core.command import run
from score.core.edition import ROTATION_FILE, SPLITS, Edition, open_edition
from score.core.faults import ScoreError
from score.rotation import Sentence, divide, eligible, repetitions, write_rotation

RULES = project_variables(ROOT)
SIZES = (1, 5, 10)


@pytest.fixture(scope="module")
def dataset(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of the sample with a rotation."""
    folder = tmp_path_factory.mktemp("dataset")
    (folder / "data").symlink_to(sample_build.hub.resolve() / "data")
    (folder / "metadata").mkdir()
    (folder / "SHA256SUMS").write_bytes((sample_build.hub / "SHA256SUMS").read_bytes())
    write_rotation(open_edition(folder), RULES)
    return folder


@pytest.fixture(scope="module")
def rotation(dataset: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((dataset / ROTATION_FILE).read_text(encoding="utf-8"))
    return found


def rows_of(edition: Edition, configuration: str) -> dict[str, tuple[str, str | None, tuple[str, ...]]]:
    """For each row its author, work and sentences."""
    found = {}
    for split in SPLITS:
        columns = edition.read(configuration, split, ("id", "author", "canonical_work", "constituent_ids"))
        members = columns.get("constituent_ids", [[name] for name in columns["id"]])
        for name, author, work, each in zip(
            columns["id"], columns["author"], columns["canonical_work"], members, strict=True
        ):
            found[name] = (author, work, tuple(each))
    return found


def folds_of(rotation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for track, found in rotation["tracks"].items():
        for fold in found["folds"]:
            yield track, fold


def test_every_work_is_held_out_once_or_has_a_reason(dataset: Path, rotation: dict[str, Any]) -> None:
    edition = open_edition(dataset)
    assert set(rotation["tracks"]) == {"work_held_out", "tragedians_work_held_out", "attic_orators_work_held_out"}
    for track, found in rotation["tracks"].items():
        held_out = Counter(work["work"] for fold in found["folds"] for work in fold["held_out"])
        assert set(held_out.values()) == {1}
        never = {row["work"] for row in found["never_held_out"]}
        works = {work for _, work, _ in rows_of(edition, f"{track}_1").values()}
        assert set(held_out) | never == works
        assert not set(held_out) & never


def test_the_first_fold_is_the_test_split_of_the_track(dataset: Path, rotation: dict[str, Any]) -> None:
    edition = open_edition(dataset)
    for track, found in rotation["tracks"].items():
        for size in SIZES:
            ids = edition.read(f"{track}_{size}", "test", ("id",))["id"]
            assert found["folds"][0]["rows"][str(size)]["test"] == sorted(ids)


def test_a_fold_tests_whole_works_and_trains_on_none_of_their_sentences(
    dataset: Path, rotation: dict[str, Any]
) -> None:
    edition = open_edition(dataset)
    rows = {(track, size): rows_of(edition, f"{track}_{size}") for track in rotation["tracks"] for size in SIZES}
    for track, fold in folds_of(rotation):
        works = {work["work"] for work in fold["held_out"]}
        sentences = {name for name, (_, work, _) in rows[track, 1].items() if work in works}
        unseen = sentences | set(fold["repeating_sentences"])
        for size in SIZES:
            known = rows[track, size]
            test, left_out = (set(fold["rows"][str(size)][name]) for name in ("test", "left_out"))
            assert test == {name for name, (_, work, _) in known.items() if work in works}
            trained = {each for name in known.keys() - test - left_out for each in known[name][2]}
            assert not trained & unseen
            # Nothing is left out without need.
            assert all(unseen & set(known[name][2]) for name in left_out)
            # Every author is still there to be learnt.
            assert {known[name][0] for name in known.keys() - test - left_out} == {row[0] for row in known.values()}


def sentence(name: str, work: str, text: str, author: str = "Antiphon", **more: str) -> Sentence:
    return Sentence(name, author, work, work, more.get("project", "gorman"), more.get("split", "train"), text)


def test_a_doublet_of_one_author_does_not_train() -> None:
    doublet = "τοὺς μὲν νόμους οἳ κεῖνται περὶ τῶν τοιούτων πάντας ἂν οἶμαι ὁμολογῆσαι"
    sentences = [
        sentence("a", "5", doublet),
        sentence("b", "6", doublet.replace("πάντας", "πάντες")),
        sentence("c", "6", "ἄλλο τι πᾶν ἐστιν ὃ λέγω νῦν ὑμῖν"),
        sentence("d", "5", doublet),
    ]
    assert repetitions(sentences, RULES) == {"a": {"b"}, "b": {"a", "d"}, "d": {"b"}}
    assert divide([("x", "5", ["a"]), ("y", "6", ["b", "c"]), ("z", "6", ["c"])], {"5"}, {"a", "b"}) == {
        "test": ["x"],
        "left_out": ["y"],
    }


def test_repetitions_are_those_of_a_plain_comparison() -> None:
    words = ["αγω", "βαινω", "γραφω", "δεχομαι", "εχω"]
    texts = [" ".join(words[(place * step + step) % 5] for place in range(9)) for step in range(1, 9)]
    sentences = [sentence(str(number), str(number % 3), text) for number, text in enumerate(texts)]

    def grams(text: str) -> set[tuple[str, ...]]:
        each = text.split()
        return {tuple(each[start : start + 4]) for start in range(len(each) - 3)}

    expected: dict[str, set[str]] = {}
    for first, second in combinations(sentences, 2):
        shared = grams(first.text) & grams(second.text)
        smaller = min(len(grams(first.text)), len(grams(second.text)))
        if first.work != second.work and len(shared) >= 3 and 2 * len(shared) >= smaller:
            expected.setdefault(first.id, set()).add(second.id)
            expected.setdefault(second.id, set()).add(first.id)
    assert expected
    assert repetitions(sentences, RULES) == expected


def test_why_a_work_is_never_held_out() -> None:
    counts = {"own": 60, "short": 49, "long": 400, "other": 60, "apart": 60}
    projects = dict.fromkeys(counts, "gorman") | {"apart": "agdt"}
    splits = dict.fromkeys(counts, "train") | {"own": "test"}
    sentences = [
        sentence(f"{work}-{number}", work, "", project=projects[work], split=splits[work])
        for work, count in counts.items()
        for number in range(count)
    ]
    works, reasons = eligible(sentences, RULES)
    assert works["Antiphon"] == ["own", "other"]
    assert set(reasons) == {"short", "long", "apart"}
    assert "fewer than 50" in reasons["short"]
    assert "too large a share" in reasons["long"]
    assert "no project in common" in reasons["apart"]


def test_predictions_for_all_folds_are_scored(dataset: Path, tmp_path: Path) -> None:
    configuration = "work_held_out_10"
    rows = open_edition(dataset).rows(configuration, "rotation")
    made = header(dataset, configuration, "rotation", trained_on=[f"{configuration}/rotation"])
    lines = [
        {"id": name, "author": rows.labels[truth if number % 4 else 0]}
        for number, (name, truth) in enumerate(zip(rows.ids, rows.truth, strict=True))
    ]
    path = write_predictions(tmp_path / "p.jsonl", [made, *lines])
    _, record = run([str(path), "--edition", str(dataset)], None)
    (found,) = record["scores"]
    works = [work for fold in open_edition(dataset).rotation(configuration) for work in fold["held_out"]]
    assert found["headline"]["name"] == "mean over works"
    assert found["headline"]["works"] == len(works)
    assert {work["work"] for work in found["works"]} == {work["work"] for work in works}
    assert found["mean_over_works"]["mean_over_authors"]["authors"] == len({work["author"] for work in works})
    wrong = write_predictions(tmp_path / "q.jsonl", [{**made, "trained_on": [f"{configuration}/train"]}, *lines])
    with pytest.raises(ScoreError) as caught:
        run([str(wrong), "--edition", str(dataset)], None)
    assert caught.value.check == "prediction-trained-on"


def test_an_edition_without_rotation_says_so(sample_build: Build, tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(sample_build.hub.resolve() / "data")
    (tmp_path / "SHA256SUMS").write_bytes((sample_build.hub / "SHA256SUMS").read_bytes())
    with pytest.raises(ScoreError) as caught:
        open_edition(tmp_path).rows("work_held_out_10", "rotation")
    assert caught.value.check == "prediction-split"
