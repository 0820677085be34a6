"""Intervals and tests beside scipy, and on simulated works of which the truth is known."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bench.score import cover_macro_f1, cover_mean, coverage_table, drawn_rows, predicted, size_of_sign_flips
from runtime.checkout import project_variables
from score import COVERAGE
from score.core import chance, comparison, intervals

COUNT = np.array([46, 14, 91, 30, 43, 5, 12, 25, 18])
RIGHT = np.array([37, 3, 63, 25, 32, 1, 12, 9, 18])


def test_the_seed_is_that_of_the_benchmark() -> None:
    assert project_variables(ROOT)["benchmark_seed"] == chance.SEED


def test_what_the_intervals_are_worth_is_what_was_measured() -> None:
    found = list(csv.DictReader(COVERAGE.open(encoding="utf-8", newline="")))
    page = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")
    means = sorted({row["mean"] for row in found})
    for works, spread in {(row["works"], row["spread"]) for row in found}:
        shares = {row["mean"]: row["coverage"] for row in found if (row["works"], row["spread"]) == (works, spread)}
        cells = " | ".join(f"{100 * float(shares[mean]):.1f} %" for mean in means)
        assert f"| {works} | {spread} | {cells} |\n" in page
    # From nine works on, away from the ceiling, an interval of 95 % is one.
    middle = [float(row["coverage"]) for row in found if int(row["works"]) >= 9 and float(row["mean"]) <= 0.7]
    assert min(middle) >= 0.92 and max(middle) <= 0.98
    # The same seed gives the same table, and a small one agrees with it.
    small = coverage_table(400, 7)
    assert small == coverage_table(400, 7)
    for row, measured in zip(csv.DictReader(small.splitlines()), found, strict=True):
        assert (row["works"], row["mean"], row["spread"]) == (measured["works"], measured["mean"], measured["spread"])
        share = float(measured["coverage"])
        assert abs(float(row["coverage"]) - share) < 5 * np.sqrt(share * (1 - share) / 400)


@pytest.mark.parametrize("freedom", [1, 2, 4, 8, 10, 44, 500])
def test_the_bound_of_t_is_that_of_scipy(freedom: int) -> None:
    assert chance.t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-12)


def test_the_interval_over_works_is_that_of_scipy() -> None:
    found, drawn, rows = intervals.of_mean("test", RIGHT, COUNT)
    shares = RIGHT / COUNT
    low, high = stats.t.interval(0.95, len(shares) - 1, loc=shares.mean(), scale=stats.sem(shares))
    assert (found["low"], found["high"]) == (pytest.approx(low), pytest.approx(high))
    assert (found["over"], found["clusters"], found["method"]) == ("works", 9, "t")
    generator = np.random.default_rng(1)
    reference = stats.bootstrap((shares,), np.mean, method="percentile", n_resamples=20_000, rng=generator)
    assert drawn["low"] == pytest.approx(reference.confidence_interval.low, abs=0.01)
    assert drawn["high"] == pytest.approx(reference.confidence_interval.high, abs=0.01)
    means = (generator.binomial(COUNT, shares, (20_000, 9)) / COUNT).mean(axis=1)
    assert rows["low"] == pytest.approx(np.quantile(means, 0.025), abs=0.012)
    assert rows["high"] == pytest.approx(np.quantile(means, 0.975), abs=0.012)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 30)), min_size=5, max_size=20))
@settings(max_examples=60, deadline=None)
def test_no_interval_has_zero_width_or_leaves_out_the_figure(drawn: list[tuple[int, int]]) -> None:
    count = np.array([rows for _, rows in drawn])
    right = np.minimum(np.array([number for number, _ in drawn]), count)
    mean = float((right / count).mean())
    for found in intervals.of_mean("test", right, count):
        assert found["clusters"] == len(count)
        if found["low"] is None:
            assert found["reason"]
            continue
        assert 0 <= found["low"] <= found["high"] <= 1
        assert found["high"] - found["low"] > 1e-9
        if found["method"] != "bootstrap of works":
            assert found["low"] - 1e-9 <= mean <= found["high"] + 1e-9


def test_a_system_that_is_always_right_has_an_interval_with_width() -> None:
    rows = drawn_rows(2, 6, 12)
    draws = intervals.macro_f1(intervals.resampled(rows, [rows.truth])[0])
    found = intervals.of_draws(draws, 1.0, rows)
    reference = stats.binomtest(144, 144).proportion_ci(method="wilson")
    assert (found["low"], found["high"]) == (pytest.approx(reference.low), 1.0)
    assert found["over"] == "rows of these works"


def test_with_fewer_than_five_works_there_is_no_interval() -> None:
    (found,) = intervals.of_mean("test", RIGHT[:4], COUNT[:4])
    assert found["low"] is None
    assert "4 works are too few" in found["reason"]
    rows = drawn_rows(1, 4, 12)
    found = intervals.of_draws(np.array([0.1, 0.2]), 0.1, rows)
    assert found["low"] is None


@pytest.mark.parametrize(("right", "count"), [(0, 7), (7, 7), (3, 7), (40, 100)])
def test_limits_of_a_share_are_those_of_scipy(right: int, count: int) -> None:
    reference = stats.binomtest(right, count).proportion_ci(method="wilson")
    assert chance.wilson(right, count) == pytest.approx((reference.low, reference.high), abs=1e-12)


@pytest.mark.parametrize("works", [2, 5, 9, 13])
def test_sign_flips_are_those_of_scipy(works: int) -> None:
    gaps = np.random.default_rng(works).normal(0.3, 0.5, works)
    reference = stats.permutation_test(
        (gaps, np.zeros(works)), lambda a, b: float(np.mean(a - b)), permutation_type="samples", n_resamples=np.inf
    )
    assert chance.sign_flips("test", gaps) == pytest.approx(reference.pvalue)


def test_drawn_sign_flips_are_near_the_exact_ones() -> None:
    gaps = np.random.default_rng(3).normal(0.15, 0.5, chance.MOST_EXACT + 1)
    sums = np.zeros(1)
    for gap in gaps:
        sums = np.concatenate([sums - gap, sums + gap])
    exact = np.mean(np.abs(sums) >= abs(gaps.sum()) - 1e-9)
    assert chance.sign_flips("test", gaps) == pytest.approx(exact, abs=0.01)


def test_systems_that_do_not_differ_are_not_told_apart() -> None:
    assert chance.sign_flips("test", np.zeros(9)) == 1
    rows = drawn_rows(2, 6, 12)
    label = predicted(np.random.default_rng(4), rows, 0.7, 0.1)
    found = comparison.difference(rows, label, label)
    assert found["difference"] == 0
    assert found["interval"]["low"] is None
    assert found["interval"]["reason"] == "they predict the same in every row"


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 9), (5, 5), (40, 71), (3000, 2900)])
def test_mcnemar_is_the_binomial_test_of_scipy(first: int, second: int) -> None:
    reference = stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert chance.mcnemar(first, second) == pytest.approx(reference, rel=1e-9)


def test_holm_is_the_stepwise_rule() -> None:
    values = [0.011, 0.04, 0.002, 0.3, 0.04]
    # Reject while the k-th smallest is at most the level over what is left: the level at which each is rejected.
    ordered = sorted(values)
    expected = []
    for value in values:
        steps = [ordered[place] * (len(values) - place) for place in range(ordered.index(value) + 1)]
        expected.append(min(1.0, max(steps)))
    found = chance.holm(values)
    assert found[:4] == pytest.approx(expected[:4])
    assert found[4] == found[1] or found[4] == pytest.approx(expected[4])


def test_draws_are_the_same_on_every_machine() -> None:
    assert chance.indices("test", 100, (6,)).tolist() == DRAWN
    assert chance.signs("test", (1, 8)).tolist() == SIGNS


DRAWN = [56, 53, 36, 62, 32, 18]
SIGNS = [[-1, -1, 1, -1, 1, 1, -1, -1]]


def test_draws_are_even() -> None:
    counts = np.bincount(chance.indices("even", 7, (70_000,)), minlength=7)
    assert stats.chisquare(counts).pvalue > 1e-4
    assert abs(int(chance.signs("even", (100, 1000)).sum())) < 1500


@pytest.mark.parametrize(("works", "mean", "spread"), [(9, 0.7, 0.1), (11, 0.5, 0.2), (45, 0.7, 0.2)])
def test_intervals_cover_the_truth(works: int, mean: float, spread: float) -> None:
    found = cover_mean(works, mean, spread, 500)
    assert 0.92 <= found.by["t"] <= 0.98
    assert 0.92 <= found.by["normal"] <= 0.98


def test_the_interval_of_macro_f1_covers_the_truth() -> None:
    assert 0.88 <= cover_macro_f1(4, 0.7, 0.15, 100).by["bootstrap"] <= 1


def test_the_sign_flip_test_errs_as_often_as_it_says() -> None:
    assert 0.02 <= size_of_sign_flips(9, 0.2, 1000) <= 0.07


def test_an_interval_says_how_many_authors_have_one_work() -> None:
    for works, expected in ((1, 6), (2, 0)):
        rows = drawn_rows(works, 6, 12)
        label = predicted(np.random.default_rng(4), rows, 0.7, 0.1)
        draws = intervals.macro_f1(intervals.resampled(rows, [label])[0])
        assert intervals.of_draws(draws, 0.7, rows)["authors_with_one_work"] == expected
