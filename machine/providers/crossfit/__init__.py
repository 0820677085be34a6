"""The provider ``crossfit``: a parser trained here, that has never seen a work it parses.

The published sentences are in k folds by families of works. For each fold models are trained on the human trees of all
other works, published or not, and parse the sentences of its own by their vote. Trees of one lineage train them, those
converted from the native projects, because a parser of mixed conventions can tell a project by its dialect and repeat
its habits.

Models run side by side, an epoch at a time, one thread each: whichever is least far goes on next. The state after
every epoch and the parse of every finished fold are on disk under the key of their content, so that a stopped run
goes on where it stopped, and a fold whose sentences and training trees are the same is not made again.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from machine.artefact import KEY_LENGTH, PARSE, only_maker
from machine.interface import Corpus, MachineError, Parsed, Say
from machine.parts import read_part
from machine.providers.crossfit import worker
from machine.providers.crossfit.data import FoldInput, Sizes, answer_sizes, digest, fold_inputs, is_sound, numbered
from machine.providers.crossfit.processor import precision
from machine.providers.crossfit.profile import FULL, SAMPLE, Profile
from machine.providers.crossfit.schedule import Training

TRAINER = 2
"""To be raised when the same settings would give another parse: it is part of every key."""

LIBRARIES = ("jax", "jaxlib", "numpy")


class CrossfitProvider:
    """The provider; see the module.

    Args:
        profile: settings of the parser; by default those for the sample or for the whole corpus.
        processes: models that are trained at a time; the parse does not depend on it.
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
            MachineError: a work is in two folds, or a fold has nothing to train on.
        """
        if self._inputs is None:
            self._inputs = fold_inputs(corpus, self.profile(corpus))
        return self._inputs

    def _settings(self, profile: Profile, sizes: Sizes) -> dict[str, Any]:
        return {
            "trainer": TRAINER,
            "answers": sizes._asdict(),
            "precision": precision(),
            "configuration": profile.settings(),
            "versions": _versions(),
        }

    def identity(self, corpus: Corpus) -> dict[str, Any]:
        """Return settings, versions, the key of every fold, and the checksum of what the manifest says of them."""
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
            "facts_sha256": digest(self.facts(corpus)),
        }

    def parse(self, corpus: Corpus, cache: Path, say: Say) -> list[Parsed]:
        """Train and parse every fold that is not on disk already.

        Raises:
            MachineError: a worker was killed.
        """
        profile, sizes = self.profile(corpus), answer_sizes(corpus)
        settings = self._settings(profile, sizes)
        parsed: list[Parsed] = []
        waiting: list[tuple[FoldInput, Path]] = []
        with only_maker(cache / "folds", say):
            for fold in self.folds(corpus):
                folder = cache / "folds" / fold.key(settings)[:KEY_LENGTH]
                part = read_part(folder / PARSE, fold.sentences)
                if part is not None:
                    parsed += part[0]
                    continue
                folder.mkdir(parents=True, exist_ok=True)
                if not is_sound(worker.data_path(folder)):
                    numbered(fold, profile).save(worker.data_path(folder))
                waiting.append((fold, folder))
            if waiting:
                parsed += Training(profile, sizes, self.processes, say).run(waiting)
        return parsed

    def facts(self, corpus: Corpus) -> dict[str, Any]:
        """Return the works of every fold, and what its parser was trained on."""
        folds = []
        unpublished = {sentence.id for sentence in corpus.unpublished}
        for fold in self.folds(corpus):
            withheld = corpus.withheld.get(fold.fold, frozenset())
            folds.append(
                {
                    "fold": fold.fold,
                    "works": sorted({corpus.works[sentence.id] for sentence in fold.sentences}),
                    "sentences": len(fold.sentences),
                    "words": sum(len(sentence.forms) for sentence in fold.sentences),
                    "training_sentences": len(fold.training),
                    "training_words": sum(len(sentence.forms) for sentence, _ in fold.training),
                    "unpublished_sentences": sum(sentence.id in unpublished for sentence, _ in fold.training),
                    "withheld_sentences": len(withheld & corpus.gold.keys()),
                }
            )
        return {"folds": folds}


def _versions() -> dict[str, str]:
    """Versions of the libraries that a parse depends on.

    Raises:
        MachineError: one is not installed.
    """
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            raise MachineError(
                f"SPHRAGIS_MACHINE=crossfit: expected the package {name}, found none; install the lock (`make env`) "
                "or choose another provider"
            ) from None
    return found
