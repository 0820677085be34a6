"""What runs in its own process: an epoch of a model, or the parse of a fold; states go from task to task on disk."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from machine.providers.crossfit.data import is_sound

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue
    from multiprocessing.sharedctypes import Synchronized

    from machine.providers.crossfit.data import Sizes
    from machine.providers.crossfit.profile import Profile
    from machine.providers.crossfit.training import Answers

ENVIRONMENT = {
    # One thread each, so that sums are always added in one order.
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # Large arrays come and go in every step: glibc keeps their memory instead of giving it back and clearing it
    # anew, which saves a fifth of the time. Other systems do not read these.
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(2**40),
}
"""Environment of a worker, set before it starts."""


PARSING = 6.0
"""Words that are parsed in the time in which one is trained on; for the time that is left."""


@contextmanager
def environment() -> Iterator[None]:
    """Give the processes that are started meanwhile the environment of a worker.

    They also do not run the main script again, as processes that are spawned otherwise do: it is the command of dbt,
    whose imports cost each worker two seconds and a hundred megabytes.
    """
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    main = vars(sys.modules["__main__"])
    hidden = {name: main.pop(name) for name in ("__file__", "__spec__") if name in main}
    main["__spec__"] = None
    try:
        yield
    finally:
        main.update(hidden)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


_done: Synchronized[int] | None = None
"""Words of all workers, shared with the process that started them."""


def begin(places: SimpleQueue[int] | None = None, done: Synchronized[int] | None = None) -> None:
    """Prepare a worker process: one thread on one core, and an end when the process that started it is gone.

    Args:
        places: numbers of the workers, of which each takes one. JAX starts as many threads as there are cores that a
            process may use, whatever it is asked: on a core of its own it starts one, and two workers
            are done in two thirds of the time.
        done: where the words that are done are counted.
    """
    import multiprocessing
    from multiprocessing.connection import wait

    global _done
    _done = done
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[(places.get() if places else 0) % len(cores)]})
    parent = multiprocessing.parent_process()
    if parent is not None:
        sentinel = parent.sentinel

        def watch() -> None:
            wait([sentinel])
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()


def count(words: float) -> None:
    """Count words as done."""
    if _done is not None:
        with _done.get_lock():
            _done.value += round(words)


def state_path(folder: Path, model: int, epochs: int) -> Path:
    """File of the state of a model of a fold after so many epochs."""
    return folder / f"model-{model}-after-{epochs}-epochs.npz"


def epochs_done(folder: Path, model: int, epochs: int) -> int:
    """Epochs whose state is on disk and whole, at most `epochs`; 0 for none. Damaged states are removed."""
    for done in range(epochs, 0, -1):
        path = state_path(folder, model, done)
        if path.is_file():
            if is_sound(path):
                return done
            path.unlink()
    return 0


def data_path(folder: Path) -> Path:
    """File with the numbers that a fold is made from."""
    return folder / "data.npz"


def run_epoch(folder: Path, profile: Profile, sizes: Sizes, part: tuple[int, int, int]) -> float:
    """Train one epoch of a model from the state on disk to the next one; the mean loss.

    Args:
        folder: folder of the fold.
        profile: settings of the parser.
        sizes: rows of its answers.
        part: numbers of fold, model and epoch.
    """
    from machine.providers.crossfit import training
    from machine.providers.crossfit.data import FoldData

    _, model, epoch = part
    before = state_path(folder, model, epoch)
    state = training.load_state(before) if epoch else training.first_state(profile, sizes, model)
    state, loss = training.train_epoch(FoldData.load(data_path(folder)), profile, part, state, count)
    training.save_state(state_path(folder, model, epoch + 1), state)
    before.unlink(missing_ok=True)
    return loss


def run_parse(folder: Path, profile: Profile) -> Answers:
    """Parse the sentences of a fold with its trained models."""
    from machine.providers.crossfit import training
    from machine.providers.crossfit.data import FoldData

    models = [
        training.load_state(state_path(folder, model, profile.epochs))["average"] for model in range(profile.models)
    ]
    share = profile.models / PARSING
    return training.parse_fold(FoldData.load(data_path(folder)), profile, models, lambda words: count(share * words))
