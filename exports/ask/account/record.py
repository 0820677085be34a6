"""What is known about one sentence. As JSON it is the record itself, field for field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exports.ask.explain import Finding


@dataclass(frozen=True)
class Source:
    """Where a sentence was read.

    Attributes:
        sentence_id, project, path, position, line: file, place in it from 1, and line of the file.
        source_sentence_id, document_id: its own ids there.
        repository, revision: the version that was read.
        address: the line in the repository; None where there is none.
        licence, licence_url, attribution: of the project.
        annotators: as the file names them.
    """

    sentence_id: str
    project: str
    path: str
    position: int | None
    line: int | None
    source_sentence_id: str | None
    document_id: str | None
    repository: str | None
    revision: str | None
    address: str | None
    licence: str | None
    licence_url: str | None
    attribution: str | None
    annotators: tuple[str, ...]


@dataclass(frozen=True)
class Copy:
    """Another sentence with the same letters, which was merged into this one: its record is in `source_records`."""

    sentence_id: str
    line: int | None
    licence: str | None
    annotators: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A row of the dataset in which the sentence stands: itself, or a chunk.

    Attributes:
        configuration, track, split: where the row is.
        id: of the row.
        place, size: which sentence of how many it is there.
    """

    configuration: str
    track: str
    split: str
    id: str
    place: int
    size: int


@dataclass(frozen=True)
class Standing:
    """What a track made of the sentence.

    Attributes:
        track, title: the track.
        split: train, validation, validation2 or test; None when it is in none.
        reason: why it is in none; of a track that holds works out, what its work is there.
    """

    track: str
    title: str
    split: str | None
    reason: str | None


@dataclass(frozen=True)
class Change:
    """Something of a word that is not published as it was read.

    Attributes:
        what: form, joined, lemma, class, a feature, relation, head, coordinator, repair or left_out.
        before, after: in words; empty for nothing.
        decision: number of the record of the decision; None where it is the mapping of the tag alone.
    """

    what: str
    before: str
    after: str
    decision: int | None


@dataclass(frozen=True)
class Word:
    """A token of the file, as read and as published.

    Attributes:
        source_index, source_token: its place in the sentence, from 1, and its id there.
        native_form, native_lemma, native_tag, native_head, native_relation: as read; the tag of a project with CoNLL-U
            is class and features.
        position: number of the published word that it is or went into; None when it is not published.
        form, lemma, upos, feats, head, deprel: as published; None when it went into another word.
        relation: of Universal Dependencies, before it was reduced to `deprel`.
        changes: what is not published as it was read, beyond the tables that translate tags and labels.
    """

    source_index: int
    source_token: str
    native_form: str
    native_lemma: str | None
    native_tag: str | None
    native_head: str | None
    native_relation: str | None
    position: int | None
    form: str | None
    lemma: str | None
    upos: str | None
    feats: str | None
    head: int | None
    deprel: str | None
    relation: str | None
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Difference:
    """A word that the machine reads otherwise than the human layer has it.

    Attributes:
        position, form: the published word.
        what: head, relation, class or features.
        human, machine: both readings.
    """

    position: int
    form: str
    what: str
    human: str
    machine: str


@dataclass(frozen=True)
class Parse:
    """The machine layer of a sentence.

    Attributes:
        provider, model, revision: who parsed it.
        fold: the model that parsed it has seen no sentence of this fold; None where there is none.
        words: words that both layers have; 0 where the human layer is not annotated.
        same_heads, same_relations, same_classes: in how many they agree.
        differences: the others.
    """

    provider: str
    model: str
    revision: str
    fold: int | None
    words: int
    same_heads: int
    same_relations: int
    same_classes: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Tree:
    """The published tree: whether it is one, whether arcs cross, and how deep it is."""

    is_tree: bool | None
    is_projective: bool | None
    depth: int | None


@dataclass(frozen=True)
class Account:
    """Everything about one sentence.

    Attributes:
        sentence_id: project, path and position.
        published_id: its id in the dataset; None when it is in no row.
        dedup_key: hash of its letters.
        author, work, canonical_work, genre, passage, passage_note, citation, cts_urn: as the catalogue has them.
        text, native_text: as published, and as printed in the source.
        word_count: published words.
        fate, reason: what became of it, and by which rule.
        survivor_id: the sentence that stands for it.
        source: where it was read.
        licences: of the published row, with those of the copies.
        findings: what the rules of deduplication found, in their order.
        copies: sentences merged into it.
        rows: rows of the dataset in which it stands.
        tracks: what every track made of it.
        words: its tokens.
        tree: its published tree.
        parse: its machine layer; None without one.
        untold: parts that this warehouse cannot tell, because it was made by another version.
    """

    sentence_id: str
    published_id: str | None
    dedup_key: str | None
    author: str | None
    work: str | None
    canonical_work: str | None
    genre: str | None
    passage: str | None
    passage_note: str | None
    citation: str | None
    cts_urn: str | None
    text: str | None
    native_text: str | None
    word_count: int
    fate: str
    reason: str | None
    survivor_id: str | None
    source: Source
    licences: tuple[str, ...]
    findings: tuple[Finding, ...]
    copies: tuple[Copy, ...]
    rows: tuple[Row, ...]
    tracks: tuple[Standing, ...]
    words: tuple[Word, ...]
    tree: Tree
    parse: Parse | None
    untold: tuple[str, ...]

    @property
    def changed(self) -> list[Word]:
        """The words in which something is not published as it was read."""
        return [word for word in self.words if word.changes and word.position is not None]

    @property
    def left_out(self) -> list[Word]:
        """The tokens that are not published: marks, and words that annotators supplied."""
        return [word for word in self.words if word.position is None]


DECISIONS: Mapping[str, int] = {
    "form": 4,
    "repaired form": 7,
    "joined": 99,
    "lemma": 96,
    "class": 98,
    "Person": 91,
    "Gender": 92,
    "Voice": 93,
    "Tense": 94,
    "Aspect": 94,
    "Degree": 95,
    "VerbForm": 95,
    "head": 30,
    "coordinator": 25,
    "relation": 97,
    "repair": 30,
    "editorial": 22,
}
"""Number of the record of the decision by which a part of a word changes."""

REPAIRS: Mapping[str, str] = {
    "missing_head": "the file names no head that is there: a root",
    "self_loop": "the file makes it its own head: a root",
    "cycle": "its heads go round in a ring, which is cut here: a root",
    "ellipsis": "its head is a word that the annotator supplied: it hangs on the published word that stands for it",
    "editorial": "its head is a mark or a sign of an editor: it hangs on the next word above that is published",
    "extra_root": "the file has several roots: it hangs on the first",
}
"""What each repair of a head is."""


def plain(account: Account) -> dict[str, Any]:
    """Return the record as JSON has it."""
    from dataclasses import asdict

    return asdict(account)
