"""The fixtures of the head conversion: native tree and published tree side by side, in tests/fixtures/syntax.

Those of the full annotation stand in tests/fixtures/universal; the READMEs of the folders describe the formats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "syntax"
UNIVERSAL_FOLDER = FOLDER.with_name("universal")
UD_PROJECTS = ("ud_perseus", "ud_proiel", "ud_ptnk")
NATIVE_COLUMNS = ("id", "form", "lemma", "postag", "relation", "head")
ELLIPSIS = {"artificial": ' artificial="elliptic"', "insertion": ' insertion_id="0001e"'}

# Where a reader looks for the files of a project.
FILE_PATTERNS = {
    "agdt": "v2.1/Greek/texts/{}.xml",
    "harrington": "public/xml/{}.xml",
    "ud_perseus": "{}.conllu",
    "ud_proiel": "{}.conllu",
    "ud_ptnk": "{}.conllu",
}

# index, head, relation, deprel, repair, and upos, feats, lemma and form where the fixture gives them
Expected = tuple[int, int, str, str, str | None, str | None, str | None, str | None, str | None]


@dataclass(frozen=True)
class Sentence:
    """One fixture.

    Attributes:
        construction: name of its file.
        position: its number in the file, from 1.
        source: fields of each token as the source has them.
        expected: the published tokens.
        has_morphology: whether class and features are given.
    """

    construction: str
    position: int
    source: tuple[tuple[str, ...], ...]
    expected: tuple[Expected, ...]
    has_morphology: bool


@dataclass(frozen=True)
class Fixture:
    """One file of fixtures, the sentences of one project."""

    construction: str
    project: str
    sentences: tuple[Sentence, ...]

    @property
    def path(self) -> str:
        """Path of the treebank file that holds the sentences, inside the folder of its project."""
        return FILE_PATTERNS[self.project].format(self.construction)


def load_fixtures(folder: Path = FOLDER) -> list[Fixture]:
    """Read all files of a folder in the order of their names.

    In those of ``UNIVERSAL_FOLDER`` the full class stands in the place of the published relation, and the full features
    in that of the repair.
    """
    return [read_fixture(path) for path in sorted(folder.glob("*.txt"))]


def read_fixture(path: Path) -> Fixture:
    """Read one file; a line that does not fit the format raises ValueError with file and line number."""
    project = "agdt"
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("# project:"):
            project = line.partition(":")[2].strip()
        elif not line.strip():
            blocks.append([])
        elif not line.startswith("#"):
            blocks[-1].append((number, line))
    sentences = tuple(
        read_sentence(path, position, block, project)
        for position, block in enumerate((block for block in blocks if block), start=1)
    )
    return Fixture(path.stem, project, sentences)


def read_sentence(path: Path, position: int, block: list[tuple[int, str]], project: str) -> Sentence:
    """Read the lines of one sentence."""
    source: list[tuple[str, ...]] = []
    expected: list[Expected] = []
    widths = (8, 9) if project in UD_PROJECTS else (6, 7)
    has_morphology = False
    for number, line in block:
        left, bar, right = line.partition("|") if project not in UD_PROJECTS else line.partition(" | ")
        fields = tuple(left.split())
        published = right.split()
        if not bar or len(fields) not in widths or (published != ["-"] and not 4 <= len(published) <= 9):
            raise ValueError(f"{path.name} line {number}: expected a token of both trees, found {line!r}")
        source.append(fields)
        if published != ["-"]:
            index, head, relation, deprel, *more = published
            rest: list[str | None] = [*more, *[None] * 5]
            repair, upos, feats, lemma, form = rest[:5]
            has_morphology = has_morphology or upos is not None
            expected.append(
                (
                    int(index),
                    int(head),
                    relation,
                    deprel,
                    None if repair == "." else repair,
                    upos,
                    None if feats == "_" else feats,
                    lemma,
                    form,
                )
            )
    return Sentence(path.stem, position, tuple(source), tuple(expected), has_morphology)


def write_treebanks(fixtures: list[Fixture], folder: Path) -> None:
    """Write every fixture as a file of its project, below ``folder/<project>``."""
    for fixture in fixtures:
        path = folder / fixture.project / fixture.path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = conllu_lines(fixture) if fixture.project in UD_PROJECTS else xml_lines(fixture)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def xml_lines(fixture: Fixture) -> Iterator[str]:
    """Yield the lines of a native XML file."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<treebank xml:lang="grc" version="2.1">'
    for sentence in fixture.sentences:
        yield f'  <sentence id="{sentence.position}" document_id="fixture" subdoc="1">'
        for fields in sentence.source:
            attributes = "".join(
                f" {name}={quoteattr('' if value == chr(34) * 2 else value.replace('␣', ' '))}"
                for name, value in zip(NATIVE_COLUMNS, fields, strict=False)
                if value != "absent"
            )
            yield f"    <word{attributes}{ELLIPSIS[fields[6]] if len(fields) > 6 else ''}/>"
        yield "  </sentence>"
    yield "</treebank>"


def conllu_lines(fixture: Fixture) -> Iterator[str]:
    """Yield the lines of a CoNLL-U file."""
    for sentence in fixture.sentences:
        yield f"# sent_id = {fixture.construction}-{sentence.position}"
        for fields in sentence.source:
            deps = fields[8] if len(fields) > 8 else "_"
            yield "\t".join([*fields[:8], deps, "_"]).replace("␣", " ")
        yield ""
