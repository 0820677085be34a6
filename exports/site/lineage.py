"""Which columns a column of a model is made of, read from compiled SQL.

A column has origins, each with a kind that says what part it has:

- `value`: its value goes into the column;
- `look-up`: a row of another relation is found by it, such as a row of a table of decisions by a tag;
- `condition`: it decides which value is taken: in a `case`, a filter, an order, a row that has to be there;
- `constant`: no column, a value that stands in the model.

Conditions that choose rows (`where`, `join`) are told for columns that have no other origin: of every other column they
would be the same long list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import sqlglot
from sqlglot import exp

from exports.warehouse import ExportError

Kind = Literal["value", "look-up", "condition", "constant"]
KINDS: tuple[Kind, ...] = ("value", "constant", "look-up", "condition")
"""From the closest to the loosest: what is made of a condition is a condition, whatever comes behind it."""

RANK = {kind: place for place, kind in enumerate(KINDS)}
CONSTANT = "constant"
"""In the place of a relation: the origin is a value that stands in a model."""

RECURRING = "recurring"
"""Before the name of a recursive query: all rows that it has so far, where it has a key."""

ROW_KEYS = frozenset({"gid", "sentence_number", "sentence_id", "id"})
"""Names of rows: what is joined by one of them on both sides stands beside each other, and nothing is looked up."""

Origin = tuple[str, str]
"""A relation, `schema.name`, and its column."""

Origins = dict[Origin, Kind]
"""The origins of a column, each with its closest kind."""


def looser(kind: Kind, other: Kind) -> Kind:
    """Return the looser of two kinds.

    >>> looser("value", "condition")
    'condition'
    """
    return max(kind, other, key=lambda one: RANK[one])


def add(into: Origins, origins: Mapping[Origin, Kind], kind: Kind = "value") -> None:
    """Add origins that are reached over a link of a kind; of two ways to one origin the closest stays."""
    for origin, own in origins.items():
        found = looser(kind, own)
        if origin not in into or RANK[found] < RANK[into[origin]]:
            into[origin] = found


@dataclass
class Relation:
    """What can be selected from.

    Attributes:
        columns: origins of every column, in order; fields of a list of structs stand behind it as `column[].field`.
        is_reference: it is made of seeds alone: a table of decisions.
        found_by: origins of what its rows are found by, in the query that it stands in.
    """

    columns: dict[str, Origins]
    is_reference: bool = False
    found_by: Origins = field(default_factory=dict)


def columns_of_model(sql: str, tables: Mapping[str, Relation], name: str = "a model") -> dict[str, Origins]:
    """Return the origins of every column of a model, as columns of the relations that it reads.

    Args:
        sql: the model, compiled, in the dialect of DuckDB.
        tables: relations by `schema.name`.
        name: of the model, for the message.

    Raises:
        ExportError: a relation or column is not known, or something stands in the SQL that is not read here.
    """
    return Reader(name, tables).query(parsed(sql, name), {}, None).columns


def parsed(sql: str, name: str) -> exp.Expr:
    """Return the syntax tree of a model.

    Args:
        sql: the model, compiled, in the dialect of DuckDB.
        name: of the model, for the message.

    Raises:
        ExportError: it cannot be parsed.
    """
    try:
        return sqlglot.parse_one(sql, dialect="duckdb")
    except sqlglot.errors.ParseError as error:
        raise ExportError(f"cannot read the SQL of {name}: {str(error).splitlines()[0]}") from error


@dataclass
class Scope:
    """The names that an expression of one query sees.

    Attributes:
        relations: by alias, in the order of the query.
        parent: the query around it.
        aliases: columns of the query itself that stand before the expression.
        bound: arguments of the lambdas around it.
    """

    relations: dict[str, Relation]
    parent: Scope | None = None
    aliases: dict[str, Origins] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()


class Reader:
    """Reads the queries of one model; `name` is its name, for messages."""

    def __init__(self, name: str, tables: Mapping[str, Relation]) -> None:
        self.name = name
        self.tables = tables

    def wrong(self, what: str) -> ExportError:
        """Return the message for what cannot be read."""
        return ExportError(f"lineage of {self.name}: {what}")

    def query(self, node: exp.Expr, known: Mapping[str, Relation], parent: Scope | None) -> Relation:
        """Return a query as a relation."""
        ctes = dict(known)
        with_ = node.args.get("with_")
        is_recursive = bool(with_ and with_.args.get("recursive"))
        for cte in with_.expressions if with_ else ():
            ctes[cte.alias] = self.renamed(self.cte(cte, ctes, is_recursive, parent), cte)
        if isinstance(node, exp.Subquery):
            return self.query(node.this, ctes, parent)
        if isinstance(node, exp.SetOperation):
            left, right = self.query(node.left, ctes, parent), self.query(node.right, ctes, parent)
            return self.united(left, right, bool(node.args.get("by_name")))
        if isinstance(node, exp.Select):
            return self.select(node, ctes, parent)
        raise self.wrong(f"cannot read {type(node).__name__}")

    def cte(self, cte: exp.CTE, known: Mapping[str, Relation], may_recur: bool, parent: Scope | None) -> Relation:
        """Return a named query as a relation; one that reads itself is read until nothing is new."""
        node = cte.this
        if not (may_recur and isinstance(node, exp.SetOperation) and reads(node.right, cte.alias)):
            return self.query(node, known, parent)
        found = self.renamed(self.query(node.left, known, parent), cte)
        while True:
            right = self.query(node.right, {**known, cte.alias: found}, parent)
            more = self.united(found, right, is_by_name=False)
            if more.columns == found.columns:
                return more
            found = more

    def renamed(self, relation: Relation, node: exp.Expr) -> Relation:
        """Return a relation with the names of columns that its alias gives."""
        alias = node.args.get("alias")
        names = [column.name for column in alias.columns] if isinstance(alias, exp.TableAlias) else []
        old = list(relation.columns)
        named = {
            (names[place] if place < len(names) else name): relation.columns[name] for place, name in enumerate(old)
        }
        return Relation(named, relation.is_reference)

    def united(self, left: Relation, right: Relation, is_by_name: bool) -> Relation:
        """Return what two queries give together."""
        columns = {name: dict(origins) for name, origins in left.columns.items()}
        plain_left, plain_right = plain(left.columns), plain(right.columns)
        if not is_by_name and len(plain_left) != len(plain_right):
            raise self.wrong(f"a union of {len(plain_left)} and {len(plain_right)} columns")
        partner = dict(zip(plain_right, plain_right if is_by_name else plain_left, strict=True))
        for name, origins in right.columns.items():
            base, mark, rest = name.partition("[]")
            add(columns.setdefault(partner[base] + mark + rest, {}), origins)
        return Relation(columns, left.is_reference and right.is_reference)

    def source(self, node: exp.Expr, known: Mapping[str, Relation], parent: Scope | None) -> tuple[str, Relation]:
        """Return alias and relation of something in `from` or `join`."""
        alias = str(node.alias_or_name)
        if isinstance(node, exp.Table):
            is_here = node.db in ("", RECURRING)
            found = known.get(node.name) if is_here else self.tables.get(f"{node.db}.{node.name}")
            if found is None:
                raise self.wrong(f"no relation {node.sql('duckdb')}")
            if pivots := node.args.get("pivots"):
                everything: Origins = {}
                for origins in found.columns.values():
                    add(everything, origins)
                made = {one.name for pivot in pivots for one in pivot.find_all(exp.Identifier, exp.Column)}
                return alias or pivots[0].alias, Relation({**found.columns, **dict.fromkeys(sorted(made), everything)})
            return alias, self.renamed(found, node)
        if isinstance(node, exp.Values):
            rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in node.expressions]
            columns: dict[str, Origins] = {}
            for place, values in enumerate(zip(*rows, strict=True)):
                columns[f"col{place}"] = {(CONSTANT, value.sql("duckdb")): "constant" for value in values}
            return alias, self.renamed(Relation(columns, is_reference=True), node)
        if isinstance(node, exp.Subquery):
            return alias, self.renamed(self.query(node.this, known, parent), node)
        raise self.wrong(f"cannot read {node.sql('duckdb')[:80]} in a from")

    def select(self, node: exp.Select, known: Mapping[str, Relation], parent: Scope | None) -> Relation:
        """Return a select as a relation."""
        scope = Scope({}, parent)
        joins = node.args.get("joins") or []
        sources = [node.args["from_"].this] if node.args.get("from_") else []
        for one in [*sources, *(join.this for join in joins)]:
            alias, relation = self.source(one, known, scope)
            scope.relations[alias] = Relation(relation.columns, relation.is_reference)
        self.read_lookups(node, joins, scope)
        columns: dict[str, Origins] = {}
        rows: Origins | None = None
        for projection in node.expressions:
            if projection.is_star:
                columns |= self.starred(projection, scope, known)
                continue
            name = projection.alias_or_name
            value = projection.this if isinstance(projection, exp.Alias) else projection
            origins = self.of(value, scope, known)
            if not any(relation != CONSTANT for relation, _ in origins):
                rows = self.row_conditions(node, joins, scope, known) if rows is None else rows
                add(origins, rows, "condition")
            columns[name] = origins
            columns |= self.fields(name, value, scope, known)
            scope.aliases[name] = origins
        references = [relation.is_reference for relation in scope.relations.values()]
        return Relation(columns, bool(references) and all(references))

    def read_lookups(self, node: exp.Select, joins: Iterable[exp.Join], scope: Scope) -> None:
        """Note for every relation of a query whose rows are looked up the columns by which they are found.

        Those are what is joined, and tables of decisions wherever they stand.
        """
        where = node.args.get("where")
        for join in joins:
            here = scope.relations[join.this.alias_or_name]
            for column in join.args.get("using") or ():
                others = [one for one in scope.relations.values() if column.name in one.columns and one is not here]
                if others and column.name not in ROW_KEYS:
                    add(here.found_by, others[0].columns[column.name])
            if on := join.args.get("on"):
                self.read_condition(on, here, scope)
        if where:
            self.read_condition(where.this, None, scope)

    def read_condition(self, condition: exp.Expr, joined: Relation | None, scope: Scope) -> None:
        """Note what a condition finds: rows of the relation that it joins, and of tables of decisions."""
        for part in condition.flatten() if isinstance(condition, exp.And) else [condition]:
            named = [(column, self.owner(column, scope)) for column in part.find_all(exp.Column)]
            if len({column.name for column, _ in named}) == 1 and named[0][0].name in ROW_KEYS:
                continue
            found = [owner for _, owner in named if owner and (owner is joined or owner.is_reference)]
            for table in found:
                for column, owner in named:
                    if owner and owner is not table and (owner is not joined or table.is_reference):
                        add(table.found_by, owner.columns[column.name])

    def owner(self, column: exp.Column, scope: Scope) -> Relation | None:
        """Return the relation of a query that a column is of; None for a column of a query around it."""
        if column.table:
            found = scope.relations.get(column.table)
            return found if found and column.name in found.columns else None
        return next((one for one in scope.relations.values() if column.name in one.columns), None)

    def row_conditions(
        self, node: exp.Select, joins: Iterable[exp.Join], scope: Scope, known: Mapping[str, Relation]
    ) -> Origins:
        """Return the origins of what chooses the rows of a select."""
        found: Origins = {}
        parts = [join.args.get("on") for join in joins]
        parts += [node.args.get(key) for key in ("where", "group", "having", "qualify")]
        for part in parts:
            if part is not None:
                add(found, self.of(part, scope, known), "condition")
        for join in joins:
            for column in join.args.get("using") or ():
                add(found, self.column(exp.column(column.name), scope), "condition")
        if not found:
            # It is there because a row is: the first columns of the relations stand for their rows.
            for relation in scope.relations.values():
                for origins in list(relation.columns.values())[:1]:
                    add(found, origins, "condition")
        return found

    def starred(self, node: exp.Expr, scope: Scope, known: Mapping[str, Relation]) -> dict[str, Origins]:
        """Return the columns that a star stands for."""
        star = node.find(exp.Star)
        assert star is not None
        given = node.table if isinstance(node, exp.Column) else ""
        relations = [scope.relations[given]] if given else list(scope.relations.values())
        left_out = {one.name for one in star.args.get("except_") or ()}
        columns: dict[str, Origins] = {}
        for relation in relations:
            for name, origins in relation.columns.items():
                if name.partition("[]")[0] not in left_out:
                    add(columns.setdefault(name, {}), origins)
                    add(columns[name], relation.found_by, "look-up")
        for one in star.args.get("replace") or ():
            columns[one.alias] = self.of(one.this, scope, known)
        return columns

    def fields(self, name: str, value: exp.Expr, scope: Scope, known: Mapping[str, Relation]) -> dict[str, Origins]:
        """Return the fields of a column that is a list of structs: of one made here, or of one that is passed on."""
        if isinstance(value, exp.Column):
            owner = self.owner(value, scope)
            inner = owner.columns if owner else {}
            return {
                f"{name}[]{rest}": origins
                for full, origins in inner.items()
                for base, mark, rest in [full.partition("[]")]
                if mark and base == value.name
            }
        structs = list(value.find_all(exp.Struct))
        if len(structs) != 1:
            return {}
        return {
            f"{name}[].{one.this.name}": self.of(one.expression, scope, known)
            for one in structs[0].expressions
            if isinstance(one, exp.PropertyEQ)
        }

    def column(self, node: exp.Column, scope: Scope) -> Origins:
        """Return the origins of a column that is named.

        Raises:
            ExportError: no relation that can be seen has it.
        """
        here: Scope | None = scope
        found: Origins = {}
        while here is not None:
            if node.name in here.bound or node.table in here.bound:
                return found
            owner = self.owner(node, here)
            if owner is not None:
                add(found, owner.columns[node.name])
                add(found, owner.found_by, "look-up")
                return found
            if not node.table and node.name in here.aliases:
                return dict(here.aliases[node.name])
            if not node.table and node.name in here.relations:
                for origins in here.relations[node.name].columns.values():
                    add(found, origins)
                return found
            if node.table and node.table not in here.relations and self.owner(exp.column(node.table), here):
                return self.column(exp.column(node.table), here)
            here = here.parent
        raise self.wrong(f"no column {node.sql('duckdb')}")

    def of(self, node: exp.Expr, scope: Scope, known: Mapping[str, Relation]) -> Origins:
        """Return the origins of an expression."""
        found: Origins = {}
        for part, kind, is_result in parts(node):
            if isinstance(part, exp.Query):
                inner = self.query(part, known, scope)
                if kind == "condition" and isinstance(part, exp.Select) and not part.args.get("from_"):
                    continue
                for origins in inner.columns.values():
                    add(found, origins, kind)
            elif isinstance(part, exp.Column) and not isinstance(part.this, exp.Star):
                add(found, self.column(part, scope), kind)
            elif isinstance(part, exp.Lambda):
                names = frozenset(one.name for one in part.expressions)
                add(found, self.of(part.this, Scope({}, scope, {}, names), known), kind)
            elif is_result:
                add(found, {(CONSTANT, part.sql("duckdb")): "constant"}, kind)
        return found


def parts(node: exp.Expr, kind: Kind = "value", is_result: bool = True) -> Iterator[tuple[Any, Kind, bool]]:
    """Yield the columns, queries, lambdas and literals of an expression.

    Each comes with the part that it has, and whether it may be the result itself.
    """
    if isinstance(node, exp.Column | exp.Lambda | exp.Query):
        yield node, kind, is_result
    elif isinstance(node, exp.Literal | exp.Boolean):
        if is_result:
            yield node, kind, True
    elif isinstance(node, exp.Case):
        deciding = looser(kind, "condition")
        if node.this:
            yield from parts(node.this, deciding, False)
        for branch in node.args["ifs"]:
            yield from parts(branch.this, deciding, False)
            yield from parts(branch.args["true"], kind, is_result)
        if default := node.args.get("default"):
            yield from parts(default, kind, is_result)
    elif isinstance(node, exp.PropertyEQ):
        yield from parts(node.expression, kind, is_result)
    else:
        deciding = looser(kind, "condition")
        passes = isinstance(node, PASSING)
        for key, value in node.args.items():
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, exp.Expr):
                    is_deciding = (type(node), key) in DECIDING
                    yield from parts(child, deciding if is_deciding else kind, is_result and passes and not is_deciding)


PASSING = (exp.Paren, exp.Cast, exp.TryCast, exp.Coalesce, exp.Alias, exp.Struct, exp.Filter, exp.AnyValue)
"""What gives one of its arguments back as it is."""

DECIDING = {
    (exp.Window, "partition_by"),
    (exp.Window, "order"),
    (exp.Filter, "expression"),
    (exp.ArgMin, "expression"),
    (exp.ArgMax, "expression"),
    (exp.Order, "expressions"),
    (exp.In, "query"),
    (exp.Exists, "this"),
}
"""Arguments that decide which value is taken, and give none."""


def plain(columns: Mapping[str, Origins]) -> list[str]:
    """Return the names of columns without those of fields."""
    return [name for name in columns if "[]" not in name]


def reads(node: exp.Expr, name: str) -> bool:
    """Return True when a query reads a relation of a name that has no schema."""
    return any(table.db in ("", RECURRING) and table.name == name for table in node.find_all(exp.Table))
