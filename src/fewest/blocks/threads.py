"""Run blocks on threads: kernels release the GIL, so that two blocks run at a time where there are two cores."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from numbers import Integral
from typing import Any, TypeVar

import numpy as np

from fewest.budget import work_clock
from fewest.exceptions import ParameterError

Share = TypeVar("Share")
Part = TypeVar("Part")


def n_workers(n_jobs: int | None) -> int:
    """Return how many threads ``n_jobs`` asks for, as scikit-learn and joblib count.

    None is one thread, unless ``joblib.parallel_config`` says otherwise; -1 is one a core, -2 one less. What a
    container or ``LOKY_MAX_CPU_COUNT`` allows counts as the cores, and a worker of joblib has its share of them.
    """
    if isinstance(n_jobs, bool | np.bool_) or not isinstance(n_jobs, Integral | None) or n_jobs == 0:
        raise ParameterError(
            f"n_jobs={n_jobs!r} is no number of threads. Give 1, 2, ..., -1 for one a core, or None for one thread."
        )
    from joblib import effective_n_jobs

    return effective_n_jobs(None if n_jobs is None else int(n_jobs))


def in_order(work: Callable[[Share], Part], shares: Iterable[Share], n_threads: int) -> Iterator[Part]:
    """Yield the results of all shares in their order, whichever is ready first.

    The thread that asks works too, on what no other has begun. A few more
    shares than threads are under way, so that memory stays bounded. Who asks for no more waits for shares that were
    begun, but not for a compiler.
    """
    if n_threads == 1:
        yield from map(work, shares)
        return
    waiting: deque[tuple[Share, Future[Part]]] = deque()
    pool = ThreadPoolExecutor(n_threads - 1)
    try:
        for share in shares:
            waiting.append((share, pool.submit(work, share)))
            if len(waiting) > n_threads + 1:  # enough for the others while this one works
                yield _first(waiting, work)
        while waiting:
            yield _first(waiting, work)
    finally:
        pool.shutdown(wait=not work_clock.is_standing, cancel_futures=True)  # compiling may last, after Ctrl-C


def _first(waiting: deque[tuple[Share, Future[Part]]], work: Callable[[Share], Part]) -> Part:
    """Return the result of the first share that waits, and work on others until it is there."""
    while not waiting[0][1].done():
        begun = next((k for k in range(len(waiting)) if waiting[k][1].cancel()), None)
        if begun is None:
            break
        share, own = waiting[begun][0], Future[Part]()
        waiting[begun] = share, own
        try:
            own.set_result(work(share))
        except Exception as error:  # raised when it is this share's turn
            own.set_exception(error)
    return waiting.popleft()[1].result()


@contextmanager
def serial_products() -> Iterator[None]:
    """Keep NumPy's matrix products from starting threads of their own.

    Where blocks already run on all cores, products that spread over these
    cores as well wait for each other, and take up to three times as long.
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> Any:
    """Find the library that NumPy multiplies with, once: it takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
