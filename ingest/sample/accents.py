"""Put the accent on an unaccented Greek word.

The vocabulary of the sample stores stems without accents and with a macron on every long alpha, iota and upsilon
(`νῑκ`, `ἰσχῡρ`), so that the accent of a form can be computed instead of being typed. Words go in and come out in
NFC; macrons are gone in what comes out.
"""

from __future__ import annotations

import unicodedata
from functools import cache

ACUTE, GRAVE, CIRCUMFLEX = "\u0301", "\u0300", "\u0342"
MACRON, DIAERESIS, SUBSCRIPT = "\u0304", "\u0308", "\u0345"
SMOOTH, ROUGH = "\u0313", "\u0314"
VOWELS = "αεηιουω"
DIPHTHONGS = {"αι", "ει", "οι", "υι", "αυ", "ευ", "ου", "ηυ"}
ACCENTS = {ACUTE, GRAVE, CIRCUMFLEX}

Cluster = list[str]


def _clusters(word: str) -> list[Cluster]:
    """Split a word into letters, each a list of the base letter and its marks."""
    clusters: list[Cluster] = []
    for char in unicodedata.normalize("NFD", word):
        if unicodedata.combining(char) and clusters:
            clusters[-1].append(char)
        else:
            clusters.append([char])
    return clusters


def _nuclei(clusters: list[Cluster]) -> list[tuple[int, bool]]:
    """Give each syllable's accent-bearing letter and whether the syllable has a long vowel."""
    nuclei: list[tuple[int, bool]] = []
    index = 0
    while index < len(clusters):
        letter = clusters[index][0].lower()
        if letter not in VOWELS:
            index += 1
            continue
        marks = clusters[index][1:]
        if index + 1 < len(clusters) and SMOOTH not in marks and ROUGH not in marks:
            following = clusters[index + 1]
            pair = letter + following[0].lower()
            if pair in DIPHTHONGS and DIAERESIS not in following and SUBSCRIPT not in marks:
                nuclei.append((index + 1, True))
                index += 2
                continue
        nuclei.append((index, letter in "ηω" or MACRON in marks or SUBSCRIPT in marks))
        index += 1
    return nuclei


def _render(clusters: list[Cluster], at: int, accent: str) -> str:
    letters = [list(cluster) for cluster in clusters]
    marks = letters[at][1:]
    subscript = [mark for mark in marks if mark == SUBSCRIPT]
    letters[at] = [letters[at][0]] + [m for m in marks if m != SUBSCRIPT] + [accent] + subscript
    text = "".join("".join(mark for mark in letter if mark != MACRON) for letter in letters)
    return unicodedata.normalize("NFC", text)


@cache
def persistent(word: str, syllable: int, short_final: bool | None = None) -> str:
    """Accent `word` on `syllable` (0 is the first), or as near to it as the length of the end allows.

    A final -αι or -οι counts as short. `short_final` overrides the length of the last syllable, for the endings
    -εως and -εων, which let the accent stand on the third syllable from the end.
    """
    clusters = _clusters(word)
    nuclei = _nuclei(clusters)
    last = len(nuclei) - 1
    final_long = nuclei[last][1]
    if word.endswith(("αι", "οι")):
        final_long = False
    if short_final is not None:
        final_long = not short_final
    chosen = max(syllable, last - 1 if final_long else last - 2, 0)
    at, is_long = nuclei[chosen]
    circumflex = chosen == last - 1 and is_long and not final_long
    return _render(clusters, at, CIRCUMFLEX if circumflex else ACUTE)


def recessive(word: str) -> str:
    """Accent a finite verb form: as far from the end as the rules allow."""
    return persistent(word, 0)


@cache
def final(word: str, circumflex: bool) -> str:
    """Accent the last syllable."""
    clusters = _clusters(word)
    return _render(clusters, _nuclei(clusters)[-1][0], CIRCUMFLEX if circumflex else ACUTE)


@cache
def penultimate(word: str) -> str:
    """Accent the last syllable but one, as aorist infinitives and participles of the active do."""
    return persistent(word, len(_nuclei(_clusters(word))) - 2)


@cache
def accented_syllable(word: str) -> int:
    """Say which syllable of an accented word bears its accent, 0 being the first."""
    clusters = _clusters(word)
    for number, (at, _) in enumerate(_nuclei(clusters)):
        if ACCENTS & set(clusters[at][1:]):
            return number
    raise ValueError(f"no accent in {word}")


@cache
def syllable_count(word: str) -> int:
    """Count the syllables of a word."""
    return len(_nuclei(_clusters(word)))


@cache
def grave(word: str) -> str:
    """Turn an acute on the last syllable into a grave: the word stands before another word."""
    clusters = _clusters(word)
    nuclei = _nuclei(clusters)
    if nuclei and ACUTE in clusters[nuclei[-1][0]]:
        at = nuclei[-1][0]
        clusters[at] = [GRAVE if mark == ACUTE else mark for mark in clusters[at]]
        return unicodedata.normalize("NFC", "".join("".join(cluster) for cluster in clusters))
    return word


@cache
def letters(word: str) -> str:
    """Reduce a form to its bare Greek letters (final sigma folded), as the letters key of the corpus does."""
    decomposed = unicodedata.normalize("NFD", word.lower())
    kept = (c for c in decomposed if "\u0370" <= c <= "\u03ff" and c.isalpha() and c != "\u037a")
    return "".join(kept).replace("ς", "σ")
