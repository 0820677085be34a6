"""Whether the models of a warehouse are those of this project and of the input that is there, built to the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exports.warehouse import ExportError, columns, relations, rows
from runtime.checkout import project_checksum, project_root

if TYPE_CHECKING:
    import duckdb

NEEDED = (
    "hub.sentences",
    "hub.tokens",
    "hub.native_tokens",
    "hub.rows",
    "hub.configurations",
    "raw.files",
    "raw.rejects",
    "raw.source",
    "seeds.projects",
    "corpus.sentence_fates",
)


def check_ready(con: duckdb.DuckDBPyConnection, work_db: Path) -> None:
    """Check that an edition can be made of a warehouse.

    Raises:
        ExportError: `dbt build` has not finished, or not of the present project and input.
    """
    missing = [name for name in NEEDED if name not in relations(con)]
    if missing:
        raise ExportError(f"the warehouse {work_db} has no {', '.join(missing)}: run `dbt build`, it has not finished")
    unfinished = why_unfinished(con)
    if unfinished:
        raise ExportError(f"the models of {work_db} {unfinished}: run `dbt build`")
    if not rows(con, "select configuration from hub.configurations where is_built limit 1"):
        raise ExportError(_why_nothing_is_built(con, work_db))


def why_unfinished(con: duckdb.DuckDBPyConnection) -> str | None:
    """Say what is wrong with the models, None when the present project built all of them from the present input.

    dbt keeps the note (`macros/runs`). A warehouse that no run of dbt has begun is believed.
    """
    if "raw.whole_run" not in relations(con):
        return None
    wanted = {"project", "variables", "undone"}
    found = []
    if wanted <= set(columns(con, "raw.whole_run")):
        query = "select project from raw.whole_run inner join raw.present_input using (input) where is_finished"
        found = rows(con, query)
    if not found:
        return "were not built to the end from the input that is there"
    if found[0]["project"] != project_checksum(project_root(ExportError)):
        return "were built before the last change of models, seeds, macros or variables"
    return None


def _why_nothing_is_built(con: duckdb.DuckDBPyConnection, work_db: Path) -> str:
    """Say why an input gives no configuration, in the words of the most frequent reason, and what can be used."""
    query = """
        select reason, count(*) as configurations, min(configuration) as example
        from hub.configurations
        where reason is not null
        group by reason
        order by configurations desc, example
        limit 1
    """
    told = [f" ({row['example']} and others: {row['reason']})" for row in rows(con, query)]
    return (
        f"the input is too small for an edition: no configuration is built{''.join(told)}. "
        f"The last edition is as it was; {work_db} is whole and can be queried"
    )
