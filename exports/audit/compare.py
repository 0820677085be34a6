"""A parse against one audit or two, and the audits against each other; the results are made for JSON."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from exports.audit.reader import Fault, Sentence, Token, Trees, shown
from exports.audit.scores import Reading, agreement, base, score
from exports.warehouse import ExportError
from runtime.checkout import project_root

Inventory = Literal["base", "reduced"]
"""How relations are compared: without subtypes, or as the published human layer reduces them."""

REDUCTION = Path("seeds", "annotation", "relation_reduction.csv")
SHOWN_FAULTS = 5
"""Sentences that an error names; the rest are counted."""


def reading(inventory: Inventory) -> Reading:
    """Return the function that reads a relation.

    >>> reading("base")("acl:relcl"), reading("reduced")("acl:relcl"), reading("reduced")("vocative")
    ('acl', 'nmod', 'dep')

    Raises:
        ExportError: there is no checkout to read the table of the reduction from.
    """
    if inventory == "base":
        return base
    with (project_root(ExportError) / REDUCTION).open(encoding="utf-8", newline="") as file:
        table = {row["relation"]: row["deprel"] for row in csv.DictReader(file)}
    return lambda relation: table.get(base(relation), "dep")


def differing(reference: Sentence, sentence: Sentence, name: str, file: str) -> Fault | None:
    """Return the fault of a sentence whose forms are not those of the reference."""
    for number, (expected, found) in enumerate(zip(reference.tokens, sentence.tokens, strict=False), start=1):
        if expected.form != found.form:
            return Fault(file, name, str(number), sentence.line, f"the form {shown(expected.form)}", shown(found.form))
    if len(reference.tokens) != len(sentence.tokens):
        wanted = f"{len(reference.tokens)} tokens"
        return Fault(file, name, None, sentence.line, wanted, str(len(sentence.tokens)))
    return None


def match(parse: Trees, audit: Trees) -> tuple[list[str], list[str], list[Fault]]:
    """Return the ids that both have with the same forms, those that the parse lacks, and every fault, in order."""
    common: list[str] = []
    missing: list[str] = []
    faults = list(audit.faults)
    named = set(audit.sentences)
    broken = {fault.sentence for fault in parse.faults}
    faults += [fault for fault in parse.faults if fault.sentence in named or not fault.sentence]
    for name, sentence in sorted(audit.sentences.items()):
        if name not in parse.sentences:
            if name not in broken:
                missing.append(name)
            continue
        wrong = differing(parse.sentences[name], sentence, name, audit.name)
        if wrong is None:
            common.append(name)
        else:
            faults.append(wrong)
    return common, missing, faults


def against(parse: Trees, audit: Trees, inventory: Inventory = "base") -> dict[str, Any]:
    """Compare a parse with one audit, on every sentence of the audit that can be compared.

    Raises:
        ExportError: no sentence can be compared; the first reasons are named.
    """
    common, missing, faults = match(parse, audit)
    if not common:
        raise ExportError(nothing_to_compare(parse, audit, missing, faults))
    pairs = [(audit.sentences[name].tokens, parse.sentences[name].tokens) for name in common]
    return {
        "parse": described(parse),
        "audit": described(audit),
        "inventory": inventory,
        "scores": score(pairs, reading(inventory)),
        "missing_from_parse": missing,
        "left_out": [fault._asdict() for fault in faults],
    }


def described(trees: Trees) -> dict[str, str]:
    """Return what identifies an annotation."""
    return {"name": trees.name} | ({"sha256": trees.sha256} if trees.sha256 else {})


def nothing_to_compare(parse: Trees, audit: Trees, missing: Sequence[str], faults: Sequence[Fault]) -> str:
    """Return why no sentence of an audit can be compared."""
    reasons = [str(fault) for fault in faults]
    if missing:
        reasons.append(f"not in {parse.name}: {', '.join(missing[:SHOWN_FAULTS])}")
        if len(missing) > SHOWN_FAULTS:
            reasons[-1] += f" and {len(missing) - SHOWN_FAULTS:,} more sentences"
    listed = "\n  ".join(reasons[:SHOWN_FAULTS])
    more = f"\n  and {len(reasons) - SHOWN_FAULTS:,} more" if len(reasons) > SHOWN_FAULTS else ""
    return f"{audit.name}: no sentence can be compared with {parse.name}:\n  {listed}{more}"


def levelled(sentences: Sequence[Sequence[Sequence[Token]]]) -> list[list[list[Token]]]:
    """Return sentences with the tags and features that all annotations have.

    Args:
        sentences: for each sentence its tokens in each annotation.
    """
    has_features = all(
        any(token.feats for sides in sentences for token in sides[side])
        for side in range(len(sentences[0]) if sentences else 0)
    )
    result = []
    for sides in sentences:
        tagged = [all(token.upos for token in same) for same in zip(*sides, strict=True)]
        result.append(
            [
                [
                    token._replace(
                        upos=token.upos if is_tagged else None, feats=token.feats if has_features else frozenset()
                    )
                    for token, is_tagged in zip(tokens, tagged, strict=True)
                ]
                for tokens in sides
            ]
        )
    return result


def between(parse: Trees, a: Trees, b: Trees, inventory: Inventory = "base") -> dict[str, Any] | None:
    """Compare two audits with each other and with the parse, on the sentences that all three have.

    All figures are of the same tokens, so that the parse can be held against the ceiling: a tag that one of the three
    lacks is compared with none, nor are features when one of them has no features at all. Returns None when there is no
    such sentence.
    """
    common = sorted(set(match(parse, a)[0]) & set(match(parse, b)[0]))
    if not common:
        return None
    read = reading(inventory)
    sentences = levelled([[trees.sentences[name].tokens for trees in (parse, a, b)] for name in common])
    of = {key: [sentence[side] for sentence in sentences] for side, key in enumerate(("parse", "a", "b"))}
    triples = [triple for sentence in sentences for triple in zip(*sentence, strict=True)]
    return {
        "parse": described(parse),
        "audits": {"a": described(a), "b": described(b)},
        "inventory": inventory,
        "scores": {
            "a_and_b": score(zip(of["a"], of["b"], strict=True), read),
            "parse_and_a": score(zip(of["a"], of["parse"], strict=True), read),
            "parse_and_b": score(zip(of["b"], of["parse"], strict=True), read),
        },
        "agreement": {
            "heads": agreement(triples, lambda token: token.head),
            "relations": agreement(triples, lambda token: read(token.deprel)),
            "heads_and_relations": agreement(triples, lambda token: (token.head, read(token.deprel))),
            "upos": agreement(triples, lambda token: token.upos),
        },
        "only_in_a": sorted(a.sentences.keys() - b.sentences.keys()),
        "only_in_b": sorted(b.sentences.keys() - a.sentences.keys()),
    }


def compare(parse: Trees, audits: Sequence[Trees], inventory: Inventory = "base") -> dict[str, Any]:
    """Compare a parse with one audit or two.

    Returns:
        `audits`: the result of `against` for each; `agreement`: that of `between`, None with one audit or when the two
        have no sentence in common.

    Raises:
        ExportError: an audit has nothing that can be compared, or both are the same file.
    """
    if len(audits) == 2 and audits[0].sha256 and audits[0].sha256 == audits[1].sha256:
        raise ExportError(f"{audits[0].name} and {audits[1].name} are the same: two audits are made independently")
    return {
        "audits": [against(parse, audit, inventory) for audit in audits],
        "agreement": between(parse, audits[0], audits[1], inventory) if len(audits) == 2 else None,
    }


def left_out(found: dict[str, Any]) -> list[str]:
    """Return a line for everything of a comparison that could not be compared."""
    lines = []
    for part in found["audits"]:
        lines += [str(Fault(**fault)) for fault in part["left_out"]]
        lines += [
            f"{part['audit']['name']}, sentence {name}: not in {part['parse']['name']}"
            for name in part["missing_from_parse"]
        ]
    if len(found["audits"]) == 2 and found["agreement"] is None:
        lines.append("the two audits have no sentence in common that can be compared: no agreement between them")
    return list(dict.fromkeys(lines))
