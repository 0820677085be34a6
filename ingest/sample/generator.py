"""Write the bundled sample: a small corpus in the file layouts of the seven treebank projects.

The volume is generated from the vocabulary, the styles and the plan in this folder; hand-made sentences are appended
where the plan has the document. The files below ``files/<project>`` join it as they stand. Nothing random: each
sentence is composed from draws named by its document and number (`dice`), so the same bytes come out on every machine.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePosixPath

from ingest.sample import handmade, layouts
from ingest.sample.accents import letters
from ingest.sample.dice import Dice
from ingest.sample.grammar import Composer, Token, styles
from ingest.sample.inflection import verbs
from ingest.sample.layouts import LAYOUTS, Part, Sentence
from ingest.sources import Project, load_registry

PLAN = Path(__file__).parent / "plan.csv"
FILES = Path(__file__).parent / "files"
"""Files that are part of the sample as they stand, below the name of their project."""
SEED = 917
"""Of the sample alone, which does not change with the seed of the benchmark."""

NOTICE = """# This folder is a sample

Every sentence in it was made up for tests by Sphragis: composed from a word list, or written by hand to show one
construction. Nothing comes from an edition or from a treebank. The files stand where the seven projects have theirs
and carry the ids of real works, because the sample runs through the same catalogue, but the works' authors wrote none
of it. Do not cite it, and do not train anything on it that you mean to use.

Written by `python -m ingest.sample FOLDER`.
"""


@cache
def plan() -> tuple[Part, ...]:
    """Read the plan: one part per document (a CoNLL-U file holds several)."""
    with PLAN.open(encoding="utf-8", newline="") as lines:
        return tuple(
            Part(
                project=row["project"],
                path=row["path"],
                document=row["document"],
                source_author=row["source_author"],
                style=row["style"],
                rows=int(row["rows"]),
                passage=row["passage"],
                copies=row["copies"],
            )
            for row in csv.DictReader(lines)
        )


def sentence_key(tokens: list[Token]) -> str:
    """Join the letters of the words, as the deduplication of the corpus does."""
    return "".join(letters(token.form) for token in tokens)


def four_grams(tokens: list[Token]) -> set[tuple[str, ...]]:
    """Collect the word 4-grams of a sentence."""
    words = [word for token in tokens if (word := letters(token.form))]
    return {tuple(words[i : i + 4]) for i in range(len(words) - 3)}


def clone(tokens: list[Token]) -> list[Token]:
    """Copy a sentence with both trees."""
    copies = {id(token): replace(token) for token in tokens}
    for copy in copies.values():
        if copy.head is not None:
            copy.head = copies[id(copy.head)]
        if copy.ud_head is not None:
            copy.ud_head = copies[id(copy.ud_head)]
    return list(copies.values())


def reworded(tokens: list[Token]) -> list[Token]:
    """Copy a sentence and put its last finite verb into another tense: a variant reading."""
    copy = clone(tokens)
    for token in reversed(copy):
        if token.upos == "VERB" and token.tag[4] == "i":
            verb = next((v for v in verbs() if v.lemma == token.lemma), None)
            if verb is None:
                continue
            others = [tense for tense in "pia" if tense != token.tag[3] and (tense, token.tag[2]) in verb.finite]
            if others:
                tense = others[0]
                token.form = verb.finite[tense, token.tag[2]]
                token.tag = f"{token.tag[:3]}{tense}{token.tag[4:]}"
                break
    shared = four_grams(tokens) & four_grams(copy)
    if len(shared) >= 3 and 2 * len(shared) >= len(four_grams(copy)):
        return copy
    return clone(tokens)


def merged(first: list[Token], second: list[Token]) -> list[Token]:
    """Join two sentences into one with two roots, as another editor punctuates (native layouts only)."""
    left, right = clone(first), clone(second)
    left[-1].form = left[-1].lemma = "·"
    left[-1].relation = "AuxG"
    for token in right:
        if token.upos != "PUNCT" and token.ud_head is None:
            token.ud_head, token.deprel = left[-1].ud_head, "parataxis"
    return left + right


def _copied(part: Part, written: dict[str, list[list[Token]]]) -> list[tuple[list[Token], int]]:
    """Copy sentences of another document: (tokens, number of the original)."""
    if not part.copies:
        return []
    mode, source, count = part.copies.split(":")
    originals = written[source][: int(count)]
    if mode == "exact":
        return [(clone(tokens), number) for number, tokens in enumerate(originals, 1)]
    result: list[tuple[list[Token], int]] = []
    number = 0
    while number < len(originals):
        tokens = originals[number]
        if number % 5 == 0:
            result.append((clone(tokens), number + 1))
        elif number % 5 == 3 and number + 1 < len(originals):
            result.append((merged(tokens, originals[number + 1]), number + 1))
            number += 1
        else:
            result.append((reworded(tokens), number + 1))
        number += 1
    return result


def _passages(part: Part, sentences: list[Sentence]) -> None:
    """Give each sentence its passage, in the manner of the part: sections, chapters, verses, or lines of verse."""
    kind, _, start = part.passage.partition(":")
    line = 1
    for index, sentence in enumerate(sentences):
        if kind == "section":
            sentence.passage = str(int(start) + index // 3)
        elif kind == "under":
            sentence.passage = f"{int(start) + index // 12}_{index % 12 // 3 + 1}"
        elif kind == "book":
            sentence.passage = f"{start}.{index // 8 + 1}"
        elif kind == "range":
            sentence.passage = start
        elif kind == "chapter" and "." not in start:
            sentence.chapter = str(int(start) + index // 6)
            sentence.passage = f"{sentence.chapter}:{index % 6 // 2 + 1}"
        elif kind == "chapter":
            book, chapter = start.split(".")
            sentence.passage = f"{book}.{int(chapter) + index // 9}.{index % 9 // 3 + 1}"
        elif kind == "verse":
            sentence.chapter = str(int(start) + index // 20)
            sentence.passage = f"{sentence.chapter}:{index % 20 + 1}"
        elif kind in ("line", "bookline"):
            count = len(sentence.tokens)
            sentence.lines = [line + place // 6 for place in range(count)]
            last = sentence.lines[-1]
            if kind == "bookline":
                sentence.chapter = str(index // 100 + 1)
                ends = [f"{sentence.chapter}.{n}" for n in sorted({line, last})]
            else:
                ends = [str(n) for n in sorted({line, last})]
            sentence.passage = "-".join(ends)
            line = 1 if kind == "bookline" and index % 100 == 99 else last + 1


def _compose(part: Part, seen: set[str]) -> list[list[Token]]:
    """Compose the part's own sentences; a text that has occurred anywhere before is composed again."""
    style = styles().get(part.style, styles()["other"])
    result: list[list[Token]] = []
    for number in range(1, part.rows + 1):
        for attempt in range(50):
            dice = Dice(f"{SEED}|{part.project}|{part.path}|{part.document}|{number}|{attempt}")
            tokens = Composer(style, dice).sentence()
            key = sentence_key(tokens)
            if key not in seen:
                seen.add(key)
                result.append(tokens)
                break
        else:
            raise RuntimeError(f"{part.path}: no new sentence for number {number}; enlarge the vocabulary")
    return result


def _documents() -> dict[tuple[str, str], tuple[str, str]]:
    """Give the document id and the author of every document of the plan by project and path."""
    return {(part.project, part.path): (part.document, part.source_author) for part in plan()}


def _place(project: Project, path: str) -> str:
    """Give the path of a file below the folder of the sample: where the registry looks for files of its project."""
    before = project.files.split("*")[0].rpartition("/")[0]
    return PurePosixPath(project.name, before, LAYOUTS[project.name].folder, path).as_posix()


def render() -> dict[str, str]:
    """Compose the sample: path below the folder -> text of the file, in a fixed order."""
    projects = {project.name: project for project in load_registry().projects}
    ud = {name for name, project in projects.items() if project.format == "conllu"}
    by_hand, _ = handmade.native(_documents())
    by_hand_ud, _ = handmade.conllu()
    seen: set[str] = set()
    written: dict[str, list[list[Token]]] = {}
    own = {part: _compose(part, seen) for part in plan()}
    for part, texts in own.items():
        written.setdefault(f"{part.project}/{part.path}", texts)
    files: dict[str, str] = {}
    blocks: dict[str, list[str]] = {}
    for part in plan():
        sentences = [Sentence(tokens, 0, "", original=number) for tokens, number in _copied(part, written)]
        sentences += [Sentence(tokens, 0, "") for tokens in own[part]]
        for number, sentence in enumerate(sentences, 1):
            sentence.number = number
        _passages(part, sentences)
        body = LAYOUTS[part.project].write(part, sentences)
        path = _place(projects[part.project], part.path)
        if part.project in ud:
            blocks.setdefault(path, []).append(body)
        else:
            extra = by_hand.get((part.project, part.path), "")
            files[path] = layouts.xml_document(part, "\n".join(text for text in (body, extra) if text))
    for (project, name), text in by_hand_ud.items():
        blocks[_place(projects[project], name)].append(text)
    for path, texts_of_file in blocks.items():
        files[path] = "\n\n".join(text for text in texts_of_file if text) + "\n\n"
    given = (path for path in FILES.rglob("*") if path.is_file())
    files |= {path.relative_to(FILES).as_posix(): path.read_text(encoding="utf-8") for path in given}
    return {"SAMPLE.md": NOTICE, **dict(sorted(files.items()))}


def digest(files: dict[str, str]) -> str:
    """Give one sha256 over the paths and the bytes of all files."""
    total = sha256()
    for path, text in sorted(files.items()):
        total.update(f"{path}\0{sha256(text.encode()).hexdigest()}\n".encode())
    return total.hexdigest()


def write_sample(folder: Path) -> None:
    """Write the sample below `folder`, which becomes a folder of treebanks laid out as the real ones.

    Raises OSError when the folder cannot be written.
    """
    for path, text in render().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))


def constructions() -> list[handmade.Construction]:
    """List the hand-made sentences with what each shows."""
    return [*handmade.native(_documents())[1], *handmade.conllu()[1]]
