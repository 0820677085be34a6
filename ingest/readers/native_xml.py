"""Reader of the native XML of the Prague-style treebanks (AGDT, Gorman, Pedalion, Harrington).

The format is flat: ``<treebank>`` holds ``<sentence>`` elements, these hold ``<word .../>`` elements whose
attributes carry the annotation. A header may name title, author and annotators. The reader keeps every
attribute as it stands (after the parser has resolved character references) and decides nothing.

The parser is expat. A document type declaration is refused before expat sees it, so there are no external entities, no
DTD to load and no entities to expand; what remains are the five predefined ones and character references.

Time and memory grow with the size of the file and no faster, whatever is in it: there is no pattern that looks ahead,
and two limits, far above any treebank, keep the parser from reading one tag again and again and from nesting for ever.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from itertools import compress, pairwise
from typing import Any
from xml.parsers import expat

from ingest.readers.encoding import find_utf8_fault, line_of
from ingest.readers.records import (
    MAX_SENTENCE_ROWS,
    SENTENCE_ATTRIBUTES,
    WORD_ATTRIBUTES,
    DocumentFacts,
    Metadata,
    Reading,
    Reject,
    batch_of,
    nothing_found,
    too_long,
    unread,
)
from ingest.readers.shapes import Shapes, parse_json
from runtime.errors import FileError

PERSONS = frozenset({"annotator", "primary", "secondary", "persName"})
NAMED_PARTS = frozenset({"name", "short"})
# What is known inside a person; of it only the names are read.
PERSON_PARTS = NAMED_PARTS | {"persName", "address", "uri"}
HEADINGS = frozenset({"title", "author"})
ACCEPTED_ENCODINGS = frozenset({"utf-8", "utf8", "us-ascii"})

# Bytes that expat gets at a time (its binding cuts them so anyway). A tag or a comment that goes on over several pieces
# is scanned again with each of them, so the longest one is limited: then the work is linear.
PIECE = 1 << 20
LONGEST_MARKUP = 64 << 20
# Elements other than words that may be open at a time; each of them costs memory until it is closed.
DEEPEST = 100_000

_BLANKS = re.compile(rb"[ \t\r\n]*")
_DOCTYPE = b"<!DOCTYPE"
_DOCTYPE_NAME = re.compile(rb"[ \t\r\n]*([^ \t\r\n\[>]{1,60})")
_WORD_TAG = re.compile(rb"<word[ \t\r\n/>]")


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
        stops = [start for start, _ in self.runs[1:]] + [len(self.rows)][: len(self.runs)]
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
        # Elements inside sentences that are not read: line of the first and their number, by sentence and name.
        self.strange: dict[tuple[int, str], list[int]] = {}
        # Words that ended, wherever they stand: what the rows are compared with.
        self.words_seen = 0
        # Document.
        self.root: dict[str, str] | None = None
        self.headings: dict[str, str] = {}
        self.annotators: dict[str, None] = {}
        # What is open.
        self.depth = 0
        self.in_sentence = False
        self.nested_sentences = 0
        self.person: dict[str, str] | None = None
        self.person_has_parts = False
        self.text: list[str] = []
        self.inside = self.start_in_sentence()

    def parse(self) -> None:
        """Feed the whole file; raise FileError at the first fault."""
        if b"\x00" in self.data:
            # No XML in UTF-8 has one; UTF-16 and UTF-32, which expat would follow whatever it was told, do.
            line = line_of(self.data, self.data.index(b"\x00"))
            raise find_utf8_fault(self.data) or FileError("UTF-8 without NUL bytes", "the byte 0x00", line)
        refuse_document_type(self.data)
        try:
            self.feed()
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

    def feed(self) -> None:
        """Give expat the file in pieces, as long as it gets on."""
        if hasattr(self.parser, "SetReparseDeferralEnabled"):
            # Newer versions wait before they scan an unfinished tag again; then it is not known how far they are.
            self.parser.SetReparseDeferralEnabled(False)
        data = memoryview(self.data)
        for start in range(0, len(data), PIECE):
            stop = min(start + PIECE, len(data))
            self.parser.Parse(data[start:stop], False)
            if stop - self.parser.CurrentByteIndex > LONGEST_MARKUP:
                raise FileError(
                    f"tags and comments of at most {LONGEST_MARKUP >> 20} MB",
                    "one that does not end within them",
                    self.parser.CurrentLineNumber,
                )
        self.parser.Parse(b"", True)

    def declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding and encoding.lower() not in ACCEPTED_ENCODINGS:
            raise FileError("UTF-8", f"the declared encoding {encoding}", 1)

    def doctype(self, name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        """Refuse a document type declaration that was not seen before; there is none such."""
        raise _document_type(name, self.parser.CurrentLineNumber)

    def start(self, name: str, attributes: list[str]) -> None:
        """Take a start tag outside of sentences."""
        if name == "word" and self.root is not None:
            self.stray_word(attributes)
            return
        self.go_deeper()
        if self.root is None:
            self.open_root(name, attributes)
        elif name == "sentence":
            self.open_sentence(attributes)
        else:
            self.open_other(name)

    def go_deeper(self) -> None:
        """Count an element that is open; raise FileError when there are too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise FileError(f"elements nested at most {DEEPEST:,} deep", "one more", self.parser.CurrentLineNumber)

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
            else:
                self.open_inside(name)

        return start

    def end(self, name: str) -> None:
        if name == "word":
            self.words_seen += 1
            return
        self.depth -= 1
        if name == "sentence":
            self.close_sentence()
        elif self.person is not None or name in HEADINGS:
            self.close_other(name)

    def open_root(self, name: str, attributes: list[Any]) -> None:
        if name != "treebank":
            raise FileError("the root element <treebank>", f"<{name[:60]}>", self.parser.CurrentLineNumber)
        self.root = dict(zip(attributes[::2], attributes[1::2], strict=True))

    def open_inside(self, name: str) -> None:
        """Take the start tag of an element inside a sentence that is no word; note it when it is not read.

        The words of a sentence inside a sentence, or of an unknown element, stay with the outer sentence.
        """
        self.go_deeper()
        if name == "sentence":
            self.nested_sentences += 1
        else:
            self.open_other(name)
        if name not in PERSONS and (self.person is None or name not in PERSON_PARTS):
            noted = self.strange.setdefault((len(self.starts), name), [self.parser.CurrentLineNumber, 0])
            noted[1] += 1

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

    def strange_elements(self, sentences: list[str | None]) -> list[Reject]:
        """Return one finding per sentence and name of an element that is not read."""
        rejects = []
        for (position, name), (line, count) in self.strange.items():
            times = "once" if count == 1 else f"{count:,} times"
            if name == "sentence":
                expected, found = "the end of the sentence", f"a sentence inside it, {times}"
            else:
                expected, found = "no other elements in a sentence than words and persons", f"<{name[:60]}>, {times}"
            rejects.append(Reject("sentence", line, sentences[position - 1], position, None, expected, found, 0))
        return rejects

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
            if full and self.in_sentence:
                self.sentence_annotators[-1].append(full)
            elif full:
                self.annotators[full] = None
            self.person = None
            self.parser.CharacterDataHandler = None


def read_native(data: bytes, facts: DocumentFacts) -> Reading:
    """Read one file of native XML.

    Args:
        data: the bytes of the file, UTF-8 with or without a byte order mark.
        facts: path, checksum and revision, which go into the rows.

    Returns:
        A batch of documents (one row), sentences and tokens. A file that is no such XML gives no batch and one
        reject of scope ``file`` with the reason; then all its rows count as rejected. A file without any word is read,
        and said to be empty.
    """
    reader = _Reader(data)
    try:
        reader.parse()
    except FileError as error:
        return unread(error.expected, error.found, error.line, guess_words(data))
    bounds = list(pairwise([*reader.starts, len(reader.words.rows)]))
    sentences, words = reader.sentences.columns(), reader.words.columns()
    rejects = reader.strange_elements(sentences[0]) + reader.rejects
    if not reader.words_seen:
        rejects.append(nothing_found("a word" if bounds else "a sentence"))
    rejects += _faulty_sentences(reader, bounds, sentences[0])
    tables = {
        "documents": batch_of("native_xml", "documents", _document_columns(reader, facts)),
        "sentences": batch_of("native_xml", "sentences", _sentence_columns(reader, facts, sentences, bounds)),
        "tokens": batch_of("native_xml", "tokens", _token_columns(reader, facts, words, bounds)),
    }
    rejects += _repeated_ids(bounds, sentences[0], words[0], reader.words.lines)
    return Reading(
        tables=tables,
        rejects=sorted(rejects, key=lambda reject: reject.line or 0),
        sentences=tables["sentences"].num_rows,
        rows_in_file=reader.words_seen,
        rows_read=tables["tokens"].num_rows,
        rows_rejected=sum(reject.rows_lost for reject in rejects),
    )


def refuse_document_type(data: bytes) -> None:
    """Look at what stands before the root element, and raise FileError where it is a document type declaration.

    Only comments, processing instructions and blanks can stand before one; each is passed over once.
    """
    position = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    while blanks := _BLANKS.match(data, position):
        position = blanks.end()
        if data.startswith(b"<!--", position):
            end = data.find(b"-->", position + 4)
        elif data.startswith(b"<?", position):
            end = data.find(b"?>", position + 2)
        else:
            break
        if end < 0:
            return
        position = data.index(b">", end) + 1
    if data.startswith(_DOCTYPE, position):
        name = _DOCTYPE_NAME.match(data, position + len(_DOCTYPE))
        raise _document_type(name[1].decode("utf-8", "replace") if name else "", line_of(data, position))


def guess_words(data: bytes) -> int:
    """Count what looks like a start tag of a word in a file that no parser can read to its end."""
    return sum(1 for _ in _WORD_TAG.finditer(data))


def read_metadata(data: bytes, folder: str, findings: list[Reject] | None = None) -> dict[str, Metadata]:
    """Read titles, authors and editors of a project's files from its ``src/config.json``.

    Args:
        data: the JSON: collections of publications, these with sections that name their XML file.
        folder: folder of the XML files inside the repository, with a closing slash.
        findings: gets a finding per kind of part that has another shape; such parts are passed over.

    Returns:
        Metadata by path. A file named by several sections keeps the first.

    Raises:
        FileError: the file is no JSON.
    """
    shapes = Shapes()
    found: dict[str, Metadata] = {}
    config = shapes.mapping(parse_json(data), "the whole file")
    for part in shapes.sequence(config.get("collections"), "collections"):
        collection = shapes.mapping(part, "collections[]")
        for work in shapes.sequence(collection.get("publications"), "publications"):
            publication = shapes.mapping(work, "publications[]")
            metadata = Metadata(
                shapes.text(publication.get("work"), "work"),
                shapes.text(publication.get("author"), "author"),
                _editors(publication.get("editors"), shapes),
            )
            for section in shapes.sequence(publication.get("sections"), "sections"):
                name = shapes.text(shapes.mapping(section, "sections[]").get("xml"), "xml")
                if name:
                    found.setdefault(folder + name, metadata)
    if findings is not None:
        findings += shapes.findings()
    return found


def _editors(value: Any, shapes: Shapes) -> tuple[str, ...]:
    """Return the names of a text or of a list of texts."""
    people = [value] if isinstance(value, str) else shapes.sequence(value, "editors")
    names = [shapes.text(name, "editors") for name in people]
    return tuple(name for name in names if name)


def _document_columns(reader: _Reader, facts: DocumentFacts) -> list[list[Any]]:
    root = reader.root or {}
    others = {name: value for name, value in root.items() if name != "xml:lang" and not name.startswith("xmlns")}
    people = [*reader.annotators, *(name for name in facts.metadata.annotators if name not in reader.annotators)]
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


def _is_read(bound: tuple[int, int]) -> bool:
    """Whether a sentence, given where its words begin and end, goes into the tables."""
    return bound[1] - bound[0] <= MAX_SENTENCE_ROWS


def _faulty_sentences(reader: _Reader, bounds: list[tuple[int, int]], sentences: list[str | None]) -> list[Reject]:
    """Reject sentences that are too long, and report those without a word in a file that has words."""
    rejects: list[Reject] = []
    for position, (bound, line) in enumerate(zip(bounds, reader.sentences.lines, strict=True), 1):
        rows = bound[1] - bound[0]
        if not _is_read(bound):
            rejects.append(Reject("sentence", line, sentences[position - 1], position, None, *too_long(rows), rows))
        elif not rows and reader.words_seen:
            rejects.append(Reject("sentence", line, sentences[position - 1], position, None, "a word", "none", 0))
    return rejects


def _sentence_columns(
    reader: _Reader, facts: DocumentFacts, columns: list[list[str | None]], bounds: list[tuple[int, int]]
) -> list[Sequence[Any]]:
    *known, others = columns
    count = len(bounds)
    values: list[Sequence[Any]] = [
        [facts.path] * count,
        range(1, count + 1),
        reader.sentences.lines,
        *known,
        reader.sentence_annotators,
        others,
    ]
    kept = [_is_read(bound) for bound in bounds]
    return values if all(kept) else [list(compress(column, kept)) for column in values]


def _token_columns(
    reader: _Reader, facts: DocumentFacts, columns: list[list[str | None]], bounds: list[tuple[int, int]]
) -> list[Sequence[Any]]:
    sentence_positions: list[int] = []
    positions: list[int] = []
    kept: list[bool] = []
    for number, (start, stop) in enumerate(bounds, 1):
        sentence_positions += [number] * (stop - start)
        positions += range(1, stop - start + 1)
        if not _is_read((start, stop)):
            kept += [True] * (start - len(kept)) + [False] * (stop - start)
    values: list[Sequence[Any]] = [
        [facts.path] * len(positions),
        sentence_positions,
        positions,
        reader.words.lines,
        *columns,
    ]
    if not kept:
        return values
    kept += [True] * (len(positions) - len(kept))
    return [list(compress(column, kept)) for column in values]


def _repeated_ids(
    bounds: list[tuple[int, int]], sentences: list[str | None], ids: list[str | None], lines: list[int]
) -> list[Reject]:
    """Report words without an id and words whose id stands before in their sentence; they are read all the same."""
    rejects: list[Reject] = []
    for position, (start, stop) in enumerate(bounds, 1):
        if not _is_read((start, stop)):
            continue
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


def _document_type(name: str, line: int) -> FileError:
    return FileError(
        "XML without a document type declaration",
        f"<!DOCTYPE {name}>, which could name external files or entities to expand",
        line,
    )


def _reason(error: expat.ExpatError) -> str:
    """Say what expat found, in its own words or in plainer ones."""
    message = expat.errors.messages.get(error.code, str(error))
    return "the end of the file" if message == expat.errors.XML_ERROR_NO_ELEMENTS else message


def _json(values: dict[str, str]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True)
