"""The engine of a Dask cluster: blocks are made, kept and worked on by its workers.

What is sent is paths, row groups and small results. A worker that dies takes
blocks with it, and Dask has the others read them again. No other file of the
package imports Dask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from fewest.exceptions import ParameterError, WorkerError
from fewest.scale.block import Block, RawBlock

try:
    from distributed import Client, KilledWorker, LocalCluster
except ImportError as error:  # the extra is not installed
    raise ParameterError(
        "Dask is not installed, so there is no cluster to work on. Install it with pip install 'fewest[dask]'."
    ) from error

# Results that are under way to the client at a time.
UNDER_WAY = 64
# How long a scheduler may take to answer.
PATIENCE = "10s"


@dataclass
class OnDask:
    """Runs work where the blocks are.

    Parameters
    ----------
    client : distributed.Client
    """

    client: Client

    @classmethod
    def from_client(cls, client: Any) -> OnDask:
        """Take a client, or connect to the scheduler at an address."""
        if isinstance(client, str):
            try:
                client = Client(client, timeout=PATIENCE, set_as_default=False)
            except (OSError, ValueError) as error:
                raise ParameterError(
                    f"No Dask scheduler answers at {client!r} ({error}). "
                    "Start one (dask scheduler), or correct the address."
                ) from None
        return cls(client)

    def read(self, read: Callable[[Any], Iterable[RawBlock]], pieces: Sequence[Any]) -> list[Any]:
        """Have every piece read by some worker, which keeps it."""
        return [
            self.client.submit(_read, read, piece, key=f"read {piece} {id(self)}-{number}", pure=False)
            for number, piece in enumerate(pieces)
        ]

    def change(self, work: Callable[..., Iterable[Block]], stacks: list[Any], arguments: Sequence[Any]) -> list[Any]:
        """Change stacks where they are."""
        return [
            self.client.submit(_changed, work, stack, argument, pure=False)
            for stack, argument in zip(stacks, arguments, strict=True)
        ]

    def each(self, work: Callable[..., Any], stacks: Sequence[Any], *arguments: Any) -> Iterator[Any]:
        """Fetch results in order, a few at a time."""
        for start in range(0, len(stacks), UNDER_WAY):
            part = stacks[start : start + UNDER_WAY]
            yield from self._gathered([self.client.submit(work, stack, *arguments, pure=False) for stack in part])

    def fold(
        self, work: Callable[..., Any], merge: Callable[[Any, Any], Any], stacks: Sequence[Any], *args: Any
    ) -> Any:
        """Merge neighbours on the workers, in a tree, and fetch the one that is left."""
        parts = [self.client.submit(work, stack, *args, pure=False) for stack in stacks]
        while len(parts) > 1:
            pairs = zip_longest(parts[::2], parts[1::2])
            parts = [a if b is None else self.client.submit(merge, a, b, pure=False) for a, b in pairs]
        return self._gathered(parts)[0]

    def relay(self, work: Callable[..., Any], stacks: Sequence[Any], state: Any, *arguments: Any) -> Any:
        """Have each stack worked on where it is, with what the one before it left."""
        for stack in stacks:
            state = self.client.submit(work, stack, state, *arguments, pure=False)
        return self._gathered([state])[0] if stacks else state

    def _gathered(self, futures: list[Any]) -> list[Any]:
        try:
            return self.client.gather(futures)
        except KilledWorker as error:
            raise WorkerError.from_task(error.task, error.allowed_failures) from None


@contextmanager
def connected(scheduler: str | None, workers: int | None) -> Iterator[Client]:
    """Yield a client of a scheduler, or of so many processes of this machine; None is one a core."""
    import logging

    logging.getLogger("distributed").setLevel(logging.ERROR)  # a worker that dies is its business, not the user's
    if scheduler is not None:
        engine = OnDask.from_client(scheduler)
        try:
            yield engine.client
        finally:
            engine.client.close()
        return
    with (
        LocalCluster(workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def _read(read: Callable[[Any], Iterable[RawBlock]], piece: Any) -> list[RawBlock]:
    return list(read(piece))


def _changed(work: Callable[..., Iterable[Block]], stack: Sequence[Any], argument: Any) -> list[Block]:
    return list(work(stack, argument))
