"""Makes the folder of the site: aside, and put in place when it is whole."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from exports.edition.readiness import why_unfinished
from exports.site.dbt_docs import COMMAND, generate, own_site, read_manifest
from exports.site.pages import Site
from exports.site.render import render
from exports.site.trace import columns_of, trace
from exports.warehouse import ExportError, open_read_only
from runtime.checkout import project_root

MARK = "search_index.js"
"""A folder that has this file is a site, and may be replaced."""


def write_site(
    db: Path,
    hub: Path,
    folder: Path,
    with_dbt: bool = True,
    say: Callable[[str], None] = lambda line: None,
    command: Sequence[str] = COMMAND,
) -> dict[str, int]:
    """Write the documentation site and return its numbers: pages, bytes, fields.

    Args:
        db: the published warehouse.
        hub: the dataset folder of the same edition.
        folder: where the site is put; one that is there is replaced when it is a site.
        with_dbt: dbt's own site too.
        say: called with a line about each finished step.
        command: how dbt is called.

    Raises:
        ExportError: the folder is something else, there is no warehouse, or the models cannot be read.
    """
    if folder.exists() and not (folder / MARK).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise ExportError(f"{folder} is there and is no site: name another with --folder")
    root = project_root(ExportError)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as made:
        aside = Path(made)
        with closing(open_read_only(db.resolve(), aside / "spill")) as con:
            if unfinished := why_unfinished(con):
                raise ExportError(f"the models of {db} {unfinished}: run `make build`")
            target = generate(root, aside / "dbt", command)
            manifest = read_manifest(target)
            say("models: compiled")
            graph, fields = trace(manifest, columns_of(con))
            say(f"lineage: {len(fields)} published fields")
            texts = {
                path.relative_to(root / "docs").as_posix(): path.read_text(encoding="utf-8")
                for path in sorted((root / "docs").rglob("*.md"))
            }
            pages = render(Site(con, graph, fields, manifest, hub.resolve(), texts, with_dbt))
            if with_dbt:
                pages["dbt/index.html"] = own_site(target, manifest)
        for name, text in sorted(pages.items()):
            path = aside / "site" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if folder.exists():
            shutil.move(folder, aside / "before")
        (aside / "site").rename(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {"pages": len(pages), "bytes": size, "fields": len(fields)}
