"""The swap under faults: whatever happens at whatever operation, warehouse and dataset agree, the message is true."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb  # noqa: F401 - loaded before the processes are forked, like everything below
import pytest
from fault_fixture import FAULTS, Outcome, run_with_fault
from test_export_files import settings_of

from exports.edition import database, swap
from exports.edition import export as edition
from exports.edition.construction import IN_PLACE, UNCHANGED
from runtime.settings import Settings

OLD, NEW, NEXT = "old", "new", "next"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an export write a dataset of two files and a warehouse of one line: the swap is the real one."""

    class Connection:
        def close(self) -> None: ...

    def write(con: Any, settings: Settings, folder: Path, *more: Any) -> dict[str, Any]:
        (folder / "data").mkdir()
        (folder / "data" / "rows").write_text(CONTENT[0])
        (folder / "SHA256SUMS").write_text(CONTENT[0])
        return {"notices": []}

    def copy(work_db: Path, new: Path) -> None:
        new.write_text(CONTENT[0])

    def summary(**facts: Any) -> list[str]:
        found: list[str] = facts["notices"]
        return found

    # Counted like any call, without the time that a disk takes.
    monkeypatch.setattr(os, "fsync", os.fstat)
    monkeypatch.setattr(edition, "_write", write)
    monkeypatch.setattr(edition, "open_read_only", lambda *places: Connection())
    monkeypatch.setattr(edition, "Summary", summary)
    monkeypatch.setattr(database, "write_copy", copy)


CONTENT = [""]
"""What the next export writes."""


def exporting(settings: Settings, content: str) -> Callable[[], list[str]]:
    def action() -> list[str]:
        CONTENT[0] = content
        notices: Any = edition.export(settings)
        return list(notices)

    return action


def seen(settings: Settings) -> tuple[str | None, ...]:
    """What a reader finds at the well-known places."""
    files = (settings.db, settings.hub / "data" / "rows", settings.hub / "SHA256SUMS")
    return tuple(path.read_text() if path.exists() else None for path in files)


def nothing(build: Path) -> tuple[Settings, str | None]:
    build.mkdir(parents=True)
    return settings_of(build), None


def ordinary(build: Path) -> tuple[Settings, str | None]:
    """Two editions were put in place before, and one is kept: the next export removes the first."""
    settings = settings_of(build)
    for content in ("first", OLD):
        exporting(settings, content)()
    return settings, OLD


def the_same(build: Path) -> tuple[Settings, str | None]:
    """The current edition has the content of the next one."""
    settings = settings_of(build)
    exporting(settings, NEW)()
    return settings, NEW


def damaged(build: Path) -> tuple[Settings, str | None]:
    """The current edition had the content of the next one, and was damaged since."""
    settings, _ = the_same(build)
    for path in (settings.db, settings.hub / "data" / "rows", settings.hub / "SHA256SUMS"):
        path.write_text(OLD)
    return settings, OLD


def older_layout(build: Path) -> tuple[Settings, str | None]:
    """A file and a folder, as earlier versions left them."""
    settings = settings_of(build)
    (settings.hub / "data").mkdir(parents=True)
    for path in (settings.db, settings.hub / "data" / "rows", settings.hub / "SHA256SUMS"):
        path.write_text(OLD)
    return settings, OLD


def copied(build: Path) -> tuple[Settings, str | None]:
    """A build folder that was copied with its links followed: `current` is a folder."""
    ordinary(build.with_name("original"))
    shutil.copytree(build.with_name("original"), build)
    return settings_of(build), OLD


def of_another_build(build: Path) -> tuple[Settings, str | None]:
    """The warehouse is published in another folder, and shows the edition of another build; no dataset yet."""
    db = build.parent / "published" / "sphragis.duckdb"
    other = replace(settings_of(build.with_name("other")), db=db)
    exporting(other, OLD)()
    return replace(settings_of(build), db=db), OLD


SCENES = {
    scene.__name__: scene for scene in (nothing, ordinary, the_same, damaged, older_layout, copied, of_another_build)
}
EVERY_FAULT = ("ordinary", "older_layout")
"""Scenes in which every fault is tried; the others see the two that nothing can answer: an interrupt and a kill."""


def check(settings: Settings, before: tuple[str | None, ...], outcome: Outcome, can_exchange: bool) -> None:
    found = seen(settings)
    assert outcome.kind != "not told", outcome
    # A folder of the older layout that cannot be exchanged for a link is away for a moment, once.
    gone = [] if can_exchange or outcome.kind != "killed" else [(before[0], None, None)]
    assert found in (before, (NEW, NEW, NEW), *gone), outcome
    if outcome.kind == "returned" or IN_PLACE in outcome.told:
        assert found == (NEW, NEW, NEW), outcome
    elif outcome.kind != "killed":
        assert found == before, outcome
        assert UNCHANGED in outcome.told or "SPHRAGIS_" in outcome.told or not outcome.told, outcome
    # The next export succeeds and leaves no litter.
    assert exporting(settings, NEXT)() == [], outcome
    assert seen(settings) == (NEXT, NEXT, NEXT)
    present = {path.name for path in settings.build.iterdir()}
    assert present == {".export.lock", "current", "editions", "hub"} | (
        {settings.db.name} if settings.db.parent == settings.build else set()
    ), outcome
    assert [path.name for path in settings.db.parent.iterdir() if settings.db.parent != settings.build] in (
        [],
        [settings.db.name],
    ), outcome
    kept = [path for path in settings.editions.iterdir() if path != settings.current.resolve()]
    earlier = [(path / settings.db.name).read_text() for path in kept]
    assert earlier == ([found[0]] if found[0] is not None else []), outcome


@pytest.mark.parametrize(
    ("scene", "can_exchange"), [*((scene, True) for scene in SCENES), ("older_layout", False), ("copied", False)]
)
def test_a_fault_at_any_operation_leaves_one_edition_and_a_true_message(
    scene: str, can_exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_exchange:
        monkeypatch.setattr(swap, "exchange", lambda left, right: False)
    place = tmp_path / "place"
    SCENES[scene](place / "build")
    number = 0
    for fault in FAULTS if scene in EVERY_FAULT and can_exchange else FAULTS[-2:]:
        number = 0
        while True:
            number += 1
            run = tmp_path / "run"
            shutil.copytree(place, run, symlinks=True)
            settings = settings_of(run / "build")
            if scene == "of_another_build":
                settings = replace(settings, db=run / "published" / "sphragis.duckdb")
            before = seen(settings)
            outcome = run_with_fault(exporting(settings, NEW), number, fault)
            check(settings, before, outcome, can_exchange)
            shutil.rmtree(run)
            if not outcome.is_reached:
                break
    assert number > 60
