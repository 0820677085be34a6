"""The best single-rooted tree: compared with all trees of short sentences."""

from __future__ import annotations

import itertools
import math
import time
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machine.check import find_cycle
from machine.interface import MachineError
from machine.tree import best_tree

SCORE = st.one_of(st.integers(-20, 20).map(float), st.just(-math.inf))
ROWS = {n: st.lists(st.lists(SCORE, min_size=n + 1, max_size=n + 1), min_size=n, max_size=n) for n in range(1, 7)}


@lru_cache
def all_trees(length: int) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    """Return every list of heads that is a tree with one root."""
    choices = [[head for head in range(length + 1) if head != token] for token in range(1, length + 1)]
    return np.array([h for h in itertools.product(*choices) if h.count(0) == 1 and not find_cycle(h)])


def best_total(matrix: list[list[float]]) -> float:
    """Return the total of the best of all trees, -inf when none is allowed."""
    scores, trees = np.array(matrix), all_trees(len(matrix))
    return float(scores[np.arange(len(matrix)), trees].sum(axis=1).max())


def is_tree(heads: list[int]) -> bool:
    return heads.count(0) == 1 and not find_cycle(heads)


def test_there_are_as_many_trees_as_there_should_be() -> None:
    # Cayley: n^(n-1) rooted labelled trees.
    assert [len(all_trees(length)) for length in range(1, 7)] == [1, 2, 9, 64, 625, 7776]


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 6).flatmap(ROWS.__getitem__))
def test_no_tree_is_better(matrix: list[list[float]]) -> None:
    best = best_total(matrix)
    if best == -math.inf:
        with pytest.raises(MachineError, match="expected one tree of arcs that are allowed, found none"):
            best_tree(matrix)
        return
    heads = best_tree(matrix)
    assert is_tree(heads)
    assert sum(row[head] for row, head in zip(matrix, heads, strict=True)) == best
    assert best_tree(matrix) == heads


def test_the_root_is_not_the_greedy_one() -> None:
    # Both tokens would best be roots; the first is the better root, but then the second hangs badly on it.
    assert best_tree([[5, 0, 4], [4, -9, 0]]) == [2, 0]


def test_two_greedy_roots_and_a_cycle_become_one_tree() -> None:
    matrix = [[9.0, 0, 1, 0], [8.0, 2, 0, 0], [0.0, 0, 3, 0]]
    assert best_tree(matrix) == [0, 1, 2]
    assert best_tree([[0.0, 0, 9, 1], [1.0, 9, 0, 1], [5.0, 1, 1, 0]]) in ([3, 1, 0], [2, 3, 0])


def test_one_root_even_where_scores_are_far_apart() -> None:
    # A penalty large enough to outweigh these scores would swallow the small difference between the two trees.
    matrix = [[1e15, 0, 0.25], [1e15, 0.5, 0]]
    assert best_tree(matrix) == [0, 1]


def test_equal_arcs_go_to_the_lower_head() -> None:
    assert best_tree([[0.0, 0, 0, 0]] * 3) == best_tree([[0.0, 0, 0, 0]] * 3)
    assert best_tree([[0.0, 9, 5, 5], [9.0, 0, 9, 0], [0.0, 7, 7, 9]]) == [2, 0, 1]


def test_the_own_arc_does_not_count_and_the_scores_are_left_alone() -> None:
    scores = np.array([[1.0, np.nan, 0.0], [0.0, 1.0, np.inf]])
    before = scores.copy()
    assert best_tree(scores) == [0, 1]
    assert np.array_equal(scores, before, equal_nan=True)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([[0.0, 0.0, math.nan], [0.0, 0.0, 0.0]], "arc scores: expected numbers, found nan for token 1 under head 2"),
        ([[0.0, 0.0, 0.0], [math.inf, 0.0, 0.0]], "arc scores: expected numbers, found inf for token 2 under head 0"),
        ([[0.0, 0.0]] * 2, r"arc scores: expected n rows of n \+ 1 columns, found the shape \(2, 2\)"),
        ([[-math.inf, 0.0]], "arc scores: expected one tree of arcs that are allowed, found none"),
        ([[0.0, 0.0, -math.inf], [0.0, -math.inf, 0.0]], "arc scores: expected one tree of arcs that are allowed"),
    ],
)
def test_scores_without_a_tree_are_an_error(scores: list[list[float]], expected: str) -> None:
    with pytest.raises(MachineError, match=expected):
        best_tree(scores)


def test_the_longest_sentences_take_milliseconds() -> None:
    generator = np.random.default_rng(917)
    matrices = [generator.normal(size=(185, 186)) for _ in range(5)]
    assert is_tree(best_tree(matrices[0]))
    begin = time.process_time()
    assert all(is_tree(best_tree(matrix)) for matrix in matrices)
    assert (time.process_time() - begin) / len(matrices) < 0.05
