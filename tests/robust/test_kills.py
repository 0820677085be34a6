"""Kills at moments drawn by seed: what is published is the last edition or the next one, and the next run goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from robust import kills
from robust.kills import Stage

pytestmark = pytest.mark.robust


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Stage, Path]]:
    """Return what makes a stage once."""
    made: dict[str, tuple[Stage, Path]] = {}
    makers: dict[str, Callable[[Path], Stage]] = {
        "export": kills.synthetic,
        "first export": kills.first_export,
        "ingest": kills.reading,
        "first ingest": kills.first_reading,
    }

    def make(name: str) -> tuple[Stage, Path]:
        if name not in made:
            folder = tmp_path_factory.mktemp("stage")
            made[name] = makers[name](folder), folder
        return made[name]

    return make


@pytest.mark.parametrize(
    ("name", "number"), [("export", 0), ("export", 1), ("first export", 0), ("ingest", 0), ("first ingest", 0)]
)
def test_a_killed_command_leaves_a_whole_edition_and_goes_on(
    name: str, number: int, stage: Callable[[str], tuple[Stage, Path]]
) -> None:
    made, folder = stage(name)
    report = kills.chain(made, number, folder, kills=3)
    assert not report.wrong, "\n".join(report.wrong)
    assert report.kills + report.runs == 4


def test_kills_at_the_swap_leave_one_edition_or_the_other(stage: Callable[[str], tuple[Stage, Path]]) -> None:
    made, folder = stage("export")
    report = kills.swap_chain(made, folder, every=23)
    assert not report.wrong, "\n".join(report.wrong)
    assert report.kills >= 5
