"""Plain readers of the two formats, written with other libraries than the readers under test.

Each returns rows as tuples in the order of the columns of the raw tables, without the columns path and line.
"""

from __future__ import annotations

import io
import json
import re
from typing import Any
from xml.etree import ElementTree

import conllu

WORD = ["id", "form", "lemma", "postag", "relation", "head"]
WORD += ["artificial", "insertion_id", "cite", "ref", "sem", "gloss"]
SENTENCE = ["id", "document_id", "subdoc", "span", "Author", "corrupt"]
TOKEN = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

Rows = list[tuple[Any, ...]]


def native(data: bytes) -> dict[str, Rows]:
    """Read native XML with ElementTree: the document, its sentences, its tokens."""
    root = ElementTree.fromstring(data)
    names: list[Any] = [value for _, value in ElementTree.iterparse(io.BytesIO(data), events=("start-ns",))]
    prefixes = {uri: prefix for prefix, uri in names}
    sentences: Rows = []
    tokens: Rows = []
    inside = {id(child) for sentence in root.iter("sentence") for child in sentence.iter()}
    for position, sentence in enumerate(root.iter("sentence"), 1):
        people = [_person(child) for child in sentence if child.tag in ("annotator", "primary", "secondary")]
        sentences.append(
            (position, *map(sentence.get, SENTENCE), [name for name in people if name], _others(sentence, SENTENCE))
        )
        for number, word in enumerate(sentence.iter("word"), 1):
            tokens.append((position, number, *map(word.get, WORD), _others(word, WORD)))
    outside = [element for element in root.iter() if id(element) not in inside]
    editors = [_person(element) for element in outside if element.tag in ("annotator", "persName")]
    attributes = {
        (f"{prefixes[name[1:].split('}')[0]]}:{name.split('}')[1]}" if name.startswith("{") else name): value
        for name, value in root.attrib.items()
        if name != XML_LANG
    }
    document = (
        root.get(XML_LANG),
        next((_text(element) for element in outside if element.tag == "title"), None),
        next((_text(element) for element in outside if element.tag == "author"), None),
        list(dict.fromkeys(name for name in editors if name)),
        json.dumps(attributes, ensure_ascii=False, sort_keys=True) if attributes else None,
    )
    return {"documents": [document], "sentences": sentences, "tokens": tokens}


def ud(data: bytes) -> dict[str, Rows]:
    """Read CoNLL-U with the conllu package, every field left as text."""
    text = re.sub(r"\r\n|\r", "\n", data.decode("utf-8-sig"))
    text = re.sub(r"^\s+$", "", text, flags=re.MULTILINE)
    as_read = dict.fromkeys(TOKEN, lambda line, index: line[index])
    sentences: Rows = []
    tokens: Rows = []
    newdoc = None
    for position, sentence in enumerate(conllu.parse_incr(io.StringIO(text), fields=TOKEN, field_parsers=as_read), 1):
        about = sentence.metadata
        if "newdoc" in about or "newdoc id" in about:
            newdoc = about.get("newdoc id")
        sentences.append((position, about.get("sent_id"), about.get("source"), about.get("text"), newdoc))
        tokens += [(position, number, *(token[name] for name in TOKEN)) for number, token in enumerate(sentence, 1)]
    return {"sentences": sentences, "tokens": tokens}


def word_lines(data: bytes) -> list[int]:
    """Return the line on which each ``<word`` tag of a file begins, comments left out."""
    text = re.sub(r"\r\n|\r", "\n", data.decode("utf-8-sig"))
    text = re.sub(r"<!--.*?-->", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)
    lines: list[int] = []
    line = 1
    before = 0
    for match in re.finditer(r"<word[\s/>]", text):
        line += text.count("\n", before, match.start())
        before = match.start()
        lines.append(line)
    return lines


def row_lines(data: bytes) -> list[int]:
    """Return the line number of each token line of a CoNLL-U file."""
    lines = re.split(r"\r\n|\r|\n", data.decode("utf-8-sig"))
    return [number for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]


def _others(element: ElementTree.Element, known: list[str]) -> str | None:
    others = {name: value for name, value in element.attrib.items() if name not in known}
    return json.dumps(others, ensure_ascii=False, sort_keys=True) if others else None


def _person(element: ElementTree.Element) -> str:
    if len(element):
        return _squeezed(element.findtext("name")) or _squeezed(element.findtext("short"))
    return _squeezed(element.text)


def _text(element: ElementTree.Element) -> str | None:
    return _squeezed(element.text) or None


def _squeezed(text: str | None) -> str:
    return " ".join((text or "").split())
