"""Whether the current edition is made from what is there, so that an export would make the same one again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from exports.edition import swap
from exports.warehouse import ExportError
from runtime.checkout import project_root
from runtime.made_from import fingerprint, is_made

if TYPE_CHECKING:
    from runtime.settings import Settings


def _place(settings: Settings) -> Path:
    return settings.work_db.with_name("exported.json")


def _made_from(settings: Settings) -> dict[str, str | None]:
    """Return what the current edition is, and what it would be made from now."""
    return {
        "edition": swap.target_of(settings.current),
        "made_from": fingerprint(project_root(ExportError), settings),
        "input": _input(settings),
    }


def _input(settings: Settings) -> str:
    """Return the checksum of the input that is in the raw tables."""
    import duckdb

    with duckdb.connect(str(settings.work_db), read_only=True) as con:
        return str(con.execute("select input from raw.present_input").fetchall()[0][0])


def note(settings: Settings) -> None:
    """Note what the edition that is current now was made from, beside the working database.

    Nothing is noted of tables that were made before a change: they are not made from what is there now.
    """
    if not is_made(project_root(ExportError), settings):
        _place(settings).unlink(missing_ok=True)
        return
    _place(settings).write_text(json.dumps(_made_from(settings)), encoding="utf-8")


def is_current(settings: Settings) -> bool:
    """Whether the current edition is whole, and made from the tables of a whole run of all that is there now."""
    try:
        noted = json.loads(_place(settings).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    if not is_made(project_root(ExportError), settings) or noted != _made_from(settings):
        return False
    return swap.is_whole(settings.current.resolve())
