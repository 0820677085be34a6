"""What the parser sees of a word: the word if it is frequent, and affixes without accents.

Accents and breathings move with the inflection and with the word that follows; letters without them, the last one
to six and the first two and four, carry the inflection and the stem. A few are also seen with them.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SUFFIXES = (1, 2, 3, 4, 5, 6)
PREFIXES = (2, 4)
ACCENTED_SUFFIXES = (3, 5)
"""Letters at the end that are also seen with their accents: ποιῶ and ποίω end alike without them."""
ACCENTED_PREFIXES = (2,)
"""Letters at the beginning that are also seen with breathing and accent: ὁ and ὅ, ἤ and ἡ."""

AFFIXES = len(SUFFIXES) + len(PREFIXES) + len(ACCENTED_SUFFIXES) + len(ACCENTED_PREFIXES) + 1
"""Hashed features of a word: suffixes, prefixes, those with accents, and the bare word."""

UNKNOWN = 0
"""Row of all words without a row of their own."""


def bare(form: str) -> str:
    """Return the letters of a form without accents, breathings and the final form of sigma.

    >>> bare("ᾗς")
    'ησ'
    """
    letters = unicodedata.normalize("NFD", form)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).replace("ς", "σ")


def affixes(form: str) -> list[str]:
    """Return the affix features of a form, each with the name of its kind.

    >>> affixes("λόγος")[:3], affixes("λόγος")[-1]
    (['-1 σ', '-2 οσ', '-3 γοσ'], 'a+2 λό')
    """
    plain = bare(form)
    return [
        *(f"-{size} {plain[-size:]}" for size in SUFFIXES),
        *(f"+{size} {plain[:size]}" for size in PREFIXES),
        f"w {plain}",
        *(f"a-{size} {form[-size:]}" for size in ACCENTED_SUFFIXES),
        *(f"a+{size} {form[:size]}" for size in ACCENTED_PREFIXES),
    ]


def affix_table(forms: Sequence[str], rows: int) -> NDArray[np.int32]:
    """Rows of the affixes of every form: shape (forms, AFFIXES), each in 0..rows - 1."""
    table = [[zlib.crc32(affix.encode()) % rows for affix in affixes(form)] for form in forms]
    return np.asarray(table, dtype=np.int32).reshape(len(forms), AFFIXES)


def word_table(forms: Sequence[str], training: Iterable[int], rows: int) -> NDArray[np.int32]:
    """Rows of whole words: shape (forms,), UNKNOWN for what is rare in training.

    Args:
        forms: the distinct forms.
        training: number of the form of every training word; a word that occurs once has no row of its own.
        rows: rows of the table.
    """
    counted = Counter(training)
    frequent = sorted((number for number, count in counted.items() if count > 1), key=lambda n: (-counted[n], forms[n]))
    table = np.full(len(forms), UNKNOWN, dtype=np.int32)
    chosen = frequent[: rows - 1]
    table[chosen] = np.arange(1, len(chosen) + 1, dtype=np.int32)
    return table
