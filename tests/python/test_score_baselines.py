"""Baselines write ordinary prediction files, learn from training rows alone, and write the same bytes every time."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, Build

from runtime.checkout import project_variables
from score.baselines.material import Material
from score.baselines.models import BASELINES, of_head
from score.baselines.run import Runner, choose, predictions, run_all, run_one, shares, system_name, write_text
from score.baselines.stored import scores
from score.core.command import FLOOR, run, score_file
from score.core.edition import SPLITS, Edition, open_edition
from score.core.faults import ScoreError
from score.leaderboard import as_markdown, make, read_systems, write
from score.rotation import write_rotation

TRACK = "attic_orators_work_held_out_10"


@pytest.fixture(scope="module")
def dataset(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of the sample, with a rotation and with the baselines of four configurations."""
    folder = tmp_path_factory.mktemp("dataset")
    (folder / "data").mkdir()
    kept = ("attic_orators_10", "attic_orators_work_held_out_1", "attic_orators_work_held_out_5", TRACK)
    for name in kept:
        (folder / "data" / name).symlink_to(sample_build.hub.resolve() / "data" / name)
    sums = (sample_build.hub / "SHA256SUMS").read_text(encoding="utf-8").splitlines(keepends=True)
    sums = [line for line in sums if any(f"  data/{name}/" in line for name in kept)]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    (folder / "metadata").mkdir()
    write_rotation(open_edition(folder), project_variables(ROOT))
    of_all, of_these = (open_edition(place).fingerprint for place in (sample_build.hub, folder))
    for name in kept:
        floor = FLOOR.format(configuration=name)
        (folder / floor).parent.mkdir(exist_ok=True)
        text = (sample_build.hub / floor).read_text(encoding="utf-8")
        (folder / floor).write_text(text.replace(of_all, of_these), encoding="utf-8")
    run_all(folder, folder / "metadata" / "baselines", lambda line: None)
    return folder


@pytest.fixture(scope="module")
def edition(dataset: Path) -> Edition:
    return open_edition(dataset)


def test_all_baselines_are_stored_for_every_input_and_score(dataset: Path, edition: Edition) -> None:
    stored = dataset / "metadata" / "baselines"
    expected = {system_name(name, column) for name, each in BASELINES.items() for column in each.inputs or (None,)}
    # The lemmas of both layers are the same.
    assert {path.name for path in stored.iterdir()} == expected - {"lemma-conllu_machine"}
    for place in sorted(stored.iterdir()):
        files = {path.name for path in place.iterdir()}
        assert files == {"attic_orators_10.jsonl.gz", f"{TRACK}.jsonl.gz", f"{TRACK}-rotation.jsonl.gz"}
        for path in sorted(place.iterdir()):
            found = score_file(path, edition)[1]
            assert found["system"] == place.name
            assert found["above_floor"] is not None
            # In a fold another author may have most rows.
            if place.name == "majority" and "rotation" not in path.name:
                assert found["majority"]["headline"] == found["headline"]["value"]


def test_the_same_bytes_every_run(dataset: Path, edition: Edition, tmp_path: Path) -> None:
    for name in ("char", "markup", "delta"):
        baseline, column = choose(name, None)
        text = predictions(Runner(Material(edition, TRACK), baseline, column), "test")
        write_text(tmp_path / "p.jsonl.gz", text)
        stored = dataset / "metadata" / "baselines" / system_name(name, column) / f"{TRACK}.jsonl.gz"
        assert (tmp_path / "p.jsonl.gz").read_bytes() == stored.read_bytes()


@pytest.mark.parametrize("name", sorted(BASELINES))
def test_nothing_is_learnt_from_test_rows(name: str, edition: Edition) -> None:
    baseline, column = choose(name, None)
    plain, blind = Material(edition, TRACK), Material(edition, TRACK)
    for split in ("test", "validation2"):
        blind.authors[blind.split == split] = "Demosthenes"
    assert predictions(Runner(plain, baseline, column), "test") == predictions(Runner(blind, baseline, column), "test")


def test_the_setting_is_chosen_by_validation(edition: Edition) -> None:
    baseline, column = choose("word", None)
    runner = Runner(Material(edition, TRACK), baseline, column)
    chosen = runner.setting()
    train, validation = runner.places("train"), runner.places("validation")
    right = [
        float((runner.predict(train, validation, each).labels == runner.material.authors[validation]).mean())
        for each in baseline.settings
    ]
    assert chosen in baseline.settings
    assert right[baseline.settings.index(chosen)] >= np.median(right)


def test_another_size_takes_the_setting_that_rows_of_ten_have_chosen(edition: Edition) -> None:
    baseline, column = choose("delta", None)
    chooser = Runner(Material(edition, TRACK), baseline, column)
    other = TRACK.replace("_10", "_5")
    runner = Runner(Material(edition, other), baseline, column, chosen_by=chooser)
    assert runner.setting() is chooser.setting()
    head = json.loads(predictions(runner, "test").splitlines()[0])
    assert (head["configuration"], head["trained_on"]) == (other, [f"{other}/train"])
    assert head["selected_on"] == [f"{TRACK}/validation"]


def test_scores_of_all_are_those_of_each(dataset: Path, edition: Edition) -> None:
    place = dataset / "metadata" / "baselines"
    found = scores(edition, place)
    assert len(found["scores"]) == len(list(place.glob("*/*.gz")))
    for record in found["scores"][:3]:
        end = "" if record["split"] == "test" else f"-{record['split']}"
        assert record == score_file(place / record["system"] / f"{record['configuration']}{end}.jsonl.gz", edition)[1]
    best = {(one["configuration"], one["split"], one["system"]) for one in found["against_the_best"]}
    assert len(best) == 3, "one best system for each set of rows"
    for configuration, split, system in best:
        rows = [one for one in found["scores"] if (one["configuration"], one["split"]) == (configuration, split)]
        assert max(rows, key=lambda one: one["headline"]["value"])["headline"] == next(
            one["headline"] for one in rows if one["system"] == system
        )


def test_a_fold_of_the_rotation_is_predicted_by_a_model_of_its_own(edition: Edition, monkeypatch: Any) -> None:
    baseline, column = choose("majority", None)
    runner = Runner(Material(edition, TRACK), baseline, column)
    seen: list[tuple[set[str], set[str]]] = []
    ids = np.array(runner.material.ids)
    plain = runner.predict

    def watched(train: Any, test: Any, setting: Any) -> Any:
        seen.append((set(ids[train]), set(ids[test])))
        return plain(train, test, setting)

    monkeypatch.setattr(runner, "predict", watched)
    list(runner.lines("rotation"))
    folds = edition.rotation(TRACK)
    assert [test for _, test in seen] == [set(fold["test"]) for fold in folds]
    assert all(not train & {*fold["test"], *fold["left_out"]} for (train, _), fold in zip(seen, folds, strict=True))


def test_tokens_are_those_of_the_rows(edition: Edition) -> None:
    material = Material(edition, TRACK)
    tokens = material.tokens("conllu_human")
    place = material.ids.index(edition.rows(TRACK, "test").ids[0])
    chosen = np.flatnonzero(tokens.row == place)
    forms = [tokens.values["form"][code] for code in tokens.codes["form"][chosen]]
    assert " ".join(forms) == material.texts("text")[place].replace("\n", " ")
    heads = tokens.head[chosen]
    assert np.count_nonzero(heads == -1) == 10
    assert set(heads[heads >= 0]) <= set(chosen)
    assert of_head(tokens, tokens.codes["upos"])[chosen[0]] >= 0
    assert sorted(set(material.split)) == sorted(SPLITS)


def test_the_label_has_the_only_highest_score() -> None:
    classes = np.array(["a", "b", "c"])
    assert shares(classes, np.array([0.4, 0.4, 0.2]), "b") == {"a": 0.4, "b": 0.400001, "c": 0.2}


@pytest.mark.parametrize(
    ("name", "column", "check", "told"),
    [
        ("chars", None, "baseline-name", "is it char?"),
        ("char", "conllu_human", "baseline-input", "char looks at text, text_distorted"),
        ("majority", "text", "baseline-input", "majority looks at nothing"),
    ],
)
def test_what_is_no_baseline_is_refused(name: str, column: str | None, check: str, told: str) -> None:
    with pytest.raises(ScoreError) as caught:
        choose(name, column)
    assert caught.value.check == check
    assert told in str(caught.value)


def test_a_layer_that_is_not_there_is_refused(edition: Edition, monkeypatch: Any) -> None:
    monkeypatch.setattr(Material, "has", lambda material, column: False)
    with pytest.raises(ScoreError, match="built without a machine layer"):
        run_one(edition.folder, "markup", TRACK, "conllu_machine", "test")


def copied(source: Path, target: Path, system: str, *names: str) -> Path:
    """Copy prediction files of a baseline as those of another system."""
    target.mkdir(parents=True)
    for name in names:
        lines = gzip.decompress((source / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
        head = {**json.loads(lines[0]), "system": system}
        (target / f"{name}.jsonl").write_text("\n".join([json.dumps(head), *lines[1:]]) + "\n", encoding="utf-8")
    return target.parent


def test_the_leaderboard_ranks_and_says_who_ties(dataset: Path, edition: Edition, tmp_path: Path) -> None:
    stored = dataset / "metadata" / "baselines"
    systems = tmp_path / "systems"
    copied(stored / "char-text", systems / "mine", "mine | <b>", TRACK, f"{TRACK}-rotation", "attic_orators_10")
    copied(stored / "word-text", systems / "part", "part", TRACK)
    for name in ("first", "second"):
        write(make(edition, read_systems([stored, systems], edition)), tmp_path / name)
    for name in ("leaderboard.md", "leaderboard.json", "leaderboard.html"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
    board = json.loads((tmp_path / "first" / "leaderboard.json").read_text(encoding="utf-8"))
    assert [table["configuration"] for table in board["tables"]] == ["attic_orators_10", TRACK]
    rows = {row["system"]: row for row in board["tables"][1]["rows"]}
    assert rows["mine | <b>"]["rank"] == rows["char-text"]["rank"]
    assert rows["mine | <b>"]["gap"] == pytest.approx(rows["mine | <b>"]["twin"] - rows["mine | <b>"]["test"], abs=1e-5)
    # Without the rotation there is no rank, without the twin no gap.
    assert (rows["part"]["rank"], rows["part"]["headline"], rows["part"]["gap"]) == (None, None, None)
    assert board["tables"][1]["rows"][-1]["system"] == "part"
    ranked = [row for row in board["tables"][1]["rows"] if row["rank"] is not None]
    assert [row["headline"] for row in ranked] == sorted((row["headline"] for row in ranked), reverse=True)
    page = (tmp_path / "first" / "leaderboard.html").read_text(encoding="utf-8")
    assert "mine | &lt;b&gt;" in page
    assert "mine \\| <b>" in as_markdown(board)


def test_a_leaderboard_refuses_what_it_cannot_place(dataset: Path, edition: Edition, tmp_path: Path) -> None:
    stored = dataset / "metadata" / "baselines"
    copied(stored / "word-text", tmp_path / "twice" / "a", "word-text", TRACK)
    with pytest.raises(ScoreError) as caught:
        read_systems([stored, tmp_path / "twice"], edition)
    assert caught.value.check == "leaderboard-one-file"
    with pytest.raises(ScoreError) as caught:
        read_systems([tmp_path / "none"], edition)
    assert caught.value.check == "leaderboard-folder"
    broken = copied(stored / "word-text", tmp_path / "broken" / "a", "a", TRACK) / "a" / f"{TRACK}.jsonl"
    broken.write_text(broken.read_text(encoding="utf-8").replace("Lysias", "Lysías"), encoding="utf-8")
    with pytest.raises(ScoreError, match=r"(?s)broken/a/.*is it Lysias") as caught:
        read_systems([tmp_path / "broken"], edition)
    assert caught.value.check == "prediction-unknown-label"


def test_stored_predictions_can_be_scored_from_the_command_line(dataset: Path) -> None:
    path = dataset / "metadata" / "baselines" / "char-text" / f"{TRACK}-rotation.jsonl.gz"
    other = dataset / "metadata" / "baselines" / "majority" / f"{TRACK}-rotation.jsonl.gz"
    text, record = run([str(path), "--edition", str(dataset), "--against", str(other)], None)
    assert "mean over authors" in text
    assert record["comparisons"][0]["works"] == record["scores"][0]["headline"]["works"]
