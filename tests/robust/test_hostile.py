"""Hostile names, notes, settings and arguments: a finding or one plain message, and everything else is read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from robust import hostile

pytestmark = pytest.mark.robust


def none(found: Iterable[tuple[str, list[str]]], least: int) -> None:
    """Assert that nothing is wrong, and that there was something to be wrong."""
    all_found = list(found)
    wrong = [f"{what}: {one}" for what, several in all_found for one in several]
    assert not wrong, "\n".join(wrong)
    assert len(all_found) >= least


def test_hostile_names_in_a_folder_of_treebanks(tmp_path: Path) -> None:
    none(hostile.names(tmp_path), len(hostile.NAMES) - len(hostile.ONLY_FOR_OTHERS))


def test_notes_of_any_shape(tmp_path: Path) -> None:
    none(hostile.notes(tmp_path), len(hostile.SHAPES))


def test_settings_of_any_value(tmp_path: Path) -> None:
    none(hostile.meanings(tmp_path), len(hostile.SETTINGS))


def test_questions_for_what_there_is_not(tmp_path: Path) -> None:
    none(hostile.questions(tmp_path), 8 * len(hostile.ARGUMENTS))
