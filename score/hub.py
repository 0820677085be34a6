"""What the scorer puts into a dataset folder: itself, the folds of the rotation, and the baselines that are made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runtime import conllu
from score.core.edition import BASELINES, Edition, fingerprint
from score.rotation import write_rotation

CORE = Path(__file__).resolve().parent / "core"

PACKAGE = "scoring"
"""Folder of the modules beside the script: exact copies, so that there is one source."""

SCRIPT = '''"""Score prediction files on this dataset: python scripts/score.py PREDICTIONS... (see --help).

Needs Python from 3.11 on, numpy and pyarrow, and no network.
"""

import sys
from pathlib import Path

# The folder stays as its checksums say.
sys.dont_write_bytecode = True

from scoring.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
'''


def write_scripts(folder: Path) -> None:
    """Write the scorer into a dataset folder, and the reader and writer of its units as CoNLL-U.

    Args:
        folder: the dataset.
    """
    package = folder / "scripts" / PACKAGE
    package.mkdir(parents=True, exist_ok=True)
    for path in sorted(CORE.glob("*.py")):
        (package / path.name).write_bytes(path.read_bytes())
    (folder / "scripts" / "score.py").write_text(SCRIPT, encoding="utf-8")
    (folder / "scripts" / "conllu_units.py").write_bytes(Path(conllu.__file__).read_bytes())


def stored_baselines(build: Path, edition: str) -> Path:
    """Return the folder of a build for the baselines of the data with this fingerprint."""
    return build / "baselines" / edition


def write_scoring(folder: Path, checksums: Mapping[str, str], rules: Mapping[str, Any], build: Path) -> list[str]:
    """Write everything of the scorer into a dataset folder whose data are written.

    Args:
        folder: the dataset.
        checksums: of its data files, by path.
        rules: thresholds of the benchmark, by name.
        build: folder of the build, where `sphragis baseline --all` has left the baselines of the same data.

    Returns:
        What the user should know of it.
    """
    edition = Edition(folder, fingerprint(checksums), dict(checksums))
    write_scripts(folder)
    write_rotation(edition, rules)
    made = stored_baselines(build, edition.fingerprint)
    if not made.is_dir():
        return ["no baselines are stored for these data: run `sphragis baseline --all`, then export again"]
    for path in sorted(made.glob("*/*.jsonl.gz")):
        target = folder / BASELINES / path.relative_to(made)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return []
