"""Damages to a sentence of CoNLL-U that know what comments and columns are, and to the file around it."""

from __future__ import annotations

from collections.abc import Callable

from robust import damage_bytes
from robust.dice import Dice

Lines = list[str]
Change = Callable[[Lines, Dice], None]

IDS = (
    "0", "1", "2", "3", "01", "-1", "+1", "1.0", "0.1", "1.1", "1.2", "2.1", "3.1", "1.10", "1-1", "1-2", "2-1",
    "2-3", "1-3", "3-4", "1-99", "1–2", "1-2-3", "1.1.1", "1-2.1", "x", "", " ", "_", "1 ", " 1", "٣", "9" * 12,
    "9" * 5000, "2147483648", "#1", "1e1",
)  # fmt: skip
VALUES = (
    *IDS, "\u00a0", "\u200b", "\ufeff", "\ufffd", "λόγος λόγος", "a\u0301\u0301", "NOUN", "noun", "PUNCT", "Case=Nom",
    "Case=Nom|Case=Nom", "Case=Nom|", "|", "Case", "=", "Number=Sing|Case=Nom", "root", "Root", "obl:arg", "obl:",
    ":", "SpaceAfter=No", "Ref=1.1", '"', "'", "\\", "\\t", "--", "α" * 3000, "\U0010ffff", "\x0b", "\x0c", "\x1c",
    "\x85", "\u2028", "1:root", "0:root|1:x",
)  # fmt: skip
COMMENTS = (
    "#", "# ", "#sent_id=1", "# sent_id = ", "# sent_id = 1", "# sent_id = 1\t2", "# text = ", "# text = other words",
    "# newdoc", "# newdoc id = other", "# newpar", "# source = x", "# =", "# = 1", "# a = b = c", "##", "#\t",
    " # blank before", "\ufeff# sent_id = 1",
)  # fmt: skip


def _rows(lines: Lines) -> list[int]:
    return [place for place, line in enumerate(lines) if line.strip() and not line.startswith("#")]


def _row(lines: Lines, dice: Dice) -> tuple[int, list[str]]:
    """Return a token line, its place and its columns."""
    rows = _rows(lines)
    place = dice.one(rows) if rows else 0
    return place, (lines[place] if lines else "").split("\t")


def _put(lines: Lines, place: int, columns: list[str]) -> None:
    lines[place : place + 1] = ["\t".join(columns)]


def drop_column(lines: Lines, dice: Dice) -> None:
    place, columns = _row(lines, dice)
    del columns[dice.place(columns)]
    _put(lines, place, columns)


def add_column(lines: Lines, dice: Dice) -> None:
    place, columns = _row(lines, dice)
    columns.insert(dice.place(columns, 1), dice.one(VALUES))
    _put(lines, place, columns)


def swap_columns(lines: Lines, dice: Dice) -> None:
    place, columns = _row(lines, dice)
    one, other = dice.place(columns), dice.place(columns)
    columns[one], columns[other] = columns[other], columns[one]
    _put(lines, place, columns)


def change_column(lines: Lines, dice: Dice) -> None:
    place, columns = _row(lines, dice)
    columns[dice.place(columns)] = dice.one(VALUES)
    _put(lines, place, columns)


def change_id(lines: Lines, dice: Dice) -> None:
    place, columns = _row(lines, dice)
    columns[0] = dice.one(IDS)
    _put(lines, place, columns)


def change_head(lines: Lines, dice: Dice) -> None:
    place, columns = _row(lines, dice)
    if len(columns) > 6:
        columns[6] = dice.one((*IDS, "5", "400", "99999999999999999999"))
    _put(lines, place, columns)


def add_line(lines: Lines, dice: Dice) -> None:
    """Put a range, an empty node or a word with any id somewhere."""
    row = [dice.one(IDS), *dice.one((("_",) * 9, ("α", "α", "X", "_", "_", "0", "root", "_", "_"), ("α",), ()))]
    lines.insert(dice.place(lines, 1), "\t".join(row))


def add_range(lines: Lines, dice: Dice) -> None:
    """Put a range before the words that it covers, or one word off."""
    rows = _rows(lines)
    first = dice.between(1, max(1, len(rows)))
    last = first + dice.one((1, 1, 2, 0, -1, 50))
    place = rows[min(len(rows) - 1, max(0, first - 1 + dice.one((0, 0, 0, 1, -1))))] if rows else 0
    lines.insert(place, f"{first}-{last}" + "\tσύνολον" + "\t_" * 8)


def add_empty_node(lines: Lines, dice: Dice) -> None:
    """Put an empty node after a word, and perhaps let a word hang on it."""
    rows = _rows(lines)
    after = dice.between(0, len(rows))
    place = rows[after - 1] + 1 if 0 < after <= len(rows) else rows[0] if rows else 0
    node = f"{after}.{dice.one((1, 1, 1, 2, 0))}"
    lines.insert(place, f"{node}\tἐστί\tεἰμί\tAUX" + "\t_" * 6)
    if dice.chance(0.5):
        where, columns = _row(lines, dice)
        if len(columns) > 6:
            columns[6] = node
        _put(lines, where, columns)


def drop_line(lines: Lines, dice: Dice) -> None:
    if lines:
        del lines[dice.place(lines)]


def double_line(lines: Lines, dice: Dice) -> None:
    if lines:
        place = dice.place(lines)
        lines[place:place] = [lines[place]] * dice.one((1, 1, 30))


def swap_lines(lines: Lines, dice: Dice) -> None:
    if lines:
        one, other = dice.place(lines), dice.place(lines)
        lines[one], lines[other] = lines[other], lines[one]


def add_comment(lines: Lines, dice: Dice) -> None:
    lines.insert(dice.place(lines, 1), dice.one(COMMENTS))


def change_comment(lines: Lines, dice: Dice) -> None:
    for place, line in enumerate(lines):
        if line.startswith("#"):
            lines[place] = dice.one(
                (line + dice.one(VALUES), dice.one(COMMENTS), line[1:], line.replace("=", ""), line * 2)
            )
            if dice.chance(0.5):
                return


def blanks_for_tabs(lines: Lines, dice: Dice) -> None:
    share = dice.one((1.0, 0.2))
    lines[:] = [line.replace("\t", dice.one((" ", "  ", "\t\t"))) if dice.chance(share) else line for line in lines]


def pad(lines: Lines, dice: Dice) -> None:
    """Put a blank, a tab or a mark before or after a line."""
    if lines:
        place = dice.place(lines)
        sign = dice.one((" ", "\t", "\ufeff", "\u00a0", "\x00", "\x0c"))
        lines[place] = sign + lines[place] if dice.chance(0.5) else lines[place] + sign


def blank_line(lines: Lines, dice: Dice) -> None:
    lines.insert(dice.place(lines, 1), dice.one(("", " ", "\t", "\u00a0", "\x0c")))


def long_value(lines: Lines, dice: Dice) -> None:
    place, columns = _row(lines, dice)
    columns[dice.place(columns)] = dice.one("αx_|") * dice.one((100, 10_000, 100_000))
    _put(lines, place, columns)


def rotate_ids(lines: Lines, dice: Dice) -> None:
    """Number all words in another way."""
    ways: tuple[Callable[[int], int], ...] = (lambda n: n + 1, lambda n: n - 1, lambda n: n * 2, lambda n: 2)
    way = dice.one(ways)
    for place in _rows(lines):
        columns = lines[place].split("\t")
        if columns[0].isascii() and columns[0].isdigit() and len(columns[0]) < 10:
            columns[0] = str(way(int(columns[0])))
        lines[place] = "\t".join(columns)


CHANGES: tuple[Change, ...] = (
    drop_column, add_column, swap_columns, change_column, change_column, change_column, change_id, change_id,
    change_head, change_head, add_line, add_range, add_range, add_empty_node, add_empty_node, drop_line, double_line,
    swap_lines, add_comment, change_comment, blanks_for_tabs, pad, blank_line, long_value, rotate_ids,
)  # fmt: skip


def damage_sentence(data: bytes, dice: Dice) -> tuple[bytes, list[str]]:
    """Damage one sentence and return it with the names of the damages; the blank lines at its end stay."""
    body = data.rstrip(b"\r\n")
    end = data[len(body) :]
    names: list[str] = []
    if dice.chance(0.8):
        lines = body.decode("utf-8").split("\n")
        for _ in range(dice.one((1, 1, 1, 2, 3, 5))):
            change = dice.one(CHANGES)
            change(lines, dice)
            names.append(change.__name__)
        body = "\n".join(lines).encode("utf-8", "surrogatepass")
    if not names or dice.chance(0.1):
        damage = dice.one(damage_bytes.DAMAGES)
        body = damage(body, dice)
        names.append(damage.__name__)
    return body + end, names


def repeat_sent_ids(data: bytes, dice: Dice) -> bytes:
    """Give all sentences one id, or none."""
    return b"\n".join(
        dice.one((b"# sent_id = same", b"# sent_id", b"")) if line.startswith(b"# sent_id") else line
        for line in data.split(b"\n")
    )


FILE_CHANGES: tuple[damage_bytes.Damage, ...] = (
    repeat_sent_ids, damage_bytes.reencode, damage_bytes.mark, *damage_bytes.FILE_DAMAGES, *damage_bytes.DAMAGES,
)  # fmt: skip
