"""What an address of the page asks for, and the address of what is asked: every request has a link that stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from exports.ask.patterns.search import Question

KEYS = 3
"""Fields for keys on the page."""


@dataclass(frozen=True)
class Asked:
    """A pattern with where and how it is asked, as the form of the page has it.

    Attributes:
        request: the pattern.
        layer, scope: as in `Question`.
        author: an author, or empty for all.
        keys: what hits are counted by; none is empty.
        whether: clauses that hits are counted by, or empty.
    """

    request: str = ""
    layer: str = "ud"
    scope: str = "distinct"
    author: str = ""
    keys: tuple[str, ...] = ()
    whether: str = ""

    def question(self, is_counted: bool = True) -> Question:
        """Return the question.

        Args:
            is_counted: with its keys.
        """
        keys, whether = (self.keys, (self.whether,) if self.whether else ()) if is_counted else ((), ())
        return Question(self.request, self.layer, self.scope, keys, whether, self.author or None)

    def address(self) -> str:
        """Return the part of the address behind the question mark; what is as usual is left out."""
        usual = Asked()
        pairs = [("request", self.request)]
        pairs += [
            (name, getattr(self, name))
            for name in ("layer", "scope", "author")
            if getattr(self, name) != getattr(usual, name)
        ]
        pairs += [("key", key) for key in self.keys]
        if self.whether:
            pairs.append(("whether", self.whether))
        return urlencode(pairs)


def read_asked(given: Iterable[tuple[str, str]]) -> Asked:
    """Return what the pairs of an address ask; a pair of another name is left alone."""
    values: dict[str, list[str]] = {}
    for name, value in given:
        values.setdefault(name, []).append(value.replace("\r\n", "\n"))

    def last(name: str, usual: str) -> str:
        return (values.get(name) or [usual])[-1].strip() or usual

    usual = Asked()
    return Asked(
        request=(values.get("request") or [""])[-1].strip("\n"),
        layer=last("layer", usual.layer),
        scope=last("scope", usual.scope),
        author=last("author", ""),
        keys=tuple(key.strip() for key in values.get("key", []) if key.strip()),
        whether=last("whether", ""),
    )


@dataclass(frozen=True)
class Example:
    """A request to begin with.

    Attributes:
        title: what it finds.
        address: its address on the page.
    """

    title: str
    address: str


def read_example(text: str) -> tuple[str, Asked]:
    r"""Return title and request of an example: its comments `% key:` and `% whether:` fill the fields of the form.

    >>> title, asked = read_example("% Subjects\n% key: S.Case\npattern { V -[nsubj]-> S }\n")
    >>> title, asked.request, asked.keys
    ('Subjects', 'pattern { V -[nsubj]-> S }', ('S.Case',))
    """
    title, keys, whether, lines = "", [], "", []
    for line in text.splitlines():
        if line.startswith("% key: "):
            keys.append(line.removeprefix("% key: "))
        elif line.startswith("% whether: "):
            whether = line.removeprefix("% whether: ")
        elif line.startswith("% ") and not title:
            title = line.removeprefix("% ")
        else:
            lines.append(line)
    return title, Asked(request="\n".join(lines).strip("\n"), keys=tuple(keys), whether=whether)


def examples() -> list[Example]:
    """Return the examples beside this module, in the order of their names."""
    found = []
    for path in sorted((Path(__file__).parent / "examples").glob("*.req")):
        title, asked = read_example(path.read_text(encoding="utf-8"))
        found.append(Example(title, f"/?{asked.address()}"))
    return found


def sql_address(statement: str) -> str:
    """Return the address of a statement of SQL."""
    return f"/sql?{urlencode({'statement': statement})}"


def sentence_address(sentence_id: str, layer: str, marks: Mapping[str, int] | None = None) -> str:
    """Return the address of the trees of a sentence.

    Args:
        sentence_id: the sentence.
        layer: the layer that was asked.
        marks: position of every word that stands out, by its name.
    """
    pairs = {"id": sentence_id, "layer": layer}
    if marks:
        pairs["mark"] = ",".join(f"{position}:{name}" for name, position in marks.items() if position)
    return f"/sentence?{urlencode(pairs)}"


def read_marks(text: str) -> dict[int, str]:
    """Return the words of `mark=3:V,7:S`; what is no number is left alone.

    >>> read_marks("3:V,7,x:y")
    {3: 'V', 7: ''}
    """
    marks = {}
    for part in text.split(","):
        number, _, name = part.partition(":")
        if number.isascii() and number.isdigit() and len(number) < 7:
            marks[int(number)] = name
    return marks
