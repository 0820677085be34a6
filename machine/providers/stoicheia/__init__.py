"""The tagger and parser Stoicheia, a character model of the Hugging Face Hub, as a provider.

Its own decoding takes the best head of each token, which is no tree. Here the best single-rooted tree is taken over its
arc scores and the best label of each arc of that tree; the tree, in the Prague convention, goes through the conversion
of the human layer (``prague``). Parts of speech and features are the parser's own, in UD. A token that its processor
skips, for want of a letter it knows, comes back as ``X`` on the root.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from machine.artefact import KEY_LENGTH, artefact_key
from machine.check import load_inventories
from machine.interface import Corpus, MachineError, Parsed, Say, Sentence
from machine.parts import read_part, write_part
from machine.providers.stoicheia.hub_model import (
    HubModel,
    Loaded,
    folder_digest,
    library_versions,
    load,
    pinned_revision,
)
from machine.providers.stoicheia.prague import Conversion, PragueTree
from machine.tree import best_tree
from runtime.checkout import project_seed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.floating]

REPOSITORY = "Ericu950/Stoicheia-tagger-parser"
PROCESSOR = "processing_char_bert_joint.CharBertJointProcessor"
BATCH_SENTENCES = 32
PART_SENTENCES = 64 * BATCH_SENTENCES
"""Sentences that are kept together for a stopped run."""

Load = Callable[[HubModel, int], Loaded]
Record = Mapping[str, Any]


class Analysis(NamedTuple):
    """What the model says of a sentence, before the conversion; lists of one value per token."""

    tree: PragueTree
    upos: list[str]
    feats: list[str]
    skipped: int


class StoicheiaProvider:
    """Parses with the pinned model.

    Attributes:
        name: ``stoicheia``.
        source: where the model comes from.
        load: how it is loaded.
    """

    name = "stoicheia"

    def __init__(self, folder: Path | None, revision: str | None, trust_remote_code: bool, load: Load = load) -> None:
        self.source = HubModel(REPOSITORY, folder, revision, trust_remote_code, PROCESSOR)
        self.load = load
        self.skipped = 0

    def identity(self, corpus: Corpus) -> dict[str, Any]:
        """Return model, revision, libraries and the checksum of the conversion.

        Of a local snapshot the checksum is there too, for nothing else says that it is the revision it is said to be.
        """
        revision = pinned_revision(self.source)
        folder = self.source.folder
        if folder is not None and not folder.is_dir():
            raise MachineError(f"SPHRAGIS_STOICHEIA: expected the folder of a snapshot, found none at {folder}")
        return {
            "provider": self.name,
            "model": REPOSITORY,
            "revision": revision,
            "configuration": {
                "snapshot_sha256": folder_digest(folder) if folder else None,
                "processor": PROCESSOR,
                "batch_sentences": BATCH_SENTENCES,
                "decoding": "single-root maximum spanning tree",
                "conversion_sha256": Conversion().sha256,
            },
            "versions": library_versions(),
            "seed": project_seed(MachineError),
        }

    def parse(self, corpus: Corpus, cache: Path, say: Say) -> list[Parsed]:
        """Parse all sentences, those of like length together, in parts that a stopped run keeps.

        Raises:
            MachineError: the model cannot be had, or is another than the one this was written for.
        """
        ordered = sorted(corpus.sentences, key=lambda sentence: (len(sentence.forms), sentence.id))
        identity = self.identity(corpus)
        inventories = load_inventories()
        loaded: Loaded | None = None
        parses: list[Parsed] = []
        self.skipped = 0
        for start in range(0, len(ordered), PART_SENTENCES):
            sentences = ordered[start : start + PART_SENTENCES]
            path = cache / self.name / f"{artefact_key(identity, sentences, inventories)[:KEY_LENGTH]}.part"
            part = read_part(path, sentences)
            if part is None:
                loaded = loaded or self._loaded()
                part = _parse_part(loaded, sentences)
                write_part(path, sentences, *part)
            parses += part[0]
            self.skipped += part[1]
            say(f"machine layer: {len(parses)} of {len(ordered)} sentences parsed")
        return parses

    def _loaded(self) -> Loaded:
        """Return the model, after a look at its processor."""
        loaded = self.load(self.source, project_seed(MachineError))
        if not getattr(loaded.processor, "deprel_vocab", ()) or not callable(getattr(loaded.processor, "decode", None)):
            raise MachineError(
                f"{REPOSITORY}: expected a processor with decode and deprel_vocab like {PROCESSOR}, "
                f"found {type(loaded.processor).__name__}"
            )
        return loaded

    def facts(self, corpus: Corpus) -> dict[str, Any]:
        """Return how many tokens the processor skipped."""
        return {"skipped_tokens": self.skipped}


def _parse_part(loaded: Loaded, sentences: Sequence[Sentence]) -> tuple[list[Parsed], int]:
    """Return the parses of some sentences and the number of skipped tokens."""
    labels = list(loaded.processor.deprel_vocab)
    analyses: list[Analysis] = []
    for start in range(0, len(sentences), BATCH_SENTENCES):
        analyses += _analyses(loaded, labels, sentences[start : start + BATCH_SENTENCES])
    trees = Conversion().convert([analysis.tree for analysis in analyses])
    parses = [
        Parsed(sentence.id, analysis.upos, analysis.feats, tree.heads, tree.deprels)
        for sentence, analysis, tree in zip(sentences, analyses, trees, strict=True)
    ]
    return parses, sum(analysis.skipped for analysis in analyses)


def _analyses(loaded: Loaded, labels: Sequence[str], batch: Sequence[Sentence]) -> Iterator[Analysis]:
    """Yield the analyses of one batch."""
    with loaded.inference():
        inputs = loaded.processor([list(sentence.forms) for sentence in batch])
        outputs = loaded.model(**inputs)
        # With ud=True a record has UD tags and features, and still the native tag; its head and label are not used.
        records = loaded.processor.decode(outputs, inputs, ud=True)
        arcs, relations = _array(outputs, "arc_scores"), _array(outputs, "rel_scores")
    if len(records) != len(batch):
        raise MachineError(f"{REPOSITORY}: expected records of {len(batch)} sentences, found {len(records)}")
    for index, sentence in enumerate(batch):
        try:
            yield _analysis(sentence, records[index], arcs, relations, index, labels)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise MachineError(
                f"{REPOSITORY}: sentence {sentence.id}: expected records with form, lemma, xpos, upos and feats and "
                f"scores of every arc and label, found others ({type(error).__name__}: {error})"
            ) from error


def _array(outputs: Any, name: str) -> Floats | None:
    """Return scores of the model as numbers of the CPU; None where no token of a batch could be read."""
    import numpy as np

    value = getattr(outputs, name, None)
    if value is None:
        return None
    if hasattr(value, "detach"):
        value = value.detach().cpu().float().numpy()
    scores: Floats = np.asarray(value)
    return scores


def _analysis(
    sentence: Sentence,
    records: Sequence[Record],
    arcs: Floats | None,
    relations: Floats | None,
    index: int,
    labels: Sequence[str],
) -> Analysis:
    """Put the analysis of a sentence together."""
    length, count = len(sentence.forms), len(records)
    places = _places(sentence, records)
    analysis = Analysis(
        PragueTree([""] * length, [""] * length, [0] * length, [""] * length),
        ["X"] * length,
        [""] * length,
        length - count,
    )
    if not count:
        return analysis
    if arcs is None or relations is None:
        raise MachineError(f"{REPOSITORY}: sentence {sentence.id}: expected arc scores, found none")
    try:
        heads = best_tree(arcs[index, :count, : count + 1])
    except MachineError as error:
        raise MachineError(f"{REPOSITORY}: sentence {sentence.id}: {error}") from error
    for slot, (place, record, head) in enumerate(zip(places, records, heads, strict=True)):
        analysis.tree.tags[place] = record["xpos"]
        analysis.tree.lemmas[place] = unicodedata.normalize("NFC", record["lemma"])
        analysis.tree.heads[place] = places[head - 1] + 1 if head else 0
        analysis.tree.labels[place] = labels[int(relations[index, slot, head].argmax())]
        analysis.upos[place] = record["upos"]
        analysis.feats[place] = "|".join(f"{name}={value}" for name, value in record["feats"].items())
    return analysis


def _places(sentence: Sentence, records: Sequence[Record]) -> list[int]:
    """Return the index of the token of each record; tokens between them were skipped.

    A form is skipped or not whatever stands around it, so records go to the next token of their form.
    """
    places, place = [], 0
    for record in records:
        while place < len(sentence.forms) and sentence.forms[place] != record["form"]:
            place += 1
        if place == len(sentence.forms):
            raise MachineError(
                f"{REPOSITORY}: sentence {sentence.id}: expected records of its tokens in their order, "
                f"found {record['form']!r}"
            )
        places.append(place)
        place += 1
    return places
