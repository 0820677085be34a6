"""What dbt does before it opens the working database: make it where there is none, and say plainly what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin
from dbt_common.exceptions import DbtRuntimeError

from ingest.database import open_database
from ingest.errors import IngestError
from ingest.settings import load_settings


class Plugin(BasePlugin):
    """Named in ``profiles.yml``; dbt makes one before its first connection."""

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
