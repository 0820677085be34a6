"""The baselines of an edition with their scores, made once for the same content; the export takes them in.

They lie in `<build>/baselines/<key>`; the key is a checksum of everything that decides them: data, rotation, floor,
code, seeds, versions of the libraries. What is complete has its scores; a stopped run leaves nothing that counts.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from score import COVERAGE
from score.baselines import markup
from score.baselines.run import run_all
from score.core import comparison, figures
from score.core.command import FLOOR
from score.core.edition import ROTATION_FILE, Edition
from score.leaderboard import Scored, read_systems

SCORES = "scores.json"
"""All figures of all stored predictions, and each system compared with the best one of its rows."""

FORMAT = "sphragis-baseline-scores-1"
LIBRARIES = ("numpy", "scipy", "scikit-learn")
ROOM = COVERAGE.parent
"""Folder of this package."""
CODE = ("baselines", "core")


def content_key(edition: Edition) -> str:
    """Return the checksum of what decides the baselines of an edition and their scores."""
    digest = hashlib.sha256(edition.fingerprint.encode())
    floors = [FLOOR.format(configuration=name) for name in edition.configurations]
    read = [edition.folder / name for name in (ROTATION_FILE, *floors)]
    code = [path for part in CODE for path in sorted((ROOM / part).glob("*.py"))]
    for path in [*read, *code, ROOM / "leaderboard.py", *markup.seeds()]:
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        digest.update(f"{path.name} {content}\n".encode())
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\n".encode())
    return digest.hexdigest()[:32]


def folder_of(build: Path, edition: Edition) -> Path:
    """Return the folder of a build for the baselines of an edition, whether they are made or not."""
    return build / "baselines" / content_key(edition)


def is_made(folder: Path) -> bool:
    """Return true when the baselines in a folder are complete."""
    return (folder / SCORES).is_file()


def make(edition: Edition, target: Path, say: Callable[[str], None]) -> None:
    """Make all baselines of an edition with their scores, aside first, so that a stopped run leaves no half of them.

    Args:
        edition: the dataset.
        target: folder of the build that they stand in when they are complete.
        say: called with a line about each finished part.

    Raises:
        ScoreError: the edition cannot be read.
    """
    aside = target.with_name(f".{target.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    fill(edition, aside, say)
    shutil.rmtree(target, ignore_errors=True)
    aside.replace(target)


def fill(edition: Edition, folder: Path, say: Callable[[str], None]) -> None:
    """Write all baselines of an edition into a folder, and their scores.

    Raises:
        ScoreError: the edition cannot be read, or the folder has predictions that it refuses.
    """
    run_all(edition.folder, folder, say)
    record = scores(edition, folder)
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"
    (folder / SCORES).write_text(text, encoding="utf-8")
    say(f"{len(record['scores'])} prediction files scored")


def scores(edition: Edition, folder: Path) -> dict[str, Any]:
    """Return all figures of the prediction files in a folder, and each compared with the best one of the same rows.

    Raises:
        ScoreError: a file is refused.
    """
    systems = sorted(
        read_systems([folder], edition, folder),
        key=lambda one: (one.record["configuration"], one.record["split"], one.system),
    )
    groups: dict[tuple[str, str], list[Scored]] = {}
    for each in systems:
        groups.setdefault((each.record["configuration"], each.record["split"]), []).append(each)
    return {
        "format": FORMAT,
        "edition": edition.fingerprint,
        "scores": [each.record for each in systems],
        "against_the_best": [found for group in groups.values() for found in against_best(group)],
    }


def against_best(group: list[Scored]) -> list[dict[str, Any]]:
    """Compare the systems on the same rows with the best of them, corrected for their number."""
    best = min(group, key=lambda one: (-one.record["headline"]["value"], one.system))
    others = [each for each in group if each is not best]
    compared = [comparison.compare(best.predictions, each.predictions) for each in others]
    return [dict(figures.rounded(found)) for found in comparison.correct(compared)]
