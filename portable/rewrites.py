"""What sqlglot alone gets wrong on the way from DuckDB to Spark, put right: each rewrite with its reason.

A rewrite changes the syntax tree of a model so that what sqlglot writes of it means in Spark what the model means in
DuckDB. What no rewrite can express is found by the census.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from exports.site.lineage import parsed
from exports.warehouse import ExportError


@dataclass(frozen=True)
class Rewrite:
    """One rewrite: its name, why it is needed, and what it does to a syntax tree in place."""

    name: str
    reason: str
    apply: Callable[[exp.Expr], None]


REWRITES: list[Rewrite] = []
"""All rewrites, in the order in which they are applied."""


def rewrite(reason: str) -> Callable[[Callable[[exp.Expr], None]], Callable[[exp.Expr], None]]:
    """Register a function as a rewrite.

    Args:
        reason: what happens without it.
    """

    def register(apply: Callable[[exp.Expr], None]) -> Callable[[exp.Expr], None]:
        REWRITES.append(Rewrite(apply.__name__, reason, apply))
        return apply

    return register


def to_spark(sql: str, name: str) -> str:
    """Return a model in the SQL of Spark, where a relation `schema.name` is a view `schema__name`.

    Args:
        sql: the model, compiled, in the dialect of DuckDB.
        name: of the model, for messages.

    Raises:
        ExportError: it cannot be parsed.
    """
    tree = rewritten(sql, name)
    for table in tree.find_all(exp.Table):
        if table.db:
            table.set("this", exp.to_identifier(view_name(f"{table.db}.{table.name}")))
            table.set("db", None)
            table.set("catalog", None)
    return tree.sql(dialect="spark")


def view_name(relation: str) -> str:
    """Return the name of the view that stands for a relation.

    >>> view_name("intermediate.int_text__tokens")
    'intermediate__int_text__tokens'
    """
    return relation.replace(".", "__")


def rewritten(sql: str, name: str) -> exp.Expr:
    """Return the syntax tree of a model after all rewrites.

    Raises:
        ExportError: it cannot be parsed.
    """
    # One level above, so that a rewrite may replace any node.
    holder = exp.Paren(this=parsed(sql, name))
    for one in REWRITES:
        one.apply(holder)
    found = holder.this
    if not isinstance(found, exp.Query):
        raise ExportError(f"expected a query in {name}, found {type(found).__name__}")
    return found.pop()


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """Return a call of a function of Spark, written as it is."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def number(value: int) -> exp.Expr:
    """Return a whole number."""
    return exp.Literal.number(value)


def field(value: exp.Expr, name: str) -> exp.PropertyEQ:
    """Return a field of a struct."""
    return exp.PropertyEQ(this=exp.to_identifier(name), expression=value)


def lambda_of(name: str, body: exp.Expr) -> exp.Lambda:
    """Return a function of one argument."""
    return exp.Lambda(this=body, expressions=[exp.to_identifier(name)])


def place_of(value: exp.Expr) -> exp.Expr:
    """Return the place of an index, from 0: sqlglot has taken 1 from whole numbers and from nothing else."""
    if isinstance(value, exp.Literal):
        return value.copy()
    return exp.Sub(this=exp.paren(value.copy()), expression=number(1))


def sort_keys(order: exp.Order) -> list[exp.Expr]:
    """Return values that sort as an order says, nulls last, compared from the first on.

    A descending key is a number: Spark says so where it is none.
    """
    found: list[exp.Expr] = []
    for key in order.expressions:
        value = key.this if isinstance(key, exp.Ordered) else key
        found.append(exp.Is(this=exp.paren(value.copy()), expression=exp.Null()))
        if isinstance(key, exp.Ordered) and key.args.get("desc"):
            found.append(exp.Neg(this=exp.paren(value.copy())))
        else:
            found.append(value.copy())
    return found


@rewrite("A query may be named like one around it; sqlglot lifts all to one level, where the name is there twice.")
def names_of_queries(tree: exp.Expr) -> None:
    """Give a query inside of another one a name of its own."""
    taken = {cte.alias for cte in tree.find_all(exp.CTE)}
    for cte in list(tree.find_all(exp.CTE)):
        holder = cte.find_ancestor(exp.Query)
        if holder is None or holder.find_ancestor(exp.CTE) is None:
            continue
        old, new = cte.alias, next(name for place in range(1000) if (name := f"{cte.alias}_{place}") not in taken)
        taken.add(new)
        queries = holder.args["with_"].expressions
        # The query itself still reads the one around it, unless it recurs; what stands behind it reads the new one.
        for reader in [*queries[queries.index(cte) + 1 :], *own_parts(holder)]:
            for table in reader.find_all(exp.Table):
                if not table.db and table.name == old:
                    alias = table.alias or old
                    table.set("this", exp.to_identifier(new))
                    table.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
        cte.args["alias"].set("this", exp.to_identifier(new))


def own_parts(query: exp.Expr) -> list[exp.Expr]:
    """Return the parts of a query without the queries that it names."""
    found: list[exp.Expr] = []
    for key, value in query.args.items():
        if key != "with_":
            found += [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, exp.Expr)]
    return found


@rewrite("`materialized` is advice that Spark's grammar does not have.")
def advice(tree: exp.Expr) -> None:
    """Leave advice to the planner out."""
    for cte in tree.find_all(exp.CTE):
        cte.set("materialized", None)


@rewrite("A group is `\\1` in the replacement of DuckDB and `$1` in that of Java, where `\\1` is the digit.")
def groups(tree: exp.Expr) -> None:
    """Write groups of a replacement as Java does."""
    for node in tree.find_all(exp.RegexpReplace):
        text = node.args.get("replacement")
        if isinstance(text, exp.Literal):
            held = re.sub(r"\\(?=\d)|\$", lambda found: "$" if found[0] == "\\" else "\\$", text.this)
            node.set("replacement", exp.Literal.string(held))


@rewrite("`first(x order by y)` is refused; `min_by` takes the same row when nulls come last in its key.")
def first_in_order(tree: exp.Expr) -> None:
    """Take the first of an order by its least key."""
    for node in list(tree.find_all(exp.First)):
        if isinstance(node.this, exp.Order):
            keys = sort_keys(node.this)
            struct = exp.Struct(expressions=[field(key, f"key_{place}") for place, key in enumerate(keys)])
            node.replace(call("min_by", node.this.this.copy(), struct))


@rewrite("`arg_min` and `arg_max` pass over rows whose value is null, `min_by` and `max_by` return the null.")
def argument_that_is_there(tree: exp.Expr) -> None:
    """Give rows without a value no key."""
    for node in list(tree.find_all(exp.ArgMin, exp.ArgMax)):
        key = node.expression
        if key == node.this:
            continue
        there = exp.Not(this=exp.Is(this=exp.paren(node.this.copy()), expression=exp.Null()))
        node.set("expression", exp.Case(ifs=[exp.If(this=there, true=key.copy())]))


@rewrite("`any_value` passes over nulls in DuckDB, in Spark only when it is told.")
def any_value_that_is_there(tree: exp.Expr) -> None:
    """Tell `any_value` to pass over nulls."""
    for node in list(tree.find_all(exp.IgnoreNulls)):
        if isinstance(node.this, exp.AnyValue):
            node.replace(call("any_value", node.this.this.copy(), exp.true()))


@rewrite("`collect_list` has no order and drops nulls; of no row it is empty, where `list` is null.")
def lists(tree: exp.Expr) -> None:
    """Collect structs of the keys of the order and the value, sort them, and keep the values."""
    for node in list(tree.find_all(exp.ArrayAgg)):
        value, order, is_distinct = node.this, None, False
        if isinstance(value, exp.Order):
            order, value = value, value.this
        if isinstance(value, exp.Distinct):
            value, is_distinct = value.expressions[0], True
        keys = sort_keys(order) if order else []
        fields = [field(key, f"key_{place}") for place, key in enumerate(keys)]
        struct: exp.Expr = exp.Struct(expressions=[*fields, field(value.copy(), "value")])
        if is_distinct:
            struct = exp.Distinct(expressions=[struct])
        collected: exp.Expr = call("collect_list", struct)
        outer: exp.Expr = node
        can_be_none = not grouped(node)
        for kind in (exp.Filter, exp.Window):
            parent = outer.parent
            if parent is not None and isinstance(parent, kind) and parent.this is outer:
                around = parent.copy()
                around.set("this", collected)
                outer, collected = parent, around
                can_be_none = can_be_none or kind is exp.Filter
        if order:
            collected = call("array_sort", collected)
        values: exp.Expr = call("transform", collected, lambda_of("one", exp.column("value", "one")))
        outer.replace(exp.Nullif(this=values, expression=exp.Array(expressions=[])) if can_be_none else values)


def grouped(node: exp.Expr) -> bool:
    """Return True when an aggregate stands in a query with groups, so that it sees a row at least, or in a window."""
    select = node.find_ancestor(exp.Select)
    return bool(select and select.args.get("group")) or isinstance(node.parent, exp.Window)


def unnested(select: exp.Select) -> list[exp.Expr]:
    """Return what a select unnests among its columns, lists and their places, without the queries inside of it."""
    return [
        node
        for projection in select.expressions
        for node in projection.find_all(exp.Explode, exp.Anonymous)
        if node.find_ancestor(exp.Select) is select
        and (isinstance(node, exp.Explode) or node.name.lower() == "generate_subscripts")
    ]


@rewrite("An unnest beside another multiplies in Spark, or is refused, as is one inside of an expression.")
def unnests(tree: exp.Expr) -> None:
    """Make of the lists that a select unnests one generator of places, and take its elements by place."""
    for select in list(tree.find_all(exp.Select)):
        own = unnested(select)
        if not own:
            continue
        listed = {one.this.sql() if isinstance(one, exp.Explode) else one.expressions[0].sql(): one for one in own}
        arrays = [one.this if isinstance(one, exp.Explode) else one.expressions[0] for one in listed.values()]
        sizes = [exp.Coalesce(this=call("size", one.copy()), expressions=[number(0)]) for one in arrays]
        longest = sizes[0] if len(sizes) == 1 else call("greatest", *sizes)
        counted = exp.Lateral(
            this=exp.Explode(
                this=exp.If(
                    this=exp.LT(this=longest.copy(), expression=number(1)),
                    true=call("array"),
                    false=call("sequence", number(1), longest),
                )
            ),
            view=True,
            outer=False,
            alias=exp.TableAlias(this=exp.to_identifier("places"), columns=[exp.to_identifier("unnested_place")]),
        )
        for one in own:
            place = exp.column("unnested_place", "places")
            if isinstance(one, exp.Explode):
                element = call("get", one.this.copy(), exp.Sub(this=place, expression=number(1)))
                if isinstance(one.parent, exp.Select):
                    one.replace(exp.alias_(element, "unnest"))
                else:
                    one.replace(element)
            else:
                one.replace(place)
        select.append("laterals", counted)


@rewrite("An index beyond a list is an error in Spark, and its places begin at 0; sqlglot moves only whole numbers.")
def elements(tree: exp.Expr) -> None:
    """Take the element of a list by `get`, from 0; of lists in lists from the innermost on."""
    for node in reversed(list(tree.find_all(exp.Bracket))):
        if len(node.expressions) == 1 and not isinstance(node.expressions[0], exp.Slice):
            node.replace(call("get", node.this.copy(), place_of(node.expressions[0])))


@rewrite("`list_slice` is not known; `slice` takes a length.")
def slices(tree: exp.Expr) -> None:
    """Cut a list by start and length."""
    for node in named(tree, "list_slice"):
        values, start, end = node.expressions
        behind = exp.Sub(this=exp.paren(end.copy()), expression=exp.paren(start.copy()))
        length = exp.Add(this=behind, expression=number(1))
        node.replace(call("slice", values.copy(), start.copy(), call("greatest", length, number(0))))


@rewrite("Split at nothing: what sqlglot writes leaves an empty sign at the end; of no text DuckDB makes no sign.")
def signs(tree: exp.Expr) -> None:
    """Split a text into its code points."""
    for node in list(tree.find_all(exp.Split)):
        if isinstance(node.expression, exp.Literal) and node.expression.this == "":
            text = node.this
            none = exp.cast(call("array"), "array<string>", dialect="spark")
            empty = exp.EQ(this=exp.paren(text.copy()), expression=exp.Literal.string(""))
            node.replace(exp.If(this=empty, true=none, false=call("split", text.copy(), exp.Literal.string(""))))


@rewrite("`lower` makes a last sigma ς in Spark, and σ in DuckDB.")
def lower_sigma(tree: exp.Expr) -> None:
    """Make capital sigmas small before the rest."""
    for node in list(tree.find_all(exp.Lower)):
        capital, small = exp.Literal.string("Σ"), exp.Literal.string("σ")
        node.set("this", exp.Replace(this=node.this.copy(), expression=capital, replacement=small))


@rewrite("Functions with another name.")
def names(tree: exp.Expr) -> None:
    """Call functions by the names that they have in Spark."""
    for node in list(tree.find_all(exp.Anonymous)):
        name, arguments = node.name.lower(), node.expressions
        if name == "suffix":
            node.replace(call("endswith", *(one.copy() for one in arguments)))
        elif name == "error":
            node.replace(call("raise_error", *(one.copy() for one in arguments)))
        elif name == "list_position":
            place = call("array_position", *(one.copy() for one in arguments))
            node.replace(exp.Nullif(this=place, expression=number(0)))
        elif name == "list_has_all":
            missing = call("array_except", arguments[1].copy(), arguments[0].copy())
            node.replace(exp.EQ(this=call("size", missing), expression=number(0)))
    for overlap in list(tree.find_all(exp.ArrayOverlaps)):
        overlap.replace(call("arrays_overlap", overlap.this.copy(), overlap.expression.copy()))


@rewrite("`regexp_full_match` is not known.")
def full_matches(tree: exp.Expr) -> None:
    """Match with both ends held."""
    for node in list(tree.find_all(exp.RegexpFullMatch)):
        held = call("concat", exp.Literal.string("^(?:"), node.expression.copy(), exp.Literal.string(")\\z"))
        node.replace(call("regexp_like", node.this.copy(), held))


def named(tree: exp.Expr, *names: str) -> list[exp.Anonymous]:
    """Return the calls of functions that sqlglot does not know, by their names."""
    return [node for node in tree.find_all(exp.Anonymous) if node.name.lower() in names]
