"""The settings of the parser: one for the whole corpus, one for the sample."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from machine.interface import MachineError
from runtime.checkout import project_seed


@dataclass(frozen=True)
class Profile:
    """Sizes and schedule of one training; every value is part of the key of the parse.

    Attributes:
        name: how the manifest calls it.
        word_rows: rows of the table of whole words, one of them for all others; the most frequent words get one.
        affix_rows: rows that all hashed affixes share.
        dimensions: length of the vector of a word, and of the sum of its affix vectors.
        hidden: units of the encoder in each direction.
        layers: layers of the encoder.
        tag_hidden, arc_hidden, relation_hidden: units before tags, heads and relations are scored.
        models: models of a fold, which vote.
        epochs: times that every training sentence is seen by a model.
        averaged: the parameters are the mean of those after so many of the last epochs.
        batch_words: words of a batch, padding included.
        lengths: lengths to which sentences are padded; each is one compiled program. Longer sentences are padded
            to a multiple of the last.
        longest_trained: longer sentences are parsed, not trained on: they cost much and are few.
        most_trained: at most so many training sentences per fold, chosen by sha256; None for all.
        rate: greatest learning rate; it rises over the first `warmup` batches and falls to a fiftieth.
        dropout: share of units that are dropped while training, at every layer.
        word_dropout: share of whole words that are read as unknown while training.
        affix_dropout: share of affixes that are dropped while training.
        seed: seed of every pseudo-random choice; that of the project, where it is not told.
    """

    name: str
    word_rows: int = 30_000
    affix_rows: int = 65_536
    dimensions: int = 100
    hidden: int = 256
    layers: int = 2
    tag_hidden: int = 160
    arc_hidden: int = 224
    relation_hidden: int = 64
    models: int = 2
    epochs: int = 5
    averaged: int = 1
    batch_words: int = 1_000
    lengths: tuple[int, ...] = (8, 12, 16, 20, 24, 32, 40, 48, 64, 96)
    longest_trained: int = 96
    most_trained: int | None = None
    rate: float = 0.0025
    warmup: int = 200
    dropout: float = 0.25
    word_dropout: float = 0.15
    affix_dropout: float = 0.1
    seed: int = field(default_factory=lambda: project_seed(MachineError))

    def settings(self) -> dict[str, Any]:
        """Return every setting, for the manifest and the key."""
        return asdict(self) | {"lengths": list(self.lengths)}


FULL = Profile("full")
"""For the treebanks: what two cores train in five folds in little more than an hour."""

SAMPLE = Profile(
    "sample",
    word_rows=1_000,
    affix_rows=2_048,
    dimensions=24,
    hidden=32,
    layers=1,
    tag_hidden=48,
    arc_hidden=48,
    relation_hidden=24,
    epochs=2,
    lengths=(32,),
    longest_trained=32,
    most_trained=1_000,
    rate=0.01,
    warmup=5,
    dropout=0.1,
)
"""For the bundled sample and continuous integration: seconds, and no claim to quality."""
