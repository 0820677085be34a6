"""One fold: training epoch by epoch with the state on disk between them, then the parse of its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from machine.interface import Parsed, Sentence
from machine.providers.crossfit.data import ROOT, FoldData, Sizes, batch_size, batches, collate, write_arrays
from machine.tree import best_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from machine.providers.crossfit.profile import Profile


class Answers(NamedTuple):
    """The parse of a fold as numbers, an entry per word: heads, and rows of the inventories of the fold."""

    heads: NDArray[np.int32]
    relations: NDArray[np.int32]
    tags: NDArray[np.int32]


def rate_at(profile: Profile, step: int, steps: int) -> float:
    """Learning rate of a batch: up over the warm-up, then down to a fiftieth in a straight line."""
    return profile.rate * min(1.0, (step + 1) / profile.warmup) * max(0.02, 1.0 - step / steps)


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write parameters, moments and the number of steps."""
    flat = {f"{part} {name}": np.asarray(array) for part in PARTS for name, array in state[part].items()}
    write_arrays(path, flat | {"steps": np.asarray(state["steps"])})


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
    from machine.providers.crossfit.network import start

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
    from machine.providers.crossfit.network import masks, train_step

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
        # Waiting for each step keeps the batches that wait for theirs out of memory.
        losses.append(float(value))
    return state, float(np.mean(losses)) if losses else 0.0


def parse_fold(data: FoldData, profile: Profile, parameters: dict[str, Any]) -> Answers:
    """Parse the sentences of a fold: best tree with a single root, best relation at each of its heads."""
    from machine.providers.crossfit.network import read, read_relations

    source, root = data.parsed, data.relations.index(ROOT)
    answers = Answers(*(np.zeros(len(source.forms), dtype=np.int32) for _ in range(3)))
    for length, members in batches(source.lengths, profile, None):
        sentences = batch_size(length, profile)
        batch = collate(data, source, members, length, sentences)
        encoded = read(parameters, batch, np.int32(len(data.tags)))
        arcs = np.asarray(encoded["arcs"], dtype=np.float64)
        heads = np.zeros((length, sentences), dtype=np.int32)
        for column, words in enumerate(source.lengths[members].tolist()):
            heads[:words, column] = best_tree(arcs[column, :words, : words + 1])
        scores = np.array(read_relations(parameters, encoded, heads))[..., : len(data.relations)]
        scores[..., root] = -np.inf
        relations = np.where(heads == 0, root, scores.argmax(-1))
        tags = np.asarray(encoded["tags"])
        for column, member in enumerate(members.tolist()):
            here = slice(source.starts[member], source.starts[member + 1])
            words = here.stop - here.start
            answers.heads[here] = heads[:words, column]
            answers.relations[here] = relations[:words, column]
            answers.tags[here] = tags[:words, column]
    return answers


def parses(data: FoldData, sentences: Sequence[Sentence], answers: Answers) -> list[Parsed]:
    """Return the answers of a fold as parses of its sentences."""
    made = []
    for sentence, start in zip(sentences, data.parsed.starts.tolist(), strict=False):
        here = slice(start, start + len(sentence.forms))
        tags = [data.tags[number] for number in answers.tags[here].tolist()]
        relations = [data.relations[number] for number in answers.relations[here].tolist()]
        upos, feats = [tag for tag, _ in tags], [feats for _, feats in tags]
        made.append(Parsed(sentence.id, upos, feats, answers.heads[here].tolist(), relations))
    return made
