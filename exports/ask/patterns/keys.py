"""What hits are counted by: `X.f`, `e.label`, `X#Y`, `X -> Y`, `length(X,Y)`, `meta.k`, tuples of these."""

from __future__ import annotations

import re
from dataclasses import dataclass

from exports.ask.patterns.faults import Place, RequestError
from exports.ask.patterns.syntax import Measure, Term

UNDEFINED, NONE, SEVERAL = "__undefined__", "__none__", "__multi__"
NAME = r"[A-Za-z_][A-Za-z0-9_'$]*"


@dataclass(frozen=True)
class OrderKey:
    """`X#Y#Z`: the names in the order of their words, joined by ` << `."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class LinkKey:
    """`X -> Y`: the label between two nodes, `__none__` without one; `X <-> Y` in either direction."""

    left: str
    right: str
    is_symmetric: bool = False


@dataclass(frozen=True)
class Key:
    """One key as written, with its parts: one, or those of a tuple."""

    text: str
    parts: tuple[Term | Measure | OrderKey | LinkKey, ...]


def read_key(text: str) -> Key:
    """Read one key.

    >>> read_key("V#S").parts
    (OrderKey(names=('V', 'S')),)

    Raises:
        RequestError: it is none.
    """
    written = text.strip()
    inside = re.fullmatch(r"\((.*)\)", written, re.DOTALL)
    parts = re.split(r",(?![^(]*\))", inside[1]) if inside else [written]
    return Key(written, tuple(_part(part.strip(), written) for part in parts))


def _part(text: str, whole: str) -> Term | Measure | OrderKey | LinkKey:
    """Return one part of a key."""
    place = Place(1, whole.find(text) + 1)
    if found := re.fullmatch(rf"({NAME})\s*(<?->)\s*({NAME})", text):
        return LinkKey(found[1], found[3], found[2] == "<->")
    if re.fullmatch(rf"{NAME}(\s*#\s*{NAME})+", text):
        return OrderKey(tuple(name.strip() for name in text.split("#")))
    if found := re.fullmatch(rf"(length|delta)\s*\(\s*({NAME})\s*,\s*({NAME})\s*\)", text):
        return Measure(found[1], found[2], found[3], place)
    if found := re.fullmatch(rf"({NAME})\.([A-Za-z0-9_]+)(?:/([A-Za-z0-9_]+))?", text):
        return Term(found[1], found[2], place, found[3] or "")
    raise RequestError(
        f"key '{text}': expected X.feature, e.label, X#Y, X -> Y, length(X,Y), meta.author or a tuple of these"
    )
