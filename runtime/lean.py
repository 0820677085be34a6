"""Keep pandas out of processes that only read treebanks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType


class _NoPandas(MetaPathFinder):
    """A finder that knows of no pandas."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is not used here", name=fullname)


def without_pandas() -> None:
    """Settle in this process that pyarrow works without pandas.

    At the first array pyarrow imports pandas if it is installed, only to ask whether it was given one of its
    objects; that takes over a second of every worker. The answer is remembered for the life of the process, so
    this is called in processes of our own (workers, the command line), never from a library function.
    """
    if "pandas" in sys.modules:
        return
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        import pyarrow as pa

        pa.array([None])
    finally:
        sys.meta_path.remove(finder)
