import ctypes
import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import threading
from functools import partial
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from fewest.budget import work_clock
from fewest.kernels.compiled import _TURNS, _HeldWhileCompiling, compiled
from fewest.kernels.held_interrupts import HeldInterrupts


@pytest.mark.thorough
def test_kernels_work_where_nothing_can_be_cached(tmp_path):
    # What numba does on a read-only install with a read-only home; a test that runs as root cannot make either.
    program = textwrap.dedent("""
        from numba.core.dispatcher import Dispatcher

        def refuse(*args):
            raise RuntimeError("cannot cache function: no locator available")

        Dispatcher.enable_caching = refuse
        import numpy as np
        from fewest.cover.kernels.subsets import scan_subsets
        print(scan_subsets(np.array([[0, 1]], dtype=np.int8), np.array([0, 1]), np.arange(1), 9))
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "(1, True, False)\n", done.stderr


@pytest.fixture
def plus_half(tmp_path, monkeypatch):
    """A function of a file of its own, beside which its code is kept."""
    path = tmp_path / "halves.py"
    path.write_text("def plus_half(x):\n    return x + x // 2\n")
    spec = importlib.util.spec_from_file_location("halves", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "halves", module)  # kept by its name, which other processes can import
    return module.plus_half


def test_processes_that_compile_other_signatures_at_once_do_not_mix_them_up(plus_half, monkeypatch):
    one, other, later = (compiled(plus_half) for _ in range(3))
    write, empty = one._cache._cache_file._save_data, other._cache._cache_file._load_index()

    def write_as_the_other_does(*arguments):
        with monkeypatch.context() as patch:
            patch.setattr(other._cache._cache_file, "_load_index", lambda: dict(empty))  # it was read before
            assert other(5.5) == 7.5
        write(*arguments)

    monkeypatch.setattr(one._cache._cache_file, "_save_data", write_as_the_other_does)
    assert one(5) == 7
    assert (later(5.5), later(5)) == (7.5, 7)
    assert sum(later.stats.cache_hits.values()) == 2


def test_code_for_which_there_is_no_room_runs(plus_half, tmp_path, monkeypatch):
    kernel = compiled(plus_half)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kernel._cache._cache_file, "_open_for_write", full)
    assert kernel(5) == 7
    assert list(tmp_path.rglob("*.nb?")) == []


def test_an_interrupt_waits_for_the_compiler():
    listener, before = _HeldWhileCompiling(), signal.getsignal(signal.SIGINT)
    listener.on_start(None)
    listener.on_start(None)  # a function that calls another
    os.kill(os.getpid(), signal.SIGINT)
    listener.on_end(None)
    with pytest.raises(KeyboardInterrupt):
        listener.on_end(None)
    assert signal.getsignal(signal.SIGINT) is before
    listener.on_start(None)
    listener.on_end(None)  # what was raised is not raised again


def test_who_holds_an_interrupt_back_tells_of_it_and_of_its_end(monkeypatch):
    told = []
    monkeypatch.setattr(HeldInterrupts, "on_held", lambda: told.append("held") or partial(told.append, "raised"))
    with HeldInterrupts():
        assert told == []
    holding = HeldInterrupts()
    holding.start()
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGINT)
    assert told == ["held"]
    with pytest.raises(KeyboardInterrupt):
        holding.end()
    assert told == ["held", "raised"]


FOR_EVER = """
from fewest.cli import leave_held_interrupts
from fewest.kernels.held_interrupts import HeldInterrupts
leave_held_interrupts()
with HeldInterrupts():
    print("compiling", flush=True)
    while True:
        pass
"""


def test_the_program_does_not_wait_for_a_compiler_that_takes_long():
    process = subprocess.Popen([sys.executable, "-c", FOR_EVER], stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 130
    finally:
        process.kill()
        process.stdout.close()


SEND, SIGINT = ctypes.CDLL(None)["raise"], int(signal.SIGINT)
SEND.argtypes = [ctypes.c_int]


class Two(NamedTuple):
    """Two numbers, of which numba asks for the class to return them."""

    one: float
    other: float


def _arrays(interrupted):
    one, other = np.zeros(2), np.zeros(3, dtype=np.int64)
    if interrupted:
        SEND(SIGINT)
    return one, other


def _named(interrupted):
    if interrupted:
        SEND(SIGINT)
    return Two(1.0, 2.0)


def test_an_interrupt_during_compiled_code_is_one():
    """It comes up where compiled code makes an object of what it returns, and looks for no error."""
    kernel = njit(_arrays)
    kernel(False)
    with pytest.raises(KeyboardInterrupt):
        kernel(True)
    assert len(kernel(False)) == 2


FIRST_CALL = """
from numba import njit
import test_compiled
from fewest.cli import repeat_unsafe_interrupts

repeat_unsafe_interrupts()
kernel = njit("(boolean,)")(getattr(test_compiled, "{name}"))  # it is compiled, and was never called
try:
    assert len(kernel(True)) == 2
    while True:
        pass
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("name", ["_arrays", "_named"])
def test_the_program_is_interrupted_after_the_first_call_of_compiled_code(name):
    path = os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL.format(name=name)],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


def test_other_threads_are_never_interrupted():
    listener, before = _HeldWhileCompiling(), signal.getsignal(signal.SIGINT)
    handlers = []

    def compile_something():
        listener.on_start(None)
        handlers.append(signal.getsignal(signal.SIGINT))
        listener.on_end(None)

    thread = threading.Thread(target=compile_something)
    thread.start()
    thread.join()
    assert handlers == [before]


@pytest.mark.parametrize("kept", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("damage", [b"", b"garbage", b"\x80\x04cfewest.gone\nGone\n."])
def test_kept_code_that_cannot_be_read_is_compiled_again(plus_half, tmp_path, kept, damage):
    assert compiled(plus_half)(5) == 7
    (path,) = tmp_path.rglob(kept)
    version = path.read_bytes()[: -len(damage) or None] if kept == "*.nbi" and damage == b"garbage" else b""
    path.write_bytes(version + damage)
    again = compiled(plus_half)
    assert again(5) == 7
    assert not again.stats.cache_hits
    later = compiled(plus_half)
    assert later(5) == 7
    assert sum(later.stats.cache_hits.values()) == 1


TAKES_ITS_TURN = """
from fewest.kernels.compiled import compiled
from halves import plus_half

kernel = compiled(plus_half)
print("ready", flush=True)
input()
print(kernel(5), sum(kernel.stats.cache_hits.values()), flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="there are no record locks")
def test_a_process_waits_for_another_that_compiles_the_same_and_loads_it(plus_half, tmp_path, monkeypatch):
    one = compiled(plus_half)
    write = one._cache._cache_file._save_data
    other = subprocess.Popen(
        [sys.executable, "-c", TAKES_ITS_TURN],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout.readline() == "ready\n"

    def write_while_the_other_begins(*arguments):
        other.stdin.write("\n")
        other.stdin.flush()
        write(*arguments)

    monkeypatch.setattr(one._cache._cache_file, "_save_data", write_while_the_other_begins)
    assert one(5) == 7
    assert other.communicate()[0] == "7 1\n"


def test_whoever_cannot_lock_compiles(plus_half, monkeypatch):
    def refuse(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fewest.kernels.compiled.fcntl", SimpleNamespace(lockf=refuse, LOCK_EX=2, LOCK_UN=8))
    assert compiled(plus_half)(5) == 7
    assert sum(compiled(plus_half).stats.cache_hits.values()) == 0


def test_what_cannot_be_compiled_keeps_nobody_waiting(plus_half):
    kernel = compiled(plus_half)
    with pytest.raises(TypingError):
        kernel("five")
    assert not _TURNS._taken
    assert kernel(5) == 7
    assert not _TURNS._taken


def test_the_clock_of_searches_stands_still_while_something_is_compiled(plus_half, monkeypatch):
    stops = []
    monkeypatch.setattr(work_clock, "on_compiling", lambda: stops.append(work_clock._depth))
    kernel = compiled(plus_half)
    assert kernel(5) == 7
    assert stops
    assert work_clock._depth == 0
    n_stops = len(stops)
    assert kernel(6) == 9
    assert len(stops) == n_stops


def test_an_integer_in_the_source_and_a_variable_call_one_version():
    called = compiled(lambda number, shift: number + shift)

    @compiled
    def calls(number):
        return called(number, 3) + called(number, shift=5) + called(number, number)

    assert calls(1) == 4 + 6 + 2
    assert len(called.signatures) == 1
