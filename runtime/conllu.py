"""CoNLL-U as text: sentences cut at blank lines, rows of ten columns, trees written.

Everything that reads or writes trees of published sentences does it here: parses made elsewhere, the artefact of a
parse, audits, the dataset. What a reader makes of a row is its own matter, and so is whether a fault ends the run or
costs a sentence. The reader of the treebanks, `ingest.readers.conllu_ud`, is another one for a reason: it keeps ranges,
empty nodes and every value as written, and hands whole files to Arrow as bytes.

Nothing but the standard library is needed, and no other module of the project: the file can stand alone beside a
dataset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
EMPTY = "_"
"""A missing value."""

Token = Mapping[str, Any]
"""A token with id, form, lemma, upos, feats, head and deprel; XPOS, DEPS and MISC are not published."""

Unit = Sequence[Sequence[Token]]
"""Sentences of tokens, as `conllu_human[i]` of a row gives them."""

_BLANK = re.compile(r"\n(?:[^\S\n]*\n)+")
_LEADING_BLANK = re.compile(r"(?:[^\S\n]*\n)+")


class Block(NamedTuple):
    """One sentence of a file, not yet read.

    Attributes:
        line: number of its first line.
        comments: the comment lines before its first row, whole.
        rows: its other lines; a comment that stands between them is one of them.
    """

    line: int
    comments: list[str]
    rows: list[str]

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of every line."""
        return enumerate([*self.comments, *self.rows], self.line)

    def numbered_rows(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of the rows."""
        return enumerate(self.rows, self.line + len(self.comments))


class RowError(ValueError):
    """Why a line is no row of a published sentence.

    Attributes:
        token: the id that it has, None where it has no columns.
        expected, found: what should stand there and what does.
    """

    def __init__(self, token: str | None, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.token, self.expected, self.found = token, expected, found


def blocks(text: str) -> Iterator[Block]:
    r"""Cut a text into sentences at its blank lines; a byte order mark and other line ends than LF may be there.

    >>> [(block.line, block.rows) for block in blocks("# a\n1\tναί\n \n\n1\tοὔ\n")]
    [(1, ['1\tναί']), (5, ['1\tοὔ'])]
    """
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    number, start = 1, 0
    leading = _LEADING_BLANK.match(text)
    if leading:
        number, start = 1 + leading[0].count("\n"), leading.end()
    while start < len(text):
        blank = _BLANK.search(text, start)
        stop, after = (blank.start(), blank.end()) if blank else (len(text), len(text))
        lines = text[start:stop].split("\n")
        if not lines[-1] or lines[-1].isspace():
            lines.pop()
        if lines:
            first = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
            yield Block(number, lines[:first], lines[first:])
        number += text.count("\n", start, after)
        start = after


def comment_values(comments: Iterable[str]) -> dict[str, str]:
    """Return the values of ``# key = value`` comments; of a repeated key the first counts, without a sign it is empty.

    >>> comment_values(["# newdoc", "# sent_id = s-1", "# sent_id = s-2"])
    {'newdoc': '', 'sent_id': 's-1'}
    """
    values: dict[str, str] = {}
    for comment in comments:
        key, _, value = comment[1:].partition("=")
        values.setdefault(key.strip(), value.strip())
    return values


def sent_id(line: str) -> str | None:
    """Return the id that a comment gives to its sentence; None for every other line, and for an empty id.

    >>> sent_id("# sent_id = s-1"), sent_id("# text = ναί"), sent_id("#sent_id =")
    ('s-1', None, None)
    """
    return comment_values([line]).get("sent_id") or None if line.startswith("#") else None


def columns(row: str, number: int) -> list[str]:
    """Return the ten columns of a line that should be the word of a number; what they hold is not looked at.

    Raises:
        RowError: not ten columns, a multiword token, an empty node, or an id that is another number.
    """
    fields = row.split("\t")
    token = fields[0]
    if len(fields) == len(COLUMNS) and token == str(number):
        return fields
    if len(fields) != len(COLUMNS):
        named = token if len(fields) > 1 else None
        raise RowError(named, f"{len(COLUMNS)} columns with tabs between them", str(len(fields)))
    if "-" in token:
        found = f"the multiword token {token}: published tokens are syntactic words"
    elif "." in token:
        found = f"the empty node {token}: published sentences have none"
    else:
        found = repr(token)
    raise RowError(token, f"token {number}", found)


def row(
    number: int | str,
    form: str,
    lemma: str | None,
    upos: str | None,
    feats: str | None,
    head: int | str,
    deprel: str | None,
) -> str:
    """Return a token as a line of ten columns, without the line end; a missing value is `_`.

    Raises:
        ValueError: a field holds a tab or a line end, which would cut the line in two.
    """
    line = (
        f"{number}\t{form}\t{lemma or EMPTY}\t{upos or EMPTY}\t{EMPTY}\t{feats or EMPTY}\t{head}\t{deprel or EMPTY}"
        f"\t{EMPTY}\t{EMPTY}"
    )
    if line.count("\t") != len(COLUMNS) - 1 or "\n" in line or "\r" in line:
        raise ValueError(f"token {number} {form!r}: a field holds a tab or a line end")
    return line


def sentence(rows: Iterable[str], comments: Iterable[tuple[str, str]] = ()) -> str:
    """Return the text of a sentence: its comments, its rows, and the blank line that ends it."""
    return "\n".join([*(f"# {key} = {value}" for key, value in comments), *rows, "", ""])


def render_token(token: Token) -> str:
    r"""One token as a line of ten tab-separated columns, without the line end.

    >>> render_token(dict(id=1, form="λέγε", lemma="λέγω", upos="VERB", feats=None, head=0, deprel="root"))
    '1\tλέγε\tλέγω\tVERB\t_\t_\t0\troot\t_\t_'

    Raises:
        ValueError: a field holds a tab or a line end, which would cut the line in two.
    """
    return row(
        token["id"],
        token["form"],
        token["lemma"],
        token["upos"],
        token["feats"],
        token["head"],
        token["deprel"],
    )


def render_conllu(
    unit: Unit,
    sent_ids: Iterable[str] = (),
    comments: Mapping[str, str] | None = None,
) -> str:
    """Return a unit (or all units of a row, one after the other) as canonical CoNLL-U text.

    Args:
        unit: sentences of tokens, as `conllu_human[i]` gives them.
        sent_ids: a `# sent_id` for each sentence; none by default, because model-facing trees carry no comments.
        comments: further comments, the same for each sentence, for example `{"author": "Lysias"}`.

    Every sentence ends with a blank line. A missing value is `_`.

    >>> token = dict(id=1, form="ναί", lemma=None, upos="ADV", feats=None, head=0, deprel="root")
    >>> render_conllu([[token]], ["s-1"]).splitlines()[:2]
    ['# sent_id = s-1', '# text = ναί']
    """
    names = iter(sent_ids)
    texts = []
    for tokens in unit:
        name = next(names, None)
        told: list[tuple[str, str]] = []
        if name is not None:
            told = [("sent_id", name), *(comments or {}).items(), ("text", " ".join(token["form"] for token in tokens))]
        texts.append(sentence(map(render_token, tokens), told))
    return "".join(texts)
