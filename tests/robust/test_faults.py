"""Disks that fail: one message that names the place, the last edition whole, the next run good."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from robust import faults, kills
from robust.kills import Stage

pytestmark = pytest.mark.robust


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> tuple[Stage, Path]:
    folder = tmp_path_factory.mktemp("export")
    return kills.synthetic(folder), folder


@pytest.fixture(scope="module")
def ingest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Stage, Path]:
    folder = tmp_path_factory.mktemp("ingest")
    return kills.reading(folder), folder


@pytest.mark.parametrize("number", [0, 1])
def test_an_export_on_a_failing_disk_says_where_and_goes_on(number: int, export: tuple[Stage, Path]) -> None:
    report = faults.chain(export[0], number, export[1], faults=3)
    assert not report.wrong, "\n".join(report.wrong)


def test_an_ingest_on_a_failing_disk_says_where_and_goes_on(ingest: tuple[Stage, Path]) -> None:
    report = faults.chain(ingest[0], 0, ingest[1], faults=3)
    assert not report.wrong, "\n".join(report.wrong)


@pytest.mark.parametrize("number", [0, 1])
def test_a_small_disk_is_told_and_the_next_run_goes_on(
    number: int, export: tuple[Stage, Path], ingest: tuple[Stage, Path]
) -> None:
    if not faults.may_mount():
        pytest.skip("only root can make a small disk; files of limited size stand for it")
    stage, folder = (export, ingest)[number]
    report = faults.on_small_disk(stage, number, folder)
    assert not report.wrong, "\n".join(report.wrong)


def test_a_build_folder_that_goes_away_is_told(export: tuple[Stage, Path]) -> None:
    report = faults.vanishing(export[0], 0, export[1])
    assert not report.wrong, "\n".join(report.wrong)


def test_a_folder_that_may_not_be_written_is_told(ingest: tuple[Stage, Path]) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    report = faults.forbidden(*ingest)
    assert not report.wrong, "\n".join(report.wrong)
