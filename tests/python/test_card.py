"""The card as its reader meets it: its code runs, its tables are those of the stored baselines, its figures stay."""

from __future__ import annotations

import doctest
import gzip
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Build
from test_about import about, made

from exports.about import baselines, card, figures, svg, tables
from exports.about.baselines import Baselines, read_baselines
from exports.about.record import About, Configuration, Coverage, Track
from exports.dataset.schema import SPLITS
from runtime.errors import SettingsError
from runtime.settings import load_settings

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def copied(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as somebody has it who has copied the edition and nothing else."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(sample_build.hub.resolve(), folder, dirs_exist_ok=True)
    return folder


def blocks(folder: Path, language: str) -> list[str]:
    """Return the code blocks of the card in a language."""
    return re.findall(rf"```{language}\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)


def run(folder: Path, *arguments: str) -> str:
    """Run Python in the folder of a stranger: no package of the project can be imported."""
    home = {name: str(folder.parent / "home") for name in ("HF_HOME", "HOME")}
    environment = {"PATH": "/usr/bin:/bin", "HF_HUB_OFFLINE": "1", **home}
    ended = subprocess.run(
        [sys.executable, "-B", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_code_of_the_card_runs_where_nothing_but_the_edition_is(copied: Path) -> None:
    pytest.importorskip("datasets")
    load, system, free = blocks(copied, "python")
    assert len(system.splitlines()) <= 21
    told = run(copied, "-c", load)
    assert re.match(r"\w+ \w+", told), told
    assert "train" in run(copied, "-c", free)
    (copied / "system.py").write_text(system, encoding="utf-8")
    (lines,) = blocks(copied, "sh")
    install, *rest = lines.splitlines()
    assert install.startswith("python -m pip install ")
    printed = [run(copied, *line.split()[1:]) for line in rest]
    assert re.match(r"trigrams on work_held_out_10/test: \d+ rows, 0 abstained\n", printed[-1]), printed[-1]
    assert "above markup floor" in printed[-1] and "stores no predictions" not in printed[-1]


def test_the_example_row_is_one_of_the_files(copied: Path) -> None:
    import pyarrow.parquet as pq

    (block,) = blocks(copied, "json")
    shown = json.loads(block)
    rows = pq.read_table(copied / "data/sentence_1/train-00000-of-00001.parquet").to_pylist()
    assert [row for row in rows if row["id"] == shown["id"]] == [shown]


def test_every_figure_of_the_card_is_there_and_is_sound(copied: Path) -> None:
    text = (copied / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"!\[[^]]+\]\(([^)]+)\)", text))
    drawn = {path.relative_to(copied).as_posix() for path in (copied / figures.FOLDER).glob("*.svg")}
    assert named == drawn and {f"{figures.FOLDER}/fates.svg", f"{figures.FOLDER}/splits.svg"} <= drawn
    for path in drawn:
        root = ElementTree.parse(copied / path).getroot()
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for text_of in root.iter(f"{SVG}text"):
            assert 0 <= float(text_of.attrib["x"]) <= width and 0 <= float(text_of.attrib["y"]) <= height


def score(system: str, configuration: str, split: str, values: list[float], **more: Any) -> dict[str, Any]:
    """A record of the scorer, as far as the card reads it: two authors, a work of ten rows for each value."""
    is_held_out = "held_out" in configuration
    value = sum(values) / len(values)
    interval = {"low": max(0.0, value - 0.2), "high": min(1.0, value + 0.2), "clusters": len(values)}
    figure = {"value": value, "intervals": [interval]}
    works = [
        {"author": "AB"[place % 2], "title": f"w{place}", "group": None, "rows": 10, "right": round(10 * share)}
        for place, share in enumerate(values)
    ]
    return {
        "system": system,
        "inputs": system.split("-")[1:],
        "configuration": configuration,
        "split": split,
        "headline": {"name": "mean over works" if is_held_out else "macro-F1", **figure},
        "mean_over_works": {"all": figure, "rival": None, "singleton": None} if is_held_out else None,
        "above_floor": {"difference": value - 0.5, "interval": {"low": None, "high": None}, "works": len(values)},
        "works": works,
        "authors": [{"author": author, "rows": 10, "recall": value} for author in "AB"],
        "confusion": {"labels": ["A", "B"], "rows_true_columns_predicted_last_none": [[9, 1, 0], [4, 6, 0]]},
        **more,
    }


def against(best: str, other: str, configuration: str, split: str, half: float | None, chance: float) -> dict[str, Any]:
    limits = (None, None) if half is None else (0.1 - half, 0.1 + half)
    interval = dict(zip(("low", "high"), limits, strict=True))
    return {
        "system": best,
        "against": other,
        "configuration": configuration,
        "split": split,
        "difference": 0.1,
        "interval": interval,
        "probability_holm": chance,
        "works": 6,
    }


def stored() -> Baselines:
    """Three baselines on both main tracks, in two sizes."""
    systems = {"char-text": 0.9, "markup-conllu_human": 0.5, "majority": 0.2}
    records = []
    for system, value in systems.items():
        for size in (5, 10):
            records.append(score(system, f"sentence_{size}", "test", [value] * 6))
            records.append(score(system, f"work_held_out_{size}", "test", [value - 0.1] * 6))
        records.append(score(system, "work_held_out_10", "rotation", [value, value - 0.2] * 6))
    compared = [
        against("char-text", "markup-conllu_human", "work_held_out_10", "rotation", 0.05, 0.01),
        against("char-text", "majority", "work_held_out_10", "rotation", 0.15, 0.01),
        against("char-text", "majority", "sentence_10", "test", None, 1.0),
    ]
    found = read_baselines({"scores": records, "against_the_best": compared})
    assert found is not None
    return found


def with_baselines(**changes: Any) -> About:
    names = [f"{track}_{size}" for track in ("sentence", "work_held_out") for size in (5, 10)]
    shapes = [Configuration(name, name.rpartition("_")[0], int(name.rpartition("_")[2]), True, None) for name in names]
    whole = about()
    written = [replace(whole.made.written[0], configuration=name, split=split) for name in names for split in SPLITS]
    tracks = [*whole.tracks, Track("work_held_out", "Whole works", "style", True, None, 2)]
    authors = [*whole.authors, replace(whole.authors[0], track="work_held_out")]
    given = made(written=written, baselines=stored(), **changes)
    return about(configurations=shapes, tracks=tracks, authors=authors, made=given)


def test_the_tables_are_those_of_the_stored_baselines() -> None:
    text = card.render(with_baselines())
    assert (
        "| system | looks at | `sentence_10`, macro-F1 | `work_held_out_10`, all (6 works) | "
        "rotation, mean over 12 works | rotation, above the floor |" in text
    )
    assert (
        "| char-text | n-grams of characters, `text` | 90.0 (70.0 to 100.0) | 80.0 (60.0 to 100.0) | "
        "80.0 (60.0 to 100.0) | +30.0 |" in text
    )
    assert "| **markup-conllu_human** | rates of classes" in text
    assert "| `work_held_out_10`, rotation | 6 | char-text | 5.0 | 10.0 | 15.0 | majority |" in text
    assert "| `sentence_10` | 6 |" not in text, "without an interval nothing is said of luck"
    assert "| char-text | 90.0 | 80.0 | 90.0 | 80.0 |" in text
    assert "The most frequent confusions of char-text on `work_held_out_10` (rotation)" in text
    assert "| B | A | 4 | 40.0 |\n| A | B | 1 | 10.0 |" in text
    assert "--against metadata/baselines/char-text/work_held_out_10.jsonl.gz" in text
    assert "\n\n\n" not in text and "stores no baselines" not in text


def test_the_card_says_where_the_intervals_are_too_short() -> None:
    measured = [
        Coverage(works, mean, spread, share)
        for works in (5, 45)
        for mean, spread, share in ((0.5, 0.1, 0.95), (0.9, 0.1, 0.9), (0.9, 0.3, 0.4))
    ]
    text = card.render(about(coverage=measured))
    assert "95.0 to 95.0 of 100 cases in the middle of the scale, from 5 works on." in text
    assert "about a mean of 90.0 per cent, 5 works cover in 90.0, 40.0 of 100 cases, 45 works cover in" in text
    assert "too short" not in card.render(about())


def test_the_figures_have_a_mark_per_work_and_the_same_bytes() -> None:
    whole = with_baselines()
    drawn = figures.draw(whole)
    assert drawn == figures.draw(with_baselines())
    assert {path.rpartition("/")[2] for path in drawn} == {
        *("fates.svg", "splits.svg", "works_work_held_out.svg", "sizes.svg", "confusion.svg"),
    }
    root = ElementTree.fromstring(drawn[f"{figures.FOLDER}/works_work_held_out.svg"])
    # The legend has a dot too.
    assert len(root.findall(f"{SVG}circle")) == 1 + 3 * 12
    words = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert "char-text markup-conllu_human majority" in words
    bold = [text.text for text in root.iter(f"{SVG}text") if text.attrib.get("font-weight") == "bold"]
    assert bold == [baselines.FLOOR]
    shown = figures.paths(whole)
    assert shown["works"] == f"{figures.FOLDER}/works_work_held_out.svg"
    assert (shown["annotators"], shown["other_works"]) == (None, [])


def test_rows_without_a_noncommercial_licence_are_counted() -> None:
    whole = with_baselines()
    for place, split in enumerate(whole.made.written):
        split.commercial_rows = place % 2
    found = tables.commercial(whole)
    assert found["chunks"] == [("sentence_10", 2, 8), ("work_held_out_10", 2, 8)]
    assert (found["rows"], found["all"], found["share"]) == (0, 0, None)


def test_the_smallest_and_the_largest_label_are_named() -> None:
    rows = [replace(about().authors[0], author=name, train=train) for name, train in (("B", 30), ("A", 30), ("C", 60))]
    (found,) = tables.balance(about(authors=rows))
    assert (found["largest"], found["largest_share"]) == ("C", 0.5)
    assert (found["smallest"], found["smallest_share"]) == ("A", 0.25)


def test_an_edition_can_be_cited() -> None:
    entry = about(url="https://example.org/sphragis").bibtex
    assert entry.startswith("@misc{sphragis_0123456789abcdef,\n  author = {{The Sphragis authors}},\n")
    assert "  year = {2022},\n" in entry and "  url = {https://example.org/sphragis},\n}" in entry
    assert entry in card.render(about(url="https://example.org/sphragis"))
    assert "url = {" not in about().bibtex


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org/a", "https://", "https://a b", "https://a\nb"])
def test_what_is_no_address_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_URL", address)
    with pytest.raises(SettingsError, match="SPHRAGIS_URL: expected an address that begins with https://, found"):
        load_settings()
    monkeypatch.setenv("SPHRAGIS_URL", "https://example.org/sphragis")
    assert load_settings().url == "https://example.org/sphragis"
    monkeypatch.delenv("SPHRAGIS_URL")
    assert load_settings().url is None


def test_stored_baselines_of_the_sample_are_read(sample_build: Build) -> None:
    path = sample_build.hub / "metadata" / "baselines" / "scores.json"
    if not path.is_file():
        pytest.skip("this build has no baselines")
    found = read_baselines(json.loads(path.read_text(encoding="utf-8")))
    assert found is not None
    for one in found.scores:
        end = "" if one.split == "test" else f"-{one.split}"
        file = path.parent / one.system / f"{one.configuration}{end}.jsonl.gz"
        assert len(gzip.decompress(file.read_bytes()).splitlines()) == 1 + sum(work.rows for work in one.works)


@pytest.mark.parametrize("module", [baselines, card, svg, tables])
def test_examples_in_docstrings(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
