"""A picture as a page of its own: the drawing, and its words as a table."""

from __future__ import annotations

from collections.abc import Sequence

from exports.ask.pictures.record import Picture
from exports.ask.pictures.svg import TEMPLATES, as_markup


def as_html(pictures: Sequence[Picture]) -> str:
    """Return pictures as one page, which needs nothing beside it and has no script."""
    drawn = [(picture, as_markup(picture)) for picture in pictures]
    return TEMPLATES.get_template("tree.html.jinja").render(drawn=drawn, title=pictures[0].citation)
