"""Near-duplicate pairs by the exact join, beside datasketch's MinHashLSH on the same sets, and the growth of the join.

Both sides start from the same sets of 4-grams in memory, and end with the pairs that reach the thresholds of a rule:
the exact join by its own models, MinHashLSH by whatever pairs it proposes. Each run is a process of its own, so that
CPU seconds and memory are those of one side; loading the sets is not counted. The truth is counted by a third way, a
plain dictionary of 4-grams. MinHash as a blocker, whose candidates are counted exactly, is measured by the models that
a build leaves empty (docs/decisions/0042-minhash-assists-and-never-decides.md).

Growth is measured on enlarged corpora: in every copy, words of half of the vocabulary (chosen by a hash of copy and
word) are renamed. A copy keeps its own repetitions, and shares with another copy only the 4-grams of which no word was
renamed in either: so pairs within copies grow with the corpus, and pairs between copies with its square.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError
from runtime.command import run_child

if TYPE_CHECKING:
    import duckdb

    from bench.compiled import CompiledModel

SIDES = ("exact", "datasketch")
JOIN_MODELS = (
    "int_dedup__set_sizes",
    "int_dedup__recurring_ngrams",
    "int_dedup__candidate_pairs",
    "int_dedup__shared_ngrams",
)
GROWTH_MODELS = ("int_dedup__words", "int_dedup__ngrams", *JOIN_MODELS)
HASHING_MODELS = (
    "int_dedup__signatures_datasketch",
    "int_dedup__signatures",
    "int_dedup__lsh_runs_datasketch",
    "int_dedup__lsh_runs",
    "int_dedup__lsh_candidates",
    "audit_minhash_recall",
)
INPUTS = ("int_dedup__chosen_sentences", "int_dedup__words", "int_dedup__ngrams")
RENAMED_SHARE = 0.5


@dataclass(frozen=True)
class Run:
    """One measured run.

    Attributes:
        cpu: CPU seconds of the process and its children, without loading the sets.
        wall: wall seconds of the same stretch.
        memory: greatest memory of the process in bytes, the loaded sets included.
        sentences: sentences that have a 4-gram.
        found: pairs found (growth: candidate pairs counted).
    """

    cpu: float
    wall: float
    memory: int
    sentences: int
    found: int


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_memory() -> int:
    """Return the greatest memory of this process so far, in bytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def read_models(path: Path) -> list[CompiledModel]:
    """Return models that another process has written down."""
    from bench.compiled import CompiledModel

    return [CompiledModel(**model) for model in json.loads(path.read_text(encoding="utf-8"))]


def _attach(path: Path, names: Sequence[str]) -> duckdb.DuckDBPyConnection:
    """Return a database in memory that holds the named intermediate tables of a warehouse."""
    import duckdb

    con = duckdb.connect()
    con.execute(f"set threads = {int(os.environ.get('SPHRAGIS_THREADS', '2'))}")
    con.execute("attach '{}' as warehouse (read_only)".format(str(path).replace("'", "''")))
    con.execute("create schema intermediate")
    for name in names:
        con.execute(f"create table intermediate.{name} as from warehouse.intermediate.{name}")
    con.execute("detach warehouse")
    return con


def run_exact(warehouse: Path, models: Sequence[CompiledModel], answer: Path) -> Run:
    """Count the pairs by the models, and write those that reach a rule to `answer`."""
    import time

    from bench.compiled import run_models

    con = _attach(warehouse, INPUTS)
    begin, cpu = time.monotonic(), cpu_seconds()
    run_models(con, models)
    pairs = con.execute(
        "select left_number, right_number from intermediate.int_dedup__shared_ngrams"
        " where rule is not null order by all"
    ).fetchall()
    cpu, wall = cpu_seconds() - cpu, time.monotonic() - begin
    answer.write_text(json.dumps(pairs), encoding="utf-8")
    sentences = con.execute("select count(*) from intermediate.int_dedup__set_sizes").fetchall()[0][0]
    return Run(cpu, wall, peak_memory(), sentences, len(pairs))


def load_sets(con: duckdb.DuckDBPyConnection) -> dict[int, list[bytes]]:
    """Return the 4-grams of every sentence as bytes."""
    sets: dict[int, list[bytes]] = {}
    query = "select * from intermediate.int_dedup__ngrams order by all"
    cursor = con.execute(query)
    while rows := cursor.fetchmany(100_000):
        for number, *words in rows:
            sets.setdefault(number, []).append(b" ".join(b"%d" % word for word in words))
    return sets


def run_datasketch(warehouse: Path, answer: Path, threshold: float = 0.5, permutations: int = 128) -> Run:
    """Propose pairs by MinHashLSH as its documentation shows it, and write them to `answer`."""
    import time

    import datasketch

    sets = load_sets(_attach(warehouse, ("int_dedup__ngrams",)))
    begin, cpu = time.monotonic(), cpu_seconds()
    index = datasketch.MinHashLSH(threshold=threshold, num_perm=permutations)
    hashes = dict(zip(sets, datasketch.MinHash.generator(sets.values(), num_perm=permutations, seed=1), strict=True))
    with index.insertion_session() as session:
        for number, minhash in hashes.items():
            session.insert(number, minhash)
    pairs: set[tuple[int, int]] = set()
    for number, minhash in hashes.items():
        pairs.update((min(number, other), max(number, other)) for other in index.query(minhash) if other != number)
    cpu, wall = cpu_seconds() - cpu, time.monotonic() - begin
    answer.write_text(json.dumps(sorted(pairs)), encoding="utf-8")
    return Run(cpu, wall, peak_memory(), len(sets), len(pairs))


def enlarge(con: duckdb.DuckDBPyConnection, copies: int, renamed_share: float = RENAMED_SHARE) -> None:
    """Replace chosen sentences and tokens by `copies` of them; the first copy is the corpus itself."""
    limit = f"{math.floor(renamed_share * 0xFFFF):04x}"
    con.execute(
        f"""
        create table enlarged_words as
        select folded, copy,
            case
                when copy > 0 and left(sha256(copy || '|' || folded), 4) < '{limit}' then folded || '·' || copy
                else folded
            end as renamed
        from
            (select distinct folded from intermediate.int_text__tokens where is_published),
            range({copies}) as r (copy);
        create table enlarged as
        select
            tokens.sentence_number + copy * (select max(sentence_number) + 1 from intermediate.int_text__tokens)
                as sentence_number,
            token_index, renamed as folded, is_published
        from intermediate.int_text__tokens as tokens inner join enlarged_words using (folded)
        where is_published;
        create or replace table intermediate.int_dedup__chosen_sentences as
        select chosen.* replace (
            (chosen.sentence_number + copy * (select max(sentence_number) + 1 from intermediate.int_text__tokens))
                as sentence_number
        )
        from intermediate.int_dedup__chosen_sentences as chosen, range({copies}) as r (copy);
        create or replace table intermediate.int_text__tokens as
        from enlarged order by sentence_number, token_index;
        drop table enlarged;
        drop table enlarged_words;
        """
    )


def run_growth(warehouse: Path, models: Sequence[CompiledModel], copies: int, renamed_share: float) -> Run:
    """Run the models from words to counted pairs on an enlarged corpus."""
    import time

    from bench.compiled import run_models

    con = _attach(warehouse, ("int_dedup__chosen_sentences", "int_text__tokens"))
    enlarge(con, copies, renamed_share)
    begin, cpu = time.monotonic(), cpu_seconds()
    run_models(con, models)
    cpu, wall = cpu_seconds() - cpu, time.monotonic() - begin
    counts = con.execute(
        "select (select count(*) from intermediate.int_dedup__set_sizes),"
        " (select count(*) from intermediate.int_dedup__shared_ngrams)"
    ).fetchall()[0]
    return Run(cpu, wall, peak_memory(), *counts)


def measure_hashing(
    warehouse: Path, models: Sequence[CompiledModel], more: Sequence[str] = ()
) -> duckdb.DuckDBPyConnection:
    """Return a database in memory with the models of MinHash, empty after a build, over the 4-grams of a warehouse.

    Args:
        warehouse: working or published warehouse with the intermediate tables.
        models: HASHING_MODELS as dbt compiles them with `minhash_measure: true`.
        more: further intermediate tables to take over.
    """
    from bench.compiled import run_models

    con = _attach(warehouse, ("int_dedup__words", "int_dedup__ngrams", "int_dedup__shared_ngrams", *more))
    run_models(con, [model for model in models if model.name in HASHING_MODELS])
    return con


def _told(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:,}"


def hashing_table(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the recall of every setting of MinHash as lines of text."""
    rows = con.execute(
        "select setting, candidates, found, missed, recall, precision, removing_found, removing_pairs, seconds"
        " from audit.audit_minhash_recall order by setting"
    ).fetchall()
    heads = ("candidates", "found", "missed", "recall", "precision", "removing", "of", "CPU s")
    return [
        f"{'MinHash as blocker':<24}" + "".join(f"{head:>11}" for head in heads),
        *(f"{name:<24}" + "".join(f"{_told(figure):>11}" for figure in figures) for name, *figures in rows),
    ]


def plain_pairs(sets: dict[int, set[bytes]], least_share: float) -> dict[tuple[int, int], int]:
    """Count shared 4-grams by a dictionary from 4-gram to sentences: the reference.

    Returns:
        Shared 4-grams of every pair that shares at least `least_share` of the smaller set.
    """
    from collections import Counter, defaultdict
    from itertools import combinations

    owners: dict[bytes, list[int]] = defaultdict(list)
    for number in sorted(sets):
        for ngram in sets[number]:
            owners[ngram].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in owners.values():
        shared.update(combinations(numbers, 2))
    return {
        pair: count
        for pair, count in shared.items()
        if count >= least_share * min(len(sets[pair[0]]), len(sets[pair[1]]))
    }


def _measured(repeats: int, *arguments: str) -> Run:
    """Run this module in processes of their own and return the run of the median CPU seconds.

    Raises:
        ExportError: a process failed.
    """
    runs = []
    for _ in range(repeats):
        command = [sys.executable, "-m", "bench.dedup", *arguments]
        finished = run_child(command, text=True, stdout=subprocess.PIPE)
        if finished.returncode != 0:
            raise ExportError(f"{' '.join(arguments)} ended with {finished.returncode}")
        runs.append(Run(**json.loads(finished.stdout)))
    middle = sorted(runs, key=lambda run: run.cpu)[len(runs) // 2]
    return Run(
        middle.cpu, middle.wall, int(statistics.median(run.memory for run in runs)), middle.sentences, middle.found
    )


def fitted_exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the least squares line through the logarithms of size and cost."""
    logs = [(math.log(size), math.log(cost)) for size, cost in points]
    mean_size = statistics.mean(size for size, _ in logs)
    mean_cost = statistics.mean(cost for _, cost in logs)
    above = sum((size - mean_size) * (cost - mean_cost) for size, cost in logs)
    return above / sum((size - mean_size) ** 2 for size, _ in logs)


def true_pairs(warehouse: Path) -> set[tuple[int, int]]:
    """Return the pairs that reach a rule, counted by dictionaries and judged by the default thresholds."""
    con = _attach(warehouse, ("int_dedup__chosen_sentences", "int_dedup__ngrams"))
    sets = {number: set(ngrams) for number, ngrams in load_sets(con).items()}
    authors = dict(
        con.execute("select sentence_number, author from intermediate.int_dedup__chosen_sentences").fetchall()
    )
    true = set()
    for (left, right), shared in plain_pairs(sets, 0.5).items():
        smaller = min(len(sets[left]), len(sets[right]))
        is_repetition = authors[left] == authors[right] and shared >= 3
        is_quotation = authors[left] != authors[right] and shared >= 4 and 5 * shared >= 4 * smaller
        if is_repetition or is_quotation:
            true.add((left, right))
    return true


def _line(name: str, run: Run, *more: str) -> str:
    return f"{name:<34}{run.cpu:>8.2f}{run.wall:>8.2f}{run.memory / 1e6:>11,.0f}" + "".join(
        f"{cell:>10}" for cell in more
    )


def measure(
    warehouse: Path, repeats: int = 3, copies: Sequence[int] = (1, 4, 16), renamed_share: float = RENAMED_SHARE
) -> str:
    """Measure both sides and the growth, and return the comparison as text.

    Args:
        warehouse: working or published warehouse with the intermediate tables.
        repeats: runs of each side and size; the median counts.
        copies: sizes of the enlarged corpora, as multiples.
        renamed_share: share of the vocabulary that is renamed in every copy.
    """
    from bench.compiled import compile_models

    wanted = (*GROWTH_MODELS, *HASHING_MODELS)
    compiled = compile_models(wanted, {"minhash_measure": True}, with_python=True)
    models = [model for model in compiled if model.name in GROWTH_MODELS]
    true = true_pairs(warehouse)
    with tempfile.TemporaryDirectory() as place:
        join = Path(place) / "join.json"
        join.write_text(json.dumps([asdict(model) for model in models if model.name in JOIN_MODELS]), encoding="utf-8")
        growth = Path(place) / "growth.json"
        growth.write_text(json.dumps([asdict(model) for model in models]), encoding="utf-8")
        runs: dict[str, Run] = {}
        hits: dict[str, tuple[float, float]] = {}
        for side in SIDES:
            answer = Path(place) / f"{side}.pairs"
            runs[side] = _measured(repeats, side, str(warehouse), str(join), str(answer))
            found = {(left, right) for left, right in json.loads(answer.read_text(encoding="utf-8"))}
            hits[side] = (len(found & true) / max(len(true), 1), len(found & true) / max(len(found), 1))
        sizes = {
            size: _measured(repeats, "growth", str(warehouse), str(growth), str(size), str(renamed_share))
            for size in copies
        }
    exact, datasketch = (runs[side] for side in SIDES)
    lines = [
        f"{exact.sentences:,} sets of 4-grams, {len(true):,} pairs that reach a rule; medians of {repeats} runs",
        f"{'':<34}{'CPU s':>8}{'wall s':>8}{'memory MB':>11}{'recall':>10}{'precision':>10}{'pairs':>10}",
        _line("exact join of rare 4-grams", exact, *(f"{share:.3f}" for share in hits["exact"]), f"{exact.found:,}"),
        _line(
            "datasketch MinHashLSH(0.5, 128)",
            datasketch,
            *(f"{share:.3f}" for share in hits["datasketch"]),
            f"{datasketch.found:,}",
        ),
        f"{'times cheaper':<34}{datasketch.cpu / exact.cpu:>8.1f}{datasketch.wall / exact.wall:>8.1f}"
        f"{datasketch.memory / exact.memory:>11.1f}",
        "",
        *hashing_table(measure_hashing(warehouse, compiled)),
        "",
        f"growth, from words to counted pairs; {renamed_share:.0%} of the words of every copy renamed",
        f"{'':<34}{'CPU s':>8}{'wall s':>8}{'memory MB':>11}{'sentences':>10}{'pairs':>10}",
        *(_line(f"x{size}", run, f"{run.sentences:,}", f"{run.found:,}") for size, run in sizes.items()),
    ]
    if len(sizes) > 1:
        exponent = fitted_exponent([(size, run.cpu) for size, run in sizes.items()])
        lines.append(f"fitted exponent of CPU seconds over size: {exponent:.2f}")
    return "\n".join(lines)


def _main(arguments: Sequence[str]) -> None:
    """Run one side, as a process of its own, and print the run as JSON."""
    side, warehouse, models, *rest = arguments
    made: Any
    if side == "exact":
        made = run_exact(Path(warehouse), read_models(Path(models)), Path(rest[0]))
    elif side == "datasketch":
        made = run_datasketch(Path(warehouse), Path(rest[0]))
    else:
        made = run_growth(Path(warehouse), read_models(Path(models)), int(rest[0]), float(rest[1]))
    sys.stdout.write(json.dumps(asdict(made)))


if __name__ == "__main__":
    _main(sys.argv[1:])
