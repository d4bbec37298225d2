"""A limit on the memory of the program (``ulimit -v``): fewer threads beforehand, and a sentence when that fails.

Libraries end the process when memory for a thread or within C++ cannot be had, where Python would raise MemoryError.
So under a limit the work is done by a child, and whoever started it says how it ended.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

# A limit from here on is none that we come near: 16 GiB.
AMPLE = 16 << 30
# Every thread of a library reserves memory for its stack and its allocations, used or not.
ALONE = {
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "ARROW_IO_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "LOKY_MAX_CPU_COUNT": "1",
}
# How a process ends whose libraries found no memory: by abort(), or by what they did without it.
BY_LIBRARIES = ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGTRAP")
# What errors of the system's loader and of libraries say then.
ABOUT_MEMORY = (
    "memory", "failed to map segment", "can't start new thread", "bad_alloc", "resource temporarily",
    "could not find/load shared object",
)  # fmt: skip
LITTLE = 64 << 20  # so much should be there, or nothing works
NO_MEMORY = "There is not enough memory for this. Use fewer rows or columns (--drop), or allow more"
AWAITED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD) if os.name == "posix" else ()
_M_ARENA_MAX = -8  # of glibc's mallopt
_PR_SET_PDEATHSIG = 1  # of Linux's prctl


def is_limited() -> bool:
    """Return whether this process may have less memory than it might want."""
    if not hasattr(signal, "sigwaitinfo"):  # not a system on which we could wait for a child and pass signals on
        return False
    import resource

    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return any(limit != resource.RLIM_INFINITY and limit < AMPLE for limit in limits)


def run_limited(work: Callable[[], int], interrupted: int) -> int | None:
    """Run ``work`` in a child with few threads; return its exit code, or None if libraries ended it.

    An interrupt that comes before ``work`` begins, or after it, ends in the exit code ``interrupted``.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)  # none comes before somebody waits for it
    heard, said = os.pipe()
    child = os.fork()
    if not child:
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            _use_one_thread()
            code = work()
        except KeyboardInterrupt:
            code = interrupted
        os.write(said, b"done")
        os._exit(code)
    os.close(said)
    code = _awaited(child)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if code >= 0:
        return code if _is_heard(heard) else None  # some libraries call exit()
    if signal.Signals(-code).name in BY_LIBRARIES:
        return None
    signal.signal(-code, signal.SIG_DFL)  # a signal ended it, and ends us the same way
    os.kill(os.getpid(), -code)
    return 128 - code


def _is_heard(pipe: int) -> bool:
    os.set_blocking(pipe, False)  # children of the child may still hold the other end
    with suppress(BlockingIOError):
        return bool(os.read(pipe, 1))
    return False


def _awaited(child: int) -> int:
    """Return how a child ended; signals that come meanwhile are passed on, unless it got them itself."""
    while True:
        came = signal.sigwaitinfo(AWAITED)
        if came.si_signo != signal.SIGCHLD:
            if came.si_code <= 0:  # sent by a process; what the terminal sends goes to both
                os.kill(child, came.si_signo)
            continue
        process, status = os.waitpid(child, os.WNOHANG)
        if process:
            return os.waitstatus_to_exitcode(status)


def is_of_memory(fault: BaseException | None) -> bool:
    """Return whether an error, or one that it came of, is likely to be about memory, which is limited."""
    if not is_limited():
        return False
    while fault is not None:
        if isinstance(fault, MemoryError) or any(words in str(fault).lower() for words in ABOUT_MEMORY):
            return True
        fault = fault.__cause__ or fault.__context__
    try:
        bytearray(LITTLE)
    except MemoryError:  # whatever it is about
        return True
    return False


def _use_one_thread() -> None:
    """Let the libraries that are imported from here on start no threads, and end with who started us."""
    for name, value in ALONE.items():
        os.environ.setdefault(name, value)
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        system = ctypes.CDLL(None)
        if sys.platform == "linux":
            system.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            system.mallopt(_M_ARENA_MAX, 1)
