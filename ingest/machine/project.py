"""Where the seeds and models of the project lie when Python needs them without a warehouse."""

from __future__ import annotations

from pathlib import Path

from ingest.machine.interface import MachineError


def project_root() -> Path:
    """Return the checkout that is current, else the one of this package.

    Raises:
        MachineError: there is neither.
    """
    for root in (Path.cwd(), Path(__file__).resolve().parents[2]):
        if (root / "seeds" / "universal" / "ud_upos.csv").is_file():
            return root
    raise MachineError(
        "expected the seed seeds/universal/ud_upos.csv in the current folder, found none; "
        "run from the top of the checkout"
    )
