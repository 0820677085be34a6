"""Which table of the statement stands for a name of a request."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from exports.ask.patterns import sql
from exports.ask.patterns.layers import COLUMNS, FEATURE_COLUMNS, TOKEN_COLUMNS, is_universal


@dataclass(frozen=True)
class Node:
    """A node of a request in the statement.

    Attributes:
        name: its name in the request.
        table: alias of its own row; None for a node of which nothing is asked but that it is the head of `child`.
        child: alias of the row of the node below.
        may_be_anchor: whether the row may be that of the anchor, so that the anchors stand in the table too.
    """

    name: str
    table: str | None
    child: str = ""
    may_be_anchor: bool = False

    @property
    def is_free(self) -> bool:
        """Whether the node may be the same as another one of the request."""
        return self.name.endswith("$")

    def key(self) -> exp.Expr:
        """Return the key of the node."""
        return sql.column(self.table, "node_key") if self.table else sql.column(self.child, "head_key")

    def position(self) -> exp.Expr:
        """Return the place of the node in its sentence."""
        return sql.column(self.table, "position") if self.table else sql.column(self.child, "head")

    def sentence(self) -> exp.Expr:
        """Return the number of the sentence."""
        return sql.column(self.table or self.child, "sentence_number")

    def column(self, name: str) -> exp.Expr:
        """Return a column of the row of the node."""
        if self.table is None:
            raise ValueError(f"{self.name} has no row of its own")
        return sql.column(self.table, name)

    def feature(self, name: str) -> exp.Expr:
        """Return a feature of the node, null where it is undefined."""
        if name == "__id__":
            return self.position()
        if name in COLUMNS:
            return self.column(name)
        if name in FEATURE_COLUMNS:
            return self.column(FEATURE_COLUMNS[name])
        if name in TOKEN_COLUMNS:
            tokens = f"{self.table} tokens"
            return exp.Subquery(
                this=exp.Select()
                .select(sql.column(tokens, name))
                .from_(sql.table("tokens", tokens))
                .where(
                    sql.same(sql.column(tokens, "sentence_number"), self.sentence()),
                    sql.same(sql.column(tokens, "source_index"), self.column("source_index")),
                )
            )
        if is_universal(name):
            pattern = rf"(?:^|\|){re.escape(name)}=([^|]+)"
            value = sql.call("regexp_extract", self.column("feats"), sql.text(pattern), exp.Literal.number(1))
            return sql.call("nullif", value, sql.text(""))
        return exp.cast(exp.null(), "varchar")


@dataclass(frozen=True)
class Edge:
    """A named edge: the nodes at its ends."""

    name: str
    source: Node
    target: Node

    def label(self) -> exp.Expr:
        """Return the whole label."""
        return self.target.column("label")

    def left(self) -> exp.Expr:
        """Return the position of the end that comes first in the text."""
        return sql.least(self.source.position(), self.target.position())

    def right(self) -> exp.Expr:
        """Return the position of the end that comes last in the text."""
        return sql.greatest(self.source.position(), self.target.position())

    def delta(self) -> exp.Expr:
        """Return the distance from source to target, negative when the target comes first."""
        return exp.Sub(this=self.target.position(), expression=self.source.position())


def label_part(label: exp.Expr, part: str, separator: str) -> exp.Expr:
    """Return part 1 or 2 of a label, null where it has none."""
    if part == "1":
        return sql.call("split_part", label, sql.text(separator), exp.Literal.number(1))
    if part != "2":
        return exp.cast(exp.null(), "varchar")
    at = sql.call("strpos", label, sql.text(separator))
    rest = sql.call("substr", label, exp.Add(this=at.copy(), expression=exp.Literal.number(1)))
    return exp.Case().when(exp.GT(this=at, expression=exp.Literal.number(0)), rest)
