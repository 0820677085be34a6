"""A plain `unicodedata` reading of the text rules, apart from the SQL and its seeds, as the oracle of their tests."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache

SMOOTH, ROUGH = "\u0313", "\u0314"
ACCENTS = "\u0300\u0301\u0342"
ORDER = "\u0308" + SMOOTH + ROUGH + ACCENTS + "\u0345"
VOWELS = "αεηιουω"
BEGINNINGS = {"α", "ε", "ι", "ο", "υ"} | {a + b for a in "αεοηυω" for b in "ιυ"}

ELISION = "\u02bc\u1fbd\u1fbf\u2019'"
NUMERAL = "\u02b9\u2032\u0375"
HYPHENS = "-\u2010\u2011\u2027"
LOOKALIKES = {"\u2206": "δ", "\u220f": "π", "\u2211": "σ", "\u2220": "δ"}
CIRCUMFLEXES = "\u0302\u0303\u0311~"
ROUGH_SIGNS = "\u02bb\u02bd\u1ffe\u2018\u201b"
ACCENT_SIGNS = {"`": "\u0300", "\u02cb": "\u0300", "\u02ca": "\u0301"}
COMPOSED_SIGNS = "\u00b4\u0384\u00a8\u0385\u1fc0\u1fc1\u1fcd\u1fce\u1fcf\u1fdd\u1fde\u1fdf\u1fed"
UNREAD = "\u037b\u037c\u037d\u03fc\u03fd\u03fe\u03ff"
BRACKETS = "()<>[]{}\uff08\uff09\uff1c\uff1e\uff3b\uff3d\uff5b\uff5d\u2045\u2046"
BRACKET_RANGES = (
    "\u2308\u230b\u27e6\u27ef\u2983\u2986\u2e00\u2e16\u2e1c\u2e1d\u2e20\u2e29\u2e55\u2e5c"
    "\u3008\u300f\u3010\u3011\u3014\u301b"
)
STOPS = (
    '!,.:;?/|"*\u00a1\u00a6\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u2212\u275b\u275c\u275d\u275e\uff02'
    "\u2e2a\u2e2b\u2e2c\u2e2d\u2e33\u2e3a\u2e3b"
)
STOP_RANGES = (
    "\u2012\u2016\u201a\u201a\u201c\u2022\u2024\u2026\u2039\u203a\u203b\u203d\u2042\u2043\u2047\u2049\u204e\u204e"
    "\u2051\u2051\u2053\u2053\u2056\u2056\u2058\u205e"
)
EDITOR_MARKS = (
    "\u0305\u0307\u0320\u0323\u0324\u0325\u032d\u0330\u0331\u0332\u0333\u0335\u0336\u0337\u0338\u033f\u0347"
    "\u035c\u035d\u035e\u035f\u0360\u0361\u0362\u20dd\u2017\u203e\u203f\u2040\u2054"
)
EDITOR_RANGES = "\ufe20\ufe2f"
LENGTH = "\u0304\u0306\u00af\u02c9\u02d8"
INVISIBLE_RANGES = "\u034f\u034f\ufe00\ufe0f"
BETA_CODE = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff][*/\\=+|&%#@^]+[\u0370-\u03ff\u1f00-\u1fff]")
BETA_WORD = re.compile(r"\*[\u0370-\u03ff\u1f00-\u1fff]|\*?[a-z()|+]+[/\\=][a-z()/\\=|+]*\Z")


def is_in(character: str, ranges: str) -> bool:
    """Whether a character lies in one of the ranges, given as their first and last characters."""
    return any(a <= character <= b for a, b in zip(ranges[::2], ranges[1::2], strict=True))


@cache
def is_published_letter(character: str) -> bool:
    """Whether a published string may hold a character: a composed lower-case Greek letter without a sign of length."""
    name = unicodedata.name(character, "")
    return (
        unicodedata.category(character) == "Ll"
        and name.startswith(("GREEK SMALL LETTER ", "GREEK LETTER "))
        and " WITH MACRON" not in name
        and " WITH VRACHY" not in name
        and unicodedata.normalize("NFC", character) == character
    )


@dataclass
class Letter:
    """A letter with the marks typed on it and the kinds of the signs after it."""

    base: str
    marks: str = ""
    typed: str = ""
    is_foreign: bool = False
    after: set[str] = field(default_factory=set)

    @property
    def is_vowel(self) -> bool:
        return self.base in VOWELS


@dataclass(frozen=True)
class Published:
    """What the rules make of a value."""

    form: str
    corruption: str | None


@cache
def kind_of(sign: str) -> tuple[str, str]:
    """Return the kind of a sign, and the letters or marks that it stands for."""
    category = unicodedata.category(sign)
    compatible = unicodedata.normalize("NFKC", sign)
    if is_published_letter(sign.lower()) and sign not in "ϴ":
        return "letter", sign.lower()
    if sign in "ϗϏ":
        return "letter", "και"
    if sign in UNREAD:
        return "foreign sign", ""
    named = unicodedata.name(sign, "")
    if named.startswith("GREEK ") and (" WITH MACRON" in named or " WITH VRACHY" in named):
        return "letter", unicodedata.normalize("NFD", sign)[0].lower()
    if (named.startswith("GREEK ") and "SYMBOL" in named and category.startswith("L")) or sign == "µ":
        return "letter", compatible.lower().replace("ς", "σ")
    if sign in LOOKALIKES:
        return "lookalike", LOOKALIKES[sign]
    if sign in ORDER:
        return "mark", sign
    if sign in CIRCUMFLEXES:
        return "mark", "\u0342"
    if sign == "\u037a":
        return "mark", "\u0345"
    if sign in ROUGH_SIGNS:
        return "spacing", ROUGH
    if sign in ACCENT_SIGNS:
        return "spacing", ACCENT_SIGNS[sign]
    if sign in COMPOSED_SIGNS:
        return "spacing", unicodedata.normalize("NFKD", sign).strip()
    if sign in ELISION:
        return "elision", SMOOTH
    if sign in NUMERAL:
        return "numeral", ""
    if sign in HYPHENS:
        return "hyphen", ""
    if sign in STOPS or is_in(sign, STOP_RANGES) or category.startswith("Z"):
        return "stop", ""
    if sign in BRACKETS + EDITOR_MARKS + LENGTH or is_in(sign, BRACKET_RANGES + EDITOR_RANGES + INVISIBLE_RANGES):
        return "gone", ""
    if category in {"Cc", "Cf"} or category.startswith("N"):
        return "gone", ""
    if category.startswith("M"):
        return "stray mark", ""
    return ("foreign", sign.lower()) if category.startswith("L") and category != "Lm" else ("foreign sign", "")


def read_letters(native: str) -> tuple[list[Letter], Letter, bool]:
    """Return the letters of a value, what stands before the first one, and whether it holds a Greek letter for sure."""
    before = Letter("")
    letters: list[Letter] = []
    is_greek = False
    for sign in unicodedata.normalize("NFC", native):
        kind, reading = kind_of(sign)
        is_greek |= kind == "letter"
        if kind in {"letter", "lookalike", "foreign"}:
            for part in reading:
                decomposed = unicodedata.normalize("NFD", part) if kind != "foreign" else part
                letters.append(Letter(decomposed[0], decomposed[1:], part, kind == "foreign"))
            continue
        last = letters[-1] if letters else before
        last.after.add(kind)
        if kind == "mark" or (not letters and kind in {"spacing", "elision"}):
            last.marks += reading
    return letters, before, is_greek


def first_of(marks: str, wanted: str) -> str:
    """Return the first mark that is one of the wanted ones, or nothing."""
    return next((mark for mark in marks if mark in wanted), "")


def is_glued(letters: list[Letter]) -> bool:
    """Whether the value holds two words."""
    has_marks = any(letter.marks for letter in letters)
    for one, following, second in zip(letters, letters[1:], [*letters[2:], Letter("")], strict=False):
        if "stop" in one.after and "hyphen" not in one.after:
            return True
        is_sign = bool(one.after & {"elision", "numeral"}) or (
            SMOOTH in one.marks and not one.is_vowel and one.base != "ρ"
        )
        own = first_of(following.marks, SMOOTH + ROUGH) and following.base in VOWELS + "ρ"
        shared = (
            following.is_vowel
            and not following.marks
            and second.base in {"ι", "υ"}
            and first_of(second.marks, SMOOTH + ROUGH)
        )
        if is_sign and (own or shared or (following.is_vowel and not has_marks)):
            return True
    return False


def move_marks(letters: list[Letter], before: Letter) -> None:
    """Put marks typed before their letter onto it."""
    typed = [letter.marks for letter in letters]
    first = letters[0]
    breathing = before.marks[:1]
    takes = first.is_vowel or (first.base == "ρ" and breathing == ROUGH)
    has_other = len(letters) > 1 and letters[1].base in {"ι", "υ"} and first_of(typed[1], SMOOTH + ROUGH)
    if breathing and breathing in SMOOTH + ROUGH and takes and not typed[0] and not has_other:
        first.marks = breathing + first_of(before.marks, ACCENTS)
    for number in range(1, len(letters)):
        if letters[number].is_vowel and not typed[number] and not letters[number - 1].is_vowel:
            letters[number].marks = first_of(typed[number - 1], ACCENTS)


def take_elision(letters: list[Letter]) -> bool:
    """Take a smooth breathing that is an elision sign off the last letter, and return whether it was one."""
    last = letters[-1]
    whole = "".join(letter.base for letter in letters)
    if SMOOTH not in last.marks:
        return False
    if not last.is_vowel:
        is_elided = True
    elif last.base in "ηω":
        is_elided = len(letters) > 1 and re.search(f"[{ACCENTS}].*{SMOOTH}", last.marks) is not None
    else:
        is_elided = whole not in BEGINNINGS
    if is_elided:
        last.marks = last.marks.replace(SMOOTH, "")
    elif last.marks.endswith(SMOOTH) and first_of(last.marks[:-1], SMOOTH + ROUGH):
        last.marks = last.marks[:-1]
    return is_elided


def composed(letter: Letter) -> str | None:
    """Return the letter with the marks that it can carry, or None."""
    chosen = ""
    if letter.is_vowel or letter.base == "ρ":
        chosen = first_of(letter.marks, SMOOTH + ROUGH)
    if letter.is_vowel:
        chosen = first_of(letter.marks, "\u0308") + chosen + first_of(letter.marks, ACCENTS)
        chosen += first_of(letter.marks, "\u0345")
    whole = unicodedata.normalize("NFC", letter.base + chosen)
    return whole if len(whole) == 1 and is_published_letter(whole) else None


def publish(native: str) -> Published:
    """Return the published form of a value as read and what speaks against it."""
    is_beta = BETA_CODE.search(native) is not None or BETA_WORD.match(native) is not None
    letters, before, is_greek = read_letters(native)
    if not is_greek:
        return Published("", "beta_code" if is_beta else None)
    glued = is_glued(letters)
    kinds = set.union(before.after, *(letter.after for letter in letters))
    move_marks(letters, before)
    last = letters[-1]
    is_elided = take_elision(letters)
    is_cut = last.typed != "ς" and (is_elided or bool(last.after & {"elision", "numeral", "hyphen"}))
    parts = [letter.base if letter.is_foreign else composed(letter) for letter in letters]
    word = "".join(part or letter.base for part, letter in zip(parts, letters, strict=True)).replace("ς", "σ")
    if word.endswith("σ") and not is_cut:
        word = word[:-1] + "ς"
    corruption = None
    if any(letter.is_foreign for letter in letters):
        corruption = "mixed_script"
    elif is_beta:
        corruption = "beta_code"
    elif glued:
        corruption = "glued_mark"
    elif "stray mark" in kinds or None in parts:
        corruption = "stray_mark"
    elif "foreign sign" in kinds:
        corruption = "foreign_sign"
    return Published(word, corruption)


def published_form(native: str) -> str:
    """Return the published form of a token as read, empty when it has no Greek letter."""
    return publish(native).form


@cache
def letters_key(form: str) -> str:
    """Return the letters of a form without marks, every sigma `σ`; letters of another script are left out."""
    bases = (unicodedata.normalize("NFD", letter)[0] for letter in form if is_published_letter(letter))
    return "".join(bases).replace("ς", "σ")
