"""What became of one sentence, by which rule and numbers: the table macro `corpus.explain_sentence`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exports.ask.ids import find
from exports.warehouse import ExportError

if TYPE_CHECKING:
    import duckdb

QUERY = """
    select
        step, rule, finding, other_sentence_id, shared, set_size, other_set_size, other_author, other_fate, other_text
    from corpus.explain_sentence(?)
    order by step, shared desc nulls last, other_sentence_id
"""


@dataclass(frozen=True)
class Finding:
    """One row of the macro.

    Attributes:
        step: order of the rules, 1 (source) to 10 (pairs that reach no rule).
        rule: what the finding is about.
        finding: the finding in words.
        other_id: the other sentence, where there is one.
        shared: 4-grams that both have; None without a pair.
        set_size: 4-grams of the sentence.
        other_set_size: 4-grams of the other sentence.
        other_author: author of the other sentence.
        other_fate: what became of the other sentence.
        other_text: text of the other sentence.
    """

    step: int
    rule: str
    finding: str
    other_id: str | None
    shared: int | None
    set_size: int | None
    other_set_size: int | None
    other_author: str | None
    other_fate: str | None
    other_text: str | None


def explain(con: duckdb.DuckDBPyConnection, wanted: str) -> list[Finding]:
    """Return everything that is known about the fate of one sentence, in the order of the rules.

    Args:
        con: a warehouse.
        wanted: an id of any kind that stands for one sentence.

    Raises:
        ExportError: the warehouse has no such sentence, or is too old to explain one.
    """
    import duckdb as engine

    sentence = find(con, wanted).sentence()
    try:
        found = con.execute(QUERY, [sentence]).fetchall()
    except engine.CatalogException as error:
        raise ExportError(
            f"this warehouse cannot explain sentences ({str(error).splitlines()[0]}): build it anew"
        ) from error
    return [Finding(*row) for row in found]


def numbers(finding: Finding) -> str:
    """Return the numbers of a pair in words, empty without a pair."""
    if finding.shared is None or finding.set_size is None or finding.other_set_size is None:
        return ""
    smaller = min(finding.set_size, finding.other_set_size)
    return (
        f"{finding.shared} shared 4-grams, {finding.set_size} here, {finding.other_set_size} there"
        f" ({finding.shared / smaller:.0%} of the smaller set)"
    )
