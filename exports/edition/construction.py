"""The frame around the making of an edition: one writer, a folder beside the last edition, one step into its place.

The order is such that a reader never sees half, nor a warehouse and a dataset that do not belong together:

1. take the lock of the build folder and clear what a killed run left;
2. let dataset and warehouse be written into the folder of a new edition;
3. make the new edition the current one, in one step (`exports.edition.swap`);
4. remove the editions that are not kept.

Whatever fails before step 3 leaves the last edition as it was; whatever fails after it, the new one in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from exports.edition import swap
from exports.edition.failures import name_of, told

if TYPE_CHECKING:
    from runtime.settings import Settings

UNCHANGED = "The last edition is as it was"
IN_PLACE = "The new edition is in place"


@dataclass(frozen=True)
class Construction:
    """An edition that is being made.

    Attributes:
        dataset: folder of the dataset, empty.
        db: the file that the warehouse is copied to.
        spill: folder for what does not fit into the memory of the settings.
        notices: what went wrong after the edition was put in place, a line each.
    """

    dataset: Path
    db: Path
    spill: Path
    notices: list[str] = field(default_factory=list)


@contextmanager
def under_construction(settings: Settings) -> Iterator[Construction]:
    """Let an edition be made beside the last one, and put it in place when that has ended without an error.

    Args:
        settings: the paths of the build.

    Raises:
        ExportError: the system failed; the message says what to do and which edition is in place.
        KeyboardInterrupt: from outside; its note says which edition is in place.
    """
    edition: Path | None = None

    def truth() -> str:
        return IN_PLACE if edition is not None and swap.is_current(settings, edition) else UNCHANGED

    with told(truth, settings.build), swap.only_writer(settings.build), _cleared(settings):
        swap.recover(settings)
        new = swap.new_edition(settings)
        made = Construction(new / settings.hub.name, new / settings.db.name, new.with_name(".spill"))
        yield made
        edition = swap.finish(settings, new)
        swap.make_current(settings, edition)
        try:
            swap.settle(settings)
        except OSError as error:
            reason = f"{name_of(error) or settings.build}: {error.strerror or error}"
            made.notices.append(
                f"{IN_PLACE}, but clearing up after it failed ({reason}); the next export goes on with that."
            )


@contextmanager
def _cleared(settings: Settings) -> Iterator[None]:
    """Remove what an interrupted export has begun; what cannot be removed now is removed by the next run."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            swap.recover(settings)
        raise
