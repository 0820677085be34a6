"""What must hold of the reading of any bytes, and what the neighbours of a damaged sentence must still be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from xml.parsers import expat

from ingest.readers.conllu_ud import read_conllu
from ingest.readers.native_xml import ACCEPTED_ENCODINGS, read_native
from ingest.readers.records import CONLLU_COLUMNS, SENTENCE_ATTRIBUTES, WORD_ATTRIBUTES, DocumentFacts, Reading
from robust.sources import NATIVE

FACTS = DocumentFacts("a file", 0, "0" * 64, None)
BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")
# What may depend on other sentences of the file: its place in it, and the document that an earlier comment names.
_OF_THE_FILE = frozenset(("position", "sentence_position", "line", "newdoc_id"))

Row = dict[str, Any]
Sentence = tuple[Row, list[Row]]


def read(format: str, data: bytes) -> Reading:
    """Read the bytes of a file of a format."""
    return read_native(data, FACTS) if format == NATIVE else read_conllu(data, FACTS)


def line_ends(data: bytes) -> int:
    """Count the ends of lines, whatever they are."""
    return len(_LINE_END.findall(data))


def account(reading: Reading, data: bytes) -> list[str]:
    """Say what is wrong with the books of a reading: rows, findings and their lines, Arrow batches."""
    wrong: list[str] = []
    lost = sum(reject.rows_lost for reject in reading.rejects)
    if reading.rows_in_file != reading.rows_read + reading.rows_rejected:
        wrong.append(
            f"rows: {reading.rows_in_file} in the file, {reading.rows_read} read, {reading.rows_rejected} rejected"
        )
    if reading.rows_rejected != lost:
        wrong.append(f"rows: {reading.rows_rejected} rejected, {lost} lost by findings")
    if any(reject.rows_lost < 0 for reject in reading.rejects):
        wrong.append("a finding loses less than nothing")
    if reading.is_read:
        for name, count in (("tokens", reading.rows_read), ("sentences", reading.sentences), ("documents", 1)):
            if reading.tables[name].num_rows != count:
                wrong.append(f"{name}: {reading.tables[name].num_rows} rows in the table, {count} counted")
            reading.tables[name].validate(full=True)
        if any(reject.scope == "file" and reject.rows_lost for reject in reading.rejects):
            wrong.append("a file that is read has lost rows as a file")
    else:
        if reading.tables or reading.rows_read or reading.sentences:
            wrong.append("a file that is not read has rows")
        if not any(reject.scope == "file" for reject in reading.rejects):
            wrong.append("a file that is not read has no reason")
    last = line_ends(data) + 1
    for reject in reading.rejects:
        if reject.line is not None and not 1 <= reject.line <= last:
            wrong.append(f"a finding on line {reject.line} of {last}: {reject.expected}, {reject.found}")
        if not reject.expected or not reject.found:
            wrong.append(f"a finding that says nothing: {reject}")
    return wrong


def sentences_of(reading: Reading) -> list[Sentence]:
    """Return every sentence with its tokens, as rows."""
    if not reading.is_read:
        return []
    tokens: dict[int, list[Row]] = {}
    for row in reading.tables["tokens"].to_pylist():
        tokens.setdefault(row["sentence_position"], []).append(row)
    return [(row, tokens.pop(row["position"], [])) for row in reading.tables["sentences"].to_pylist()]


class Plain:
    """What a file of XML holds, by the plainest use of expat: sentences, and the words inside and outside of them.

    Attributes:
        why: why it is no file for the reader at all; empty when it is one.
        sentences: the attributes of each sentence, with those of its words; nested sentences belong to the outer one.
        outside: words outside of sentences.
    """

    def __init__(self, data: bytes) -> None:
        self.why = "NUL" if b"\x00" in data else ""
        self.root = ""
        self.open = 0
        self.sentences: list[tuple[dict[str, str], list[dict[str, str]]]] = []
        self.outside = 0
        parser = expat.ParserCreate("utf-8")
        parser.XmlDeclHandler = self.declaration
        parser.StartDoctypeDeclHandler = self.doctype
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        try:
            if not self.why:
                parser.Parse(data, True)
        except (expat.ExpatError, UnicodeDecodeError) as error:
            self.why = self.why or str(error)
        finally:
            parser.XmlDeclHandler = parser.StartDoctypeDeclHandler = None
            parser.StartElementHandler = parser.EndElementHandler = None
        if not self.why and self.root != "treebank":
            self.why = f"the root {self.root}"

    def declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding and encoding.lower() not in ACCEPTED_ENCODINGS:
            self.why = encoding

    def doctype(self, *about: Any) -> None:
        self.why = self.why or "DOCTYPE"

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.root:
            self.root = name
            return
        if name == "sentence":
            self.open += 1
            if self.open == 1:
                self.sentences.append((attributes, []))
        elif name == "word":
            if self.open:
                self.sentences[-1][1].append(attributes)
            else:
                self.outside += 1

    def end(self, name: str) -> None:
        if name == "sentence" and self.open:
            self.open -= 1


def as_plain(reading: Reading, data: bytes) -> list[str]:
    """Compare a reading of XML with what a plain parser sees, cell by cell."""
    plain = Plain(data)
    if bool(plain.why) == reading.is_read:
        found = "read" if reading.is_read else f"not read ({reading.rejects[0].found})"
        return [f"the file is {found}, and should be " + (f"refused: {plain.why}" if plain.why else "read")]
    if plain.why:
        return []
    wrong: list[str] = []
    words = sum(len(words) for _, words in plain.sentences)
    if reading.rows_in_file != words + plain.outside:
        wrong.append(f"{reading.rows_in_file} words in the file, {words + plain.outside} by a plain parser")
    expected: list[tuple[Any, ...]] = []
    for attributes, tokens in plain.sentences:
        expected.append(tuple(attributes.get(name) for name in SENTENCE_ATTRIBUTES))
        expected += [tuple(token.get(name) for name in WORD_ATTRIBUTES) for token in tokens]
    found_rows: list[tuple[Any, ...]] = []
    for sentence, rows in sentences_of(reading):
        found_rows.append(tuple(sentence[name.lower()] for name in SENTENCE_ATTRIBUTES))
        found_rows += [tuple(row[name] for name in WORD_ATTRIBUTES) for row in rows]
    if found_rows != expected:
        wrong.append(f"{len(found_rows)} rows that are not the {len(expected)} of a plain parser")
    return wrong


def as_lines(reading: Reading, data: bytes) -> list[str]:
    """Compare every token row of CoNLL-U with the line that it is said to stand on."""
    if not reading.is_read:
        if b"\x00" in data:
            return []
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return []
        return [f"a file of UTF-8 is not read: {reading.rejects[0].found}"]
    lines = _LINE_END.split(data.removeprefix(BOM))
    for row in reading.tables["tokens"].to_pylist():
        line = lines[row["line"] - 1].removeprefix(BOM).decode("utf-8")
        if line.split("\t") != [row[name] for name in CONLLU_COLUMNS]:
            return [f"line {row['line']} is read as another row: {row['id']!r} for {line[:60]!r}"]
    return []


def _content(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in _OF_THE_FILE}


def _alike(before: Sequence[Sentence], after: Sequence[Sentence], lines: int) -> str:
    """Say in what sentences differ that should only be some lines further down."""
    shifts = set()
    for (old, old_rows), (new, new_rows) in zip(before, after, strict=True):
        if _content(old) != _content(new):
            return f"a neighbour has other attributes: {_content(old)} became {_content(new)}"
        if [_content(row) for row in old_rows] != [_content(row) for row in new_rows]:
            return f"a neighbour on line {old['line']} has other words"
        if [row["line"] + lines for row in (old, *old_rows)] != [row["line"] for row in (new, *new_rows)]:
            return f"a neighbour is on line {new['line']} instead of {old['line'] + lines}"
        shifts.add(new["position"] - old["position"])
        if any(row["sentence_position"] != new["position"] for row in new_rows):
            return "the words of a neighbour have another sentence"
    return "the neighbours have left their order" if len(shifts) > 1 else ""


def neighbours(before: Reading, after: Reading, first: int, last: int, lines: int) -> list[str]:
    """Check that a damage to one sentence has left the others as they were.

    Args:
        before: the reading of the sound file.
        after: the reading of the file with a damaged sentence.
        first: how many sentences stand before it.
        last: how many stand after it.
        lines: lines that the damage has added.
    """
    sound, damaged = sentences_of(before), sentences_of(after)
    if not after.is_read:
        return [f"the whole file is lost: {after.rejects[0].expected}, {after.rejects[0].found}"]
    if len(damaged) < first + last:
        return [f"{len(damaged)} sentences are read, and {first + last} were not touched"]
    wrong = _alike(sound[:first], damaged[:first], 0)
    if last:
        wrong = wrong or _alike(sound[len(sound) - last :], damaged[len(damaged) - last :], lines)
    return [wrong] if wrong else []
