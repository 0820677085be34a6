"""UD columns of a token from its nine-position tag: FEATS, and the part-of-speech tags of PROIEL."""

from __future__ import annotations

from functools import cache

CASE = {"n": "Nom", "g": "Gen", "d": "Dat", "a": "Acc", "v": "Voc"}
GENDER = {"m": "Masc", "f": "Fem", "n": "Neut", "c": "Com"}
NUMBER = {"s": "Sing", "p": "Plur", "d": "Dual"}
MOOD = {"i": "Ind", "s": "Sub", "o": "Opt", "m": "Imp"}
TENSE = {
    "p": ("Pres", ""),
    "i": ("Past", "Imp"),
    "a": ("Past", "Perf"),
    "r": ("Pres", "Perf"),
    "l": ("Pqp", "Perf"),
    "f": ("Fut", ""),
    "t": ("Fut", "Perf"),
}
VOICE = {"a": "Act", "m": "Mid", "p": "Pass", "e": "Mid,Pass"}
FORMS = {"n": "Inf", "p": "Part", "g": "Ger"}
PROIEL_TAGS = {
    "NOUN": "Nb",
    "VERB": "V-",
    "AUX": "V-",
    "DET": "S-",
    "ADJ": "A-",
    "ADV": "Df",
    "CCONJ": "C-",
    "SCONJ": "G-",
    "ADP": "R-",
    "PRON": "Pr",
    "PROPN": "Ne",
    "INTJ": "I-",
}


@cache
def feats(tag: str, upos: str, project: str) -> str:
    """Spell the features of a tag as the UD project would.

    ud_proiel and ud_ptnk mark articles as definite and adjectives as positive, and ud_proiel names the aspect of the
    present as well; ud_perseus follows the tag.
    """
    found: dict[str, str] = {}
    if tag[0] == "v":
        tense, aspect = TENSE[tag[3]]
        found["Tense"] = tense
        if aspect:
            found["Aspect"] = aspect
        found["Voice"] = VOICE[tag[5]]
        if tag[4] in MOOD:
            found["Mood"] = MOOD[tag[4]]
            found["VerbForm"] = "Fin"
        else:
            found["VerbForm"] = FORMS[tag[4]]
    if tag[1] in "123":
        found["Person"] = tag[1]
    if tag[2] in NUMBER:
        found["Number"] = NUMBER[tag[2]]
    if tag[6] in GENDER:
        found["Gender"] = GENDER[tag[6]]
    if tag[7] in CASE:
        found["Case"] = CASE[tag[7]]
    if project != "ud_perseus":
        if upos == "DET":
            found["Definite"] = "Def"
            found["PronType"] = "Dem" if project == "ud_proiel" else "Art"
            if tag[7] in "gd" and tag[6] in "mn":
                found["Gender"] = "Masc,Neut"
        if upos == "ADJ" and project == "ud_proiel":
            found["Degree"] = "Pos"
    if tag[8] in "cs":
        found["Degree"] = {"c": "Cmp", "s": "Sup"}[tag[8]]
    return "|".join(f"{key}={found[key]}" for key in sorted(found)) or "_"
