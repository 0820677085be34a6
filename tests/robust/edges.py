"""Inputs at the edges of what is sensible: each builds, or one sentence says why it does not."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from robust import mini, runs
from robust.runs import EXPORT, INGEST, NO_UNIT_TESTS, Ended, dbt, environment
from robust.sources import Piece, sample

AGDT_FILE = "v2.1/Greek/texts/tlg0012.tlg001.perseus-grc1.tb.xml"
NO_SENTENCE = "No sentence in the input"
NOT_BUILT = "no configuration is built"


@dataclass
class Outcome:
    """What became of an edge.

    Attributes:
        name: its name.
        stages: what each command came to, as far as they went.
        sentences: sentences in the tables of the input.
        wrong: what did not hold.
        seconds: time that it took.
    """

    name: str
    stages: dict[str, Ended]
    sentences: int
    wrong: list[str]
    seconds: float

    def __str__(self) -> str:
        """Return one line."""
        ends = ", ".join(
            f"{stage} {ended.code} ({ended.seconds:.0f} s, {ended.peak / 1e6:,.0f} MB)"
            for stage, ended in self.stages.items()
        )
        last = list(self.stages.values())[-1].output.strip().splitlines()[-1:] or [""]
        return f"{self.name}: {self.sentences:,} sentences; {ends}; {self.seconds:.0f} s; {last[0][:160]}"


def _one(project: str, path: str) -> Piece:
    return next(file for file in sample() if (file.project, file.path) == (project, path))


def no_sentence(folder: Path) -> Path:
    """Files with heads and tails, and no sentence."""
    files = [replace(file, sentences=()) for file in mini.mini(1) if file.head]
    return mini.write(folder, [*files, Piece("ud_ptnk", "grc_ptnk-ud-test.conllu", b"", (), b"\n")])


def one_sentence(folder: Path) -> Path:
    """One sentence in all."""
    return mini.write(folder, [_one("agdt", AGDT_FILE).cut(0, 1)])


def all_duplicates(folder: Path) -> Path:
    """One sentence, a hundred times, in two projects."""
    homer = _one("agdt", AGDT_FILE)
    plato = _one("pedalion", "public/xml/crit.xml")
    return mini.write(
        folder,
        [replace(homer, sentences=homer.sentences[:1] * 100), replace(plato, sentences=homer.sentences[:1] * 100)],
    )


def all_excluded(folder: Path) -> Path:
    """Only documents that the catalogue excludes or skips."""
    wanted = (
        "example-sentences.xml",
        "chilia-sentences.xml",
        "aesop1.xml",
        "batracho.xml",
        "epictetus",
        "epictetus.xml",
    )
    return mini.write(folder, [file.cut(0, 10) for file in sample() if file.path.endswith(wanted)])


def one_work(folder: Path) -> Path:
    """One author with one work, large enough for a benchmark: no held-out work, and nobody to be told from."""
    return mini.write(folder, [_one("agdt", AGDT_FILE)])


def long_sentence(folder: Path) -> Path:
    """A sentence of 20,000 words among others."""
    homer = _one("agdt", AGDT_FILE)
    word = '<word id="{0}" form="{1}" lemma="λόγος" postag="n-s---mn-" relation="{2}" head="{3}"/>'
    forms = ["λόγος", "λόγου", "λόγῳ", "λόγον"]
    words = "".join(
        word.format(number, forms[number % 4], "ATR" if number > 1 else "PRED", number // 2)
        for number in range(1, 20_001)
    )
    long = f'<sentence id="9999" document_id="urn:cts:greekLit:tlg0012.tlg001" subdoc="1.1">{words}</sentence>\n'
    return mini.write(folder, [replace(homer, sentences=(*homer.sentences[:3], long.encode(), *homer.sentences[3:6]))])


def many_files(folder: Path, count: int = 10_000) -> Path:
    """Ten thousand small files, most of which the catalogue does not know."""
    homer = _one("agdt", AGDT_FILE).cut(0, 1)
    mini.write(folder, [homer])
    place = folder / "agdt" / "v2.1/Greek/texts"
    for number in range(count):
        # The document is found by its number; the catalogue knows Homer.
        (place / f"tlg0012.tlg001.part{number:05d}.tb.xml").write_bytes(homer.data)
    return folder


def large_file(folder: Path, size: int = 200_000_000) -> Path:
    """One file of 200 MB: a work of the sample, again and again."""
    homer = _one("agdt", AGDT_FILE)
    target = folder / "agdt" / AGDT_FILE
    target.parent.mkdir(parents=True)
    body = b"".join(homer.sentences)
    with target.open("wb") as handle:
        handle.write(homer.head)
        for _ in range(-(-size // len(body))):
            handle.write(body)
        handle.write(homer.tail)
    return folder


EDGES: dict[str, Callable[[Path], Path]] = {
    "no sentence": no_sentence,
    "one sentence": one_sentence,
    "all duplicates": all_duplicates,
    "all excluded": all_excluded,
    "one author with one work": one_work,
    "a sentence of 20,000 words": long_sentence,
    "10,000 small files": many_files,
    "one file of 200 MB": large_file,
}


def run(name: str, folder: Path, is_modelled: bool = True) -> Outcome:
    """Read an edge, build its models and export it, as far as that goes.

    A stage may end with 1 and one plain message, and then the next ones are left out; anything else is wrong.
    """
    begin = time.monotonic()
    treebanks = EDGES[name](folder / "treebanks")
    build = folder / "build"
    build.mkdir(parents=True)
    surroundings = environment(build, treebanks)
    outcome = Outcome(name, {}, 0, [], 0.0)
    stages = {"ingest": INGEST, "models": dbt("build", "--quiet", *NO_UNIT_TESTS), "export": EXPORT}
    for stage, command in stages.items():
        if stage != "ingest" and not is_modelled:
            break
        ended = outcome.stages[stage] = runs.run(command, surroundings, is_measured=True)
        if ended.code not in (0, 1) or "Traceback" in ended.output or ended.left:
            outcome.wrong.append(f"{stage} ended with {ended.code}: {ended.output[-1500:]}")
        elif ended.code == 1 and not ended.output.strip():
            outcome.wrong.append(f"{stage} ended with 1 and says nothing")
        if stage == "models" and ended.code == 1 and NO_SENTENCE not in ended.output:
            # Whatever stops the models has to be in the input, and none of these holds anything undecided.
            outcome.wrong.append(f"the models are not built: {ended.output[-1500:]}")
        if stage == "export" and ended.code == 1 and not (NOT_BUILT in ended.output and "queried" in ended.output):
            outcome.wrong.append(f"there is no edition, and the message does not say why: {ended.output[-1500:]}")
        if ended.code != 0:
            break
    if (build / "work" / "sphragis.duckdb").is_file():
        found = runs.content(build / "work" / "sphragis.duckdb")
        outcome.sentences = sum(rows[0] for table, rows in found.items() if table.endswith("_sentences"))
    outcome.seconds = time.monotonic() - begin
    return outcome
