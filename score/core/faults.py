"""What is refused, and how it is told: the check, one sentence, the first cases and their number."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Sequence

SHOWN = 5
"""Cases of a fault that are shown; the others are counted."""


class ScoreError(Exception):
    """A prediction file, or an edition, that is not scored.

    Attributes:
        check: id of the check, as in docs/scoring.md.
        message: what was expected and what was found.
        cases: every place of the fault, one line each.
    """

    def __init__(self, check: str, message: str, cases: Sequence[str] = ()) -> None:
        self.check = check
        self.message = message
        self.cases = list(cases)
        lines = [f"{shown(message, 1000)} [{check}]"]
        lines += [f"  {shown(case)}" for case in self.cases[:SHOWN]]
        if len(self.cases) > SHOWN:
            lines.append(f"  and {len(self.cases) - SHOWN:,} more: {len(self.cases):,} in all")
        super().__init__("\n".join(lines))


def shown(text: str, most: int = 200) -> str:
    r"""Return what a file holds as it can be printed: no sign that commands a terminal, and not too much of it.

    >>> shown("a\x1b[31m")
    'a\\x1b[31m'
    """
    made = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text[: most + 1])
    return made if len(text) <= most else f"{made[:most]}..."


def bare(name: str) -> str:
    """Return a name without accents, case and blanks at its ends: what two spellings of one name share.

    >>> bare(" Lysías")
    'lysias'
    """
    letters = unicodedata.normalize("NFD", name.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def proposal(name: object, known: Sequence[str]) -> str:
    """Return the nearest known name as the end of a sentence, empty when none is near.

    >>> proposal("Lysías", ["Lysias", "Plato"])
    '; is it Lysias?'
    """
    names: dict[str, str] = {}
    for each in known:
        names.setdefault(bare(each), each)
    near = difflib.get_close_matches(bare(str(name)), list(names), n=1, cutoff=0.6)
    return f"; is it {names[near[0]]}?" if near else ""
