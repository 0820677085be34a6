"""Runs a request and gathers what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from exports.ask.patterns.checks import Remark, check
from exports.ask.patterns.compiler import Compiler, count_statement, hit_statement
from exports.ask.patterns.faults import Place, RequestError
from exports.ask.patterns.keys import Key, read_key
from exports.ask.patterns.layers import layer_named, scope_named
from exports.ask.patterns.occurrence import remarks
from exports.ask.patterns.reader import read_clauses, read_request
from exports.ask.patterns.syntax import Block, FeatureTest, Request, SentenceTest
from exports.ask.reading import SECONDS, time_limit
from exports.warehouse import ExportError

if TYPE_CHECKING:
    import duckdb
    from sqlglot import exp

MOST_LISTED = 1_000_000
"""Hits, or rows of a count, that one answer holds: they take 1.4 GB, which the engine does not watch over."""

PROJECTS = "select project from corpus.projects order by project"
SENTENCES = """
    select count(*)
    from corpus.trees as trees
    inner join corpus.sentences as sentences on trees.sentence_number = sentences.sentence_number
    where trees.layer = $layer and trees.scope <= $scope and ($author is null or sentences.author = $author)
"""


@dataclass(frozen=True)
class Question:
    """A request with where and how it is asked.

    Attributes:
        text: the request.
        layer: ud, published, machine or native.
        scope: distinct, published or all.
        keys: what hits are counted by, as written.
        whether: clauses `{...}` that hits are counted by, as written.
        author: sentences of this author alone; None for all.
    """

    text: str
    layer: str = "ud"
    scope: str = "distinct"
    keys: tuple[str, ...] = ()
    whether: tuple[str, ...] = ()
    author: str | None = None

    def parts(self) -> tuple[Request, list[Key], list[Block]]:
        """Return the request, keys and clauses read.

        Raises:
            RequestError: one of them is none.
        """
        request = read_request(self.text)
        if self.author is not None:
            request = replace(request, blocks=(*request.blocks, only_by(self.author)))
        try:
            return request, [read_key(key) for key in self.keys], [read_clauses(clauses) for clauses in self.whether]
        except RequestError as error:
            raise RequestError(str(error) if str(error).startswith("key ") else f"--whether: {error}") from error

    def compiler(self) -> tuple[Compiler, list[Remark]]:
        """Return what makes the statements, and the remarks that need no warehouse.

        Raises:
            RequestError: the request cannot be run.
        """
        request, keys, whether = self.parts()
        found = check(request, whether, keys)
        return Compiler(request, layer_named(self.layer), scope_named(self.scope), keys, whether), found

    def sql(self, limit: int | None = None, projects: Sequence[str] = (), is_counted: bool = False) -> str:
        """Return the one statement of the question, for any DuckDB client.

        Args:
            limit: most hits.
            projects: projects that the counts have a column for.
            is_counted: the counts, not the hits.

        Raises:
            RequestError: the request cannot be run.
        """
        compiler, _ = self.compiler()
        if is_counted or self.keys or self.whether:
            return written(count_statement(compiler, projects))
        return written(hit_statement(compiler, limit))


@dataclass(frozen=True)
class Hit:
    """One hit.

    Attributes:
        sentence_id: the sentence.
        nodes: position of every node of the pattern.
        edges: label of every named edge; None where the source has none.
        citation: author, work and passage.
        author: author of the sentence.
        project: project of the sentence.
        sentence_number: key of the sentence.
    """

    sentence_id: str
    nodes: dict[str, int]
    edges: dict[str, str | None]
    citation: str
    author: str | None
    project: str
    sentence_number: int


@dataclass(frozen=True)
class Answer:
    """What came of a question.

    Attributes:
        question: the question.
        hits: the hits, in the order of the corpus; empty when they are counted by key.
        total: number of all hits, also of those beyond a limit.
        sentences: number of sentences with a hit.
        asked: number of sentences that the scope has in this layer.
        by_project: hits by project.
        columns: names of the columns of `rows`.
        rows: counts by key.
        remarks: what is likely not meant.
    """

    question: Question
    hits: list[Hit]
    total: int
    sentences: int
    asked: int
    by_project: dict[str, int]
    columns: list[str] = field(default_factory=list)
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def summary(self) -> str:
        """Return hits, sentences, scope and layer in one line."""
        projects = ", ".join(f"{name} {count:,}" for name, count in self.by_project.items() if count)
        author = f", author {self.question.author}" if self.question.author else ""
        return (
            f"{self.total:,} hits in {self.sentences:,} of {self.asked:,} sentences "
            f"(scope {self.question.scope}, layer {self.question.layer}{author}): {projects}"
        )


def only_by(author: str) -> Block:
    """Return `global { author = ... }`."""
    place = Place(1, 1)
    return Block("global", (SentenceTest(FeatureTest("author", "values", place, (author,)), place),), place)


def written(statement: exp.Expr) -> str:
    """Return a statement as text."""
    return statement.sql(dialect="duckdb", pretty=True)


def match(
    con: duckdb.DuckDBPyConnection,
    question: Question | str,
    limit: int | None = None,
    seconds: float = SECONDS,
    is_counted: bool = False,
) -> Answer:
    """Return the hits of a request, or their counts by key.

    Args:
        con: a warehouse, best from `opened`.
        question: the request, alone or with layer, scope and keys.
        limit: most hits returned; all are counted.
        seconds: time that it may take.
        is_counted: only count.

    Raises:
        RequestError: the request cannot be run.
        ExportError: it took too long or too much memory, it has too many hits to list, or the warehouse is of another
            version.
    """
    import duckdb as engine

    asked = Question(question) if isinstance(question, str) else question
    compiler, found = asked.compiler()
    request, _, whether = asked.parts()
    try:
        with time_limit(con, seconds):
            projects = [str(name) for (name,) in con.execute(PROJECTS).fetchall()]
            found = sorted({*found, *remarks(con, request, compiler.layer, whether)})
            totals = fetch(con, count_statement(without_keys(asked), projects))[1][0]
            where = {"layer": asked.layer, "scope": scope_named(asked.scope), "author": asked.author}
            size = con.execute(SENTENCES, where).fetchall()[0][0]
            rows: list[tuple[Any, ...]] = []
            columns: list[str] = []
            hits: list[Hit] = []
            if asked.keys or asked.whether:
                columns, rows = fetch(con, count_statement(compiler, projects))
                refuse_more(len(rows), "values of a key")
                columns = [column.partition(": ")[2] if column.startswith("key ") else column for column in columns]
                rows = rows[:limit] if limit is not None else rows
            elif not is_counted:
                refuse_more(totals[0] if limit is None else min(limit, totals[0]), "hits")
                hits = hits_of(con, compiler, limit)
    except engine.CatalogException as error:
        raise ExportError(
            f"this warehouse has no nodes to search ({str(error).splitlines()[0]}): build it anew"
        ) from error
    except engine.OutOfMemoryException as error:
        raise ExportError(
            "the request needs more memory than it may take and was ended: "
            "add conditions, or allow more (SPHRAGIS_MEMORY)"
        ) from error
    except (engine.InvalidInputException, engine.OutOfRangeException) as error:
        raise RequestError(f"the engine refuses an expression: {str(error).splitlines()[0]}") from error
    by_project = dict(zip(projects, totals[2:], strict=True))
    return Answer(asked, hits, totals[0], totals[1], size, by_project, columns, rows, found)


def without_keys(question: Question) -> Compiler:
    """Return what makes the statements of a question without its keys."""
    return replace(question, keys=(), whether=()).compiler()[0]


def fetch(con: duckdb.DuckDBPyConnection, statement: exp.Expr) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return columns and rows of a statement."""
    cursor = con.execute(written(statement))
    return [str(item[0]) for item in cursor.description or []], cursor.fetchmany(MOST_LISTED + 1)


def refuse_more(count: int, what: str) -> None:
    """Raise an error when an answer would hold more rows than it may.

    Raises:
        ExportError: it would.
    """
    if count > MOST_LISTED:
        raise ExportError(
            f"more than {MOST_LISTED:,} {what} are not listed at once: add conditions, count them (--count, --key), "
            "or take the first (--limit)"
        )


def hits_of(con: duckdb.DuckDBPyConnection, compiler: Compiler, limit: int | None) -> list[Hit]:
    """Return the hits of a request in their order."""
    nodes, edges = list(compiler.scene.nodes), list(compiler.scene.edges)
    _, rows = fetch(con, hit_statement(compiler, limit))
    return [
        Hit(
            sentence_id=row[0],
            author=row[1],
            project=row[2],
            nodes=dict(zip(nodes, row[3 : 3 + len(nodes)], strict=True)),
            edges=dict(zip(edges, row[3 + len(nodes) : -2], strict=True)),
            citation=row[-2],
            sentence_number=row[-1],
        )
        for row in rows
    ]
