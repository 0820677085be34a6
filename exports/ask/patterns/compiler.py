"""A request as one statement over corpus.nodes: a table for every node of which something is asked, joined by keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations

from sqlglot import exp

from exports.ask.patterns import sql
from exports.ask.patterns.bindings import Edge, Node
from exports.ask.patterns.conditions import Scene, feature_test, label_test, sentence_test
from exports.ask.patterns.faults import RequestError
from exports.ask.patterns.keys import NONE, SEVERAL, UNDEFINED, Key, LinkKey, OrderKey
from exports.ask.patterns.layers import Layer
from exports.ask.patterns.names import SENTENCE_BASES, edges_of, may_be_anchor, nodes_of, row_needed, terms_of
from exports.ask.patterns.syntax import (
    ANCHOR_FORM,
    Block,
    Clause,
    Comparison,
    Dominance,
    EdgeClause,
    Measure,
    NodeClause,
    Order,
    Presence,
    Request,
    Term,
)

RESERVED = {"meta", "tree", "hits", "sentences", "child"}
MOST_ORDERED = 5
"""Names of the longest key `X#Y#...`: all their orders stand in the statement."""


@dataclass
class Part:
    """The statement of one block, as it grows.

    Attributes:
        tables: tables of the block.
        conditions: what their rows fulfil.
        linked: pairs of tables that conditions hold in one sentence.
    """

    tables: list[exp.Expr] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    conditions: list[exp.Expr] = field(default_factory=list)
    linked: list[tuple[str, str]] = field(default_factory=list)


class Compiler:
    """Makes the statement of one request.

    Args:
        request: a request that was checked.
        layer: the layer it speaks of.
        scope: the greatest scope of the sentences asked.
        keys: what hits are counted by.
        whether: clauses that hits are counted by.
    """

    def __init__(
        self,
        request: Request,
        layer: Layer,
        scope: int,
        keys: Sequence[Key] = (),
        whether: Sequence[Block] = (),
    ) -> None:
        self.request, self.layer, self.scope = request, layer, scope
        self.keys, self.whether = keys, whether
        self.pattern = request.united()
        blocks = [*request.filters(), *whether]
        every = [*self.pattern, *(clause for block in blocks for clause in block.clauses)]
        self.need_row = row_needed(every, keys)
        edges = {name for block in [self.pattern, *(block.clauses for block in blocks)] for name in edges_of(block)}
        self.need_row -= edges
        self.bases = {term.base for clause in every for term in terms_of(clause)}
        self.bases |= {part.base for key in keys for part in key.parts if isinstance(part, Term)}
        self.taken = set(RESERVED)
        self.part = Part()
        self.scene = self.bind(self.pattern, self.part, Scene({}, {}, layer))

    # -- names ---------------------------------------------------------------------------------------------------------

    def alias(self, name: str) -> str:
        """Return an alias for a node, its own name where that can be one."""
        short = name.lower() if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) else "n"
        found, number = short, 1
        while found in self.taken:
            number += 1
            found = f"{short}_{number}"
        self.taken.add(found)
        return found

    def bind(self, clauses: Iterable[Clause], part: Part, outer: Scene) -> Scene:
        """Give every node that clauses declare a table, or the row of the node below it."""
        clauses = list(clauses)
        nodes = dict(outer.nodes)
        new = nodes_of(clauses, tuple(outer.nodes))
        below = {
            clause.source: clause.target
            for clause in reversed(clauses)
            if isinstance(clause, EdgeClause) and clause.source != clause.target and clause.target is not None
        }
        lone = [name for name in new if name not in self.need_row and name in below]
        for name in new:
            if name not in lone:
                anchor = may_be_anchor(name, clauses)
                nodes[name] = Node(name, self.alias(name), may_be_anchor=anchor)
                part.tables.append(self.rows(nodes[name]))
                part.aliases.append(str(nodes[name].table))
                part.conditions += self.restrictions(nodes[name])
        for name in lone:
            child = nodes[str(below[name])].table
            nodes[name] = Node(name, None, child=str(child))
            if self.layer.may_be_odd:
                part.conditions.append(sql.is_defined(nodes[name].key()))
        edges = dict(outer.edges)
        for name, clause in edges_of(clauses, outer.edges).items():
            edges[name] = Edge(name, nodes[str(clause.source)], nodes[str(clause.target)])
        scene = Scene({name: nodes[name] for name in [*outer.nodes, *new]}, edges, self.layer)
        self.add_clauses(clauses, part, scene)
        self.add_differences(clauses, new, part, scene, outer)
        return scene

    def rows(self, node: Node) -> exp.Expr:
        """Return the table of a node: the nodes of the layer, with the anchors where the node may be one."""
        alias = str(node.table)
        if not node.may_be_anchor:
            return sql.table("nodes", alias)
        words = exp.Select().select("*").from_(sql.table("nodes", "words"))
        words = words.where(self.in_layer("words"), self.in_scope("words"))
        anchors = (
            exp.Select()
            .select(
                sql.column("tree", "layer"),
                sql.column("tree", "scope"),
                sql.column("tree", "sentence_number"),
                exp.alias_(exp.Literal.number(0), "position"),
                exp.alias_(sql.column("tree", "anchor_key"), "node_key"),
                exp.alias_(sql.text(ANCHOR_FORM), "form"),
                exp.alias_(exp.Literal.number(0), "subtree_first"),
                exp.alias_(sql.column("tree", "node_count"), "subtree_last"),
                exp.alias_(sql.column("tree", "unanchored"), "subtree_gaps"),
            )
            .from_(sql.table("trees", "tree"))
            .where(self.in_layer("tree"), self.in_scope("tree"))
        )
        union = exp.Union(this=words, expression=anchors, distinct=False, by_name=True)
        return exp.Subquery(this=union, alias=exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))

    def in_layer(self, alias: str) -> exp.Expr:
        """Return that a row belongs to the layer."""
        return sql.same(sql.column(alias, "layer"), sql.text(self.layer.name))

    def in_scope(self, alias: str) -> exp.Expr:
        """Return that a row belongs to the sentences asked."""
        return sql.at_most(sql.column(alias, "scope"), exp.Literal.number(self.scope))

    def restrictions(self, node: Node) -> list[exp.Expr]:
        """Return layer and scope of the table of a node, early, so that other rows are not read."""
        return [] if node.may_be_anchor else [self.in_layer(str(node.table)), self.in_scope(str(node.table))]

    # -- clauses -------------------------------------------------------------------------------------------------------

    def add_clauses(self, clauses: Iterable[Clause], part: Part, scene: Scene) -> None:
        """Add the conditions of clauses to a part."""
        for clause in clauses:
            if isinstance(clause, NodeClause):
                if all(clause.alternatives):
                    node = scene.nodes[clause.name]
                    part.conditions.append(self.brackets(node, clause))
            elif isinstance(clause, EdgeClause):
                part.conditions += self.edge(clause, scene, part)
            elif isinstance(clause, Dominance):
                part.conditions.append(scene.dominance(clause))
                self.link(part, scene, clause.above, clause.below)
            elif isinstance(clause, Order):
                part.conditions.append(scene.order(clause))
                ends = [scene.edges[n].target.name if n in scene.edges else n for n in (clause.left, clause.right)]
                self.link(part, scene, *ends)
            elif isinstance(clause, Comparison):
                part.conditions.append(scene.comparison(clause))
            elif isinstance(clause, Presence):
                part.conditions.append(scene.presence(clause))

    def link(self, part: Part, scene: Scene, left: str, right: str) -> None:
        """Note that two nodes are held in one sentence by a condition."""
        first, second = scene.nodes[left], scene.nodes[right]
        part.linked.append((first.table or first.child, second.table or second.child))

    @staticmethod
    def brackets(node: Node, clause: NodeClause) -> exp.Expr:
        """Return `[...]|[...]` of a node."""
        return sql.either(
            sql.both(
                feature_test(node.feature(test.name), node.feature(test.other) if test.other else None, test)
                for test in tests
            )
            for tests in clause.alternatives
        )

    def edge(self, clause: EdgeClause, scene: Scene, part: Part) -> list[exp.Expr]:
        """Return the conditions of an edge."""
        if clause.target is None:
            return [self.has_child(scene.nodes[str(clause.source)], clause)]
        target = scene.nodes[clause.target]
        label = label_test(target.column("label"), clause.label, self.layer)
        found = [label] if label is not None else []
        if clause.source is None:
            return [sql.is_defined(target.column("head_key")), *found]
        source = scene.nodes[clause.source]
        if source.table is None and source.child == target.table:
            return found
        self.link(part, scene, clause.source, clause.target)
        return [sql.same(target.column("head_key"), source.key()), *found]

    def has_child(self, node: Node, clause: EdgeClause) -> exp.Expr:
        """Return that some edge goes out of a node."""
        alias = self.alias("child")
        label = label_test(sql.column(alias, "label"), clause.label, self.layer)
        select = exp.Select().select("1").from_(sql.table("nodes", alias))
        select = select.where(
            self.in_layer(alias),
            self.in_scope(alias),
            sql.same(sql.column(alias, "head_key"), node.key()),
            *([label] if label is not None else []),
        )
        return exp.Exists(this=select)

    def add_differences(
        self, clauses: Iterable[Clause], new: Iterable[str], part: Part, scene: Scene, outer: Scene
    ) -> None:
        """Add that different names are different nodes, where the clauses do not say so already."""
        apart: set[frozenset[str | None]] = set()
        for clause in clauses:
            if isinstance(clause, EdgeClause) and not self.layer.may_be_odd:
                apart.add(frozenset((clause.source, clause.target)))
            if isinstance(clause, Order):
                apart.add(frozenset((clause.left, clause.right)))
        fresh = list(new)
        pairs = [*((old, name) for old in outer.nodes for name in fresh), *combinations(fresh, 2)]
        for left, right in pairs:
            first, second = scene.nodes[left], scene.nodes[right]
            if first.is_free or second.is_free or frozenset((left, right)) in apart:
                continue
            part.conditions.append(sql.different(first.key(), second.key()))

    # -- blocks --------------------------------------------------------------------------------------------------------

    def connect(self, part: Part, anchored: str) -> None:
        """Hold all tables of a part in the sentence of one of them, or of a table outside.

        Args:
            part: the part.
            anchored: alias of the table whose sentence it is.
        """
        above: dict[str, str] = {}

        def top(name: str) -> str:
            while above.get(name, name) != name:
                name = above[name]
            return name

        outside = set(self.part.aliases) - set(part.aliases)
        for alias in outside:
            above[top(alias)] = top(anchored)
        for left, right in part.linked:
            above[top(left)] = top(right)
        for alias in part.aliases:
            if top(alias) != top(anchored):
                part.conditions.append(
                    sql.same(sql.column(alias, "sentence_number"), sql.column(anchored, "sentence_number"))
                )
                above[top(alias)] = top(anchored)

    def block(self, block: Block) -> exp.Expr:
        """Return whether a hit can be extended by a block, never undefined."""
        part = Part()
        self.bind(block.clauses, part, self.scene)
        if not part.tables and len(part.conditions) == 1 and isinstance(part.conditions[0], exp.Exists):
            return part.conditions[0]
        if not part.tables:
            return sql.certain(exp.paren(sql.both(part.conditions)))
        # What is asked of the hit alone is asked of the hit: inside, it would keep an engine from joining by sentence.
        own = [condition for condition in part.conditions if not tables_of(condition) & set(part.aliases)]
        part.conditions = [condition for condition in part.conditions if tables_of(condition) & set(part.aliases)]
        self.connect(part, self.home)
        extended = exp.Exists(this=select_from(part).select("1"))
        return exp.paren(sql.both([sql.certain(exp.paren(sql.both(own))), extended])) if own else extended

    @property
    def home(self) -> str:
        """Alias of a table whose sentence is that of the hit."""
        return self.part.aliases[0] if self.part.aliases else "tree"

    def hits(self) -> exp.Select:
        """Return the statement of the hits: sentence, position of every node, label of every named edge, keys."""
        own = self.part
        part = Part([*own.tables], [*own.aliases], [*own.conditions], [*own.linked])
        tests = self.request.sentence_tests()
        asks_tree = (
            not part.aliases or any(test.test.name.startswith("is_") for test in tests) or "global" in self.bases
        )
        if asks_tree:
            part.tables.append(sql.table("trees", "tree"))
            part.aliases.append("tree")
            part.conditions += [self.in_layer("tree"), self.in_scope("tree")]
        if any(not test.test.name.startswith("is_") for test in tests) or "meta" in self.bases:
            part.tables.append(sql.table("sentences", "meta"))
            part.aliases.append("meta")
        part.conditions += [sentence_test(test) for test in tests]
        home = self.home
        self.connect(part, home)
        for block in self.request.filters():
            can = self.block(block)
            part.conditions.append(can if block.kind == "with" else exp.Not(this=can))
        select = select_from(part).select(exp.alias_(sql.column(home, "sentence_number"), "sentence_number"))
        names = self.columns()
        for node in self.scene.nodes.values():
            select = select.select(sql.named(node.position(), names[node.name]), copy=False)
        for edge in self.scene.edges.values():
            select = select.select(sql.named(edge.label(), names[edge.name]), copy=False)
        for name, value in zip(self.key_columns(), self.key_values(), strict=True):
            select = select.select(sql.named(value, name), copy=False)
        return select

    def columns(self) -> dict[str, str]:
        """Return the column of every node and named edge: its name, unless another one differs in case only."""
        taken = {"sentence_number", "sentence_id", "citation", "author", "project"}
        found: dict[str, str] = {}
        for name in [*self.scene.nodes, *self.scene.edges]:
            column, number = name, 1
            while column.lower() in taken:
                number += 1
                column = f"{name}_{number}"
            taken.add(column.lower())
            found[name] = column
        return found

    # -- keys ----------------------------------------------------------------------------------------------------------

    def key_columns(self) -> list[str]:
        """Return the columns of the keys, then of whether."""
        if not self.keys and not self.whether:
            return []
        plain = [
            key.text if len(key.parts) == 1 else f"{key.text}.{number}"
            for key in self.keys
            for number in range(1, len(key.parts) + 1)
        ]
        plain += ["whether" if len(self.whether) == 1 else f"whether_{n}" for n in range(1, len(self.whether) + 1)]
        return [f"key {number}: {name}" for number, name in enumerate(plain, start=1)]

    def key_values(self) -> list[exp.Expr]:
        """Return the value of every key as text."""
        values = [self.key_value(part) for key in self.keys for part in key.parts]
        for block in self.whether:
            values.append(exp.Case().when(self.block(block), sql.text("Yes")).else_(sql.text("No")))
        return values

    def key_value(self, part: Term | Measure | OrderKey | LinkKey) -> exp.Expr:
        """Return the value of one key as text."""
        if isinstance(part, OrderKey):
            return self.order_key(part)
        if isinstance(part, LinkKey):
            return self.link_key(part)
        value = self.scene.measure(part) if isinstance(part, Measure) else self.scene.term(part)
        return exp.Coalesce(this=exp.cast(value, "varchar"), expressions=[sql.text(UNDEFINED)])

    def order_key(self, key: OrderKey) -> exp.Expr:
        """Return the names of a key in the order of their words."""
        if len(key.names) > MOST_ORDERED:
            raise RequestError(f"key '{'#'.join(key.names)}': at most {MOST_ORDERED} nodes can be ordered")
        orders = list(permutations(key.names))
        case = exp.Case()
        for order in orders[:-1]:
            steps = pairwise(order)
            condition = sql.both(
                sql.at_most(self.scene.nodes[left].position(), self.scene.nodes[right].position())
                for left, right in steps
            )
            case = case.when(condition, sql.text(" << ".join(order)))
        return case.else_(sql.text(" << ".join(orders[-1])))

    def link_key(self, key: LinkKey) -> exp.Expr:
        """Return the label between two nodes."""
        left, right = self.scene.nodes[key.left], self.scene.nodes[key.right]
        down = sql.same(right.column("head_key"), left.key())
        up = sql.same(left.column("head_key"), right.key())
        label = exp.Coalesce(this=right.column("label"), expressions=[sql.text("_")])
        if not key.is_symmetric:
            return exp.Case().when(down, label).else_(sql.text(NONE))
        back = exp.DPipe(
            this=sql.text("-"), expression=exp.Coalesce(this=left.column("label"), expressions=[sql.text("_")])
        )
        return (
            exp.Case()
            .when(sql.both([down, up]), sql.text(SEVERAL))
            .when(down.copy(), label)
            .when(up.copy(), back)
            .else_(sql.text(NONE))
        )


def tables_of(condition: exp.Expr) -> set[str]:
    """Return the aliases of the tables that a condition reads."""
    return {column.table for column in condition.find_all(exp.Column)}


def select_from(part: Part) -> exp.Select:
    """Return the selection of the rows of a part."""
    select = exp.Select().from_(part.tables[0])
    for table in part.tables[1:]:
        select = select.join(table, join_type="cross", copy=False)
    return select.where(*part.conditions, copy=False) if part.conditions else select


def hit_statement(compiler: Compiler, limit: int | None = None) -> exp.Select:
    """Return the whole statement: hits in their order, with id, author, project and citation of the sentence."""
    names = compiler.columns()
    hits = compiler.hits()
    columns = [names[name] for name in [*compiler.scene.nodes, *compiler.scene.edges]]
    positions = [sql.column("hits", names[name]) for name in compiler.scene.nodes]
    for position in positions:
        position.this.set("quoted", True)
    values = [exp.column(exp.to_identifier(name, quoted=True), table="hits") for name in columns]
    select = (
        exp.Select()
        .select(
            sql.column("sentences", "sentence_id"),
            sql.column("sentences", "author"),
            sql.column("sentences", "project"),
            *values,
            sql.column("sentences", "citation"),
            sql.column("hits", "sentence_number"),
        )
        .from_(exp.Subquery(this=hits, alias=exp.TableAlias(this=exp.to_identifier("hits"))))
        .join(
            sql.table("sentences", "sentences"),
            on=sql.same(sql.column("hits", "sentence_number"), sql.column("sentences", "sentence_number")),
        )
        .order_by(sql.column("hits", "sentence_number"), *positions)
    )
    return select.limit(limit) if limit is not None else select


def count_statement(compiler: Compiler, projects: Sequence[str]) -> exp.Select:
    """Return the statement of the counts by key, with a column per project; without keys one row of totals."""
    hits = compiler.hits()
    keys = compiler.key_columns()
    values = [exp.column(exp.to_identifier(name, quoted=True), table="hits") for name in keys]
    counts: list[exp.Expr] = [exp.alias_(exp.Count(this=exp.Star()), "hits")]
    sentences = exp.Count(this=exp.Distinct(expressions=[sql.column("hits", "sentence_number")]))
    counts.append(exp.alias_(sentences, "sentences"))
    for project in projects:
        condition = sql.same(sql.column("sentences", "project"), sql.text(project))
        counts.append(
            sql.named(exp.Filter(this=exp.Count(this=exp.Star()), expression=exp.Where(this=condition)), project)
        )
    select = (
        exp.Select()
        .select(*values, *counts)
        .from_(exp.Subquery(this=hits, alias=exp.TableAlias(this=exp.to_identifier("hits"))))
        .join(
            sql.table("sentences", "sentences"),
            on=sql.same(sql.column("hits", "sentence_number"), sql.column("sentences", "sentence_number")),
        )
    )
    if values:
        by_count = exp.Ordered(this=exp.Count(this=exp.Star()), desc=True, nulls_first=False)
        select = select.group_by(*values).order_by(by_count, *values)
    return select


__all__ = ["SENTENCE_BASES", "Compiler", "count_statement", "hit_statement"]
