"""The vocabulary of the sample and its inflection tables.

A noun, name or adjective becomes a table (case, number) -> form, a verb a table slot -> form. Everything is built
once from the files in `vocabulary/`; `accents` puts the accents on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ingest.sample.accents import (
    accented_syllable,
    final,
    penultimate,
    persistent,
    recessive,
    syllable_count,
)

VOCABULARY = Path(__file__).parent / "vocabulary"
CASES = "ngda"
NUMBERS = "sp"
SLOTS = [(case, number) for number in NUMBERS for case in CASES]

# Endings in the order of SLOTS: nominative, genitive, dative, accusative singular, then plural.
NOUN_ENDINGS: dict[str, list[str]] = {
    "o": ["ος", "ου", "ῳ", "ον", "οι", "ων", "οις", "ους"],
    "on": ["ον", "ου", "ῳ", "ον", "α", "ων", "οις", "α"],
    "e": ["η", "ης", "ῃ", "ην", "αι", "ων", "αις", "ᾱς"],
    "a": ["ᾱ", "ᾱς", "ᾳ", "ᾱν", "αι", "ων", "αις", "ᾱς"],
    "ah": ["α", "ης", "ῃ", "αν", "αι", "ων", "αις", "ᾱς"],
    "ahp": ["α", "ᾱς", "ᾳ", "αν", "αι", "ων", "αις", "ᾱς"],
    "hs": ["ης", "ου", "ῃ", "ην", "αι", "ων", "αις", "ᾱς"],
    "as": ["ᾱς", "ου", "ᾳ", "ᾱν", "αι", "ων", "αις", "ᾱς"],
    "mat": ["α", "ατος", "ατι", "α", "ατα", "ατων", "ασι", "ατα"],
    "es": ["ος", "ους", "ει", "ος", "η", "ων", "εσι", "η"],
    "is": ["ις", "εως", "ει", "ιν", "εις", "εων", "εσι", "εις"],
    "c": ["", "ος", "ι", "α", "ες", "ων", "", "ας"],
}
EUS_ENDINGS = ["εύς", "έως", "εῖ", "έα", "εῖς", "έων", "εῦσι", "έας"]
FIRST_DECLENSION = {"e", "a", "ah", "ahp", "hs", "as"}
CONTRACTED_GENITIVE = {*FIRST_DECLENSION, "es"}

ARTICLE = {
    "m": ["ὁ", "τοῦ", "τῷ", "τόν", "οἱ", "τῶν", "τοῖς", "τούς"],
    "f": ["ἡ", "τῆς", "τῇ", "τήν", "αἱ", "τῶν", "ταῖς", "τάς"],
    "n": ["τό", "τοῦ", "τῷ", "τό", "τά", "τῶν", "τοῖς", "τά"],
}
RELATIVE = {
    "m": ["ὅς", "οὗ", "ᾧ", "ὅν", "οἵ", "ὧν", "οἷς", "οὕς"],
    "f": ["ἥ", "ἧς", "ᾗ", "ἥν", "αἵ", "ὧν", "αἷς", "ἅς"],
    "n": ["ὅ", "οὗ", "ᾧ", "ὅ", "ἅ", "ὧν", "οἷς", "ἅ"],
}

Table = dict[tuple[str, str], str]


@dataclass(frozen=True)
class Noun:
    """A noun or a name; names have `is_name` and stand in the singular only."""

    lemma: str
    gender: str
    domain: str
    forms: Table = field(hash=False, compare=False)
    is_name: bool = False


@dataclass(frozen=True)
class Adjective:
    """An adjective with one table of forms per gender."""

    lemma: str
    forms: dict[str, Table] = field(hash=False, compare=False)


@dataclass(frozen=True)
class Verb:
    """A verb.

    `government` is the case of the object (a, g, d), `i` for none, `n` for an infinitive, `c` for a clause.
    `finite` maps (tense letter, number) to the third person indicative, `infinitive` a tense letter to the form,
    `participle` (tense letter, gender) to a table of cases. `voice` is the letter of the tag.
    """

    lemma: str
    government: str
    voice: str
    finite: dict[tuple[str, str], str] = field(hash=False, compare=False)
    infinitive: dict[str, str] = field(hash=False, compare=False)
    participle: dict[tuple[str, str], Table] = field(hash=False, compare=False)


def _rows(name: str) -> list[list[str]]:
    text = (VOCABULARY / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


def _nominal_forms(lemma: str, stem: str, declension: str) -> Table:
    """Decline a noun whose accent stays on the syllable it has in the nominative."""
    if declension == "eus":
        return {slot: stem + ending for slot, ending in zip(SLOTS, EUS_ENDINGS, strict=True)}
    dative = ""
    if declension.startswith("c:"):
        declension, dative = declension.split(":")
    syllable = accented_syllable(lemma)
    oxytone = declension in FIRST_DECLENSION | {"o", "on"} and syllable == syllable_count(lemma) - 1
    forms: Table = {}
    for (case, number), ending in zip(SLOTS, NOUN_ENDINGS[declension], strict=True):
        word = stem + ending
        if declension == "c" and (case, number) == ("n", "s"):
            form = lemma
        elif declension == "c" and (case, number) == ("d", "p"):
            form = persistent(dative, syllable) if dative != "-" else ""
        elif (case, number) == ("g", "p") and declension in CONTRACTED_GENITIVE:
            form = final(word, True)
        elif oxytone:
            form = final(word, case in "gd")
        elif ending in ("εως", "εων"):
            form = persistent(word, syllable, short_final=True)
        else:
            form = persistent(word, syllable)
        forms[case, number] = form
    return forms


@cache
def nouns() -> tuple[Noun, ...]:
    """Read and decline the common nouns."""
    return tuple(
        Noun(lemma, gender, domain, _nominal_forms(lemma, stem, declension))
        for lemma, stem, declension, gender, domain in _rows("nouns.tsv")
    )


@cache
def names() -> tuple[Noun, ...]:
    """Read and decline the proper names."""
    return tuple(
        Noun(lemma, gender, domain, _nominal_forms(lemma, stem, declension), is_name=True)
        for lemma, stem, declension, gender, domain in _rows("names.tsv")
    )


def _adjective_forms(lemma: str, stem: str, gender: str, two_endings: bool) -> Table:
    if gender == "n":
        declension = "on"
    elif gender == "m" or two_endings:
        declension = "o"
    else:
        declension = "a" if stem[-1] in "ρει" else "e"
    forms = _nominal_forms(lemma, stem, declension)
    syllable = accented_syllable(lemma)
    if gender == "f" and not two_endings and syllable < syllable_count(lemma) - 1:
        forms["g", "p"] = persistent(stem + "ων", syllable)
    return forms


@cache
def adjectives() -> tuple[Adjective, ...]:
    """Read and decline the adjectives."""
    return tuple(
        Adjective(lemma, {g: _adjective_forms(lemma, stem, g, kind == "2") for g in "mfn"})
        for lemma, stem, kind in _rows("adjectives.tsv")
    )


THEMATIC = {"present": ("ει", "ουσι"), "imperfect": ("ε", "ον"), "perfect": ("ε", "ᾱσι")}
MIDDLE = {"present": ("εται", "ονται"), "imperfect": ("ετο", "οντο")}
CONTRACT = {
    "ew": {"p": ("εῖ", "οῦσι"), "i": ("ει", "ουν"), "inf": "εῖν"},
    "aw": {"p": ("ᾷ", "ῶσι"), "i": ("ᾱ", "ων"), "inf": "ᾶν"},
}
CONTRACT_PARTICIPLE = {
    "ew": {
        "m": ["ῶν", "οῦντος", "οῦντι", "οῦντα", "οῦντες", "ούντων", "οῦσι", "οῦντας"],
        "f": ["οῦσα", "ούσης", "ούσῃ", "οῦσαν", "οῦσαι", "ουσῶν", "ούσαις", "ούσας"],
        "n": ["οῦν", "οῦντος", "οῦντι", "οῦν", "οῦντα", "ούντων", "οῦσι", "οῦντα"],
    },
    "aw": {
        "m": ["ῶν", "ῶντος", "ῶντι", "ῶντα", "ῶντες", "ώντων", "ῶσι", "ῶντας"],
        "f": ["ῶσα", "ώσης", "ώσῃ", "ῶσαν", "ῶσαι", "ωσῶν", "ώσαις", "ώσας"],
        "n": ["ῶν", "ῶντος", "ῶντι", "ῶν", "ῶντα", "ώντων", "ῶσι", "ῶντα"],
    },
}
PARTICIPLE = {
    "p": {
        "m": ["ων", "οντος", "οντι", "οντα", "οντες", "οντων", "ουσι", "οντας"],
        "f": ["ουσα", "ουσης", "ουσῃ", "ουσαν", "ουσαι", "ουσων", "ουσαις", "ουσᾱς"],
        "n": ["ον", "οντος", "οντι", "ον", "οντα", "οντων", "ουσι", "οντα"],
    },
    "a": {
        "m": ["ᾱς", "αντος", "αντι", "αντα", "αντες", "αντων", "ᾱσι", "αντας"],
        "f": ["ᾱσα", "ᾱσης", "ᾱσῃ", "ᾱσαν", "ᾱσαι", "ᾱσων", "ᾱσαις", "ᾱσᾱς"],
        "n": ["αν", "αντος", "αντι", "αν", "αντα", "αντων", "ᾱσι", "αντα"],
    },
    "strong": {
        "m": ["ών", "όντος", "όντι", "όντα", "όντες", "όντων", "οῦσι", "όντας"],
        "f": ["οῦσα", "ούσης", "ούσῃ", "οῦσαν", "οῦσαι", "ουσῶν", "ούσαις", "ούσας"],
        "n": ["όν", "όντος", "όντι", "όν", "όντα", "όντων", "οῦσι", "όντα"],
    },
    "pm": {
        "m": ["ος", "ου", "ῳ", "ον", "οι", "ων", "οις", "ους"],
        "f": ["η", "ης", "ῃ", "ην", "αι", "ων", "αις", "ᾱς"],
        "n": ["ον", "ου", "ῳ", "ον", "α", "ων", "οις", "α"],
    },
}


def _bare(word: str) -> str:
    """Drop the length marks of a form that carries its accent already."""
    return word.replace("ᾱ", "α").replace("ῑ", "ι").replace("ῡ", "υ")


def _participle(stem: str, endings: dict[str, list[str]]) -> dict[str, Table]:
    """Accent a participle on the last syllable of its stem (a middle one on the syllable before -μενος)."""
    tables: dict[str, Table] = {}
    syllable = syllable_count(stem) - (2 if stem.endswith("ομεν") else 1)
    for gender, row in endings.items():
        table: Table = {}
        for (case, number), ending in zip(SLOTS, row, strict=True):
            is_feminine_genitive = gender == "f" and (case, number) == ("g", "p")
            if is_feminine_genitive and not stem.endswith("ομεν"):
                table[case, number] = final(stem + ending, True)
            else:
                table[case, number] = persistent(stem + ending, syllable)
        tables[gender] = table
    return tables


def _explicit(stem: str, endings: dict[str, list[str]]) -> dict[str, Table]:
    """Join an unaccented stem and endings that carry the accent."""
    return {
        gender: {slot: _bare(stem) + ending for slot, ending in zip(SLOTS, row, strict=True)}
        for gender, row in endings.items()
    }


def _verb(row: list[str]) -> Verb:
    lemma, government, present, imperfect, future, aorist, plain, perfect, kind = row
    finite: dict[tuple[str, str], str] = {}
    infinitive: dict[str, str] = {}
    participle: dict[tuple[str, str], Table] = {}

    def put(tense: str, stem: str, endings: tuple[str, str]) -> None:
        for number, ending in zip(NUMBERS, endings, strict=True):
            finite[tense, number] = recessive(stem + ending)

    def put_participle(tense: str, tables: dict[str, Table]) -> None:
        for gender, table in tables.items():
            participle[tense, gender] = table

    if kind == "wm":
        put("p", present, MIDDLE["present"])
        put("i", imperfect, MIDDLE["imperfect"])
        infinitive["p"] = recessive(present + "εσθαι")
        middle = _participle(present + "ομεν", PARTICIPLE["pm"])
        put_participle("p", middle)
        if future != "-":
            put("f", future, MIDDLE["present"])
        if aorist != "-":
            put("a", aorist, ("ατο", "αντο"))
            infinitive["a"] = recessive(plain + "ασθαι")
        return Verb(lemma, government, "e", finite, infinitive, participle)

    if kind in CONTRACT:
        contract = CONTRACT[kind]
        finite["p", "s"], finite["p", "p"] = (_bare(present) + ending for ending in contract["p"])
        put("i", imperfect, (contract["i"][0], contract["i"][1]))
        infinitive["p"] = _bare(present) + str(contract["inf"])
        put_participle("p", _explicit(present, CONTRACT_PARTICIPLE[kind]))
    else:
        put("p", present, THEMATIC["present"])
        put("i", imperfect, THEMATIC["imperfect"])
        infinitive["p"] = penultimate(present + "ειν")
        put_participle("p", _participle(present, PARTICIPLE["p"]))
    if future != "-":
        put("f", future, THEMATIC["present"])
        infinitive["f"] = penultimate(future + "ειν")
    if kind == "w2":
        put("a", aorist, THEMATIC["imperfect"])
        infinitive["a"] = _bare(plain) + "εῖν"
        put_participle("a", _explicit(plain, PARTICIPLE["strong"]))
    else:
        put("a", aorist, ("ε", "αν"))
        infinitive["a"] = penultimate(plain + "αι")
        put_participle("a", _participle(plain, PARTICIPLE["a"]))
    if perfect != "-":
        put("r", perfect, THEMATIC["perfect"])
    return Verb(lemma, government, "a", finite, infinitive, participle)


@cache
def verbs() -> tuple[Verb, ...]:
    """Read and conjugate the verbs."""
    return tuple(_verb(row) for row in _rows("verbs.tsv"))


@cache
def small_words(kind: str) -> tuple[tuple[str, str, str, str], ...]:
    """Read the uninflected words of one kind: (form, lemma, tag, detail)."""
    rows = [row + [""] * (5 - len(row)) for row in _rows("particles.tsv")]
    return tuple((form, lemma, tag, detail) for k, form, lemma, tag, detail in rows if k == kind)
