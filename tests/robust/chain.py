"""Damaged sentences through the whole chain: read, modelled, and each of them with a fate, or a stop that says why.

A batch is a folder laid out like the treebanks, with the first sentences of every document of the sample, many of
them damaged. In a `decided` batch no damage brings a label, a value or a document that nobody has decided about, so the
build has to succeed; in an `open` one it may stop, but then it has to name one of the undecided things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from robust import damage_conllu, damage_xml, mini, runs
from robust.dice import Dice
from robust.oracles import Plain
from robust.runs import INGEST, NO_UNIT_TESTS, dbt, environment
from robust.sources import Piece, sample

FATES = "+corpus_sentence_fates"
_COLUMNS = {"upos": 3, "feats": 5, "deprel": 7}


@dataclass(frozen=True)
class Batch:
    """A damaged folder of treebanks.

    Attributes:
        name: what makes it.
        files: its files.
        damaged: number of damaged sentences.
        undecided: labels, values and documents in it that the sound sample does not have.
    """

    name: str
    files: tuple[Piece, ...]
    damaged: int
    undecided: frozenset[str]


@dataclass
class Verdict:
    """What a batch came to.

    Attributes:
        sentences: sentences that were read.
        fates: sentences by fate.
        is_built: whether the models were built.
        wrong: what did not hold.
        output: what the last command printed.
    """

    sentences: int = 0
    fates: dict[str, int] = field(default_factory=dict)
    is_built: bool = False
    wrong: list[str] = field(default_factory=list)
    output: str = ""


def values_of(format: str, sentence: bytes) -> set[str]:
    """Return labels, values and names of documents of a sentence: everything that a person has to decide about."""
    if format == "native_xml":
        plain = Plain(b"<treebank>" + sentence + b"</treebank>")
        labels = {word.get("relation", "") for _, words in plain.sentences for word in words}
        return labels | {about["document_id"] for about, _ in plain.sentences if "document_id" in about}
    text = sentence.decode("utf-8", "replace")
    found: set[str] = set()
    documents: list[str] = []
    for line in re.split(r"\r\n|\r|\n", text):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            if key.strip() in ("source", "sent_id"):
                # The document stands in the id, the number behind it does not matter.
                documents.append(f"{key.strip()} {re.sub(r'[0-9]+(-grc)?$|:[0-9]+', '', value.strip())}")
        elif line.strip():
            columns = line.split("\t")
            for column in _COLUMNS.values():
                found |= set(columns[column].split("|")) if len(columns) > column else set()
        else:
            # A second sentence begins, which has to say again whose it is.
            documents.append("next")
    return found | {" ".join(documents).removesuffix(" next").removesuffix(" next")}


@cache
def known() -> frozenset[str]:
    """Return the labels, values and documents of the sound sample."""
    return frozenset(value for file in sample() for one in file.sentences for value in values_of(file.format, one))


def make(number: int, sentences: int = 4, share: float = 0.5, decided: bool = True) -> Batch:
    """Make a batch.

    Args:
        number: its number, from which all its damages follow.
        sentences: sentences of every document.
        share: share of the sentences that are damaged.
        decided: leave out damages that bring something undecided, or that break the file.
    """
    name = f"chain {'decided' if decided else 'open'} {number}"
    damaged = 0
    undecided: set[str] = set()
    files: list[Piece] = []
    for file in mini.mini(sentences):
        found: list[bytes] = []
        for place, sentence in enumerate(file.sentences):
            dice = Dice(f"{name} {file.project}/{file.path} {place}")
            after = _damaged(file.format, sentence, dice, decided) if dice.chance(share) else sentence
            damaged += after != sentence
            undecided |= values_of(file.format, after) - known()
            found.append(after)
        files.append(Piece(file.project, file.path, file.head, tuple(found), file.tail))
    return Batch(name, tuple(files), damaged, frozenset(undecided))


def _damaged(format: str, sentence: bytes, dice: Dice, decided: bool) -> bytes:
    """Damage a sentence; of twenty damages the first that may be taken."""
    damage = damage_xml.damage_sentence if format == "native_xml" else damage_conllu.damage_sentence
    for _ in range(20):
        after, _ = damage(sentence, dice)
        if format == "native_xml" and Plain(b"<treebank>" + after + b"</treebank>").why:
            # It would cost the file; the readers have such files enough.
            continue
        if format == "conllu" and (b"\x00" in after or not _is_text(after)):
            continue
        if not decided or values_of(format, after) <= known():
            return after
    return sentence


def _names(output: str, undecided: frozenset[str]) -> bool:
    """Whether a message names a document, a label or a value that is undecided."""
    return any(
        value in output
        for part in undecided
        for value in (part, *part.split())
        if value not in ("source", "sent_id", "next")
    )


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def run(batch: Batch, folder: Path, is_tested: bool = True) -> Verdict:
    """Read and model a batch.

    Args:
        batch: the files.
        folder: a folder for input and build, which is made.
        is_tested: run the tests of the models too, which are most of the time.
    """
    verdict = Verdict()
    treebanks = mini.write(folder / "treebanks", list(batch.files))
    build = folder / "build"
    build.mkdir(parents=True)
    surroundings = environment(build, treebanks)
    read = runs.run((*INGEST, "--full"), surroundings)
    if read.code != 0:
        verdict.wrong.append(f"ingest ended with {read.code}")
        verdict.output = read.output
        return verdict
    tests = NO_UNIT_TESTS if is_tested else ("--exclude-resource-type", "test", *NO_UNIT_TESTS)
    built = runs.run(dbt("build", "--select", FATES, "--indirect-selection", "buildable", *tests), surroundings)
    verdict.output = built.output
    verdict.is_built = built.code == 0
    work = build / "work" / "sphragis.duckdb"
    with runs.opened(work) as connection:
        projects = [name for (name,) in connection.execute("select project from seeds.projects").fetchall()]
        counts = [connection.execute(f"select count(*) from raw.{name}_sentences").fetchone() for name in projects]
        verdict.sentences = sum(count[0] for count in counts if count)
        if verdict.is_built:
            verdict.fates = dict(
                connection.execute(
                    "select fate, count(*) from corpus.sentence_fates group by fate order by fate"
                ).fetchall()
            )
    if verdict.is_built:
        if sum(verdict.fates.values()) != verdict.sentences or None in verdict.fates:
            verdict.wrong.append(f"{verdict.sentences} sentences were read, and have these fates: {verdict.fates}")
    elif not batch.undecided:
        verdict.wrong.append("the build stopped, and there is nothing undecided in the input")
    elif not _names(built.output, batch.undecided):
        verdict.wrong.append("the build stopped and names nothing of what is undecided")
    elif "Traceback" in built.output:
        verdict.wrong.append("the build stopped with a traceback")
    return verdict
