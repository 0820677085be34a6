"""Parses as CoNLL-U text: what the artefact of a parse and the parses made elsewhere are read from and written as."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from machine.interface import Parsed, Sentence

COLUMNS = 10
_BLANK = re.compile(r"\n(?:[^\S\n]*\n)+")


class Block(NamedTuple):
    """One sentence of a file, not yet read.

    Attributes:
        line: number of its first line.
        comments: ``# key = value`` comments by key; the first of several counts.
        rows: its token lines.
        first_row: number of the first token line.
    """

    line: int
    comments: dict[str, str]
    rows: list[str]
    first_row: int


class BlockError(ValueError):
    """Why a sentence cannot be read; the message has the line."""


def blocks(text: str) -> Iterator[Block]:
    """Cut a text into sentences at its blank lines; a byte order mark and other line ends than LF may be there."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    number, start = 1, 0
    leading = re.match(r"(?:[^\S\n]*\n)+", text)
    if leading:
        number, start = 1 + leading[0].count("\n"), leading.end()
    while start < len(text):
        blank = _BLANK.search(text, start)
        stop, after = (blank.start(), blank.end()) if blank else (len(text), len(text))
        part = text[start:stop]
        if part and not part.isspace():
            yield _block(part.removesuffix("\n").split("\n"), number)
        number += text.count("\n", start, after)
        start = after


def _block(lines: list[str], number: int) -> Block:
    """Sort the lines of a sentence into comments and rows."""
    first = 0
    while first < len(lines) and lines[first].startswith("#"):
        first += 1
    comments: dict[str, str] = {}
    for line in lines[:first]:
        key, equals, value = line[1:].partition("=")
        if equals:
            comments.setdefault(key.strip(), value.strip())
    return Block(number, comments, lines[first:], number + first)


def read_block(block: Block, sentence_id: str) -> tuple[Sentence, Parsed]:
    """Read the tokens of a sentence.

    Returns:
        The sentence with the forms of the file, and its parse; of the values only the heads are looked at.

    Raises:
        BlockError: not ten columns, multiword tokens, empty nodes, ids out of order, a head that is no number.
    """
    parse = Parsed(sentence_id, [], [], [], [])
    forms = []
    for number, row in enumerate(block.rows, 1):
        fields = row.split("\t")
        if len(fields) != COLUMNS or fields[0] != str(number) or not (fields[6].isascii() and fields[6].isdigit()):
            raise BlockError(f"line {block.first_row + number - 1}: {_fault(fields, number)}")
        forms.append(fields[1])
        parse.upos.append(fields[3])
        parse.feats.append("" if fields[5] == "_" else fields[5])
        parse.heads.append(int(fields[6]))
        parse.deprels.append(fields[7])
    return Sentence(sentence_id, forms), parse


def _fault(fields: list[str], number: int) -> str:
    """Say what is wrong with a row that should be the token of a number."""
    if len(fields) != COLUMNS:
        return f"expected {COLUMNS} columns with tabs between them, found {len(fields)}"
    token = fields[0]
    if "-" in token:
        return f"expected token {number}, found the multiword token {token}: published tokens are syntactic words"
    if "." in token:
        return f"expected token {number}, found the empty node {token}: published sentences have none"
    if token != str(number):
        return f"expected token {number}, found {token!r}"
    return f"token {number} {fields[1]!r}: expected a number as head, found {fields[6]!r}"


def render(
    sentences: Sequence[Sentence], parses: Iterable[Parsed], folds: Mapping[str, int] | None = None
) -> Iterator[str]:
    """Yield each sentence with its parse as CoNLL-U: the id as comment, the fold where there are folds, no lemmas."""
    for sentence, parse in zip(sentences, parses, strict=True):
        lines = [f"# sent_id = {sentence.id}\n"]
        if folds is not None:
            lines.append(f"# fold = {folds[sentence.id]}\n")
        columns = zip(sentence.forms, parse.upos, parse.feats, parse.heads, parse.deprels, strict=True)
        lines += [
            f"{number}\t{form}\t_\t{upos}\t_\t{feats or '_'}\t{head}\t{deprel}\t_\t_\n"
            for number, (form, upos, feats, head, deprel) in enumerate(columns, 1)
        ]
        lines.append("\n")
        yield "".join(lines)
