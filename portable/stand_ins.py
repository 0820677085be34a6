"""Models that Spark's SQL cannot express, written for it in another way: the same rows, behind the same name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from portable.models import Model
from portable.rewrites import view_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class StandIn:
    """What is run instead of a model, and why."""

    reason: str
    make: Callable[[SparkSession, Model], DataFrame]


def chains(spark: SparkSession, model: Model) -> DataFrame:
    """Return what hangs together by pairs, as `int_dedup__chains` does: one row per member and the least member of it.

    Every member takes over the least label among its own and those of its partners, and then that of its label, until
    nothing changes; the second step makes a long chain end after few rounds.
    """
    (pairs,) = model.reads
    sides = spark.sql(
        f"select sentence_number as member, partner_number as partner from {view_name(pairs)} "
        f"union all select partner_number, sentence_number from {view_name(pairs)}"
    ).localCheckpoint()
    sides.createOrReplaceTempView("chain_sides")
    labels: Any = spark.sql("select member, min(least(member, partner)) as label from chain_sides group by member")
    while True:
        labels = labels.localCheckpoint()
        labels.createOrReplaceTempView("chain_labels")
        nearest = """
            select sides.member, least(min(partners.label), min(own.label)) as label
            from chain_sides as sides
            inner join chain_labels as partners on sides.partner = partners.member
            inner join chain_labels as own on sides.member = own.member
            group by sides.member
        """
        after = spark.sql(f"""
            with nearest as ({nearest})
            select nearest.member, least(nearest.label, further.label) as label
            from nearest inner join nearest as further on nearest.label = further.member
        """).localCheckpoint()
        after.createOrReplaceTempView("chain_labels_after")
        changed = spark.sql(
            "select count(*) from chain_labels inner join chain_labels_after using (member) "
            "where chain_labels.label <> chain_labels_after.label"
        ).collect()[0][0]
        labels = after
        if not changed:
            return spark.sql("select member as sentence_number, label as chain_number from chain_labels_after")


STAND_INS = {
    "int_dedup__chains": StandIn("recursion with `using key`, which keeps one row per member: Spark has none", chains),
}
"""By the name of the model."""
