"""The engine of a Dask cluster: blocks are read, kept and worked on by its workers.

What is sent is paths, row groups and small results. The blocks of a worker that dies are lost, and Dask has the others
read them again. Only this file and `dask_collections` import Dask.
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any
from uuid import uuid4
from weakref import WeakSet

from fewest.blocks.block import Block, RawBlock
from fewest.exceptions import MissingExtraError, ParameterError, WorkerError

try:
    import dask
    from distributed import Client, KilledWorker, LocalCluster
    from distributed import Future as DaskFuture
    from distributed.scheduler import NoWorkerError
except ImportError as error:  # the extra is not installed
    raise MissingExtraError.from_extra("Working on a cluster", "Dask", "dask") from error

# Results that are under way to the client at a time.
UNDER_WAY = 64
# How long a scheduler may take to answer, and one of ours wait for workers when all are gone.
PATIENCE, WITHOUT_WORKERS = "10s", "60s"
# Seconds between two looks at a cluster of somebody else, and how long it may be without workers.
LOOK, ALONE = 2.0, 45.0
# Where it is logged, with stack traces, that a scheduler is gone; some have a level of their own.
LOGS = ("distributed", "distributed.client", "distributed.comm", "distributed.core", "distributed.utils", "asyncio")
# What Dask raises for tasks whose workers die.
LOST = (KilledWorker, NoWorkerError)


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
            self.client.submit(_read, read, piece, key=f"read {_shown(piece)} {uuid4().hex[:8]}-{number}", pure=False)
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
            results = [self.client.submit(work, stack, *arguments, pure=False) for stack in part]
            yield from self._gathered(results, stacks)

    def fold(
        self, work: Callable[..., Any], merge: Callable[[Any, Any], Any], stacks: Sequence[Any], *args: Any
    ) -> Any:
        """Merge neighbors on the workers, in a tree, and fetch the one that is left."""
        parts = [self.client.submit(work, stack, *args, pure=False) for stack in stacks]
        while len(parts) > 1:
            pairs = zip_longest(parts[::2], parts[1::2])
            parts = [a if b is None else self.client.submit(merge, a, b, pure=False) for a, b in pairs]
        return self._gathered(parts, stacks)[0]

    def relay(self, work: Callable[..., Any], stacks: Sequence[Any], state: Any, *arguments: Any) -> Any:
        """Have each stack worked on where it is, with what the one before it left."""
        for stack in stacks:
            state = self.client.submit(work, stack, state, *arguments, pure=False)
        return self._gathered([state], stacks)[0] if stacks else state

    def _gathered(self, futures: list[Any], stacks: Sequence[Any]) -> list[Any]:
        try:
            return self.client.gather(futures)
        except LOST as error:
            # Dask blames all that the dead workers had before them, begun or not, and raises one of these.
            blamed = [stack.exception() for stack in stacks if stack.status == "error"]
            raise _worker_error(error, [other for other in blamed if isinstance(other, type(error))]) from None


class Crew:
    """The workers of a cluster, for tasks that need no blocks: fits of candidates, units of an experiment.

    What many tasks need is kept as a task of its own, which its scheduler can repeat: data that were scattered
    would be lost with the worker that has them.

    Parameters
    ----------
    client : distributed.Client
    """

    def __init__(self, client: Client):
        self.client = client
        self._tasks: WeakSet[Any] = WeakSet()

    def __len__(self) -> int:
        """Count the tasks that run at a time."""
        return max(1, sum(self.client.nthreads().values()))

    def keep(self, what: Any) -> Any:
        """Send an object once; return a handle to use among the arguments of tasks."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")  # it has to go there once
            return self.client.submit(_same, what, pure=False)

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a task; return its future."""
        task, future = self.client.submit(work, *arguments, pure=False), Future[Any]()
        self._tasks.add(task)
        task.add_done_callback(partial(_settle, future))
        return future

    def run(self, work: Callable[..., Any], shares: Iterable[Any], *arguments: Any) -> list[Any]:
        """Return the results of ``work(share, *arguments)``, in order."""
        futures = [self.submit(work, share, *arguments) for share in shares]
        return [future.result() for future in futures]

    def cancel(self) -> None:
        """Give up what is not done yet."""
        self.client.cancel([task for task in self._tasks if not task.done()])


def _same(what: Any) -> Any:
    return what


def _settle(future: Future[Any], task: Any) -> None:
    """Pass the outcome of a task on to the future that stands for it."""
    try:
        future.set_result(task.result())
    except LOST as error:
        future.set_exception(_worker_error(error))
    except BaseException as error:  # whatever it is, it is for the caller
        future.set_exception(error)


def _worker_error(error: Any, others: Sequence[Any] = ()) -> WorkerError:
    """Return our error for what Dask raised for a task, and for others that failed alike."""
    tasks = sorted({str(lost.task) for lost in [error, *others]})
    if isinstance(error, KilledWorker):
        return WorkerError.from_tasks(tasks, error.allowed_failures)
    return WorkerError.from_absence(tasks, error.timeout)


@contextmanager
def connected(scheduler: str | None, workers: int | None) -> Iterator[Client]:
    """Yield a client of a scheduler, or of this many processes of this machine; None is one a core."""
    # A worker that dies, or that logs while its scheduler shuts down, is Dask's business, not the user's.
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if scheduler is not None:
        client = OnDask.from_client(scheduler).client
        watch = Watch(client)
        try:
            yield client
        except Exception as error:
            if watch.is_alone or client.status != "running":  # what is raised then is of many kinds
                raise WorkerError.from_cluster(scheduler, watch.is_alone) from error
            raise
        finally:
            watch.stop()
            client.close(timeout=1)
        return
    with (
        dask.config.set({"distributed.scheduler.no-workers-timeout": WITHOUT_WORKERS}),
        _started(workers) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


class Watch:
    """Look whether a cluster of somebody else still has workers, and close its client if it has had none for long.

    Its scheduler would wait for workers without end. Closing gives up everything that waits for a result.
    """

    def __init__(self, client: Client):
        self.client, self.is_alone = client, False
        self._stopped, self._last = threading.Event(), time.monotonic()
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(LOOK) and self.client.status == "running":
            with suppress(Exception):  # a scheduler that does not answer is noticed by the client itself
                if self.client.nthreads():
                    self._last = time.monotonic()
                elif time.monotonic() - self._last > ALONE:
                    self.is_alone = True
                    self.client.close(timeout=1)


def _started(workers: int | None) -> LocalCluster:
    """Start processes, without a warning about the port of a second cluster's dashboard."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Port .* is already in use")
        return LocalCluster(
            workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL
        )


def _shown(piece: Any) -> str:
    return "a partition" if isinstance(piece, DaskFuture) else str(piece)


def _read(read: Callable[[Any], Iterable[RawBlock]], piece: Any) -> list[RawBlock]:
    return list(read(piece))


def _changed(work: Callable[..., Iterable[Block]], stack: Sequence[Any], argument: Any) -> list[Block]:
    return list(work(stack, argument))
