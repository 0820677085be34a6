"""The layers that a request may speak of, the scopes, and what features and metadata are called in the warehouse."""

from __future__ import annotations

from dataclasses import dataclass

from exports.ask.patterns.faults import RequestError
from runtime.command import short


@dataclass(frozen=True)
class Layer:
    """One layer of annotation.

    Attributes:
        name: as in corpus.nodes.
        separator: the sign at which a label is split, at its first occurrence, into the parts 1 and 2.
        may_be_odd: whether there are nodes without a head and nodes that are their own head.
    """

    name: str
    separator: str = ":"
    may_be_odd: bool = False


LAYERS = {
    "ud": Layer("ud"),
    "published": Layer("published"),
    "machine": Layer("machine"),
    "native": Layer("native", "_", may_be_odd=True),
}
SCOPES = {"published": 1, "distinct": 2, "all": 3}
"""The greatest value of corpus.nodes.scope of each scope."""

COLUMNS = ("form", "folded", "lemma", "lemma_folded", "xpos", "upos")
"""Features that are columns of corpus.nodes of the same name."""

FEATURE_COLUMNS = {
    name: f"feat_{name.lower()}"
    for name in ("Aspect", "Case", "Degree", "Gender", "Mood", "Number", "Person", "Tense", "VerbForm", "Voice")
}
"""Universal features that are columns of corpus.nodes; the others are read out of its column feats."""

TOKEN_COLUMNS = (
    *("native_form", "native_relation", "native_head", "relation", "deprel", "head"),
    *("machine_upos", "machine_head", "machine_deprel"),
)
"""Features that are columns of corpus.tokens: what other layers say of the same word."""

METADATA = {
    "sent_id": "sentence_id",
    **{
        name: name
        for name in (
            *("text", "author", "work", "canonical_work", "genre", "project", "passage", "cts_urn", "fate", "split"),
        )
    },
}
"""Metadata of a sentence, each with its column of corpus.sentences."""

STRUCTURE = {
    f"is_{negation}{name}": (f"is_{name}", bool(negation))
    for name in ("projective", "tree", "forest", "cyclic")
    for negation in ("", "not_")
}
"""Properties of a tree, each with its column of corpus.trees and whether it is denied."""


def layer_named(name: str) -> Layer:
    """Return a layer.

    Raises:
        RequestError: there is none of this name.
    """
    if name not in LAYERS:
        raise RequestError(f"--layer is one of {', '.join(LAYERS)}, not {short(name)}")
    return LAYERS[name]


def scope_named(name: str) -> int:
    """Return the greatest value of corpus.nodes.scope that belongs to a scope.

    Raises:
        RequestError: there is none of this name.
    """
    if name not in SCOPES:
        raise RequestError(f"--scope is one of {', '.join(SCOPES)}, not {short(name)}")
    return SCOPES[name]


def is_universal(feature: str) -> bool:
    """Whether a feature is written like one of Universal Dependencies: with a capital."""
    return feature[:1].isupper()


def is_known(feature: str) -> bool:
    """Whether a node can have a feature of this name."""
    return feature in COLUMNS or feature in TOKEN_COLUMNS or feature == "__id__" or is_universal(feature)
