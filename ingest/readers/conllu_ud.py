"""Reader of CoNLL-U, the format of the Universal Dependencies treebanks.

Tolerant where real files differ: a byte order mark at the beginning, LF, CRLF or CR line ends, several or
white-space-only lines between sentences, no blank line at the end, a word that hangs on an empty node. Strict where the
format is: ten tab-separated columns, none of them empty, ids and ranges in order, heads that exist; and no control
character. A sentence with a fault is rejected with its line and token, and the next one is read.

A file is cut into sentences at its blank lines; its token lines are split into columns by Arrow all at once, and ids
and heads are checked per sentence. When anything is wrong with the file, its sentences are taken one by one
instead, which finds the place of the fault. Both ways give the same rows for a sound sentence.

This is not the reader of parses and audits (`runtime.conllu`), which takes words only: here ranges and empty nodes are
rows, every value stays as written, and most lines are never text in Python.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from ingest.readers.encoding import find_utf8_fault, shown
from ingest.readers.records import (
    CONLLU_COLUMNS,
    MAX_SENTENCE_ROWS,
    DocumentFacts,
    Reading,
    Reject,
    batch_of,
    nothing_found,
    schema_of,
    too_long,
    unread,
)
from runtime.conllu import comment_values

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

Row = list[str]

_WORD_ID = re.compile(r"[1-9][0-9]*")
_RANGE_ID = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
_EMPTY_ID = re.compile(r"(0|[1-9][0-9]*)\.([1-9][0-9]*)")
HASH = ord("#")
# Blank lines hold white space at most; a run of them, with the end of the line before, separates sentences.
_LEADING_BLANK = re.compile(rb"\s*\n")
_BLANK_LINES = re.compile(rb"\n\s*\n")
_HEAD = CONLLU_COLUMNS.index("head")
# What XML 1.0 allows of these is the tab and the ends of lines.
CONTROLS = bytes(set(range(32)) - set(b"\t\n\r"))
_CONTROL_SIGNS = frozenset(map(chr, CONTROLS))
# The ids of a sentence of words only, so that most sentences are checked by one comparison.
_PLAIN_IDS = [str(number) for number in range(1, 513)]


@dataclass(slots=True)
class _Block:
    """The lines of one sentence, as bytes: most of them go to Arrow without ever being text in Python.

    Attributes:
        first_line: line number of its first comment or token line.
        comments: its comment lines, whole.
        lines: its token lines.
        numbers: the line numbers of the token lines.
        misplaced: line number of the first comment between token lines, None when there is none.
        on_empty: line, id and head of the words whose head is an empty node, when the tree has been checked.
    """

    first_line: int
    comments: list[bytes]
    lines: list[bytes]
    numbers: Sequence[int]
    misplaced: int | None = None
    on_empty: Sequence[tuple[int, str, str]] = ()


class _SentenceError(Exception):
    """Why one sentence is rejected."""

    def __init__(self, line: int, token: str | None, expected: str, found: str) -> None:
        super().__init__(expected)
        self.line, self.token, self.expected, self.found = line, token, expected, found


def read_conllu(data: bytes, facts: DocumentFacts) -> Reading:
    """Read one CoNLL-U file.

    Args:
        data: the bytes of the file, UTF-8 with or without a byte order mark.
        facts: path, checksum and revision, which go into the rows.

    Returns:
        A batch of documents (one row), sentences and tokens; ranges and empty nodes are tokens too, ``_`` is kept
        as read. The position of a sentence counts the rejected ones, so it stays when a fault is mended. A file
        that is not UTF-8 gives no batch and one reject of scope ``file``.
    """
    rows_in_file = count_rows(data)
    body = data.removeprefix(BOM_UTF8)
    if b"\r" in body:
        body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    blocks = list(split_sentences(body))
    faults: dict[int, _SentenceError] = {}
    fields = None if has_controls(body) else sound_fields(blocks)
    if fields is None:
        fault = find_utf8_fault(data)
        if fault is not None:
            return unread(fault.expected, fault.found, fault.line, rows_in_file)
        fields, faults = checked_fields(blocks)
    return _reading(facts, blocks, faults, fields, rows_in_file)


def has_controls(data: bytes) -> bool:
    """Whether there is a control character other than tabs and line ends."""
    return len(data.translate(None, CONTROLS)) != len(data)


def count_rows(data: bytes) -> int:
    """Count the lines of a file that are neither blank nor a comment, whatever its line ends are."""
    lines = data.removeprefix(BOM_UTF8).splitlines()
    return len([line for line in lines if line and line[0] != HASH and not line.isspace()])


def split_sentences(data: bytes) -> Iterator[_Block]:
    """Cut a file without byte order mark and with LF line ends into sentences at lines that are blank."""
    leading = _LEADING_BLANK.match(data)
    start = leading.end() if leading else 0
    number = 1 + data.count(b"\n", 0, start)
    for separator in chain(_BLANK_LINES.finditer(data, start), [None]):
        end = separator.start() if separator else len(data)
        lines = data[start:end].split(b"\n")
        if separator is None and (not lines[-1] or lines[-1].isspace()):
            lines.pop()
        if lines:
            yield _block(lines, number)
        if separator:
            # The separator ends the last line and holds the blank ones.
            number += len(lines) + data.count(b"\n", end, separator.end()) - 1
            start = separator.end()


def _block(lines: list[bytes], number: int) -> _Block:
    """Sort the lines of a sentence, the first of them at a line number, into comments and token lines."""
    first = 0
    while first < len(lines) and lines[first][0] == HASH:
        first += 1
    if not any(line[0] == HASH for line in lines[first:]):
        return _Block(number, lines[:first], lines[first:], range(number + first, number + len(lines)))
    block = _Block(number, [], [], [])
    numbers = []
    for place, line in enumerate(lines, number):
        if line[0] == HASH:
            block.comments.append(line)
            if block.lines and block.misplaced is None:
                block.misplaced = place
        else:
            block.lines.append(line)
            numbers.append(place)
    block.numbers = numbers
    return block


def sound_fields(blocks: list[_Block]) -> list[pa.Array] | None:
    """Split all token lines of a file into ten columns; None when anything is wrong with any sentence."""
    import pyarrow as pa
    from pyarrow import csv

    lines = [line for block in blocks for line in block.lines]
    if not lines or any(block.misplaced or len(block.lines) > MAX_SENTENCE_ROWS for block in blocks):
        return None
    if lines[0].startswith(BOM_UTF8):
        # Arrow would drop the mark; it is a fault of its sentence, wherever that stands in the file.
        return None
    joined = b"\n".join(lines)
    try:
        # Arrow checks the encoding of the columns, Python that of the comments.
        b"".join(comment for block in blocks for comment in block.comments).decode("utf-8")
        table = csv.read_csv(
            pa.BufferReader(joined),
            csv.ReadOptions(use_threads=False, block_size=len(joined) + 1, column_names=CONLLU_COLUMNS),
            csv.ParseOptions(delimiter="\t", quote_char=False, double_quote=False, ignore_empty_lines=False),
            csv.ConvertOptions(column_types=dict.fromkeys(CONLLU_COLUMNS, pa.string()), strings_can_be_null=False),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    fields = [column.combine_chunks() for column in table.columns]
    if table.num_rows != len(lines) or any((lengths(column) == 0).any() for column in fields):
        return None
    ids, heads = fields[0].to_pylist(), fields[_HEAD].to_pylist()
    start = 0
    for block in blocks:
        stop = start + len(block.lines)
        try:
            block.on_empty = check_tree(ids[start:stop], heads[start:stop], block.numbers)
        except _SentenceError:
            return None
        start = stop
    return fields


def lengths(column: pa.Array) -> npt.NDArray[np.int32]:
    """Return the length in bytes of every text of a column."""
    import numpy as np

    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
    return np.diff(offsets)


def checked_fields(blocks: list[_Block]) -> tuple[list[pa.Array], dict[int, _SentenceError]]:
    """Split the sentences one by one; return the columns of the sound ones and the faults of the others by index."""
    import pyarrow as pa

    rows: list[Row] = []
    faults: dict[int, _SentenceError] = {}
    for index, block in enumerate(blocks):
        try:
            rows += check_sentence(block)
        except _SentenceError as error:
            faults[index] = error
    columns = list(zip(*rows, strict=True)) or [()] * len(CONLLU_COLUMNS)
    return [pa.array(column, type=pa.string()) for column in columns], faults


def _reading(
    facts: DocumentFacts,
    blocks: list[_Block],
    faults: dict[int, _SentenceError],
    fields: list[pa.Array],
    rows_in_file: int,
) -> Reading:
    """Put sentences, tokens and findings together."""
    import pyarrow as pa

    findings = _Findings()
    sentences: list[tuple[Any, ...]] = []
    positions: list[int] = []
    numbers: list[int] = []
    sentence_positions: list[int] = []
    upos = fields[CONLLU_COLUMNS.index("upos")]
    # Nearly no file has a word without part of speech: look closer only where a value is as short as "_".
    suspicious = bool((lengths(upos) == 1).any())
    newdoc_id: str | None = None
    for index, block in enumerate(blocks):
        comments = [comment.decode("utf-8") for comment in block.comments]
        values = comment_values(comments)
        if "newdoc" in values or "newdoc id" in values:
            newdoc_id = values.get("newdoc id")
        if not findings.open(block, values.get("sent_id"), faults.get(index)):
            continue
        start, count = len(numbers), len(block.lines)
        if suspicious:
            findings.check_upos(block, upos.slice(start, count).to_pylist())
        sentences.append(
            (
                facts.path,
                findings.position,
                block.first_line,
                values.get("sent_id"),
                values.get("source"),
                values.get("text"),
                newdoc_id,
                comments,
            )
        )
        numbers += block.numbers
        positions += range(1, count + 1)
        sentence_positions += [findings.position] * count
    if not rows_in_file:
        findings.rejects.append(nothing_found("a sentence"))
    schema = schema_of("conllu", "tokens")
    places = [pa.array(column, type=pa.int32()) for column in (sentence_positions, positions, numbers)]
    tokens = [pa.repeat(pa.scalar(facts.path, pa.string()), len(numbers)), *places, *fields]
    document = (facts.path, facts.size, facts.sha256, facts.revision)
    return Reading(
        tables={
            "documents": batch_of("conllu", "documents", [[value] for value in document]),
            "sentences": batch_of(
                "conllu",
                "sentences",
                list(zip(*sentences, strict=True)) or [()] * len(schema_of("conllu", "sentences")),
            ),
            "tokens": pa.RecordBatch.from_arrays(tokens, schema=schema),
        },
        rejects=findings.rejects,
        sentences=len(sentences),
        rows_in_file=rows_in_file,
        rows_read=len(numbers),
        rows_rejected=sum(reject.rows_lost for reject in findings.rejects),
    )


class _Findings:
    """What is wrong with the sentences of a file, and which of them is being looked at."""

    def __init__(self) -> None:
        self.rejects: list[Reject] = []
        self.position = 0
        self.sentence: str | None = None
        self.seen: set[str] = set()

    def report(self, scope: str, line: int, token: str | None, expected: str, found: str, lost: int = 0) -> None:
        """Record one finding about the current sentence."""
        position = self.position or None
        self.rejects.append(Reject(scope, line, self.sentence, position, token, expected, found, lost))

    def open(self, block: _Block, sentence: str | None, fault: _SentenceError | None) -> bool:
        """Look at the next sentence; return whether its rows are kept.

        A sentence without a sent_id, or with one that stands before, is reported and kept: the key is the position.
        """
        self.sentence = None if sentence is None else shown(sentence)
        if not block.lines:
            self.report("sentence", block.first_line, None, "token lines after the comments", "none")
            return False
        self.position += 1
        if fault is not None:
            self.report("sentence", fault.line, fault.token, fault.expected, fault.found, len(block.lines))
            return False
        if not sentence:
            self.report("sentence", block.first_line, None, "a comment with sent_id", "none")
        elif sentence in self.seen:
            self.report("sentence", block.first_line, None, "a sent_id that no other sentence has", "a repeated one")
        else:
            self.seen.add(sentence)
        for line, token, head in block.on_empty:
            self.report("token", line, token, "a head that is a word", f"the empty node {head}")
        return True

    def check_upos(self, block: _Block, upos: list[str]) -> None:
        """Report words without a part of speech; ranges and empty nodes may do without."""
        if "_" not in upos:
            return
        for value, line, number in zip(upos, block.lines, block.numbers, strict=True):
            token = line.partition(b"\t")[0].decode("utf-8")
            if value == "_" and token.isdecimal():
                self.report("token", number, token, "a part of speech in UPOS", "_")


def check_sentence(block: _Block) -> list[Row]:
    """Split the token lines of one sentence and check them against the format.

    Raises:
        _SentenceError: the first fault, with line and token.
    """
    if len(block.lines) > MAX_SENTENCE_ROWS:
        raise _SentenceError(block.first_line, None, *too_long(len(block.lines)))
    for line, number in zip(block.lines, block.numbers, strict=True):
        if line.startswith(BOM_UTF8):
            raise _SentenceError(
                number, None, "a line that begins with its id or with #", "a byte order mark before it"
            )
    if block.misplaced is not None:
        raise _SentenceError(block.misplaced, None, "comments before the tokens", "a comment between or after them")
    for number, comment in enumerate(block.comments, block.first_line):
        check_characters(comment, number)
    rows: list[Row] = []
    for line, number in zip(block.lines, block.numbers, strict=True):
        row = line.decode("utf-8").split("\t")
        check_characters(line, number, row[0])
        if len(row) != len(CONLLU_COLUMNS):
            raise _SentenceError(number, row[0][:40], "ten tab-separated columns", str(len(row)))
        if "" in row:
            column = CONLLU_COLUMNS[row.index("")].upper()
            raise _SentenceError(number, row[0][:40], f"a value or _ in {column}", "nothing")
        rows.append(row)
    block.on_empty = check_tree([row[0] for row in rows], [row[_HEAD] for row in rows], block.numbers)
    return rows


def check_characters(line: bytes, number: int, token: str | None = None) -> None:
    """Check that a comment, or the line of a token, has no control characters other than tabs.

    Raises:
        _SentenceError: there is one, with its place in the line and its column where it is a token line.
    """
    if not has_controls(line):
        return
    text = line.decode("utf-8")
    place = next(place for place, sign in enumerate(text) if sign in _CONTROL_SIGNS)
    found = f"U+{ord(text[place]):04X} at character {place + 1} of the line"
    if token is not None:
        token = shown(token[:40])
        found += f", in {CONLLU_COLUMNS[min(text.count(chr(9), 0, place), len(CONLLU_COLUMNS) - 1)].upper()}"
    raise _SentenceError(number, token, "no control character other than tabs", found)


def check_tree(ids: list[str], heads: list[str], numbers: Sequence[int]) -> list[tuple[int, str, str]]:
    """Check ids and heads of one sentence.

    Returns:
        Line, id and head of the words whose head is an empty node: they are read as they stand, and reported.

    Raises:
        _SentenceError: the first fault, with line and token.
    """
    count = len(ids)
    if ids != _PLAIN_IDS[:count]:
        count = check_ids(ids, numbers)
    known = _heads_up_to(count) if count <= len(_PLAIN_IDS) else _heads_up_to.__wrapped__(count)
    if known.issuperset(heads):
        return []
    empty = {token for token in ids if "." in token}
    on_empty: list[tuple[int, str, str]] = []
    for token, head, number in zip(ids, heads, numbers, strict=True):
        if head in empty and token.isdecimal():
            on_empty.append((number, token, head))
        else:
            check_head(token, head, number, count)
    return on_empty


@lru_cache(maxsize=1024)
def _heads_up_to(count: int) -> frozenset[str]:
    """Return the heads that a sentence of so many words can have."""
    return frozenset(map(str, range(count + 1)))


def check_ids(ids: list[str], numbers: Sequence[int]) -> int:
    """Check the order of words, ranges and empty nodes; return the number of words.

    Words run 1, 2, 3, ...; a range stands before its first word, covers at least two and overlaps no other;
    empty nodes run n.1, n.2, ... after word n (0.1 before the first).
    """
    words = 0
    empty = 0
    range_end = 0
    range_place = (0, "")
    for token, number in zip(ids, numbers, strict=True):
        if _WORD_ID.fullmatch(token):
            if token != str(words + 1):
                raise _SentenceError(number, token, f"the id {words + 1}", token)
            words += 1
            empty = 0
        elif match := _RANGE_ID.fullmatch(token):
            first, last = _number(match[1]), _number(match[2])
            if last <= first:
                raise _SentenceError(number, token, "a range of at least two words in rising order", token)
            if first <= range_end:
                raise _SentenceError(number, token, f"a range that begins after word {range_end}", token)
            if first != words + 1:
                raise _SentenceError(number, token, f"a range that begins with the next word, {words + 1}", token)
            range_end, range_place = last, (number, token)
        elif match := _EMPTY_ID.fullmatch(token):
            if (match[1], match[2]) != (str(words), str(empty + 1)):
                raise _SentenceError(number, token, f"the empty node {words}.{empty + 1}", token)
            empty += 1
        else:
            raise _SentenceError(number, token[:40], "an id: a number, a range n-m or an empty node n.m", token[:40])
    if range_end > words:
        raise _SentenceError(*range_place, f"a range within the {words} words of the sentence", range_place[1])
    return words


def check_head(token: str, head: str, number: int, count: int) -> None:
    """Check the head of a word: a number from 0 to the number of words. Ranges and empty nodes have none."""
    if not token.isdecimal():
        return
    if not (head == "0" or _WORD_ID.fullmatch(head)):
        raise _SentenceError(number, token, "a number in HEAD", head[:40])
    if _number(head) > count:
        raise _SentenceError(number, token, f"a head from 0 to {count}", head[:40])


def _number(digits: str) -> int:
    """Return the value of decimal digits; absurdly long ones (which Python refuses to convert) count as huge."""
    return int(digits) if len(digits) < 10 else 10**10
