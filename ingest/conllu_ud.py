"""Reader of CoNLL-U, the format of the Universal Dependencies treebanks.

Tolerant where real files differ: a byte order mark, LF, CRLF or CR line ends, several or white-space-only lines
between sentences, no blank line at the end. Strict where the format is: ten tab-separated columns, none of them
empty, ids and ranges in order, heads that exist. A sentence with a fault is rejected with its line and token,
and the next one is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ingest.encoding import utf8_fault
from ingest.errors import FileError
from ingest.records import CONLLU_COLUMNS, DocumentFacts, Reading, Reject, batch_of

Row = list[str]

_WORD_ID = re.compile(r"[1-9][0-9]*")
_RANGE_ID = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
_EMPTY_ID = re.compile(r"(0|[1-9][0-9]*)\.([1-9][0-9]*)")
_ROW_LINE = re.compile(r"^(?!#)[^\n]*\S", re.MULTILINE)
_HEAD = CONLLU_COLUMNS.index("head")
_UPOS = CONLLU_COLUMNS.index("upos")
# The ids of a sentence of words only, so that most sentences are checked by one comparison.
_PLAIN_IDS = [str(number) for number in range(1, 513)]


@dataclass(slots=True)
class _Block:
    """The lines of one sentence.

    Attributes:
        first_line: line number of its first comment or token line.
        comments: its comment lines, whole.
        lines: its token lines.
        numbers: the line numbers of the token lines.
        misplaced: line number of the first comment between token lines, None when there is none.
    """

    first_line: int
    comments: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    misplaced: int | None = None


class _SentenceError(Exception):
    """Why one sentence is rejected."""

    def __init__(self, line: int, token: str | None, expected: str, found: str) -> None:
        super().__init__(expected)
        self.line, self.token, self.expected, self.found = line, token, expected, found


class _Columns:
    """The columns filled so far, and what is known about the document while reading on."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.row_lines: list[int] = []
        self.row_positions: list[int] = []
        self.row_sentences: list[int] = []
        self.sentences: list[tuple[Any, ...]] = []
        self.rejects: list[Reject] = []
        self.count = 0
        self.newdoc_id: str | None = None
        self.sent_ids: set[str] = set()

    def report(
        self, scope: str, line: int, sentence: str | None, token: str | None, expected: str, found: str, lost: int = 0
    ) -> None:
        self.rejects.append(Reject(scope, line, sentence, self.count or None, token, expected, found, lost))

    def take(self, block: _Block) -> None:
        """Check one sentence and keep or reject it."""
        values = _comment_values(block.comments)
        if "newdoc" in values or "newdoc id" in values:
            self.newdoc_id = values.get("newdoc id")
        sentence = values.get("sent_id")
        if not block.lines:
            self.report("sentence", block.first_line, sentence, None, "token lines after the comments", "none")
            return
        self.count += 1
        try:
            rows = check_sentence(block)
        except _SentenceError as fault:
            lost = len(block.lines)
            self.report("sentence", fault.line, sentence, fault.token, fault.expected, fault.found, lost)
            return
        self.check_sent_id(sentence, block.first_line)
        if "_" in {row[_UPOS] for row in rows}:
            self.check_upos(sentence, rows, block.numbers)
        self.sentences.append(
            (
                self.count, block.first_line, sentence, values.get("source"), values.get("text"),
                self.newdoc_id, block.comments,
            )
        )  # fmt: skip
        self.rows += rows
        self.row_lines += block.numbers
        self.row_positions += range(1, len(rows) + 1)
        self.row_sentences += [self.count] * len(rows)

    def check_upos(self, sentence: str | None, rows: list[Row], numbers: list[int]) -> None:
        """Report words without a part of speech; ranges and empty nodes may do without."""
        for row, number in zip(rows, numbers, strict=True):
            if row[_UPOS] == "_" and row[0].isdecimal():
                self.report("token", number, sentence, row[0], "a part of speech in UPOS", "_")

    def check_sent_id(self, sentence: str | None, line: int) -> None:
        """Report a sentence without an id or with one that stands before; it is kept, its key is the position."""
        if not sentence:
            self.report("sentence", line, sentence, None, "a comment with sent_id", "none")
        elif sentence in self.sent_ids:
            self.report("sentence", line, sentence, None, "a sent_id that no other sentence has", "a repeated sent_id")
        else:
            self.sent_ids.add(sentence)


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
    fault = utf8_fault(data)
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    rows_in_file = len(_ROW_LINE.findall(text))
    if fault is not None:
        lost = _file_reject(fault, rows_in_file)
        return Reading(rejects=[lost], rows_in_file=rows_in_file, rows_rejected=rows_in_file)
    columns = _Columns()
    for block in split_sentences(text):
        columns.take(block)
    return Reading(
        tables={
            "documents": batch_of(
                "conllu", "documents", [[facts.path], [facts.size], [facts.sha256], [facts.revision]]
            ),
            "sentences": batch_of(
                "conllu",
                "sentences",
                [[facts.path] * len(columns.sentences), *(list(zip(*columns.sentences, strict=True)) or [()] * 7)],
            ),
            "tokens": batch_of(
                "conllu",
                "tokens",
                [
                    [facts.path] * len(columns.rows),
                    columns.row_sentences,
                    columns.row_positions,
                    columns.row_lines,
                    *(list(zip(*columns.rows, strict=True)) or [()] * 10),
                ],
            ),
        },
        rejects=columns.rejects,
        sentences=len(columns.sentences),
        rows_in_file=rows_in_file,
        rows_read=len(columns.rows),
        rows_rejected=sum(reject.rows_lost for reject in columns.rejects),
    )


def split_sentences(text: str) -> Iterator[_Block]:
    """Cut the text into sentences at blank lines."""
    block: _Block | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.isspace():
            if block is not None:
                yield block
                block = None
            continue
        if block is None:
            block = _Block(number)
        if line[0] != "#":
            block.lines.append(line)
            block.numbers.append(number)
        else:
            block.comments.append(line)
            if block.lines and block.misplaced is None:
                block.misplaced = number
    if block is not None:
        yield block


def check_sentence(block: _Block) -> list[Row]:
    """Split the token lines of one sentence and check them against the format.

    Raises:
        _SentenceError: the first fault, with line and token.
    """
    if block.misplaced is not None:
        raise _SentenceError(block.misplaced, None, "comments before the tokens", "a comment between or after them")
    rows = [line.split("\t") for line in block.lines]
    for row, number in zip(rows, block.numbers, strict=True):
        if len(row) != 10:
            raise _SentenceError(number, row[0][:40], "ten tab-separated columns", str(len(row)))
        if "" in row:
            column = CONLLU_COLUMNS[row.index("")].upper()
            raise _SentenceError(number, row[0], f"a value or _ in {column}", "nothing")
    ids = [row[0] for row in rows]
    count = len(ids)
    if ids != _PLAIN_IDS[:count]:
        count = check_ids(ids, block.numbers)
    if not {row[_HEAD] for row in rows} <= _heads_up_to(count):
        for row, number in zip(rows, block.numbers, strict=True):
            check_head(row, number, count)
    return rows


@lru_cache(maxsize=1024)
def _heads_up_to(count: int) -> frozenset[str]:
    """Return the heads that a sentence of so many words can have."""
    return frozenset(map(str, range(count + 1)))


def check_ids(ids: list[str], numbers: list[int]) -> int:
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


def check_head(row: Row, number: int, count: int) -> None:
    """Check the head of a word: a number from 0 to the number of words. Ranges and empty nodes have none."""
    token, head = row[0], row[_HEAD]
    if not token.isdecimal():
        return
    if not (head == "0" or _WORD_ID.fullmatch(head)):
        raise _SentenceError(number, token, "a number in HEAD", head[:40])
    if _number(head) > count:
        raise _SentenceError(number, token, f"a head from 0 to {count}", head[:40])


def _number(digits: str) -> int:
    """Return the value of decimal digits; absurdly long ones (which Python refuses to convert) count as huge."""
    return int(digits) if len(digits) < 10 else 10**10


def _comment_values(comments: list[str]) -> dict[str, str]:
    """Return the values of ``# key = value`` comments; of a repeated key the first counts."""
    values: dict[str, str] = {}
    for comment in comments:
        key, _, value = comment[1:].partition("=")
        values.setdefault(key.strip(), value.strip())
    return values


def _file_reject(fault: FileError, rows: int) -> Reject:
    return Reject("file", fault.line, None, None, None, fault.expected, fault.found, rows)
