"""Disks that are full, fail, forbid or go away: a command says where, with code 1; what is published stays whole."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from robust import runs
from robust.dice import Dice
from robust.kills import Report, Stage, copy
from robust.runs import Ended, edition, environment

ERRORS = ("ENOSPC", "EIO", "EACCES", "EROFS", "EDQUOT", "EMFILE", "ENAMETOOLONG", "EINTR")


def may_mount() -> bool:
    """Whether a small disk can be made here: only for root, and not in every container."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with small_disk(Path(os.environ.get("TMPDIR", "/tmp")) / f"robust-{os.getpid()}", 1_000_000) as there:
        return there


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[bool]:
    """Make a folder that is a disk of so many bytes, and take it away at the end; False where that is not allowed."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def _look(name: str, stage: Stage, build: Path, before: tuple[str, str], ended: Ended, report: Report) -> None:
    """Say what is wrong after a command that had to do with a faulty disk, with the edition that was there before."""
    found, after = edition(build), edition(stage.end)
    work = "work/sphragis.duckdb"
    tables = [runs.content(place / work) for place in (stage.start, stage.end)] if stage.treebanks is not None else []
    if ended.left:
        report.wrong.append(f"{name}: {ended.left} processes are left")
    if ended.code == 0:
        # Not every touch of the disk is needed; then all must be as after any other run.
        if found != after:
            report.wrong.append(f"{name}: it ended well, and the edition is not the next one")
        return
    report.kills += 1
    if not ended.is_told:
        report.wrong.append(f"{name}: ended with {ended.code} and no plain message: {ended.output[-1500:]}")
    elif str(build) not in ended.output:
        report.wrong.append(f"{name}: the message does not name the place: {ended.output[-500:]}")
    elif "Errno" in ended.output:
        report.wrong.append(f"{name}: the message is that of the library: {ended.output[-500:]}")
    if found not in (before, after):
        report.wrong.append(f"{name}: the edition is neither that before nor the next one")
    elif found == after != before and "as it was" in ended.output:
        report.wrong.append(
            f"{name}: the next edition is published, and the message says that the last one is as it was"
        )
    if tables and runs.content(build / work) not in tables:
        report.wrong.append(f"{name}: the tables of the input are neither those before nor the next ones")


def _goes_on(name: str, stage: Stage, build: Path, surroundings: dict[str, str], report: Report) -> None:
    """Run the command again on a sound disk and compare all names with those of an undisturbed run."""
    ended = runs.run(stage.command, surroundings)
    report.runs += 1
    if ended.code != 0:
        report.wrong.append(f"{name}: the next run ended with {ended.code}: {ended.output[-1500:]}")
    elif edition(build) != edition(stage.end):
        report.wrong.append(f"{name}: the next run has not published the next edition")
    elif runs.listing(build) != runs.listing(stage.end):
        litter = sorted(set(runs.listing(build)) ^ set(runs.listing(stage.end)))
        report.wrong.append(f"{name}: after the next run there are other names than without a fault: {litter[:10]}")


def chain(stage: Stage, number: int, folder: Path, faults: int = 4) -> Report:
    """Let some touches of the build folder fail, or the files not grow, and look after each; then let it run."""
    dice = Dice(f"faults {stage.name} {number}")
    report = Report()
    build = copy(stage.start, folder / f"faults {stage.name} {number}".replace(" ", "-"))
    surroundings = environment(build, stage.treebanks)
    try:
        for fault in range(faults):
            before = edition(build)
            name = f"faults {stage.name} {number}, fault {fault + 1}"
            if dice.chance(0.3):
                limit = int(2 ** (8 + 15 * dice.random()))
                name += f", files of at most {limit} bytes"
                ended = runs.run(stage.command, surroundings, before=runs.file_size_limit(limit))
            else:
                touch = stage.touches - dice.below(stage.last) if dice.chance(0.5) else 1 + dice.below(stage.touches)
                error = dice.one(ERRORS)
                name += f", {error} at touch {touch}"
                ended = runs.run(stage.command, surroundings | runs.fault(build, touch, error))
            report.runs += 1
            _look(name, stage, build, before, ended, report)
        _goes_on(f"faults {stage.name} {number}", stage, build, surroundings, report)
    finally:
        shutil.rmtree(build, ignore_errors=True)
    return report


def on_small_disk(stage: Stage, number: int, folder: Path) -> Report:
    """Run a command on a disk with too little room, drawn by number; then make room and run it again."""
    name = f"small disk {stage.name} {number}"
    dice = Dice(name)
    report = Report()
    needed = [
        sum(path.stat().st_size for path in place.rglob("*") if path.is_file()) for place in (stage.start, stage.end)
    ]
    # From room for nothing to nearly room enough; the copy beside the last edition needs as much as the edition.
    room = needed[0] + 65_536 + int(dice.random() * max(1, needed[1]) * 1.2)
    place = folder / name.replace(" ", "-")
    with small_disk(place, room) as there:
        if not there:
            return report
        build = copy(stage.start, place / "build")
        surroundings = environment(build, stage.treebanks, DBT_LOG_PATH=str(folder / "logs"))
        ended = runs.run(stage.command, surroundings)
        report.runs += 1
        _look(f"{name}, {room} bytes", stage, build, edition(stage.start), ended, report)
        subprocess.run(
            ["mount", "-o", f"remount,size={room * 4 + 50_000_000}", str(place)], check=True, capture_output=True
        )
        _goes_on(name, stage, build, surroundings, report)
    return report


def vanishing(stage: Stage, number: int, folder: Path) -> Report:
    """Take the whole build folder away while a command runs: it says so, or makes everything anew."""
    name = f"vanishing {stage.name} {number}"
    dice = Dice(name)
    report = Report(runs=1)
    build = copy(stage.start, folder / name.replace(" ", "-"))
    try:
        touch = 1 + dice.below(stage.touches)
        ended = runs.run(stage.command, environment(build, stage.treebanks) | runs.fault(build, touch, "vanish"))
        if ended.code != 0:
            report.kills += 1
            if not ended.is_told:
                report.wrong.append(f"{name}, touch {touch}: {ended.code} and no plain message: {ended.output[-1500:]}")
        if stage.treebanks is not None:
            again = runs.run(stage.command, environment(build, stage.treebanks))
            if again.code != 0:
                report.wrong.append(f"{name}: the next run ended with {again.code}: {again.output[-1500:]}")
    finally:
        shutil.rmtree(build, ignore_errors=True)
    return report


def forbidden(stage: Stage, folder: Path) -> Report:
    """Run a command in a build folder that may not be written; not as root, who may."""
    report = Report(runs=1)
    build = copy(stage.start, folder / "forbidden")
    try:
        for place in (build, build / "work"):
            place.chmod(0o555)
        ended = runs.run(stage.command, environment(build, stage.treebanks))
        _look(f"forbidden {stage.name}", stage, build, edition(stage.start), ended, report)
    finally:
        for place in (build, build / "work"):
            place.chmod(0o755)
        shutil.rmtree(build, ignore_errors=True)
    return report
