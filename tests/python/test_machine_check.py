"""The one check of parses: what stops a build is named, what is repaired is counted."""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Sequence

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from machine_fixture import PARSES, SENTENCES, changed

from machine.check import Checked, Inventories, check_parses, find_cycle, load_inventories
from machine.interface import MachineError, Parsed, Sentence


def check(parses: Sequence[Parsed]) -> Checked:
    return check_parses(SENTENCES, parses, load_inventories(), "fixture")


def message(parses: Sequence[Parsed]) -> str:
    with pytest.raises(MachineError) as caught:
        check(parses)
    return str(caught.value)


def test_sound_parses_pass_unchanged_in_the_order_of_the_sentences() -> None:
    result = check(PARSES[::-1])
    assert result.parses == PARSES
    assert not result.repairs


@pytest.mark.parametrize(
    ("parses", "expected"),
    [
        (PARSES[:2], "sentence s-03: expected one parse, found none"),
        ([*PARSES, PARSES[0]], "sentence s-01: expected one parse, found another"),
        (
            [*PARSES, Parsed("s-99", ["X"], [""], [0], ["root"])],
            "sentence s-99: expected a published sentence, found an id of none",
        ),
        (changed(0, upos=["NOUN"]), "sentence s-01: expected 3 tokens, found 1 values of upos"),
        (changed(0, heads=[2, 3, 0, 1]), "sentence s-01: expected 3 tokens, found 4 values of heads"),
        (
            changed(0, upos=["ART", "NOUN", "VERB"]),
            "s-01 token 1 'ὁ': expected a universal part of speech, found 'ART'",
        ),
        (
            changed(0, deprels=["det", "SBJ", "root"]),
            "s-01 token 2 'ἀνὴρ': expected a universal relation, with or without subtype, found 'SBJ'",
        ),
        (changed(2, deprels=["cc:", "root"]), "token 1 'καὶ': expected a universal relation, with or without subtype"),
        (changed(0, heads=[4, 3, 0]), "s-01 token 1 'ὁ': expected a head from 0 to 3, found 4"),
        (changed(0, heads=[-1, 3, 0]), "s-01 token 1 'ὁ': expected a head from 0 to 3, found -1"),
        (changed(2, heads=[2, 1]), "sentence s-03: expected a token on the root, found none"),
        (changed(0, heads=[2, 1, 0]), "token 1 'ὁ': expected heads that lead to the root, found the cycle 1 -> 2 -> 1"),
        (changed(2, heads=[1, 0]), "token 1 'καὶ': expected heads that lead to the root, found the cycle 1 -> 1"),
        (changed(1, feats=["Nom"]), "s-02 token 1 'ναί': expected FEATS like Case=Nom|Number=Sing, found 'Nom'"),
        (changed(1, feats=["Case=Nom,"]), "expected FEATS like Case=Nom|Number=Sing, found 'Case=Nom,'"),
        (changed(1, feats=["Case=Nom|Case=Acc"]), "expected FEATS with Case once, found 'Case=Nom|Case=Acc'"),
    ],
)
def test_what_cannot_be_used_is_named(parses: list[Parsed], expected: str) -> None:
    assert expected in message(parses)


def test_five_findings_are_named_and_all_are_counted() -> None:
    sentences = [Sentence(f"s-{number:02}", ["ναί"]) for number in range(8)]
    with pytest.raises(MachineError) as caught:
        check_parses(sentences, [], load_inventories(), "fixture")
    text = str(caught.value)
    assert text.startswith("fixture: sentences and parses do not match (8):")
    assert re.findall(r"s-\d\d", text) == ["s-00", "s-01", "s-02", "s-03", "s-04"]
    assert text.endswith("... and 3 more")


def test_extra_roots_hang_on_the_first_and_labels_follow() -> None:
    result = check(changed(0, heads=[0, 0, 0], deprels=["root", "root", "nsubj"]))
    assert result.parses[0].heads == [0, 1, 1]
    assert result.parses[0].deprels == ["root", "parataxis", "parataxis"]
    assert result.repairs == {"extra_root": 2}


def test_the_root_is_labelled_root_and_nothing_else_is() -> None:
    result = check(changed(0, deprels=["root", "nsubj", "root:conj"]))
    assert result.parses[0].deprels == ["dep", "nsubj", "root"]
    assert result.repairs == {"root_label": 1, "inner_root_label": 1}


def test_a_provider_keeps_its_lists() -> None:
    parses = changed(0, heads=[0, 0, 0])
    check(parses)
    assert parses[0].heads == [0, 0, 0]


def test_features_are_sorted_without_regard_to_case_and_values_too() -> None:
    result = check(changed(2, feats=["Typo=Yes|ExtPos=ADV|Abbr=Yes", "Gender=Neut,Masc,Masc|Case=Nom"]))
    assert result.parses[2].feats == ["Abbr=Yes|ExtPos=ADV|Typo=Yes", "Case=Nom|Gender=Masc,Neut"]
    assert result.repairs == {"feature_order": 2}


def features_of(text: str) -> Checked:
    """Check a sentence of twenty-five words with a sound feature and one with the given ones."""
    count = 26
    sentence = Sentence("s-01", ["ναί"] * count)
    parse = Parsed("s-01", ["X"] * count, ["Case=Nom"] * 25 + [text], [0, *[1] * 25], ["root", *["dep"] * 25])
    return check_parses([sentence], [parse], load_inventories(), "fixture")


def test_features_of_one_language_go_and_are_counted() -> None:
    result = features_of("Gender=Foo,Masc|InflClass=Ind|Number=Sing")
    assert result.parses[0].feats[-1] == "Gender=Masc|Number=Sing"
    assert result.repairs == {"foreign_feature": 2}
    assert result.foreign == {"InflClass=Ind": 1, "Gender=Foo": 1}
    assert features_of("InflClass=Ind").parses[0].feats[-1] == ""


def test_features_of_another_scheme_stop_the_build() -> None:
    text = message(changed(0, feats=["case=nom", "case=nom|number=sg", "Mood=Ind"]))
    assert "expected features of Universal Dependencies 2, found 3 of 6 values that are none: case=nom (2)" in text


def test_a_sentence_with_two_faults_has_both_named() -> None:
    text = message(changed(0, heads=[2, 3, 9], upos=["DET", "N", "VERB"]))
    assert "fixture: parses that cannot be used (2):" in text


def test_inventories_are_the_universal_ones() -> None:
    inventories = load_inventories()
    assert len(inventories.upos) == 17
    assert len(inventories.relations) == 37
    assert {"Voice=Mid", "Tense=Pqp", "Aspect=Perf", "Gender=Com", "VerbForm=Gdv"} <= inventories.feats


def test_the_human_layer_fits_into_the_universal_inventories() -> None:
    inventories = load_inventories()
    with (ROOT / "seeds" / "annotation" / "tag_to_feats.csv").open(encoding="utf-8") as handle:
        features = {
            f"{row['feature']}={value}" for row in csv.DictReader(handle) for value in row["feature_value"].split(",")
        }
    assert features <= inventories.feats
    with (ROOT / "seeds" / "annotation" / "tag_to_upos.csv").open(encoding="utf-8") as handle:
        assert {row["upos"] for row in csv.DictReader(handle)} <= inventories.upos


@given(st.integers(1, 7).flatmap(lambda n: st.lists(st.integers(0, n), min_size=n, max_size=n)))
def test_every_list_of_heads_with_a_root_becomes_a_tree_or_is_named(heads: list[int]) -> None:
    length = len(heads)
    sentence = Sentence("s-01", ["ναί"] * length)
    parse = Parsed("s-01", ["X"] * length, [""] * length, heads, ["dep"] * length)
    inventories = Inventories(frozenset({"X"}), frozenset({"dep", "root"}), frozenset())
    try:
        result = check_parses([sentence], [parse], inventories, "fixture")
    except MachineError as error:
        assert "a token on the root" in str(error) or "the cycle" in str(error)
        assert 0 not in heads or find_cycle(heads)
        return
    repaired = result.parses[0]
    assert repaired.heads.count(0) == 1
    assert find_cycle(repaired.heads) == []
    assert [relation == "root" for relation in repaired.deprels] == [head == 0 for head in repaired.heads]
    # Only roots move.
    assert all(new == old for new, old in zip(repaired.heads, heads, strict=True) if old)


def test_a_corpus_of_the_size_of_the_real_one_takes_seconds() -> None:
    # A tenth of it here: 5,500 sentences of 16 tokens.
    form, length, count = ["λόγος"], 16, 5500
    sentences = [Sentence(f"s-{number:04}", form * length) for number in range(count)]
    heads = [0, *range(1, length)]
    deprels = ["root", *["nmod:poss"] * (length - 1)]
    parses = [
        Parsed(sentence.id, ["NOUN"] * length, ["Case=Nom|Number=Sing"] * length, heads, deprels)
        for sentence in sentences
    ]
    begin = time.process_time()
    assert len(check_parses(sentences, parses, load_inventories(), "fixture").parses) == count
    assert time.process_time() - begin < 2
