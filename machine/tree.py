"""From the scores of a parser to a tree: the single-rooted spanning tree of the greatest sum of arc scores.

Parsers that score every arc choose the best head of each token, which need not give a tree. Here the best *tree* is
found, by Chu-Liu and Edmonds; among the trees with one root the best is taken exactly, not the best tree for a root
that was chosen before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from machine.check import find_cycle
from machine.interface import MachineError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Scores = npt.NDArray[np.float64]
    Nodes = npt.NDArray[np.intp]


def best_tree(scores: npt.ArrayLike) -> list[int]:
    """Return the heads of the best tree with one root, 0 for the root and else numbers from 1.

    Args:
        scores: a row per token and a column per head, the root first: ``scores[i, j]`` is how good token ``j`` is as
            head of token ``i + 1``. Sums count, so logarithms of probabilities are the thing. ``-inf`` forbids an arc.
            What stands at the place of a token's own arc is ignored.

    The same scores always give the same tree: of equal arcs the head with the lower number goes first.

    Raises:
        MachineError: another shape, a NaN or infinite score, or no tree of arcs that are allowed.
    """
    import numpy as np

    matrix = np.array(scores, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[1] != matrix.shape[0] + 1 or not matrix.size:
        raise MachineError(f"arc scores: expected n rows of n + 1 columns, found the shape {matrix.shape}")
    length = len(matrix)
    matrix[np.arange(length), np.arange(1, length + 1)] = -np.inf
    if np.isnan(matrix).any() or np.isposinf(matrix).any():
        row, column = np.argwhere(np.isnan(matrix) | np.isposinf(matrix))[0]
        raise MachineError(
            f"arc scores: expected numbers, found {matrix[row, column]} for token {row + 1} under head {column}"
        )
    heads = matrix.argmax(axis=1)
    chosen = heads.tolist()
    if chosen.count(0) == 1 and not find_cycle(chosen) and not np.isneginf(matrix[np.arange(length), heads]).any():
        return list(chosen)
    # graph[head, dependent] with the root as node 0, which no arc leads to.
    forbidden = np.ones((length + 1, length + 1), dtype=bool)
    forbidden[:, 1:] = np.isneginf(matrix).T
    graph = np.zeros((length + 1, length + 1))
    graph[:, 1:] = matrix.T
    graph[forbidden] = 0.0
    costs = np.zeros((length + 1, length + 1))
    costs[0] = -1.0
    costs[forbidden] = -np.inf
    found = _spanning_tree(graph, costs)
    if found is None or found.count(0) != 1:
        raise MachineError("arc scores: expected one tree of arcs that are allowed, found none")
    return found


def _spanning_tree(scores: Scores, costs: Scores) -> list[int] | None:
    """Return the heads of nodes 1 to n in the best spanning tree from node 0; None when there is none.

    An arc weighs first by its cost, then by its score: with a cost of -1 for every arc of the root, the tree with
    fewest of them wins whatever the scores are, and nothing is lost by adding large numbers to small ones. Arcs of cost
    ``-inf`` are forbidden.

    The best arc into every node is chosen. As long as some of them form a cycle, it becomes one node, under the number
    of its first: an arc into it is as good as it is better than the arc of the cycle that it replaces. At last the
    cycles are opened again, from the newest on, at the node where the tree enters them. Both matrices are used up.
    """
    import numpy as np

    size = len(scores)
    every = np.arange(size)
    heads = _best_rows(scores, costs)
    heads[0] = 0
    if np.isneginf(costs[heads, every][1:]).any():
        return None
    contracted: list[tuple[Nodes, Nodes, Nodes, Nodes]] = []
    while found := find_cycle(heads[1:].tolist()):
        cycle = np.array(sorted(found))
        node, gone, inner = cycle[0], cycle[1:], heads[cycle]
        into_scores = scores[:, cycle] - scores[inner, cycle]
        into_costs = costs[:, cycle] - costs[inner, cycle]
        from_scores, from_costs = scores[cycle], costs[cycle]
        entries = _best_rows(into_scores.T, into_costs.T)
        exits = _best_rows(from_scores, from_costs)
        contracted.append((cycle, inner, entries, exits))
        scores[:, node], costs[:, node] = into_scores[every, entries], into_costs[every, entries]
        scores[node], costs[node] = from_scores[exits, every], from_costs[exits, every]
        costs[cycle, node] = -np.inf
        costs[gone], costs[:, gone] = -np.inf, -np.inf
        heads[np.isin(heads, cycle)] = node
        # Nodes that are gone hang on the root, where they are in nobody's way, until their cycle is opened.
        heads[gone] = 0
        heads[node] = _best_rows(scores[:, [node]], costs[:, [node]])[0]
        if np.isneginf(costs[heads[node], node]):
            return None
    for cycle, inner, entries, exits in reversed(contracted):
        entering = heads[cycle[0]]
        heads = np.where(heads == cycle[0], cycle[exits], heads)
        heads[cycle] = inner
        heads[cycle[entries[entering]]] = entering
    return [int(head) for head in heads[1:]]


def _best_rows(scores: Scores, costs: Scores) -> Nodes:
    """Return for each column the row that is best by cost, then by score, then by number."""
    import numpy as np

    best: Nodes = np.where(costs == costs.max(axis=0), scores, -np.inf).argmax(axis=0)
    return best
