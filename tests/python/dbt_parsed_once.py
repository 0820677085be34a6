"""dbt, with the project as another run of it has parsed it: what it takes to parse is most of a short run.

dbt does that by itself as long as neither the project nor the profile has changed. Here every build has its own
database, which is a part of the profile; but nothing that is parsed depends on where the database lies. Files of the
project that have changed, other variables and other settings of the environment are seen as ever.

The setting ``TESTS_PARSED`` is the file for the parse.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from dbt.artifacts.resources.base import FileHash
from dbt.cli.main import cli
from dbt.parser.manifest import ManifestLoader

_state_check = ManifestLoader.build_manifest_state_check


def _without_profile(loader: ManifestLoader) -> Any:
    """Return what has to be the same for a parse to be taken over, but for the place of the database."""
    state = _state_check(loader)  # type: ignore[no-untyped-call]
    state.profile_hash = FileHash.from_contents("")
    return state


def leave(target: Path, parsed: Path) -> None:
    """Leave the parse of this run to others, all at once, if they have none yet."""
    aside = parsed.with_name(f"{parsed.name}.{os.getpid()}")
    if not parsed.exists():
        with contextlib.suppress(FileNotFoundError):
            shutil.copy(target / parsed.name, aside)
            aside.replace(parsed)


if __name__ == "__main__":
    place = os.environ.pop("TESTS_PARSED", "")
    if Path(place).is_file():
        os.environ["DBT_PARTIAL_PARSE_FILE_PATH"] = place
    ManifestLoader.build_manifest_state_check = _without_profile  # type: ignore[method-assign]
    try:
        cli(prog_name="dbt")
    finally:
        if place and "--vars" not in sys.argv:
            leave(Path(os.environ["DBT_TARGET_PATH"]), Path(place))
