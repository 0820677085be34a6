"""Requests of the usual kinds, and beside each the loops over udapi's trees that one would write for it by hand.

A loop yields the positions of the nodes that the request names, in the order of their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

Hits = Iterator[tuple[int, ...]]


@dataclass(frozen=True)
class Measured:
    """A request that is measured.

    Attributes:
        name: what it is called in the table.
        text: the request.
        loop: the same over one tree of udapi; None where nobody has written one.
    """

    name: str
    text: str
    loop: Callable[[Any], Hits] | None = None


def genitive_absolute(tree: Any) -> Hits:
    """Yield a participle in the genitive with a subject in the genitive, as adjunct of a verb, without preposition."""
    for node in tree.descendants:
        if node.feats["VerbForm"] != "Part" or node.feats["Case"] != "Gen" or node.deprel not in ("advcl", "obl"):
            continue
        if node.parent.upos != "VERB" or any(child.deprel == "case" for child in node.children):
            continue
        for child in node.children:
            if child.feats["Case"] == "Gen" and child.udeprel == "nsubj":
                yield node.parent.ord, node.ord, child.ord


def accusative_and_infinitive(tree: Any) -> Hits:
    """Yield an infinitive with a subject in the accusative."""
    for node in tree.descendants:
        if node.feats["VerbForm"] == "Inf":
            for child in node.children:
                if child.deprel == "nsubj" and child.feats["Case"] == "Acc":
                    yield node.ord, child.ord


def articular_infinitive(tree: Any) -> Hits:
    """Yield an infinitive with an article."""
    for node in tree.descendants:
        if node.lemma == "ὁ" and node.deprel == "det" and node.parent.feats["VerbForm"] == "Inf":
            yield node.parent.ord, node.ord


def purpose_clause(tree: Any) -> Hits:
    """Yield a subjunctive or optative under ἵνα or ὅπως."""
    for node in tree.descendants:
        verb = node.parent
        if node.lemma in ("ἵνα", "ὅπως") and node.deprel in ("mark", "advmod") and verb.feats["Mood"] in ("Sub", "Opt"):
            yield verb.ord, node.ord


def temporal_clause(tree: Any) -> Hits:
    """Yield a clause under ἐπεί, ἐπειδή and the like."""
    for node in tree.descendants:
        if node.lemma in ("ἐπεί", "ἐπειδή", "ἐπήν", "ἐπειδάν") and node.deprel == "mark":
            yield node.parent.ord, node.ord


def relative_clause(tree: Any) -> Hits:
    """Yield a noun, the clause on it, and a relative pronoun in the clause, that agrees with the noun in number."""
    for noun in tree.descendants:
        if noun.upos != "NOUN":
            continue
        for verb in noun.children:
            if verb.udeprel != "acl":
                continue
            for word in verb.descendants:
                if word.feats["PronType"] == "Rel" and word.feats["Number"] == noun.feats["Number"] != "":
                    yield noun.ord, verb.ord, word.ord


def hyperbaton(tree: Any) -> Hits:
    """Yield an adjective cut off from the noun it agrees with by a verb that does not stand under the noun."""
    for node in tree.descendants:
        noun = node.parent
        if node.upos != "ADJ" or noun.upos != "NOUN":
            continue
        if not node.feats["Case"] == noun.feats["Case"] != "" or not node.feats["Number"] == noun.feats["Number"] != "":
            continue
        first, last = sorted((node.ord, noun.ord))
        for verb in tree.descendants[first : last - 1]:
            if verb.upos == "VERB" and not verb.is_descendant_of(noun):
                yield noun.ord, node.ord, verb.ord


def not_projective(tree: Any) -> Hits:
    """Yield a sentence in which edges cross."""
    if any(node.is_nonprojective() for node in tree.descendants):
        yield ()


def no_agreement(tree: Any) -> Hits:
    """Yield an attribute in another number than its noun."""
    for node in tree.descendants:
        noun = node.parent
        if node.upos != "ADJ" or noun.upos != "NOUN" or node.deprel not in ("amod", "nmod"):
            continue
        if node.feats["Number"] and noun.feats["Number"] and node.feats["Number"] != noun.feats["Number"]:
            yield noun.ord, node.ord


def preposition_with_wrong_case(tree: Any) -> Hits:
    """Yield a word under εἰς with another case than the accusative."""
    for node in tree.descendants:
        if node.lemma == "εἰς" and node.deprel == "case" and node.parent.feats["Case"] not in ("", "Acc"):
            yield node.parent.ord, node.ord


def subject_and_object(tree: Any) -> Hits:
    """Yield a finite verb with subject and object."""
    for verb in tree.descendants:
        if verb.feats["VerbForm"] == "Fin":
            for subject in verb.children:
                if subject.deprel == "nsubj":
                    for thing in verb.children:
                        if thing.deprel == "obj":
                            yield verb.ord, subject.ord, thing.ord


def dominated_not_child(tree: Any) -> Hits:
    """Yield an article that stands under the noun after it, but is not its child."""
    for article, noun in pairwise(tree.descendants):
        if article.lemma != "ὁ" or noun.upos != "NOUN" or article.parent is noun:
            continue
        if article.is_descendant_of(noun):
            yield article.ord, noun.ord


def plain_subject(tree: Any) -> Hits:
    """Yield a subject with a plain label that stands in another case than the nominative."""
    for node in tree.descendants:
        if node.deprel in ("nsubj", "csubj") and node.parent.upos == "VERB" and node.feats["Case"] not in ("", "Nom"):
            yield node.parent.ord, node.ord


COMMON = {"nsubj", "obj", "obl", "advmod", "conj", "root", "case", "cc", "mark", "advcl", "ccomp", "discourse"}


def rare_labels(tree: Any) -> Hits:
    """Yield what hangs on a verb with none of the usual labels."""
    for node in tree.descendants:
        if node.parent.ord and node.parent.upos == "VERB" and node.deprel not in COMMON:
            yield node.parent.ord, node.ord


def either_of_two(tree: Any) -> Hits:
    """Yield a perfect infinitive, or a comparative."""
    for node in tree.descendants:
        feats = node.feats
        if (feats["VerbForm"] == "Inf" and feats["Aspect"] == "Perf") or (
            node.upos == "ADJ" and feats["Degree"] == "Cmp"
        ):
            yield (node.ord,)


def three_of_a_kind(tree: Any) -> Hits:
    """Yield three adverbs under one verb, each set once."""
    for verb in tree.descendants:
        if verb.upos == "VERB":
            adverbs = [node.ord for node in verb.children if node.upos == "ADV" and node.deprel == "advmod"]
            for first, second, third in combinations(adverbs, 3):
                yield verb.ord, first, second, third


def with_and_without(tree: Any) -> Hits:
    """Yield a dative without preposition on the verb of a subordinate clause."""
    for node in tree.descendants:
        verb = node.parent
        if node.feats["Case"] != "Dat" or node.deprel not in ("obl", "obj", "iobj") or verb.upos != "VERB":
            continue
        if verb.deprel in ("advcl", "acl", "ccomp") and not any(child.deprel == "case" for child in node.children):
            yield verb.ord, node.ord


def distant_object(tree: Any) -> Hits:
    """Yield an object more than eight words before its verb."""
    for node in tree.descendants:
        verb = node.parent
        if node.deprel == "obj" and verb.upos == "VERB" and verb.ord - node.ord > 8:
            yield verb.ord, node.ord


REQUESTS = (
    Measured(
        "genitive absolute",
        """pattern { V [upos=VERB]; P [VerbForm=Part, Case=Gen]; S [Case=Gen]; V -[advcl|obl]-> P; P -[1=nsubj]-> S }
        without { P -[case]-> A }""",
        genitive_absolute,
    ),
    Measured(
        "accusative and infinitive",
        "pattern { I [VerbForm=Inf]; S [Case=Acc]; I -[nsubj]-> S }",
        accusative_and_infinitive,
    ),
    Measured(
        "articular infinitive",
        'pattern { I [VerbForm=Inf]; A [lemma="ὁ"]; I -[det]-> A }',
        articular_infinitive,
    ),
    Measured(
        "purpose clause",
        'pattern { V [Mood=Sub|Opt]; C [lemma="ἵνα"|"ὅπως"]; V -[mark|advmod]-> C }',
        purpose_clause,
    ),
    Measured(
        "expression",
        r'pattern { V []; C [lemma=re"ἐπε\(ί\|ιδή\|ιδάν\)\|ἐπήν"]; V -[mark]-> C }',
        temporal_clause,
    ),
    Measured(
        "relative clause",
        """pattern { N [upos=NOUN]; V []; R [PronType=Rel]; N -[1=acl]-> V; V ->> R; N.Number = R.Number }""",
        relative_clause,
    ),
    Measured(
        "hyperbaton",
        """pattern { N [upos=NOUN]; A [upos=ADJ]; e: N -> A; N.Case = A.Case; N.Number = A.Number;
        X [upos=VERB]; X << e }
        without { N ->> X }""",
        hyperbaton,
    ),
    Measured("sentence not projective", "global { is_not_projective }", not_projective),
    Measured(
        "no agreement",
        "pattern { N [upos=NOUN]; A [upos=ADJ]; N -[amod|nmod]-> A; N.Number <> A.Number }",
        no_agreement,
    ),
    Measured(
        "preposition with wrong case",
        'pattern { N [Case<>Acc]; P [lemma="εἰς"]; N -[case]-> P }',
        preposition_with_wrong_case,
    ),
    Measured(
        "subject and object",
        "pattern { V [VerbForm=Fin]; V -[nsubj]-> S; V -[obj]-> O }",
        subject_and_object,
    ),
    Measured(
        "dominated, not child",
        'pattern { A [lemma="ὁ"]; N [upos=NOUN]; A < N; N ->> A } without { N -> A }',
        dominated_not_child,
    ),
    Measured(
        "parts of labels",
        "pattern { V [upos=VERB]; e: V -[1=nsubj|csubj, !2]-> S; S [Case<>Nom] }",
        plain_subject,
    ),
    Measured(
        "labels denied",
        f"pattern {{ V [upos=VERB]; V -[^{'|'.join(sorted(COMMON))}]-> X }}",
        rare_labels,
    ),
    Measured(
        "either of two",
        "pattern { X [VerbForm=Inf, Aspect=Perf]|[upos=ADJ, Degree=Cmp] }",
        either_of_two,
    ),
    Measured(
        "three of a kind",
        """pattern { V [upos=VERB]; A [upos=ADV]; B [upos=ADV]; C [upos=ADV]; V -[advmod]-> A; V -[advmod]-> B;
        V -[advmod]-> C; A.__id__ < B.__id__; B.__id__ < C.__id__ }""",
        three_of_a_kind,
    ),
    Measured(
        "with and without",
        """pattern { V [upos=VERB]; V -[obl|obj|iobj]-> D; D [Case=Dat] }
        with { * -[advcl|acl|ccomp]-> V } without { D -[case]-> * }""",
        with_and_without,
    ),
    Measured(
        "distance",
        "pattern { V [upos=VERB]; V -[obj]-> O; delta(V,O) < -8 }",
        distant_object,
    ),
)
"""What is measured by default: the kinds of request that catalogues of patterns and the documentation of Grew have."""
