"""One fold: training epoch by epoch with the state on disk between them, then the parse of its sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from machine.interface import Parsed, Sentence
from machine.providers.crossfit.data import (
    ROOT,
    FoldData,
    Sizes,
    batch_size,
    batches,
    collate,
    touched_rows,
    write_arrays,
)
from machine.providers.crossfit.features import UNKNOWN
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
    """Write parameters, moments, the mean of the parameters so far and the number of steps."""
    flat = {f"{part} {name}": np.asarray(array) for part in PARTS for name, array in state[part].items()}
    write_arrays(path, flat | {"steps": np.asarray(state["steps"])})


PARTS = ("parameters", "mean", "square", "average")
"""What a state has by the names of the parameters; `average` is over the last epochs."""


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


def first_state(profile: Profile, sizes: Sizes, model: int) -> dict[str, Any]:
    """Return the state of one of the models of a fold before training."""
    from machine.providers.crossfit.network import start

    parameters = start(profile, sizes.tags, sizes.relations, model)
    return {
        "parameters": parameters,
        "mean": {name: np.zeros_like(array) for name, array in parameters.items()},
        "square": {name: np.zeros_like(array) for name, array in parameters.items()},
        "average": {},
        "steps": np.float32(0),
    }


def train_epoch(
    data: FoldData,
    profile: Profile,
    part: tuple[int, int, int],
    state: dict[str, Any],
    tell: Callable[[int], None] = lambda words: None,
) -> tuple[Any, float]:
    """Train one epoch.

    The order of the batches and everything that is dropped follow from the seed and `part` alone.

    Args:
        data: the fold as numbers.
        profile: settings of the parser.
        part: numbers of fold, model and epoch.
        state: the state before; it is used up.
        tell: told the words of every batch.

    Returns:
        The new state, and the mean loss of its batches.
    """
    from machine.providers.crossfit.network import masks, train_step

    epoch = part[-1]
    random = np.random.default_rng([profile.seed, *part])
    average = state.pop("average")
    made = batches(data.training.lengths, profile, random)
    total = len(made) * profile.epochs
    losses = []
    for number, (length, members) in enumerate(made):
        sentences = batch_size(length, profile)
        batch = collate(data, data.training, members, length, sentences)
        drop = masks(profile, random, length + 1, sentences)
        batch["words"] = np.where(drop.pop("known"), batch["words"], UNKNOWN)
        rows = touched_rows(batch, profile)
        rate = np.float32(rate_at(profile, epoch * len(made) + number, total))
        state, value = train_step(state, batch, rows, drop, rate)
        # Waiting for each step keeps the batches that wait for theirs out of memory.
        losses.append(float(value))
        tell(int(data.training.lengths[members].sum()))
    state = {part: state[part] for part in state} | {"average": averaged(state, average, profile, epoch)}
    return state, float(np.mean(losses)) if losses else 0.0


def averaged(state: dict[str, Any], average: dict[str, Any], profile: Profile, epoch: int) -> dict[str, Any]:
    """Return the mean of the parameters after each of the last epochs so far; empty before these."""
    over = epoch - (profile.epochs - profile.averaged) + 1
    if over < 1:
        return {}
    now = {name: np.asarray(array) for name, array in state["parameters"].items()}
    return {name: average.get(name, array) + (array - average.get(name, array)) / over for name, array in now.items()}


def parse_fold(
    data: FoldData, profile: Profile, models: Sequence[dict[str, Any]], tell: Callable[[int], None] = lambda words: None
) -> Answers:
    """Parse the sentences of a fold: best tree with a single root, best relation at each of its heads.

    Models vote: the probability of a head, of a relation and of a tag is the mean of theirs.

    Args:
        data: the fold as numbers.
        profile: settings of the parser.
        models: parameters of the models.
        tell: told the words of every batch.
    """
    from machine.providers.crossfit.network import read, read_relations

    source, root = data.parsed, data.relations.index(ROOT)
    answers = Answers(*(np.zeros(len(source.forms), dtype=np.int32) for _ in range(3)))
    for length, members in batches(source.lengths, profile, None):
        sentences = batch_size(length, profile)
        batch = collate(data, source, members, length, sentences)
        encoded = [read(parameters, batch, np.int32(len(data.tags))) for parameters in models]
        arcs = voted([one.pop("arcs") for one in encoded])
        tags = voted([one.pop("tags") for one in encoded]).argmax(-1)
        heads = np.zeros((length, sentences), dtype=np.int32)
        for column, words in enumerate(source.lengths[members].tolist()):
            heads[:words, column] = best_tree(arcs[column, :words, : words + 1])
        scores = voted(
            [read_relations(parameters, one, heads) for parameters, one in zip(models, encoded, strict=True)]
        )[..., : len(data.relations)]
        scores[..., root] = -np.inf
        relations = np.where(heads == 0, root, scores.argmax(-1))
        for column, member in enumerate(members.tolist()):
            here = slice(source.starts[member], source.starts[member + 1])
            words = here.stop - here.start
            answers.heads[here] = heads[:words, column]
            answers.relations[here] = relations[:words, column]
            answers.tags[here] = tags[:words, column]
        tell(int(source.lengths[members].sum()))
    return answers


def voted(scores: Sequence[Any]) -> NDArray[np.float64]:
    """Logarithm of the mean probability, from log-probabilities of one shape.

    >>> np.exp(voted([np.log([0.2, 0.8]), np.log([0.4, 0.6])])).round(2).tolist()
    [0.3, 0.7]
    """
    if len(scores) == 1:
        return np.array(scores[0], dtype=np.float64)
    together = np.logaddexp.reduce([np.asarray(one, dtype=np.float64) for one in scores])
    return np.asarray(together - np.log(len(scores)))


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
