"""The corpus of one fold as numbers, and batches of one length at a time."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from machine.interface import MachineError
from machine.providers.crossfit.features import affix_table, word_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from machine.interface import Corpus, Parsed, Sentence
    from machine.providers.crossfit.profile import Profile

ROOT = "root"


def write_arrays(path: Path, arrays: dict[str, Any]) -> None:
    """Write arrays into one file, aside and renamed in, so that a stopped run leaves no half of it."""
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    with aside.open("wb") as file:
        np.savez(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def is_sound(path: Path) -> bool:
    """Tell whether a file of arrays is there and whole, by its checksums."""
    try:
        with zipfile.ZipFile(path) as arrays:
            return arrays.testzip() is None
    except (OSError, zipfile.BadZipFile, EOFError):
        return False


def digest(value: Any) -> str:
    """Sha256 of a value as JSON, as hexadecimal digits."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Sizes(NamedTuple):
    """Rows of the answers: the same in every fold, so that all folds share their compiled programs."""

    tags: int
    relations: int


def answer_sizes(corpus: Corpus) -> Sizes:
    """Count the tags and relations of all gold trees, rounded up so that a few more change no program.

    A parse depends on them (they are the shape of what is drawn before training), so they are part of every key.
    """
    tags = {tag for tree in corpus.gold.values() for tag in zip(tree.upos, tree.feats, strict=True)}
    relations = {label for tree in corpus.gold.values() for label in tree.deprels} | {ROOT}
    return Sizes(-(-len(tags) // 64) * 64, -(-(len(relations) + 1) // 8) * 8)


@dataclass(frozen=True)
class FoldInput:
    """What one fold is made from: the sentences to parse, and the gold trees its parser may see.

    Attributes:
        fold: its number.
        sentences: sentences to parse, ordered by id.
        training: trees of other folds that it is trained on, with their forms, ordered by id.
        content: checksum of all this.
    """

    fold: int
    sentences: list[Sentence]
    training: list[tuple[Sentence, Parsed]]
    content: str

    def key(self, settings: dict[str, Any]) -> str:
        """Return the key of the fold's parse: the checksum of settings and content."""
        return digest([settings, self.fold, self.content])


def fold_inputs(corpus: Corpus, profile: Profile) -> list[FoldInput]:
    """Choose what every fold parses and what it is trained on, in the order of their numbers.

    Training takes gold trees of works that are not in the fold, published or not, without those that repeat a sentence
    of the fold and without those that are longer than the profile trains on. Where the profile trains on fewer, sha256
    of seed and id chooses.

    Raises:
        MachineError: a work is in two folds, or a fold has nothing to train on.
    """
    folds: dict[str, int] = {}
    for sentence in corpus.sentences:
        work, fold = corpus.works[sentence.id], corpus.folds[sentence.id]
        if folds.setdefault(work, fold) != fold:
            raise MachineError(f"{sentence.id}: expected all of {work} in fold {folds[work]}, found it in fold {fold}")
    trainable = sorted(
        (sentence for sentence in chain(corpus.sentences, corpus.unpublished) if sentence.id in corpus.gold),
        key=lambda sentence: sentence.id,
    )
    sums = {sentence.id: digest([*sentence, *corpus.gold[sentence.id]]) for sentence in trainable}
    inputs = [_fold_input(corpus, fold, profile, trainable, sums, folds) for fold in sorted(set(corpus.folds.values()))]
    for one in inputs:
        if not one.training:
            raise MachineError(
                f"fold {one.fold}: expected trees of native projects in the other folds to train on, found none; "
                "build with SPHRAGIS_MACHINE=none, or bring a parse with SPHRAGIS_MACHINE=conllu"
            )
    return inputs


def _fold_input(
    corpus: Corpus,
    fold: int,
    profile: Profile,
    trainable: list[Sentence],
    sums: dict[str, str],
    folds: dict[str, int],
) -> FoldInput:
    withheld = corpus.withheld.get(fold, frozenset())
    allowed = [
        sentence
        for sentence in trainable
        if folds.get(corpus.works[sentence.id]) != fold
        and sentence.id not in withheld
        and len(sentence.forms) <= profile.longest_trained
    ]
    if profile.most_trained is not None and len(allowed) > profile.most_trained:
        ordered = sorted(allowed, key=lambda s: hashlib.sha256(f"{profile.seed}:train:{s.id}".encode()).hexdigest())
        allowed = sorted(ordered[: profile.most_trained], key=lambda sentence: sentence.id)
    parsed = [sentence for sentence in corpus.sentences if corpus.folds[sentence.id] == fold]
    content = digest([[digest(list(s)) for s in parsed], [sums[sentence.id] for sentence in allowed]])
    return FoldInput(fold, parsed, [(sentence, corpus.gold[sentence.id]) for sentence in allowed], content)


@dataclass(frozen=True)
class Numbered:
    """Sentences as numbers, one after the other: sentence i has the entries `starts[i]` to `starts[i + 1]`.

    Attributes:
        forms: number of the form of each word.
        heads, relations, tags: gold of each word; empty arrays where there is none.
    """

    starts: NDArray[np.int64]
    forms: NDArray[np.int32]
    heads: NDArray[np.int32]
    relations: NDArray[np.int32]
    tags: NDArray[np.int32]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Words of every sentence."""
        return np.diff(self.starts)


@dataclass(frozen=True)
class FoldData:
    """A fold as numbers, with the inventories its parser can answer with.

    Attributes:
        words: row of the word table of each distinct form; `affixes`: rows of its affixes.
        tags: pairs of part of speech and features seen in training, sorted.
        relations: relations seen in training, sorted; the root is always among them.
    """

    words: NDArray[np.int32]
    affixes: NDArray[np.int32]
    tags: list[tuple[str, str]]
    relations: list[str]
    training: Numbered
    parsed: Numbered

    def save(self, path: Path) -> None:
        """Write everything into one file, aside and renamed in."""
        arrays: dict[str, Any] = {
            f"{part} {name}": array
            for part in ("training", "parsed")
            for name, array in vars(getattr(self, part)).items()
        }
        inventories = json.dumps([self.tags, self.relations], ensure_ascii=False)
        write_arrays(path, arrays | {"words": self.words, "affixes": self.affixes, "inventories": inventories})

    @classmethod
    def load(cls, path: Path) -> FoldData:
        """Read what `save` wrote."""
        with np.load(path) as arrays:
            parts: dict[str, dict[str, Any]] = {"training": {}, "parsed": {}}
            for entry in arrays.files:
                part, _, name = entry.partition(" ")
                if name:
                    parts[part][name] = arrays[entry]
            tags, relations = json.loads(str(arrays["inventories"]))
            words, affixes = arrays["words"], arrays["affixes"]
        known = [(upos, feats) for upos, feats in tags]
        return cls(words, affixes, known, relations, Numbered(**parts["training"]), Numbered(**parts["parsed"]))


def numbered(fold: FoldInput, profile: Profile) -> FoldData:
    """Turn a fold into numbers; forms and inventories are sorted, so that the numbers follow from the content."""
    forms = sorted(
        {form for sentence, _ in fold.training for form in sentence.forms}
        | {form for sentence in fold.sentences for form in sentence.forms}
    )
    number = {form: place for place, form in enumerate(forms)}
    tags = sorted({tag for _, tree in fold.training for tag in zip(tree.upos, tree.feats, strict=True)})
    relations = sorted({label for _, tree in fold.training for label in tree.deprels} | {ROOT})
    tag_number = {tag: place for place, tag in enumerate(tags)}
    relation_number = {label: place for place, label in enumerate(relations)}

    def made(sentences: Sequence[Sentence], trees: Sequence[Parsed]) -> Numbered:
        starts = np.zeros(len(sentences) + 1, dtype=np.int64)
        np.cumsum([len(sentence.forms) for sentence in sentences], out=starts[1:])

        def flat(values: Iterator[int]) -> NDArray[np.int32]:
            return np.fromiter(values, dtype=np.int32)

        return Numbered(
            starts,
            flat(number[form] for sentence in sentences for form in sentence.forms),
            flat(head for tree in trees for head in tree.heads),
            flat(relation_number[label] for tree in trees for label in tree.deprels),
            flat(tag_number[tag] for tree in trees for tag in zip(tree.upos, tree.feats, strict=True)),
        )

    training = made([sentence for sentence, _ in fold.training], [tree for _, tree in fold.training])
    return FoldData(
        words=word_table(forms, training.forms.tolist(), profile.word_rows),
        affixes=affix_table(forms, profile.affix_rows),
        tags=tags,
        relations=relations,
        training=training,
        parsed=made(fold.sentences, []),
    )


def padded_length(length: int, lengths: Sequence[int]) -> int:
    """Length that a sentence is padded to: the first that holds it, or a multiple of the last.

    >>> padded_length(9, (8, 12)), padded_length(13, (8, 12))
    (12, 24)
    """
    for size in lengths:
        if length <= size:
            return size
    return -(-length // lengths[-1]) * lengths[-1]


def batches(
    lengths: NDArray[np.int64], profile: Profile, random: np.random.Generator | None
) -> list[tuple[int, NDArray[np.int64]]]:
    """Divide sentences into batches of one padded length.

    Args:
        lengths: words of every sentence.
        profile: lengths and words of a batch.
        random: shuffles sentences and batches; None keeps their order.

    Returns:
        Padded length and positions of the sentences of each batch.
    """
    order = np.arange(len(lengths)) if random is None else random.permutation(len(lengths))
    groups: dict[int, list[int]] = {}
    for place in order.tolist():
        groups.setdefault(padded_length(int(lengths[place]), profile.lengths), []).append(place)
    made = []
    for length in sorted(groups):
        size = batch_size(length, profile)
        members = groups[length]
        made += [(length, np.asarray(members[at : at + size])) for at in range(0, len(members), size)]
    if random is not None:
        made = [made[place] for place in random.permutation(len(made))]
    return made


def batch_size(length: int, profile: Profile) -> int:
    """Sentences of a batch; the same for every batch of a length, so that one program is compiled for it."""
    return max(1, profile.batch_words // length)


def touched_rows(batch: dict[str, NDArray[Any]], profile: Profile) -> dict[str, NDArray[np.int32]]:
    """Find the rows of the tables that a batch touches, and put their places in the batch.

    Returns:
        For words and affixes, their rows in order; rows beyond the table fill the array up, so that its length follows
        from the shape of the batch alone.
    """
    touched = {}
    for name, beyond in (("words", profile.word_rows), ("affixes", profile.affix_rows)):
        rows, places = np.unique(batch[name], return_inverse=True)
        filling = np.arange(beyond, beyond + batch[name].size - len(rows))
        batch[name] = places.reshape(batch[name].shape).astype(np.int32)
        touched[name] = np.concatenate([rows, filling]).astype(np.int32)
    return touched


def collate(
    data: FoldData, source: Numbered, members: NDArray[np.int64], length: int, sentences: int
) -> dict[str, NDArray[Any]]:
    """Make the arrays of a batch, time-major, padded to `length` words and `sentences` sentences.

    The root stands at place 0. Gold arrays are there when the source has gold; padding has head, relation and tag 0
    and does not count.
    """
    starts, sizes = source.starts[members], source.lengths[members]
    place = np.arange(length)[:, None]
    inside = np.zeros((length, sentences), dtype=bool)
    inside[:, : len(members)] = place < sizes[None]
    index = np.zeros((length, sentences), dtype=np.int64)
    index[:, : len(members)] = np.where(inside[:, : len(members)], starts[None] + place, 0)

    forms = source.forms[index]
    words = np.zeros((length + 1, sentences), dtype=np.int32)
    words[1:] = np.where(inside, data.words[forms], 0)
    affixes = np.zeros((length + 1, sentences, data.affixes.shape[1]), dtype=np.int32)
    affixes[1:] = np.where(inside[..., None], data.affixes[forms], 0)
    mask = np.ones((length + 1, sentences), dtype=np.float32)
    mask[1:] = inside
    made: dict[str, NDArray[Any]] = {"words": words, "affixes": affixes, "mask": mask}
    if len(source.heads):
        for name, values in (("heads", source.heads), ("relations", source.relations), ("tags", source.tags)):
            made[name] = np.where(inside, values[index], 0).astype(np.int32)
    return made
