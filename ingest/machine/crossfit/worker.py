"""What runs in a process of its own: one epoch of one fold, or its parse; the state goes from task to task on disk."""

from __future__ import annotations

import json
import os
import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.machine.crossfit.data import FoldData, FoldInput
    from ingest.machine.crossfit.profile import Profile
    from ingest.machine.crossfit.training import Sizes

ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Environment of a worker: one thread each, so that sums are always added in one order."""


def begin() -> None:
    """Prepare a worker process: one thread, and an end when the process that started it is gone."""
    import multiprocessing
    from multiprocessing.connection import wait

    os.environ.update(ONE_THREAD)
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
    """Epochs whose state is on disk: the greatest, at most `epochs`; 0 for none."""
    return next((done for done in range(epochs, 0, -1) if state_path(folder, done).is_file()), 0)


def input_path(folder: Path) -> Path:
    """File with the sentences and training trees of a fold."""
    return folder / "input.json"


def write_input(folder: Path, fold: FoldInput) -> None:
    """Write what a fold is made from, for the workers."""
    value = {
        "fold": fold.fold,
        "sentences": fold.sentences,
        "training": [[sentence, tree] for sentence, tree in fold.training],
    }
    input_path(folder).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


@lru_cache(maxsize=1)
def _prepared(folder: Path, profile: Profile) -> tuple[FoldInput, FoldData]:
    """Read and number a fold; the last one is kept, because the same worker often goes on with it."""
    from ingest.machine.crossfit.data import FoldInput, numbered
    from ingest.machine.interface import Parsed, Sentence

    value = json.loads(input_path(folder).read_text(encoding="utf-8"))
    fold = FoldInput(
        value["fold"],
        [Sentence(*sentence) for sentence in value["sentences"]],
        [(Sentence(*sentence), Parsed(*tree)) for sentence, tree in value["training"]],
    )
    return fold, numbered(fold, profile)


def run_epoch(folder: Path, profile: Profile, sizes: Sizes, epoch: int) -> float:
    """Train one epoch of a fold from the state on disk to the next one; the mean loss."""
    from ingest.machine.crossfit import training

    fold, data = _prepared(folder, profile)
    before = state_path(folder, epoch)
    state = training.load_state(before) if epoch else training.first_state(profile, sizes)
    state, loss = training.train_epoch(data, profile, fold.fold, epoch, state)
    training.save_state(state_path(folder, epoch + 1), state)
    before.unlink(missing_ok=True)
    return loss


def run_parse(folder: Path, profile: Profile) -> list[list[Any]]:
    """Parse the sentences of a fold with its trained parser."""
    from ingest.machine.crossfit import training

    fold, data = _prepared(folder, profile)
    state = training.load_state(state_path(folder, profile.epochs))
    return [list(tree) for tree in training.parse_fold(data, fold, profile, state["parameters"])]
