"""Where the seeds, models and variables of the project lie when Python needs them without a warehouse."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

MARK = "dbt_project.yml"
"""The file by which a checkout is known."""

MADE_FROM = ("macros", "models", "seeds", "snapshots")
"""Folders of a project that the tables are made from."""


def project_checksum(root: Path) -> str:
    """Return the checksum of everything in a project that tables are made from: models, seeds, macros, variables.

    It ties a build to the project: the export refuses tables of models or decisions that have changed since.
    """
    found = [path for folder in MADE_FROM for path in (root / folder).rglob("*.*")]
    listed = hashlib.sha256()
    for path in [root / MARK, *sorted(found)]:
        if path.suffix in (".csv", ".py", ".sql", ".yml", ".yaml") and path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            listed.update(f"{digest}  {path.relative_to(root).as_posix()}\n".encode())
    return listed.hexdigest()


def project_variables(root: Path) -> dict[str, Any]:
    """Return the thresholds of the rules, by name, as the project file sets them."""
    import yaml

    return dict(yaml.safe_load((root / MARK).read_text(encoding="utf-8")).get("vars", {}))


def project_seed(error: Callable[[str], Exception]) -> int:
    """Return the seed of every pseudo-random order and choice, `benchmark_seed` of the project file.

    Args:
        error: the kind of error that the caller tells.

    Raises:
        Exception: there is no project file; of the kind of `error`.
    """
    return int(project_variables(project_root(error))["benchmark_seed"])


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
