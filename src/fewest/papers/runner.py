"""Run an experiment: its units on all cores, every one kept as soon as it is measured.

The journal holds what was measured so far, a line a unit, so that a killed run goes on where it was.
"""

from __future__ import annotations

import inspect
import json
import multiprocessing
import os
import re
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from zlib import crc32

from fewest.exceptions import CheckpointError, DamagedJournalWarning
from fewest.kernels.compile_or_not import repeated
from fewest.papers.experiment import DECIDE, Experiment, Outcome, Unit, judged
from fewest.papers.sequential import Look, look_at
from fewest.reading import parsed_json, read_whole
from fewest.version import __version__
from fewest.writing import hold

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
    At scale "decide" an experiment that has a plan goes on as that says.
    """
    units = experiment.units(scale)
    journal = Journal(folder / JOURNAL, experiment, units)
    plan = experiment.plan if scale == DECIDE else None
    looks: tuple[Look, ...] = ()
    try:
        _measure_all(experiment, units, journal, pool, n_jobs, on_progress)
        while plan is not None:
            found = [(unit, journal.known[key_of(unit)]) for unit in units]
            runs = plan.runs_at(len(looks))
            looks += (look_at(judged(experiment, scale, found).checks, plan, runs),)
            if not looks[-1].undecided or len(looks) == plan.looks:
                break
            more = plan.between(runs, plan.runs_at(len(looks)))
            _measure_all(experiment, more, journal, pool, n_jobs, on_progress)
            units = units + more
        return judged(experiment, scale, [(unit, journal.known[key_of(unit)]) for unit in units], looks)
    finally:
        journal.close()


def _measure_all(
    experiment: Experiment,
    units: list[Unit],
    journal: Journal,
    pool: Pool | None,
    n_jobs: int,
    on_progress: Callable[[Progress], None] | None,
) -> None:
    """Measure what the journal does not have, long units first, so that no core waits for the last one."""
    clock = _Clock(experiment, units, journal, on_progress)
    left = sorted((u for u in units if key_of(u) not in journal.known), key=experiment.cost, reverse=True)
    clock.report()
    for unit, measured in _measured(experiment, left, pool, n_jobs):
        journal.add(unit, measured)
        clock.tick(unit)


def _measured(experiment: Experiment, units: list[Unit], pool: Pool | None, n_jobs: int) -> Iterator[tuple[Unit, Any]]:
    """Yield units with what was measured, in the order in which they finish."""
    n_times = 1 if experiment.is_timed else len(units)
    if pool is None:
        for unit in units:
            yield unit, _measure(experiment.measure, unit, n_times)
        return
    waiting: dict[Future[Any], Unit] = {}
    rest = iter(units)
    while True:
        # One more than there are processes, so that none waits for us.
        for unit in islice(rest, n_jobs + 1 - len(waiting)):
            waiting[pool.submit(_measure, experiment.measure, unit, n_times)] = unit
        if not waiting:
            return
        for done in wait(waiting, return_when=FIRST_COMPLETED).done:
            yield waiting.pop(done), done.result()


def _measure(measure: Callable[[Unit], Any], unit: Unit, n_times: int) -> Any:
    """Measure a unit, one of so many: machine code that the machine has kept is loaded for all of them."""
    with repeated(n_times):
        return measure(unit)


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


# Imports within a function, on one line or in parentheses.
IMPORTS = re.compile(r"^[ \t]+(?:from [\w.]+ )?import (?:\([^)]*\)|[^\n(]+)\n", re.MULTILINE)


class Journal:
    """A file of lines that only grows.

    The first line states what the journal is about; a journal about something
    else, another grid, another version or another text of what measures, is
    begun again. A line is written at once and reaches the disk before the next
    is begun; the half of a line that a kill may leave is cut off.
    """

    def __init__(self, path: Path, experiment: Experiment, units: list[Unit]) -> None:
        self.path = path
        self.known: dict[str, Any] = {}
        heading = {
            "experiment": experiment.name,
            "version": __version__,
            "grid": _digest("\n".join(key_of(unit) for unit in units)),
            "code": _digest(_code_of(experiment)),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise CheckpointError.from_stranger(path)
        self._file = path.open("a+b", buffering=0)
        try:
            hold(self._file, path)
            self._read(heading, units)
        except BaseException:
            self._file.close()
            raise
        if not os.fstat(self._file.fileno()).st_size:
            self._append(heading)

    def _read(self, heading: dict[str, Any], units: list[Unit]) -> None:
        whole, _, half = read_whole(self.path).rpartition(b"\n")
        first, *lines = whole.split(b"\n")
        begun = _record(first)
        if begun != heading:
            if whole.strip() and not (isinstance(begun, dict) and "experiment" in begun):
                warnings.warn(DamagedJournalWarning.from_path(self.path, "The first line"), stacklevel=2)
            self._file.truncate(0)
            return
        if half:
            self._file.truncate(len(whole) + 1)
        n_lost = 0
        for line in lines:
            record = _record(line)
            if isinstance(record, dict) and record.get("check") == _check(record):
                self.known[key_of(record["unit"])] = record["measured"]
            else:
                n_lost += 1
        if n_lost and any(key_of(unit) not in self.known for unit in units):
            lost = f"{n_lost:,} line{'s' * (n_lost > 1)}"
            warnings.warn(DamagedJournalWarning.from_path(self.path, lost), stacklevel=2)

    def add(self, unit: Unit, measured: Any) -> Any:
        """Keep a measurement, and return it as it will be read again."""
        record = json.loads(json.dumps({"unit": unit, "measured": measured}))
        self._append({**record, "check": _check(record)})
        self.known[key_of(unit)] = record["measured"]
        return record["measured"]

    def _append(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _record(line: bytes) -> Any:
    """Return what a line of a journal says; None if it is damaged."""
    try:
        return parsed_json(line)
    except ValueError:
        return None


def _check(record: Mapping[str, Any]) -> int:
    """Return the check sum of a measurement, without which it is not believed."""
    return crc32(json.dumps([record.get("unit"), record.get("measured")], sort_keys=True).encode())


def key_of(unit: Unit) -> str:
    """Return a text that is the same for the same unit."""
    return json.dumps(unit, sort_keys=True)


def _code_of(experiment: Experiment) -> str:
    """Return the text of the function that measures, and of all in its module that it uses, directly or not.

    What is only drawn or judged differently, or imported from elsewhere, need not be measured again.
    """
    module = inspect.getmodule(experiment.measure)
    seen: dict[str, str] = {}
    waiting = [experiment.measure.__name__]
    while waiting:
        name = waiting.pop()
        value = getattr(module, name, None)
        if name in seen or value is None or inspect.ismodule(value):
            continue
        is_ours = (inspect.isfunction(value) or inspect.isclass(value)) and inspect.getmodule(value) is module
        if is_ours:
            seen[name] = IMPORTS.sub("", inspect.getsource(value))
            waiting += re.findall(r"\w+", seen[name])
        elif isinstance(value, int | float | str | tuple | frozenset | Mapping):
            seen[name] = _text_of(value)
    return "\n".join(f"{name}: {text}" for name, text in sorted(seen.items()))


def _text_of(value: object) -> str:
    """Return a text of a constant that is the same in every process: no address in it, and no order of hashes."""
    if callable(value):
        return getattr(value, "__qualname__", str(value))
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_text_of(key)}: {_text_of(each)}' for key, each in value.items())}}}"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_text_of, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_text_of, value)))}}}"
    return repr(value)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
