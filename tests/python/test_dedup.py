"""Deduplication: the models beside a plain reference, the reported faults, and what must not change the answer."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, Build, connection
from dedup_reference import Outcome, Sentence, Verdict, judge, random_corpus, sentences_of, verdict_of, write_inputs

from bench.compiled import CompiledModel, compile_models, run_models
from bench.dedup import measure_hashing

CASES = ROOT / "tests" / "fixtures" / "reported"
INPUTS = (
    "int_catalogue__sentences",
    "int_text__sentences",
    "int_text__tokens",
    "int_reading__tokens",
)
SELECT = ("int_dedup__*", "tests/dedup")
Models = list[CompiledModel]


@pytest.fixture(scope="session")
def compiled() -> Models:
    """The models and singular tests of deduplication as dbt compiles them."""
    return compile_models(SELECT, project=ROOT, kinds=("model", "test"))


@pytest.fixture(scope="session")
def assertions(compiled: Models) -> dict[str, CompiledModel]:
    """The singular tests, by name."""
    return {one.name: one for one in compiled if (ROOT / "tests" / "dedup" / f"{one.name}.sql").is_file()}


@pytest.fixture(scope="session")
def models(compiled: Models) -> Models:
    """The SQL models of the default settings; those of MinHash, behind Python models, are left out."""
    return [one for one in compiled if is_rule(one)]


@pytest.fixture(scope="session")
def models_by_provenance() -> Models:
    """The models with `cross_project_by: provenance`."""
    return [one for one in compile_models(SELECT, {"cross_project_by": "provenance"}, project=ROOT) if is_rule(one)]


@pytest.fixture(scope="session")
def models_with_minhash() -> Models:
    """The models with `near_duplicate_candidates: minhash`, with those of MinHash itself."""
    select = (*SELECT, "audit_minhash_recall")
    return compile_models(select, {"near_duplicate_candidates": "minhash"}, project=ROOT, with_python=True)


def is_rule(one: CompiledModel) -> bool:
    """Return whether it is a model of the rules, not of MinHash."""
    return one.name.startswith("int_dedup__") and "lsh" not in one.name and "signatures" not in one.name


def run(
    sentences: Sequence[Sentence], compiled: Sequence[CompiledModel], threads: int = 2, is_shuffled: bool = False
) -> duckdb.DuckDBPyConnection:
    """Run the SQL models of deduplication on a corpus in memory."""
    con = duckdb.connect()
    con.execute(f"set threads = {threads}")
    write_inputs(con, sentences, is_shuffled)
    run_models(con, compiled)
    return con


def sentence(number: int, project: str, text: str, author: str = "Nobody", **more: object) -> Sentence:
    """Return a sentence of words already folded."""
    return Sentence(number, project, author, tuple(text.split()), position=number, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_models_equal_the_reference_on_random_corpora(models: Models, models_by_provenance: Models, seed: int) -> None:
    corpus = random_corpus(seed)
    assert verdict_of(run(corpus, models)) == judge(corpus)
    assert verdict_of(run(corpus, models_by_provenance)) == judge(corpus, by_provenance=True)


def test_random_corpora_reach_every_outcome() -> None:
    found = {outcome.outcome for seed in range(12) for outcome in judge(random_corpus(seed)).outcomes.values()}
    assert found >= {
        "skipped_document",
        "excluded_work",
        "author_conflict",
        "exact_duplicate",
        "quotation",
        "near_duplicate",
        "fragment",
        "corrupt",
        "entered",
    }


def test_order_of_rows_and_number_of_threads_change_nothing(models: Models) -> None:
    corpus = random_corpus(99, size=400)
    answers = []
    for threads, is_shuffled in ((1, False), (4, False), (4, True)):
        con = run(corpus, models, threads, is_shuffled)
        answers.append(
            [
                con.execute(f"select * from intermediate.{name} order by all").fetchall()
                for name in ("int_dedup__outcomes", "int_dedup__shared_ngrams", "int_dedup__pair_sides")
            ]
        )
    assert answers[0] == answers[1] == answers[2]


def read_case(name: str) -> list[dict[str, str]]:
    with (CASES / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def folded(text: str) -> str:
    """Return the letters keys of a text, joined by blanks."""
    import unicodedata

    plain = unicodedata.normalize("NFD", text).lower().replace("ς", "σ")
    letters = "".join(sign if sign.isalpha() and sign != "ʼ" else " " if sign.isspace() else "" for sign in plain)
    return " ".join(letters.split())


def test_containment_in_a_longer_sentence_is_found_and_a_short_formula_is_not(models: Models) -> None:
    """Fault 89: the small set is contained in a large one, at a Jaccard similarity far under one half."""
    rows = read_case("containment.csv")
    corpus = [
        sentence(number, row["project"], folded(row["text"]), row["author"]) for number, row in enumerate(rows, 1)
    ]
    verdict = verdict_of(run(corpus, models))
    assert verdict.pairs == {(1, 2): (4, "near_duplicate")}
    assert verdict.outcomes[1] == Outcome("near_duplicate", 2)
    assert verdict.outcomes[2] == verdict.outcomes[3] == Outcome("entered")


def test_a_chain_of_pairs_is_no_cluster(models: Models, assertions: dict[str, CompiledModel]) -> None:
    """Fault 91: each sentence shares half with the next and nothing with the one after."""
    rows = read_case("chain.csv")
    corpus = [sentence(number, row["project"], folded(row["text"])) for number, row in enumerate(rows, 1)]
    con = run(corpus, models)
    outcomes = verdict_of(con).outcomes
    assert {number: outcomes[number].outcome for number in outcomes} == {
        1: "near_duplicate",
        2: "entered",
        3: "near_duplicate",
        4: "entered",
        5: "near_duplicate",
    }
    assert [outcomes[number].survivor for number in (1, 3, 5)] == [2, 2, 4]
    chains = con.execute("select chain_number, count(*) from intermediate.int_dedup__chains group by all").fetchall()
    assert chains == [(1, 5)]
    bound = assertions["no_chain_of_near_duplicates_is_longer_than_its_bound"]
    assert con.execute(bound.query).fetchall() == []


def test_the_same_letters_under_two_authors_all_go_and_two_shared_4_grams_remove_nothing(models: Models) -> None:
    """Fault 95: rows 1, 2 and 4 have one key and two labels; row 3 shares two 4-grams, a known limit."""
    rows = read_case("leak.csv")
    corpus = [sentence(number, "agdt", folded(row["text"]), row["author"]) for number, row in enumerate(rows, 1)]
    verdict = verdict_of(run(corpus, models))
    assert {number: one.outcome for number, one in verdict.outcomes.items()} == {
        1: "author_conflict",
        2: "author_conflict",
        3: "entered",
        4: "author_conflict",
    }
    assert len(set(corpus[0].ngrams) & set(corpus[2].ngrams)) == 2


def test_the_same_passage_in_two_segmentations_stands_once(models: Models) -> None:
    whole = "α β γ δ ε ζ η θ ι κ λ μ ν ξ"
    corpus = [
        sentence(1, "gorman", whole),
        sentence(2, "agdt", "α β γ δ ε ζ η"),
        sentence(3, "agdt", "θ ι κ λ μ ν ξ"),
    ]
    outcomes = verdict_of(run(corpus, models)).outcomes
    assert outcomes == {1: Outcome("entered"), 2: Outcome("near_duplicate", 1), 3: Outcome("near_duplicate", 1)}


def test_a_formula_inside_one_project_stays_and_a_quotation_of_another_author_goes(models: Models) -> None:
    formula = "α β γ δ ε ζ η"
    corpus = [
        sentence(1, "agdt", f"{formula} θ", "Poet"),
        sentence(2, "agdt", f"{formula} ι", "Poet"),
        sentence(3, "gorman", "ρ σ τ υ φ χ ψ κ", "Orator"),
        sentence(4, "gorman", "ρ σ τ υ φ χ ψ λ", "Essayist"),
    ]
    verdict = verdict_of(run(corpus, models))
    assert verdict.pairs == {(1, 2): (4, "same_project_repetition"), (3, 4): (4, "quotation")}
    assert [verdict.outcomes[number].outcome for number in (1, 2, 3, 4)] == ["entered", "entered"] + ["quotation"] * 2


def test_a_removed_partner_is_followed_to_the_sentence_that_stays(models: Models) -> None:
    corpus = [
        sentence(1, "harrington", "α β γ δ ε ζ η"),
        sentence(2, "agdt", "γ δ ε ζ η θ ι κ λ μ"),
        sentence(3, "gorman", "θ ι κ λ μ ν ξ"),
    ]
    corpus[1] = sentence(2, "agdt", "α β γ δ ε ζ η θ ι κ λ μ ν ξ")
    outcomes = verdict_of(run(corpus, models)).outcomes
    assert outcomes == {1: Outcome("near_duplicate", 3), 2: Outcome("near_duplicate", 3), 3: Outcome("entered")}


BROKEN = {
    "every_sentence_read_has_one_outcome": "delete from intermediate.int_dedup__outcomes where sentence_number = 3",
    "every_survivor_stays_or_is_removed_for_another_reason": (
        "update intermediate.int_dedup__outcomes set outcome = 'quotation', survivor_number = null"
        " where sentence_number = 1"
    ),
    "no_pair_that_a_rule_removes_has_entered": (
        "update intermediate.int_dedup__outcomes set outcome = 'entered', survivor_number = null"
        " where sentence_number = 2"
    ),
    "no_chain_of_near_duplicates_is_longer_than_its_bound": (
        "insert into intermediate.int_dedup__chains select 1000 + i, 1 from range(40) as r (i)"
    ),
    "every_minhash_candidate_of_half_jaccard_is_among_the_counted_pairs": (
        "insert into intermediate.int_dedup__lsh_candidates values ('bands_128x1', 1, 2);"
        " delete from intermediate.int_dedup__shared_ngrams where left_number = 1 and right_number = 2"
    ),
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_every_invariant_holds_and_a_broken_one_is_found(
    models: Models, assertions: dict[str, CompiledModel], name: str
) -> None:
    corpus = [
        sentence(1, "gorman", "α β γ δ ε ζ η θ"),
        sentence(2, "agdt", "α β γ δ ε ζ η"),
        sentence(3, "agdt", "π ρ σ τ υ"),
    ]
    con = run(corpus, models)
    con.execute(
        "create table intermediate.int_dedup__lsh_candidates"
        " (setting varchar, left_number integer, right_number integer)"
    )
    assert con.execute(assertions[name].query).fetchall() == []
    con.execute(BROKEN[name])
    assert con.execute(assertions[name].query).fetchall() != []


def test_every_invariant_has_a_fixture_that_breaks_it(assertions: dict[str, CompiledModel]) -> None:
    assert set(BROKEN) == set(assertions)


@pytest.mark.real
def test_models_equal_the_reference_on_the_real_input(real_build: Build, models_by_provenance: Models) -> None:
    with connection(real_build.work_db) as con:
        corpus = sentences_of(con)
        assert verdict_of(con) == judge(corpus)
    assert run_on_copy(real_build.work_db, models_by_provenance) == judge(corpus, by_provenance=True)


def copy_of(path: Path, compiled: Sequence[CompiledModel], threads: int, order: str) -> duckdb.DuckDBPyConnection:
    """Run the SQL models on the inputs of a warehouse, in memory, with the rows of the inputs in some order."""
    con = duckdb.connect()
    con.execute(f"set threads = {threads}")
    con.execute(f"attach '{path}' as warehouse (read_only)")
    con.execute("create schema intermediate")
    for name in INPUTS:
        con.execute(
            f"create table intermediate.{name} as from warehouse.intermediate.{name}"
            f" order by {order.format(number='sentence_number')}"
        )
    con.execute("detach warehouse")
    run_models(con, compiled)
    return con


def run_on_copy(path: Path, compiled: Sequence[CompiledModel]) -> Verdict:
    """Return what the SQL models decide on the inputs of a warehouse."""
    with copy_of(path, compiled, 2, "{number}") as con:
        return verdict_of(con)


@pytest.mark.real
def test_order_and_threads_change_nothing_on_the_real_input(real_build: Build, models: Models) -> None:
    answers = []
    for threads, order in ((1, "{number}"), (4, "sha256({number}::varchar)")):
        with copy_of(real_build.work_db, models, threads, order) as con:
            answers.append(
                [con.execute(f"from intermediate.{one.name} order by all").fetchall() for one in models[-6:]]
            )
    assert answers[0] == answers[1]


@pytest.mark.real
def test_minhash_as_blocker_gives_the_same_outcomes_at_full_recall(
    real_build: Build, models_with_minhash: Models, assertions: dict[str, CompiledModel]
) -> None:
    """MinHash, which a build leaves out, finds the pairs of the join on its own way, and all of them."""
    with connection(real_build.work_db) as con:
        exact = verdict_of(con)
    cross_check = assertions["every_minhash_candidate_of_half_jaccard_is_among_the_counted_pairs"]
    with measure_hashing(real_build.work_db, models_with_minhash, ("int_dedup__set_sizes", *INPUTS)) as con:
        recall = con.execute("select recall from audit.audit_minhash_recall where setting = 'bands_128x1'").fetchall()
        assert recall == [(1.0,)]
        assert con.execute(cross_check.query).fetchall() == []
        run_models(con, [one for one in models_with_minhash if is_rule(one)])
        assert verdict_of(con) == exact


HASHED = """
import hashlib, sys
import datasketch
sets = [[b"%d %d" % (i, j) for j in range(i, i + 9)] for i in range(50)]
made = [m.hashvalues.tobytes() for m in datasketch.MinHash.generator(sets, num_perm=128, seed=917)]
print(hashlib.sha256(b"".join(made)).hexdigest())
"""


def test_signatures_do_not_depend_on_the_hash_seed_of_python() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", HASHED],
            env=os.environ | {"PYTHONHASHSEED": seed},
            text=True,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(answers) == 1


def test_banding_by_sorting_equals_datasketch() -> None:
    import importlib.util

    import datasketch
    import numpy as np

    path = ROOT / "models" / "intermediate" / "dedup" / "minhash" / "int_dedup__lsh_runs_datasketch.py"
    spec = importlib.util.spec_from_file_location("lsh_runs", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    corpus = random_corpus(5, size=150)
    sets = [[" ".join(ngram).encode() for ngram in sorted(one.ngrams)] for one in corpus if one.ngrams]
    hashes = list(datasketch.MinHash.generator(sets, num_perm=128, seed=917))
    signatures = np.stack([minhash.hashvalues for minhash in hashes])
    for rows in (1, 2, 3, 5):
        index = datasketch.MinHashLSH(num_perm=128, params=(128 // rows, rows))
        for line, minhash in enumerate(hashes):
            index.insert(line, minhash)
        expected = {
            (min(line, other), max(line, other))
            for line, minhash in enumerate(hashes)
            for other in index.query(minhash)
            if other != line
        }
        left, right = module.banded_pairs(signatures, rows)
        assert set(zip(left.tolist(), right.tolist(), strict=True)) == expected
        assert expected
    assert [len(side) for side in module.banded_pairs(np.empty((0, 128), dtype=np.uint32), 2)] == [0, 0]
