"""A drawing as SVG: a few kinds of marks, coordinates with one digit, no date and no library, so that bytes stay."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

INK, FAINT, PAPER = "#222222", "#9a9a9a", "#ffffff"
COLOURS = ("#2f6690", "#b3541e", "#4f7a3a", "#7d387d", "#8a6d1d", "#3b8a8a", "#a23b3b", "#5a5a8f")
"""Colours that stay apart in print and for most who see few colours."""


def number(value: float) -> str:
    """Return a coordinate as it is written.

    >>> number(1.25), number(2.0), number(-0.01)
    ('1.2', '2', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _attributes(given: dict[str, str | float | None]) -> str:
    parts = []
    for name, value in given.items():
        if value is not None:
            text = value if isinstance(value, str) else number(value)
            parts.append(f" {name.strip('_').replace('_', '-')}={quoteattr(text)}")
    return "".join(parts)


class Drawing:
    """One figure: marks are drawn in the order in which they are added."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self._marks: list[str] = []
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" '
            f'width="{number(width)}" height="{number(height)}" role="img" aria-labelledby="title description" '
            'font-family="Helvetica, Arial, sans-serif" font-size="11">\n'
            f'<title id="title">{escape(title)}</title>\n<desc id="description">{escape(description)}</desc>\n'
        )
        self.rectangle(0, 0, width, height, fill=PAPER)

    def mark(self, element: str, **attributes: str | float | None) -> None:
        """Add an element with its attributes; `_` in a name stands for `-`."""
        self._marks.append(f"<{element}{_attributes(attributes)}/>\n")

    def rectangle(self, x: float, y: float, width: float, height: float, **more: str | float | None) -> None:
        """Add a rectangle."""
        self.mark("rect", x=x, y=y, width=width, height=height, **more)

    def line(self, x: float, y: float, to_x: float, to_y: float, stroke: str = INK, **more: str | float | None) -> None:
        """Add a line."""
        self.mark("line", x1=x, y1=y, x2=to_x, y2=to_y, stroke=stroke, **more)

    def circle(self, x: float, y: float, radius: float, **more: str | float | None) -> None:
        """Add a circle."""
        self.mark("circle", cx=x, cy=y, r=radius, **more)

    def path(self, steps: str, **more: str | float | None) -> None:
        """Add a path."""
        self.mark("path", d=steps, **more)

    def text(self, x: float, y: float, words: str, **more: str | float | None) -> None:
        """Add words; `text_anchor` is start, middle or end."""
        given = {"x": x, "y": y, "fill": INK, **more}
        self._marks.append(f"<text{_attributes(given)}>{escape(words)}</text>\n")

    def whole(self) -> str:
        """Return the figure."""
        return f"{self._head}{''.join(self._marks)}</svg>\n"
