"""The scorer inside a dataset folder: numpy and pyarrow alone, and the same figures as the command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT, Build
from score_fixture import HELD_OUT, answers, header, with_scores, write_dataset, write_predictions

from runtime.checkout import project_variables
from score.baselines import stored
from score.core.command import FLOOR
from score.core.edition import BASELINES, ROTATION_FILE, open_edition
from score.hub import take_baselines, write_scorer, write_scripts

BLOCKER = '''
import importlib.abc, sys
class Blocker(importlib.abc.MetaPathFinder):
    """Nothing but the standard library, numpy, pyarrow and what lies beside the script."""
    allowed = {"numpy", "pyarrow", "scoring", *sys.stdlib_module_names}
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.allowed:
            raise ModuleNotFoundError(f"{name} is not in this environment")
sys.meta_path.insert(0, Blocker())
'''


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_dataset(tmp_path_factory.mktemp("dataset"))
    write_scripts(folder)
    return folder


def script(dataset: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a dataset in a process that can import nothing else."""
    code = f"{BLOCKER}\nimport runpy\nsys.argv = [{str(dataset / 'scripts' / 'score.py')!r}, *{list(arguments)!r}]\n"
    code += f"sys.path[0] = {str(dataset / 'scripts')!r}\nrunpy.run_path(sys.argv[0], run_name='__main__')\n"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=dataset, env=environment, capture_output=True, text=True, check=False
    )


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sphragis", "score", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_the_script_prints_what_the_command_prints(dataset: Path, tmp_path: Path) -> None:
    labels = open_edition(dataset).rows(HELD_OUT, "test").labels
    lines = with_scores(answers(dataset, HELD_OUT), labels)
    path = str(write_predictions(tmp_path / "p.jsonl", [header(dataset, HELD_OUT), *lines]))
    found = script(dataset, path, "--json", "-")
    assert (found.returncode, found.stderr) == (0, "")
    of_command = command(path, "--edition", str(dataset), "--json", "-")
    assert of_command.stdout == found.stdout


def test_a_refused_file_ends_with_one_and_a_wrong_line_with_two(dataset: Path, tmp_path: Path) -> None:
    lines = [{**line, "author": "Lysías"} for line in answers(dataset)]
    path = str(write_predictions(tmp_path / "p.jsonl", [header(dataset), *lines]))
    for ended in (script(dataset, path), command(path, "--edition", str(dataset))):
        assert ended.returncode == 1
        assert "line 2: 'Lysías'; is it Lysias?" in ended.stderr
        assert ended.stdout == ""
    for ended in (script(dataset), command(path, "--tables")):
        assert ended.returncode == 2
        assert "usage: " in ended.stderr


def test_modules_in_the_folder_are_the_modules_of_the_package(dataset: Path) -> None:
    found = {path.name: path.read_bytes() for path in (dataset / "scripts" / "scoring").glob("*.py")}
    assert found == {path.name: path.read_bytes() for path in (ROOT / "score" / "core").glob("*.py")}


def test_a_dataset_gets_scripts_rotation_and_the_baselines_of_its_data(tmp_path: Path) -> None:
    folder, build = write_dataset(tmp_path / "dataset"), tmp_path / "build"
    edition = open_edition(folder)
    assert write_scorer(folder, edition.checksums, project_variables(ROOT)) == edition
    assert (folder / "scripts" / "score.py").is_file()
    assert json.loads((folder / ROTATION_FILE).read_text(encoding="utf-8"))["tracks"] == {}
    place = stored.folder_of(build, edition)
    (place / "majority").mkdir(parents=True)
    (place / "majority" / "sentence_10.jsonl.gz").write_bytes(b"predictions")
    assert take_baselines(edition, build) is None, "without scores they are not complete"
    assert not (folder / BASELINES).exists()
    (place / stored.SCORES).write_text("{}\n", encoding="utf-8")
    assert take_baselines(edition, build) == {}
    found = {path.relative_to(folder / BASELINES).as_posix() for path in (folder / BASELINES).rglob("*.*")}
    assert found == {"majority/sentence_10.jsonl.gz", "scores.json"}


def test_what_decides_the_baselines_decides_their_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_dataset(tmp_path / "dataset")
    edition = open_edition(folder)
    write_scorer(folder, edition.checksums, project_variables(ROOT))
    keys = [stored.content_key(edition)]
    floor = folder / FLOOR.format(configuration="sentence_10")
    floor.parent.mkdir(parents=True)
    floor.write_text("another floor", encoding="utf-8")
    keys.append(stored.content_key(edition))
    (folder / ROTATION_FILE).write_text("{}", encoding="utf-8")
    keys.append(stored.content_key(edition))
    keys.append(stored.content_key(replace(edition, fingerprint="0123456789abcdef")))
    monkeypatch.setattr(stored, "version", lambda name: "0")
    keys.append(stored.content_key(edition))
    monkeypatch.setattr(stored, "CODE", ("core",))
    keys.append(stored.content_key(edition))
    assert len(set(keys)) == len(keys)
    assert stored.content_key(edition) == keys[-1]


def test_a_stopped_run_leaves_no_baselines_that_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edition = open_edition(write_dataset(tmp_path / "dataset"))
    target = stored.folder_of(tmp_path / "build", edition)

    def stopped(folder: Path, place: Path, say: object) -> None:
        (place / "majority").mkdir(parents=True)
        raise KeyboardInterrupt

    monkeypatch.setattr(stored, "run_all", stopped)
    with pytest.raises(KeyboardInterrupt):
        stored.make(edition, target, lambda line: None)
    assert not target.exists() and not stored.is_made(target)


def test_scoring_leaves_the_folder_as_its_checksums_say(dataset: Path, tmp_path: Path) -> None:
    before = sorted(dataset.rglob("*"))
    path = str(write_predictions(tmp_path / "p.jsonl", [header(dataset), *answers(dataset)]))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, str(dataset / "scripts" / "score.py"), path]
    assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0
    assert sorted(dataset.rglob("*")) == before


def test_the_system_of_the_page_on_scoring_is_scored(sample_build: Build, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    (tmp_path / "data").symlink_to(sample_build.hub.resolve() / "data")
    (tmp_path / "SHA256SUMS").write_bytes((sample_build.hub / "SHA256SUMS").read_bytes())
    write_scripts(tmp_path)
    made = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    found = script(tmp_path, "predictions.jsonl")
    assert found.stdout.startswith("trigrams on work_held_out_10/test: "), found.stderr


def test_an_edition_scores_and_renders_by_itself(sample_build: Build) -> None:
    hub = sample_build.hub.resolve()
    assert (hub / ROTATION_FILE).is_file()
    assert "usage: score" in script(hub, "--help").stdout
    code = f"{BLOCKER}\nsys.path[:0] = [{str(hub / 'scripts')!r}]\n"
    code += "import pyarrow.parquet as pq\nfrom conllu_units import render_conllu\n"
    code += "row = pq.read_table('data/sentence_1/test-00000-of-00001.parquet').slice(0, 1).to_pylist()[0]\n"
    code += "lines = render_conllu(row['conllu_human'][0]).splitlines()\n"
    code += "assert ' '.join(line.split('\\t')[1] for line in lines if line) == row['text'][0]"
    made = subprocess.run(
        [sys.executable, "-B", "-c", code.replace('"scoring"', '"scoring", "conllu_units"')],
        cwd=hub,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
