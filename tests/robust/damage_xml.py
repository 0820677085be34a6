"""Damages to a sentence of native XML that know what elements and attributes are, and to the file around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from robust import damage_bytes
from robust.dice import Dice

_TAG = re.compile(r"<(/?)([A-Za-z_:][\w:.-]*)((?:\s+[^\s=>/]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>")
_ATTRIBUTE = re.compile(r"([^\s=>/]+)\s*=\s*(\"[^\"]*\"|'[^']*')")

IDS = (
    "", "0", "1", "2", "01", "+1", "-1", "1.0", "2.0", "1.5", "1e3", "٣", "½", " 1", "1 ", "1\t", "1-2", "1,2", "x",
    "NaN", "_", "2147483647", "2147483648", "4294967297", "9223372036854775808", "99999999999999999999", "9" * 40,
    "9" * 5000, "0x1", "1_000", "null", "None", "true",
)  # fmt: skip
VALUES = (
    *IDS, " ", "\u00a0", "\u200b", "&#9;", "&#10;", "&amp;", "&lt;word/&gt;", "&quot;", "&#x1F600;", "ἄ\u0301\u0301",
    "\u0301", "a\u0345", "Ͻ", "ϐ", "𝛂", "ab1", "λόγος λόγος", "λόγοσ²", "[λόγος]", "λό[γ]ος", "{", "}", "$$", "%s",
    "'; drop table x", "--", "n-s---mn-", "n-s---mn", "----------", "v3spia---", "undefined", "PRED", "PRED_CO",
    "SBJ_AP_CO_ExD0", "AuxX", "COORD", "nil", "[0]", "1000000", "α" * 3000, "\ufeff", "\ufffd", "\U0010ffff", "\ue000",
)  # fmt: skip
NAMES = (
    "word", "sentence", "token", "w", "s", "Word", "WORD", "wordx", "word.", "treebank", "body", "annotator",
    "primary", "name", "short", "title", "author", "persName", "a:word", "xml:word", "λέξις", "comment",
)  # fmt: skip
ATTRIBUTES = (
    "id", "form", "lemma", "postag", "relation", "head", "artificial", "insertion_id", "cite", "ref", "sem", "gloss",
    "xml:lang", "xmlns", "xmlns:a", "a:id", "ID", "other", "path", "line", "attributes", "document_id", "subdoc",
    "span", "Author", "corrupt",
)  # fmt: skip
INSERTIONS = (
    "<!-- a comment -->", "<!---->", "<!-- <word id='1'/> </sentence> -->", "<!-- -- -->", "<!--->", "<?php <word ?>",
    "<?a?>", "<?xml version='1.0'?>", "<![CDATA[<word id='1'/>]]>", "<![CDATA[]]>", "<![CDATA[ ]] > ]]>", "text",
    "&amp;", "&#x3b1;", "&none;", "&", "<", "]]>", "<word/>", "<word></word>", "<word>text</word>",
    "<word a='1' a='2'/>", "<unknown/>", "<unknown><word id='9'/></unknown>", "<gap reason='lost'/>", "<sentence/>",
    "<sentence><word id='1' form='α'/></sentence>", "<annotator>A<name>B</name></annotator>", "<primary>x</primary>",
    "<!DOCTYPE a>", "<!ENTITY a 'b'>", "<word xmlns='urn:x' id='1'/>", "<a:word xmlns:a='urn:x'/>", "\x0b", "\ufeff",
)  # fmt: skip


@dataclass
class Element:
    """A tag: its sign of closing, its name, its attributes with their quotes, its sign of emptiness."""

    closing: str
    name: str
    attributes: list[tuple[str, str]]
    empty: str

    def __str__(self) -> str:
        """Return the tag as it is written."""
        attributes = "".join(f" {name}={value}" for name, value in self.attributes)
        return f"<{self.closing}{self.name}{attributes}{self.empty}>"


Item = str | Element
Change = Callable[[list[Item], Dice], None]


def parse(text: str) -> list[Item]:
    """Cut a text into tags and what stands between them."""
    items: list[Item] = []
    start = 0
    for tag in _TAG.finditer(text):
        if tag.start() > start:
            items.append(text[start : tag.start()])
        items.append(Element(tag[1], tag[2], [(found[1], found[2]) for found in _ATTRIBUTE.finditer(tag[3])], tag[4]))
        start = tag.end()
    if text[start:]:
        items.append(text[start:])
    return items


def _places(items: list[Item], name: str = "") -> list[int]:
    return [
        place
        for place, item in enumerate(items)
        if isinstance(item, Element) and not item.closing and item.name.startswith(name)
    ]


def _element(items: list[Item], dice: Dice, name: str = "") -> Element:
    places = _places(items, name)
    found = items[dice.one(places)] if places else None
    return found if isinstance(found, Element) else Element("", "word", [], "/")


def _quoted(value: str, dice: Dice) -> str:
    quote = dice.one("\"'")
    return quote + value.replace(quote, "&quot;" if quote == '"' else "&apos;") + quote


def drop_element(items: list[Item], dice: Dice) -> None:
    if items:
        del items[dice.place(items)]


def double_element(items: list[Item], dice: Dice) -> None:
    if items:
        place = dice.place(items)
        items[place:place] = [items[place]] * dice.one((1, 1, 2, 40))


def swap_elements(items: list[Item], dice: Dice) -> None:
    if items:
        one, other = dice.place(items), dice.place(items)
        items[one], items[other] = items[other], items[one]


def rename_element(items: list[Item], dice: Dice) -> None:
    _element(items, dice).name = dice.one(NAMES)


def nest_word(items: list[Item], dice: Dice) -> None:
    """Let a word hold what follows it."""
    places = _places(items, "word")
    if places:
        place = dice.one(places)
        item = items[place]
        if isinstance(item, Element) and item.empty:
            items[place] = Element("", item.name, item.attributes, "")
            items.insert(min(len(items), place + dice.between(1, 6)), Element("/", item.name, [], ""))


def nest_sentence(items: list[Item], dice: Dice) -> None:
    """Open a sentence, or another element, around some words of a sentence."""
    start = dice.between(1, max(1, len(items) - 1))
    stop = dice.between(start, max(start, len(items) - 1))
    name = dice.one(("sentence", "sentence", "unknown", "annotator", "word", "s"))
    items.insert(stop, Element("/", name, [], ""))
    items.insert(start, Element("", name, [("id", '"n"')], ""))


def insert_item(items: list[Item], dice: Dice) -> None:
    items.insert(dice.place(items, 1), dice.one(INSERTIONS))


def repeat_item(items: list[Item], dice: Dice) -> None:
    items.insert(dice.place(items, 1), dice.one(INSERTIONS) * dice.one((2, 30, 1000)))


def drop_attribute(items: list[Item], dice: Dice) -> None:
    attributes = _element(items, dice).attributes
    if attributes:
        del attributes[dice.place(attributes)]


def double_attribute(items: list[Item], dice: Dice) -> None:
    attributes = _element(items, dice).attributes
    if attributes:
        attributes.insert(dice.place(attributes, 1), dice.one(attributes))


def rename_attribute(items: list[Item], dice: Dice) -> None:
    attributes = _element(items, dice).attributes
    if attributes:
        place = dice.place(attributes)
        attributes[place] = (dice.one(ATTRIBUTES), attributes[place][1])


def swap_attributes(items: list[Item], dice: Dice) -> None:
    attributes = _element(items, dice).attributes
    if attributes:
        one, other = dice.place(attributes), dice.place(attributes)
        attributes[one], attributes[other] = attributes[other], attributes[one]


def add_attribute(items: list[Item], dice: Dice) -> None:
    attributes = _element(items, dice).attributes
    attributes.insert(dice.place(attributes, 1), (dice.one(ATTRIBUTES), _quoted(dice.one(VALUES), dice)))


def change_value(items: list[Item], dice: Dice) -> None:
    attributes = _element(items, dice, "word").attributes
    if attributes:
        place = dice.place(attributes)
        attributes[place] = (attributes[place][0], _quoted(dice.one(VALUES), dice))


def empty_attribute(items: list[Item], dice: Dice) -> None:
    """Take one attribute away from all words, or empty it."""
    name = dice.one(("id", "form", "lemma", "postag", "relation", "head"))
    values = dice.one(((), ((name, '""'),)))
    for place in _places(items, "word"):
        item = items[place]
        if isinstance(item, Element):
            item.attributes = [pair for pair in item.attributes if pair[0] != name] + list(values)


def _renumber(items: list[Item], number: Callable[[int], str], names: tuple[str, ...] = ("id", "head")) -> None:
    for place in _places(items, "word"):
        item = items[place]
        if isinstance(item, Element):
            item.attributes = [
                (name,
                f'"{number(int(value[1:-1]))}"' if name in names and value[1:-1].isascii() and value[1:-1].isdigit()
                 and len(value) < 20 else value)
                for name, value in item.attributes
            ]  # fmt: skip


def renumber(items: list[Item], dice: Dice) -> None:
    """Write all ids and heads in another way, or the ids only."""
    ways: tuple[Callable[[int], str], ...] = (
        lambda n: str(n * 10),
        lambda n: str(n + 10**10),
        lambda n: str(n + 2**63),
        lambda n: f"{n}.0",
        lambda n: f"{n:05d}",
        lambda n: str(-n),
        lambda n: f"1.{n}",
        lambda n: f"w{n}",
        lambda n: f" {n} ",
        lambda n: str(n % 3),
        lambda n: str(1000 - n),
    )
    _renumber(items, dice.one(ways), dice.one((("id", "head"), ("id", "head"), ("id",), ("head",))))


def change_head(items: list[Item], dice: Dice) -> None:
    attributes = _element(items, dice, "word").attributes
    value = dice.one((*IDS, "0", "3", "7", "8", "500"))
    attributes[:] = [(name, _quoted(value, dice) if name == "head" else old) for name, old in attributes]


def change_id(items: list[Item], dice: Dice) -> None:
    attributes = _element(items, dice).attributes
    attributes[:] = [(name, _quoted(dice.one(IDS), dice) if name == "id" else old) for name, old in attributes]


CHANGES: tuple[Change, ...] = (
    drop_element, double_element, swap_elements, rename_element, nest_word, nest_sentence, insert_item, insert_item,
    repeat_item, drop_attribute, double_attribute, rename_attribute, swap_attributes, add_attribute, change_value,
    change_value, empty_attribute, renumber, renumber, change_head, change_head, change_id,
)  # fmt: skip


def damage_sentence(data: bytes, dice: Dice) -> tuple[bytes, list[str]]:
    """Damage one sentence, mostly so that it stays XML; return it with the names of the damages."""
    names: list[str] = []
    if dice.chance(0.8):
        items = parse(data.decode("utf-8"))
        for _ in range(dice.one((1, 1, 1, 2, 3, 5))):
            change = dice.one(CHANGES)
            change(items, dice)
            names.append(change.__name__)
        data = "".join(map(str, items)).encode("utf-8", "surrogatepass")
    if not names or dice.chance(0.1):
        damage = dice.one(damage_bytes.DAMAGES)
        data = damage(data, dice)
        names.append(damage.__name__)
    return data, names


def declare(data: bytes, dice: Dice) -> bytes:
    """Write another XML declaration."""
    body = re.sub(rb"^(\xef\xbb\xbf)?<\?xml[^>]*\?>\s*", b"", data)
    declaration = dice.one(
        (
            b'<?xml version="1.0" encoding="ISO-8859-7"?>', b'<?xml version="1.0" encoding="UTF-16"?>',
            b'<?xml version="1.1"?>', b'<?xml version="1.0" encoding="utf8"?>',
            b'<?xml version="1.0" encoding="US-ASCII"?>', b'<?xml version="1.0" encoding="x"?>',
            b'<?xml version="1.0" standalone="yes"?>', b'\n<?xml version="1.0"?>', b"<?xml?>", b"",
        )
    )  # fmt: skip
    return declaration + body


def doctype(data: bytes, dice: Dice) -> bytes:
    """Put a document type declaration somewhere before the root, or after it."""
    declaration = dice.one(
        (
            b"<!DOCTYPE treebank>", b'<!DOCTYPE treebank SYSTEM "file:///etc/passwd">', b"<!DOCTYPE",
            b"<!DOCTYPE treebank [", b"<!DOCTYPE treebank [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>",
            b"<!doctype treebank>", b"<!DOCTYPE a>" * 20,
        )
    )  # fmt: skip
    place = data.find(dice.one((b"<treebank", b"<sentence", b"</treebank")))
    return data[: max(place, 0)] + declaration + data[max(place, 0) :]


def rename_root(data: bytes, dice: Dice) -> bytes:
    """Give the root element another name."""
    return data.replace(b"treebank", dice.one((b"Treebank", b"corpus", b"a:treebank", b"sentence", b"word", b"body")))


def strip_sentences(data: bytes, dice: Dice) -> bytes:
    """Leave the head and the tail, or sentences without words, or words without sentences."""
    pattern = dice.one((rb"<sentence.*</sentence>", rb"<word[^>]*>", rb"</?sentence[^>]*>", rb"<treebank[^>]*>"))
    return re.sub(pattern, b"", data, flags=re.DOTALL)


FILE_CHANGES: tuple[damage_bytes.Damage, ...] = (
    declare, doctype, rename_root, strip_sentences, damage_bytes.reencode, damage_bytes.mark,
    *damage_bytes.FILE_DAMAGES, *damage_bytes.DAMAGES,
)  # fmt: skip
