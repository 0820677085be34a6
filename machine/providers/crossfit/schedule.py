"""What goes on next: the models of five folds on two cores, an epoch at a time, to the end."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import deque
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
    from multiprocessing.sharedctypes import Synchronized

    from machine.providers.crossfit.profile import Profile

REPORTED_SECONDS = 30.0
"""How often the progress of a long training is told."""

REMEMBERED = 10
"""Reports over which the rate is taken: the first minutes, in which programs are compiled, say little of the rest."""


@dataclass
class Task:
    """A model of a fold that is trained, or a fold that is parsed by its models.

    Attributes:
        fold: what the fold is made from.
        folder: where its states and its parse are.
        model: number of the model; None when all are trained and the fold is parsed.
        epochs: epochs that are done.
    """

    fold: FoldInput
    folder: Path
    model: int | None
    epochs: int = 0

    def words_left(self, profile: Profile) -> float:
        """Words that are still to be trained on, or what parsing is worth of them."""
        if self.model is None:
            return profile.models * sum(len(sentence.forms) for sentence in self.fold.sentences) / worker.PARSING
        return (profile.epochs - self.epochs) * sum(len(sentence.forms) for sentence, _ in self.fold.training)


@dataclass
class Training:
    """The training of several folds by several processes.

    Attributes:
        profile: settings of the parser.
        sizes: rows of its answers.
        processes: tasks that run at a time.
        say: told what is done, with a rate and the time that is left.
        done: words of all tasks that are done since the start, counted by the workers.
        seen: what was done at the last reports, with their times.
    """

    profile: Profile
    sizes: Sizes
    processes: int
    say: Say
    done: Synchronized[int] = field(default_factory=lambda: multiprocessing.get_context("spawn").Value("q", 0))
    seen: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def run(self, folds: list[tuple[FoldInput, Path]]) -> list[Parsed]:
        """Train the models of every fold to their last epoch and parse it; whichever model is least far goes on next.

        Args:
            folds: what each fold is made from, and its folder.

        Raises:
            MachineError: a worker was killed.
        """
        tasks = [
            Task(fold, folder, model, worker.epochs_done(folder, model, self.profile.epochs))
            for fold, folder in folds
            for model in range(self.profile.models)
        ]
        workers = min(self.processes, len(tasks))
        context = multiprocessing.get_context("spawn")
        places: SimpleQueue[int] = context.SimpleQueue()
        for place in range(workers):
            places.put(os.getpid() + place)
        try:
            with ProcessPoolExecutor(workers, context, initializer=worker.begin, initargs=(places, self.done)) as pool:
                return self._run(pool, tasks, workers)
        except BrokenProcessPool:
            raise MachineError(
                "expected every worker to live, found one killed, perhaps for want of memory: each takes about 1.7 GB; "
                "run again, with fewer SPHRAGIS_THREADS if need be: the finished epochs are kept"
            ) from None

    def _run(self, pool: ProcessPoolExecutor, tasks: list[Task], workers: int) -> list[Parsed]:
        parsed: list[Parsed] = []
        parses = [Task(task.fold, task.folder, None) for task in tasks if task.model == 0]
        whole = sum(task.words_left(self.profile) for task in [*tasks, *parses])
        self.seen.append((time.monotonic(), self.done.value))
        self.say(
            f"training {len(tasks)} models on {whole:,.0f} words; every finished epoch is kept, so that this can be "
            "stopped and run again (SPHRAGIS_MACHINE=none builds without a parse)"
        )
        trained, running = list[Task](), dict[Future[Any], Task]()
        waiting = self._waiting(tasks, trained)
        while waiting or running:
            while waiting and len(running) < workers:
                task = waiting.pop(0)
                running[self._give_out(pool, task)] = task
            ended, _ = wait(running, timeout=REPORTED_SECONDS, return_when=FIRST_COMPLETED)
            if not ended:
                self.say(self._told(whole))
            for future in ended:
                task = running.pop(future)
                if task.model is None:
                    parsed += self._parsed(task, future.result())
                    continue
                loss: float = future.result()
                task.epochs += 1
                self.say(
                    f"fold {task.fold.fold}, model {task.model + 1} of {self.profile.models}: epoch {task.epochs} of "
                    f"{self.profile.epochs}, loss {loss:.3f}; {self._told(whole)}"
                )
                waiting.append(task)
            waiting = self._waiting(waiting, trained)
        return parsed

    def _waiting(self, tasks: list[Task], trained: list[Task]) -> list[Task]:
        """Return the tasks that can go on, the next one first; a fold is parsed when all its models are trained."""
        trained += [task for task in tasks if task.model is not None and task.epochs == self.profile.epochs]
        left = [task for task in tasks if task.model is None or task.epochs < self.profile.epochs]
        for fold in {task.fold.fold for task in trained}:
            models = [task for task in trained if task.fold.fold == fold]
            if len(models) == self.profile.models:
                left.append(Task(models[0].fold, models[0].folder, None))
                trained[:] = [task for task in trained if task.fold.fold != fold]
        return sorted(left, key=lambda task: (task.model is not None, task.epochs, task.model or 0, task.fold.fold))

    def _give_out(self, pool: ProcessPoolExecutor, task: Task) -> Future[Any]:
        """Give a task to a worker; the pool starts one when none is free."""
        with worker.environment(), starting_workers():
            if task.model is None:
                return pool.submit(worker.run_parse, task.folder, self.profile)
            part = (task.fold.fold, task.model, task.epochs)
            return pool.submit(worker.run_epoch, task.folder, self.profile, self.sizes, part)

    def _told(self, whole: float) -> str:
        """Words done and left, their rate at the last reports, and the time that is left at this rate."""
        before, had = self.seen[0]
        now, done = time.monotonic(), self.done.value
        self.seen.append((now, done))
        rate = (done - had) / max(now - before, 1e-9)
        left = f"about {(whole - done) / rate / 60:.0f} min left" if rate else "time left not known yet"
        return f"{done / whole:.0%} of {whole:,.0f} words, {rate:,.0f} words/s, {left}"

    def _parsed(self, task: Task, answers: Any) -> list[Parsed]:
        """Keep the parse of a fold, and drop what it was made from."""
        from machine.providers.crossfit.training import parses

        sentences = task.fold.sentences
        trees = parses(FoldData.load(worker.data_path(task.folder)), sentences, answers)
        write_part(task.folder / PARSE, sentences, trees, 0)
        for path in task.folder.iterdir():
            if path.name != PARSE:
                path.unlink()
        self.say(f"fold {task.fold.fold}: {len(trees):,} sentences parsed")
        return trees
