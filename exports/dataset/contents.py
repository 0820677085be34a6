"""What a dataset is made of, read from the warehouse in one go: everything after this is a function of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exports.dataset.plans import Plan, load_plans
from exports.dataset.units import Units, load_units
from exports.dataset.validation import Inventories, load_inventories

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Contents:
    """What is published, and what it may consist of.

    Attributes:
        units: the published sentences, each nested once.
        plans: the rows of every split of every configuration that is built.
        inventories: the values that may be published.
    """

    units: Units
    plans: list[Plan]
    inventories: Inventories

    @property
    def words(self) -> int:
        """Number of published words."""
        return len(self.units.human.values.values)


def read_contents(con: duckdb.DuckDBPyConnection) -> Contents:
    """Read what is published.

    Raises:
        ExportError: the tables contradict each other, or no configuration is built.
    """
    units = load_units(con)
    return Contents(units, load_plans(con, units), load_inventories(con))
