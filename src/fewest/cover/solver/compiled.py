"""Covers in compiled code, some nodes at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fewest.cover.kernels.covers import EXHAUSTED, FOUND, Stack, advance, branch, next_cover, order
from fewest.cover.solver.plain import Check, Limits, TooManyNodesError
from fewest.kernels import bits


class CompiledEngine:
    """The search of `PlainEngine`, node for node."""

    # Nodes between two looks at the clock.
    NODES_PER_CALL = 200_000

    def __init__(self, units: np.ndarray, allowed: np.ndarray, limits: Limits):
        self.limits = limits
        self.units = units
        self.allowed = allowed
        members = bits.members(allowed)
        self.cheapest = int(units[members].min()) if members else 1
        self.conflicts = np.empty((0, len(allowed)), dtype=np.uint64)
        self.n_nodes = 0
        self.most_nodes = float("inf")
        self._stack: Stack | None = None

    def add(self, words: np.ndarray) -> None:
        """Add conflicts, also to the nodes of a search under way."""
        self.conflicts = np.concatenate([self.conflicts, words.T & self.allowed])
        if self._stack is not None:
            self._stack = self._reopened(self._stack)

    def used(self) -> list[int]:
        """Return the conflicts branched on or cut with."""
        return [] if self._stack is None else np.flatnonzero(self._stack.used).tolist()

    def covers(self, limit: int, check: Check) -> Iterator[tuple[int, ...]]:
        """Search from the root."""
        while len(self.conflicts) == 0:
            yield ()
            if len(self.conflicts) == 0:
                return
        stack = self._stack = self._fresh(limit)
        branch(self.conflicts, stack, 0)
        order(self.conflicts, stack, 0)
        while True:
            n_nodes = int(min(self.NODES_PER_CALL, self.most_nodes + 1 - self.n_nodes))
            status, n_nodes = next_cover(self.conflicts, stack, self.units, self.cheapest, n_nodes)
            self.n_nodes += n_nodes
            if self.n_nodes > self.most_nodes:
                raise TooManyNodesError
            if status == EXHAUSTED:
                return
            check()
            if status != FOUND:
                continue
            n_before = len(self.conflicts)
            for cover in self._found(stack):
                yield cover
                if len(self.conflicts) > n_before:
                    break
            if len(self.conflicts) == n_before:
                advance(stack)
            stack = self._stack

    def _found(self, stack: Stack) -> list[tuple[int, ...]]:
        depth = int(stack.depth[0])
        chosen = tuple(int(stack.choices[d, stack.at[d]]) for d in range(depth + 1))
        left = int(stack.left[depth]) - int(self.units[chosen[-1]])
        rest = [y for y in bits.members(stack.rest) if self.units[y] <= left]
        return [(*chosen, y) for y in rest] if stack.rest.any() else [chosen]

    def _fresh(self, limit: int) -> Stack:
        n_words = len(self.allowed)
        depths = min(limit // self.cheapest, len(bits.members(self.allowed))) + 2
        n_conflicts = len(self.conflicts)
        stack = Stack(
            depth=np.zeros(1, dtype=np.int64),
            open=np.zeros((depths, n_conflicts), dtype=np.int32),
            n_open=np.zeros(depths, dtype=np.int64),
            banned=np.tile(~self.allowed, (depths, 1)),
            choices=np.zeros((depths, n_words * bits.WORD), dtype=np.int32),
            n_choices=np.zeros(depths, dtype=np.int64),
            at=np.zeros(depths, dtype=np.int64),
            left=np.full(depths, limit, dtype=np.int64),
            room=np.tile(self.limits[0], (depths, 1)),
            limited=self.limits[1],
            rest=np.zeros(n_words, dtype=np.uint64),
            used=np.zeros(n_conflicts, dtype=bool),
        )
        stack.open[0] = np.arange(n_conflicts)
        stack.n_open[0] = n_conflicts
        return stack

    def _reopened(self, stack: Stack) -> Stack:
        """Return the stack with the conflicts that were added: those that a node's choices do not cover are open."""
        n_before, n_now = stack.open.shape[1], len(self.conflicts)
        opened = np.zeros((len(stack.open), n_now), dtype=np.int32)
        opened[:, :n_before] = stack.open
        new = np.arange(n_before, n_now)
        for depth in range(int(stack.depth[0]) + 1):
            if depth:
                x = int(stack.choices[depth - 1, stack.at[depth - 1]])
                new = new[self.conflicts[new, x >> 6] >> np.uint64(x & 63) & np.uint64(1) == 0]
            n_open = stack.n_open[depth]
            opened[depth, n_open : n_open + len(new)] = new
            stack.n_open[depth] += len(new)
        used = np.concatenate([stack.used, np.zeros(n_now - n_before, dtype=bool)])
        return stack._replace(open=opened, used=used)
