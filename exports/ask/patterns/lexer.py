"""A request as tokens with their places.

Inside `-[...]->` other signs belong to a word than outside: a label may contain a colon, a name may contain a dash.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from exports.ask.patterns.faults import Place, RequestError

MOST_CHARACTERS = 100_000
"""Length of the longest request that is read."""

NAME = re.compile(r"[A-Za-z_.][A-Za-z0-9_'.$-]*[A-Za-z0-9_'.$]|[A-Za-z_]")
LABEL = re.compile(r"[A-Za-z0-9_.-][A-Za-z0-9_/'.:@$-]*")
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
SIGNS = (
    *("->>", "-[^", "]->", "==>", "]=>", "=[^"),
    *("->", "-[", "<<", ">>", "><", "<>", "<=", ">=", "=["),
    *"≤≥<>{}[]():;,+|*!=/#",
)
LABEL_SIGNS = ("]->", "]=>", "<>", *"{}=,|*!]")
SAME = {"≤": "<=", "≥": ">="}


@dataclass(frozen=True)
class Token:
    """One token of a request.

    Attributes:
        kind: `name`, `label`, `number`, `text`, `expression` (re"..."), `slashed` (/.../), `end`, or the sign itself.
        value: what it says, quotes and escapes undone.
        place: where it begins.
        flags: `i` for `/.../i`.
    """

    kind: str
    value: str
    place: Place
    flags: str = ""

    def __str__(self) -> str:
        """Return the token as a message names it."""
        if self.kind == "end":
            return "the end of the request"
        if self.kind == "text":
            return f'"{self.value}"'
        if self.kind == "expression":
            return f're"{self.value}"'
        if self.kind == "slashed":
            return f"/{self.value}/{self.flags}"
        return f"'{self.value}'"


class Lexer:
    """Reads a request from left to right."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_CHARACTERS:
            raise RequestError(f"the request has {len(text):,} characters, at most {MOST_CHARACTERS:,} are read")
        self.text = text
        self.at = 0
        self.line = 1
        self.line_start = 0
        self.is_label = False
        self.previous = ""

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens, the last of them of the kind `end`.

        Raises:
            RequestError: a sign that belongs to nothing, or a text or expression without its end.
        """
        while True:
            self.skip()
            token = self.next_token()
            self.previous = token.kind
            yield token
            if token.kind == "end":
                return

    def place(self) -> Place:
        """Return where the next sign stands."""
        return Place(self.line, self.at - self.line_start + 1)

    def skip(self) -> None:
        """Go on to the next token, over blanks and comments."""
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == "%":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif sign.isspace() or sign == "\ufeff":
                self.at += 1
                if sign == "\n":
                    self.line, self.line_start = self.line + 1, self.at
            else:
                return

    def next_token(self) -> Token:
        """Return the token that begins here."""
        place = self.place()
        if self.at >= len(self.text):
            return Token("end", "", place)
        if self.text.startswith("#BEGIN", self.at):
            raise RequestError("lexicons (#BEGIN ... #END) are not supported: write the values out, lemma=a|b|c", place)
        if self.text.startswith('re"', self.at):
            self.at += 3
            return Token("expression", self.quoted('"', place), place)
        if self.text[self.at] == '"':
            self.at += 1
            return Token("text", unicodedata.normalize("NFC", self.quoted('"', place)), place)
        if self.text[self.at] == "/" and self.previous not in ("name", "text", "number", "expression"):
            return self.slashed(place)
        kinds = [("label", LABEL)] if self.is_label else [("number", NUMBER), ("name", NAME)]
        for kind, shape in kinds:
            found = shape.match(self.text, self.at)
            if found:
                self.at = found.end()
                return Token(kind, found[0], place)
        for sign in LABEL_SIGNS if self.is_label else SIGNS:
            if self.text.startswith(sign, self.at):
                self.at += len(sign)
                if sign in ("-[", "-[^"):
                    self.is_label = True
                elif self.is_label and sign in ("]->", "]=>", "}"):
                    self.is_label = False
                return Token(SAME.get(sign, sign), sign, place)
        raise self.unknown(place)

    def slashed(self, place: Place) -> Token:
        """Return an expression between slashes, and whether case counts."""
        self.at += 1
        value = self.quoted("/", place)
        if self.text.startswith("i", self.at):
            self.at += 1
            return Token("slashed", value, place, "i")
        return Token("slashed", value, place)

    def quoted(self, end: str, place: Place) -> str:
        """Return what stands before a closing sign, in which only that sign and a backslash are escaped."""
        parts: list[str] = []
        while self.at < len(self.text):
            sign = self.text[self.at]
            following = self.text[self.at + 1 : self.at + 2]
            if sign == end:
                self.at += 1
                return "".join(parts)
            if sign == "\n":
                break
            if sign == "\\" and following in (end, "\\"):
                parts.append(following)
                self.at += 2
            else:
                parts.append(sign)
                self.at += 1
        name = "an expression" if end == "/" else "a text"
        raise RequestError(f"{name} begins here and does not end on its line: write {end} after it", place)

    def unknown(self, place: Place) -> RequestError:
        """Return the error for a sign that begins no token."""
        word = re.match(r"[^\s\]\[{}|,;=<>\"]+", self.text[self.at :])
        if word and any(letter.isalpha() for letter in word[0]):
            return RequestError(f"unexpected '{word[0]}': write it in double quotes, \"{word[0]}\"", place)
        return RequestError(f"unexpected '{self.text[self.at]}'", place)
