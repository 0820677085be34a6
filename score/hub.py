"""What the scorer puts into a dataset folder: itself, the folds of the rotation, and the baselines that are made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runtime import conllu
from score.core.edition import BASELINES, Edition, fingerprint
from score.rotation import write_rotation

NO_BASELINES = "no baselines are stored for these data: run `sphragis baseline --all`, then export again"
"""What who exports should know when there are none."""

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


def write_scorer(folder: Path, checksums: Mapping[str, str], rules: Mapping[str, Any]) -> Edition:
    """Write the scorer and the folds of the rotation into a dataset folder whose data are written.

    Args:
        folder: the dataset.
        checksums: of its data files, by path.
        rules: thresholds of the benchmark, by name.

    Returns:
        The edition, as the scorer sees it.
    """
    edition = Edition(folder, fingerprint(checksums), dict(checksums))
    write_scripts(folder)
    write_rotation(edition, rules)
    return edition


def take_baselines(edition: Edition, build: Path) -> dict[str, Any] | None:
    """Copy the baselines of an edition from the build into it, with their scores.

    Args:
        edition: the dataset, with rotation and the predictions of the leakage audit.
        build: folder of the build, where `sphragis baseline --all` has left the baselines of the same content.

    Returns:
        The scores; None where no baselines of this content are made.
    """
    from score.baselines.stored import SCORES, folder_of, is_made

    made = folder_of(build, edition)
    if not is_made(made):
        return None
    for path in (made / SCORES, *sorted(made.glob("*/*.jsonl.gz"))):
        target = edition.folder / BASELINES / path.relative_to(made)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    found: dict[str, Any] = json.loads((made / SCORES).read_text(encoding="utf-8"))
    return found
