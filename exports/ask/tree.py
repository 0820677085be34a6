r"""Dependency trees drawn in the terminal: the tree as annotated and the published one, side by side.

Every token has one line, so that both trees of a sentence stand next to each other word by word. A head draws a
vertical bar over the lines of its dependents, further right the deeper it stands; its own text follows its bar:

    >>> print("\n".join(draw([Node("ὁ", 2), Node("παῖς", 3), Node("τρέχει", 0)])))
        ┌─ ὁ
      ┌─┘ παῖς
    ──┘ τρέχει
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from exports.ask.ids import find
from exports.warehouse import ExportError
from runtime.command import visible

if TYPE_CHECKING:
    import duckdb

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
# The box character of a cell, by the directions its lines leave it.
BOXES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
TITLES = {
    "native": "as annotated",
    "human": "published",
    "machine": "parsed",
    "ud": "Universal Dependencies",
    "published": "published",
}
"""The layers that can be drawn, with what stands above each; `human` has both relations of a word."""

TOKENS = """
    select source_index, source_token, native_form, word, native_relation, native_head, token_index,
        head, relation, deprel, head_repair, machine_head, machine_deprel
    from corpus.tokens
    where sentence_id = ?
    order by source_index
"""
SENTENCE = """
    select author, work, passage, fate
    from corpus.sentences
    where sentence_id = ?
"""

MOST_LINES = 1_000
"""Tokens of the longest sentence that is drawn."""


@dataclass(frozen=True)
class Node:
    """One line of a drawing.

    Attributes:
        label: text behind the node.
        head: line of its head, from 1; 0 for a root; -1 for a line without a node.
    """

    label: str
    head: int


def draw(nodes: Sequence[Node]) -> list[str]:
    """Return one line of text per node.

    A head that is no line, and the first node of every ring of heads, are drawn as roots.
    """
    heads = rooted([node.head for node in nodes])
    children: dict[int, list[int]] = {}
    for line, head in enumerate(heads, start=1):
        if head > 0:
            children.setdefault(head, []).append(line)
    bars = bar_columns(heads, children)
    spans = {head: (min(head, *lines), max(head, *lines)) for head, lines in children.items()}
    drawn = []
    for line, (node, head) in enumerate(zip(nodes, heads, strict=True), start=1):
        if head < 0:
            drawn.append("")
            continue
        crossing = [bars[bar] for bar, (first, last) in spans.items() if first <= line <= last]
        cells = [0] * (max([*crossing, bars.get(head, 0)]) + 1)
        for bar, (first, last) in spans.items():
            if first <= line <= last:
                cells[bars[bar]] |= (UP if line > first else 0) | (DOWN if line < last else 0)
        for column in range(bars.get(head, 0), len(cells)):
            cells[column] |= (LEFT if column > bars.get(head, 0) or head == 0 else 0) | RIGHT
        if line in bars and bars[line] == len(cells) - 1:
            cells[-1] &= ~RIGHT
        drawn.append("".join(map(pair, cells)).rstrip() + " " + node.label)
    return drawn


def pair(cell: int) -> str:
    """Return the two characters of a cell: its box, and the line that leaves it to the right."""
    return BOXES[cell] + ("─" if cell & RIGHT else " ")


def rooted(heads: Sequence[int]) -> list[int]:
    """Return the heads with every head that leads nowhere, or back to its own node, replaced by 0."""
    repaired = [head if head <= len(heads) else 0 for head in heads]
    for line in range(1, len(repaired) + 1):
        seen: set[int] = set()
        above = line
        while above > 0 and above not in seen:
            seen.add(above)
            above = repaired[above - 1]
        if above > 0:
            repaired[min(ring(repaired, above)) - 1] = 0
    return repaired


def ring(heads: Sequence[int], line: int) -> set[int]:
    """Return the lines of the ring that a line stands on."""
    lines = {line}
    while (above := heads[line - 1]) not in lines:
        lines.add(above)
        line = above
    return lines


def bar_columns(heads: Sequence[int], children: dict[int, list[int]]) -> dict[int, int]:
    """Return the column of the bar of every head: right of the bar above it, and free on all its lines."""
    columns: dict[int, int] = {}
    taken: set[tuple[int, int]] = set()
    waiting = [line for line, head in enumerate(heads, start=1) if head == 0]
    while waiting:
        line = waiting.pop(0)
        lines = children.get(line, [])
        waiting += lines
        if not lines:
            continue
        span = range(min(line, *lines), max(line, *lines) + 1)
        column = columns.get(heads[line - 1], 0) + 1
        while any((row, column) in taken for row in span):
            column += 1
        columns[line] = column
        taken |= {(row, column) for row in span}
    return columns


@dataclass(frozen=True)
class Sentence:
    """A sentence with the lines of its trees.

    Attributes:
        title: id, author, work and passage.
        numbers: published number of each token, empty where it is not published.
        layers: lines of each layer by its name.
        repairs: repair of each head, empty where there is none.
    """

    title: str
    numbers: list[str]
    layers: dict[str, list[Node]]
    repairs: list[str]

    def marked(self, numbers: Collection[int]) -> Sentence:
        """Return the sentence with a star at some published numbers.

        Raises:
            ExportError: there is no word of a number.
        """
        stars = [f"{number}*" if number and int(number) in numbers else number for number in self.numbers]
        if missing := sorted({str(number) for number in numbers} - set(self.numbers)):
            raise ExportError(f"no word {missing[0]} to mark: the sentence has {sum(map(bool, self.numbers))} words")
        return replace(self, numbers=stars)


def load_sentence(con: duckdb.DuckDBPyConnection, name: str) -> Sentence:
    """Read one sentence of the warehouse by an id of any kind.

    Raises:
        ExportError: there is no such sentence, or the warehouse has no models, or those of another version.
    """
    import duckdb as engine

    sentence_id = find(con, name).sentence()
    try:
        return _load(con, sentence_id)
    except (engine.CatalogException, engine.BinderException) as error:
        raise ExportError(
            f"this warehouse has no trees to draw ({str(error).splitlines()[0]}): run `dbt build`, or build it anew"
        ) from error


def _load(con: duckdb.DuckDBPyConnection, sentence_id: str) -> Sentence:
    """Read a sentence that is there."""
    author, work, passage, fate = con.execute(SENTENCE, [sentence_id]).fetchall()[0]
    tokens = con.execute(TOKENS, [sentence_id]).fetchall()
    lines_by_id: dict[str, int] = {}
    lines_by_index: dict[int, int] = {}
    for line, token in enumerate(tokens, start=1):
        lines_by_id.setdefault(str(token[1]).strip(), line)
        if token[3] is not None:
            lines_by_index[token[6]] = line
    layers: dict[str, list[Node]] = {layer: [] for layer in TITLES}
    for _, _, native_form, word, native_relation, native_head, _, head, relation, deprel, _, *machine in tokens:
        as_read = visible(f"{native_form} {native_relation or '·'}")
        layers["native"].append(Node(as_read, lines_by_id.get(str(native_head), 0)))
        label = visible(f"{word} {relation}" + ("" if relation == deprel else f" = {deprel}"))
        line_above = -1 if word is None else lines_by_index.get(head, 0)
        layers["human"].append(Node(label, line_above))
        layers["ud"].append(Node(visible(f"{word} {relation}"), line_above))
        layers["published"].append(Node(visible(f"{word} {deprel}"), line_above))
        unparsed = word is None or machine[0] is None
        layers["machine"].append(Node(f"{word} {machine[1]}", -1 if unparsed else lines_by_index.get(machine[0], 0)))
    return Sentence(
        title="  ".join(visible(part) for part in (sentence_id, author, work, passage, fate) if part),
        numbers=["" if token[6] is None else str(token[6]) for token in tokens],
        layers=layers,
        repairs=[token[10] or "" for token in tokens],
    )


def render(sentence: Sentence, layers: Sequence[str]) -> str:
    """Return the trees of some layers of a sentence side by side, with numbers and repairs.

    Of a sentence of more than `MOST_LINES` tokens the text says that it is too long: a drawing may be as wide as it is
    long.
    """
    if len(sentence.numbers) > MOST_LINES:
        told = (
            f"{len(sentence.numbers):,} tokens are too many to draw (at most {MOST_LINES:,}); they are in corpus.tokens"
        )
        return f"{sentence.title}\n\n{told}"
    columns = [["", *sentence.numbers]]
    columns += [[TITLES[layer], *draw(sentence.layers[layer])] for layer in layers]
    columns.append(["repair" if any(sentence.repairs) else "", *sentence.repairs])
    widths = [max(map(width, column)) for column in columns]
    lines = [
        "  ".join(cell + " " * (space - width(cell)) for cell, space in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
    return "\n".join([sentence.title, "", *lines])


def width(text: str) -> int:
    """Return the columns that a text takes in a terminal: combining marks take none."""
    import unicodedata

    return sum(not unicodedata.combining(letter) for letter in text)
