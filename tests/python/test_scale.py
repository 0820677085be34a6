"""What `sphragis bench scale` runs: the models themselves, on the corpus and on copies of it that are not it."""

from __future__ import annotations

from pathlib import Path

from conftest import Build, connection

from bench.scale import BOUNDS, STAGES, TABLES, Run, measure, table


def test_the_first_copy_is_the_corpus_and_the_second_is_another(sample_build: Build, tmp_path: Path) -> None:
    told = measure(sample_build.work_db, tmp_path, [1, 2]).splitlines()
    found = {
        line.split()[0]: [int(count.replace(",", "")) for count in line.split()[1:]] for line in told[-len(TABLES) :]
    }
    with connection(sample_build.work_db) as con:
        rows = {name: con.execute(f"select count(*) from intermediate.{name}").fetchall()[0][0] for name in TABLES}
    assert {name: counts[0] for name, counts in found.items()} == rows
    assert found["int_text__tokens"][1] == 2 * rows["int_text__tokens"]
    assert found["int_dedup__ngrams"][1] > rows["int_dedup__ngrams"]
    assert not list(tmp_path.iterdir())


def test_growth_stands_beside_its_bound() -> None:
    runs = {
        factor: {
            stage: Run(cpu, 10**9, {name: factor for name in TABLES} if stage == "text" else {}) for stage in STAGES
        }
        for factor, cpu in ((1, 2.0), (4, 9.0), (8, 20.0))
    }
    lines = table(runs).splitlines()
    assert lines[2].split() == ["text", "x4", "9.0", "1,000", "4.50", f"{BOUNDS['text']:.0f}"]
    assert lines[3].split() == ["text", "x8", "20.0", "1,000", "2.22"]
