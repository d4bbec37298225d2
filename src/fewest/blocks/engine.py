"""Engines run work over blocks, on threads of this machine or on the workers of a cluster, with the same result.

Rows come in *stacks*: lists of consecutive blocks that stay together on one worker. An engine keeps stacks where they
were read, runs work over each, and merges the results in the order of the rows.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from fewest.blocks import memory
from fewest.blocks.block import Block, RawBlock, SpilledBlock
from fewest.blocks.threads import in_order, n_workers
from fewest.exceptions import SpillError

Stack = Sequence[Any]
"""Blocks of consecutive rows; some of them perhaps on disk."""


class Engine(Protocol):
    """Keeps stacks and runs work on them. Callers hold handles of stacks: only work ever sees the blocks."""

    def read(self, read: Callable[[Any], Iterable[RawBlock]], pieces: Sequence[Any]) -> list[Any]:
        """Read pieces into stacks; return their handles in order."""

    def change(self, work: Callable[..., Iterable[Block]], stacks: list[Any], arguments: Sequence[Any]) -> list[Any]:
        """Replace every stack by what ``work(stack, argument)`` yields, each with an argument of its own."""

    def each(self, work: Callable[..., Any], stacks: Sequence[Any], *arguments: Any) -> Iterator[Any]:
        """Yield the result of ``work(stack, *arguments)`` for every stack, in order."""

    def fold(
        self, work: Callable[..., Any], merge: Callable[[Any, Any], Any], stacks: Sequence[Any], *args: Any
    ) -> Any:
        """Merge the results of all stacks, each with that of the stack after it."""

    def relay(self, work: Callable[..., Any], stacks: Sequence[Any], state: Any, *arguments: Any) -> Any:
        """Pass a state from stack to stack, as a baton: ``state = work(stack, state, *arguments)``, in order.

        The rows stay where they are, and what is learned from them moves. Work must not alter the state that it is
        given, since it may be given it again when a worker is lost.
        """


@dataclass
class Threads:
    """The engine of one machine: blocks in memory as long as they fit, on disk beyond that.

    Parameters
    ----------
    n_jobs : int or None, default=None
        As scikit-learn counts threads.
    memory : float, optional
        Bytes that blocks may take; half of what is free by default.
    """

    n_jobs: int | None = None
    memory: float | None = None

    def __post_init__(self) -> None:
        self.storage = BlockStorage(memory.available_memory() / 2 if self.memory is None else self.memory)

    def read(self, read: Callable[[Any], Iterable[RawBlock]], pieces: Sequence[Any]) -> list[Stack]:
        """Read pieces on threads; every block is a stack, so that one long file keeps all threads busy later."""

        def work(piece: Any) -> list[Any]:
            return [self.storage.put(block) for block in read(piece)]

        threads = min(n_workers(self.n_jobs), max(1, len(pieces)))
        return [[block] for blocks in in_order(work, pieces, threads) for block in blocks]

    def change(
        self, work: Callable[..., Iterable[Block]], stacks: list[Stack], arguments: Sequence[Any]
    ) -> list[Stack]:
        """Change stacks one after the other, so that only a few exist twice."""

        def changed(numbered: tuple[int, Any]) -> Stack:
            number, argument = numbered
            old, stacks[number] = stacks[number], ()
            new = [self.storage.put(block) for block in work(old, argument)]
            self.storage.drop(old)
            return new

        return list(in_order(changed, list(enumerate(arguments)), n_workers(self.n_jobs)))

    def each(self, work: Callable[..., Any], stacks: Sequence[Stack], *arguments: Any) -> Iterator[Any]:
        """Run on threads."""
        return in_order(lambda stack: work(stack, *arguments), stacks, n_workers(self.n_jobs))

    def fold(
        self, work: Callable[..., Any], merge: Callable[[Any, Any], Any], stacks: Sequence[Stack], *args: Any
    ) -> Any:
        """Run on threads over a few long stacks, since what is merged may be larger than a block."""
        n_stacks = -(-len(stacks) // (4 * n_workers(self.n_jobs)))
        long = [list(chain.from_iterable(stacks[k : k + n_stacks])) for k in range(0, len(stacks), n_stacks)]
        return reduce(merge, self.each(work, long, *args))

    def relay(self, work: Callable[..., Any], stacks: Sequence[Stack], state: Any, *arguments: Any) -> Any:
        """Pass the state from stack to stack."""
        for stack in stacks:
            state = work(stack, state, *arguments)
        return state


class BlockStorage:
    """Keeps blocks in memory up to a number of bytes, and on disk from then on."""

    def __init__(self, memory: float):
        self._memory, self._used, self._n_spilled = memory, 0, 0
        self._folder: tempfile.TemporaryDirectory | None = None
        self._lock = Lock()

    @property
    def n_spilled(self) -> int:
        """Return how many blocks went to disk."""
        return self._n_spilled

    def put(self, block: Any) -> Any:
        """Keep a block; return what stands for it."""
        path = self._place(block.n_bytes)
        if path is None:
            return block
        try:
            if isinstance(block, Block):
                return SpilledBlock(block, path)
            path.write_bytes(pickle.dumps(block, protocol=5))
        except OSError as error:
            raise SpillError.from_reason(path.parent.parent, error.strerror or str(error)) from None
        return path

    def drop(self, stack: Stack) -> None:
        """Free the blocks of a stack."""
        for block in stack:
            if isinstance(block, Path):
                block.unlink()
            else:
                with self._lock:
                    self._used -= block.n_bytes

    def _place(self, n_bytes: int) -> Path | None:
        """Return the file for a block of that size, None if it can stay in memory."""
        with self._lock:
            if self._used + n_bytes <= self._memory:
                self._used += n_bytes
                return None
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="fewest-")
            self._n_spilled += 1
            return Path(self._folder.name, f"block-{self._n_spilled}")
