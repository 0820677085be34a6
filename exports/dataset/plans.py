"""Which rows a split of a configuration has, and where the sentences of each row stand among the units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from exports.dataset import schema
from exports.dataset.arrays import conform, list_offsets, read_table, single
from exports.dataset.units import Units
from exports.warehouse import ExportError

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Plan:
    """The rows of one split of one configuration, ordered by id.

    Attributes:
        members: positions of the constituents in `Units`, all rows one after the other.
        offsets: row i has the members `offsets[i]` to `offsets[i + 1]`.
    """

    configuration: str
    track: str
    size: int
    split: str
    ids: pa.Array
    authors: pa.Array
    members: NDArray[np.int64]
    offsets: NDArray[np.int64]
    mixed: pa.Array
    held_out: dict[str, pa.Array]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.ids)

    @property
    def path(self) -> str:
        """Path of the file inside the dataset folder."""
        return schema.data_file(self.configuration, self.split)


def load_plans(con: duckdb.DuckDBPyConnection, units: Units) -> list[Plan]:
    """Read the rows of every built configuration, ordered by configuration, split and id.

    Raises:
        ExportError: a row names a sentence that is not published, or a built split has no rows.
        ValueError: a name that the Hub could not load again.
    """
    import pyarrow.compute as pc

    built = con.execute(
        "select configuration, track, size from hub.configurations where is_built order by configuration"
    ).fetchall()
    schema.check_names([name for name, _, _ in built], schema.SPLITS)
    plans = []
    for name, track, size in built:
        held_out = ", ".join(schema.HELD_OUT)
        rows = read_table(
            con,
            f"select split, id, author, constituent_ids, chunk_is_mixed_work, {held_out} "
            f"from hub.rows where configuration = '{name}' order by split, id",
        )
        splits = np.asarray(rows["split"])
        unknown = set(splits) - set(schema.SPLITS)
        if unknown:
            raise ExportError(f"configuration {name}: unknown splits {sorted(unknown)}")
        for split in schema.SPLITS:
            part = rows.filter(pa.array(splits == split)).combine_chunks()
            if not part.num_rows:
                raise ExportError(f"configuration {name}: split {split} has no rows, but it is marked as built")
            lists = conform(single(part["constituent_ids"]), schema.STRINGS)
            if int(size) == 1:
                constituents, offsets = single(part["id"]), np.arange(part.num_rows + 1)
            else:
                constituents, offsets = lists.flatten(), list_offsets(np.diff(np.asarray(lists.offsets)))
            members = pc.index_in(constituents, value_set=units.ids)
            if members.null_count:
                lost = constituents.filter(members.is_null())[0].as_py()
                raise ExportError(f"configuration {name}: {lost} is not in hub.sentences")
            plans.append(
                Plan(
                    name,
                    track,
                    int(size),
                    split,
                    conform(single(part["id"]), pa.string()),
                    conform(single(part["author"]), pa.string()),
                    np.asarray(members.cast(pa.int64())),
                    offsets.astype(np.int64),
                    conform(single(part["chunk_is_mixed_work"]), pa.bool_()),
                    {key: conform(single(part[key]), pa.string()) for key in schema.HELD_OUT},
                )
            )
    return plans
