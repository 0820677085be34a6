"""What dbt knows of the project: all models compiled, and its own site in one file, made without the warehouse."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exports.site.overview import with_pages
from exports.warehouse import ExportError

COMMAND = (sys.executable, "-c", "from dbt.cli.main import cli; cli(prog_name='dbt')")
TIMES = ("generated_at", "created_at", "invocation_id", "invocation_started_at", "user_id", "run_started_at")
"""What differs from run to run, in every node of a manifest."""
PLACES = ("root_path", "compiled_path", "build_path", "target_path")
"""Where something lies on this machine."""

NEEDED = """
    create schema raw;
    create table raw.files (
        project varchar, path varchar, status varchar, sha256 varchar, expected_sha256 varchar, reader varchar
    );
    create table raw.file_attributes (project varchar);
    create table raw.whole_run (
        input varchar, project varchar, variables varchar, undone varchar[], is_finished boolean
    );
    create view raw.present_input as select null::varchar as input;
"""
"""What the project asks a database for before it compiles its models: an empty one of this shape will do."""


def generate(root: Path, scratch: Path, command: Sequence[str] = COMMAND) -> Path:
    """Let dbt compile the models and write its site, and return the folder that it has written into.

    It is given an empty database of its own, so that the warehouse is neither waited for nor touched.

    Args:
        root: the checkout.
        scratch: an empty folder.
        command: how dbt is called.

    Raises:
        ExportError: dbt failed; the message has its last lines.
    """
    import duckdb

    (scratch / "work").mkdir(parents=True)
    with duckdb.connect(str(scratch / "work" / "sphragis.duckdb")) as con:
        con.execute(NEEDED)
    target = scratch / "target"
    environment = {key: value for key, value in os.environ.items() if key != "SPHRAGIS_DB"} | {
        "SPHRAGIS_BUILD": str(scratch),
        "SPHRAGIS_THREADS": "1",
        "DBT_TARGET_PATH": str(target),
        "DBT_LOG_PATH": str(scratch / "logs"),
        "DBT_PROFILES_DIR": str(root),
        "DBT_PROJECT_DIR": str(root),
        "PYTHONPATH": os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    made = subprocess.run(
        [*command, "--no-use-colors", "docs", "generate", "--static", "--empty-catalog"],
        cwd=root, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if made.returncode or not (target / "static_index.html").is_file():
        raise ExportError(f"dbt could not compile the models:\n{made.stdout.strip()[-2000:]}")
    return target


def read_manifest(target: Path) -> dict[str, Any]:
    """Return the manifest of a folder that dbt has written."""
    loaded: dict[str, Any] = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
    return loaded


def own_site(target: Path, manifest: Mapping[str, Any]) -> str:
    """Return dbt's own site as one page, without times, places of this machine, and the script that counts visits.

    Raises:
        ExportError: the page of this version of dbt has no place for what it shows.
    """
    page = (target / "index.html").read_text(encoding="utf-8")
    catalog = json.loads((target / "catalog.json").read_text(encoding="utf-8"))
    for place, value in (("MANIFEST.JSON INLINE DATA", with_pages(manifest)), ("CATALOG.JSON INLINE DATA", catalog)):
        if f'"{place}"' not in page:
            raise ExportError(f"the page of this version of dbt has no place for {place}")
        told = json.dumps(scrubbed(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        page = page.replace(f'"{place}"', told.replace("</", "<\\/"))
    return re.sub(r'"(https?:)?//[^"]*/sp\.js"', '"data:text/javascript,"', page)


def scrubbed(value: Any) -> Any:
    """Return a manifest without what changes from run to run; an address of a record leads to the copy beside the site.

    >>> scrubbed({"name": "a", "created_at": 1.5, "config": [{"build_path": "/x"}]})
    {'name': 'a', 'created_at': None, 'config': [{'build_path': None}]}
    """
    if isinstance(value, Mapping):
        return {
            key: None if key in TIMES or key in PLACES else at_site(of) if key == "url" else scrubbed(of)
            for key, of in value.items()
        }
    return [scrubbed(one) for one in value] if isinstance(value, list) else value


def at_site(url: Any) -> Any:
    """Return the address of something in the folder docs as it is seen from dbt's own site."""
    return f"../{url}" if isinstance(url, str) and url.startswith("docs/") else url
