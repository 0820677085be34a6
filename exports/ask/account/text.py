"""The record of a sentence as lines for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from exports.ask.account.record import Account
from exports.ask.account.sections import Cell, Table, sections
from exports.ask.tree import width
from runtime.command import visible

SPACE = 24
"""Columns of the names of facts."""
SHOWN = 12
"""Rows of a table that a terminal shows, unless all are wanted."""
WIDEST = 48
"""Columns that a value takes at most in its place; a longer one, but in the last column, goes to a line of its own."""


def as_text(account: Account, every_row: bool = False) -> str:
    """Return the record as lines.

    Args:
        account: the record.
        every_row: tables in full.
    """
    lines: list[str] = []
    for section in sections(account, None if every_row else SHOWN):
        lines += ["", section.title.upper()] if lines else [section.title.upper()]
        for name, values in section.facts:
            lines.append(f"{name:<{SPACE}}{', '.join(visible(one.text) for one in values)}")
            lines += [f"{'':<{SPACE}}{visible(one.target)}" for one in values if one.kind == "address" and one.target]
        if section.remark:
            lines.append(section.remark.replace("`", ""))
        if section.table:
            lines += table_lines(section.table)
    return "\n".join(lines)


def table_lines(table: Table) -> list[str]:
    """Return a table: columns under each other, long values on lines of their own below."""
    last = len(table.names) - 1
    short = [
        place
        for place in range(len(table.names))
        if (place == last and table.lines[0][place].kind != "greek")
        or all(width(visible(line[place].text)) <= WIDEST for line in table.lines)
    ]
    shown = [[table.names[place] for place in short], *(texts(line, short) for line in table.lines)]
    sizes = [max(width(line[place]) for line in shown) for place in range(len(short))]
    lines = [row(shown[0], sizes)]
    for line, told in zip(table.lines, shown[1:], strict=True):
        lines.append(row(told, sizes))
        lines += [f"      {visible(one.text)}" for place, one in enumerate(line) if place not in short and one.text]
    if table.left_out:
        lines.append(f"  {table.left_out} more: all of them with --all")
    return lines


def texts(line: Sequence[Cell], places: Sequence[int]) -> list[str]:
    """Return the texts of some cells."""
    return [visible(line[place].text) for place in places]


def row(values: Sequence[str], sizes: Sequence[int]) -> str:
    """Return values in columns."""
    padded = (value + " " * (size - width(value)) for value, size in zip(values, sizes, strict=True))
    return ("  " + "  ".join(padded)).rstrip()
