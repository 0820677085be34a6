"""Pictures of the site as SVG: the layers, the way of a field, a flow, bars. Text is escaped, colours are classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from exports.ask.pictures.arcs import text_width
from exports.site.graph import Graph, Way
from exports.site.lineage import CONSTANT, RANK, Kind, Origin

ROW, BOX, GAP, SMALL = 86.0, 40.0, 16.0, 11.0
"""From one row of boxes to the next, height of a box, between boxes, size of letters; all in points."""

NARROW = 360.0
"""What a narrow screen shows of a picture without being moved."""

COLOURS = 12
"""Colours of a flow and of bars, the classes `c0` and so on of the stylesheet."""


@dataclass
class Box:
    """A relation in the picture of a way: its columns, its row, and where it stands."""

    name: str
    kind: str
    columns: list[str]
    row: int = 0
    x: float = 0.0
    width: float = 0.0

    @property
    def label(self) -> str:
        """The name, without the layer where the name has it."""
        return self.name.removeprefix("intermediate.").removeprefix("staging.")

    @property
    def told(self) -> str:
        """The columns in one line."""
        named = ", ".join(self.columns[:3])
        return named + (f" and {len(self.columns) - 3} more" if len(self.columns) > 3 else "")


def element(width: float, height: float, title: str, inside: str) -> Markup:
    """Return a picture with its title in words; what is inside is escaped already."""
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{w:.0f}" height="{h:.0f}" '
        'viewBox="0 0 {w:.0f} {h:.0f}">'
        "<title>{title}</title>{inside}</svg>"
    ).format(w=width, h=height, title=title, inside=Markup(inside))


def text(x: float, y: float, said: object, anchor: str = "middle", css: str = "") -> Markup:
    """Return a text."""
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}" class="{}">{}</text>').format(x, y, anchor, css, said)


def way_picture(graph: Graph, field: str, ways: Sequence[Way], link: Callable[[str], str | None]) -> Markup:
    """Return the way of a field: the published file above, raw tables and seeds below, one box for every relation.

    Args:
        graph: the columns of the warehouse.
        field: its name.
        ways: those that are drawn.
        link: address of the page of a relation, or None.
    """
    boxes, links = boxes_of(graph, field, ways)
    by_row: dict[int, list[Box]] = {}
    for box in boxes.values():
        by_row.setdefault(box.row, []).append(box)
    for row in by_row.values():
        x = GAP
        for box in row:
            box.width = max(text_width(box.label, SMALL), text_width(box.told, SMALL - 1)) + 16
            box.x = x
            x += box.width + GAP
    width = max(row[-1].x + row[-1].width for row in by_row.values()) + GAP
    for row in by_row.values():
        # What is narrow stands in the middle of a narrow screen: a wide picture begins at its left there.
        shift = max((min(width, NARROW) - GAP - row[-1].x - row[-1].width) / 2, 0)
        for box in row:
            box.x += shift
    lines = [
        Markup('<path class="way {}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>').format(
            kind.replace("-", ""), *foot(boxes[upper]), boxes[lower].x + boxes[lower].width / 2, top(boxes[lower])
        )
        for (upper, lower), kind in sorted(links.items())
    ]
    drawn = [drawn_box(box, link(box.name)) for box in boxes.values()]
    height = GAP + (max(by_row) + 1) * ROW
    title = f"{field}: from the published file through {len(boxes) - 1} relations"
    return element(width, height, title, "".join([*lines, *drawn]))


def boxes_of(graph: Graph, field: str, ways: Sequence[Way]) -> tuple[dict[str, Box], dict[tuple[str, str], Kind]]:
    """Return the relations of some ways with their rows, and the links between them, each with its closest kind."""
    boxes = {field: Box(field, "published", ["in the files"])}
    links: dict[tuple[str, str], Kind] = {}

    def note(upper: str, lower: Origin, kind: Kind) -> None:
        name, column = lower
        shown = column if name == CONSTANT else ""
        kind_of = "constant" if name == CONSTANT else graph.nodes[name].kind
        box = boxes.setdefault(name, Box(name, kind_of, []))
        if (shown or column) not in box.columns:
            box.columns.append(shown or column)
        if upper != name and ((upper, name) not in links or RANK[kind] < RANK[links[upper, name]]):
            links[upper, name] = kind

    for way in ways:
        note(field, way.chain[0], "value")
        for above, below in pairwise(way.chain):
            note(above[0], below, graph.origins[above][below])
    # A relation stands below all that are made of it; there is no circle among models.
    for _ in range(len(boxes)):
        is_moved = False
        for upper, lower in sorted(links):
            if boxes[lower].row <= boxes[upper].row:
                boxes[lower].row, is_moved = boxes[upper].row + 1, True
        if not is_moved:
            break
    return boxes, links


def top(box: Box) -> float:
    """Return the upper edge of a box."""
    return GAP + box.row * ROW


def foot(box: Box) -> tuple[float, float]:
    """Return the middle of the lower edge of a box."""
    return box.x + box.width / 2, top(box) + BOX


def drawn_box(box: Box, address: str | None) -> Markup:
    """Return a box, with its link where it has a page."""
    middle, y = box.x + box.width / 2, top(box)
    inside = Markup('<rect class="box {}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="4"/>').format(
        box.kind, box.x, y, box.width, BOX
    )
    inside += text(middle, y + 16, box.label, css="name") + text(middle, y + 31, box.told, css="soft")
    return Markup('<a href="{}">{}</a>').format(address, inside) if address else inside


def layers_picture(layers: Sequence[tuple[str, str, str]]) -> Markup:
    """Return the layers of the warehouse from left to right; each with its name, a line about it, and an address."""
    width, parts, x = 116.0, [], GAP
    for place, (name, said, address) in enumerate(layers):
        parts.append(
            Markup(
                '<a href="{}"><rect class="box layer{}" x="{:.1f}" y="16" width="{}" height="56" rx="6"/>{}{}</a>'
            ).format(
                address,
                place,
                x,
                width,
                text(x + width / 2, 40, name, css="name"),
                text(x + width / 2, 58, said, css="soft"),
            )
        )
        if place:
            parts.append(Markup('<path class="way value" d="M{:.1f} 44h{}"/>').format(x - 26, 22))
        x += width + 28
    return element(x, 90, "The layers: " + ", then ".join(name for name, _, _ in layers), "".join(parts))


def flow_picture(counts: Mapping[tuple[str, str], int], left: str, right: str, order: Sequence[str] = ()) -> Markup:
    """Return a flow from names on the left to names on the right, as wide as their counts.

    Args:
        counts: by a name on the left and one on the right.
        left: what the names on the left are.
        right: what those on the right are; they have the colours.
        order: names on the right from above; others follow by their alphabet.
    """
    whole = sum(counts.values()) or 1
    found = {pair[1] for pair in counts}
    sides = [sorted({pair[0] for pair in counts}), [*(one for one in order if one in found), *sorted(found - {*order})]]
    height, gap, x1, x2 = 420.0, 13.0, 120.0, 420.0
    starts: list[dict[str, float]] = []
    parts: list[str] = []
    for side, names in enumerate(sides):
        y, at = 24.0, {}
        for place, name in enumerate(names):
            number = sum(count for pair, count in counts.items() if pair[side] == name)
            tall = height * number / whole
            at[name] = y
            x, css = (x2, f"c{place % COLOURS}") if side else (x1, "plain")
            parts.append(
                Markup('<rect class="{}" x="{}" y="{:.1f}" width="10" height="{:.2f}"/>').format(
                    css, x, y, max(tall, 0.6)
                )
            )
            said = f"{name} {number:,}"
            beside = (x2 + 16, "start") if side else (x1 - 6, "end")
            parts.append(text(beside[0], y + max(tall / 2, 2) + 4, said, beside[1], "soft"))
            y += max(tall, 2) + gap
        starts.append(at)
    ends = [dict(start) for start in starts]
    middle = (x1 + x2) / 2
    for one in sides[0]:
        for place, other in enumerate(sides[1]):
            tall = height * counts.get((one, other), 0) / whole
            if not tall:
                continue
            a, b = ends[0][one], ends[1][other]
            parts.append(
                Markup(
                    '<path class="flow c{}" d="M{:.1f} {:.2f}C{m:.1f} {:.2f} {m:.1f} {:.2f} {:.1f} {:.2f}v{t:.2f}'
                    'C{m:.1f} {:.2f} {m:.1f} {:.2f} {:.1f} {:.2f}z"/>'
                ).format(
                    place % COLOURS,
                    *(x1 + 10, a, a, b, x2, b),
                    *(b + tall, a + tall, x1 + 10, a + tall),
                    m=middle,
                    t=tall,
                )
            )
            ends[0][one], ends[1][other] = a + tall, b + tall
    lowest = max(max(end.values(), default=0) for end in ends) + 30
    return element(620, lowest, f"{left} and {right}: {whole:,} sentences", "".join(parts))


WIDE = 420.0
"""The length of the longest bar."""


def edge(names: Sequence[str]) -> float:
    """Return where bars begin that have these names on their left."""
    return max((text_width(name, SMALL) for name in names), default=0.0) + 12


def legend(left: float, names: Sequence[str], classes: Sequence[str] = ()) -> list[Markup]:
    """Return the colours of a picture with their names, in a line; by default the classes `c0` and so on."""
    drawn, x = [], left
    for place, name in enumerate(names):
        css = classes[place] if classes else f"c{place % COLOURS}"
        drawn.append(Markup('<rect class="{}" x="{:.1f}" y="6" width="10" height="10"/>').format(css, x))
        drawn.append(text(x + 14, 15, name, "start", "soft"))
        x += 14 + text_width(name, SMALL) + 16
    return drawn


def room(left: float, names: Sequence[str], found: Sequence[str]) -> float:
    """Return the width of a picture with this legend and these figures at the ends of its bars."""
    line = left + sum(30 + text_width(name, SMALL) for name in names)
    return max(line, left + WIDE + 12 + max((text_width(one, SMALL) for one in found), default=0))


def bars_picture(title: str, bars: Sequence[tuple[str, Sequence[int]]], names: Sequence[str]) -> Markup:
    """Return bars of several parts below each other, each with its name; `names` are those of the parts."""
    most = max((sum(parts) for _, parts in bars), default=0) or 1
    left = edge([name for name, _ in bars])
    drawn = legend(left, names)
    for row, (name, parts) in enumerate(bars):
        y, x = 28.0 + row * 20, left
        drawn.append(text(left - 6, y + 11, name, "end", "soft"))
        for place, number in enumerate(parts):
            wide = WIDE * number / most
            drawn.append(
                Markup(
                    '<rect class="c{}" x="{:.1f}" y="{:.1f}" width="{:.2f}" height="14"><title>{}</title></rect>'
                ).format(place % COLOURS, x, y, wide, f"{name}, {names[place]}: {number:,}")
            )
            x += wide
        drawn.append(text(x + 6, y + 11, f"{sum(parts):,}", "start", "soft"))
    width = room(left, names, [f"{sum(parts):,}" for _, parts in bars])
    return element(width, 40 + 20 * len(bars), title, "".join(drawn))


def pairs_picture(title: str, pairs: Sequence[tuple[str, float, float]], names: tuple[str, str], digits: int) -> Markup:
    """Return two bars for each name, such as before and after.

    Args:
        title: what the picture shows.
        pairs: name and both values, none below zero.
        names: what the two values are.
        digits: those behind the point of a value as it is told.
    """
    most = max((value for _, *values in pairs for value in values), default=0.0) or 1.0
    left = edge([name for name, *_ in pairs])
    drawn = legend(left, names, ("plain", "c0"))
    for row, (name, *values) in enumerate(pairs):
        y = 28.0 + row * 30
        drawn.append(text(left - 6, y + 15, name, "end", "soft"))
        for place, value in enumerate(values):
            wide = WIDE * value / most
            drawn.append(
                Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.2f}" height="10"/>').format(
                    ("plain", "c0")[place], left, y + 11 * place, wide
                )
            )
            drawn.append(text(left + wide + 6, y + 9 + 11 * place, f"{value:.{digits}f}", "start", "soft"))
    return element(room(left, names, ["0." + "0" * digits]), 40 + 30 * len(pairs), title, "".join(drawn))


def dots_picture(
    title: str, rows: Sequence[tuple[str, Mapping[str, float]]], marked: Sequence[str], others: str
) -> Markup:
    """Return a line for each name with a dot for every share on it, from nothing to all.

    Args:
        title: what the picture shows.
        rows: a name, and shares by the name of what has them.
        marked: those of the latter that have a colour.
        others: what the rest are.
    """
    classes = [f"c{place}" for place in range(len(marked))]
    names = [*marked, others]
    left = edge([name for name, _ in rows])
    drawn = legend(left, names, [*classes, "plain"])
    foot_of = 32.0 + 22 * len(rows)
    for tick in range(0, 11, 2):
        x = left + WIDE * tick / 10
        drawn.append(Markup('<path class="grid" d="M{:.1f} 26V{:.1f}"/>').format(x, foot_of))
        drawn.append(text(x, foot_of + 14, f"{tick * 10} %", css="soft"))
    for row, (name, shares) in enumerate(rows):
        y = 42.0 + row * 22
        drawn.append(text(left - 6, y + 4, name, "end", "soft"))
        if shares:
            low, high = (left + WIDE * bound for bound in (min(shares.values()), max(shares.values())))
            drawn.append(Markup('<path class="way" d="M{:.1f} {:.1f}H{:.1f}"/>').format(low, y, high))
        # What is marked is drawn last, above the others.
        for one in sorted(shares, key=lambda one: (one in marked, one)):
            css, size = (classes[marked.index(one)], 5) if one in marked else ("plain", 3)
            drawn.append(
                Markup('<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{}"><title>{}</title></circle>').format(
                    css, left + WIDE * shares[one], y, size, f"{name}, {one}: {100 * shares[one]:.1f} %"
                )
            )
    return element(max(room(left, names, []), left + WIDE + 30), foot_of + 24, title, "".join(drawn))
