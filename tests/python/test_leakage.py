"""The leakage audit: its invariants can be broken, its fits find what is planted, its files are the same every time."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from conftest import ROOT, Build, build_environment, connection, dbt, run

from exports.leakage import audit, fits, report
from exports.leakage.markup import GROUPS, Markup, Pair, Part, Rows
from score.baselines.logistic import fitted

TESTS = ROOT / "tests" / "leakage"

BROKEN = {
    "tell-known": {
        "a tell without a reason": (
            "update audit.project_tells set is_tell = true, reason = null where layer = 'upos' and value = 'NOUN'"
        ),
    },
    "tell-text": {
        "compounds that one project splits": (
            "insert into audit.text_conventions values ('split compound', 'Nobody', 'agdt', 40, 10, 0.25),"
            " ('split compound', 'Nobody', 'gorman', 40, 1, 0.025)"
        ),
        "crases that one project splits": (
            "insert into audit.text_conventions values ('split crasis', 'Nobody', 'agdt', 10, 0, 0),"
            " ('split crasis', 'Nobody', 'gorman', 10, 10, 1)"
        ),
    },
    "annotator-told": {
        "an author who is not named": "delete from hub.annotators_apart",
        "an author who is named without need": (
            "insert into hub.annotators_apart select track, author, [], [] from benchmark.held_out_works"
            " where author not in (select author from hub.annotators_apart) limit 1"
        ),
        "a test work by somebody else": (
            "update corpus.source_records set annotators = ['Somebody Else'] where record_id in ("
            " select sentence_id from benchmark.split_assignments inner join benchmark.held_out_works"
            " using (track, author) where split = 'test')"
        ),
    },
    "doublet-told": {
        "a repetition in no doublet": (
            "insert into intermediate.int_dedup__shared_ngrams by name"
            " select tested.sentence_number as left_number, trained.sentence_number as right_number, 10 as shared,"
            " 20 as left_size, 20 as right_size, true as is_same_author, true as is_similar"
            " from intermediate.int_splits__assignments as tested"
            " inner join intermediate.int_splits__assignments as trained using (track, author)"
            " where track = 'work_held_out' and tested.split = 'test' and trained.split = 'train'"
            " and not tested.is_remainder and not trained.is_remainder"
            " order by left_number, right_number limit 1"
        ),
    },
}
"""Damages to a finished warehouse that the test of an invariant must see."""

UNBROKEN = {
    "tell-text": {
        "too few places": (
            "insert into audit.text_conventions values ('split crasis', 'Nobody', 'agdt', 9, 0, 0),"
            " ('split crasis', 'Nobody', 'gorman', 40, 40, 1)"
        ),
        "an author's choice": (
            "insert into audit.text_conventions values ('elided connective', 'Nobody', 'agdt', 40, 0, 0),"
            " ('elided connective', 'Nobody', 'gorman', 40, 40, 1)"
        ),
        "a fifth": (
            "insert into audit.text_conventions values ('split crasis', 'Nobody', 'agdt', 40, 0, 0),"
            " ('split crasis', 'Nobody', 'gorman', 40, 8, 0.2)"
        ),
    },
    "tell-known": {
        "a tell with a reason": (
            "update audit.project_tells set is_tell = true, reason = 'known' where layer = 'upos' and value = 'NOUN'"
        ),
    },
}
"""Changes that it must not mind."""


@pytest.fixture(scope="module")
def copied(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the warehouse of the sample, with the tests compiled against it beside."""
    folder = tmp_path_factory.mktemp("leakage")
    (folder / "work").mkdir()
    shutil.copy(sample_build.work_db, folder / "work" / "sphragis.duckdb")
    run(dbt("compile", "--select", "path:tests/leakage"), build_environment(folder, None))
    return folder


@pytest.fixture
def warehouse(copied: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The copy, in a transaction that is rolled back after the test."""
    con = duckdb.connect(str(copied / "work" / "sphragis.duckdb"))
    con.execute("begin")
    yield con
    con.execute("rollback")
    con.close()


def violations(con: duckdb.DuckDBPyConnection, copied: Path, name: str) -> list[Any]:
    """Return the rows of the test of an invariant."""
    path = copied / "target" / "compiled" / "sphragis" / "tests" / "leakage" / f"{name.replace('-', '_')}.sql"
    return con.execute(path.read_text(encoding="utf-8")).fetchall()


def test_every_invariant_is_listed_with_its_test_and_has_a_damage() -> None:
    listed = re.findall(
        r"^\| `([a-z-]+)` \| .+ \| `tests/leakage/([a-z_]+)\.sql` \|",
        (ROOT / "docs" / "invariants.md").read_text(encoding="utf-8"),
        re.M,
    )
    assert [(name, name.replace("-", "_")) for name, _ in listed] == listed
    assert sorted(name for name, _ in listed) == sorted(BROKEN)
    assert sorted(path.stem for path in TESTS.glob("*.sql")) == sorted(name.replace("-", "_") for name in BROKEN)
    for name in BROKEN:
        assert f"-- {name}:" in (TESTS / f"{name.replace('-', '_')}.sql").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "damage"), [(name, damage) for name, one in BROKEN.items() for damage in one])
def test_the_damage_breaks_its_invariant(
    copied: Path, warehouse: duckdb.DuckDBPyConnection, name: str, damage: str
) -> None:
    assert violations(warehouse, copied, name) == []
    warehouse.execute(BROKEN[name][damage])
    assert violations(warehouse, copied, name) != []


@pytest.mark.parametrize(("name", "change"), [(name, change) for name, one in UNBROKEN.items() for change in one])
def test_what_is_no_fault_is_none(copied: Path, warehouse: duckdb.DuckDBPyConnection, name: str, change: str) -> None:
    warehouse.execute(UNBROKEN[name][change])
    assert violations(warehouse, copied, name) == []


FEATURES = [("deprel", "nmod"), ("deprel", "obl"), ("feats", "Case=Gen"), ("upos", "ADJ"), ("upos", "NOUN")]


def drawn(sentences: int, shares: dict[str, float], seed: int = 1) -> np.ndarray:
    """Return counts of sentences of twenty words in which a class has a share; everything else is one half."""
    dice = np.random.default_rng(seed)
    adjectives = dice.binomial(20, shares.get("ADJ", 0.5), sentences)
    attributes, genitives = dice.binomial(20, 0.5, (2, sentences))
    return np.column_stack([attributes, 20 - attributes, genitives, adjectives, 20 - adjectives]).astype(float)


def markup_of(*parts: np.ndarray) -> Markup:
    counts = np.concatenate(parts)
    return Markup("human", FEATURES, np.arange(len(counts)), counts, np.full(len(counts), 20.0))


def test_a_habit_of_a_project_is_found_and_none_where_there_is_none() -> None:
    one, other, third = drawn(400, {}), drawn(400, {"ADJ": 0.35}, 2), drawn(400, {}, 3)
    markup = markup_of(one, other, third)
    places = np.arange(1200).reshape(3, 400)
    parts = [Part("Lysias", name, places[number]) for number, name in enumerate(("agdt", "gorman", "pedalion"))]
    found = {tuple(row["projects"]): row for row in fits.projects_within_authors(markup, parts)}
    assert set(found) == {("agdt", "gorman"), ("agdt", "pedalion"), ("gorman", "pedalion")}
    told = found["agdt", "gorman"]
    assert told["blocks"] == [40, 40]
    assert told["accuracy"] > 0.9
    assert told["groups"]["upos"] > 0.9
    assert told["groups"]["deprel"] < 0.7
    assert told["length"] < 0.7
    assert max(told["halves"]) < 0.7
    assert found["agdt", "pedalion"]["accuracy"] < 0.7


def test_few_blocks_and_other_authors_are_not_compared() -> None:
    markup = markup_of(drawn(600, {}))
    places = np.arange(600)
    parts = [Part("Lysias", "agdt", places[:300]), Part("Lysias", "gorman", places[300:499])]
    assert fits.projects_within_authors(markup, parts) == []
    parts[1] = Part("Plato", "gorman", places[300:])
    assert fits.projects_within_authors(markup, parts) == []


def test_the_project_of_a_text_that_two_have_annotated_is_told_by_the_habit_alone() -> None:
    first = drawn(400, {})
    second = first.copy()
    second[:, 3] += 1
    second[:, 4] -= 1
    markup = markup_of(first, second, first)
    pairs = [
        Pair("agdt", "gorman", np.column_stack([np.arange(400), np.arange(400, 800)])),
        Pair("agdt", "pedalion", np.column_stack([np.arange(400), np.arange(800, 1200)])),
        Pair("agdt", "ud_ptnk", np.column_stack([np.arange(190), np.arange(400, 590)])),
    ]
    habit, equal = fits.doubly_annotated(markup, pairs)
    assert habit["projects"] == ["agdt", "gorman"]
    assert habit["same_markup"] == 0.0
    assert 0.52 < habit["sentence"]["accuracy"] < habit["block"]["accuracy"] < habit["side_by_side"] == 1.0
    assert equal["same_markup"] == 1.0
    assert equal["sentence"]["accuracy"] == equal["block"]["accuracy"] == equal["side_by_side"] == 0.5


def rows_of(split: str, markup: Markup, authors: list[str], places: np.ndarray) -> Rows:
    return Rows([f"{split}-{number}" for number in places], np.array(authors), places[:, None])


def test_the_author_is_told_from_what_differs() -> None:
    markup = markup_of(drawn(300, {"ADJ": 0.2}), drawn(300, {"ADJ": 0.8}, 2))
    places = np.arange(600).reshape(2, 300)
    splits = {
        split: rows_of(split, markup, ["A"] * count + ["B"] * (count - 20), np.r_[mine[0], mine[1][:-20]])
        for split, mine, count in (
            ("train", places[:, :200], 200),
            ("validation", places[:, 200:250], 50),
            ("test", places[:, 250:], 50),
        )
    }
    found, predicted = fits.authors(markup, splits)
    assert found["rows"] == {"train": 380, "validation": 80, "test": 80}
    assert found["chance"] == 0.5
    assert found["majority"]["test"]["accuracy"] == 0.625
    assert found["markup"]["test"]["accuracy"] > 0.95
    assert found["length"]["test"] == found["majority"]["test"]
    assert set(found["groups"]) == set(GROUPS) - {"geometry"}, "the layer has none of it"
    assert {split: len(labels) for split, labels in predicted.items()} == {"validation": 80, "test": 80}


def test_content_decides_the_key() -> None:
    markup, other = markup_of(drawn(40, {})), markup_of(drawn(40, {}, 2))
    parts = [Part("Lysias", "agdt", np.arange(20)), Part("Lysias", "gorman", np.arange(20, 40))]
    split = {"test": rows_of("s", markup, ["A"] * 40, np.arange(40))}
    renamed = {"test": rows_of("t", markup, ["A"] * 40, np.arange(40))}
    keys = [
        audit.content_key(markup, {"sentence_1": split}, parts, []),
        audit.content_key(other, {"sentence_1": split}, parts, []),
        audit.content_key(markup, {"sentence_1": renamed}, parts, []),
        audit.content_key(markup, {"sentence_1": split}, parts[:1], []),
        audit.content_key(markup, {"sentence_1": split}, parts, [Pair("agdt", "gorman", np.arange(40).reshape(20, 2))]),
    ]
    assert len(set(keys)) == len(keys)
    assert audit.content_key(markup_of(drawn(40, {})), {"sentence_1": split}, parts, []) == keys[0]


def leakage(build: Path, sample_build: Build, *arguments: str, threads: int = 1) -> str:
    """Run the command on the warehouse of the sample, with fits kept in a folder of the test's own."""
    environment = build_environment(build, None, threads) | {"SPHRAGIS_DB": str(sample_build.db)}
    environment |= {"OPENBLAS_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    return run([sys.executable, "-m", "sphragis", "audit", "leakage", "--working", *arguments], environment).stdout


@pytest.fixture(scope="module")
def audited(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with the fits of the sample and, under `out`, its reports; and what was printed."""
    folder = tmp_path_factory.mktemp("audited")
    shown = leakage(folder, sample_build, "--out", str(folder / "out"))
    return folder, shown


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_bytes_with_any_number_of_threads(
    sample_build: Build, audited: tuple[Path, str], tmp_path: Path
) -> None:
    leakage(tmp_path, sample_build, "--out", str(tmp_path / "out"), threads=2)
    written = content(audited[0] / "out")
    assert set(audit.REPORTS.values()) < set(written)
    assert written == content(tmp_path / "out")


def test_what_is_fitted_is_not_fitted_again(sample_build: Build, audited: tuple[Path, str]) -> None:
    cache = audited[0] / "leakage"
    kept = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    assert len(kept) == 2
    printed = leakage(audited[0], sample_build, "--json", "--layer", "human")
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == kept
    report_of_human = json.loads((audited[0] / "out" / audit.REPORTS["human"]).read_text(encoding="utf-8"))
    assert json.loads(printed) == {"human": report_of_human}


def test_the_report_covers_every_configuration_and_its_predictions_every_row(
    sample_build: Build, audited: tuple[Path, str]
) -> None:
    folder, shown = audited[0] / "out", audited[1]
    with connection(sample_build.work_db) as con:
        rows = con.execute(
            "select configuration, split, list(id order by id), list(author order by id) from hub.rows"
            " where split = 'test' group by all"
        ).fetchall()
        train = dict(con.execute("select configuration, count(distinct author) from hub.rows group by all").fetchall())
    for layer, name in audit.REPORTS.items():
        found = json.loads((folder / name).read_text(encoding="utf-8"))
        assert {one: figures["authors"] for one, figures in found["authors"].items()} == train
        files = {path.name for path in (folder / "leakage").glob(f"*.{audit.INPUTS[layer]}.jsonl")}
        assert len(files) == len(rows) == len(train)
        for configuration, split, ids, authors in rows:
            path = folder / "leakage" / f"{configuration}.{split}.{audit.INPUTS[layer]}.jsonl"
            header, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            assert (header["configuration"], header["split"]) == (configuration, split)
            assert header["inputs"] == [audit.INPUTS[layer]]
            assert [line["id"] for line in lines] == ids
            right = sum(line["author"] == author for line, author in zip(lines, authors, strict=True))
            figures = found["authors"][configuration]["markup"][split]
            assert figures["accuracy"] == round(right / len(ids), fits.DIGITS)
        assert f"Author from markup, {layer} layer" in shown


def test_fits_that_cannot_be_read_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "leakage" / "0123.json"
    assert audit._kept(path) is None
    audit._keep(path, {"labels": ["Lysias"]})
    assert audit._kept(path) == {"labels": ["Lysias"]}
    path.write_text('{"labels": [', encoding="utf-8")
    assert audit._kept(path) is None
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_no_form_and_no_lemma_is_among_the_features(sample_build: Build) -> None:
    with connection(sample_build.work_db) as con:
        greek = con.execute(
            "select distinct feature from audit.markup_rates where regexp_matches(feature, '[^ -~]')"
        ).fetchall()
        rates = con.execute(
            "select count(*) from audit.markup_rates where rate > 1 or occurrences > words or occurrences < 1"
        ).fetchone()
    assert greek == []
    assert rates == (0,)


@pytest.mark.parametrize("module", [audit, fits, report])
def test_examples_in_docstrings(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


def test_of_one_author_nothing_is_learnt() -> None:
    labels = np.array(["Lysias"] * 3)
    assert fitted(np.zeros((3, 2)), labels, np.ones((2, 2))).labels.tolist() == ["Lysias", "Lysias"]
