"""Audits: every figure of small examples counted by hand, the official scorer beside it, bad files, the sample."""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hub_fixture import MACHINE
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from test_export_files import quick, synthetic
from typer.testing import CliRunner, Result

import sphragis
from exports.about import croissant
from exports.audit import compare, dataset, report, sample
from exports.audit.reader import Sentence, Token, Trees, read_trees, split_features
from exports.audit.scores import agreement, base, score
from exports.edition import export as edition
from exports.warehouse import ExportError
from runtime.conllu import render_conllu
from runtime.settings import Settings, load_settings

__all__ = ["quick"]


def tree(*rows: str) -> tuple[Token, ...]:
    """Tokens from rows `form upos feats head deprel`."""
    cells = [row.split() for row in rows]
    return tuple(
        Token(form, None if upos == "_" else upos, split_features(feats), int(head), deprel)
        for form, upos, feats, head, deprel in cells
    )


def trees(name: str, **sentences: tuple[Token, ...]) -> Trees:
    return Trees(name, name, {key: Sentence(1, tokens) for key, tokens in sentences.items()})


def as_conllu(**sentences: tuple[Token, ...]) -> str:
    units = [
        [
            {
                "id": number,
                "form": token.form,
                "lemma": None,
                "upos": token.upos,
                "feats": "|".join(sorted(token.feats)),
                "head": token.head,
                "deprel": token.deprel,
            }
            for number, token in enumerate(tokens, start=1)
        ]
        for tokens in sentences.values()
    ]
    return render_conllu(units, sentences)


FIRST = tree("ὁ DET Case=Nom 2 det", "ναύτης NOUN Case=Nom|Number=Sing 3 nsubj:pass", "εἶδεν VERB Mood=Ind 0 root")
FIRST_PARSED = tree("ὁ DET Case=Nom 2 det", "ναύτης PROPN Case=Acc|Number=Sing 3 nsubj", "εἶδεν VERB Mood=Ind 0 root")
SECOND = tree("ἵππον NOUN Case=Acc 2 obj", "ἔχει VERB _ 0 root", "ταχύν ADJ Case=Acc 1 amod")
SECOND_PARSED = tree("ἵππον NOUN Case=Acc 2 obl", "ἔχει VERB Mood=Ind 0 root", "ταχύν ADJ Case=Acc 2 amod")
PAIRS = [(FIRST, FIRST_PARSED), (SECOND, SECOND_PARSED)]


def test_attachment_and_relations_are_counted_as_by_hand() -> None:
    found = score(PAIRS)
    assert (found["sentences"], found["tokens"]) == (2, 6)
    assert found["uas"] == round(5 / 6, 6)  # ταχύν has another head
    assert found["label_accuracy"] == round(5 / 6, 6)  # ἵππον has another relation; the subtype does not count
    assert found["las"] == round(4 / 6, 6)  # both of them are wrong
    assert found["relation_macro_f1"] == round(4 / 6, 6)  # det nsubj root amod 1, obj obl 0
    assert found["relations"]["root"] == {
        "support": 2,
        "predicted": 2,
        "both": 2,
        "precision": 1.0,
        "recall": 1.0,
        "f1": 1.0,
    }
    assert found["relations"]["obj"] == {
        "support": 1,
        "predicted": 0,
        "both": 0,
        "precision": None,
        "recall": 0.0,
        "f1": 0.0,
    }
    assert found["relations"]["obl"]["precision"] == 0.0
    assert found["relations"]["obl"]["recall"] is None


def test_tags_are_counted_as_by_hand() -> None:
    found = score(PAIRS)
    assert found["upos_tokens"] == 6
    assert found["upos_accuracy"] == round(5 / 6, 6)  # ναύτης
    assert found["tags"]["NOUN"]["f1"] == round(2 / 3, 6)  # twice in the audit, once in the parse
    assert found["upos_macro_f1"] == round((1 + 1 + 1 + 2 / 3 + 0) / 5, 6)  # ADJ DET VERB NOUN PROPN


def test_features_are_counted_as_by_hand() -> None:
    found = score(PAIRS)
    assert found["feats_exact"] == round(4 / 6, 6)  # not ναύτης, not ἔχει
    counts = {name: (row["support"], row["predicted"], row["both"]) for name, row in found["features"].items()}
    assert counts == {"Case=Acc": (2, 3, 2), "Case=Nom": (2, 1, 1), "Mood=Ind": (1, 2, 1), "Number=Sing": (1, 1, 1)}
    assert found["feats_micro_f1"] == round(2 * 5 / (6 + 7), 6)
    assert found["feats_macro_f1"] == round((4 / 5 + 2 / 3 + 2 / 3 + 1) / 4, 6)
    assert found["features"]["Case=Acc"]["precision"] == round(2 / 3, 6)


def test_the_reduced_inventory_is_that_of_the_human_layer() -> None:
    found = score(PAIRS, compare.reading("reduced"))
    assert sorted(found["relations"]) == ["nmod", "nsubj", "obj", "obl", "root"]  # det and amod are nmod
    assert found["relation_macro_f1"] == round(3 / 5, 6)


def test_a_layer_that_one_side_leaves_out_has_no_figures() -> None:
    bare = tree("ὁ _ _ 2 det", "ναύτης NOUN _ 3 nsubj", "εἶδεν _ _ 0 root")
    found = score([(FIRST, bare)])
    assert found["uas"] == found["las"] == 1.0
    assert (found["upos_tokens"], found["upos_accuracy"]) == (1, 1.0)
    assert (found["feats_tokens"], found["feats_exact"], found["feats_micro_f1"]) == (0, None, None)
    assert found["feats_macro_f1"] is None
    assert found["features"] == {}


def test_several_values_of_a_feature_count_one_by_one() -> None:
    found = score([(tree("οἱ DET Gender=Masc,Neut 0 root"), tree("οἱ DET Gender=Masc 0 root"))])
    assert found["features"]["Gender=Masc"]["f1"] == 1.0
    assert found["features"]["Gender=Neut"]["recall"] == 0.0


THIRD = {
    "parse": tree("α X _ 0 root", "β X _ 1 obj", "γ X _ 2 obl", "δ X _ 2 obl"),
    "a": tree("α X _ 0 root", "β X _ 1 obj", "γ X _ 1 obl", "δ X _ 1 obj"),
    "b": tree("α X _ 0 root", "β X _ 1 iobj", "γ X _ 1 obj", "δ X _ 3 advmod"),
}
FIRST_B = tree("ὁ PRON _ 3 det", "ναύτης NOUN _ 3 nsubj", "εἶδεν VERB _ 0 root")
SECOND_B = tree("ἵππον NOUN _ 2 obl", "ἔχει VERB _ 0 root", "ταχύν _ _ 2 amod")


def test_who_agrees_with_whom_is_counted_as_by_hand() -> None:
    parse = trees("p", one=FIRST_PARSED, two=SECOND_PARSED, three=THIRD["parse"], four=FIRST)
    a = trees("a", one=FIRST, two=SECOND, three=THIRD["a"], five=FIRST)
    b = trees("b", one=FIRST_B, two=SECOND_B, three=THIRD["b"], four=FIRST)
    found = compare.between(parse, a, b)
    assert found is not None
    heads = {kind: row["tokens"] for kind, row in found["agreement"]["heads"].items() if kind != "tokens"}
    assert heads == {
        "all_agree": 6,  # two in each sentence
        "audits_against_parse": 1,  # γ
        "parse_with_a_against_b": 1,  # ὁ
        "parse_with_b_against_a": 1,  # ταχύν
        "all_differ": 1,  # δ
    }
    assert found["agreement"]["heads"]["audits_against_parse"]["share"] == 0.1
    relations = {kind: row["tokens"] for kind, row in found["agreement"]["relations"].items() if kind != "tokens"}
    assert relations == {
        "all_agree": 6,  # ὁ ναύτης εἶδεν, ἔχει ταχύν, α
        "audits_against_parse": 0,
        "parse_with_a_against_b": 2,  # β obj, γ obl
        "parse_with_b_against_a": 1,  # ἵππον
        "all_differ": 1,  # δ
    }
    assert found["agreement"]["upos"]["tokens"] == 9  # ταχύν has no tag in B
    assert {row["upos_tokens"] for row in found["scores"].values()} == {9}
    assert {row["feats_tokens"] for row in found["scores"].values()} == {0}  # B has no features
    assert found["scores"]["a_and_b"]["uas"] == 0.7  # not ὁ, ταχύν, δ
    assert found["scores"]["parse_and_a"]["uas"] == 0.7  # not ταχύν, γ, δ
    assert found["scores"]["parse_and_b"]["uas"] == 0.7  # not ὁ, γ, δ
    assert {row["tokens"] for row in found["scores"].values()} == {10}
    assert (found["only_in_a"], found["only_in_b"]) == (["five"], ["four"])


def test_a_parse_against_two_audits_uses_every_sentence_of_each() -> None:
    parse = trees("p", one=FIRST_PARSED, two=SECOND_PARSED)
    found = compare.compare(parse, [trees("a", one=FIRST), trees("b", one=FIRST, two=SECOND)])
    assert [part["scores"]["sentences"] for part in found["audits"]] == [1, 2]
    assert found["agreement"]["scores"]["a_and_b"]["sentences"] == 1
    apart = compare.compare(parse, [trees("a", one=FIRST), trees("b", two=SECOND)])
    assert apart["agreement"] is None
    assert "no sentence in common" in compare.left_out(apart)[-1]


def test_the_same_file_twice_is_no_second_audit() -> None:
    audit = trees("a", one=FIRST)
    with pytest.raises(ExportError, match="made independently"):
        compare.compare(trees("p", one=FIRST), [audit, audit])


LABELS = ["nsubj", "nsubj:pass", "obj", "obl", "advcl:cmp", "vocative"]
FEATS: list[frozenset[str]] = [
    frozenset(),
    frozenset({"Case=Nom"}),
    frozenset({"Case=Acc", "Number=Sing"}),
    frozenset({"Gender=Masc"}),
]


@st.composite
def annotated(draw: st.DrawFn, sides: int = 2) -> list[tuple[Token, ...]]:
    """Annotations of one sentence: the same forms, any trees."""
    length = draw(st.integers(1, 8))
    found = []
    for _ in range(sides):
        places = draw(st.permutations(range(1, length + 1)))
        heads = {places[0]: 0} | {
            place: places[draw(st.integers(0, before - 1))] for before, place in enumerate(places) if before
        }
        found.append(
            tuple(
                Token(
                    f"{'αβγδεζηθ'[place - 1]}",
                    draw(st.sampled_from(["NOUN", "VERB", "PROPN"])),
                    draw(st.sampled_from(FEATS)),
                    heads[place],
                    draw(st.sampled_from(LABELS)) if heads[place] else "root",
                )
                for place in range(1, length + 1)
            )
        )
    return found


ACCURACIES = [key for key in report.FIGURES.values()]


@given(st.lists(annotated(), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_an_annotation_agrees_with_itself_in_everything(pairs: list[list[tuple[Token, ...]]]) -> None:
    found = score([(pair[0], pair[0]) for pair in pairs])
    assert {found[key] for key in ACCURACIES} <= {1.0, None}
    assert found["uas"] == found["relation_macro_f1"] == found["upos_macro_f1"] == 1.0
    for table in ("relations", "tags", "features"):
        assert all(row["f1"] == row["precision"] == row["recall"] == 1.0 for row in found[table].values())


@given(st.lists(annotated(), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_swapping_the_sides_swaps_precision_and_recall_only(pairs: list[list[tuple[Token, ...]]]) -> None:
    there = score([(pair[0], pair[1]) for pair in pairs])
    back = score([(pair[1], pair[0]) for pair in pairs])
    assert {key: there[key] for key in ACCURACIES} == {key: back[key] for key in ACCURACIES}
    assert all(there[key] is None or 0 <= there[key] <= 1 for key in ACCURACIES)
    assert there["las"] <= min(there["uas"], there["label_accuracy"])
    for table in ("relations", "tags", "features"):
        for label, row in there[table].items():
            other = back[table][label]
            assert (row["precision"], row["recall"], row["f1"]) == (other["recall"], other["precision"], other["f1"])


@given(st.lists(annotated(sides=3), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_the_five_kinds_of_agreement_divide_the_tokens(sentences: list[list[tuple[Token, ...]]]) -> None:
    triples = [triple for sentence in sentences for triple in zip(*sentence, strict=True)]
    found = agreement(triples, lambda token: token.head)
    swapped = agreement([(p, b, a) for p, a, b in triples], lambda token: token.head)
    counts = {kind: row["tokens"] for kind, row in found.items() if kind != "tokens"}
    assert sum(counts.values()) == found["tokens"] == len(triples)
    assert counts["parse_with_a_against_b"] == swapped["parse_with_b_against_a"]["tokens"]
    assert counts["all_differ"] == swapped["all_differ"]["tokens"]


@given(st.lists(annotated(), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_figures_are_those_of_the_official_scorer(pairs: list[list[tuple[Token, ...]]]) -> None:
    from udtools import udeval

    texts = [as_conllu(**{f"s-{number}": pair[side] for number, pair in enumerate(pairs)}) for side in (0, 1)]
    official = udeval.evaluate(*(udeval.load_conllu(io.StringIO(text), "test", {}) for text in texts))
    found = score([(pair[0], pair[1]) for pair in pairs])
    for key, name in {"uas": "UAS", "las": "LAS", "upos_accuracy": "UPOS"}.items():
        assert found[key] == round(official[name].aligned_accuracy, 6), name
    if found["feats_exact"] is not None:
        assert found["feats_exact"] == round(official["UFeats"].aligned_accuracy, 6)


@given(st.lists(annotated(sides=1), min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_what_is_rendered_is_read_again(tmp_path_factory: pytest.TempPathFactory, drawn: list[Any]) -> None:
    path = tmp_path_factory.mktemp("read") / "a.conllu"
    expected = {f"s-{number}": sides[0] for number, sides in enumerate(drawn)}
    path.write_text(as_conllu(**expected), encoding="utf-8")
    found = read_trees(path)
    assert found.faults == []
    assert {name: sentence.tokens for name, sentence in found.sentences.items()} == expected


GOOD = as_conllu(good=SECOND)
ROW = "{}\t{}\t_\tVERB\t_\t_\t{}\t{}\t_\t_\n"


def bad(*rows: str, name: str = "# sent_id = bad\n") -> str:
    return name + "".join(rows) + "\n"


ONE = ROW.format(1, "ἔχει", 0, "root")
FAULTS = {
    "nine columns": (bad(ONE, "2\tἵππον\t_\tNOUN\t_\t_\t1\tobj\t_\n"), "2", 3, "10 columns", "9: "),
    "blanks for tabs": (bad("1 ἔχει _ VERB _ _ 0 root _ _\n"), None, 2, "10 columns", "1: '1 ἔχει"),
    "a gap": (bad(ONE, ROW.format(3, "ἵππον", 1, "obj")), "3", 3, "token 2", "'3'"),
    "a range": (bad("1-2\tκἀγώ\t_\t_\t_\t_\t_\t_\t_\t_\n", ONE), "1-2", 2, "token 1", "the multiword token 1-2"),
    "an empty node": (bad(ONE, ROW.format("1.1", "ἵππον", 1, "obj")), "1.1", 3, "token 2", "the empty node 1.1"),
    "a head too far": (bad(ONE, ROW.format(2, "ἵππον", 7, "obj")), "2", 3, "a head from 0 to 2", "'7'"),
    "its own head": (bad(ONE, ROW.format(2, "ἵππον", 2, "obj")), "2", 3, "that is another token", "'2'"),
    "a head in words": (bad(ONE, ROW.format(2, "ἵππον", "ἔχει", "obj")), "2", 3, "a head", "'ἔχει'"),
    "a long head": (bad(ONE, ROW.format(2, "ἵππον", "9" * 5000, "obj")), "2", 3, "a head", "'999"),
    "a missing head": (bad(ONE, ROW.format(2, "ἵππον", "_", "obj")), "2", 3, "a head", "'_'"),
    "a missing relation": (bad(ONE, ROW.format(2, "ἵππον", 1, "_")), "2", 3, "a relation of UD v2", "'_'"),
    "a misspelt relation": (bad(ONE, ROW.format(2, "ἵππον", 1, "ojb")), "2", 3, "a relation of UD v2", "'ojb'"),
    "another tag": (bad(ONE.replace("VERB", "V")), "1", 2, "a tag of UD v2", "'V'"),
    "a bare feature": (bad(ONE.replace("VERB\t_\t_", "VERB\t_\tInd")), "1", 2, "features as", "'Ind'"),
    "a feature twice": (
        bad(ONE.replace("VERB\t_\t_", "VERB\t_\tCase=Nom|Case=Acc")),
        "1",
        2,
        "each name once",
        "'Case=Nom|Case=Acc'",
    ),
    "an empty column": (bad(ONE.replace("VERB", "")), "1", 2, "no empty column", "'1"),
    "two roots": (bad(ONE, ROW.format(2, "λέγει", 0, "root")), None, 2, "one root", "2: tokens 1, 2"),
    "a root with a head": (bad(ONE, ROW.format(2, "λέγει", 1, "root")), "2", 3, "root with the head 0", "'root' with"),
    "a cycle": (
        bad(ONE, ROW.format(2, "β", 3, "obj"), ROW.format(3, "γ", 2, "obj")),
        None,
        2,
        "a tree",
        "a cycle of the tokens 2, 3",
    ),
    "still blank": (bad(ROW.format(1, "ἔχει", "_", "_")), None, 2, "heads and relations", "still blank"),
    "two sentences in one": (
        bad(ONE, "# sent_id = other\n", ONE),
        None,
        3,
        "a blank line before the next sentence",
        "sent_id other",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_sentence_is_named_and_costs_no_other(name: str, tmp_path: Path) -> None:
    text, token, line, expected, found = FAULTS[name]
    path = tmp_path / "audit.conllu"
    path.write_text(text + GOOD, encoding="utf-8")
    read = read_trees(path)
    assert list(read.sentences) == ["good"]
    [fault] = read.faults
    assert (fault.file, fault.sentence, fault.token, fault.line) == ("audit.conllu", "bad", token, line)
    assert expected in fault.expected
    assert fault.found.startswith(found) or found in fault.found
    assert len(str(fault)) < 300


def test_a_sentence_without_a_name_is_told_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "audit.conllu"
    path.write_text(GOOD + bad(ONE, name="# text = ἔχει\n"), encoding="utf-8")
    assert [str(fault) for fault in read_trees(path).faults] == [
        "audit.conllu, line 7: expected a comment # sent_id, found none"
    ]


def test_a_repeated_sentence_counts_neither_time(tmp_path: Path) -> None:
    path = tmp_path / "audit.conllu"
    path.write_text(bad(ONE) + GOOD + bad(ONE), encoding="utf-8")
    read = read_trees(path)
    assert list(read.sentences) == ["good"]
    assert "stands on line 1 too" in str(read.faults[0])


def test_bytes_that_are_not_utf8_cost_their_sentence(tmp_path: Path) -> None:
    path = tmp_path / "audit.conllu"
    path.write_bytes(bad(ONE).encode().replace("ἔ".encode(), b"\xff") + GOOD.encode())
    read = read_trees(path)
    assert list(read.sentences) == ["good"]
    assert "expected UTF-8" in str(read.faults[0])
    path.write_bytes(bad(ONE).encode().replace(b"= bad", b"= b\xff\x1b") + GOOD.encode())
    assert str(read_trees(path).faults[0]).isprintable()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "found an empty file"),
        (b" \n\n", "found an empty file"),
        (b"# sent_id = s-1\n\n", "no line with a token"),
        (GOOD.encode("utf-16"), "expected UTF-8"),
        (GOOD.encode("utf-16-be"), "expected UTF-8"),
    ],
)
def test_a_file_that_is_none_is_refused(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "audit.conllu"
    path.write_bytes(data)
    with pytest.raises(ExportError, match=message):
        read_trees(path)


def test_marks_of_other_editors_are_read_over(tmp_path: Path) -> None:
    path = tmp_path / "audit.conllu"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode() + b"\t\t\t\r\n")
    assert read_trees(path).sentences["good"].tokens == SECOND


def test_only_the_wanted_sentences_of_a_parse_are_read(tmp_path: Path) -> None:
    path = tmp_path / "parse.conllu"
    path.write_text(bad(ROW.format(1, "ἔχει", 9, "root")) + GOOD, encoding="utf-8")
    assert read_trees(path, {"good"}).faults == []


def test_other_forms_and_unknown_sentences_are_left_out_by_name() -> None:
    parse = trees("parse.conllu", one=FIRST_PARSED, two=SECOND_PARSED, three=THIRD["parse"])
    audit = trees(
        "audit.conllu",
        one=FIRST,
        two=tree("ἵππους NOUN _ 2 obj", "ἔχει VERB _ 0 root", "ταχύν ADJ _ 1 amod"),
        three=THIRD["a"][:2],
        four=FIRST,
    )
    found = compare.compare(parse, [audit])
    assert found["audits"][0]["scores"]["sentences"] == 1
    assert compare.left_out(found) == [
        "audit.conllu, line 1, sentence three: expected 4 tokens, found 2",
        "audit.conllu, line 1, sentence two, token 1: expected the form 'ἵππον', found 'ἵππους'",
        "audit.conllu, sentence four: not in parse.conllu",
    ]


def test_nothing_to_compare_is_an_error_with_its_first_reasons() -> None:
    audit = trees("audit.conllu", **{f"x{number}": FIRST for number in range(7)})
    with pytest.raises(ExportError, match=r"not in parse.conllu: x0, x1, x2, x3, x4 and 2 more sentences"):
        compare.compare(trees("parse.conllu", one=FIRST), [audit])


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """An edition with a machine layer."""
    made = synthetic(tmp_path_factory.mktemp("audit") / "build", *MACHINE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(croissant, "check", lambda path: None)
        edition.export(made)
    return made


def run(*arguments: str | Path, made: Settings | None = None) -> Result:
    folder = ["--folder", str(made.hub)] if made is not None else []
    return CliRunner().invoke(sphragis.app, ["audit", *map(str, arguments), *folder])


def drawn_into(folder: Path, made: Settings, *more: str) -> Path:
    found = run("sample", "--size", "20", "--out", folder, *more, made=made)
    assert found.exit_code == 0, found.stderr
    return folder


def test_a_sample_is_drawn_twice_with_the_same_bytes(exported: Settings, tmp_path: Path) -> None:
    first, second = (drawn_into(tmp_path / name, exported) for name in ("one", "two"))
    other = drawn_into(tmp_path / "three", exported, "--seed", "1")
    for name in (sample.BLANK, sample.PARSED):
        assert (first / name).read_bytes() == (second / name).read_bytes()
        assert (first / name).read_bytes() != (other / name).read_bytes()
    assert sorted(path.name for path in first.iterdir()) == [sample.BLANK, sample.PARSED]
    drawn_into(first, exported)


def test_the_file_to_annotate_shows_nothing_but_the_words(exported: Settings, tmp_path: Path) -> None:
    folder = drawn_into(tmp_path, exported)
    lines = (folder / sample.BLANK).read_text(encoding="utf-8").splitlines()
    assert {line.partition(" =")[0] for line in lines if line.startswith("#")} == {"# sent_id", "# text"}
    assert {tuple(line.split("\t")[2:]) for line in lines if line and not line.startswith("#")} == {("_",) * 8}
    parsed = (folder / sample.PARSED).read_text(encoding="utf-8").splitlines()
    kept = [line.split("\t")[:2] if "\t" in line else line for line in lines]
    assert kept == [line.split("\t")[:2] if "\t" in line else line for line in parsed]
    assert "PROPN" in "".join(parsed)
    told = drawn_into(tmp_path / "told", exported, "--with-source") / sample.BLANK
    assert "# author = Author A" in told.read_text(encoding="utf-8")


def test_a_sample_is_never_written_over_an_annotation(exported: Settings, tmp_path: Path) -> None:
    folder = drawn_into(tmp_path, exported)
    path = folder / sample.BLANK
    path.write_text("annotated", encoding="utf-8")
    found = run("sample", "--size", "20", "--out", folder, made=exported)
    assert found.exit_code == 1
    assert "has been annotated" in found.stderr
    assert path.read_text(encoding="utf-8") == "annotated"


def test_a_sample_larger_than_the_corpus_is_refused(exported: Settings, tmp_path: Path) -> None:
    count = len(dataset.published(exported.hub))
    found = run("sample", "--size", str(count + 1), "--out", tmp_path / "none", made=exported)
    assert found.exit_code == 1
    assert found.stderr == f"error: a sample of {count + 1:,} cannot be drawn: there are {count:,} sentences\n"
    assert not (tmp_path / "none").exists()


def test_a_second_sample_has_no_sentence_of_the_first(exported: Settings, tmp_path: Path) -> None:
    first = drawn_into(tmp_path / "one", exported) / sample.BLANK
    second = drawn_into(tmp_path / "two", exported, "--without", str(first)) / sample.BLANK
    names = [sample.named_in([path]) for path in (first, second)]
    assert [len(known) for known in names] == [20, 20]
    assert not names[0] & names[1]


def published(counts: dict[str, list[int]]) -> list[dataset.Published]:
    """Sentences of these lengths by author."""
    return [
        dataset.Published(f"s-{author}{number}", author, "work", None, ("λόγος",) * words)
        for author, lengths in counts.items()
        for number, words in enumerate(lengths)
    ]


def test_a_sample_is_proportional_with_one_of_every_author() -> None:
    sentences = published({"Aeschines": [5] * 60 + [25] * 20, "Lysias": [12] * 18, "Dinarchus": [40, 40]})
    drawn = sample.draw(sentences, 10, 1)
    assert Counter(sentence.author for sentence in drawn) == {"Aeschines": 7, "Lysias": 2, "Dinarchus": 1}
    lengths = Counter(len(sentence.forms) for sentence in drawn if sentence.author == "Aeschines")
    assert lengths == {5: 5, 25: 2}  # 60 and 20 of 80: 5.25 and 1.75 of seven
    assert {sentence.author for sentence in sample.draw(sentences, 2, 1)} == {"Aeschines", "Lysias"}


@given(
    st.dictionaries(st.sampled_from("abcde"), st.lists(st.integers(1, 50), min_size=1, max_size=30), min_size=1),
    st.integers(0, 5),
)
@settings(max_examples=60, deadline=None)
def test_a_larger_sample_holds_every_smaller_one(counts: dict[str, list[int]], seed: int) -> None:
    sentences = published(counts)
    before: set[str] = set()
    for size in range(1, len(sentences) + 1):
        drawn = [sentence.id for sentence in sample.draw(sentences, size, seed)]
        assert len(drawn) == len(set(drawn)) == size
        assert before < set(drawn)
        before = set(drawn)
        if size >= len(counts):
            assert len({name[2] for name in drawn}) == len(counts)


def filled(folder: Path, made: Settings, name: str = "audit.conllu", **changes: str) -> Path:
    """An annotation: the machine layer of the sample, with parts replaced."""
    text = (drawn_into(folder / "drawn", made) / sample.PARSED).read_text(encoding="utf-8")
    for old, new in changes.items():
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_filled_sample_is_compared_with_the_published_layer(exported: Settings, tmp_path: Path) -> None:
    audit = filled(tmp_path, exported, AUX="VERB")
    found = run("compare", "machine", audit, "--json", made=exported)
    assert found.exit_code == 0, found.stderr
    part = json.loads(found.stdout)["audits"][0]
    assert found.stdout == json.dumps(json.loads(found.stdout), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    assert part["missing_from_parse"] == part["left_out"] == []
    scores = part["scores"]
    assert (scores["sentences"], scores["uas"], scores["las"], scores["feats_macro_f1"]) == (20, 1.0, 1.0, 1.0)
    auxiliaries = (tmp_path / "drawn" / sample.PARSED).read_text(encoding="utf-8").count("AUX")
    assert scores["upos_accuracy"] == round(1 - auxiliaries / scores["tokens"], 6)
    assert scores["tags"]["VERB"] | {"both": None} == {
        "support": auxiliaries,
        "predicted": 0,
        "both": None,
        "precision": None,
        "recall": 0.0,
        "f1": 0.0,
    }
    same = run("compare", tmp_path / "drawn" / sample.PARSED, audit, "--json")
    assert json.loads(same.stdout)["audits"][0]["scores"] == scores


def test_a_blank_sample_is_refused_with_its_first_sentence(exported: Settings, tmp_path: Path) -> None:
    blank = drawn_into(tmp_path, exported) / sample.BLANK
    first = blank.read_text(encoding="utf-8").splitlines()[0].removeprefix("# sent_id = ")
    found = run("compare", "machine", blank, made=exported)
    assert found.exit_code == 1
    assert f"sample.conllu, line 3, sentence {first}: expected heads and relations" in found.stderr
    assert "a sentence that is still blank" in found.stderr


@pytest.mark.parametrize("width", ["40", "80"])
def test_the_tables_are_read_on_a_narrow_terminal(
    width: str, exported: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    audit = filled(tmp_path, exported, AUX="VERB")
    other = filled(tmp_path, exported, "other.conllu", vocative="obl")
    for audits in ([audit], [audit, other]):
        found = run("compare", "machine", *audits, made=exported)
        assert found.exit_code == 0, found.stderr
        assert "\x1b" not in found.stdout
        assert max(map(len, found.stdout.splitlines())) <= int(width)
        for title in ("UAS", "UPOS macro-F1", "Case=Nom", "root"):
            assert title in found.stdout, found.stdout
        assert "100.00" in found.stdout
        assert "..." not in found.stdout
        assert "…" not in found.stdout
    if width == "80":
        assert "parse with A against B" in found.stdout


def test_left_out_sentences_end_with_code_1_only_when_strict(exported: Settings, tmp_path: Path) -> None:
    audit = filled(tmp_path, exported)
    audit.write_text(audit.read_text(encoding="utf-8") + bad(ONE), encoding="utf-8")
    out = tmp_path / "found.json"
    found = run("compare", "machine", audit, "--out", out, made=exported)
    assert found.exit_code == 0
    assert found.stderr == "left out: audit.conllu, sentence bad: not in machine\n"
    assert json.loads(out.read_text(encoding="utf-8"))["audits"][0]["missing_from_parse"] == ["bad"]
    strict = run("compare", "machine", audit, "--strict", made=exported)
    assert strict.exit_code == 1
    assert "UAS" in strict.stdout


@pytest.mark.parametrize(
    "command", [["compare", "nothing.conllu", "nothing.conllu"], ["sample", "--folder", "nothing"]]
)
def test_a_missing_file_is_told_in_one_line(command: list[str]) -> None:
    found = run(*command)
    assert found.exit_code == 1
    assert found.stderr.startswith("error: ")
    assert found.stderr.count("\n") == 1


def test_an_edition_without_a_machine_layer_can_be_sampled_but_not_audited(tmp_path: Path) -> None:
    made = synthetic(tmp_path / "build")
    edition.export(made)
    folder = drawn_into(tmp_path / "drawn", made)
    assert [path.name for path in folder.iterdir()] == [sample.BLANK]
    audit = tmp_path / "audit.conllu"
    sentence = dataset.published(made.hub)[0]
    tokens = tree(*(f"{form} X _ {place} {'dep' if place else 'root'}" for place, form in enumerate(sentence.forms)))
    audit.write_text(as_conllu(**{sentence.id: tokens}), encoding="utf-8")
    found = run("compare", "machine", audit, made=made)
    assert found.exit_code == 1
    assert "has no machine layer" in found.stderr


def test_an_edition_publishes_the_audits_that_are_given(exported: Settings, tmp_path: Path) -> None:
    audits = tmp_path / "audits"
    audits.mkdir()
    metadata = exported.hub / "metadata"
    names = ("machine_syntax_audit.json", "machine_syntax_audit_agreement.json")
    assert not any((metadata / name).exists() for name in names)
    first = filled(tmp_path, exported, AUX="VERB").read_text(encoding="utf-8")
    (audits / "audit_a.conllu").write_text(first + bad(ONE), encoding="utf-8")
    made = replace(exported, audits=audits)
    for second in (False, True):
        if second:
            (audits / "audit_b.conllu").write_text(first.replace("vocative", "obl"), encoding="utf-8")
        summary = edition.export(made)
        assert "audits: audit_a.conllu, sentence bad: not in machine" in edition.report(summary)
        assert [(metadata / name).exists() for name in names] == [True, second]
    found = json.loads((metadata / names[0]).read_text(encoding="utf-8"))
    assert [part["audit"]["name"] for part in found["audits"]] == ["audit_a.conllu", "audit_b.conllu"]
    assert found["audits"][0]["scores"]["uas"] == 1.0
    assert str(tmp_path) not in json.dumps(found)
    ceiling = json.loads((metadata / names[1]).read_text(encoding="utf-8"))
    assert ceiling["agreement"]["heads"]["all_agree"]["share"] == 1.0
    assert ceiling["scores"]["a_and_b"]["label_accuracy"] < 1
    assert names[1] in (exported.hub / "SHA256SUMS").read_text(encoding="utf-8")
    report = json.loads((metadata / "build_report.json").read_text(encoding="utf-8"))["machine_syntax"]
    assert [(part["name"], part["uas"]) for part in report["audits"]] == [
        ("audit_a.conllu", 1.0),
        ("audit_b.conllu", 1.0),
    ]
    assert report["audits"][0]["sha256"] == hashlib.sha256((audits / "audit_a.conllu").read_bytes()).hexdigest()
    readme = (exported.hub / "README.md").read_text(encoding="utf-8")
    assert f"| `audit_a.conllu` | 20 | {report['audits'][0]['tokens']} | 100.0 | 100.0 |" in readme
    assert f"`metadata/{names[1]}`" in readme


def test_a_folder_of_audits_without_a_first_one_stops_the_export(tmp_path: Path) -> None:
    made = replace(synthetic(tmp_path / "build"), audits=tmp_path)
    (tmp_path / "audit_b.conllu").write_text(GOOD, encoding="utf-8")
    with pytest.raises(ExportError, match=r"expected audit_a.conllu in it"):
        edition.export(made)
    (tmp_path / "audit_a.conllu").write_text(GOOD.replace("good", "s-1"), encoding="utf-8")
    summary = edition.export(made)
    assert "audits: not compared, this edition has no machine layer" in edition.report(summary)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no columns\n\n", "audit_a.conllu: no sentence can be compared with the machine layer"),
        (GOOD, "audit_a.conllu: no sentence can be compared with machine:\n  not in machine: good"),
    ],
)
def test_an_audit_that_cannot_be_used_stops_the_export_before_anything_is_written(
    text: str, message: str, exported: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(*arguments: Any) -> None:
        raise AssertionError("the dataset was written before the audits were looked at")

    monkeypatch.setattr("exports.dataset.files.write_dataset", written)
    (tmp_path / "audit_a.conllu").write_text(text, encoding="utf-8")
    with pytest.raises(ExportError) as caught:
        edition.export(replace(exported, audits=tmp_path))
    assert message in str(caught.value)


def test_the_folder_of_audits_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPHRAGIS_AUDITS", raising=False)
    assert load_settings().audits is None
    monkeypatch.setenv("SPHRAGIS_AUDITS", "somewhere")
    assert load_settings().audits == Path("somewhere")


def test_a_table_shows_a_figure_that_cannot_be_had() -> None:
    shown = Console(file=io.StringIO(), width=80)
    found = compare.compare(trees("p", one=tree("ναί ADV _ 0 root")), [trees("a", one=tree("ναί _ _ 0 root"))])
    report.show(found, shown)
    assert isinstance(shown.file, io.StringIO)
    assert [line.split()[-1] for line in shown.file.getvalue().splitlines() if line.startswith("UPOS")] == ["-", "-"]


def test_labels_are_read_by_their_base() -> None:
    assert base("acl:relcl") == "acl"


def test_sentences_of_one_audit_alone_are_shown_beside_the_common_ones() -> None:
    shown = io.StringIO()
    parse = trees("p", one=FIRST_PARSED, two=SECOND_PARSED)
    found = compare.compare(parse, [trees("a", one=FIRST), trees("b", one=FIRST_B, two=SECOND)])
    report.show(found, Console(file=shown, width=80))
    titles = [line for line in shown.getvalue().splitlines() if line.startswith("p")]
    assert titles[0].startswith("p against b: 2 sentences, 6 tokens")
    assert titles[1].startswith("p, A = a, B = b: 1 common sentences, 3 tokens")
