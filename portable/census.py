"""What of the models another engine refuses or takes otherwise, after all rewrites, found in their syntax trees."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import sqlglot
from sqlglot import exp

from exports.site.lineage import reads
from exports.warehouse import ExportError
from portable.models import Model
from portable.rewrites import rewritten, unnested

Kind = Literal["refused", "silent", "gathered"]
"""Refused: Spark says no. Silent: it gives something else. Gathered: it is right, and one task has all rows."""

RATCHET = Path(__file__).with_name("exceptions.csv")
"""The models that have such a construct, each with a reason. It may only become shorter."""


@dataclass(frozen=True, order=True)
class Finding:
    """A construct of a model that does not go over.

    Attributes:
        model: name of the model.
        construct: name of the construct, one of CONSTRUCTS.
        kind: refused, silent or gathered.
    """

    model: str
    construct: str
    kind: Kind


@dataclass(frozen=True)
class Construct:
    """Something to look for: its name, its kind, what is wrong with it, and where it stands in a tree."""

    name: str
    kind: Kind
    wrong: str
    found: Callable[[exp.Expr], bool]


def calls_len(sql: str) -> bool:
    """Return whether a model says `len`, which cannot be seen in its tree."""
    return any(one.text.lower() == LEN and one.token_type.name == "VAR" for one in sqlglot.tokenize(sql, read="duckdb"))


def calls(*names: str) -> Callable[[exp.Expr], bool]:
    """Return whether a tree calls a function that sqlglot does not know, by one of these names."""
    return lambda tree: any(node.name.lower() in names for node in tree.find_all(exp.Anonymous))


def has_order_dropped(tree: exp.Expr) -> bool:
    """Return whether an aggregate has an order that Spark's function does not take."""
    ordered = (exp.ArrayAgg, exp.First, exp.Last, exp.AnyValue, exp.Sum)
    return any(isinstance(node.this, exp.Order) for node in tree.find_all(*ordered))


def unnests_twice(tree: exp.Expr) -> bool:
    """Return whether a select unnests several lists among its columns."""
    return any(len(unnested(select)) > 1 for select in tree.find_all(exp.Select))


def cuts_from_the_end(tree: exp.Expr) -> bool:
    """Return whether `left` or `right` has a length below nothing."""
    return any(isinstance(node.expression, exp.Neg) for node in tree.find_all(exp.Left, exp.Right))


def has_group_in_replacement(tree: exp.Expr) -> bool:
    r"""Return whether a replacement names a group as `\1`."""
    return any(
        "\\" in text.this.replace("\\$", "")
        for node in tree.find_all(exp.RegexpReplace)
        if isinstance(text := node.args.get("replacement"), exp.Literal)
    )


def replaces_once(tree: exp.Expr) -> bool:
    """Return whether a pattern is replaced at its first place only."""
    return any(
        "g" not in (node.args["modifiers"].name if node.args.get("modifiers") else "")
        for node in tree.find_all(exp.RegexpReplace)
    )


def counts_places_from_one(tree: exp.Expr) -> bool:
    """Return whether an unnest counts its elements: from 1 in DuckDB, from 0 by `posexplode`."""
    return any(node.args.get("offset") for node in tree.find_all(exp.Unnest))


def lowers_a_sigma(tree: exp.Expr) -> bool:
    """Return whether `lower` sees what may have a capital sigma at its end."""
    lowered = [node.this for node in tree.find_all(exp.Lower)]
    return any(not (isinstance(text, exp.Replace) and text.expression.name == "Σ") for text in lowered)


def recurs_by_union(tree: exp.Expr) -> bool:
    """Return whether a query recurs by `union` without `all`."""
    return any(
        isinstance(cte.this, exp.SetOperation) and cte.this.args.get("distinct") and reads(cte.this.right, cte.alias)
        for cte in recursive(tree)
    )


def recursive(tree: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the queries that may read themselves."""
    for with_ in tree.find_all(exp.With):
        if with_.args.get("recursive"):
            yield from with_.expressions


def keeps_by_key(tree: exp.Expr) -> bool:
    """Return whether a recursion keeps one row per key."""
    return any(cte.args.get("key_expressions") for cte in tree.find_all(exp.CTE))


def windows_over_all(tree: exp.Expr) -> bool:
    """Return whether a window has no partition, so that all rows meet in one task."""
    named = {window.name for select in tree.find_all(exp.Select) for window in select.args.get("windows") or ()}
    return any(
        not window.args.get("partition_by") and window.args.get("alias") not in named and window.args.get("order")
        for window in tree.find_all(exp.Window)
        if not (isinstance(window.args.get("alias"), exp.Identifier))
    )


def reads_an_alias_in_a_window(tree: exp.Expr) -> bool:
    """Return whether a window reads a column that the same select has named."""
    for select in tree.find_all(exp.Select):
        named: set[str] = set()
        for projection in select.expressions:
            for window in projection.find_all(exp.Window):
                if any(column.name in named and not column.table for column in window.find_all(exp.Column)):
                    return True
            # `sum(words) as words` stands beside a column of that name, which is what the window reads.
            own = {column.name for column in projection.find_all(exp.Column)}
            if isinstance(projection, exp.Alias) and projection.alias not in own:
                named.add(projection.alias)
    return False


def replaces_columns(tree: exp.Expr) -> bool:
    """Return whether a star replaces columns."""
    return any(star.args.get("replace") for star in tree.find_all(exp.Star))


def joins_as_of(tree: exp.Expr) -> bool:
    """Return whether a join takes the nearest row."""
    return any(str(join.args.get("method") or "").lower() == "asof" for join in tree.find_all(exp.Join))


def unites_by_name(tree: exp.Expr) -> bool:
    """Return whether a union goes by the names of columns."""
    return any(node.args.get("by_name") for node in tree.find_all(exp.SetOperation))


def slices(tree: exp.Expr) -> bool:
    """Return whether something is cut by brackets, which does not say whether it is a list or a text."""
    return any(isinstance(one, exp.Slice) for node in tree.find_all(exp.Bracket) for one in node.expressions)


LACKING = ("list_aggregate", "list_sum", "regexp_escape", "url_encode")
"""Functions of DuckDB that a model uses, or has used, and Spark has not."""

LEN = "len"
"""`len` is for sqlglot the length of a text; the models count lists by `array_length`, which goes over."""

CONSTRUCTS = (
    Construct("ordered aggregate", "silent", "the order is dropped", has_order_dropped),
    Construct("left with a negative length", "silent", "gives an empty text", cuts_from_the_end),
    Construct("group in a replacement", "silent", r"`\1` is a digit in Java", has_group_in_replacement),
    Construct("replacement without 'g'", "silent", "Spark replaces every place, DuckDB the first", replaces_once),
    Construct("hash", "silent", "another function, and DuckDB's changes with its releases", calls("hash")),
    Construct("ordinality", "silent", "counts from 0", counts_places_from_one),
    Construct("lower", "silent", "a last sigma becomes ς in Spark", lowers_a_sigma),
    Construct("two unnests in one select", "refused", "they multiply, or are refused", unnests_twice),
    Construct("slice by brackets", "refused", "not in Spark's grammar", slices),
    Construct("recursion with union", "refused", "only `union all` may recur", recurs_by_union),
    Construct("using key", "refused", "no row per key in Spark's recursion", keeps_by_key),
    Construct("asof join", "refused", "no nearest row in Spark's grammar", joins_as_of),
    Construct("union by name", "refused", "not in Spark's grammar", unites_by_name),
    Construct("star with replace", "refused", "not in Spark's grammar", replaces_columns),
    Construct("alias in a window", "refused", "it sees no column of its own select", reads_an_alias_in_a_window),
    Construct("function that Spark lacks", "refused", "neither Spark nor we have it", calls(*LACKING)),
    Construct("window without partition", "gathered", "one task has all rows", windows_over_all),
)
"""What is looked for, in every model, after the rewrites."""


def census(models: Iterable[Model]) -> list[Finding]:
    """Return what does not go over, sorted.

    Raises:
        ExportError: a model cannot be parsed.
    """
    found = set()
    for model in models:
        tree = rewritten(model.sql, model.name)
        if calls_len(model.sql):
            found.add(Finding(model.name, LEN, "refused"))
        found |= {Finding(model.name, one.name, one.kind) for one in CONSTRUCTS if one.found(tree)}
        try:
            tree.sql(dialect="spark", unsupported_level=sqlglot.ErrorLevel.RAISE)
        except sqlglot.errors.UnsupportedError as error:
            found.add(Finding(model.name, str(error).splitlines()[0], "refused"))
    return sorted(found)


def exceptions(path: Path = RATCHET) -> dict[Finding, str]:
    """Return the findings that are known, each with its reason.

    Raises:
        ExportError: a line has no reason, or stands twice.
    """
    known: dict[Finding, str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            finding = Finding(row["model"], row["construct"], row["kind"])  # type: ignore[arg-type]
            if not row["reason"] or finding in known:
                raise ExportError(f"{path.name}: expected one line with a reason, found {finding}")
            known[finding] = row["reason"]
    return known


def differences(found: Iterable[Finding], known: Iterable[Finding]) -> list[str]:
    """Return what a list of exceptions lacks and what it has too much, in words, sorted."""
    found, known = set(found), set(known)
    new = [f"{one.model}: {one.construct} ({one.kind}) is new: write it in a portable way" for one in found - known]
    gone = [f"{one.model}: {one.construct} ({one.kind}) is no longer there: take the line out" for one in known - found]
    return sorted(new + gone)
