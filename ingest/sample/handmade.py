"""Read the hand-made sentences of `sentences/` and lay them out for the file that each belongs to.

Native sentences stand in `.tsv` files. A line is one of

- `// text`: a remark;
- `@ project path`: the sentences that follow go to the end of that file;
- `# [key] text`: the construction that the sentences that follow show, and the rule;
- `= id name=value ...`: a sentence begins; the pairs are attributes of its element (`document_id` comes from the plan
  when it is not given);
- a word: id, form, lemma, tag, relation, head and, if any, more attributes as `name=value`, tab-separated. The cell
  `(none)` leaves the attribute out; an empty cell writes it empty.

CoNLL-U sentences stand in `.conllu` files as they are written out, with the lines `#@ project path` and `#! [key]
text` between them, which are not copied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

SENTENCES = Path(__file__).parent / "sentences"
KEY = re.compile(r"\[([a-z0-9-]+)\]\s*(.*)")
COLUMNS = ("id", "form", "lemma", "postag", "relation", "head")
ABSENT = "(none)"


@dataclass(frozen=True)
class Construction:
    """A hand-made sentence and what it shows: `sentence` is its id in the file `path` of `project`."""

    key: str
    note: str
    project: str
    path: str
    sentence: str


def _attribute(name: str, value: str, quote: str) -> str:
    escaped = escape(value, {quote: "&quot;" if quote == '"' else "&apos;"})
    for char in "\t\n\r":
        escaped = escaped.replace(char, f"&#{ord(char)};")
    return f"{name}={quote}{escaped}{quote}"


def _pairs(cells: list[str]) -> list[tuple[str, str]]:
    return [(cell.partition("=")[0], cell.partition("=")[2]) for cell in cells if cell]


def _unescape(cell: str) -> str:
    r"""Read `\uXXXX` in a cell as that character: signs that no editor shows."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found.group(1), 16)), cell)


def _word(cells: list[str], project: str, document: str, sentence: str) -> str:
    quote = "'" if project == "pedalion" else '"'
    pairs = [(name, _unescape(cell)) for name, cell in zip(COLUMNS, cells, strict=False)]
    pairs += [(name, _unescape(value)) for name, value in _pairs(cells[len(COLUMNS) :])]
    attributes = [_attribute(name, value, quote) for name, value in pairs if value != ABSENT]
    if project == "pedalion":
        attributes.insert(0, f"ref='Sample|{document}|{sentence}|{cells[0]}'")
        attributes.append("sem=''")
    return f"<word {' '.join(attributes)}/>"


def native(documents: dict[tuple[str, str], tuple[str, str]]) -> tuple[dict[tuple[str, str], str], list[Construction]]:
    """Lay out the native sentences.

    `documents` maps (project, path) to (document_id, author). Returns the text to append per (project, path), and
    the constructions.
    """
    texts: dict[tuple[str, str], list[str]] = {}
    found: list[Construction] = []
    for source in sorted(SENTENCES.glob("*.tsv")):
        target = ("", "")
        key = note = sentence = ""
        document = ""
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{source.name}:{number}"
            if not line.strip() or line.startswith("//"):
                continue
            if line.startswith("@ "):
                if sentence:
                    texts[target].append("</sentence>")
                sentence = ""
                _, project, path = line.split(" ", 2)
                target = (project, path)
                if target not in documents:
                    raise ValueError(f"{where}: the plan has no document {path} in {project}")
                texts.setdefault(target, [])
            elif line.startswith("# "):
                matched = KEY.match(line[2:])
                if matched is None:
                    raise ValueError(f"{where}: expected '# [key] text', found {line!r}")
                key, note = matched.groups()
            elif line.startswith("= "):
                if sentence:
                    texts[target].append("</sentence>")
                sentence, *rest = line[2:].split("\t")
                quote = "'" if target[0] == "pedalion" else '"'
                document, author = documents[target]
                given = dict(_pairs(rest))
                attributes = {"id": sentence, "document_id": document}
                if target[0] == "pedalion":
                    attributes.update({"Author": author, "subdoc": "", "corrupt": ""})
                elif target[0] in ("gorman", "harrington"):
                    attributes.update({"subdoc": "", "span": ""})
                attributes.update(given)
                shown = [_attribute(n, v, quote) for n, v in attributes.items() if v != ABSENT]
                texts[target].append(f"<sentence {' '.join(shown)}>")
                found.append(Construction(key, note, target[0], target[1], sentence))
            else:
                cells = line.split("\t")
                if len(cells) < len(COLUMNS):
                    raise ValueError(f"{where}: expected at least six columns, found {len(cells)}")
                texts[target].append(_word(cells, target[0], document, sentence))
        if sentence:
            texts[target].append("</sentence>")
    return {target: "\n".join(lines) for target, lines in texts.items()}, found


def conllu() -> tuple[dict[tuple[str, str], str], list[Construction]]:
    """Read the CoNLL-U sentences: the text to append per (project, path), and the constructions."""
    texts: dict[tuple[str, str], list[str]] = {}
    found: list[Construction] = []
    for source in sorted(SENTENCES.glob("*.conllu")):
        target = ("", "")
        key = note = ""
        for number, line in enumerate(source.read_text(encoding="utf-8").split("\n"), 1):
            if line.startswith("#@ "):
                _, project, path = line.split(" ", 2)
                target = (project, path)
                texts.setdefault(target, [])
            elif line.startswith("#! "):
                matched = KEY.match(line[3:])
                if matched is None:
                    raise ValueError(f"{source.name}:{number}: expected '#! [key] text', found {line!r}")
                key, note = matched.groups()
            elif target[0]:
                texts[target].append(_unescape(line))
                if line.startswith("# sent_id = "):
                    found.append(Construction(key, note, target[0], target[1], line.split(" = ")[1]))
    blocks: dict[tuple[str, str], str] = {}
    for target, lines in texts.items():
        sentences = [block.strip("\n") for block in "\n".join(lines).split("\n\n")]
        blocks[target] = "\n\n".join(sentence for sentence in sentences if sentence)
    return blocks, found
