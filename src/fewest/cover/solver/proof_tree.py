"""The proof of a lower bound as a tree: which conflict every node of a search without bounds branches on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest.budget import Budget
from fewest.cover.kernels.proof_tree import COVERED, WRITTEN, Nodes, write_tree
from fewest.cover.solver.problem import CoverProblem
from fewest.kernels import bits
from fewest.kernels.compile_or_not import compiles

KERNELS = "fewest.cover.kernels.proof_tree"
# Conflicts that a tree names at most: some 6 megabytes of a file. Between two looks at the clock so many are written.
MOST_NAMED, PART = 1 << 22, 1 << 15
# What naming one takes plain Python, about, and what naming one takes of nodes of a search that counts.
NANOSECONDS, NAMED_PER_NODE = 100_000.0, 10


@dataclass(frozen=True)
class ProofTree:
    """A tree, as `fewest.cover.kernels.proof_tree` writes it.

    Attributes
    ----------
    order : tuple of int
        The features, in the order in which a node tries them.
    conflicts : uint32 array
        The positions, among ``kept``, of the conflicts that its nodes name.
    kept : int array
        The conflicts that it names at all: positions among those of the problem, the most frequent first.
    """

    order: tuple[int, ...]
    conflicts: np.ndarray
    kept: np.ndarray


def proof_tree(problem: CoverProblem, bound: int, n_nodes: int = 0, budget: Budget | None = None) -> ProofTree | None:
    """Write down why no cover costs less than so many units; None when the tree would be too large.

    Parameters
    ----------
    problem : CoverProblem
        Its conflicts must force the bound.
    bound : int
    n_nodes : int
        Nodes that the search took, by which the work is foreseen.
    budget : Budget, optional
        Raises `OutOfBudgetError` when its time is over before the tree is written.
    """
    n_features = problem.n_features
    included, excluded = (bits.mask(some, n_features) for some in (problem.include, problem.exclude))
    left = bound - 1 - problem.units_of(problem.include)
    if left < 0:
        return ProofTree((), np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.intp))
    known = bits.missed(problem.words, included)
    known = known[np.argsort(bits.sizes(problem.words[:, known]), kind="stable")]
    rows = bits.unpack(problem.words[:, known] & ~excluded[:, None], n_features)
    # What is tried first is banned for all siblings: the features of the most conflicts.
    order = np.argsort(-rows.sum(axis=0), kind="stable")
    order = order[rows[:, order].any(axis=0)]
    named = _named(problem, np.ascontiguousarray(bits.pack(rows[:, order]).T), order, left, n_nodes, budget or Budget())
    if named is None:
        return None
    used, places, counts = np.unique(named, return_inverse=True, return_counts=True)
    by_count = np.argsort(-counts, kind="stable")
    rank = np.empty(len(used), dtype=np.uint32)
    rank[by_count] = np.arange(len(used))
    return ProofTree(tuple(order.tolist()), rank[places], known[used[by_count]])


def _named(
    problem: CoverProblem, conflicts: np.ndarray, order: np.ndarray, left: int, n_nodes: int, budget: Budget
) -> np.ndarray | None:
    """Return the conflicts that the nodes name, in order."""
    units = problem.units[order]
    cheapest = int(units.min(initial=left + 1))
    room, words = problem.limits
    limited = np.ascontiguousarray(bits.pack(bits.unpack(words.T, problem.n_features)[:, order]).T)
    nodes = _root(conflicts, min(left // cheapest, len(order)) + 2, left, room)
    nodes.banned[0] = ~bits.mask(range(len(order)), len(order))
    for full in limited[room == 0]:
        nodes.banned[0] |= full
    write = write_tree.compiled if compiles(n_nodes * NAMED_PER_NODE * NANOSECONDS * 1e-9, KERNELS) else write_tree
    parts: list[np.ndarray] = []
    status, n_named = None, 0
    while status != WRITTEN:
        if n_named > MOST_NAMED:
            return None
        budget.check(lambda: "writing the tree of the proof")
        written = np.empty(PART + 64 * conflicts.shape[1], dtype=np.uint32)
        status, n_written = write(conflicts, nodes, np.append(units, cheapest), limited, written)
        assert status != COVERED, "the conflicts force the bound"
        parts.append(written[:n_written])
        n_named += int(n_written)
    return np.concatenate(parts)


def _root(conflicts: np.ndarray, depths: int, left: int, room: np.ndarray) -> Nodes:
    n_conflicts, n_words = conflicts.shape
    nodes = Nodes(
        depth=np.zeros(1, dtype=np.int64),
        open=np.zeros((depths, n_conflicts), dtype=np.int32),
        n_open=np.zeros(depths, dtype=np.int64),
        banned=np.zeros((depths, n_words), dtype=np.uint64),
        conflict=np.full(depths, -1, dtype=np.int64),
        choice=np.zeros(depths, dtype=np.int64),
        left=np.full(depths, left, dtype=np.int64),
        room=np.tile(room, (depths, 1)),
        rest=np.zeros(n_words, dtype=np.uint64),
    )
    nodes.open[0] = np.arange(n_conflicts)
    nodes.n_open[0] = n_conflicts
    return nodes
