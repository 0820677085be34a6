"""Patterns in Grew's language over the trees of the warehouse, each compiled to one SQL statement.

A request is read into its clauses (`reader`), checked (`checks`), made a statement (`compiler`), run (`search`):

    >>> from exports.ask.patterns import read_request
    >>> [block.kind for block in read_request('pattern { V [upos=VERB]; V -[nsubj]-> S }').blocks]
    ['pattern']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exports.ask.patterns.faults import RequestError
    from exports.ask.patterns.reader import read_request
    from exports.ask.patterns.search import Answer, Hit, Question, match
    from exports.ask.reading import opened

HOMES = {
    "RequestError": "exports.ask.patterns.faults",
    "read_request": "exports.ask.patterns.reader",
    "Answer": "exports.ask.patterns.search",
    "Hit": "exports.ask.patterns.search",
    "Question": "exports.ask.patterns.search",
    "match": "exports.ask.patterns.search",
    "opened": "exports.ask.reading",
}
"""Where each public name stands: nothing heavy is imported before it is used."""

__all__ = ["Answer", "Hit", "Question", "RequestError", "match", "opened", "read_request"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for."""
    if name not in HOMES:
        raise AttributeError(name)
    return getattr(import_module(HOMES[name]), name)
