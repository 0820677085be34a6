"""Where the seeds, models and variables of the project lie when Python needs them without a warehouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

MARK = "dbt_project.yml"
"""The file by which a checkout is known."""


def project_root(error: Callable[[str], Exception]) -> Path:
    """Return the checkout that is current, else the one of this package.

    Args:
        error: the kind of error that the caller tells.

    Raises:
        Exception: there is neither; of the kind of `error`.
    """
    for root in (Path.cwd(), Path(__file__).resolve().parents[1]):
        if (root / MARK).is_file() and (root / "seeds" / "universal").is_dir():
            return root
    raise error(f"expected {MARK} and the folder seeds, found none; run from the top of the checkout")
