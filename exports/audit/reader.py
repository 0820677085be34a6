"""CoNLL-U files of published sentences, read so that a bad sentence is named and costs no other one.

The readers of `conllu` and of `udtools` either accept what an annotator gets wrong (two roots, a repeated sent_id, a
malformed feature) or stop at the first of it without the name of the sentence. Here every sentence that cannot be
compared becomes a `Fault` with file, line, sentence, token, what was expected and what was found.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from exports.warehouse import ExportError
from machine.check import find_cycle, load_inventories
from runtime.conllu import COLUMNS, EMPTY, Block, RowError, blocks, columns, sent_id

ID, FORM, UPOS, FEATS, HEAD, DEPREL = (
    COLUMNS.index(name) for name in ("id", "form", "upos", "feats", "head", "deprel")
)

FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?=[A-Za-z0-9]+(?:,[A-Za-z0-9]+)*")
NOT_UTF8 = re.compile("[\udc80-\udcff]")
SHOWN = 60
"""Characters of a wrong value that a message repeats."""


class Token(NamedTuple):
    """What is compared of a token: features as `Name=Value`, one for each value; heads from 1, the root's is 0."""

    form: str
    upos: str | None
    feats: frozenset[str]
    head: int
    deprel: str


class Sentence(NamedTuple):
    """A tree with one root, and the line of the file where it begins."""

    line: int
    tokens: tuple[Token, ...]


class Fault(NamedTuple):
    """Why a sentence is left out.

    Attributes:
        file: name of the file, without its folder.
        sentence: its sent_id; empty when it has none.
        token: the token's id as the file has it, or None when the whole sentence is meant.
        line: line of the file, from 1; None in the published layer.
    """

    file: str
    sentence: str
    token: str | None
    line: int | None
    expected: str
    found: str

    def __str__(self) -> str:
        """Return the fault as one line.

        >>> print(Fault("a.conllu", "s-1", "2", 5, "a head from 0 to 3", "'9'"))
        a.conllu, line 5, sentence s-1, token 2: expected a head from 0 to 3, found '9'
        """
        place = [self.file]
        place += [f"line {self.line}"] if self.line is not None else []
        place += [f"sentence {self.sentence}"] if self.sentence else []
        place += [f"token {self.token}"] if self.token is not None else []
        return f"{', '.join(place)}: expected {self.expected}, found {self.found}"


@dataclass
class Trees:
    """The sentences of one file, or of the published layer, by sent_id.

    Attributes:
        name: name of the file, without its folder.
        sha256: checksum of the file; empty for the published layer.
        sentences: those that can be compared.
        faults: one for every sentence that cannot.
    """

    name: str
    sha256: str = ""
    sentences: dict[str, Sentence] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


class _WrongError(Exception):
    """A sentence cannot be used: token, line, expected, found."""


def shown(value: str) -> str:
    """Return a value for a message: quoted, short, without control characters."""
    return f"'{printable(value[:SHOWN])}'" + ("..." if len(value) > SHOWN else "")


def printable(value: str) -> str:
    r"""Return a string whose control characters and broken bytes are written as escapes.

    >>> printable("s-1\x1b[31m")
    's-1\\x1b[31m'
    """
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in value)


def split_features(text: str) -> frozenset[str]:
    """Return the features of a FEATS column, several values of one feature taken apart.

    >>> sorted(split_features("Case=Nom|Gender=Masc,Neut"))
    ['Case=Nom', 'Gender=Masc', 'Gender=Neut']
    >>> split_features("_")
    frozenset()
    """
    if text in (EMPTY, ""):
        return frozenset()
    found = []
    for pair in text.split("|"):
        name, _, values = pair.partition("=")
        found += [f"{name}={value}" for value in values.split(",")]
    return frozenset(found)


def read_trees(path: Path, wanted: Collection[str] | None = None) -> Trees:
    """Read a CoNLL-U file.

    Args:
        path: the file; UTF-8, with or without a byte order mark, lines ended by LF or CRLF.
        wanted: read only the sentences with these ids; all by default.

    Raises:
        ExportError: the file is empty or is not text in UTF-8 at all.
        OSError: it cannot be read.
    """
    data = path.read_bytes()
    if not data.strip():
        raise ExportError(f"{path}: expected sentences in CoNLL-U, found an empty file")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:1000]:
        raise ExportError(f"{path}: expected UTF-8, found another encoding: save it as UTF-8")
    trees = Trees(path.name, hashlib.sha256(data).hexdigest())
    first: dict[str, int] = {}
    repeated: set[str] = set()
    found = [block for block in blocks(data.decode(errors="surrogateescape")) if block.rows]
    for block in found:
        _read_block(trees, block, wanted, first, repeated)
    if not found:
        raise ExportError(f"{path}: expected sentences in CoNLL-U, found no line with a token")
    for name in repeated:
        trees.sentences.pop(name, None)
    return trees


def _read_block(
    trees: Trees,
    block: Block,
    wanted: Collection[str] | None,
    first: dict[str, int],
    repeated: set[str],
) -> None:
    """Add a sentence, or its fault."""
    named = [(line, printable(found)) for line, text in block.lines() if (found := sent_id(text))]
    name = named[0][1] if named else ""
    if wanted is not None and named and not any(known in wanted for _, known in named):
        return

    def fault(token: str | None, line: int, expected: str, found: str) -> None:
        trees.faults.append(Fault(trees.name, name, token, line, expected, found))

    if not named:
        fault(None, block.line, "a comment # sent_id", "none")
    elif len(named) > 1:
        fault(None, named[1][0], "a blank line before the next sentence", f"sent_id {named[1][1]}")
    elif name in first:
        repeated.add(name)
        fault(
            None, named[0][0], "every sent_id once", f"one that stands on line {first[name]} too; neither is compared"
        )
    else:
        first[name] = named[0][0]
        try:
            trees.sentences[name] = Sentence(block.line, _tokens(block))
        except _WrongError as wrong:
            token, line, expected, found = wrong.args
            fault(token, line, expected, found)


def _tokens(block: Block) -> tuple[Token, ...]:
    """Return the tokens of a sentence.

    Raises:
        _WrongError: the first thing that keeps it from being compared.
    """
    rows: list[tuple[int, list[str]]] = []
    for line, text in block.lines():
        if NOT_UTF8.search(text):
            raw = text.encode("utf-8", errors="surrogateescape")
            raise _WrongError(None, line, "UTF-8", shown(raw.decode("ascii", errors="backslashreplace")))
        if not text.startswith("#"):
            rows.append((line, _columns(line, text, len(rows) + 1)))
    if all(row[HEAD] == row[DEPREL] == EMPTY for _, row in rows):
        raise _WrongError(None, rows[0][0], "heads and relations", "a sentence that is still blank")
    tokens = tuple(_token(line, row, len(rows)) for line, row in rows)
    _check_tree(tokens, rows[0][0])
    return tokens


def _columns(line: int, text: str, number: int) -> list[str]:
    """Return the ten columns of a line; its id has to be `number`."""
    try:
        row = columns(text, number)
    except RowError as error:
        what = f": {shown(text)}" if len(text.split("\t")) != len(COLUMNS) else ""
        raise _WrongError(error.token, line, error.expected, printable(error.found[:SHOWN]) + what) from None
    if any(not cell or cell != cell.strip() for cell in row):
        raise _WrongError(
            row[ID], line, "no empty column and no blank around a value (a missing value is _)", shown(text)
        )
    return row


def _token(line: int, row: Sequence[str], length: int) -> Token:
    """Return a token of a sentence of `length` tokens."""
    name, head, relation, tag = row[ID], row[HEAD], row[DEPREL], row[UPOS]
    is_number = head.isascii() and head.isdigit() and len(head) < 10
    if not is_number or not 0 <= int(head) <= length or head == name:
        raise _WrongError(name, line, f"a head from 0 to {length} that is another token", shown(head))
    if relation.partition(":")[0] not in load_inventories().relations:
        raise _WrongError(name, line, "a relation of UD v2", shown(relation))
    if (relation.partition(":")[0] == "root") != (int(head) == 0):
        raise _WrongError(
            name, line, "the relation root with the head 0 and nowhere else", f"{shown(relation)} with the head {head}"
        )
    if tag != EMPTY and tag not in load_inventories().upos:
        raise _WrongError(name, line, "a tag of UD v2", shown(tag))
    pairs = [] if row[FEATS] == EMPTY else row[FEATS].split("|")
    names = [pair.partition("=")[0] for pair in pairs]
    if not all(FEATURE.fullmatch(pair) for pair in pairs) or len(set(names)) < len(names):
        raise _WrongError(name, line, "features as Name=Value|Name=Value, each name once", shown(row[FEATS]))
    form = unicodedata.normalize("NFC", row[FORM])
    return Token(form, None if tag == EMPTY else tag, split_features(row[FEATS]), int(head), relation)


def _check_tree(tokens: Sequence[Token], line: int) -> None:
    """Raise _WrongError unless there is one root and no cycle."""
    roots = [str(number) for number, token in enumerate(tokens, start=1) if token.head == 0]
    if len(roots) > 1:
        raise _WrongError(None, line, "one root", f"{len(roots)}: tokens {', '.join(roots)}")
    ring = find_cycle([token.head for token in tokens])
    if ring:
        raise _WrongError(None, line, "a tree", f"a cycle of the tokens {', '.join(map(str, sorted(ring)))}")


def from_rows(name: str, rows: Iterator[tuple[str, Sequence[dict[str, Any]]]]) -> Trees:
    """Return sentences of a published layer, which the export has checked."""
    trees = Trees(name)
    for sentence, tokens in rows:
        trees.sentences[sentence] = Sentence(
            0,
            tuple(
                Token(
                    token["form"], token["upos"], split_features(token["feats"] or ""), token["head"], token["deprel"]
                )
                for token in tokens
            ),
        )
    return trees
