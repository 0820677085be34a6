"""What runs in a process of its own: one epoch of one fold, or its parse; the state goes from task to task on disk."""

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


def begin(places: SimpleQueue[int] | None = None) -> None:
    """Prepare a worker process: one thread on one core, and an end when the process that started it is gone.

    Args:
        places: numbers of the workers, of which each takes one. JAX starts as many threads as there are cores that a
            process may use, whatever it is asked: on a core of its own it starts one, and two workers
            are done in two thirds of the time.
    """
    import multiprocessing
    from multiprocessing.connection import wait

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


def state_path(folder: Path, epochs: int) -> Path:
    """File of the state of a fold after so many epochs."""
    return folder / f"after-{epochs}-epochs.npz"


def epochs_done(folder: Path, epochs: int) -> int:
    """Epochs whose state is on disk and whole, at most `epochs`; 0 for none. Damaged states are removed."""
    for done in range(epochs, 0, -1):
        path = state_path(folder, done)
        if path.is_file():
            if is_sound(path):
                return done
            path.unlink()
    return 0


def data_path(folder: Path) -> Path:
    """File with the numbers that a fold is made from."""
    return folder / "data.npz"


def run_epoch(folder: Path, profile: Profile, sizes: Sizes, fold: int, epoch: int) -> float:
    """Train one epoch of a fold from the state on disk to the next one; the mean loss."""
    from machine.providers.crossfit import training
    from machine.providers.crossfit.data import FoldData

    before = state_path(folder, epoch)
    state = training.load_state(before) if epoch else training.first_state(profile, sizes)
    state, loss = training.train_epoch(FoldData.load(data_path(folder)), profile, fold, epoch, state)
    training.save_state(state_path(folder, epoch + 1), state)
    before.unlink(missing_ok=True)
    return loss


def run_parse(folder: Path, profile: Profile) -> Answers:
    """Parse the sentences of a fold with its trained parser."""
    from machine.providers.crossfit import training
    from machine.providers.crossfit.data import FoldData

    state = training.load_state(state_path(folder, profile.epochs))
    return training.parse_fold(FoldData.load(data_path(folder)), profile, state["parameters"])
