"""Run an experiment: its units on all cores, every one kept as soon as it is measured."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from fewest.papers.experiment import Experiment, Outcome, Unit, judged
from fewest.papers.journal import Journal, key_of

JOURNAL = "units.jsonl"


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    n_done: int
    n_units: int
    seconds_left: float | None  # nothing is known before the first unit is measured


@contextmanager
def workers(n_jobs: int) -> Iterator[ProcessPoolExecutor | None]:
    """Give processes to run units in; none for one job, which runs here.

    They are started afresh, not forked: compiled code and its threads do not survive a fork.
    """
    if n_jobs == 1:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    pool = _Processes(n_jobs, mp_context=context, initializer=_begin)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)  # whoever interrupts does not want to wait
        raise
    pool.shutdown()


class _Processes(ProcessPoolExecutor):
    """Processes that do not hear Ctrl-C, not even while they are being started, which is when work is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have something done; an interrupt that comes meanwhile is raised here, after it."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # children inherit what is blocked
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Leave Ctrl-C to the parent, and end when it ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


class Pool(Protocol):
    """Processes that measure units: of this machine, or the crew of a cluster."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Have a unit measured."""


def run(
    experiment: Experiment,
    scale: str,
    folder: Path,
    pool: Pool | None = None,
    n_jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Measure what the journal in a folder does not have yet, and judge it all.

    A measurement depends on its unit alone, so that the outcome is the same
    however often the run was interrupted, and on however many processes it ran.
    """
    units = experiment.grid(scale)
    journal = Journal(folder / JOURNAL, experiment, units)
    clock = _Clock(experiment, units, journal, on_progress)
    try:
        # Long units first, so that no core waits for the last one.
        left = sorted((u for u in units if key_of(u) not in journal.known), key=experiment.cost, reverse=True)
        clock.report()
        for unit, measured in _measured(experiment, left, pool, n_jobs):
            journal.add(unit, measured)
            clock.tick(unit)
        return judged(experiment, scale, [(unit, journal.known[key_of(unit)]) for unit in units])
    finally:
        journal.close()


def _measured(experiment: Experiment, units: list[Unit], pool: Pool | None, n_jobs: int) -> Iterator[tuple[Unit, Any]]:
    """Yield units with what was measured, in the order in which they finish."""
    if pool is None:
        for unit in units:
            yield unit, experiment.measure(unit)
        return
    waiting: dict[Future[Any], Unit] = {}
    rest = iter(units)
    while True:
        # One more than there are processes, so that none waits for us.
        for unit in islice(rest, n_jobs + 1 - len(waiting)):
            waiting[pool.submit(experiment.measure, unit)] = unit
        if not waiting:
            return
        for done in wait(waiting, return_when=FIRST_COMPLETED).done:
            yield waiting.pop(done), done.result()


class _Clock:
    """Reports how far a run is, and estimates how long the rest takes from what was done in this one."""

    def __init__(
        self,
        experiment: Experiment,
        units: list[Unit],
        journal: Journal,
        on_progress: Callable[[Progress], None] | None,
    ) -> None:
        self._cost, self._on_progress = experiment.cost, on_progress
        self._n_units, self._started = len(units), time.monotonic()
        self._n_done = sum(key_of(unit) in journal.known for unit in units)
        self._left = sum(self._cost(unit) for unit in units if key_of(unit) not in journal.known)
        self._spent = 0.0

    def tick(self, unit: Unit) -> None:
        """Count a unit."""
        self._n_done += 1
        self._left -= self._cost(unit)
        self._spent += self._cost(unit)
        self.report()

    def report(self) -> None:
        """Report how far the run is, if somebody listens."""
        if self._on_progress is None:
            return
        elapsed = time.monotonic() - self._started
        left = elapsed * max(self._left, 0.0) / self._spent if self._spent else None
        self._on_progress(Progress(self._n_done, self._n_units, left))
