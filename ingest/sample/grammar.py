"""Compose sentences, each with two trees: Prague heads and labels, and Universal Dependencies.

A `Phrase` knows three of its tokens: `top` (hangs on the governor in the Prague tree), `labels` (carry the Prague
relation: below a preposition or a subordinator it is not the top), and `head` (hangs on the governor in the UD tree).
`attach` sets both trees at once, so that the two annotations of one sentence agree.
"""

from __future__ import annotations

import csv
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ingest.sample.accents import grave
from ingest.sample.dice import Dice
from ingest.sample.inflection import (
    ARTICLE,
    RELATIVE,
    SLOTS,
    Adjective,
    Noun,
    Verb,
    adjectives,
    names,
    nouns,
    small_words,
    verbs,
)

STYLES = Path(__file__).parent / "styles.csv"
Weights = tuple[tuple[str, int], ...]


@dataclass(eq=False, slots=True)
class Token:
    """A word or mark with its place in both trees (a head of None is the root)."""

    form: str
    lemma: str
    tag: str
    upos: str
    relation: str = "ExD"
    deprel: str = "dep"
    head: Token | None = None
    ud_head: Token | None = None
    is_elliptic: bool = False

    @property
    def is_punctuation(self) -> bool:
        """Say whether this is a mark."""
        return self.upos == "PUNCT"


@dataclass(slots=True)
class Phrase:
    """Tokens in order with the three that matter to what governs them."""

    tokens: list[Token]
    top: Token
    labels: list[Token]
    head: Token

    @classmethod
    def of(cls, tokens: list[Token], head: Token) -> Phrase:
        """Make a phrase headed by the same token in both trees."""
        return cls(tokens, head, [head], head)

    def attach(self, governor: Phrase | None, relation: str, deprel: str) -> None:
        """Hang the phrase on the clause `governor` (None: make it the root of the sentence)."""
        self.top.head = governor.labels[0] if governor else None
        self.head.ud_head = governor.head if governor else None
        self.head.deprel = deprel
        suffix = "_CO" if len(self.labels) > 1 else ""
        for label in self.labels:
            label.relation = relation + suffix


@dataclass(frozen=True)
class Style:
    """What makes an author: weights of words, constructions and orders, rates in percent."""

    author: str
    nouns: tuple[Noun, ...]
    article: int
    names: int
    adjective: int
    genitive: int
    orders: Weights
    particles: Weights
    kai: int
    kinds: Weights
    tenses: Weights
    prepositions: Weights
    outer: int
    clause_final_phrase: int


def _weights(cell: str) -> Weights:
    pairs = (item.split(":") for item in cell.split("|"))
    return tuple((name, int(weight)) for name, weight in pairs)


@cache
def styles() -> dict[str, Style]:
    """Read the styles; `other` serves every author without one of their own."""
    result: dict[str, Style] = {}
    with STYLES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            domains = dict(_weights(row["domains"]))
            pool = tuple(noun for noun in nouns() for _ in range(domains.get(noun.domain, 0) * 2 + 1))
            result[row["author"]] = Style(
                author=row["author"],
                nouns=pool,
                article=int(row["article"]),
                names=int(row["names"]),
                adjective=int(row["adjective"]),
                genitive=int(row["genitive"]),
                orders=_weights(row["orders"]),
                particles=_weights(row["particles"]),
                kai=int(row["kai"]),
                kinds=_weights(row["kinds"]),
                tenses=_weights(row["tenses"]),
                prepositions=_weights(row["prepositions"]),
                outer=int(row["outer"]),
                clause_final_phrase=int(row["clause_final_phrase"]),
            )
    return result


TO_BE = {
    ("p", "s"): "ἐστί",
    ("p", "p"): "εἰσί",
    ("i", "s"): "ἦν",
    ("i", "p"): "ἦσαν",
    ("f", "s"): "ἔσται",
    ("f", "p"): "ἔσονται",
}
ENCLITIC = {"ἐστί", "εἰσί", "γε", "τοι", "ἐστίν", "εἰσίν"}
PREPOSITION_FORMS = {"ἐκ": "ἐξ", "ἀπό": "ἀπό"}
VOWEL_BASES = set("αεηιουω")


class Composer:
    """Compose the sentences of one author."""

    def __init__(self, style: Style, dice: Dice) -> None:
        self.style = style
        self.dice = dice

    # ---- phrases -------------------------------------------------------------------------------------------------

    def noun(self, case: str, number: str | None = None, *, plain: bool = False) -> tuple[Phrase, str, str]:
        """Compose a noun phrase; also give its gender and number."""
        dice, style = self.dice, self.style
        if not plain and number != "p" and dice.chance(style.names):
            name = dice.choice(names())
            tag = f"n-s---{name.gender}{case}-"
            token = Token(name.forms[case, "s"], name.lemma, tag, "NOUN")
            return Phrase.of([token], token), name.gender, "s"
        noun = dice.choice(style.nouns)
        number = number or dice.choice("ssp")
        slot = SLOTS.index((case, number))
        gender = noun.gender
        head = Token(noun.forms[case, number], noun.lemma, f"n-{number}---{gender}{case}-", "NOUN")
        tokens = [head]
        article = dice.chance(style.article)

        def make_article() -> Token:
            form = ARTICLE[gender][slot]
            tag = f"l-{number}---{gender}{case}-"
            return Token(form, "ὁ", tag, "DET", "ATR", "det", head, head)

        if not plain and dice.chance(style.genitive):
            inner, _, _ = self.noun("g", plain=True)
            inner.attach(Phrase.of(tokens, head), "ATR", "nmod")
            tokens = inner.tokens + tokens if article and dice.chance(40) else tokens + inner.tokens
        if dice.chance(style.adjective):
            adjective = self.adjective(dice.choice(adjectives()), gender, case, number, head)
            if dice.chance(style.outer):
                tokens = tokens + ([make_article()] if article else []) + [adjective]
            else:
                tokens = [adjective, *tokens]
        if article:
            tokens = [make_article(), *tokens]
        return Phrase.of(tokens, head), gender, number

    def adjective(self, word: Adjective, gender: str, case: str, number: str, head: Token) -> Token:
        """Make an attribute that agrees with its noun."""
        tag = f"a-{number}---{gender}{case}-"
        return Token(word.forms[gender][case, number], word.lemma, tag, "ADJ", "ATR", "amod", head, head)

    def prepositional(self) -> Phrase:
        """Compose a preposition with its noun phrase: AuxP over the noun, `case` under it."""
        lemma = self.dice.weighted(self.style.prepositions)
        form, real_lemma, tag, case = next(row for row in small_words("preposition") if row[0] == lemma)
        inner, _, _ = self.noun(case)
        preposition = Token(form, real_lemma, tag, "ADP", "AuxP", "case", None, inner.head)
        inner.top.head = preposition
        inner.head.relation = "ADV"
        return Phrase([preposition, *inner.tokens], preposition, [inner.head], inner.head)

    def coordinated(self, case: str) -> tuple[Phrase, str, str]:
        """Compose two noun phrases joined by καί: COORD over members in _CO, `conj` in UD."""
        first, gender, _ = self.noun(case, plain=True)
        second, _, _ = self.noun(case, plain=True)
        marker = Token("καί", "καί", "c--------", "CCONJ", "COORD", "cc", None, second.head)
        first.head.head = marker
        second.head.head = marker
        second.head.ud_head, second.head.deprel = first.head, "conj"
        tokens = [*first.tokens, marker, *second.tokens]
        return Phrase(tokens, marker, [first.head, second.head], first.head), gender, "p"

    def adverb(self) -> Phrase:
        """Pick an adverb."""
        form, lemma, tag, _ = self.dice.choice(small_words("adverb"))
        token = Token(form, lemma, tag, "ADV")
        return Phrase.of([token], token)

    def verb(self, governments: str, tense: str | None = None) -> tuple[Verb, str]:
        """Pick a verb of one of the governments that has a third person in the tense, and the tense."""
        tense = tense or self.dice.weighted(self.style.tenses)
        while True:
            verb = self.dice.choice(verbs())
            if verb.government in governments and (tense, "s") in verb.finite:
                return verb, tense

    # ---- clauses -------------------------------------------------------------------------------------------------

    def arrange(self, verb: Phrase, parts: dict[str, Phrase], extras: list[Phrase]) -> Phrase:
        """Order subject, verb and object as the author likes, and put the other phrases around them."""
        order = self.dice.weighted(self.style.orders)
        pieces = {"V": verb.tokens, **{role: phrase.tokens for role, phrase in parts.items()}}
        blocks = [pieces[role] for role in order if role in pieces]
        for extra in extras:
            if self.dice.chance(self.style.clause_final_phrase):
                blocks.append(extra.tokens)
            else:
                blocks.insert(self.dice.below(len(blocks)), extra.tokens)
        return Phrase([t for block in blocks for t in block], verb.top, verb.labels, verb.head)

    def finite(self, verb: Verb, tense: str, number: str) -> Token:
        """Make a third person indicative."""
        tag = f"v3{number}{tense}i{verb.voice}---"
        return Token(verb.finite[tense, number], verb.lemma, tag, "VERB")

    def subject(self, clause: Phrase, *, coordinated: bool = False) -> tuple[Phrase, str, str]:
        """Compose a subject and hang it on the clause; give gender and the number of the verb."""
        phrase, gender, number = self.coordinated("n") if coordinated else self.noun("n")
        phrase.attach(clause, "SBJ", "nsubj")
        verb_number = "s" if gender == "n" and not coordinated else number
        return phrase, gender, verb_number

    def object_(self, verb: Verb, clause: Phrase) -> dict[str, Phrase]:
        """Compose the object that the verb governs."""
        if verb.government not in "agd":
            return {}
        phrase, _, _ = self.noun(verb.government)
        phrase.attach(clause, "OBJ", "obj")
        return {"O": phrase}

    def extras(self, clause: Phrase, at_least: int = 0) -> list[Phrase]:
        """Compose adverbial phrases."""
        result: list[Phrase] = []
        if at_least or self.dice.chance(32):
            phrase = self.prepositional()
            phrase.attach(clause, "ADV", "obl")
            result.append(phrase)
        if self.dice.chance(18):
            phrase = self.adverb()
            phrase.attach(clause, "ADV", "advmod")
            result.append(phrase)
        return result

    def plain(self, *, coordinated: bool = False, governments: str = "aaagdi", with_subject: bool = True) -> Phrase:
        """Compose subject, verb and object with adverbials."""
        verb, tense = self.verb(governments)
        token = Token("", "", "", "VERB")
        clause = Phrase.of([token], token)
        parts: dict[str, Phrase] = {}
        number = "s"
        if with_subject:
            parts["S"], _, number = self.subject(clause, coordinated=coordinated)
        word = self.finite(verb, tense, number)
        token.form, token.lemma, token.tag = word.form, word.lemma, word.tag
        parts.update(self.object_(verb, clause))
        return self.arrange(clause, parts, self.extras(clause, 1 if verb.government == "i" else 0))

    def copula(self) -> Phrase:
        """Compose a nominal predicate: εἰμί governs in Prague, the predicate word in UD."""
        word = self.dice.choice(adjectives())
        copula = Token("", "εἰμί", "", "AUX", "PRED", "cop")
        predicate = Token("", word.lemma, "", "ADJ", "PNOM")
        clause = Phrase([copula], copula, [copula], predicate)
        subject, gender, number = self.subject(clause)
        real_number = subject.head.tag[2]
        predicate.form = word.forms[gender]["n", real_number]
        predicate.tag = f"a-{real_number}---{gender}n-"
        predicate.head = copula
        tense = self.dice.choice("ppif")
        copula.form = TO_BE[tense, number]
        copula.tag = f"v3{number}{tense}i{'e' if tense == 'f' else 'a'}---"
        copula.ud_head = predicate
        pieces = [[predicate], [copula], subject.tokens]
        first, second, third = self.dice.choice(((2, 0, 1), (0, 1, 2), (2, 1, 0), (0, 2, 1)))
        tokens = [*pieces[first], *pieces[second], *pieces[third]]
        for extra in self.extras(clause, 1):
            tokens += extra.tokens
        return Phrase(tokens, copula, [copula], predicate)

    def participle(self) -> Phrase:
        """Compose a clause whose subject has a participle with it."""
        clause = self.plain(governments="aaagd")
        subject = next((t for t in clause.tokens if t.relation == "SBJ" and t.head is clause.top), None)
        assert subject is not None
        verb, tense = self.verb("aaadg", self.dice.choice("ap"))
        gender, number = subject.tag[6], subject.tag[2]
        if (tense, gender) not in verb.participle:
            tense = "p"
        form = verb.participle[tense, gender]["n", number]
        tag = f"v-{number}{tense}p{verb.voice}{gender}n-"
        token = Token(form, verb.lemma, tag, "VERB")
        phrase = Phrase.of([token], token)
        inner = self.object_(verb, phrase).get("O")
        phrase.attach(clause, "ADV", "advcl")
        block = [token, *(inner.tokens if inner else [])]
        comma = self.comma(token)
        tokens = [*block, comma, *clause.tokens] if self.dice.chance(60) else [*clause.tokens, comma, *block]
        return Phrase(tokens, clause.top, clause.labels, clause.head)

    def absolute(self) -> Phrase:
        """Compose a genitive absolute before the main clause."""
        clause = self.plain()
        inner, gender, number = self.noun("g", plain=True)
        verb, tense = self.verb("aigd", self.dice.choice("ap"))
        if (tense, gender) not in verb.participle:
            tense = "p"
        tag = f"v-{number}{tense}p{verb.voice}{gender}g-"
        token = Token(verb.participle[tense, gender]["g", number], verb.lemma, tag, "VERB")
        phrase = Phrase.of([token], token)
        inner.attach(phrase, "SBJ", "nsubj")
        phrase.attach(clause, "ADV", "advcl")
        block = [*inner.tokens, token] if self.dice.chance(60) else [token, *inner.tokens]
        return Phrase([*block, self.comma(token), *clause.tokens], clause.top, clause.labels, clause.head)

    def below(self, kind: str, clause: Phrase, relation: str, deprel: str) -> list[Token]:
        """Compose a subordinate clause and hang it on `clause`: AuxC over the verb, `mark` under it."""
        choices = [row for row in small_words("subordinator") if row[3] == kind]
        form, lemma, tag, _ = self.dice.choice(choices)
        inner = self.plain(with_subject=self.dice.chance(40))
        marker = Token(form, lemma, tag, "SCONJ", "AuxC", "mark", None, inner.head)
        inner.top.head = marker
        phrase = Phrase([marker, *inner.tokens], marker, [inner.top], inner.head)
        phrase.attach(clause, relation, deprel)
        return phrase.tokens

    def subordinate(self) -> Phrase:
        """Compose a main clause with an adverbial clause."""
        clause = self.plain()
        tokens = self.below("ADV", clause, "ADV", "advcl")
        comma = self.comma(clause.labels[0])
        tokens = [*tokens, comma, *clause.tokens] if self.dice.chance(65) else [*clause.tokens, comma, *tokens]
        return Phrase(tokens, clause.top, clause.labels, clause.head)

    def complement(self) -> Phrase:
        """Compose a verb of saying with an object clause."""
        clause = self.plain(governments="c")
        tokens = self.below("OBJ", clause, "OBJ", "ccomp")
        return Phrase([*clause.tokens, *tokens], clause.top, clause.labels, clause.head)

    def infinitive(self) -> Phrase:
        """Compose a verb with an infinitive that has its own object."""
        clause = self.plain(governments="n")
        verb, _ = self.verb("aaagd", "p")
        tense = self.dice.choice(sorted(set(verb.infinitive) & set("pa")))
        token = Token(verb.infinitive[tense], verb.lemma, f"v--{tense}n{verb.voice}---", "VERB")
        phrase = Phrase.of([token], token)
        inner = self.object_(verb, phrase)["O"]
        phrase.attach(clause, "OBJ", "xcomp")
        block = [*inner.tokens, token] if self.dice.chance(50) else [token, *inner.tokens]
        return Phrase([*clause.tokens, *block], clause.top, clause.labels, clause.head)

    def relative(self) -> Phrase:
        """Compose a clause with a relative clause on its subject."""
        clause = self.plain()
        subject = next(t for t in clause.tokens if t.relation == "SBJ" and t.head is clause.top)
        gender, number = subject.tag[6], subject.tag[2]
        verb, tense = self.verb("aaagd")
        token = self.finite(verb, tense, "s" if gender == "n" else number)
        inner = Phrase.of([token], token)
        form = RELATIVE[gender][SLOTS.index(("n", number))]
        pronoun = Token(form, "ὅς", f"p-{number}---{gender}n-", "PRON", "SBJ", "nsubj", token, token)
        extra = self.object_(verb, inner)["O"]
        token.head, token.ud_head, token.relation, token.deprel = subject, subject, "ATR", "acl"
        block = [pronoun, *extra.tokens, token] if self.dice.chance(50) else [pronoun, token, *extra.tokens]
        tokens = list(clause.tokens)
        end = max(i for i, t in enumerate(tokens) if t is subject or t.head is subject or _under(t, subject))
        after = [self.comma(token)] if end + 1 < len(tokens) else []
        tokens[end + 1 : end + 1] = [self.comma(token), *block, *after]
        return Phrase(tokens, clause.top, clause.labels, clause.head)

    def apposition(self) -> Phrase:
        """Compose a name with a noun beside it, in the same case (APOS, `appos`)."""
        clause = self.plain()
        name = self.dice.choice(names())
        token = Token(name.forms["n", "s"], name.lemma, f"n-s---{name.gender}n-", "NOUN")
        nouns_ = [n for n in self.style.nouns if n.gender == name.gender and n.domain in ("house", "gods", "war")]
        noun = self.dice.choice(nouns_ or [n for n in nouns() if n.gender == name.gender])
        beside = Token(noun.forms["n", "s"], noun.lemma, f"n-s---{noun.gender}n-", "NOUN")
        beside.head, beside.ud_head, beside.relation, beside.deprel = token, token, "APOS", "appos"
        subject = next(t for t in clause.tokens if t.relation == "SBJ" and t.head is clause.top)
        gone = {id(t) for t in clause.tokens if t is subject or _under(t, subject)}
        start = next(i for i, t in enumerate(clause.tokens) if id(t) in gone)
        rest = [t for t in clause.tokens if id(t) not in gone]
        start = min(start, len(rest))
        verb = clause.top
        if verb.tag[2] == "p":
            word = next(v for v in verbs() if v.lemma == verb.lemma)
            verb.form = word.finite[verb.tag[3], "s"]
            verb.tag = f"{verb.tag[:2]}s{verb.tag[3:]}"
        Phrase.of([token], token).attach(clause, "SBJ", "nsubj")
        tokens = [*rest[:start], token, beside, *rest[start:]]
        return Phrase(tokens, clause.top, clause.labels, clause.head)

    def coordination(self) -> Phrase:
        """Compose two verbs joined by καί that share a subject."""
        if self.dice.chance(35):
            return self.plain(coordinated=True)
        first = self.plain()
        second = self.plain(with_subject=False)
        number = first.top.tag[2]
        if number == "p":
            word = next(v for v in verbs() if v.lemma == second.top.lemma)
            second.top.form = word.finite[second.top.tag[3], "p"]
            second.top.tag = f"{second.top.tag[:2]}p{second.top.tag[3:]}"
        marker = Token("καί", "καί", "c--------", "CCONJ", "COORD", "cc", None, second.head)
        return self._joined(first, second, marker, [*first.tokens, marker, *second.tokens])

    def contrast(self) -> Phrase:
        """Compose two clauses with μέν and δέ, the second of which coordinates."""
        first = self.plain()
        second = self.plain()
        men = Token("μέν", "μέν", "d--------", "ADV", "AuxY", "advmod", first.top, first.head)
        marker = Token("δέ", "δέ", "d--------", "CCONJ", "COORD", "cc", None, second.head)
        left = [first.tokens[0], men, *first.tokens[1:]]
        right = [second.tokens[0], marker, *second.tokens[1:]]
        comma = self.comma(marker, second.head)
        return self._joined(first, second, marker, [*left, comma, *right])

    def _joined(self, first: Phrase, second: Phrase, marker: Token, tokens: list[Token]) -> Phrase:
        first.top.head = marker
        second.top.head = marker
        second.head.ud_head, second.head.deprel = first.head, "conj"
        return Phrase(tokens, marker, [first.top, second.top], first.head)

    def vocative(self) -> Phrase:
        """Compose a clause with an address after its first phrase."""
        clause = self.plain()
        form, lemma, gender = self.dice.choice(
            (("ἄνδρες", "ἀνήρ", "m"), ("φίλοι", "φίλος", "m"), ("ξένοι", "ξένος", "m"), ("πολῖται", "πολίτης", "m"))
        )
        token = Token(form, lemma, f"n-p---{gender}v-", "NOUN", "ExD", "vocative", clause.top, clause.head)
        call = Token("ὦ", "ὦ", "i--------", "INTJ", "AuxZ", "discourse", token, token)
        block = [self.comma(token), call, token, self.comma(token)]
        tokens = list(clause.tokens)
        end = _first_boundary(tokens)
        if end >= len(tokens):
            block = block[:-1]
        tokens[end:end] = block
        return Phrase(tokens, clause.top, clause.labels, clause.head)

    def comma(self, head: Token, ud_head: Token | None = None) -> Token:
        """Make a comma that depends on a word."""
        return Token(",", ",", "u--------", "PUNCT", "AuxX", "punct", head, ud_head or head)

    # ---- the sentence --------------------------------------------------------------------------------------------

    def sentence(self) -> list[Token]:
        """Compose a whole sentence: a clause, its connective, the final mark, accents and elisions."""
        kind = self.dice.weighted(self.style.kinds)
        clause: Phrase = getattr(self, kind)()
        clause.attach(None, "PRED", "root")
        tokens = list(clause.tokens)
        verb = clause.labels[0]
        if self.dice.chance(self.style.kai):
            initial = Token("καί", "καί", "c--------", "CCONJ", "AuxY", "advmod", verb, clause.head)
            if len(clause.labels) == 1 and self.dice.chance(30):
                initial.relation, initial.deprel, initial.head = "COORD", "cc", None
                clause.top.head = initial
            tokens.insert(0, initial)
        elif kind != "contrast":
            particle = self.dice.weighted(self.style.particles)
            if particle != "-":
                form, lemma, tag, _ = next(row for row in small_words("particle") if row[0] == particle)
                word = Token(form, lemma, tag, "ADV", "AuxY", "advmod", verb, clause.head)
                tokens.insert(1, word)
        mark = self.dice.weighted(((".", 8), ("·", 2)))
        tokens.append(Token(mark, mark, "u--------", "PUNCT", "AuxK", "punct", None, clause.head))
        return polish(tokens)


def _under(token: Token, ancestor: Token) -> bool:
    """Say whether a token hangs below another in the Prague tree."""
    at = token.head
    for _ in range(30):
        if at is None:
            return False
        if at is ancestor:
            return True
        at = at.head
    return False


def _first_boundary(tokens: list[Token]) -> int:
    """Find the end of the first phrase: the place after the first token that is neither article nor attribute."""
    for index, token in enumerate(tokens):
        if token.upos not in ("DET", "ADP", "ADJ") and token.relation not in ("ATR",):
            return index + 1
    return len(tokens)


def _starts_with_vowel(form: str) -> bool:
    return unicodedata.normalize("NFD", form)[:1].lower() in VOWEL_BASES


def _starts_rough(form: str) -> bool:
    decomposed = unicodedata.normalize("NFD", form)
    end = next((i for i, c in enumerate(decomposed) if i and not unicodedata.combining(c) and c not in "ιυ"), 3)
    return "\u0314" in decomposed[: end + 1]


ELISION = "\u02bc"
ASPIRATED = {"ἀπό": "ἀφ", "ἐπί": "ἐφ", "κατά": "καθ", "μετά": "μεθ", "ἀντί": "ἀνθ"}
ELIDED = {"ἀπό": "ἀπ", "ἐπί": "ἐπ", "κατά": "κατ", "μετά": "μετ", "ἀντί": "ἀντ", "διά": "δι", "παρά": "παρ", "δέ": "δ"}


def polish(tokens: list[Token]) -> list[Token]:
    """Fit the forms to what follows: elision, ἐξ, movable nu, grave accents.

    The elision sign written here is U+02BC; the layouts put each project's own sign in its place.
    """
    for index, token in enumerate(tokens):
        if token.is_punctuation:
            continue
        following = tokens[index + 1].form if index + 1 < len(tokens) else ""
        is_pause = not following or tokens[index + 1].is_punctuation
        vowel = not is_pause and _starts_with_vowel(following)
        if token.form == "ἐκ" and vowel:
            token.form = "ἐξ"
        elif token.form in ELIDED and vowel:
            rough = _starts_rough(following) and token.form in ASPIRATED
            token.form = (ASPIRATED if rough else ELIDED)[token.form] + ELISION
        elif (
            token.upos in ("VERB", "AUX")
            and (vowel or is_pause)
            and token.form.endswith(("ουσι", "ασι", "ῶσι", "οῦσι", "ε", "ἐστί", "εἰσί"))
        ):
            token.form += "ν"
        if not is_pause and following not in ENCLITIC:
            token.form = grave(token.form)
    return tokens
