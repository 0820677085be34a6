"""Running a baseline: settings chosen on validation alone, predictions written as any system writes them."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import f1_score
from threadpoolctl import threadpool_limits

from score.baselines.logistic import Predicted
from score.baselines.material import Material
from score.baselines.models import BASELINES, Baseline, Matrix, Setting
from score.core.edition import (
    HELD_OUT,
    MAIN_TRACK,
    ROTATION,
    ROTATION_FILE,
    Edition,
    is_held_out,
    open_edition,
    sizes_of,
)
from score.core.faults import ScoreError, proposal
from score.core.predictions import FORMAT

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIGITS = 6
"""Digits of a score: as many as machines agree on."""

SIZE = 10
"""Sentences in a row of the configurations that stored baselines are made for."""

BY_SIZE = (("markup", "conllu_human"), ("delta", "text"), ("char", "text"), ("char", "text_distorted"))
"""Baselines that are made for every size of the two main tracks: how fast longer rows help, in and outside of works."""


class Runner:
    """A baseline on a configuration: counts are made once, settings are chosen once."""

    def __init__(
        self, material: Material, baseline: Baseline, column: str | None, chosen_by: Runner | None = None
    ) -> None:
        self.material = material
        self.baseline = baseline
        self.column = column or ""
        self.chosen_by = chosen_by or self
        self._counts: dict[tuple[Any, ...], Matrix] = {}
        self._setting: Setting | None = None

    def counts(self, setting: Setting) -> Matrix:
        """Return the matrix of all rows."""
        key = tuple(setting[name] for name in self.baseline.counts_by)
        if key not in self._counts:
            self._counts[key] = self.baseline.count(self.material, self.column, setting)
        return self._counts[key]

    def predict(self, train: NDArray[np.int64], test: NDArray[np.int64], setting: Setting) -> Predicted:
        """Return what is predicted for some rows after training on others."""
        counts = self.counts(setting)
        return self.baseline.learn(counts[train], self.material.authors[train], counts[test], setting)

    def setting(self) -> Setting:
        """Return the setting with the best macro-F1 on validation, the first of equal ones."""
        if self.chosen_by is not self:
            return self.chosen_by.setting()
        if self._setting is None:
            self._setting = self.baseline.settings[0]
            if len(self.baseline.settings) > 1:
                train, validation = self.places("train"), self.places("validation")
                truth = self.material.authors[validation]
                labels = np.unique(self.material.authors[train])
                values = [
                    f1_score(
                        truth,
                        self.predict(train, validation, setting).labels,
                        labels=labels,
                        average="macro",
                        zero_division=0,
                    )
                    for setting in self.baseline.settings
                ]
                self._setting = self.baseline.settings[int(np.argmax(np.round(values, 9)))]
        return self._setting

    def places(self, split: str) -> NDArray[np.int64]:
        """Return the rows of a split, in the order of their ids."""
        found = np.flatnonzero(self.material.split == split)
        return found[np.argsort(np.array(self.material.ids)[found])]

    def lines(self, split: str) -> Iterator[dict[str, Any]]:
        """Return the predictions of a split, or of all folds of the rotation, in the order of the ids."""
        setting = self.setting()
        found: dict[str, dict[str, Any]] = {}
        if split != ROTATION:
            found = self._lines(self.places("train"), self.places(split), setting)
        else:
            ids = np.array(self.material.ids)
            for fold in self.material.edition.rotation(self.material.configuration):
                is_test = np.isin(ids, fold["test"])
                is_out = np.isin(ids, fold["left_out"])
                found |= self._lines(np.flatnonzero(~is_test & ~is_out), np.flatnonzero(is_test), setting)
        return (found[name] for name in sorted(found))

    def _lines(self, train: NDArray[np.int64], test: NDArray[np.int64], setting: Setting) -> dict[str, dict[str, Any]]:
        predicted = self.predict(train, test, setting)
        made = {}
        for number, place in enumerate(test):
            name, label = self.material.ids[place], str(predicted.labels[number])
            made[name] = {"id": name, "author": label}
            if predicted.scores is not None and predicted.classes is not None:
                made[name]["scores"] = shares(predicted.classes, predicted.scores[number], label)
        return made


def shares(classes: NDArray[Any], scores: NDArray[np.float64], label: str) -> dict[str, float]:
    """Return rounded scores of which the label has the only highest."""
    made = {str(name): round(float(score), DIGITS) for name, score in zip(classes, scores, strict=True)}
    others = max((score for name, score in made.items() if name != label), default=0.0)
    if made[label] <= others:
        made[label] = round(others + 10**-DIGITS, DIGITS)
    return made


def system_name(name: str, column: str | None) -> str:
    """Return the name of a baseline as a system: with what it looks at."""
    return f"{name}-{column}" if column else name


def choose(name: str, column: str | None) -> tuple[Baseline, str | None]:
    """Return a baseline and its input.

    Raises:
        ScoreError: there is no such baseline, or it cannot look at that.
    """
    if name not in BASELINES:
        raise ScoreError(
            "baseline-name", f"the baselines are {', '.join(BASELINES)}, not {name!r}{proposal(name, list(BASELINES))}"
        )
    baseline = BASELINES[name]
    if column is None:
        return baseline, baseline.inputs[0] if baseline.inputs else None
    if column not in baseline.inputs:
        known = ", ".join(baseline.inputs) or "nothing"
        raise ScoreError("baseline-input", f"{name} looks at {known}, not at {column!r}")
    return baseline, column


def predictions(runner: Runner, split: str) -> str:
    """Return the prediction file of a baseline, as text."""
    material = runner.material
    configuration, chosen_on = material.configuration, runner.chosen_by.material.configuration
    with threadpool_limits(1):
        lines = list(runner.lines(split))
    header = {
        "format": FORMAT,
        "edition": material.edition.fingerprint,
        "configuration": configuration,
        "split": split,
        "system": system_name(runner.baseline.name, runner.column),
        "inputs": [runner.column] if runner.column else [],
        "trained_on": [f"{configuration}/{ROTATION if split == ROTATION else 'train'}"],
        "selected_on": [f"{chosen_on}/validation"] if len(runner.baseline.settings) > 1 else [],
        "pretrained": None,
        "seed": 0,
        "url": None,
    }
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [header, *lines])


def write_text(path: Path, text: str) -> None:
    """Write a prediction file, gzipped where its name says so, with the same bytes every time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = text.encode()
    if path.name.endswith(".gz"):
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0) as file:
            file.write(content)
        content = packed.getvalue()
    path.write_bytes(content)


def run_one(folder: Path, name: str, configuration: str, column: str | None, split: str) -> str:
    """Return the prediction file of one baseline.

    Raises:
        ScoreError: there is no such baseline, configuration or input.
    """
    baseline, column = choose(name, column)
    return predictions(Runner(Material(open_edition(folder), configuration), baseline, column), split)


def run_all(folder: Path, target: Path, say: Callable[[str], None]) -> None:
    """Write the predictions of every baseline on every input, for the rows of ten sentences of every track.

    Those that BY_SIZE names are also run on the other sizes of the main track and of the main held-out track, with the
    settings that ten sentences have chosen.

    Args:
        folder: the dataset.
        target: folder with one folder per system.
        say: called with a line about each configuration.
    """
    edition: Edition = open_edition(folder)
    has_rotation = (folder / ROTATION_FILE).is_file()
    for configuration in (each for each in edition.configurations if each.endswith(f"_{SIZE}")):
        track = configuration.rpartition("_")[0]
        material = Material(edition, configuration)
        others = [
            Material(edition, f"{track}_{size}")
            for size in (sizes_of(edition.configurations, track) if track in (MAIN_TRACK, HELD_OUT) else ())
            if size != SIZE
        ]
        splits = ["test", ROTATION] if has_rotation and is_held_out(track) else ["test"]
        for baseline in BASELINES.values():
            for column in baseline.inputs or (None,):
                if column is not None and not material.has(column):
                    continue
                if baseline.name == "lemma" and column != baseline.inputs[0]:
                    continue  # the lemmas of both layers are the same
                runner = Runner(material, baseline, column)
                place = target / system_name(baseline.name, column)
                for split in splits:
                    end = "" if split == "test" else f"-{split}"
                    write_text(place / f"{configuration}{end}.jsonl.gz", predictions(runner, split))
                for other in others if (baseline.name, column) in BY_SIZE else ():
                    sized = Runner(other, baseline, column, chosen_by=runner)
                    write_text(place / f"{other.configuration}.jsonl.gz", predictions(sized, "test"))
        say(configuration)
