"""A picture as SVG: arcs above the words, text that can be selected, told in words too, and no script."""

from __future__ import annotations

import hashlib
from pathlib import Path

import jinja2
from markupsafe import Markup

from exports.ask.pictures.arcs import SMALL, WORD, Arc, Layout, layout
from exports.ask.pictures.record import Panel, Picture

TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    undefined=jinja2.StrictUndefined,
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
"""Everything that a template shows is escaped."""

COLOURS = ("#ffd54f", "#81d4fa", "#a5d6a7", "#f8bbd0", "#d1c4e9", "#ffcc80", "#80cbc4", "#e6ee9c")
"""Backgrounds of words that stand out, by their order; black letters can be read on all of them."""

BEND = 7.0
"""Radius of the corners of an arc."""


def as_svg(picture: Picture, is_inline: bool = False) -> str:
    """Return a picture as one SVG element.

    Args:
        picture: the sentence.
        is_inline: for a page in HTML, without the line that begins a file of its own.
    """
    placed = layout(picture)
    layers = "-".join(panel.layer for panel in picture.panels)
    name = hashlib.sha256(f"{picture.sentence_id} {layers}".encode()).hexdigest()[:12]
    return TEMPLATES.get_template("tree.svg.jinja").render(
        picture=picture,
        layout=placed,
        name=f"tree-{name}",
        sizes={"word": WORD, "small": SMALL},
        colours=colours(picture),
        palette=COLOURS,
        path=path_of,
        arrow=arrow_of,
        told=in_words,
        left=lambda place: round(left_of(placed, place), 1),
        is_inline=is_inline,
    )


def as_markup(picture: Picture) -> Markup:
    """Return a picture for the inside of another template."""
    return Markup(as_svg(picture, is_inline=True))


def left_of(placed: Layout, place: int) -> float:
    """Return the left edge of a column."""
    return placed.xs[place] - placed.widths[place] / 2


def colours(picture: Picture) -> dict[str, int]:
    """Return a number for every name of a mark, in the order of the marks; it stands for a colour."""
    found: dict[str, int] = {}
    for panel in picture.panels:
        for name in panel.marks.values():
            found.setdefault(name, len(found) % len(COLOURS))
    return found


def path_of(arc: Arc, base: float) -> str:
    """Return the line of an arc, from its head to its dependent."""
    top = base - arc.top
    if arc.is_root:
        return f"M{arc.foot_x:.1f} {top + 3:.1f}V{base:.1f}"
    side = 1 if arc.foot_x > arc.head_x else -1
    bend = min(BEND, abs(arc.foot_x - arc.head_x) / 2) * side
    return (
        f"M{arc.head_x:.1f} {base:.1f}V{top + BEND:.1f}Q{arc.head_x:.1f} {top:.1f} {arc.head_x + bend:.1f} {top:.1f}"
        f"H{arc.foot_x - bend:.1f}Q{arc.foot_x:.1f} {top:.1f} {arc.foot_x:.1f} {top + BEND:.1f}V{base:.1f}"
    )


def arrow_of(arc: Arc, base: float) -> str:
    """Return the head of the arrow at the dependent."""
    return f"M{arc.foot_x:.1f} {base + 1:.1f}l-2.6 -6h5.2z"


def in_words(panel: Panel) -> str:
    """Return a tree in words, for who cannot see it.

    >>> from exports.ask.pictures.record import Word
    >>> in_words(Panel("ud", "UD", (Word(1, 0, "παῖς", 2, "nsubj"), Word(2, 1, "τρέχει", 0, "root"))))
    'UD: 1 παῖς is nsubj of 2 τρέχει; 2 τρέχει is root.'
    """
    forms = {word.position: word.form for word in panel.words}
    told = []
    for word in panel.words:
        label = word.label or "without label"
        if word.head is None:
            told.append(f"{word.position} {word.form} stands alone")
        elif word.head in forms and word.head != word.position:
            told.append(f"{word.position} {word.form} is {label} of {word.head} {forms[word.head]}")
        else:
            told.append(f"{word.position} {word.form} is {label}")
    return f"{panel.title}: {'; '.join(told)}."
