"""Which fold goes on next: five folds on two cores, an epoch at a time, to the end."""

from __future__ import annotations

import multiprocessing
import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machine.artefact import PARSE
from machine.interface import MachineError, Parsed, Say
from machine.parts import write_part
from machine.providers.crossfit import worker
from machine.providers.crossfit.data import FoldData, FoldInput, Sizes
from runtime.command import starting_workers

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue

    from machine.providers.crossfit.profile import Profile


@dataclass
class Progress:
    """A fold on its way.

    Attributes:
        fold: what it is made from.
        folder: where its states and its parse are.
        epochs: epochs that are done.
        since: when the task that runs was given out, in seconds of a clock that only goes forward.
    """

    fold: FoldInput
    folder: Path
    epochs: int
    since: float = 0.0

    @property
    def words(self) -> int:
        """Words of an epoch."""
        return sum(len(sentence.forms) for sentence, _ in self.fold.training)


@dataclass
class Training:
    """The training of several folds by several processes.

    Attributes:
        profile: settings of the parser.
        sizes: rows of its answers.
        processes: tasks that run at a time.
        say: told what is done, with a rate and the time that is left.
        seconds: how long each epoch took.
    """

    profile: Profile
    sizes: Sizes
    processes: int
    say: Say
    seconds: list[float] = field(default_factory=list)

    def run(self, folds: list[Progress]) -> list[Parsed]:
        """Train every fold to its last epoch and parse it; whichever fold is least far goes on next.

        Raises:
            MachineError: a worker was killed.
        """
        workers = min(self.processes, len(folds))
        context = multiprocessing.get_context("spawn")
        places: SimpleQueue[int] = context.SimpleQueue()
        for place in range(workers):
            places.put(os.getpid() + place)
        try:
            with ProcessPoolExecutor(workers, context, initializer=worker.begin, initargs=(places,)) as pool:
                return self._run(pool, folds, workers)
        except BrokenProcessPool:
            raise MachineError(
                "expected every worker to live, found one killed, perhaps for want of memory: each takes about 1 GB; "
                "run again, with fewer SPHRAGIS_THREADS if need be: the finished epochs are kept"
            ) from None

    def _run(self, pool: ProcessPoolExecutor, folds: list[Progress], workers: int) -> list[Parsed]:
        parsed: list[Parsed] = []
        waiting, running = list(folds), dict[Future[Any], Progress]()
        while waiting or running:
            while waiting and len(running) < workers:
                waiting.sort(key=lambda one: (one.epochs, one.fold.fold))
                progress = waiting.pop(0)
                running[self._give_out(pool, progress)] = progress
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for task in done:
                progress = running.pop(task)
                if progress.epochs == self.profile.epochs:
                    parsed += self._parsed(progress, task.result())
                    continue
                loss: float = task.result()
                progress.epochs += 1
                waiting.append(progress)
                left = sum(self.profile.epochs - one.epochs for one in [*waiting, *running.values()])
                self._tell(progress, loss, left / workers)
        return parsed

    def _give_out(self, pool: ProcessPoolExecutor, progress: Progress) -> Future[Any]:
        """Give the next task of a fold to a worker; the pool starts one when none is free."""
        progress.since = time.monotonic()
        with worker.environment(), starting_workers():
            if progress.epochs == self.profile.epochs:
                return pool.submit(worker.run_parse, progress.folder, self.profile)
            number = progress.fold.fold
            return pool.submit(worker.run_epoch, progress.folder, self.profile, self.sizes, number, progress.epochs)

    def _tell(self, progress: Progress, loss: float, rounds: float) -> None:
        """Tell that an epoch is done; `rounds` are the epochs that each worker has before it."""
        self.seconds.append(time.monotonic() - progress.since)
        minutes = rounds * sum(self.seconds) / len(self.seconds) / 60
        rate = progress.words / max(self.seconds[-1], 1e-9)
        self.say(
            f"fold {progress.fold.fold}: epoch {progress.epochs} of {self.profile.epochs}, loss {loss:.3f}, "
            f"{rate:,.0f} words/s, about {minutes:.0f} min left"
        )

    def _parsed(self, progress: Progress, answers: Any) -> list[Parsed]:
        """Keep the parse of a fold, and drop what it was made from."""
        from machine.providers.crossfit.training import parses

        sentences = progress.fold.sentences
        trees = parses(FoldData.load(worker.data_path(progress.folder)), sentences, answers)
        write_part(progress.folder / PARSE, sentences, trees, 0)
        for path in progress.folder.iterdir():
            if path.name != PARSE:
                path.unlink()
        self.say(f"fold {progress.fold.fold}: {len(trees):,} sentences parsed")
        return trees
