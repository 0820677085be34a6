"""What dbt does before it opens the working database: make it where there is none, and say plainly what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin
from dbt.flags import get_flags
from dbt_common.exceptions import DbtRuntimeError
from duckdb import DuckDBPyConnection

from runtime.checkout import project_checksum
from runtime.database import limit, open_database, spill_folder
from runtime.errors import IngestError
from runtime.made_from import fingerprint
from runtime.settings import load_settings


class Plugin(BasePlugin):
    """Named in ``profiles.yml``; dbt makes one before its first connection.

    Attributes:
        project: checksum of the project that is built.
        made_from: fingerprint of all that the tables are made from but the input.
    """

    project = ""
    made_from = ""

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        """Open the database once, as ingest does, and look at the settings before anything is built on them.

        Raises:
            DbtRuntimeError: no place to write, another writer, a file that is no database, a meaningless setting.
        """
        if self.creds is None:
            return
        try:
            load_settings()
            with open_database(Path(self.creds.path)):
                pass
        except IngestError as error:
            raise DbtRuntimeError(str(error)) from None

    def configure_connection(self, conn: DuckDBPyConnection) -> None:
        """Keep the engine within the memory of the settings, and look at the project that is built."""
        if self.creds is None:
            return
        limit(conn, spill_folder(Path(self.creds.path)))
        root: Any = get_flags().PROJECT_DIR  # type: ignore[no-untyped-call]
        self.project = project_checksum(Path(root))
        self.made_from = fingerprint(Path(root), load_settings())

    def configure_cursor(self, cursor: DuckDBPyConnection) -> None:
        """Tell the macros of a run which state of the project it builds."""
        cursor.execute(
            f"set variable sphragis_project = '{self.project}'; set variable sphragis_made_from = '{self.made_from}'"
        )
