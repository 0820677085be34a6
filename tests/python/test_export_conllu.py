"""CoNLL-U from the nested columns, and the checks of every written file: each with an edition that breaks it."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import conllu
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hub_fixture import MACHINE
from hypothesis import given, settings
from hypothesis import strategies as st
from test_export_files import ROOT, quick, synthetic
from typer.testing import CliRunner

import sphragis
from exports.dataset import schema, validation
from exports.dataset.conllu import find_rows, render_sentences
from exports.dataset.loader import load_all, load_text
from exports.edition import export as edition
from exports.warehouse import ExportError
from runtime.conllu import render_conllu, render_token
from runtime.settings import Settings

__all__ = ["quick"]

SENTENCE: list[dict[str, Any]] = [
    {"id": 1, "form": "ὁ", "lemma": "ὁ", "upos": "PRON", "feats": "Case=Nom", "head": 2, "deprel": "nmod"},
    {"id": 2, "form": "ναύτης", "lemma": None, "upos": "NOUN", "feats": None, "head": 3, "deprel": "nsubj"},
    {"id": 3, "form": "εἶδεν", "lemma": "ὁράω", "upos": "VERB", "feats": None, "head": 0, "deprel": "root"},
]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    made = synthetic(tmp_path_factory.mktemp("conllu") / "build")
    edition.export(made)
    return made


def test_a_unit_is_canonical_conllu() -> None:
    assert render_conllu([SENTENCE]) == (
        "1\tὁ\tὁ\tPRON\t_\tCase=Nom\t2\tnmod\t_\t_\n"
        "2\tναύτης\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
        "3\tεἶδεν\tὁράω\tVERB\t_\t_\t0\troot\t_\t_\n"
        "\n"
    )


def test_comments_are_written_only_when_asked_for() -> None:
    text = render_conllu([SENTENCE, SENTENCE], ["s-1", "s-2"], {"author": "Nobody"})
    assert text.startswith("# sent_id = s-1\n# author = Nobody\n# text = ὁ ναύτης εἶδεν\n1\t")
    assert text.count("# sent_id") == 2


@pytest.mark.parametrize("field", ["form", "lemma", "feats"])
@pytest.mark.parametrize("blank", ["\t", "\n", "\r"])
def test_a_tab_or_a_line_end_in_a_field_is_refused(field: str, blank: str) -> None:
    with pytest.raises(ValueError, match="a tab or a line end"):
        render_token(SENTENCE[0] | {field: f"πα{blank}ῖς"})


def test_another_reader_reads_the_same_values() -> None:
    [read] = conllu.parse(render_conllu([SENTENCE], ["s-1"]))
    assert read.metadata == {"sent_id": "s-1", "text": "ὁ ναύτης εἶδεν"}
    for token, parsed in zip(SENTENCE, read, strict=True):
        assert (parsed["id"], parsed["form"], parsed["head"]) == (token["id"], token["form"], token["head"])
        assert parsed["feats"] == (dict([token["feats"].split("=")]) if token["feats"] else None)
        assert parsed["lemma"] == (token["lemma"] or "_")


words = st.text("αβγδεζηθικλμνξοπρστυφχψως", min_size=1, max_size=8)


@st.composite
def sentences(draw: st.DrawFn) -> list[dict[str, Any]]:
    forms = draw(st.lists(words, min_size=1, max_size=12))
    return [
        {
            "id": place,
            "form": form,
            "lemma": draw(st.none() | words),
            "upos": draw(st.sampled_from(["NOUN", "VERB", "X"])),
            "feats": draw(st.sampled_from([None, "Case=Nom", "Case=Nom|Number=Sing"])),
            "head": draw(st.integers(0, place - 1)) if place > 1 else 0,
            "deprel": "dep",
        }
        for place, form in enumerate(forms, start=1)
    ]


@given(st.lists(sentences(), min_size=1, max_size=5))
@settings(max_examples=50, deadline=None)
def test_rendering_in_one_pass_equals_rendering_one_by_one(trees: list[list[dict[str, Any]]]) -> None:
    array = pa.array(trees, schema.TREES.value_type.value_type)
    assert render_sentences(array) == [render_conllu([tree]) for tree in trees]
    assert render_sentences(array.slice(1)) == [render_conllu([tree]) for tree in trees[1:]]


@given(sentences())
@settings(max_examples=50, deadline=None)
def test_a_rendered_sentence_reads_back_to_the_same_tokens(tree: list[dict[str, Any]]) -> None:
    [read] = conllu.parse(render_conllu([tree]))
    assert [(token["form"], token["head"]) for token in read] == [(token["form"], token["head"]) for token in tree]


def test_the_official_loader_refuses_broken_trees_and_names_them() -> None:
    good = render_conllu([SENTENCE])
    two_roots = render_conllu([[SENTENCE[0] | {"head": 0}, *SENTENCE[1:]]])
    ring = render_conllu([[SENTENCE[0], SENTENCE[1] | {"head": 1}, SENTENCE[2]]])
    outside = render_conllu([[SENTENCE[0] | {"head": 9}, *SENTENCE[1:]]])
    named = [("good", good), ("two roots", two_roots), ("ring", ring), ("outside", outside), ("good too", good)]
    assert [name for name, _ in load_all(named)] == ["two roots", "ring", "outside"]
    assert load_text(good) is None


def test_a_long_path_to_the_root_does_not_stop_the_loader() -> None:
    """Two thousand words, each hanging on the one before: no recursion limit may be met."""
    chain = [SENTENCE[2] | {"id": place, "head": place - 1} for place in range(1, 2001)]
    assert load_all([("chain", render_conllu([chain]))]) == []


def test_every_published_sentence_loads_in_one_buffer(exported: Settings) -> None:
    from udtools import udeval

    trees = pq.read_table(exported.hub / schema.data_file("sentence_1", "train"))["conllu_human"].combine_chunks()
    text = "".join(render_sentences(trees.flatten().flatten()))
    assert len(udeval.load_conllu(io.StringIO(text), "all", {}).sentences) == len(trees)


def test_the_command_prints_a_sentence_and_a_chunk_of_a_folder_alone(exported: Settings) -> None:
    row = pq.read_table(exported.hub / schema.data_file("sentence_5", "test")).to_pylist()[0]
    runner = CliRunner()
    chunk = runner.invoke(sphragis.app, ["conllu", row["id"], "--folder", str(exported.hub)])
    assert chunk.exit_code == 0
    assert [tree.metadata["sent_id"] for tree in conllu.parse(chunk.stdout)] == row["constituent_ids"]
    plain = runner.invoke(sphragis.app, ["conllu", row["constituent_ids"][0], "--plain", "--folder", str(exported.hub)])
    assert plain.stdout == render_conllu(row["conllu_human"][0])
    lost = runner.invoke(sphragis.app, ["conllu", "s-nothing", "--folder", str(exported.hub)])
    assert lost.exit_code == 1
    assert "no row s-nothing" in lost.stderr
    machine = runner.invoke(sphragis.app, ["conllu", row["id"], "--layer", "machine", "--folder", str(exported.hub)])
    assert machine.exit_code == 1
    assert "no machine layer" in machine.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["text", "nothing"], "there is: "),
        (["text", "sentence_10", "--split", "nothing"], "there is: test, train, validation, validation2"),
        (["text", "sentence_10", "--out", __file__], "File exists"),
        (["bench", "dedup", "--copies", "1,x"], "not '1,x'"),
        (["bench", "export", "nothing"], "there is: "),
    ],
)
def test_a_wrong_argument_is_told_in_one_line(
    arguments: list[str], told: str, exported: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPHRAGIS_BUILD", str(exported.build))
    found = CliRunner().invoke(sphragis.app, arguments)
    assert found.exit_code == 1
    assert told in found.stderr
    assert found.stderr.startswith("error: ")
    assert found.stderr.count("\n") == 1


def test_a_row_is_found_with_its_label_and_split(exported: Settings) -> None:
    row = pq.read_table(exported.hub / schema.data_file("work_held_out_10", "train")).to_pylist()[3]
    found = find_rows(exported.hub, row["id"])
    assert found is not None
    assert (found["author"], found["split"]) == (row["author"], "train")
    assert found["conllu_human"] == row["conllu_human"]
    assert find_rows(exported.hub, "c-0000000000000000") is None


FIRST = "(select min(id) from hub.rows where configuration = 'sentence_1')"
BROKEN = {
    "a row twice": (
        f"insert into hub.rows select * from hub.rows where configuration = 'sentence_1' and id = {FIRST}",
        r"(s-[0-9a-f]{16}) stands after \1",
    ),
    "two roots": (f"update hub.tokens set head = 0 where token <= 2 and id = {FIRST}", "there is not one root"),
    "a ring": (
        f"update hub.tokens set head = case token when 2 then 3 when 3 then 2 else head end where id = {FIRST}",
        "There is a cycle",
    ),
    "a head out of range": (
        f"update hub.tokens set head = 99 where token = 2 and id = {FIRST}",
        "a head is out of range",
    ),
    "another text": (f"update hub.sentences set text = text || ' καί' where id = {FIRST}", "do not rebuild the text"),
    "an upper-case form": (
        f"update hub.tokens set form = 'Λόγος' where token = 1 and id = {FIRST}",
        "'Λόγος' is not lower case",
    ),
    "a Latin letter": (
        f"update hub.tokens set lemma = 'λόγοs' where token = 1 and id = {FIRST}",
        r"not Greek: U\+0073",
    ),
    "a tab": (f"update hub.tokens set form = 'λό' || chr(9) || 'γος' where token = 1 and id = {FIRST}", "has a blank"),
    "not NFC": (
        f"update hub.tokens set form = 'λο' || chr(769) || 'γος' where token = 1 and id = {FIRST}",
        "is not NFC",
    ),
    "a mark that composes with nothing": (
        f"update hub.tokens set form = 'νῆ' || chr(787) where token = 1 and id = {FIRST}",
        r"no published letter: U\+0313",
    ),
    "a sign of length": (
        f"update hub.tokens set lemma = 'χώρᾱ' where token = 1 and id = {FIRST}",
        r"no published letter: U\+1FB1",
    ),
    "another shape of a letter": (
        f"update hub.tokens set lemma = 'ϑεός' where token = 1 and id = {FIRST}",
        r"no published letter: U\+03D1",
    ),
    "a numeral sign": (
        f"update hub.tokens set form = 'η' || chr(697) where token = 1 and id = {FIRST}",
        r"no published letter: U\+02B9",
    ),
    "a digit": (
        f"update hub.tokens set form = 'λόγος2' where token = 1 and id = {FIRST}",
        r"published letter: U\+0032",
    ),
    "an elision sign": (
        f"update hub.tokens set form = 'δ' || chr(8125) where token = 1 and id = {FIRST}",
        r"no published letter: U\+1FBD",
    ),
    "an unknown tag": (f"update hub.tokens set upos = 'PROPN' where token = 1 and id = {FIRST}", "upos outside"),
    "an unknown relation": (
        f"update hub.tokens set deprel = 'vocative' where token = 2 and id = {FIRST}",
        "deprel outside",
    ),
    "an unknown feature": (
        f"update hub.tokens set feats = 'Case=Nom|Foreign=Yes' where token = 2 and id = {FIRST}",
        r"feats outside of the inventory: \['Foreign=Yes'\]",
    ),
    "features out of order": (
        f"update hub.tokens set feats = 'Number=Sing|Case=Nom' where token = 2 and id = {FIRST}",
        "not sorted",
    ),
    "no licence": (f"update hub.sentences set licenses = [] where id = {FIRST}", "rows without a licence"),
    "an unknown licence": (
        f"update hub.sentences set licenses = ['All rights reserved'] where id = {FIRST}",
        r"unknown licences: \['All rights reserved'\]",
    ),
    "a label root that is not the root": (
        f"update hub.tokens set deprel = 'root' where token = 2 and id = {FIRST}",
        "do not go together",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_edition_is_not_published(name: str, tmp_path: Path) -> None:
    change, message = BROKEN[name]
    made = synthetic(tmp_path / "build", change)
    with pytest.raises(ExportError, match=message):
        edition.export(made)
    assert not made.hub.exists()
    assert not made.db.exists()


BROKEN_MACHINE = {
    "an unknown tag": (f"set machine_upos = 'PROPER' where token = 1 and id = {FIRST}", "conllu_machine: upos outside"),
    "an unknown relation": (
        f"set machine_deprel = 'PRED:x' where token = 2 and id = {FIRST}",
        r"conllu_machine: deprel outside of the inventory: \['PRED:x'\]",
    ),
    "an unknown feature": (
        f"set machine_feats = 'Case=Nom|Case2=Gen' where token = 2 and id = {FIRST}",
        r"conllu_machine: feats outside of the inventory: \['Case2=Gen'\]",
    ),
    "features in the order of the letters' numbers": (
        f"set machine_feats = 'NumType=Card|Number=Sing' where token = 2 and id = {FIRST}",
        "conllu_machine: feats that are not sorted",
    ),
    "a relation with an empty subtype": (
        f"set machine_deprel = 'nsubj:' where token = 2 and id = {FIRST}",
        r"conllu_machine: deprel outside of the inventory: \['nsubj:'\]",
    ),
    "values of a feature in another order": (
        f"set machine_feats = 'Gender=Neut,Masc' where token = 2 and id = {FIRST}",
        "conllu_machine: feats that are not sorted",
    ),
    "two roots": (
        f"set machine_head = 0, machine_deprel = 'root' where token = 2 and id = {FIRST}",
        "conllu_machine: there is not one root",
    ),
    "a ring": (
        f"set machine_head = case token when 2 then 3 when 3 then 2 else machine_head end where id = {FIRST}",
        "conllu_machine of .*There is a cycle",
    ),
    "a class that the distorted text does not show": (
        f"set machine_upos = 'NOUN' where token = 1 and id = {FIRST}",
        "text_distorted does not follow the classes",
    ),
    "a class that the distorted text should not show": (
        f"set machine_upos = 'ADV' where token = 2 and id = {FIRST}",
        "text_distorted does not follow the classes",
    ),
}


@pytest.mark.parametrize("name", BROKEN_MACHINE)
def test_an_edition_with_a_broken_machine_layer_is_not_published(name: str, tmp_path: Path) -> None:
    change, message = BROKEN_MACHINE[name]
    made = synthetic(tmp_path / "build", *MACHINE, f"update hub.tokens {change}")
    with pytest.raises(ExportError, match=message):
        edition.export(made)
    assert not made.hub.exists()


@pytest.mark.parametrize("words", ["text_distorted || ' καί'", "replace(text_distorted, ' ', '  ')", "text"])
def test_another_distorted_text_is_found(words: str, tmp_path: Path) -> None:
    made = synthetic(
        tmp_path / "build", *MACHINE, f"update hub.sentences set text_distorted = {words} where id = {FIRST}"
    )
    with pytest.raises(ExportError, match="text_distorted does not follow the classes"):
        edition.export(made)


def test_other_lemmas_in_the_machine_layer_and_files_without_it_are_found(exported: Settings, tmp_path: Path) -> None:
    made = synthetic(tmp_path / "build", *MACHINE)
    edition.export(made)
    path = made.hub / schema.data_file("sentence_1", "test")
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[0]["conllu_machine"][0][0][0]["lemma"] = "λόγος"
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path, store_schema=False)
    with pytest.raises(ExportError, match="the lemmas are not those of the human layer"):
        validation.validate_folder(made.hub, validation.Inventories())
    pq.write_table(pq.read_table(exported.hub / schema.data_file("sentence_1", "test")), path, store_schema=False)
    with pytest.raises(ExportError, match="some sentences are parsed and others are not"):
        validation.validate_folder(made.hub, validation.Inventories())


def test_the_command_prints_the_machine_layer(tmp_path: Path) -> None:
    made = synthetic(tmp_path / "build", *MACHINE)
    edition.export(made)
    row = pq.read_table(made.hub / schema.data_file("sentence_5", "test")).to_pylist()[0]
    shown = CliRunner().invoke(
        sphragis.app, [*("conllu", row["id"], "--layer", "machine", "--plain", "--folder", str(made.hub))]
    )
    assert shown.exit_code == 0
    assert shown.stdout == "".join(map(render_conllu, row["conllu_machine"]))


def test_tokens_that_do_not_run_from_one_stop_the_export(tmp_path: Path) -> None:
    made = synthetic(tmp_path / "build", f"delete from hub.tokens where token = 2 and id = {FIRST}")
    with pytest.raises(ExportError, match=r"tokens do not run 1\.\.n"):
        edition.export(made)


def test_tokens_stored_in_another_order_are_sorted(exported: Settings, tmp_path: Path) -> None:
    made = synthetic(
        tmp_path / "build",
        "create table hub.other as select * from hub.tokens order by sha256(id || token)",
        "drop table hub.tokens",
        "alter table hub.other rename to tokens",
    )
    edition.export(made)
    assert (made.hub / "SHA256SUMS").read_bytes() == (exported.hub / "SHA256SUMS").read_bytes()


def test_a_file_with_another_schema_is_found(exported: Settings, tmp_path: Path) -> None:
    path = tmp_path / schema.data_file("sentence_1", "test")
    path.parent.mkdir(parents=True)
    table = pq.read_table(exported.hub / schema.data_file("sentence_1", "test"))
    pq.write_table(table.drop_columns(["genre"]), path)
    with pytest.raises(ExportError, match="not the published one"):
        validation.validate_folder(tmp_path, validation.Inventories())
    pq.write_table(table, path, store_schema=True)
    with pytest.raises(ExportError, match="metadata of a library"):
        validation.validate_folder(tmp_path, validation.Inventories())


def test_a_file_in_another_order_is_found(exported: Settings, tmp_path: Path) -> None:
    path = tmp_path / schema.data_file("sentence_10", "test")
    path.parent.mkdir(parents=True)
    table = pq.read_table(exported.hub / schema.data_file("sentence_10", "test"))
    pq.write_table(table.sort_by("author"), path, store_schema=False)
    with pytest.raises(ExportError, match=r"sentence_10/test\S+: c-[0-9a-f]{16} stands after c-[0-9a-f]{16}"):
        validation.validate_folder(tmp_path, validation.Inventories())


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("οὐκ", None),
        ("ᾅδης", None),
        ("ὗς", None),
        ("ϝάναξ", None),
        ("σ", None),
        ("͵α", "has a sign that is no published letter: U+0375"),
        ("ηʹ", "has a sign that is no published letter: U+02B9"),
        ("χώρᾱ", "has a sign that is no published letter: U+1FB1"),
        ("ϑεός", "has a sign that is no published letter: U+03D1"),
        ("νῆ\u0313", "has a sign that is no published letter: U+0313"),
        ("λόγος2", "has a sign that is no published letter: U+0032"),
        ("ἀλλ’ἐγώ", "has a sign that is no published letter: U+2019"),
        ("ϣόρ", "has a letter that is not Greek: U+03E3"),
        ("ἄν\u200bθρωπος", "has an invisible character: U+200B"),
        ("\ufeffὁ", "has an invisible character: U+FEFF"),
        ("ἦv", "has a letter that is not Greek: U+0076"),
        ("λόγος\u00a0", "has a blank"),
        ("ὁ\u0301", "is not NFC"),
        ("", "is empty"),
    ],
)
def test_strings_are_judged_letter_by_letter(value: str, wrong: str | None) -> None:
    assert validation.check_string(value) == wrong


def test_the_command_line_starts_without_heavy_imports() -> None:
    script = "import sys, sphragis; print([m for m in ('pyarrow', 'duckdb', 'numpy', 'datasets') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"
