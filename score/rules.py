"""The thresholds of the benchmark, from the project file in which they are set."""

from __future__ import annotations

from typing import Any

import yaml

from runtime.checkout import MARK, project_root
from runtime.errors import IngestError


def rules_of_project() -> dict[str, Any]:
    """Return the variables of the project.

    Raises:
        IngestError: this is no checkout.
    """
    path = project_root(IngestError) / MARK
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")).get("vars", {}))
