"""Damages to bytes that know nothing of a format: cuts, flips, stray signs, line ends, encodings."""

from __future__ import annotations

from collections.abc import Callable

from robust.dice import Dice

Damage = Callable[[bytes, Dice], bytes]
BOM = b"\xef\xbb\xbf"

# Signs that mean something to one of the readers, and bytes that no text has.
SIGNS = (
    b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", BOM, b"\xfe\xff", b"\xff\xfe",
    b"\t", b"\n", b"\r", b"\r\n", b"\n\n", b"\n\r", b"\x0b", b"\x0c", b"\x1c", b"\x85", b"\xc2\x85", b"\xe2\x80\xa8",
    b" ", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xcd\x82", b"\xcc\x93", b"<", b">", b"&", b'"', b"'", b"/", b"=", b"#", b"_",
    b"-", b".", b"0", b"1", b"99999999999", b"1-1", b"1.1", b"<word", b"<word ", b"<word/>", b"<word>", b"</word>",
    b"<sentence>", b"</sentence>", b"</treebank>", b"<!--", b"-->", b"--", b"<?", b"?>", b"<?word <word ?>",
    b"<![CDATA[", b"]]>", b"<!DOCTYPE", b"<!DOCTYPE a>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&amp;", b"&#0;",
    b"&#x3b1;", b"&#xD800;", b"&#99999999;", b"&nothing;", b"&lt;word id='1'/&gt;", b"# sent_id = 1\n", b"# newdoc\n",
    b"#\n",
)  # fmt: skip


def cut(data: bytes, dice: Dice) -> bytes:
    """End the file at any byte."""
    return data[: dice.below(len(data))]


def drop_start(data: bytes, dice: Dice) -> bytes:
    """Begin the file at any byte."""
    return data[dice.below(len(data)) :]


def flip(data: bytes, dice: Dice) -> bytes:
    """Turn over one bit, up to four times."""
    flipped = bytearray(data)
    for _ in range(dice.between(1, 4) if flipped else 0):
        flipped[dice.place(flipped)] ^= 1 << dice.below(8)
    return bytes(flipped)


def insert(data: bytes, dice: Dice) -> bytes:
    """Put a sign anywhere."""
    place = dice.place(data, 1)
    return data[:place] + dice.one(SIGNS) + data[place:]


def replace(data: bytes, dice: Dice) -> bytes:
    """Put a sign in the place of some bytes."""
    place = dice.place(data, 1)
    return data[:place] + dice.one(SIGNS) + data[place + dice.between(1, 20) :]


def remove(data: bytes, dice: Dice) -> bytes:
    """Take out some bytes."""
    place = dice.place(data, 1)
    return data[:place] + data[place + dice.between(1, 60) :]


def double(data: bytes, dice: Dice) -> bytes:
    """Write some bytes twice."""
    start = dice.place(data, 1)
    stop = start + dice.between(1, 200)
    return data[:stop] + data[start:stop] + data[stop:]


def swap(data: bytes, dice: Dice) -> bytes:
    """Let two neighbouring stretches change places."""
    first, second, third = sorted(dice.place(data, 1) for _ in range(3))
    return data[:first] + data[second:third] + data[first:second] + data[third:]


def repeat(data: bytes, dice: Dice) -> bytes:
    """Write one sign many times."""
    place = dice.place(data, 1)
    return data[:place] + dice.one(SIGNS) * dice.one((2, 17, 300, 3000)) + data[place:]


def line_ends(data: bytes, dice: Dice) -> bytes:
    """Write other line ends, everywhere or here and there."""
    other = dice.one((b"\r\n", b"\r", b"\n\r", b"\r\r\n", b"\n\n", b""))
    lines = data.split(b"\n")
    share = dice.one((1.0, 0.5, 0.1))
    return b"".join(line + (other if dice.chance(share) else b"\n") for line in lines[:-1]) + lines[-1]


DAMAGES: tuple[Damage, ...] = (flip, insert, insert, insert, replace, remove, double, swap, repeat, line_ends)
"""Damages to a stretch of a file."""

FILE_DAMAGES: tuple[Damage, ...] = (cut, cut, drop_start, line_ends)
"""Damages to a file as a whole."""


def reencode(data: bytes, dice: Dice) -> bytes:
    """Write the file in another encoding."""
    text = data.decode("utf-8", "replace")
    return text.encode(
        dice.one(("utf-16", "utf-16-le", "utf-32", "latin-1", "iso8859-7", "utf-7", "utf-8-sig")), "replace"
    )


def mark(data: bytes, dice: Dice) -> bytes:
    """Put byte order marks at the start."""
    return dice.one((BOM, BOM * 2, b"\xff\xfe", b"\xfe\xff", b" " + BOM, b"\n" + BOM)) + data
