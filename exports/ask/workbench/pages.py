"""The templates of the page, and the help, which is the document of the patterns itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from exports.ask.patterns.faults import Place
from exports.ask.pictures.svg import COLOURS
from exports.ask.query import askable
from exports.ask.workbench.asked import Example, sql_address
from exports.warehouse import ExportError
from runtime.checkout import project_root

HERE = Path(__file__).parent
PICTURES = HERE.parent / "pictures"
ACCOUNT = HERE.parent / "account"

TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader([HERE, PICTURES, ACCOUNT]),
    undefined=jinja2.StrictUndefined,
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
"""Everything that a template shows is escaped."""

TEMPLATES.filters["number"] = lambda value: "" if value is None else f"{value:,}"
TEMPLATES.filters["rate"] = lambda value: "" if value is None else f"{value:,.1f}"


def page(name: str, **values: Any) -> str:
    """Return a page of a template."""
    return TEMPLATES.get_template(name).render(**values)


def style() -> str:
    """Return the style sheet, with the colours of the pictures."""
    return page("style.css.jinja", colours=COLOURS)


SYNTAX = "What is supported"
"""The part of the document that stands beside the form."""


def help_text(section: str | None = None) -> Markup | None:
    """Return the document of the patterns, or a section of it, as HTML; None where there is no checkout."""
    from markdown_it import MarkdownIt

    try:
        path = project_root(ExportError) / "docs" / "patterns.md"
        text = path.read_text(encoding="utf-8")
    except (ExportError, OSError):
        return None
    if section is not None:
        text = text.partition(f"## {section}\n")[2].partition("\n## ")[0]
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Links to other documents of the checkout lead nowhere here.
    return Markup(re.sub(r'<a href="(?!https:)[^"]*">(.*?)</a>', r"\1", reader.render(text)))


def sql_examples() -> list[Example]:
    """Return the questions of the cookbook, each with its first line as its title; none where there is no checkout."""
    try:
        folder = project_root(ExportError) / "analyses" / "cookbook"
    except ExportError:
        return []
    found = []
    for path in sorted(folder.glob("*.sql")):
        text = askable(path.read_text(encoding="utf-8"))
        found.append(Example(text.partition("\n")[0].removeprefix("-- "), sql_address(text)))
    return found


def marked(text: str, place: Place) -> tuple[str, str, str]:
    r"""Return a request cut into what stands before a place, the sign there, and the rest.

    >>> marked("pattern {\n X [ }", Place(2, 6))
    ('pattern {\n X [ ', '}', '')
    """
    lines = text.split("\n")
    line = min(place.line, len(lines)) - 1
    start = sum(len(before) + 1 for before in lines[:line]) + min(place.column - 1, len(lines[line]))
    return text[:start], text[start : start + 1].strip("\n") or "␣", text[start + 1 :]


def cells(rows: Sequence[Sequence[Any]]) -> list[list[tuple[str, bool]]]:
    """Return the values of a table as text, with whether each is a number."""
    return [
        [
            ("" if value is None else str(value), isinstance(value, (int, float)) and not isinstance(value, bool))
            for value in row
        ]
        for row in rows
    ]
