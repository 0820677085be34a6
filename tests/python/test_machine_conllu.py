"""Parses made elsewhere: every form that files have is read, every difference from the published text is named."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from machine_fixture import PARSES, SENTENCES, Counting, corpus
from test_machine_artefact import CONLLU, only_folder

from machine.artefact import machine_layer
from machine.interface import MachineError, Parsed
from machine.providers.conllu import ConlluProvider

BOM = b"\xef\xbb\xbf"


def read(path: Path, said: list[str] | None = None) -> list[Parsed]:
    provider = ConlluProvider(path)
    provider.identity(corpus())
    return provider.parse(corpus(), path.parent, (said if said is not None else []).append)


def read_bytes(folder: Path, data: bytes) -> list[Parsed]:
    path = folder / "parse.conllu"
    path.write_bytes(data)
    return read(path)


def message(folder: Path, text: str) -> str:
    with pytest.raises(MachineError) as caught:
        read_bytes(folder, text.encode())
    return str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        CONLLU.encode(),
        BOM + CONLLU.encode(),
        CONLLU.replace("\n", "\r\n").encode(),
        CONLLU.replace("\n", "\r").encode(),
        CONLLU.rstrip("\n").encode(),
        CONLLU.replace("\n\n", "\n \t\n\n\n").encode(),
        b"\n \n" + CONLLU.encode(),
        b"# a comment alone\n\n" + CONLLU.encode(),
        CONLLU.replace("# sent_id = s-02", "# newdoc\n#sent_id=s-02\n# text = x").encode(),
    ],
)
def test_every_form_of_a_file_is_read(tmp_path: Path, data: bytes) -> None:
    assert read_bytes(tmp_path, data) == PARSES


def test_sentences_come_in_any_order_from_the_files_of_a_folder(tmp_path: Path) -> None:
    parts = CONLLU.split("\n\n")
    (tmp_path / "b.conllu").write_text(parts[0], encoding="utf-8")
    (tmp_path / "a.conllu").write_text("\n\n".join([parts[2], parts[1]]), encoding="utf-8")
    (tmp_path / ".hidden.conllu").write_text("nothing", encoding="utf-8")
    (tmp_path / "readme.txt").write_text("nothing", encoding="utf-8")
    assert read(tmp_path) == PARSES
    files = ConlluProvider(tmp_path).identity(corpus())["configuration"]["files"]
    assert files == [
        {"file": name, "sha256": hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()}
        for name in ("a.conllu", "b.conllu")
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("# sent_id = s-02\n1\tναί\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n", "", "sentence s-02: expected in 1 file(s)"),
        ("# sent_id = s-02", "# sent_id = s-01", "line 6: sentence s-01: expected once, found again; first at"),
        ("# sent_id = s-02\n", "", "line 6: expected a comment with sent_id before the tokens, found none"),
        ("λέγει", "ἔλεγε", "line 1: sentence s-01: token 3: expected 'λέγει', found 'ἔλεγε'"),
        ("1\tναί", "1\tναι\N{COMBINING ACUTE ACCENT}", "sentence s-02: token 1: expected 'ναί', found"),
        ("2\tλέγε\t_\tVERB\t_\tGender=Masc,Neut\t0\troot\t_\t_\n", "", "token 2: expected 'λέγε', found the end of"),
        ("1\tὁ", "1-2\tὁ", "line 2: expected token 1, found the multiword token 1-2: published tokens are"),
        ("2\tἀνὴρ", "1.1\tἀνὴρ", "line 3: expected token 2, found the empty node 1.1: published sentences have none"),
        ("2\tἀνὴρ", "3\tἀνὴρ", "line 3: expected token 2, found '3' (sentence s-01)"),
        ("\tναί\t_", "\tναί", "line 7: expected 10 columns with tabs between them, found 9 (sentence s-02)"),
        ("_\t0\troot", "_\t_\troot", "token 1 'ναί': expected a number as head, found '_'"),
        ("_\t0\troot", "_\t-1\troot", "expected a number as head, found '-1'"),
        ("_\t0\troot", "_\t²\troot", "expected a number as head, found '²'"),
    ],
)  # fmt: skip
def test_what_does_not_match_is_named(tmp_path: Path, old: str, new: str, expected: str) -> None:
    text = CONLLU.replace(old, new, 1)
    assert text != CONLLU
    assert expected in message(tmp_path, text)


def test_a_missing_blank_line_is_named(tmp_path: Path) -> None:
    text = CONLLU.replace("\n\n# sent_id = s-02\n", "\n")
    assert "line 5: expected token 4, found '1' (sentence s-01)" in message(tmp_path, text)


def test_bytes_that_are_no_utf8_are_named_by_line(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"parse.conllu line 3: expected UTF-8, found the byte 0xff"):
        read_bytes(tmp_path, CONLLU.encode().replace("ἀνὴρ".encode(), b"\xff"))


def test_sentences_that_are_not_published_cost_nothing_even_with_faults(tmp_path: Path) -> None:
    extra = "".join(f"# sent_id = x-{number}\n1-2\tnothing\n\n" for number in range(7))
    path, said = tmp_path / "parse.conllu", list[str]()
    path.write_text(extra + CONLLU, encoding="utf-8")
    assert read(path, said) == PARSES
    assert said == [
        "machine layer: 7 sentences of the files are not published and are ignored: x-0, x-1, x-2, x-3, x-4, ..."
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (None, "SPHRAGIS_MACHINE=conllu: expected a CoNLL-U file or a folder of *.conllu files in SPHRAGIS_PARSE"),
        ("missing", "SPHRAGIS_PARSE: expected a CoNLL-U file or a folder, found nothing at"),
        (".", "SPHRAGIS_PARSE: expected *.conllu files in the folder"),
    ],
)
def test_nothing_to_read_is_told(tmp_path: Path, name: str | None, expected: str) -> None:
    with pytest.raises(MachineError) as caught:
        ConlluProvider(None if name is None else tmp_path / name).identity(corpus())
    assert expected in str(caught.value)


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "parse.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    provider = ConlluProvider(path)
    provider.identity(corpus())
    path.write_text(CONLLU + "\n", encoding="utf-8")
    with pytest.raises(MachineError, match=r"parse.conllu: expected the content of a moment ago, found another"):
        provider.parse(corpus(), tmp_path, print)


def test_the_values_go_through_the_common_check(tmp_path: Path) -> None:
    path = tmp_path / "parse.conllu"
    path.write_text(CONLLU.replace("INTJ", "_"), encoding="utf-8")
    with pytest.raises(
        MachineError, match=r"conllu: .*\n.*s-02 token 1 'ναί': expected a universal part of speech, found '_'"
    ):
        machine_layer(corpus(), ConlluProvider(path), tmp_path / "machine", lambda line: None)


def test_an_artefact_can_be_given_back(tmp_path: Path) -> None:
    machine_layer(corpus(folds=True), Counting(facts={"folds": []}), tmp_path / "made", lambda line: None)
    parse = only_folder(tmp_path / "made") / "parse.conllu"
    parses, manifest = machine_layer(corpus(), ConlluProvider(parse), tmp_path / "read", lambda line: None)
    assert parses == PARSES
    assert [sentence.id for sentence in SENTENCES] == [parse.id for parse in parses]
    assert manifest["configuration"]["files"][0]["sha256"] == hashlib.sha256(parse.read_bytes()).hexdigest()
    assert str(tmp_path) not in str(manifest)


def test_the_manifest_has_the_model_that_the_file_names(tmp_path: Path) -> None:
    path = tmp_path / "parse.conllu"
    path.write_text("# generator = Parser 2\n" + CONLLU + "# sent_id = other\n1\tx\n", encoding="utf-8")
    _, manifest = machine_layer(corpus(), ConlluProvider(path), tmp_path / "machine", lambda line: None)
    assert (manifest["provider"], manifest["model"], manifest["unpublished_sentences"]) == ("conllu", "Parser 2", 1)
