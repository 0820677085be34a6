"""What a comparison of the engines found, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from portable.compare import Compared


def report(
    compared: Sequence[Compared], seconds: Mapping[str, float], duckdb_seconds: Mapping[str, float], head: Iterable[str]
) -> str:
    """Return the report: a line per table, then the rows that differ, then what it comes to.

    Args:
        compared: the tables, in their order.
        seconds: of Spark, by relation.
        duckdb_seconds: of DuckDB, by relation, where they are known.
        head: lines before the table.
    """
    width = max([len("table"), *(len(one.relation) for one in compared)])
    lines = [*head, f"{'table':{width}}  {'rows':>10}  {'different':>9}  {'Spark s':>8}  {'DuckDB s':>8}"]
    for one in compared:
        own = duckdb_seconds.get(one.relation)
        lines.append(
            f"{one.relation:{width}}  {one.rows:>10,}  {one.different:>9,}  {seconds[one.relation]:>8.1f}  "
            + (f"{own:>8.1f}" if own is not None else f"{'-':>8}")
        )
    for one in compared:
        lines += [f"{one.relation}: {what}" for what in one.columns]
        lines += [f"{one.relation}: only in {side}: {row}" for side, row in one.examples]
    unequal = sum(not one.is_equal for one in compared)
    lines.append(
        f"{len(compared)} tables, {sum(one.rows for one in compared):,} rows, "
        f"{sum(one.different for one in compared):,} different, in {unequal} tables; "
        f"Spark {sum(seconds[one.relation] for one in compared):.0f} s, "
        f"DuckDB {sum(duckdb_seconds.get(one.relation, 0.0) for one in compared):.0f} s"
    )
    return "\n".join(lines)
