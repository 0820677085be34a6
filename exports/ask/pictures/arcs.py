"""Where everything of a picture stands: columns of words, arcs as high as what they span, labels that nothing covers.

All lengths are in points. The columns are those of the tokens and the same in all panels, so that a word stands below
itself. An arc lies above every arc that it spans, and above every one that it crosses; two of one height never
overlap. A label is as wide as its arc allows, because the columns are set apart until it fits.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from exports.ask.pictures.record import Panel, Picture

WORD, SMALL = 16.0, 10.5
"""Sizes of words, and of labels and numbers."""

LEVEL = 21.0
"""From one height of arcs to the next."""

GAP = 14.0
"""Between two words."""

SLOT = 6.0
"""Between the ends of two arcs at one word."""

PAD = 5.0
"""Beside a label, on both sides."""

MARGIN = 12.0
TITLE = 20.0
FOOT = 58.0
"""Height of the margins, of the title of a panel, and of the words with their numbers and classes."""


@dataclass(frozen=True)
class Arc:
    """A dependency, placed.

    Attributes:
        label: its label.
        head_x, foot_x: where it begins (at the head) and ends (at the dependent).
        top: height of its line above the words.
        label_x: middle of its label.
        head, foot: numbers of the words.
        is_root: a line from above, without a head.
    """

    label: str
    head_x: float
    foot_x: float
    top: float
    label_x: float
    head: int
    foot: int
    is_root: bool = False


@dataclass(frozen=True)
class Placed:
    """A panel, placed.

    Attributes:
        panel: what is in it.
        arcs: its dependencies, from the lowest.
        y: its upper edge.
        base: where its arcs end, above the words.
    """

    panel: Panel
    arcs: tuple[Arc, ...]
    y: float
    base: float


@dataclass(frozen=True)
class Layout:
    """A picture, placed.

    Attributes:
        xs: middle of every column.
        widths: width of every column.
        panels: from above.
        width, height: of the whole.
    """

    xs: tuple[float, ...]
    widths: tuple[float, ...]
    panels: tuple[Placed, ...]
    width: float
    height: float


@dataclass(frozen=True)
class Span:
    """A dependency over columns, not yet placed; `first` and `last` are equal for a root.

    Attributes:
        first, last: columns of its ends, from the left.
        head_first: whether the head is the left one.
        level: its height, 1 for the lowest.
        left, right: how far its ends stand from the middles of their columns.
    """

    first: int
    last: int
    head_first: bool
    label: str
    head: int
    foot: int
    level: int = 0
    left: float = 0.0
    right: float = 0.0


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is: letters of a generous width, marks that stand above another sign of none."""
    wide = sum(1.5 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text if _takes_room(sign))
    return wide * size * 0.62


def _takes_room(sign: str) -> bool:
    return not unicodedata.combining(sign) and unicodedata.category(sign) not in ("Mn", "Cf")


def spans_of(panel: Panel) -> list[Span]:
    """Return the dependencies of a panel with their heights, the lowest first.

    A word that is its own head, or whose head is not there, hangs on nothing, like a root. One without a head has no
    line.
    """
    columns = {word.position: word.place for word in panel.words}
    spans, roots = [], []
    for word in panel.words:
        if word.head is None:
            continue
        label, here = word.label or "", word.place
        head = columns.get(word.head)
        if head is None or head == here:
            roots.append(Span(here, here, True, label, 0, word.position))
        else:
            spans.append(Span(min(head, here), max(head, here), head < here, label, word.head, word.position))
    spans.sort(key=lambda span: (span.last - span.first, span.first, span.foot))
    placed = _heightened(spans)
    return placed + _heightened_roots(roots, placed)


def _heightened(spans: Sequence[Span]) -> list[Span]:
    """Give every dependency the lowest height above all that it spans where it overlaps no other."""
    placed: list[Span] = []
    for span in spans:
        below, beside = 0, set()
        for other in placed:
            if other.last <= span.first or span.last <= other.first:
                continue
            if span.first <= other.first and other.last <= span.last:
                below = max(below, other.level)
            else:
                beside.add(other.level)
        level = below + 1
        while level in beside:
            level += 1
        placed.append(replace(span, level=level))
    return placed


def _heightened_roots(roots: Sequence[Span], spans: Sequence[Span]) -> list[Span]:
    """Give every root a height above the dependencies that touch or cover it."""
    return [
        replace(root, level=1 + max((s.level for s in spans if s.first <= root.first <= s.last), default=0))
        for root in roots
    ]


def slots_of(spans: Sequence[Span], places: int) -> list[list[tuple[Span, bool]]]:
    """Return for every column the ends of arcs in their order from the left; true for the left end of an arc.

    Those that go to the left stand on the left, the longest nearest to the middle: so no two of them cross.
    """
    slots: list[list[tuple[Span, bool]]] = [[] for _ in range(places)]
    for span in sorted(spans, key=lambda span: span.level):
        if span.first != span.last:
            slots[span.last].append((span, False))
    for span in spans:
        if span.first == span.last:
            slots[span.first].append((span, True))
    for span in sorted(spans, key=lambda span: -span.level):
        if span.first != span.last:
            slots[span.first].append((span, True))
    return slots


def with_slots(spans: Sequence[Span], slots: Sequence[Sequence[tuple[Span, bool]]]) -> list[Span]:
    """Return the dependencies with the places of their ends beside the middles of their columns."""
    offsets = {
        (id(span), is_left): (number - (len(column) - 1) / 2) * SLOT
        for column in slots
        for number, (span, is_left) in enumerate(column)
    }
    return [
        replace(span, left=offsets[id(span), True], right=offsets.get((id(span), False), offsets[id(span), True]))
        for span in spans
    ]


def layout(picture: Picture) -> Layout:
    """Return where everything of a picture stands."""
    widths = [0.0] * picture.places
    panels = []
    for panel in picture.panels:
        spans = spans_of(panel)
        slots = slots_of(spans, picture.places)
        for word in panel.words:
            below = f"{word.position} {panel.marks.get(word.position, '')}".strip()
            lines = [text_width(word.form, WORD), text_width(word.upos, SMALL), text_width(below, SMALL)]
            lines += [text_width(span.label, SMALL) for span in spans if span.first == span.last == word.place]
            lines.append((len(slots[word.place]) + 1) * SLOT)
            widths[word.place] = max(widths[word.place], *lines)
        panels.append((panel, with_slots(spans, slots)))
    xs = columns(widths, [spans for _, spans in panels])
    titles = [picture.citation, picture.sentence_id, *(panel.title for panel in picture.panels)]
    width = max(xs[-1] + widths[-1] / 2 if xs else 0.0, *(text_width(title, SMALL) for title in titles))
    placed, y = [], MARGIN
    for panel, spans in panels:
        height = TITLE + (max((span.level for span in spans), default=0) + 0.7) * LEVEL
        arcs = tuple(arc_of(span, gaps_of(span, spans), xs) for span in spans)
        placed.append(Placed(panel, arcs, y, y + height))
        y += height + FOOT
    return Layout(tuple(xs), tuple(widths), tuple(placed), width + 2 * MARGIN, y + TITLE + MARGIN)


def columns(widths: Sequence[float], panels: Sequence[Sequence[Span]]) -> list[float]:
    """Return the middle of every column, as far to the left as words and labels allow.

    A label whose arc is long enough may still be cut by the lines of others: then the widest gap between them is made
    wide enough, until every label has its place.
    """
    rooms: list[Room] = []
    gaps = [(span, gaps_of(span, spans)) for spans in panels for span in spans if span.first != span.last]
    while True:
        xs: list[float] = []
        ending: list[list[Room]] = [[] for _ in widths]
        for room in rooms:
            ending[room.last].append(room)
        for place, width in enumerate(widths):
            x = xs[-1] + (widths[place - 1] + width) / 2 + GAP if xs else MARGIN + width / 2
            xs.append(max([x, *(xs[room.first] + room.width for room in ending[place])]))
        lacking = [more for span, between in gaps if (more := room_lacking(span, between, xs))]
        if not lacking:
            return xs
        rooms += lacking


@dataclass(frozen=True)
class Room:
    """What two columns have to be apart, from middle to middle."""

    first: int
    last: int
    width: float


End = tuple[int, float]
"""Where a line stands: a column, and how far from its middle."""


def gaps_of(span: Span, spans: Sequence[Span]) -> list[tuple[End, End]]:
    """Return the gaps for the label of a dependency: between its ends and the lines that pass through it."""
    low, high = (span.first, span.left), (span.last, span.right)
    ends = {
        end
        for other in spans
        if other.level > span.level
        for end in ((other.first, other.left), (other.last, other.right))
        if low < end < high
    }
    return list(pairwise([low, *sorted(ends), high]))


def room_of(span: Span) -> float:
    """Return the width that the label of a dependency needs."""
    return text_width(span.label, SMALL) + 2 * PAD


def room_lacking(span: Span, gaps: Sequence[tuple[End, End]], xs: Sequence[float]) -> Room | None:
    """Return what has to be wider for a label, or nothing when it fits into one of its gaps."""

    def wide(gap: tuple[End, End]) -> float:
        return at(gap[1], xs) - at(gap[0], xs)

    # Less than a hundredth of a point is a matter of rounding.
    if any(wide(gap) > room_of(span) - 0.01 for gap in gaps):
        return None
    low, high = max((gap for gap in gaps if gap[0][0] != gap[1][0]), key=wide)
    return Room(low[0], high[0], room_of(span) + low[1] - high[1])


def at(end: End, xs: Sequence[float]) -> float:
    """Return where a line stands."""
    return xs[end[0]] + end[1]


def arc_of(span: Span, gaps: Sequence[tuple[End, End]], xs: Sequence[float]) -> Arc:
    """Return a dependency with its line and its label, which is as near to the middle of the line as others allow."""
    left, right = at((span.first, span.left), xs), at((span.last, span.right), xs)
    if span.first == span.last:
        return Arc(span.label, left, left, span.level * LEVEL, left, 0, span.foot, is_root=True)
    middle, half = (left + right) / 2, room_of(span) / 2
    free = [(at(low, xs) + half, at(high, xs) - half) for low, high in gaps]
    fitting = [min(max(middle, low), high) for low, high in free if high > low - 0.01]
    label = min(fitting, key=lambda x: (abs(x - middle), x))
    head, foot = (left, right) if span.head_first else (right, left)
    return Arc(span.label, head, foot, span.level * LEVEL, label, span.head, span.foot)
