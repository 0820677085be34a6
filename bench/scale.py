"""How the models grow from one corpus to four and to sixteen: text, deduplication and splits on perturbed copies.

A copy has every second published word replaced by another word of the corpus, chosen by sha256 of copy and word, so
that words are as frequent as ever; its sentences, works and files have ids of their own, its authors are the same. The
first copy is the corpus itself. The words of the line, which only name what is published, are those of the original.

Each stage is a process of its own on the database that the stage before has left, so that CPU seconds and memory are
those of one stage. The engine keeps the limit of the settings (`SPHRAGIS_MEMORY`); what does not fit goes to the disk.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.dedup import HASHING_MODELS, cpu_seconds, peak_memory, read_models
from exports.warehouse import ExportError
from runtime.command import run_child
from runtime.database import limit

if TYPE_CHECKING:
    import duckdb

FACTORS = (1, 4, 16)

STAGES = ("text", "dedup", "splits")
"""Stages in their order: the folders of `models/intermediate` that are run."""

BOUNDS = {"text": 5.0, "dedup": 5.0, "splits": 6.0}
"""How much dearer each stage may be when the corpus is four times as large."""

TABLES = (
    "int_text__tokens",
    "int_dedup__ngrams",
    "int_dedup__recurring_ngrams",
    "int_dedup__candidate_pairs",
    "int_dedup__shared_ngrams",
    "int_dedup__near_duplicate_pairs",
    "int_splits__assignments",
)
"""Tables whose rows are printed: words, 4-grams, and every table of pairs."""

ENLARGE = """
    create schema intermediate;
    create table places as
    select gid, source_index, row_number() over (order by gid) - 1 as place, native_form
    from warehouse.intermediate.int_reading__tokens
    where gid in (select gid from warehouse.intermediate.int_text__tokens where is_published);

    create table intermediate.int_reading__tokens as
    with copies as (select copy from range({copies}) as r (copy)),
    replaced as (
        select gid, copy,
            ('0x' || left(sha256(copy || '|' || gid), 12))::bigint % (select count(*) from places) as place
        from places, copies
        where copy > 0 and source_index % 2 = 0
    ),
    words as (
        select replaced.gid, replaced.copy, places.native_form
        from replaced inner join places using (place)
    )
    select tokens.* replace (
        tokens.gid + {gids} * copies.copy as gid,
        tokens.sentence_number + {sentences} * copies.copy as sentence_number,
        coalesce(words.native_form, tokens.native_form) as native_form
    )
    from warehouse.intermediate.int_reading__tokens as tokens
    cross join copies
    left join words on tokens.gid = words.gid and copies.copy = words.copy
    order by gid;
    drop table places;
"""
"""The tokens of all copies, in the order in which a build has them."""

COPIED = """
    create table intermediate.{table} as
    select original.* replace ({replacements})
    from warehouse.intermediate.{table} as original, range({copies}) as r (copy)
    order by {order}
"""
NUMBER = "original.sentence_number + {sentences} * copy as sentence_number"
NAMED = tuple(
    f"original.{column} || if(copy = 0, '', ' ~' || copy) as {column}"
    for column in ("sentence_id", "path", "document_match", "work", "work_id", "canonical_work")
)
REPLACED = {
    "int_reading__sentences": (NUMBER, *NAMED[:2]),
    "int_catalogue__sentences": (NUMBER, *NAMED),
    "int_words__sentences": (NUMBER,),
    "int_words__words": (NUMBER, "original.gid + {gids} * copy as gid"),
}
"""The other inputs of the stages, and what is new in every copy of them."""


@dataclass(frozen=True)
class Run:
    """One stage at one size.

    Attributes:
        cpu: CPU seconds of the process.
        memory: its greatest memory in bytes.
        rows: rows of those of TABLES that it has made.
    """

    cpu: float
    memory: int
    rows: dict[str, int]


def _open(path: Path) -> duckdb.DuckDBPyConnection:
    import duckdb

    con = duckdb.connect(str(path))
    con.execute(f"set threads = {int(os.environ.get('SPHRAGIS_THREADS') or '2')}")
    limit(con, path.with_name("spill"))
    return con


def enlarge(warehouse: Path, path: Path, copies: int) -> None:
    """Write a database with `copies` of the inputs of the stages, and the seeds.

    Args:
        warehouse: working or published warehouse with the intermediate tables.
        path: the new database.
        copies: how many; the first is the corpus itself.
    """
    with _open(path) as con:
        con.execute("attach '{}' as warehouse (read_only)".format(str(warehouse).replace("'", "''")))
        found = con.execute("select max(sentence_number) + 1 from warehouse.intermediate.int_reading__sentences")
        [(sentences,)] = found.fetchall()
        [(factor,)] = con.execute(
            "select max((gid - source_index) // sentence_number) from warehouse.intermediate.int_reading__tokens"
        ).fetchall()
        numbers = {"copies": copies, "sentences": sentences, "gids": sentences * factor}
        con.execute(ENLARGE.format(**numbers))
        for table, replacements in REPLACED.items():
            con.execute(
                COPIED.format(
                    table=table,
                    replacements=", ".join(replacements).format(**numbers),
                    order="gid" if table == "int_words__words" else "sentence_number",
                    **numbers,
                )
            )
        con.execute("create schema seeds")
        seeds = con.execute(
            "select table_name from duckdb_tables() where database_name = 'warehouse' and schema_name = 'seeds'"
        ).fetchall()
        for (name,) in seeds:
            con.execute(f'create table seeds."{name}" as from warehouse.seeds."{name}"')


def run_stage(path: Path, models: Path, stage: str) -> Run:
    """Run the models of one stage on a database that has what they read."""
    from bench.compiled import run_models

    with _open(path) as con:
        idle = cpu_seconds()
        made = run_models(con, [model for model in read_models(models) if model.name.startswith(f"int_{stage}__")])
        cpu = cpu_seconds() - idle
        rows = {
            name: con.execute(f"select count(*) from intermediate.{name}").fetchall()[0][0]
            for name in TABLES
            if name in made
        }
    return Run(cpu, peak_memory(), rows)


def _in_process(*arguments: str) -> str:
    """Run this module in a process of its own and return what it prints.

    Raises:
        ExportError: it failed.
    """
    finished = run_child([sys.executable, "-m", "bench.scale", *arguments], text=True, stdout=subprocess.PIPE)
    if finished.returncode != 0:
        raise ExportError(f"{arguments[0]} ended with {finished.returncode}")
    return str(finished.stdout)


def measure(warehouse: Path, build: Path, factors: Sequence[int]) -> str:
    """Run every stage at every size, and return CPU seconds, memory, growth and rows as text.

    Args:
        warehouse: working or published warehouse with the intermediate tables.
        build: a folder with room for the enlarged databases; nothing stays in it.
        factors: sizes as multiples, ascending.

    Raises:
        ExportError: a stage failed.
    """
    from bench.compiled import compile_models

    runs: dict[int, dict[str, Run]] = {}
    with tempfile.TemporaryDirectory(dir=build, prefix=".scale-") as place:
        models = Path(place) / "models.json"
        compiled = compile_models([f"path:models/intermediate/{stage}" for stage in STAGES])
        kept = [asdict(model) for model in compiled if model.name not in HASHING_MODELS]
        models.write_text(json.dumps(kept), encoding="utf-8")
        for factor in factors:
            path = Path(place) / f"x{factor}.duckdb"
            _in_process("enlarge", str(warehouse), str(path), str(factor))
            runs[factor] = {
                stage: Run(**json.loads(_in_process("run", str(path), str(models), stage))) for stage in STAGES
            }
            path.unlink()
    return table(runs)


def table(runs: dict[int, dict[str, Run]]) -> str:
    """Return what was measured as text, with the growth from each size to the next and its bound."""
    lines = [f"{'stage':<10}{'size':>6}{'CPU s':>10}{'memory MB':>12}{'growth':>9}{'bound':>8}"]
    for stage in STAGES:
        before: tuple[int, Run] | None = None
        for factor, stages in runs.items():
            run = stages[stage]
            growth = f"{run.cpu / before[1].cpu:>9.2f}" if before else ""
            bound = f"{BOUNDS[stage]:>8.0f}" if before and factor == 4 * before[0] else ""
            lines.append(f"{stage:<10}{f'x{factor}':>6}{run.cpu:>10.1f}{run.memory / 1e6:>12,.0f}{growth:>9}{bound}")
            before = factor, run
    lines += ["", f"{'rows of':<34}" + "".join(f"{f'x{factor}':>14}" for factor in runs)]
    for name in TABLES:
        counts = [run.rows[name] for stages in runs.values() for run in stages.values() if name in run.rows]
        lines.append(f"{name:<34}" + "".join(f"{count:>14,}" for count in counts))
    return "\n".join(lines)


def _main(arguments: Sequence[str]) -> None:
    """Enlarge, or run one stage and print the run as JSON, as a process of its own."""
    what, first, second, third = arguments
    if what == "enlarge":
        enlarge(Path(first), Path(second), int(third))
    else:
        sys.stdout.write(json.dumps(asdict(run_stage(Path(first), Path(second), third))))


if __name__ == "__main__":
    _main(sys.argv[1:])
