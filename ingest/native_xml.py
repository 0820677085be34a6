"""Reader of the native XML of the Prague-style treebanks (AGDT, Gorman, Pedalion, Harrington).

The format is flat: ``<treebank>`` holds ``<sentence>`` elements, these hold ``<word .../>`` elements whose
attributes carry the annotation. A header may name title, author and annotators. The reader keeps every
attribute as it stands (after the parser has resolved character references) and decides nothing.

The parser is expat. A document type declaration is refused, so there are no external entities, no DTD to load
and no entities to expand; what remains are the five predefined ones and character references.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any
from xml.parsers import expat

from ingest.encoding import find_utf8_fault
from ingest.errors import FileError
from ingest.records import (
    SENTENCE_ATTRIBUTES,
    WORD_ATTRIBUTES,
    DocumentFacts,
    Metadata,
    Reading,
    Reject,
    batch_of,
    unread,
)

PERSONS = frozenset({"annotator", "primary", "secondary", "persName"})
NAMED_PARTS = frozenset({"name", "short"})
HEADINGS = frozenset({"title", "author"})
ACCEPTED_ENCODINGS = frozenset({"utf-8", "utf8", "us-ascii"})

# What can hide a "<word" from the parser: comments, character data sections, processing instructions.
_HIDDEN = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)
_WORD_TAG = re.compile(rb"<word[\s/>]")
# Up to the character at which expat reports a document type declaration.
_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[>]*[\[>]")


class _Elements:
    """The attributes of all elements of one name, kept as expat gives them: ``[name, value, name, value, ...]``.

    Treebank files write the same attributes in the same order in thousands of elements running. Such a run is turned
    into columns at once, and the place of each column is looked up once per run instead of once per element.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self.wanted = columns
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self.names: list[str] | None = None
        self.runs: list[tuple[int, list[str]]] = []

    def begin_run(self, names: list[str]) -> None:
        """Note that the next element has other attributes, or another order of them, than the last one."""
        self.names = names
        self.runs.append((len(self.rows), names))

    def add(self, attributes: list[str], line: int) -> None:
        """Take one element."""
        names = attributes[::2]
        if names != self.names:
            self.begin_run(names)
        self.rows.append(attributes)
        self.lines.append(line)

    def columns(self) -> list[list[str | None]]:
        """Return the wanted columns, None where an attribute is absent, and last the other attributes as JSON."""
        columns: list[list[str | None]] = [[] for _ in self.wanted]
        others: list[str | None] = []
        stops = [start for start, _ in self.runs[1:]] + [len(self.rows)]
        for (start, names), stop in zip(self.runs, stops, strict=True):
            values = dict(zip(names, list(zip(*self.rows[start:stop], strict=True))[1::2], strict=True))
            absent = [None] * (stop - start)
            for column, name in zip(columns, self.wanted, strict=True):
                column.extend(values.get(name, absent))
            rest = sorted(values.keys() - self.wanted)
            if rest:
                rows = zip(*(values[name] for name in rest), strict=True)
                others += [_json(dict(zip(rest, row, strict=True))) for row in rows]
            else:
                others += absent
        return [*columns, others]


class _Reader:
    """State of one parse: what is open, and the columns filled so far."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.parser = expat.ParserCreate("utf-8")
        self.parser.ordered_attributes = True
        self.parser.buffer_text = True
        self.parser.XmlDeclHandler = self.declaration
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.words = _Elements(WORD_ATTRIBUTES)
        self.sentences = _Elements(SENTENCE_ATTRIBUTES)
        # One entry per sentence; `starts` are indexes into the words.
        self.sentence_annotators: list[list[str]] = []
        self.starts: list[int] = []
        self.rejects: list[Reject] = []
        # Document.
        self.root: dict[str, str] | None = None
        self.headings: dict[str, str] = {}
        self.annotators: list[str] = []
        # What is open.
        self.in_sentence = False
        self.nested_sentences = 0
        self.person: dict[str, str] | None = None
        self.person_has_parts = False
        self.text: list[str] = []
        self.inside = self.start_in_sentence()

    def parse(self) -> None:
        """Feed the whole file; raise FileError at the first fault.

        A document type declaration is fed up to the point where it is refused and no further, so that nothing
        it declares is ever seen.
        """
        if b"\x00" in self.data:
            # No XML in UTF-8 has one; UTF-16 and UTF-32, which expat would follow whatever it was told, do.
            line = self.data.count(b"\n", 0, self.data.index(b"\x00")) + 1
            raise find_utf8_fault(self.data) or FileError("UTF-8 without NUL bytes", "the byte 0x00", line)
        position = 0
        try:
            for match in _DOCTYPE.finditer(self.data) if b"!" in self.data else ():
                self.parser.Parse(self.data[position : match.end()], False)
                position = match.end()
            self.parser.Parse(self.data[position:] if position else self.data, True)
        except expat.ExpatError as error:
            raise find_utf8_fault(self.data) or FileError("well-formed XML", _reason(error), error.lineno) from error
        except UnicodeDecodeError as error:
            raise find_utf8_fault(self.data) or FileError("UTF-8", str(error)) from error
        finally:
            # The handlers refer to the reader and the reader to the parser: cut the ring.
            self.parser.StartElementHandler = None
            self.parser.EndElementHandler = None
            self.parser.StartDoctypeDeclHandler = None
            self.parser.XmlDeclHandler = None
            self.parser.CharacterDataHandler = None

    def declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding and encoding.lower() not in ACCEPTED_ENCODINGS:
            raise FileError("UTF-8", f"the declared encoding {encoding}", 1)

    def doctype(self, name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        raise FileError(
            "XML without a document type declaration",
            f"<!DOCTYPE {name}>, which could name external files or entities to expand",
            self.parser.CurrentLineNumber,
        )

    def start(self, name: str, attributes: list[str]) -> None:
        """Take a start tag outside of sentences."""
        if self.root is None:
            self.open_root(name, attributes)
        elif name == "sentence":
            self.open_sentence(attributes)
        elif name == "word":
            self.stray_word(attributes)
        else:
            self.open_other(name)

    def start_in_sentence(self) -> Callable[[str, list[str]], None]:
        """Return the handler of start tags inside of sentences.

        It runs once per word, a million and a half times; with names bound here it takes a fifth less.
        """
        words, parser = self.words, self.parser
        add_row, add_line = words.rows.append, words.lines.append

        def start(name: str, attributes: list[str]) -> None:
            if name == "word":
                names = attributes[::2]
                if names != words.names:
                    words.begin_run(names)
                add_row(attributes)
                add_line(parser.CurrentLineNumber)
            elif name == "sentence":
                # Its words stay with the outer sentence; the reader only says so.
                self.nested_sentences += 1
                self.report("sentence", None, "the end of the sentence", "a sentence inside it")
            else:
                self.open_other(name)

        return start

    def end(self, name: str) -> None:
        if name == "word":
            return
        if name == "sentence":
            self.close_sentence()
        elif self.person is not None or name in HEADINGS:
            self.close_other(name)

    def open_root(self, name: str, attributes: list[Any]) -> None:
        if name != "treebank":
            raise FileError("the root element <treebank>", f"<{name[:60]}>", self.parser.CurrentLineNumber)
        self.root = dict(zip(attributes[::2], attributes[1::2], strict=True))

    def open_sentence(self, attributes: list[str]) -> None:
        self.sentences.add(attributes, self.parser.CurrentLineNumber)
        self.sentence_annotators.append([])
        self.starts.append(len(self.words.rows))
        self.in_sentence = True
        self.parser.StartElementHandler = self.inside

    def close_sentence(self) -> None:
        if self.nested_sentences:
            self.nested_sentences -= 1
        else:
            self.in_sentence = False
            self.parser.StartElementHandler = self.start

    def stray_word(self, attributes: list[Any]) -> None:
        token = dict(zip(attributes[::2], attributes[1::2], strict=False)).get("id")
        self.rejects.append(
            Reject(
                "token", self.parser.CurrentLineNumber, None, None, token,
                "a word inside a sentence", "a word outside", 1,
            )
        )  # fmt: skip

    def report(self, scope: str, token: str | None, expected: str, found: str) -> None:
        """Record a finding about the current sentence that loses no row."""
        attributes = self.sentences.rows[-1]
        sentence = dict(zip(attributes[::2], attributes[1::2], strict=True)).get("id")
        position = len(self.sentences.rows)
        line = self.parser.CurrentLineNumber
        self.rejects.append(Reject(scope, line, sentence, position, token, expected, found, 0))

    def open_other(self, name: str) -> None:
        """Start to collect the text of a person, of a part of a person's name, or of a heading."""
        if self.person is not None:
            self.person_has_parts = True
        elif name in PERSONS:
            self.person, self.person_has_parts = {}, False
        elif name not in HEADINGS or self.in_sentence:
            return
        self.text.clear()
        self.parser.CharacterDataHandler = self.text.append

    def close_other(self, name: str) -> None:
        text = " ".join("".join(self.text).split())
        self.text.clear()
        if self.person is None:
            self.parser.CharacterDataHandler = None
            if not self.in_sentence and text:
                self.headings.setdefault(name, text)
        elif name in NAMED_PARTS:
            self.person[name] = text
        elif name in PERSONS:
            parts = self.person
            full = parts.get("name") or parts.get("short") or ("" if self.person_has_parts else text)
            people = self.sentence_annotators[-1] if self.in_sentence else self.annotators
            if full and (self.in_sentence or full not in people):
                people.append(full)
            self.person = None
            self.parser.CharacterDataHandler = None


def read_native(data: bytes, facts: DocumentFacts) -> Reading:
    """Read one file of native XML.

    Args:
        data: the bytes of the file, UTF-8 with or without a byte order mark.
        facts: path, checksum and revision, which go into the rows.

    Returns:
        A batch of documents (one row), sentences and tokens. A file that is no such XML gives no batch and one
        reject of scope ``file`` with the reason; then all its rows count as rejected.
    """
    rows_in_file = count_words(data)
    reader = _Reader(data)
    try:
        reader.parse()
    except FileError as error:
        return unread(error.expected, error.found, error.line, rows_in_file)
    bounds = list(pairwise([*reader.starts, len(reader.words.rows)]))
    sentences, words = reader.sentences.columns(), reader.words.columns()
    rejects = reader.rejects + _repeated_ids(bounds, sentences[0], words[0], reader.words.lines)
    return Reading(
        tables={
            "documents": batch_of("native_xml", "documents", _document_columns(reader, facts)),
            "sentences": batch_of("native_xml", "sentences", _sentence_columns(reader, facts, sentences)),
            "tokens": batch_of("native_xml", "tokens", _token_columns(reader, facts, words, bounds)),
        },
        rejects=sorted(rejects, key=lambda reject: reject.line or 0),
        sentences=len(reader.starts),
        rows_in_file=rows_in_file,
        rows_read=len(reader.words.rows),
        rows_rejected=sum(reject.rows_lost for reject in rejects),
    )


def count_words(data: bytes) -> int:
    """Count the ``<word`` start tags of a file on its bytes, outside comments and character data sections."""
    # Both signs are rare in these files, and looking for one byte costs nothing.
    if b"!" in data or data.find(b"?", data.find(b"?>") + 2) >= 0:
        data = _HIDDEN.sub(b"", data)
    count = data.count(b"<word")
    # Two plain counts are several times as fast as the pattern and settle nearly every file.
    return count if count == data.count(b"<word ") else len(_WORD_TAG.findall(data))


def read_metadata(data: bytes, folder: str) -> dict[str, Metadata]:
    """Read titles, authors and editors of a project's files from its ``src/config.json``.

    Args:
        data: the JSON: collections of publications, these with sections that name their XML file.
        folder: folder of the XML files inside the repository, with a closing slash.

    Returns:
        Metadata by path. A file named by several sections keeps the first.
    """
    found: dict[str, Metadata] = {}
    for collection in json.loads(data).get("collections", ()):
        for publication in collection.get("publications", ()):
            editors = publication.get("editors") or []
            people = [editors] if isinstance(editors, str) else list(editors)
            metadata = Metadata(publication.get("work") or None, publication.get("author") or None, tuple(people))
            for section in publication.get("sections", ()):
                if section.get("xml"):
                    found.setdefault(folder + section["xml"], metadata)
    return found


def _document_columns(reader: _Reader, facts: DocumentFacts) -> list[list[Any]]:
    root = reader.root or {}
    others = {name: value for name, value in root.items() if name != "xml:lang" and not name.startswith("xmlns")}
    people = reader.annotators + [name for name in facts.metadata.annotators if name not in reader.annotators]
    row = (
        facts.path,
        facts.size,
        facts.sha256,
        facts.revision,
        root.get("xml:lang"),
        reader.headings.get("title", facts.metadata.title),
        reader.headings.get("author", facts.metadata.author),
        people,
        _json(others) if others else None,
    )
    return [[value] for value in row]


def _sentence_columns(reader: _Reader, facts: DocumentFacts, columns: list[list[str | None]]) -> list[Sequence[Any]]:
    count = len(reader.starts)
    *known, others = columns
    return [
        [facts.path] * count,
        range(1, count + 1),
        reader.sentences.lines,
        *known,
        reader.sentence_annotators,
        others,
    ]


def _token_columns(
    reader: _Reader, facts: DocumentFacts, columns: list[list[str | None]], bounds: list[tuple[int, int]]
) -> list[Sequence[Any]]:
    sentence_positions: list[int] = []
    positions: list[int] = []
    for number, (start, stop) in enumerate(bounds, 1):
        sentence_positions += [number] * (stop - start)
        positions += range(1, stop - start + 1)
    return [[facts.path] * len(positions), sentence_positions, positions, reader.words.lines, *columns]


def _repeated_ids(
    bounds: list[tuple[int, int]], sentences: list[str | None], ids: list[str | None], lines: list[int]
) -> list[Reject]:
    """Report words without an id and words whose id stands before in their sentence; they are read all the same."""
    rejects: list[Reject] = []
    for position, (start, stop) in enumerate(bounds, 1):
        seen = set(ids[start:stop])
        if len(seen) == stop - start and None not in seen and "" not in seen:
            continue
        seen.clear()
        for token, line in zip(ids[start:stop], lines[start:stop], strict=True):
            fault = None
            if not token:
                fault = ("a token id", "none")
            elif token in seen:
                fault = ("an id that no other token of the sentence has", "a repeated id")
            seen.add(token)
            if fault:
                rejects.append(Reject("token", line, sentences[position - 1], position, token, *fault, 0))
    return rejects


def _reason(error: expat.ExpatError) -> str:
    """Say what expat found, in its own words or in plainer ones."""
    message = expat.errors.messages.get(error.code, str(error))
    return "the end of the file" if message == expat.errors.XML_ERROR_NO_ELEMENTS else message


def _json(values: dict[str, str]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True)
