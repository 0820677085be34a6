"""The readers: every cell equal to a plain reference reader, and what each kind of fault becomes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.parsers import expat

import ingest_reference as reference
import pytest

from ingest.readers import conllu_ud, encoding, native_xml, records
from ingest.readers.conllu_ud import read_conllu
from ingest.readers.native_xml import read_metadata, read_native
from ingest.readers.reading import Task, read_file
from ingest.readers.records import DocumentFacts, Metadata, Reading
from ingest.sources import load_registry
from runtime.errors import FileError

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "ingest"


def facts(data: bytes, **more: Any) -> DocumentFacts:
    return DocumentFacts("a/path.xml", len(data), "0" * 64, "r1", **more)


def xml(data: bytes | str) -> Reading:
    data = data.encode() if isinstance(data, str) else data
    return read_native(data, facts(data))


def ud(data: bytes | str) -> Reading:
    data = data.encode() if isinstance(data, str) else data
    return read_conllu(data, facts(data))


def fixture(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


def rows(reading: Reading, entity: str, *without: str) -> list[tuple[Any, ...]]:
    batch = reading.tables[entity]
    columns = [batch[name].to_pylist() for name in batch.schema.names if name not in ("path", *without)]
    return list(zip(*columns, strict=True))


def column(reading: Reading, name: str, entity: str = "tokens") -> list[Any]:
    return list(reading.tables[entity][name].to_pylist())


def accounted(reading: Reading) -> bool:
    return reading.rows_in_file == reading.rows_read + reading.rows_rejected


def assert_native_equal(data: bytes, reading: Reading, metadata: bool = False) -> None:
    expected = reference.native(data)
    assert rows(reading, "tokens", "line") == expected["tokens"]
    assert rows(reading, "sentences", "line") == expected["sentences"]
    assert column(reading, "line") == reference.word_lines(data)
    if not metadata:
        assert rows(reading, "documents", "bytes", "sha256", "revision") == expected["documents"]
    assert reading.rows_read == len(expected["tokens"])
    assert accounted(reading)


def assert_ud_equal(data: bytes, reading: Reading) -> None:
    expected = reference.ud(data)
    assert rows(reading, "tokens", "line") == expected["tokens"]
    assert rows(reading, "sentences", "line", "comments") == expected["sentences"]
    assert column(reading, "line") == reference.row_lines(data)
    assert accounted(reading)


# Equality with the reference readers.


@pytest.mark.real
@pytest.mark.parametrize("project", [project for project in load_registry().projects], ids=lambda p: p.name)
def test_every_cell_of_the_real_files_equals_the_reference(project: Any, real_treebanks: Path) -> None:
    paths = [
        path for path in load_registry().files_of(project.name) if (real_treebanks / project.name / path).is_file()
    ]
    assert paths
    for path in paths:
        data = (real_treebanks / project.name / path).read_bytes()
        if project.format == "native_xml":
            assert_native_equal(data, read_native(data, facts(data)))
        else:
            assert_ud_equal(data, read_conllu(data, facts(data)))


@pytest.mark.parametrize(
    "name", ["cycle.xml", "head-missing.xml", "unannotated.xml", "postag-length.xml", "artificial-nodes.xml",
             "gapped-ids.xml", "bom-crlf.xml", "newline-tab-in-form.xml"],
)  # fmt: skip
def test_every_cell_of_a_native_file_equals_the_reference(name: str) -> None:
    assert_native_equal(fixture(name), xml(fixture(name)))


@pytest.mark.parametrize("name", ["mwt-empty.conllu", "empty-in-mwt.conllu", "bom-crlf.conllu", "spaceafter.conllu"])
def test_every_cell_of_a_conllu_file_equals_the_reference(name: str) -> None:
    assert_ud_equal(fixture(name), ud(fixture(name)))


def test_sentence_by_sentence_reading_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mwt-empty.conllu", "empty-in-mwt.conllu", "bom-crlf.conllu", "spaceafter.conllu", "tolerated.conllu"):
        at_once = ud(fixture(name))
        with monkeypatch.context() as patch:
            patch.setattr(conllu_ud, "sound_fields", lambda blocks: None)
            assert ud(fixture(name)) == at_once


# Native XML.


def test_header_and_sentence_attributes_are_kept() -> None:
    reading = xml(fixture("header.xml"))
    assert rows(reading, "documents", "bytes", "sha256", "revision") == [
        (
            "grc",
            "A Title & more",
            "An Author",
            ["First Editor", "Second Editor"],
            '{"cts": "urn:cts:greekLit:tlg9999.tlg001", "format": "aldt", "version": "1.5"}',
        )
    ]
    assert rows(reading, "sentences")[0] == (
        1, 18, "7", "urn:cts:greekLit:tlg9999.tlg001", "1.1", "", "An Author", "ja",
        ["alpha", "beta", "alpha"], '{"extra": "kept"}',
    )  # fmt: skip
    assert column(reading, "attributes") == ['{"cid": "9", "sg": "x"}', None, None]
    assert column(reading, "form") == ["ὁ", "<παῖς>", "ἔσω"]
    assert column(reading, "lemma") == ["ὁ", None, None]
    assert column(reading, "sem") == ["", None, None]


def test_a_word_outside_a_sentence_is_rejected_and_counted() -> None:
    reading = xml(fixture("header.xml"))
    assert (reading.rows_in_file, reading.rows_read, reading.rows_rejected) == (4, 3, 1)
    [empty, lost] = reading.rejects
    assert (empty.scope, empty.line, empty.sentence, empty.expected, empty.rows_lost) == (
        "sentence",
        23,
        "8",
        "a word",
        0,
    )
    assert (lost.scope, lost.line, lost.token, lost.expected) == ("token", 24, "1", "a word inside a sentence")


def test_absent_and_empty_heads_differ() -> None:
    heads = column(xml(fixture("head-missing.xml")), "head")
    assert heads[:6] == ["", "", None, "5", "0", "0"]


def test_a_repeated_id_is_reported_and_read() -> None:
    reading = xml(fixture("gapped-ids.xml"))
    [finding] = reading.rejects
    assert (finding.line, finding.sentence, finding.token, finding.rows_lost) == (18, "3", "1", 0)
    assert column(reading, "id")[:6] == ["1", "2", "4", "6", "7", "8"]


def test_line_ends_marks_and_comments_change_nothing() -> None:
    marked = fixture("bom-crlf.xml")
    plain = marked.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    for variant in (marked, plain, plain.replace(b"\n", b"\r")):
        reading = xml(variant)
        assert all(rows(reading, entity, "bytes") == rows(xml(plain), entity, "bytes") for entity in reading.tables)
        assert (reading.rows_in_file, reading.rows_read) == (6, 6)


def test_tab_and_line_end_by_reference_are_kept_as_read() -> None:
    reading = xml(fixture("newline-tab-in-form.xml"))
    assert column(reading, "form")[1] == "πα\tῖς"
    assert column(reading, "form")[3] == "ἵπ\nπον"
    assert column(reading, "lemma")[4] == "βλέπω\n"


def test_tags_of_any_length_are_kept() -> None:
    tags = column(xml(fixture("postag-length.xml")), "postag")
    assert tags[1] == "--------"
    assert {"", "AuxG", "n-s---ma--"} <= set(tags)


def test_words_in_comments_and_character_data_do_not_count() -> None:
    data = (
        b'<treebank><!-- <word/> --><sentence id="1"><![CDATA[<word />]]><word id="1"/><words/></sentence></treebank>'
    )
    assert xml(data).rows_in_file == 1
    assert accounted(xml(data))


def test_metadata_of_the_project_fills_what_the_file_does_not_say() -> None:
    config = b'{"collections": [{"text": "x"}, {"publications": [{"author": "A", "work": "W", "editors": ["E", "F"],'
    config += b'"sections": [{"xml": "a.xml"}, {"locus": "1"}]}, {"editors": "G", "sections": [{"xml": "a.xml"}]}]}]}'
    metadata = read_metadata(config, "public/xml/")
    assert metadata == {"public/xml/a.xml": Metadata("W", "A", ("E", "F"))}
    data = b'<treebank><sentence id="1"><word id="1"/></sentence></treebank>'
    reading = read_native(data, facts(data, metadata=metadata["public/xml/a.xml"]))
    assert rows(reading, "documents", "bytes", "sha256", "revision") == [(None, "W", "A", ["E", "F"], None)]


@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        (b'<treebank>\n<sentence id="1">\n<word id="1">\n</sentence></treebank>', 4, "mismatched tag"),
        (b'<treebank>\n<sentence id="1"><word id="1"/></sentence>', 2, "the end of the file"),
        (b"", 1, "the end of the file"),
        (b"<html>\n<word/></html>", 1, "<html>"),
        (b'<treebank>\n<sentence id="1"><word form="\xff"/></sentence></treebank>', 2, "byte 0xff"),
        ('<?xml version="1.0" encoding="UTF-16"?><treebank><word/></treebank>'.encode("utf-16"), 1, "byte 0xff"),
        ("<treebank><word/></treebank>".encode("utf-16-le"), 1, "byte 0x00"),
        ("<treebank><word/></treebank>".encode("utf-16"), 1, "byte 0xff"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><treebank><word/></treebank>', 1, "declared encoding ISO-8859-1"),
        (b'<treebank>\n<word form="\x00"/></treebank>', 2, "byte 0x00"),
        (b"<treebank>\n<word form='&nosuch;'/></treebank>", 2, "undefined entity"),
        (b'<!DOCTYPE treebank SYSTEM "file:///etc/passwd"><treebank><word/></treebank>', 1, "<!DOCTYPE treebank>"),
    ],
)
def test_a_file_that_is_no_such_xml_is_rejected_whole(data: bytes, line: int, found: str) -> None:
    reading = xml(data)
    assert not reading.is_read
    assert not reading.tables
    [lost] = reading.rejects
    assert (lost.scope, lost.line) == ("file", line)
    assert found in lost.found
    assert lost.rows_lost == reading.rows_in_file == reading.rows_rejected
    assert accounted(reading)


@pytest.mark.parametrize(
    "subset",
    [
        "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 30)).replace("&a0;", "ha"),
        f'<!ENTITY a29 "{"x" * 100_000}">',
        '<!ENTITY a29 SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;',
    ],
    ids=["billion-laughs", "quadratic", "external", "parameter"],
)
def test_entities_are_refused_before_they_are_seen(subset: str) -> None:
    body = '<sentence id="1"><word id="1" form="' + "&a29;" * 1000 + '"/></sentence>'
    reading = xml(f"<!DOCTYPE treebank [\n{subset}\n]>\n<treebank>{body}</treebank>")
    assert not reading.is_read
    assert "<!DOCTYPE treebank>" in reading.rejects[0].found
    assert reading.rows_rejected == 1


def test_a_document_type_in_a_comment_is_none() -> None:
    reading = xml('<!-- <!DOCTYPE a [ > --><treebank><sentence id="1"><word id="1"/></sentence></treebank>')
    assert reading.rows_read == 1


def test_nested_sentences_are_reported() -> None:
    nested = '<treebank><sentence id="1"><word id="1"/><sentence id="2"><word id="2"/></sentence><word id="3"/>'
    reading = xml(nested + '</sentence><word id="4"/></treebank>')
    assert column(reading, "id") == ["1", "2", "3"]
    assert [finding.expected for finding in reading.rejects] == ["the end of the sentence", "a word inside a sentence"]
    assert accounted(reading)


def test_deep_nesting_ends() -> None:
    deep = "<x>" * 50_000 + '<word id="1"/>' + "</x>" * 50_000
    assert xml(f'<treebank><sentence id="1">{deep}</sentence></treebank>').rows_read == 1


# CoNLL-U.


def row(token: str, head: str = "0", **values: str) -> str:
    fields = {"form": "ναί", "lemma": "ναί", "upos": "INTJ", "xpos": "_", "feats": "_", "head": head}
    fields |= {"deprel": "root", "deps": "_", "misc": "_"} | values
    return "\t".join([token, *fields.values()])


GOOD = f"# sent_id = good\n{row('1')}\n"


def test_what_real_files_differ_in_is_tolerated() -> None:
    reading = ud(fixture("tolerated.conllu"))
    assert rows(reading, "sentences", "comments") == [
        (1, 1, "t1", "A Work, 1", "ναί", "first"),
        (2, 9, "t2", None, None, "first"),
        (3, 15, "t2", None, None, None),
        (4, 22, None, None, None, None),
    ]
    assert column(reading, "comments", "sentences")[1] == ["# sent_id = t2", "# a note without a value"]
    assert column(reading, "form") == ["ναί", "ὁ", "παῖς καλός", "[0]", "_", "τέλος"]
    assert column(reading, "position") == [1, 1, 2, 1, 2, 1]
    assert [(finding.line, finding.expected, finding.rows_lost) for finding in reading.rejects] == [
        (15, "a sent_id that no other sentence has", 0),
        (18, "a part of speech in UPOS", 0),
        (20, "token lines after the comments", 0),
        (22, "a comment with sent_id", 0),
    ]
    assert (reading.rows_in_file, reading.rows_read) == (6, 6)


def test_line_ends_and_marks_of_conllu_change_nothing() -> None:
    plain = fixture("tolerated.conllu")
    for variant in (
        plain.replace(b"\n", b"\r\n"),
        plain.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + plain,
        plain + b"\n\n \n",
        b"\n" + plain,
    ):
        reading = ud(variant)
        assert rows(reading, "tokens", "line") == rows(ud(plain), "tokens", "line")
        assert rows(reading, "sentences", "line") == rows(ud(plain), "sentences", "line")
        assert accounted(reading)


def test_a_mark_before_a_word_is_kept_as_read() -> None:
    reading = ud(fixture("bom-crlf.conllu"))
    assert column(reading, "form") == ["\ufeffναί"]
    assert column(reading, "sent_id", "sentences") == ["u12"]
    assert column(reading, "misc") == ["_"]


def test_unicode_line_separators_end_no_line() -> None:
    for form in ("a\u2028b", "a\u2029b", "a\u0085b", "a\u00a0b", "\u2028", "a\x7fb"):
        assert column(ud(row("1", form=form)), "form") == [form]
        # The same where the file is read sentence by sentence.
        reading = ud(f"{row('2')}\n\n{row('1', form=form)}\n")
        assert (column(reading, "form"), column(reading, "line")) == ([form], [3])


@pytest.mark.parametrize("sign", ["\x00", "\x01", "\x08", "\x0b", "\x0c", "\x0e", "\x1c", "\x1d", "\x1e", "\x1f"])
def test_a_control_character_is_refused_with_its_place(sign: str) -> None:
    bad = row("1", form="ναί", lemma=f"να{sign}ί")
    reading = ud(f"{GOOD}\n# sent_id = bad\n{bad}\n\n# sent_id = after\n{row('1')}\n")
    assert column(reading, "sent_id", "sentences") == ["good", "after"]
    [lost] = reading.rejects
    assert (lost.line, lost.sentence, lost.token, lost.rows_lost) == (5, "bad", "1", 1)
    assert lost.expected == "no control character other than tabs"
    assert lost.found == f"U+{ord(sign):04X} at character 9 of the line, in LEMMA"
    assert accounted(reading)


def test_a_control_character_in_a_comment_or_an_id_is_refused_too() -> None:
    reading = ud(f"# sent_id = b\x00d\n# text = x\n{row('1')}\n\n{row(chr(7))}\n\n{GOOD}")
    assert column(reading, "sent_id", "sentences") == ["good"]
    assert [(lost.line, lost.sentence, lost.token, lost.found) for lost in reading.rejects] == [
        (1, "b\\x00d", None, "U+0000 at character 14 of the line"),
        (5, None, "\\x07", "U+0007 at character 1 of the line, in ID"),
    ]


BOM = "\ufeff"
GOOD_SENTENCE = "1\tναί\tναί\tINTJ\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize("other", [GOOD_SENTENCE, "2\tno tree\n"])
def test_a_mark_before_a_line_rejects_its_sentence_whatever_else_is_in_the_file(other: str) -> None:
    for sentence in (
        f"{BOM}{GOOD_SENTENCE}",
        f"# sent_id = m\n{BOM}{GOOD_SENTENCE}",
        f"{BOM}# sent_id = m\n{GOOD_SENTENCE}",
    ):
        for text in (f"{BOM}{sentence}\n{other}", f"{other}\n{sentence}"):
            reading = ud(text)
            assert reading.rows_read == (other == GOOD_SENTENCE)
            found = [reject for reject in reading.rejects if reject.rows_lost and "mark" in reject.found]
            assert [reject.expected for reject in found] == ["a line that begins with its id or with #"]
            assert accounted(reading)


@pytest.mark.parametrize("other", [GOOD_SENTENCE, "2\tno tree\n"])
def test_a_mark_at_the_beginning_is_dropped_and_one_in_a_field_is_kept(other: str) -> None:
    reading = ud(f"{BOM}{GOOD_SENTENCE}\n1\t{BOM}ναί\tν{BOM}αί\tINTJ\t_\t_\t0\troot\t_\t_\n\n{other}")
    assert column(reading, "form")[:2] == ["ναί", f"{BOM}ναί"]
    assert column(reading, "lemma")[1] == f"ν{BOM}αί"


def test_a_head_on_an_empty_node_is_read_as_it_stands_and_reported() -> None:
    sound = f"# sent_id = e\n{row('1')}\n{row('2', '2.1')}\n{row('2.1', '_')}\n"
    for text in (sound, f"{sound}\n2\tno tree\n"):
        reading = ud(text)
        assert column(reading, "head") == ["0", "2.1", "_"]
        finding = reading.rejects[0]
        assert (finding.scope, finding.line, finding.sentence, finding.token) == ("token", 3, "e", "2")
        assert (finding.expected, finding.found, finding.rows_lost) == (
            "a head that is a word",
            "the empty node 2.1",
            0,
        )
        assert accounted(reading)
    absent = ud(f"{row('1')}\n{row('2', '2.1')}\n")
    assert (absent.rows_read, absent.rejects[0].expected, absent.rejects[0].found) == (0, "a number in HEAD", "2.1")


def test_a_quotation_mark_is_a_letter_like_any_other() -> None:
    line = '{}\t"\t"x\tPUNCT\t_\t_\t{}\troot\t_\t_\n'
    assert column(ud(line.format(1, 0) + line.format(2, 1)), "form") == ['"', '"']


def test_an_empty_node_inside_a_range_is_no_word() -> None:
    assert column(ud(fixture("empty-in-mwt.conllu")), "id") == ["1-2", "1", "1.1", "2"]


def test_the_text_can_be_rebuilt_from_what_is_read() -> None:
    for name in ("spaceafter.conllu", "mwt-empty.conllu"):
        reading = ud(fixture(name))
        text, covered = "", 0
        for token, form, misc in zip(*(column(reading, part) for part in ("id", "form", "misc")), strict=True):
            if "." in token or ("-" not in token and int(token) <= covered):
                continue
            covered = int(token.split("-")[1]) if "-" in token else covered
            text += form + ("" if "SpaceAfter=No" in misc else " ")
        assert [text.rstrip()] == column(reading, "text", "sentences")


def test_the_sentence_without_heads_is_rejected_and_the_next_one_read() -> None:
    reading = ud(fixture("head-underscore.conllu"))
    [lost] = reading.rejects
    assert (lost.line, lost.sentence, lost.sentence_position, lost.rows_lost) == (4, "u16", 1, 2)
    assert column(reading, "form") == ["_", "οὔ"]
    assert column(reading, "position", "sentences") == [2]


@pytest.mark.parametrize(
    ("lines", "token", "expected", "found"),
    [
        ([row("1").replace("\t", "  ")], "1  ναί", "ten tab-separated columns", "1"),
        ([row("1").removesuffix("\t_")], "1", "ten tab-separated columns", "9"),
        ([row("1") + "\t_"], "1", "ten tab-separated columns", "11"),
        ([row("1", misc="")], "1", "a value or _ in MISC", "nothing"),
        ([row("1", form="")], "1", "a value or _ in FORM", "nothing"),
        ([row("")], "", "a value or _ in ID", "nothing"),
        ([row("1", head="")], "1", "a value or _ in HEAD", "nothing"),
        ([row("1", head="_")], "1", "a number in HEAD", "_"),
        ([row("1", head="-1")], "1", "a number in HEAD", "-1"),
        ([row("1", head="01")], "1", "a number in HEAD", "01"),
        ([row("1", head="1.5")], "1", "a number in HEAD", "1.5"),
        ([row("1", head="2")], "1", "a head from 0 to 1", "2"),
        ([row("1", head="9" * 5000)], "1", "a head from 0 to 1", "9" * 40),
        ([row("2")], "2", "the id 1", "2"),
        ([row("1"), row("1")], "1", "the id 2", "1"),
        ([row("2"), row("1")], "2", "the id 1", "2"),
        ([row("0")], "0", "an id", "0"),
        ([row("a")], "a", "an id", "a"),
        ([row("\u0661")], "\u0661", "an id", "\u0661"),
        ([row("1-1", "_"), row("1")], "1-1", "a range of at least two words", "1-1"),
        ([row("2-1", "_"), row("1")], "2-1", "a range of at least two words", "2-1"),
        ([row("1"), row("1-2", "_"), row("2")], "1-2", "a range that begins with the next word, 2", "1-2"),
        ([row("1-2", "_"), row("1"), row("2-3", "_"), row("2"), row("3")], "2-3", "a range that begins after", "2-3"),
        ([row("1-3", "_"), row("1"), row("2")], "1-3", "a range within the 2 words", "1-3"),
        ([row("1"), row("1.2", "_")], "1.2", "the empty node 1.1", "1.2"),
        ([row("1"), row("2.1", "_")], "2.1", "the empty node 1.1", "2.1"),
        ([row("1"), "# late", row("2")], None, "comments before the tokens", "a comment between"),
        ([row("1"), "# last"], None, "comments before the tokens", "a comment between"),
    ],
)
def test_a_faulty_sentence_is_named_and_the_others_are_read(
    lines: list[str], token: str | None, expected: str, found: str
) -> None:
    bad = "# sent_id = bad\n" + "\n".join(lines)
    reading = ud(f"{GOOD}\n{bad}\n\n# sent_id = after\n{row('1')}\n")
    assert column(reading, "sent_id", "sentences") == ["good", "after"]
    assert column(reading, "position", "sentences") == [1, 3]
    assert accounted(reading)
    [lost] = reading.rejects
    assert (lost.scope, lost.sentence, lost.sentence_position) == ("sentence", "bad", 2)
    assert lost.line is not None and 5 <= lost.line <= 9
    assert lost.expected.startswith(expected) and lost.found.startswith(found)
    assert (lost.token or "").startswith(token or "")
    assert lost.rows_lost == sum(not line.startswith("#") for line in lines)


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        ("range-one.conllu", [(3, "1-1"), (8, "2-1")]),
        ("overlap.conllu", [(5, "2-3")]),
        ("spaces-not-tabs.conllu", None),
    ],
)
def test_ranges_and_blanks_of_the_reported_inputs(name: str, faults: list[tuple[int, str]] | None) -> None:
    reading = ud(fixture(name))
    assert reading.rows_read == 0 and accounted(reading)
    if faults is None:
        assert [(lost.line, lost.found) for lost in reading.rejects] == [(3, "1")]
    else:
        assert [(lost.line, lost.token) for lost in reading.rejects] == faults


def test_conllu_that_is_not_utf8_is_rejected_whole() -> None:
    reading = ud(f"{GOOD}\n".encode() + b"1\t\xff\n")
    assert not reading.is_read
    assert reading.rejects[0].line == 4
    assert (reading.rows_in_file, reading.rows_rejected) == (2, 2)


def test_an_unreadable_file_is_rejected_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "folder.xml").mkdir()
    result = read_file(Task("agdt", "native_xml", tmp_path, "folder.xml", None))
    assert not result.reading.is_read
    assert (result.reading.rejects[0].expected, result.reading.rejects[0].found) == ("a regular file", "a folder")


# What an untried file may hold.


@pytest.mark.parametrize(
    ("data", "sentences", "expected"),
    [
        (b"<treebank/>", 0, "a sentence"),
        (b"<treebank><header><title>A</title></header></treebank>", 0, "a sentence"),
        (b'<treebank><sentence id="1"/><sentence id="2"><annotator>a</annotator></sentence></treebank>', 2, "a word"),
    ],
)
def test_a_file_without_a_word_is_read_as_empty_and_says_so(data: bytes, sentences: int, expected: str) -> None:
    reading = xml(data)
    assert (reading.is_read, reading.sentences, reading.rows_in_file, reading.rows_read) == (True, sentences, 0, 0)
    assert [(finding.scope, finding.expected, finding.rows_lost) for finding in reading.rejects] == [
        ("file", expected, 0)
    ]
    assert reading.tables["documents"].num_rows == 1


@pytest.mark.parametrize("data", ["", "\n\n", "# sent_id = 1\n"])
def test_conllu_without_a_row_is_read_as_empty_and_says_so(data: str) -> None:
    reading = ud(data)
    assert (reading.is_read, reading.sentences, reading.rows_in_file) == (True, 0, 0)
    assert ("file", "a sentence", 0) in [(one.scope, one.expected, one.rows_lost) for one in reading.rejects]


def test_unknown_elements_in_a_sentence_are_found_once_per_sentence_and_name() -> None:
    data = """<treebank><note/><sentence id="1">
    <primary>a</primary><annotator><name>b</name><address/></annotator>
    <note/><w id="1"/><word id="1"><gloss/></word>
    <note>x</note><Word id="2"/></sentence>
    <sentence id="2"><note/><word id="1"/></sentence></treebank>"""
    reading = xml(data)
    assert [(one.line, one.sentence, one.found, one.rows_lost) for one in reading.rejects] == [
        (3, "1", "<note>, 2 times", 0),
        (3, "1", "<w>, once", 0),
        (3, "1", "<gloss>, once", 0),
        (4, "1", "<Word>, once", 0),
        (5, "2", "<note>, once", 0),
    ]
    assert column(reading, "annotators", "sentences") == [["a", "b"], []]
    assert accounted(reading) and reading.rows_read == 2


@pytest.mark.parametrize(
    "hidden", [b"<?note <word id='9'/> ?>", b"<!-- <word id='9'/> -->", b"<![CDATA[<word id='9'/>]]>"]
)
def test_what_only_looks_like_a_word_does_not_count(hidden: bytes) -> None:
    reading = xml(b'<treebank><sentence id="1">' + hidden + b'<word id="1"/></sentence></treebank>')
    assert (reading.rows_in_file, reading.rows_read, reading.rejects) == (1, 1, [])


def test_words_are_counted_apart_from_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(reader: Any) -> Any:
        return lambda name, attributes: None

    monkeypatch.setattr(native_xml._Reader, "start_in_sentence", forgetful)
    reading = xml(b'<treebank><sentence id="1"><word id="1"/><word id="2"/></sentence></treebank>')
    assert (reading.rows_in_file, reading.rows_read) == (2, 0)


@pytest.mark.parametrize("format", ["native_xml", "conllu"])
def test_a_sentence_of_more_rows_than_are_read_is_rejected_by_name(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (records, native_xml, conllu_ud):
        monkeypatch.setattr(module, "MAX_SENTENCE_ROWS", 2)
    if format == "native_xml":
        words = ['<word id="1"/>', '<word id="1"/>', '<word id="3"/>']
        sentences = "".join(
            f'<sentence id="{n}">{"".join(words[:count])}</sentence>' for n, count in enumerate((1, 3, 2))
        )
        reading = xml(f"<treebank>{sentences}</treebank>")
        names, repeated = column(reading, "id", "sentences"), 1
    else:
        blocks = [[row("1")], [row("1"), row("2"), row("3")], [row("1"), row("2")]]
        reading = ud("\n".join(f"# sent_id = {n}\n" + "\n".join(block) + "\n" for n, block in enumerate(blocks)))
        names, repeated = column(reading, "sent_id", "sentences"), 0
    assert names == ["0", "2"]
    assert column(reading, "position", "sentences") == [1, 3]
    assert column(reading, "sentence_position") == [1, 3, 3]
    assert (reading.rows_in_file, reading.rows_read, reading.rows_rejected) == (6, 3, 3)
    lost, *others = reading.rejects
    assert (lost.scope, lost.sentence, lost.sentence_position, lost.rows_lost) == ("sentence", "1", 2, 3)
    assert (lost.expected, lost.found) == ("a sentence of at most 2 rows", "3")
    assert len(others) == repeated


def test_the_longest_sentence_that_is_read_fits_the_keys_of_the_models() -> None:
    assert records.MAX_SENTENCE_ROWS == 65_535
    project = (Path(__file__).resolve().parents[2] / "dbt_project.yml").read_text(encoding="utf-8")
    assert f"token_key_factor: {records.MAX_SENTENCE_ROWS + 1}\n" in project


# Work that grows with the size of the file and no faster.


class CountingParser:
    """An expat parser that notes how many bytes it has been given."""

    def __init__(self, parser: Any) -> None:
        object.__setattr__(self, "parser", parser)
        object.__setattr__(self, "pieces", [])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.parser, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.parser, name, value)

    def Parse(self, data: Any, is_final: bool) -> Any:  # noqa: N802
        self.pieces.append(len(data))
        return self.parser.Parse(data, is_final)


@pytest.mark.parametrize(
    "opening", ["<!--", "<?", "<![CDATA[", "<!DOCTYPE", "<!DOCTYPE a [", "<x>", "<word ", "&lt;", "\n"]
)
@pytest.mark.parametrize("place", ["prolog", "sentence", "comment"])
def test_every_byte_goes_to_the_parser_once(opening: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_xml, "PIECE", 1000)
    monkeypatch.setattr(native_xml, "LONGEST_MARKUP", 3000)
    parsers: list[CountingParser] = []
    create = expat.ParserCreate

    def counting(encoding: str) -> Any:
        parsers.append(CountingParser(create(encoding)))
        return parsers[-1]

    monkeypatch.setattr(expat, "ParserCreate", counting)
    many = opening * 10_000
    before, after = '<treebank><sentence id="1">', '<word id="1"/></sentence></treebank>'
    data = {
        "prolog": many + before + after,
        "sentence": before + many + after,
        "comment": f"{before}<!--{many}-->{after}",
    }
    reading = xml(data[place])
    assert accounted(reading)
    pieces = parsers[0].pieces
    assert sum(pieces) <= len(data[place])
    assert max(pieces, default=0) <= 1000


def test_a_tag_or_comment_that_goes_on_too_long_is_refused_and_a_shorter_one_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(native_xml, "PIECE", 1000)
    monkeypatch.setattr(native_xml, "LONGEST_MARKUP", 50_000)
    for size, is_read in ((40_000, True), (60_000, False)):
        for long in ("<!--{}-->", "<?x {}?>", '<word id="2" form="{}"/>'):
            text = f'<treebank>\n<sentence id="1">\n{long.format("x" * size)}<word id="1"/></sentence></treebank>'
            reading = xml(text)
            assert reading.is_read == is_read
            if not is_read:
                assert (reading.rejects[0].line, reading.rejects[0].found) == (3, "one that does not end within them")
    # Character data is no markup.
    assert xml(f'<treebank><sentence id="1">{"x" * 200_000}<word id="1"/></sentence></treebank>').rows_read == 1


def test_too_deep_nesting_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_xml, "DEEPEST", 10)
    reading = xml(f'<treebank><sentence id="1"><word id="1"/>{"<x>" * 9}{"</x>" * 9}</sentence></treebank>')
    assert (reading.is_read, reading.rejects[0].expected) == (False, "elements nested at most 10 deep")
    sides = f'<sentence id="1"><word id="1"/>{"<x>" * 7}{"</x>" * 7}</sentence>' * 3
    assert xml(f"<treebank>{sides}</treebank>").rows_read == 3


@pytest.mark.parametrize("module", [native_xml, conllu_ud, encoding], ids=lambda module: module.__name__)
def test_no_pattern_of_a_reader_can_look_ahead_again_and_again(module: Any) -> None:
    patterns = [value.pattern for value in vars(module).values() if isinstance(value, re.Pattern)]
    texts = [pattern if isinstance(pattern, str) else pattern.decode() for pattern in patterns]
    assert not [text for text in texts if ".*" in text or ".+" in text or "?>" in text]


def test_comments_before_the_root_are_passed_over_once() -> None:
    root = b'<treebank><sentence id="1"><word id="1"/></sentence></treebank>'
    for start in (
        b"<!-- <!DOCTYPE a [ -->" * 3,
        b"<?a <!DOCTYPE a> ?> <!---->\n",
        b"\xef\xbb\xbf<?xml version='1.0'?>\n",
    ):
        assert xml(start + root).rows_read == 1
        refused = xml(start + b'\n<!DOCTYPE treebank SYSTEM "[">' + root)
        assert not refused.is_read and refused.rejects[0].found.startswith("<!DOCTYPE treebank>")
        assert refused.rejects[0].line == start.count(b"\n") + 2


@pytest.mark.parametrize(
    "failure", [ValueError("odd"), MemoryError(), RecursionError("deep"), ZeroDivisionError(), UnicodeError("x\ny")]
)
def test_whatever_a_reader_raises_rejects_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def broken(data: bytes, facts: DocumentFacts) -> Reading:
        raise failure

    monkeypatch.setattr("ingest.readers.reading.read_native", broken)
    (tmp_path / "a.xml").write_bytes(b"<treebank/>")
    result = read_file(Task("agdt", "native_xml", tmp_path, "a.xml", None))
    assert (result.reading.is_read, result.size, result.sha256 is None) == (False, 11, False)
    [lost] = result.reading.rejects
    assert (lost.scope, lost.expected) == ("file", "a file that its reader can take")
    assert lost.found.startswith(type(failure).__name__) and "\n" not in lost.found


@pytest.mark.parametrize(
    ("config", "expected", "found"),
    [
        (b"[]", "an object in the whole file", "a list"),
        (b"7", "an object in the whole file", "a number"),
        (b'{"collections": {}}', "a list in collections", "an object"),
        (b'{"collections": [1, 2]}', "an object in collections[]", "a number, 2 times"),
        (b'{"collections": [{"publications": "x"}]}', "a list in publications", "a text"),
        (b'{"collections": [{"publications": [{"author": 1}]}]}', "a text in author", "a number"),
        (b'{"collections": [{"publications": [{"editors": [true]}]}]}', "a text in editors", "a truth value"),
        (b'{"collections": [{"publications": [{"sections": [{"xml": 1.5}]}]}]}', "a text in xml", "a number"),
        (b'{"collections": [{"publications": [{"work": "a\\u0000"}]}]}', "a text in work", "a text with control"),
        (b'{"collections": [{"publications": [{"work": "a\\ud800"}]}]}', "a text in work", "a text with control"),
    ],
)
def test_metadata_of_another_shape_is_a_finding_and_the_rest_is_read(config: bytes, expected: str, found: str) -> None:
    findings: list[records.Reject] = []
    read_metadata(config, "x/", findings)
    [finding] = findings
    assert (finding.scope, finding.expected, finding.rows_lost) == ("file", expected, 0)
    assert finding.found.startswith(found)


@pytest.mark.parametrize("config", [b"", b"{", b"\xff{}", b"[" * 200_000, b'{"a": ' + b"9" * 5000 + b"}"])
def test_metadata_that_is_no_json_is_a_fault_of_the_file(config: bytes) -> None:
    with pytest.raises(FileError):
        read_metadata(config, "x/")
