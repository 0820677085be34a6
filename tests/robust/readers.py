"""Thousands of damaged files through both readers: a case is a name, and the name alone makes its bytes."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import signal
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from types import FrameType

import pyarrow as pa

from ingest.readers.records import Reading
from robust import damage_conllu, damage_xml, oracles, sources
from robust.dice import Dice
from robust.sources import CONLLU, NATIVE, Piece
from runtime.lean import without_pandas

# No input of some kilobytes may take more of a processor; a good one takes a thousandth of a second.
SECONDS = 10
# What does not work and does not come back, such as a pipe that nobody writes to, hangs after this time on any machine.
SECONDS_WAITED = 900
CASES_AT_A_TIME = 500

_pieces: dict[tuple[str, str], tuple[Piece, ...]] = {}
_sound: dict[tuple[str, str, int], Reading] = {}


class TooSlow(BaseException):
    """A reader that has not come back; no ``Exception``, so that nothing on the way takes it for another fault."""


@dataclass(frozen=True)
class Case:
    """A damaged file.

    Attributes:
        name: what makes it: kind of source, format and number.
        format: its format.
        data: its bytes.
        damages: the names of what was done to it.
        piece: the key of the sound piece that it was made from.
        place: the damaged sentence, None where the file as a whole is damaged.
        sentence: the bytes of that sentence.
    """

    name: str
    format: str
    data: bytes
    damages: tuple[str, ...]
    piece: tuple[str, str, int]
    place: int | None
    sentence: bytes


@dataclass
class Tally:
    """What some cases gave: counts, and for each failure its case with what was wrong.

    Attributes:
        cases: number of cases.
        read: number of files that were read, in part at least.
        alone: number of cases in which the neighbours were compared.
        damages: how often each damage was done.
        digest: one checksum over all readings.
        failures: cases with what was wrong.
    """

    cases: int = 0
    read: int = 0
    alone: int = 0
    damages: Counter[str] = field(default_factory=Counter)
    digest: str = ""
    failures: list[tuple[Case, list[str]]] = field(default_factory=list)

    def __iadd__(self, other: Tally) -> Tally:
        """Add the counts of other cases."""
        self.cases += other.cases
        self.read += other.read
        self.alone += other.alone
        self.damages += other.damages
        self.digest = hashlib.sha256(f"{self.digest}{other.digest}".encode()).hexdigest()
        self.failures += other.failures
        return self


@contextlib.contextmanager
def watched(seconds: int = SECONDS) -> Iterator[None]:
    """Stop what does not come back: after seconds of work, so that a busy machine changes nothing, or a long wait."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"not finished after {seconds} s of work, or {SECONDS_WAITED} s in all")

    before = {number: signal.signal(number, stop) for number in (signal.SIGALRM, signal.SIGPROF)}
    signal.alarm(SECONDS_WAITED)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for number, handler in before.items():
            signal.signal(number, handler)


def load(kinds: tuple[str, ...]) -> dict[tuple[str, str], tuple[Piece, ...]]:
    """Return the pieces by kind of source and format; a kind without any is left out."""
    found = {(kind, format): some for kind in kinds for format, some in sources.pieces(kind).items()}
    return {key: some for key, some in found.items() if some}


def start(pieces: dict[tuple[str, str], tuple[Piece, ...]]) -> None:
    """Prepare a process: the pieces to be damaged, and no pandas."""
    without_pandas()
    _pieces.update(pieces)


def make(kind: str, format: str, number: int) -> Case:
    """Make the case of a number from the pieces that were loaded."""
    name = f"{kind} {format} {number}"
    dice = Dice(name)
    which = dice.place(_pieces[kind, format])
    piece = _pieces[kind, format][which]
    damage = damage_xml.damage_sentence if format == NATIVE else damage_conllu.damage_sentence
    if piece.sentences and dice.chance(0.85):
        place = dice.place(piece.sentences)
        sentence, names = damage(piece.sentences[place], dice)
        data = piece.head + b"".join([*piece.sentences[:place], sentence, *piece.sentences[place + 1 :]]) + piece.tail
        return Case(name, format, data, tuple(names), (kind, format, which), place, sentence)
    data, names = piece.data, []
    for _ in range(dice.one((1, 1, 2, 4))):
        change = dice.one(damage_xml.FILE_CHANGES if format == NATIVE else damage_conllu.FILE_CHANGES)
        data = change(data, dice)
        names.append(change.__name__)
    return Case(name, format, data, tuple(names), (kind, format, which), None, b"")


def check(case: Case) -> tuple[Reading, list[str], bool]:
    """Read a case and compare it with everything that must hold.

    Returns:
        The reading, what is wrong with it, and whether the neighbours of a damaged sentence could be compared.
    """
    reading = oracles.read(case.format, case.data)
    wrong = oracles.account(reading, case.data)
    wrong += (oracles.as_plain if case.format == NATIVE else oracles.as_lines)(reading, case.data)
    kind, format, which = case.piece
    piece = _pieces[kind, format][which]
    if case.piece not in _sound:
        _sound[case.piece] = oracles.read(format, piece.data)
    # A fixture may be damaged as it is; then nobody can say which of its sentences are the neighbours.
    alone = case.place is not None and _sound[case.piece].sentences == len(piece.sentences) and _is_alone(case)
    if alone and case.place is not None and not wrong:
        lines = oracles.line_ends(case.sentence) - oracles.line_ends(piece.sentences[case.place])
        after = len(piece.sentences) - case.place - 1
        wrong += oracles.neighbours(_sound[case.piece], reading, case.place, after, lines)
    return reading, wrong, alone


def _is_alone(case: Case) -> bool:
    """Whether a damage is confined to its sentence by the format itself: whole XML, or UTF-8 that is no NUL."""
    if case.format == NATIVE:
        return not oracles.Plain(b"<treebank>" + case.sentence + b"</treebank>").why
    if b"\x00" in case.sentence:
        return False
    try:
        case.sentence.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def run(kind: str, format: str, first: int, stop: int) -> Tally:
    """Check the cases of some numbers."""
    tally = Tally()
    digest = hashlib.sha256()
    for number in range(first, stop):
        case = make(kind, format, number)
        try:
            with watched():
                reading, wrong, alone = check(case)
        except (Exception, TooSlow) as error:
            reading, wrong, alone = None, ["".join(traceback.format_exception(error)[-4:])], False
        tally.cases += 1
        tally.damages.update(case.damages)
        tally.alone += alone
        if reading is not None:
            tally.read += reading.is_read
            digest.update(repr(reading.rejects).encode("utf-8", "surrogatepass"))
            for table in reading.tables.values():
                digest.update(table.serialize())
        if wrong:
            tally.failures.append((case, wrong))
    tally.digest = digest.hexdigest()
    return tally


def run_all(
    pieces: dict[tuple[str, str], tuple[Piece, ...]], cases: int, processes: int, first: int = 0
) -> Iterator[Tally]:
    """Check so many cases of every kind and format together, and give the tally of each part when it is done."""
    each = -(-cases // len(pieces))
    parts = [
        (kind, format, begin, min(begin + CASES_AT_A_TIME, first + each))
        for begin in range(first, first + each, CASES_AT_A_TIME)
        for kind, format in pieces
    ]
    if processes == 1:
        start(pieces)
        yield from (run(*part) for part in parts)
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), start, (pieces,)) as pool:
        yield from pool.map(run, *zip(*parts, strict=True))


def formats() -> tuple[str, str]:
    """Return the names of both formats."""
    return NATIVE, CONLLU


def arrow_version() -> str:
    """Return the version of Arrow, which the checksums of readings depend on."""
    return str(pa.__version__)
