"""One fold: training epoch by epoch with the state on disk between them, then the parse of its sentences."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ingest.machine.crossfit.data import ROOT, FoldData, FoldInput, batch_size, batches, collate
from ingest.machine.interface import Parsed
from ingest.machine.tree import best_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ingest.machine.crossfit.profile import Profile


@dataclass(frozen=True)
class Sizes:
    """Rows of the answers, the same in every fold, so that all folds share their compiled programs."""

    tags: int
    relations: int


def rate_at(profile: Profile, step: int, steps: int) -> float:
    """Learning rate of a batch: up over the warm-up, then down to a fiftieth in a straight line."""
    return profile.rate * min(1.0, (step + 1) / profile.warmup) * max(0.02, 1.0 - step / steps)


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write parameters and moments aside and rename them in, so that a stopped run leaves no half state."""
    flat: dict[str, Any] = {
        f"{part} {name}": np.asarray(array) for part in PARTS for name, array in state[part].items()
    }
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    with aside.open("wb") as file:
        np.savez(file, steps=np.asarray(state["steps"]), **flat)
    aside.replace(path)


PARTS = ("parameters", "mean", "square")


def load_state(path: Path) -> dict[str, Any]:
    """Read what `save_state` wrote."""
    state: dict[str, Any] = {part: {} for part in PARTS}
    with np.load(path) as arrays:
        state["steps"] = arrays["steps"]
        for entry in arrays.files:
            part, _, name = entry.partition(" ")
            if name:
                state[part][name] = arrays[entry]
    return state


def first_state(profile: Profile, sizes: Sizes) -> dict[str, Any]:
    """Return the state before training."""
    from ingest.machine.crossfit.network import start

    parameters = start(profile, sizes.tags, sizes.relations)
    return {
        "parameters": parameters,
        "mean": {name: np.zeros_like(array) for name, array in parameters.items()},
        "square": {name: np.zeros_like(array) for name, array in parameters.items()},
        "steps": np.float32(0),
    }


def train_epoch(data: FoldData, profile: Profile, fold: int, epoch: int, state: dict[str, Any]) -> tuple[Any, float]:
    """Train one epoch.

    The order of the batches and everything that is dropped follow from seed, fold and epoch alone.

    Returns:
        The new state, and the mean loss of its batches.
    """
    from ingest.machine.crossfit.network import masks, train_step

    random = np.random.default_rng([profile.seed, fold, epoch])
    made = batches(data.training.lengths, profile, random)
    total = len(made) * profile.epochs
    losses = []
    for number, (length, members) in enumerate(made):
        sentences = batch_size(length, profile)
        batch = collate(data, data.training, members, length, sentences)
        drop = masks(profile, random, length + 1, sentences)
        rate = np.float32(rate_at(profile, epoch * len(made) + number, total))
        state, value = train_step(state, batch, drop, rate)
        losses.append(value)
    return state, float(np.mean([float(value) for value in losses])) if losses else 0.0


def parse_fold(data: FoldData, fold: FoldInput, profile: Profile, parameters: dict[str, Any]) -> list[Parsed]:
    """Parse the sentences of a fold: best tree with a single root, best relation at each of its heads."""
    from ingest.machine.crossfit.network import read, read_relations

    root = data.relations.index(ROOT)
    answers: list[Parsed | None] = [None] * len(fold.sentences)
    for length, members in batches(data.parsed.lengths, profile, None):
        sentences = batch_size(length, profile)
        batch = collate(data, data.parsed, members, length, sentences)
        encoded = read(parameters, batch, np.int32(len(data.tags)))
        arcs = np.asarray(encoded["arcs"], dtype=np.float64)
        heads = np.zeros((length, sentences), dtype=np.int32)
        for column, member in enumerate(members.tolist()):
            words = len(fold.sentences[member].forms)
            heads[:words, column] = best_tree(arcs[column, :words, : words + 1])
        scores = np.array(read_relations(parameters, encoded, heads))[..., : len(data.relations)]
        scores[..., root] = -np.inf
        labels = np.where(heads == 0, root, scores.argmax(-1))
        tags = np.asarray(encoded["tags"])
        for column, member in enumerate(members.tolist()):
            answers[member] = _answer(data, fold, member, heads[:, column], labels[:, column], tags[:, column])
    return [answer for answer in answers if answer is not None]


def _answer(
    data: FoldData, fold: FoldInput, member: int, heads: NDArray[Any], labels: NDArray[Any], tags: NDArray[Any]
) -> Parsed:
    """Words, tags and relations of one sentence from their numbers."""
    sentence = fold.sentences[member]
    words = len(sentence.forms)
    chosen = [data.tags[int(tag)] for tag in tags[:words]]
    return Parsed(
        sentence.id,
        [upos for upos, _ in chosen],
        [feats for _, feats in chosen],
        [int(head) for head in heads[:words]],
        [data.relations[int(label)] for label in labels[:words]],
    )
