"""Commands that are killed, again and again, at moments drawn by seed; what is published stays whole, and all goes on.

A chain begins with a build folder in a known state, kills one command there a few times, looks at what is left after
each kill, and lets the command run to its end at last. Moments are of two kinds: at a touch of the build folder, which
is the same in every run, and after a share of the time that the command takes, which is not; what must hold is.
"""

from __future__ import annotations

import shutil
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import hub_fixture

from robust import mini, runs
from robust.dice import Dice
from robust.runs import EXPORT, INGEST, NO_UNIT_TESTS, dbt, edition, environment, listing

CONFIGURED = "update hub.sentences set work = 'Another title'"


@dataclass
class Report:
    """What some chains gave.

    Attributes:
        kills: how many processes were really killed.
        runs: how many commands ended by themselves.
        wrong: what did not hold, one line each, with the name of the chain.
    """

    kills: int = 0
    runs: int = 0
    wrong: list[str] = field(default_factory=list)

    def __iadd__(self, other: Report) -> Report:
        """Add the counts of other chains."""
        self.kills += other.kills
        self.runs += other.runs
        self.wrong += other.wrong
        return self


def copy(source: Path, target: Path) -> Path:
    """Copy a folder, links as links, to a place where there is none."""
    shutil.copytree(source, target, symlinks=True)
    return target


def _must(command: tuple[str, ...], surroundings: dict[str, str]) -> None:
    """Run a command that has to succeed for anything to be tested."""
    ended = runs.run(command, surroundings)
    if ended.code != 0:
        raise AssertionError(f"{command} ended with {ended.code}: {ended.output}")


def touches(command: tuple[str, ...], build: Path, surroundings: dict[str, str], folder: Path) -> int:
    """Return how often a command touches its build folder when nothing stops it."""
    log = folder / "touches"
    log.unlink(missing_ok=True)
    _must(command, surroundings | runs.fault(build, 0, "kill", log=log))
    return len(log.read_text(encoding="utf-8", errors="replace").splitlines())


@dataclass
class Stage:
    """A command that can be killed, with the state from which it starts and the states that it may leave.

    Attributes:
        name: what it is called in reports.
        command: the command.
        treebanks: its input, where it has one.
        start: folder with the build as it is before.
        end: folder with the build as it is after a whole run.
        touches: number of touches of the build folder in a whole run.
        seconds: time of a whole run.
        last: number of the last touches that are drawn more often than others, because the swap is there.
    """

    name: str
    command: tuple[str, ...]
    treebanks: Path | None
    start: Path
    end: Path
    touches: int
    seconds: float
    last: int = 0

    def moment(self, dice: Dice) -> tuple[dict[str, str], float | None, bool]:
        """Draw a moment: the touch as settings, or the seconds; and whether the whole group is killed."""
        if dice.chance(0.5) and self.touches:
            at = (
                self.touches - dice.below(self.last) if self.last and dice.chance(0.6) else 1 + dice.below(self.touches)
            )
            return {"at": str(at)}, None, False
        return {}, self.seconds * dice.random(), dice.chance(0.5)


def synthetic(folder: Path) -> Stage:
    """Make the stage of the export: one edition is published, and another one waits in the working database."""
    first = folder / "before"
    work = first / "work" / "sphragis.duckdb"
    work.parent.mkdir(parents=True)
    hub_fixture.build(work, count=300)
    _must(EXPORT, environment(first))
    with duckdb.connect(str(work)) as connection:
        connection.execute(CONFIGURED)
    last = copy(first, folder / "after")
    begin = time.monotonic()
    count = touches(EXPORT, last, environment(last), folder)
    # Nothing but the swap and what follows it happens after the checksums are written: a few names per file.
    return Stage("export", EXPORT, None, first, last, count, time.monotonic() - begin, last=120)


def first_export(folder: Path) -> Stage:
    """Make the stage of the first export, before which nothing is published."""
    first = folder / "before"
    work = first / "work" / "sphragis.duckdb"
    work.parent.mkdir(parents=True)
    hub_fixture.build(work, count=300)
    last = copy(first, folder / "after")
    begin = time.monotonic()
    count = touches(EXPORT, last, environment(last), folder)
    return Stage("first export", EXPORT, None, first, last, count, time.monotonic() - begin, last=120)


def reading(folder: Path, is_first: bool = False) -> Stage:
    """Make the stage of the ingest: other files than those of the tables, or no database at all yet."""
    files = mini.mini(2)
    treebanks = mini.write(folder / "treebanks", files)
    first = folder / "before"
    first.mkdir()
    if not is_first:
        _must(INGEST, environment(first, treebanks))
        mini.write(treebanks, [file for file in mini.mini(3) if file.path < "grc_q"])
    last = copy(first, folder / "after")
    begin = time.monotonic()
    count = touches(INGEST, last, environment(last, treebanks), folder)
    name = "first ingest" if is_first else "ingest"
    return Stage(name, INGEST, treebanks, first, last, count, time.monotonic() - begin)


def first_reading(folder: Path) -> Stage:
    """Make the stage of the first ingest, before which there is no database."""
    return reading(folder, is_first=True)


def chain(stage: Stage, number: int, folder: Path, kills: int = 4) -> Report:
    """Kill a command a few times in one build folder, look after each kill, and let it run to its end.

    Args:
        stage: the command with its states.
        number: number of the chain, from which all its moments follow.
        folder: a folder for its build, which is removed at the end.
        kills: how often it is killed.
    """
    name = f"kills {stage.name} {number}"
    dice = Dice(name)
    report = Report()
    build = copy(stage.start, folder / f"{stage.name} {number}".replace(" ", "-"))
    surroundings = environment(build, stage.treebanks)
    before, after = edition(stage.start), edition(stage.end)
    raw = [runs.content(place / "work" / "sphragis.duckdb") for place in (stage.start, stage.end)]

    def complain(text: str) -> None:
        report.wrong.append(f"{name}: {text}")

    try:
        for kill in range(kills):
            told, seconds, whole = stage.moment(dice)
            where = f"kill {kill + 1} at touch {told['at']}" if told else f"kill {kill + 1} after {seconds:.3f} s"
            more = runs.fault(build, int(told["at"]), "kill") if told else {}
            ended = runs.run(stage.command, surroundings | more, seconds, whole)
            if ended.code == -signal.SIGKILL:
                report.kills += 1
            else:
                report.runs += 1
                if ended.code != 0:
                    complain(f"{where}: ended with {ended.code}: {ended.output[-2000:]}")
            if ended.left:
                complain(f"{where}: {ended.left} processes are left")
            found = edition(build)
            if found not in (before, after):
                complain(f"{where}: the edition is neither that before nor the next one: {_told(found, before, after)}")
            if stage.treebanks is not None and runs.content(build / "work" / "sphragis.duckdb") not in raw:
                complain(f"{where}: the tables of the input are neither those before nor the next ones")
        ended = runs.run(stage.command, surroundings)
        report.runs += 1
        if ended.code != 0:
            complain(f"the run after {kills} kills ended with {ended.code}: {ended.output[-2000:]}")
        elif edition(build) != after:
            complain(f"the run after {kills} kills has not published the next edition")
        elif stage.treebanks is not None and runs.content(build / "work" / "sphragis.duckdb") != raw[1]:
            complain(f"the run after {kills} kills has other tables of the input")
        if listing(build) != listing(stage.end):
            litter = sorted(set(listing(build)) ^ set(listing(stage.end)))
            complain(f"after the next whole run there are other names than without kills: {litter[:10]}")
    finally:
        shutil.rmtree(build, ignore_errors=True)
    return report


def swap_chain(stage: Stage, folder: Path, every: int = 1, first: int = 0) -> Report:
    """Kill a command at one touch of the build folder after the other, from the first of the last ones on.

    Args:
        stage: the command with its states.
        folder: a folder for its builds, which are removed at the end.
        every: how many touches lie between two kills.
        first: by how many touches later it begins.
    """
    report = Report()
    for at in range(stage.touches - stage.last + first, stage.touches + 1, every):
        build = copy(stage.start, folder / f"swap-{at}")
        try:
            ended = runs.run(stage.command, environment(build, stage.treebanks) | runs.fault(build, at, "kill"))
            report.kills += ended.code == -signal.SIGKILL
            report.runs += ended.code != -signal.SIGKILL
            found = edition(build)
            if found not in (edition(stage.start), edition(stage.end)):
                told = _told(found, edition(stage.start), edition(stage.end))
                report.wrong.append(f"{stage.name} killed at touch {at} of {stage.touches}: {told}")
        finally:
            shutil.rmtree(build, ignore_errors=True)
    return report


def _told(found: tuple[str, str], before: tuple[str, str], after: tuple[str, str]) -> str:
    """Say which part of an edition is the old one, the new one, absent, or something else."""
    words = []
    for part, value, old, new in zip(("warehouse", "folder"), found, before, after, strict=True):
        state = "absent" if value == "none" else "old" if value == old else "new" if value == new else "another"
        words.append(f"{part} {state}")
    return ", ".join(words)


def modelling(folder: Path) -> Stage:
    """Make the stage of the models: one input was built to its end, another one has been read since."""
    treebanks = mini.write(folder / "treebanks", mini.mini(3))
    first = folder / "before"
    work = first / "work" / "sphragis.duckdb"
    work.parent.mkdir(parents=True)
    # What is published need not have been made from the small corpus, which is too small for a benchmark.
    hub_fixture.build(work, count=300)
    _must(EXPORT, environment(first))
    work.unlink()
    _must(INGEST, environment(first, treebanks))
    _must(dbt("build", *NO_UNIT_TESTS), environment(first, treebanks))
    mini.write(treebanks, mini.mini(4))
    _must(INGEST, environment(first, treebanks))
    last = copy(first, folder / "after")
    begin = time.monotonic()
    _must(dbt("build", *NO_UNIT_TESTS), environment(last, treebanks))
    return Stage("models", dbt("build", *NO_UNIT_TESTS), treebanks, first, last, 0, time.monotonic() - begin)


def chain_of_models(stage: Stage, number: int, folder: Path, kills: int = 4, is_finished: bool = False) -> Report:
    """Kill dbt a few times in one build folder: no export is accepted after it, and the edition stays.

    Args:
        stage: the stage of the models.
        number: number of the chain, from which all its moments follow.
        folder: a folder for its build, which is removed at the end.
        kills: how often it is killed.
        is_finished: let it run to its end at last, which takes as long as many kills.
    """
    name = f"kills {stage.name} {number}"
    dice = Dice(name)
    report = Report()
    build = copy(stage.start, folder / f"{stage.name} {number}".replace(" ", "-"))
    surroundings = environment(build, stage.treebanks)
    before = edition(stage.start)
    raw = runs.content(stage.start / "work" / "sphragis.duckdb")
    raw.pop("whole_run", None)

    def complain(text: str) -> None:
        report.wrong.append(f"{name}: {text}")

    try:
        for kill in range(kills):
            seconds = stage.seconds * dice.random() * 0.95
            ended = runs.run(stage.command, surroundings, seconds, dice.chance(0.5))
            where = f"kill {kill + 1} after {seconds:.1f} s"
            if ended.code != -signal.SIGKILL:
                report.runs += 1
                continue
            report.kills += 1
            if ended.left:
                complain(f"{where}: {ended.left} processes are left")
            found = runs.content(build / "work" / "sphragis.duckdb")
            found.pop("whole_run", None)
            if found != raw:
                complain(f"{where}: the tables of the input have changed")
            refused = runs.run(EXPORT, surroundings)
            report.runs += 1
            if not refused.is_told or "dbt build" not in refused.output:
                complain(f"{where}: the export was not refused: {refused.code}, {refused.output[-500:]}")
            if edition(build) != before:
                complain(f"{where}: the edition has changed")
        if is_finished:
            ended = runs.run(stage.command, surroundings)
            report.runs += 1
            if ended.code != 0:
                complain(f"the run after {kills} kills ended with {ended.code}: {ended.output[-2000:]}")
            for schema in ("corpus", "benchmark", "hub", "audit"):
                if runs.content(build / "work" / "sphragis.duckdb", schema) != runs.content(
                    stage.end / "work" / "sphragis.duckdb", schema
                ):
                    complain(f"the run after {kills} kills has other tables in {schema}")
            if listing(build) != listing(stage.end):
                litter = sorted(set(listing(build)) ^ set(listing(stage.end)))
                complain(f"after the next whole run there are other names than without kills: {litter[:10]}")
    finally:
        shutil.rmtree(build, ignore_errors=True)
    return report
