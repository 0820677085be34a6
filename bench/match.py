"""Requests of patterns as SQL, beside plain Python over dictionaries and loops over udapi's trees, in one run.

All three have the same sentences, those of the layer `ud` that are no duplicate, and have to come to the same hits.
CPU seconds are those of the process with all its threads. The statement is run with all its hits fetched; the two other
sides go through the corpus in pieces, whose loading is measured apart, so that not all trees need to be in memory.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.loops import REQUESTS, Measured
from bench.plain import PlainMatcher, loaded
from exports.warehouse import ExportError

if TYPE_CHECKING:
    import duckdb

    from exports.ask.patterns import Question

SENTENCES_AT_ONCE = 5000

NUMBERS = "select sentence_number from corpus.trees where layer = 'ud' and scope <= 2 order by sentence_number"

ROWS = """
select sentence_number, form, folded, lemma, lemma_folded, xpos, upos, feats, head, label
from corpus.nodes
where layer = 'ud' and scope <= 2 and sentence_number between ? and ?
order by sentence_number, position
"""

Hit = tuple[int, tuple[int, ...]]
"""Key of the sentence, and the positions of the nodes."""


@dataclass
class Row:
    """One request with what was measured, in CPU seconds.

    Attributes:
        name: name of the request.
        compiled: reading it and making the statement.
        sql: running the statement with all hits fetched: median of the repeats.
        whole: the whole command: warnings, counts, and the first hits.
        plain: the plain matcher; None where it does not know a clause.
        udapi: the loops; None where there are none.
        hits: hits of the statement.
        found: hits of the other sides.
    """

    name: str
    compiled: float
    sql: float
    whole: float
    hits: set[Hit]
    plain: float | None = None
    udapi: float | None = None
    found: dict[str, set[Hit]] = field(default_factory=dict)

    @property
    def is_equal(self) -> bool:
        """Whether all sides have the same hits."""
        return all(hits == self.hits for hits in self.found.values())


def requests_of(folder: Path | None) -> tuple[Measured, ...]:
    """Return the requests to measure: those of a folder, one in each file `*.req`, or our own.

    Raises:
        ExportError: the folder has none.
    """
    if folder is None:
        return REQUESTS
    found = tuple(Measured(path.stem, path.read_text(encoding="utf-8-sig")) for path in sorted(folder.glob("*.req")))
    if not found:
        raise ExportError(f"{folder} has no file *.req")
    return found


def measured(con: duckdb.DuckDBPyConnection, request: Measured, repeats: int) -> tuple[Row, Question, list[str]]:
    """Return a request with what its statement takes, the question, and the names of its nodes.

    Raises:
        RequestError: the request cannot be run.
    """
    from exports.ask.patterns import Question, match

    question = Question(request.text)
    compiling = []
    for _ in range(repeats):
        start = time.process_time()
        statement = question.sql()
        compiling.append(time.process_time() - start)
    names = list(question.compiler()[0].scene.nodes)
    running = []
    for _ in range(repeats):
        start = time.process_time()
        rows = con.execute(statement).fetchall()
        running.append(time.process_time() - start)
    start = time.process_time()
    match(con, question, limit=20)
    whole = time.process_time() - start
    hits = {(row[-1], tuple(row[3 : 3 + len(names)])) for row in rows}
    return Row(request.name, statistics.median(compiling), statistics.median(running), whole, hits), question, names


def pieces(con: duckdb.DuckDBPyConnection) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the nodes of the corpus, some thousand sentences at once."""
    numbers = [number for (number,) in con.execute(NUMBERS).fetchall()]
    for start in range(0, len(numbers), SENTENCES_AT_ONCE):
        chunk = numbers[start : start + SENTENCES_AT_ONCE]
        yield con.execute(ROWS, [chunk[0], chunk[-1]]).fetchall()


def as_conllu(rows: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    """Yield every sentence as CoNLL-U, with its key as id."""
    for number, nodes in groupby(rows, key=lambda row: row[0]):
        lines = [f"# sent_id = {number}"]
        for position, (_, form, _, lemma, _, xpos, upos, feats, head, label) in enumerate(nodes, start=1):
            columns = [position, form, lemma, upos, xpos, feats, head, label, None, None]
            lines.append("\t".join("_" if column is None else str(column) for column in columns))
        yield "\n".join(lines)


def measure(db: Path, folder: Path | None = None, repeats: int = 3) -> tuple[str, bool]:
    """Measure requests and return a table, and whether all sides have the same hits.

    Args:
        db: a warehouse.
        folder: folder with requests `*.req`; our own when None.
        repeats: runs of each statement; the median counts.

    Raises:
        RequestError: a request cannot be run.
        ExportError: the warehouse cannot be opened, or the folder has no request.
    """
    from exports.ask.patterns import RequestError, opened

    start = time.process_time()
    with opened(db) as con:
        con.execute("select count(*) from corpus.trees").fetchall()
        opening = time.process_time() - start
        rows, matchers, loops = [], [], []
        for request in requests_of(folder):
            row, question, names = measured(con, request, repeats)
            rows.append(row)
            try:
                matchers.append((row, PlainMatcher(question.parts()[0], names)))
                row.plain, row.found["plain"] = 0.0, set()
            except RequestError as error:
                row.name += f" ({error})"
            if request.loop is not None:
                loops.append((row, request.loop))
                row.udapi, row.found["udapi"] = 0.0, set()
        loading = {"plain": 0.0, "udapi": 0.0}
        for nodes in pieces(con):
            run_plain(nodes, matchers, loading)
            if loops:
                run_loops(nodes, loops, loading)
    return table(rows, opening, loading), all(row.is_equal for row in rows)


def run_plain(
    nodes: list[tuple[Any, ...]], matchers: Sequence[tuple[Row, PlainMatcher]], loading: dict[str, float]
) -> None:
    """Run every request in plain Python over one piece of the corpus."""
    start = time.process_time()
    sentences = loaded(nodes)
    loading["plain"] += time.process_time() - start
    for row, matcher in matchers:
        start = time.process_time()
        found = {(sentence.number, hit) for sentence in sentences for hit in matcher.hits(sentence)}
        row.plain = (row.plain or 0.0) + time.process_time() - start
        row.found["plain"] |= found
        for sentence in sentences:
            sentence.__dict__.pop("is_projective", None)


def run_loops(nodes: list[tuple[Any, ...]], loops: Sequence[tuple[Row, Any]], loading: dict[str, float]) -> None:
    """Run every loop over the trees of one piece of the corpus."""
    from udapi.block.read.conllu import Conllu

    texts = list(as_conllu(nodes))
    reader = Conllu()
    start = time.process_time()
    trees = [reader.read_tree_from_lines(text.split("\n")) for text in texts]
    loading["udapi"] += time.process_time() - start
    numbers = [int(tree.sent_id) for tree in trees]
    for row, loop in loops:
        start = time.process_time()
        found = {(number, hit) for number, tree in zip(numbers, trees, strict=True) for hit in loop(tree)}
        row.udapi = (row.udapi or 0.0) + time.process_time() - start
        row.found["udapi"] |= found


def table(rows: Sequence[Row], opening: float, loading: dict[str, float]) -> str:
    """Return what was measured as text: a line per request, then means and what was loaded."""
    width = max(len(row.name) for row in rows)
    lines = [
        f"{'request':<{width}}{'hits':>9}{'compile':>9}{'SQL':>7}{'whole':>7}{'plain':>8}{'x':>6}{'udapi':>8}{'x':>6}",
    ]
    for row in rows:
        lines.append(
            f"{row.name:<{width}}{len(row.hits):>9,}{row.compiled * 1000:>9.1f}{row.sql * 1000:>7.0f}"
            f"{row.whole * 1000:>7.0f}{milliseconds(row.plain):>8}{ratio(row.plain, row.sql):>6}"
            f"{milliseconds(row.udapi):>8}{ratio(row.udapi, row.sql):>6}"
            + ("" if row.is_equal else f"  not equal: {differences(row)}")
        )
    lines.append("CPU ms; SQL: the statement with all hits fetched; whole: warnings, counts and the first 20 hits too")
    for side, times in (("plain", [row.plain for row in rows]), ("udapi", [row.udapi for row in rows])):
        pairs = [(time, row) for time, row in zip(times, rows, strict=True) if time]
        if pairs:
            bare = statistics.geometric_mean([time / row.sql for time, row in pairs])
            both = statistics.geometric_mean(
                [(time + loading[side]) / (row.sql + row.compiled + opening) for time, row in pairs]
            )
            lines.append(
                f"geometric mean of {len(pairs)} requests: {bare:.1f} times as fast as {side}, "
                f"{both:.0f} times with loading ({loading[side]:.1f} s beside {opening * 1000:.0f} ms to open)"
            )
    lines.append(f"hits equal: {sum(row.is_equal for row in rows)} of {len(rows)}")
    return "\n".join(lines)


def milliseconds(seconds: float | None) -> str:
    """Return a time in whole milliseconds, or a dash."""
    return "-" if seconds is None else f"{seconds * 1000:.0f}"


def ratio(other: float | None, own: float) -> str:
    """Return how many times as long another side takes, or a dash."""
    return "-" if other is None else f"{other / own:.0f}"


def differences(row: Row) -> str:
    """Return how many hits each side has more and fewer, with the first."""
    told = []
    for side, hits in row.found.items():
        if hits != row.hits:
            first = sorted(hits ^ row.hits)[0]
            told.append(f"{side} +{len(hits - row.hits)} -{len(row.hits - hits)}, first {first}")
    return "; ".join(told)
