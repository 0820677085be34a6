"""A plain `unicodedata` reading of the text rules, written apart from the SQL, as the oracle of its tests."""

from __future__ import annotations

import re
import unicodedata

ELISION = "\u02bc\u1fbd\u1fbf\u2019'"
SMOOTH = "\u0313"
ROUGH = "\u0314"
VOWELS_THAT_ELIDE = "αειου"
BEGINNINGS = {"α", "ε", "ι", "ο", "υ"} | {a + b for a in "αεοηυω" for b in "ιυ"}


def is_greek_letter(character: str) -> bool:
    """Whether a character is a letter of the Greek script (spacing marks and modifier letters are none)."""
    if unicodedata.category(character) not in {"Lu", "Ll", "Lt", "Lo"}:
        return False
    return unicodedata.name(character, "").startswith("GREEK ")


def clusters(word: str) -> list[tuple[str, str]]:
    """Return the word as (base character, its combining marks), fully decomposed."""
    result: list[tuple[str, str]] = []
    for character in unicodedata.normalize("NFD", word):
        if unicodedata.category(character).startswith("M") and result:
            base, marks = result[-1]
            result[-1] = (base, marks + character)
        else:
            result.append((character, ""))
    return result


def letters_key(form: str) -> str:
    """Return the letters of a form without marks, lower case, every sigma `σ`."""
    bases = (base for base, _ in clusters(form.lower()))
    return "".join("σ" if base in "ςϲ" else base for base in bases if is_greek_letter(base))


def without_final_breathing(word: str) -> str:
    """Take a smooth breathing that marks an elision off the last letter."""
    parts = clusters(word)
    base, marks = parts[-1]
    if SMOOTH not in marks or not is_greek_letter(base):
        return word
    bare = base.lower()
    whole = letters_key(word)
    if whole in BEGINNINGS:
        if marks.count(SMOOTH) + marks.count(ROUGH) < 2:
            return word
        marks = marks[::-1].replace(SMOOTH, "", 1)[::-1]
    elif bare in "ηω":
        return word
    else:
        marks = marks.replace(SMOOTH, "")
    parts[-1] = (base, marks)
    return unicodedata.normalize("NFC", "".join(base + marks for base, marks in parts))


def published_form(native: str) -> str:
    """Return the published form of a token as read, empty when it has no Greek letter."""
    visible = "".join(c for c in native if unicodedata.category(c) not in {"Cc", "Cf", "Zs", "Zl", "Zp"})
    kept = "".join(
        c for c in unicodedata.normalize("NFC", visible) if unicodedata.category(c)[0] in "LMN" or c in ELISION
    )
    while kept and (kept[0] in ELISION or unicodedata.category(kept[0]).startswith("M")):
        kept = kept[1:]
    kept = kept.rstrip(ELISION)
    if kept.endswith("\u02b9") and re.search("[^\u0391-\u03a9\u03b1-\u03c9\u03da-\u03e1\u02b9]", kept):
        kept = kept.rstrip("\u02b9")
    if kept:
        kept = without_final_breathing(kept)
    lowered = "".join("σ" if c in "ςϲ" else c for c in unicodedata.normalize("NFC", kept).lower())
    if lowered.endswith("σ"):
        lowered = lowered[:-1] + "ς"
    lowered = unicodedata.normalize("NFC", lowered)
    return lowered if any(map(is_greek_letter, lowered)) else ""


def is_mixed_script(form: str) -> bool:
    """Whether a form has Greek letters and letters of another script (modifier letters are none)."""
    letters = [c for c in form if unicodedata.category(c) in {"Lu", "Ll", "Lt", "Lo"}]
    greek = sum(map(is_greek_letter, letters))
    return 0 < greek < len(letters)
