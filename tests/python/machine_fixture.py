"""Sentences and a provider of the tests of the machine layer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from machine.interface import Corpus, Parsed, Say, Sentence

SENTENCES = [
    Sentence("s-01", ["ὁ", "ἀνὴρ", "λέγει"]),
    Sentence("s-02", ["ναί"]),
    Sentence("s-03", ["καὶ", "λέγε"]),
]
PARSES = [
    Parsed(
        "s-01",
        ["DET", "NOUN", "VERB"],
        ["", "Case=Nom|Number=Sing", "Mood=Ind|VerbForm=Fin"],
        [2, 3, 0],
        ["det", "nsubj:outer", "root"],
    ),
    Parsed("s-02", ["INTJ"], [""], [0], ["root"]),
    Parsed("s-03", ["CCONJ", "VERB"], ["", "Gender=Masc,Neut"], [2, 0], ["cc", "root"]),
]


def corpus(folds: bool = False) -> Corpus:
    return Corpus(SENTENCES, folds={"s-01": 0, "s-02": 1, "s-03": 0} if folds else {})


def changed(number: int, **fields: Any) -> list[Parsed]:
    """Return the parses with fields of one of them replaced."""
    parses = list(PARSES)
    parses[number] = parses[number]._replace(**fields)
    return parses


class Counting:
    """A provider that counts how often it parses."""

    name = "counting"

    def __init__(
        self,
        parses: list[Parsed] | None = None,
        facts: dict[str, Any] | None = None,
        revision: str = "1",
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self.parses = PARSES if parses is None else parses
        self.extra = facts or {}
        self.revision = revision
        self.before = before
        self.calls = 0

    def identity(self, corpus: Corpus) -> dict[str, Any]:
        return {"provider": self.name, "model": "fixture", "revision": self.revision, "seed": 917}

    def parse(self, corpus: Corpus, cache: Path, say: Say) -> list[Parsed]:
        self.calls += 1
        self.before()
        return list(self.parses)

    def facts(self, corpus: Corpus) -> dict[str, Any]:
        return dict(self.extra)
