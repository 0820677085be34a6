"""``make torture``: the checks of this folder for as long as one likes.

Prints how far it is, and a line with counts at the end. What fails is saved below the folder of failures: inputs as
files, batches as folders, kills and faults by the name of their chain, from which everything about them follows.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from robust import chain, edges, faults, hostile, kills, readers
from robust.kills import Report, Stage

STAGES = ("inputs", "chain", "kills", "faults", "hostile", "edges")


@dataclass
class Torture:
    """One run of everything: what is asked for, and what was found.

    Attributes:
        inputs: damaged files for the readers.
        batches: damaged folders for the whole chain.
        kills: processes to be killed.
        faults: failing touches of a disk.
        failures: folder for what fails.
        processes: how much is done at a time.
        first: number of the first case, for another part of all cases.
        counts: what was done.
        wrong: what did not hold.
    """

    inputs: int
    batches: int
    kills: int
    faults: int
    failures: Path
    processes: int
    first: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Print a line at once."""
        print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)

    def fail(self, text: str, name: str = "", data: bytes = b"") -> None:
        """Note a failure; save its bytes, or only what is said of it."""
        self.wrong.append(text)
        self.failures.mkdir(parents=True, exist_ok=True)
        if data or name:
            (self.failures / name).write_bytes(data)
        with (self.failures / "failures.txt").open("a", encoding="utf-8", errors="backslashreplace") as lines:
            lines.write(text + "\n")
        self.say(f"FAILURE: {text[:500]}")

    def run_inputs(self, folder: Path) -> None:
        """Damaged files through both readers."""
        pieces = readers.load(("sample", "real", "fixtures"))
        self.say(", ".join(f"{len(some):,} pieces of {kind} {format}" for (kind, format), some in pieces.items()))
        total = readers.Tally()
        told = 0
        for tally in readers.run_all(pieces, self.inputs, self.processes, self.first):
            total += tally
            for case, wrong in tally.failures:
                suffix = "xml" if case.format == "native_xml" else "conllu"
                name = f"{case.name.replace(' ', '-')}.{suffix}"
                self.fail(
                    f"{case.name} ({', '.join(case.damages)}), saved as {name}: {'; '.join(wrong)}", name, case.data
                )
            if total.cases >= told:
                self.say(f"{total.cases:,} inputs, {len(total.failures)} failures")
                told += max(1, self.inputs // 20)
        self.counts["inputs"] = total.cases
        self.say(f"{total.read:,} read at least in part, neighbours compared in {total.alone:,}; {total.digest[:16]}")

    def run_chain(self, folder: Path) -> None:
        """Damaged folders through readers and models."""
        for number in range(self.first, self.first + self.batches):
            batch = chain.make(number, decided=number % 2 == 0)
            place = folder / f"batch-{number}"
            verdict = chain.run(batch, place)
            self.counts["batches"] += 1
            self.counts["damaged sentences"] += batch.damaged
            self.say(f"{batch.name}: {batch.damaged} damaged, {verdict.sentences} read, built: {verdict.is_built}")
            for wrong in verdict.wrong:
                kept = self.failures / batch.name.replace(" ", "-")
                shutil.copytree(place / "treebanks", kept, dirs_exist_ok=True)
                (kept / "output.txt").write_text(verdict.output, encoding="utf-8", errors="backslashreplace")
                self.fail(f"{batch.name}, saved as {kept.name}: {wrong}")
            shutil.rmtree(place)

    def take(self, what: str, report: Report) -> None:
        """Add the counts and failures of some chains."""
        self.counts[what] += report.kills
        self.counts["runs"] += report.runs
        for wrong in report.wrong:
            self.fail(wrong)

    def stages(self, folder: Path) -> list[Stage]:
        """Make the stages that can be killed and starved."""
        made = []
        makers: tuple[Callable[[Path], Stage], ...] = (
            kills.synthetic,
            kills.first_export,
            kills.reading,
            kills.first_reading,
        )
        for number, make in enumerate(makers):
            place = folder / f"stage-{number}"
            place.mkdir(exist_ok=True)
            made.append(make(place))
        return made

    def run_kills(self, folder: Path) -> None:
        """Kills of ingest, export and swap, and a ninth of them of dbt."""
        stages = self.stages(folder)
        of_models = self.kills // 9

        def one(number: int) -> Report:
            return kills.chain(stages[number % len(stages)], number, folder)

        with ThreadPoolExecutor(self.processes) as pool:
            number = self.first
            while self.counts["kills"] < self.kills - of_models:
                for report in pool.map(one, range(number, number + 2 * self.processes)):
                    self.take("kills", report)
                number += 2 * self.processes
                self.say(f"{self.counts['kills']} kills, {len(self.wrong)} failures")
            if not of_models:
                return
            place = folder / "models"
            place.mkdir()
            stage = kills.modelling(place)
            self.say(f"a whole run of dbt on the small corpus takes {stage.seconds:.0f} s")
            number = self.first
            while self.counts["kills"] < self.kills:
                numbers = range(number, number + self.processes)
                for report in pool.map(
                    lambda each: kills.chain_of_models(stage, each, place, is_finished=each % 4 == 0), numbers
                ):
                    self.take("kills", report)
                number += self.processes
                self.say(f"{self.counts['kills']} kills, {len(self.wrong)} failures")

    def run_faults(self, folder: Path) -> None:
        """Failing disks, small disks, folders that go away."""
        stages = self.stages(folder)
        can_mount = faults.may_mount()
        if not can_mount:
            self.say("no small disks: only root can make them; files of limited size stand for them")

        def one(number: int) -> Report:
            stage = stages[number % len(stages)]
            report = faults.chain(stage, number, folder)
            if can_mount:
                report += faults.on_small_disk(stage, number, folder)
            report += faults.vanishing(stage, number, folder)
            return report

        number = self.first
        with ThreadPoolExecutor(self.processes) as pool:
            while self.counts["faults"] < self.faults:
                for report in pool.map(one, range(number, number + 2 * self.processes)):
                    self.take("faults", report)
                number += 2 * self.processes
                self.say(f"{self.counts['faults']} faults, {len(self.wrong)} failures")

    def run_hostile(self, folder: Path) -> None:
        """Names, notes, settings and arguments."""
        for what, wrong in hostile.everything(folder):
            self.counts["hostile"] += 1
            for one in wrong:
                self.fail(f"{what}: {one}")

    def run_edges(self, folder: Path) -> None:
        """Every edge through all commands."""
        for name in edges.EDGES:
            outcome = edges.run(name, folder / name.replace(" ", "-").replace(",", ""))
            self.counts["edges"] += 1
            self.say(str(outcome))
            for wrong in outcome.wrong:
                self.fail(f"{name}: {wrong}")
            shutil.rmtree(folder / name.replace(" ", "-").replace(",", ""), ignore_errors=True)


def main(arguments: list[str] | None = None) -> int:
    """Run what is asked for and return the exit code: 1 when anything has failed."""

    def number(name: str, default: int) -> int:
        return int(os.environ.get(f"SPHRAGIS_TORTURE_{name}") or default)

    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument("--inputs", type=int, default=number("INPUTS", 100_000), help="damaged files for the readers")
    parser.add_argument("--batches", type=int, default=number("BATCHES", 4), help="damaged folders for the whole chain")
    parser.add_argument("--kills", type=int, default=number("KILLS", 300), help="processes to be killed")
    parser.add_argument("--faults", type=int, default=number("FAULTS", 60), help="failing touches of a disk")
    parser.add_argument("--first", type=int, default=number("FIRST", 0), help="number of the first case of each kind")
    parser.add_argument("--processes", type=int, default=number("PROCESSES", 2), help="how much is done at a time")
    parser.add_argument("--stages", default=",".join(STAGES), help="which of them, separated by commas")
    parser.add_argument(
        "--failures",
        type=Path,
        default=Path(os.environ.get("SPHRAGIS_BUILD") or "build") / "torture",
        help="for what fails",
    )
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.stages.split(",")) - set(STAGES))
    if unknown:
        parser.error(f"the stages are {', '.join(STAGES)}, not {unknown[0]}")
    torture = Torture(
        options.inputs,
        options.batches,
        options.kills,
        options.faults,
        options.failures.resolve(),
        options.processes,
        options.first,
    )
    begin = time.monotonic()
    for stage in options.stages.split(","):
        torture.say(f"--- {stage}")
        with tempfile.TemporaryDirectory(prefix="torture-") as folder:
            getattr(torture, f"run_{stage}")(Path(folder))
    counts = ", ".join(f"{count:,} {what}" for what, count in torture.counts.items())
    torture.say(f"{counts}; {len(torture.wrong)} failures, {time.monotonic() - begin:.0f} s")
    if torture.wrong:
        torture.say(f"what failed is in {torture.failures}")
    return 1 if torture.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
