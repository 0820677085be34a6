"""What a provider of parses is given and what it gives back.

A provider gets the published sentences and returns one parse for each. All that is common to providers (the check,
the repair of roots, the artefact on disk, its manifest) is done once, in ``check`` and ``artefact``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

Say = Callable[[str], None]
"""How a provider tells the user what it is doing: one line without line end."""

Manifest = dict[str, Any]
"""What is known about a parse: JSON-able, without time stamps and machine paths."""


class MachineError(ValueError):
    """An expected failure of the machine layer: file, sentence, token, what was expected, what was found."""


class Sentence(NamedTuple):
    """A published sentence.

    Attributes:
        id: its published id (``s-...``).
        forms: its tokens, as published.
    """

    id: str
    forms: list[str]


class Parsed(NamedTuple):
    """The analysis of a sentence: lists of one length, a value per token.

    Attributes:
        id: the published id of the sentence.
        upos: universal parts of speech.
        feats: FEATS (``Case=Nom|Number=Sing``), the empty string for none.
        heads: 0 for the root, else the number of the head, from 1.
        deprels: relations, with or without subtype.
    """

    id: str
    upos: list[str]
    feats: list[str]
    heads: list[int]
    deprels: list[str]


@dataclass(frozen=True)
class Corpus:
    """The published sentences, with what a provider that is trained here needs to know of them.

    Attributes:
        sentences: every published sentence, ordered by id, each once.
        folds: fold (0 to k-1) of each published sentence, by id.
        gold: the human layer of the sentences that may be trained on, published or not, by id: trees as converted, in
            full Universal Dependencies (relations, parts of speech, features).
        unpublished: the sentences among them that are not published, ordered by id.
        works: canonical work of each sentence, by id.
        withheld: by fold, the ids of sentences of other works that repeat a sentence of it and do not train its model.
        is_sample: the corpus is the bundled sample, for which training takes seconds.
    """

    sentences: list[Sentence]
    folds: dict[str, int] = field(default_factory=dict)
    gold: dict[str, Parsed] = field(default_factory=dict)
    unpublished: list[Sentence] = field(default_factory=list)
    works: dict[str, str] = field(default_factory=dict)
    withheld: dict[int, frozenset[str]] = field(default_factory=dict)
    is_sample: bool = False


class Provider(Protocol):
    """A source of parses.

    Attributes:
        name: ``crossfit``, ``conllu`` or ``stoicheia``.
    """

    name: str

    def identity(self, corpus: Corpus) -> dict[str, Any]:
        """Return all that the parse depends on besides the ids and tokens of the sentences.

        JSON-able, without machine paths: provider, model, revision, configuration, library versions, seed, checksums of
        training data or of the file that is read. The same identity and the same sentences mean the same parse, which
        then is not made again. The keys go into the manifest as they are.

        Raises:
            MachineError: the provider cannot be used as it is set up.
        """
        ...

    def parse(self, corpus: Corpus, cache: Path, say: Say) -> list[Parsed]:
        """Return one parse per sentence, in any order.

        Args:
            corpus: the sentences.
            cache: folder for intermediate results, which a stopped run resumes from; it exists.
            say: progress.

        Raises:
            MachineError: no parse can be made.
        """
        ...

    def facts(self, corpus: Corpus) -> dict[str, Any]:
        """Return what the manifest says beyond the identity; called after ``parse`` and only then.

        The key ``folds`` means that the sentences were parsed fold by fold: each then has its fold in ``parse.conllu``
        and in the warehouse, and the identity must cover the folds.
        """
        ...
