"""The provider ``crossfit``: a parser trained here, that has never seen a work it parses.

The published sentences are in k folds by families of works. For each fold a parser is trained on the human trees of
the other folds and parses the sentences of its own. Trees of one lineage train it, those converted from the native
projects, because a parser of mixed conventions can tell a project by its dialect and repeat its habits.

Folds run side by side, an epoch at a time, one thread each: whichever fold is least far goes on next. The state after
every epoch and the parse of every finished fold are on disk under the key of their content, so that a stopped run
goes on where it stopped, and a fold whose sentences and training trees are the same is not made again.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.machine.crossfit import worker
from ingest.machine.crossfit.data import FoldData, FoldInput, Sizes, answer_sizes, digest, fold_inputs, numbered
from ingest.machine.crossfit.profile import FULL, SAMPLE, Profile
from ingest.machine.interface import Corpus, MachineError, Parsed, Say

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue

TRAINER = 1
"""To be raised when the same settings would give another parse: it is part of every key."""

LIBRARIES = ("jax", "jaxlib", "numpy")


@dataclass
class Progress:
    """A fold on its way: its folder, and the epochs that are done."""

    fold: FoldInput
    folder: Path
    epochs: int


class CrossfitProvider:
    """The provider; see the module.

    Args:
        profile: settings of the parser; by default those for the sample or for the whole corpus.
        processes: folds that run at a time; the parse does not depend on it.
    """

    name = "crossfit"

    def __init__(self, profile: Profile | None = None, processes: int = 2) -> None:
        self._profile = profile
        self.processes = processes
        self._inputs: list[FoldInput] | None = None

    def profile(self, corpus: Corpus) -> Profile:
        """Return the settings of the parser for a corpus."""
        return self._profile or (SAMPLE if corpus.is_sample else FULL)

    def folds(self, corpus: Corpus) -> list[FoldInput]:
        """Return what every fold is made from, in the order of their numbers.

        Raises:
            MachineError: a fold has nothing to train on.
        """
        if self._inputs is None:
            self._inputs = fold_inputs(corpus, self.profile(corpus))
        for fold in self._inputs:
            if not fold.training:
                raise MachineError(
                    f"fold {fold.fold}: expected trees of native projects in the other folds to train on, found none; "
                    "build with SPHRAGIS_MACHINE=none, or bring a parse with SPHRAGIS_MACHINE=conllu"
                )
        return self._inputs

    def _settings(self, profile: Profile, sizes: Sizes) -> dict[str, Any]:
        return {
            "trainer": TRAINER,
            "answers": sizes._asdict(),
            "configuration": profile.settings(),
            "versions": {name: version(name) for name in LIBRARIES},
        }

    def identity(self, corpus: Corpus) -> dict[str, Any]:
        """Return settings, versions, and the key of every fold."""
        profile = self.profile(corpus)
        sizes = answer_sizes(corpus)
        settings = self._settings(profile, sizes)
        keys = [fold.key(settings) for fold in self.folds(corpus)]
        return {
            "provider": self.name,
            "model": f"biaffine-{profile.name}",
            "revision": digest([settings, keys])[:40],
            "seed": profile.seed,
            **settings,
            "fold_keys": keys,
        }

    def parse(self, corpus: Corpus, cache: Path, say: Say) -> list[Parsed]:
        """Train and parse every fold that is not on disk already."""
        profile = self.profile(corpus)
        sizes = answer_sizes(corpus)
        settings = self._settings(profile, sizes)
        parsed: list[Parsed] = []
        waiting: list[Progress] = []
        for fold in self.folds(corpus):
            folder = cache / "folds" / fold.key(settings)[:16]
            trees = _read_parse(folder, fold)
            if trees is not None:
                parsed += trees
                continue
            folder.mkdir(parents=True, exist_ok=True)
            if not worker.data_path(folder).is_file():
                numbered(fold, profile).save(worker.data_path(folder))
            waiting.append(Progress(fold, folder, worker.epochs_done(folder, profile.epochs)))
        if waiting:
            parsed += self._train(waiting, profile, sizes, say)
        return parsed

    def _train(self, waiting: list[Progress], profile: Profile, sizes: Sizes, say: Say) -> list[Parsed]:
        from ingest.machine.crossfit.training import parses

        parsed: list[Parsed] = []
        running: dict[Future[Any], Progress] = {}
        context = multiprocessing.get_context("spawn")
        workers = min(self.processes, len(waiting))
        places: SimpleQueue[int] = context.SimpleQueue()
        for place in range(workers):
            places.put(place)
        with (
            worker.environment(),
            ProcessPoolExecutor(workers, context, initializer=worker.begin, initargs=(places,)) as pool,
        ):
            while waiting or running:
                while waiting and len(running) < self.processes:
                    waiting.sort(key=lambda progress: (progress.epochs, progress.fold.fold))
                    progress = waiting.pop(0)
                    task: Future[Any] = (
                        pool.submit(
                            worker.run_epoch, progress.folder, profile, sizes, progress.fold.fold, progress.epochs
                        )
                        if progress.epochs < profile.epochs
                        else pool.submit(worker.run_parse, progress.folder, profile)
                    )
                    running[task] = progress
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for task in done:
                    progress = running.pop(task)
                    name = f"fold {progress.fold.fold}"
                    result = task.result()
                    if progress.epochs < profile.epochs:
                        progress.epochs += 1
                        say(f"{name}: epoch {progress.epochs} of {profile.epochs}, loss {result:.3f}")
                        waiting.append(progress)
                    else:
                        data = FoldData.load(worker.data_path(progress.folder))
                        trees = parses(data, progress.fold.sentences, result)
                        _write_parse(progress.folder, trees)
                        parsed += trees
                        say(f"{name}: {len(trees):,} sentences parsed")
        return parsed

    def facts(self, corpus: Corpus) -> dict[str, Any]:
        """Return the works of every fold, and what its parser was trained on."""
        folds = []
        for fold in self.folds(corpus):
            folds.append(
                {
                    "fold": fold.fold,
                    "works": sorted({corpus.works[sentence.id] for sentence in fold.sentences}),
                    "sentences": len(fold.sentences),
                    "words": sum(len(sentence.forms) for sentence in fold.sentences),
                    "training_sentences": len(fold.training),
                    "training_words": sum(len(sentence.forms) for sentence, _ in fold.training),
                    "withheld_sentences": len(corpus.withheld.get(fold.fold, ())),
                }
            )
        return {"folds": folds}


def _parse_path(folder: Path) -> Path:
    return folder / "parse.json"


def _write_parse(folder: Path, trees: list[Parsed]) -> None:
    """Keep the parse of a fold with its checksum, and drop what it was made from."""
    value = {"sha256": digest(trees), "trees": trees}
    aside = folder / f"parse.json.{os.getpid()}"
    aside.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    aside.replace(_parse_path(folder))
    for path in folder.iterdir():
        if path != _parse_path(folder):
            path.unlink()


def _read_parse(folder: Path, fold: FoldInput) -> list[Parsed] | None:
    """Return the parse of a fold that is on disk and whole, or None."""
    try:
        value = json.loads(_parse_path(folder).read_text(encoding="utf-8"))
        trees = [Parsed(*tree) for tree in value["trees"]]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        shutil.rmtree(folder)
        return None
    if value.get("sha256") != digest(trees) or [tree.id for tree in trees] != [s.id for s in fold.sentences]:
        shutil.rmtree(folder)
        return None
    return trees
