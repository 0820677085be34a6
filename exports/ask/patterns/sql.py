"""Short names for the parts of a statement. What a user wrote is a literal or a quoted identifier, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp


def column(table: str, name: str) -> exp.Column:
    """Return `table.name`."""
    return exp.Column(this=exp.to_identifier(name), table=exp.to_identifier(table, quoted=True))


def text(value: str) -> exp.Literal:
    """Return a literal text."""
    return exp.Literal.string(value)


def number(value: float) -> exp.Expr:
    """Return a literal number."""
    whole = int(value) if float(value).is_integer() else value
    return exp.Literal.number(abs(whole)) if whole >= 0 else exp.Neg(this=exp.Literal.number(abs(whole)))


def call(name: str, *arguments: exp.Expr) -> exp.Expr:
    """Return a call of a function of the engine, by exactly this name."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def both(conditions: Iterable[exp.Expr]) -> exp.Expr:
    """Return the conjunction; true for none."""
    found = list(conditions)
    return exp.and_(*found) if found else exp.true()


def either(conditions: Iterable[exp.Expr]) -> exp.Expr:
    """Return the disjunction; false for none."""
    found = list(conditions)
    return exp.or_(*found) if found else exp.false()


def one_of(value: exp.Expr, values: Sequence[str], is_negated: bool = False) -> exp.Expr:
    """Return that a text is one of some texts, or none of them."""
    if len(values) == 1:
        kind = exp.NEQ if is_negated else exp.EQ
        return kind(this=value, expression=text(values[0]))
    found = exp.In(this=value, expressions=[text(item) for item in values])
    return exp.Not(this=found) if is_negated else found


def is_null(value: exp.Expr) -> exp.Expr:
    """Return that a value is undefined."""
    return exp.Is(this=value, expression=exp.null())


def is_defined(value: exp.Expr) -> exp.Expr:
    """Return that a value is defined."""
    return exp.Not(this=is_null(value))


def certain(condition: exp.Expr) -> exp.Expr:
    """Return a condition that is false where it would be undefined."""
    return exp.Coalesce(this=condition, expressions=[exp.false()])


def same(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return that two values are equal."""
    return exp.EQ(this=left, expression=right)


def different(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return that two values differ."""
    return exp.NEQ(this=left, expression=right)


def less(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return that one value is less than another."""
    return exp.LT(this=left, expression=right)


def at_most(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return that one value is less than another, or equal."""
    return exp.LTE(this=left, expression=right)


def least(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return the smaller of two values."""
    return call("least", left, right)


def greatest(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return the greater of two values."""
    return call("greatest", left, right)


def table(name: str, alias: str) -> exp.Table:
    """Return a table of the layer corpus under an alias."""
    return exp.Table(
        this=exp.to_identifier(name),
        db=exp.to_identifier("corpus"),
        alias=exp.TableAlias(this=exp.to_identifier(alias, quoted=True)),
    )


def named(value: exp.Expr, name: str) -> exp.Alias:
    """Return a value under a name that a user may have chosen."""
    return exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True))
