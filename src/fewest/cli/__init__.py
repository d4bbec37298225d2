"""The command-line program ``fewest``: one file a verb, each of which parses, calls and prints.

Here is how it begins and ends, and that no interrupt is lost in between.
"""

import gc
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import EBADF
from types import FrameType
from typing import Any

from fewest.cli.exit_codes import MEANINGS, ExitCode, exit_code_table
from fewest.cli.memory_limit import NO_MEMORY, is_limited, is_of_memory, run_limited
from fewest.cli.patience import ask_to_end, impatiently

# New objects between two looks for reference cycles, and such looks between those that go through older objects, too:
# a table has objects by the hundred thousand, none of them in a cycle.
OBJECTS_BETWEEN_COLLECTIONS = (100_000, 20, 100)


def main() -> None:
    """Run the program, and end it without tearing Python down.

    A thread of pyarrow's may still be reading ahead in a file that we have
    finished with; Python's shutdown under its feet now and then ends in an
    abort. Everything is written and closed by then, so leaving at once loses
    nothing, and is faster.
    """
    try:
        _fill_closed_streams()
        _multiply_on_one_thread()
        gc.set_threshold(*OBJECTS_BETWEEN_COLLECTIONS)
        code = run_limited(_worked, ExitCode.INTERRUPTED) if is_limited() else _worked()
        if code is None:
            _complain(NO_MEMORY)
            code = ExitCode.BAD_INPUT
    except KeyboardInterrupt:  # before or after everything that deals with it
        code = ExitCode.INTERRUPTED
    os._exit(code)


def _worked() -> int:
    """Run the program; return its exit code once everything is written."""
    code = _exit_code()
    return code if code == ExitCode.INTERRUPTED else _flushed(code)  # who interrupts waits for nobody to read


class ClosedOutput(io.RawIOBase):
    """Is written to in place of a closed standard output, which Python has as None: whatever is printed is lost."""

    def writable(self) -> bool:
        """Return True, or nobody would try."""
        return True

    def write(self, content: Any) -> int:  # noqa: ARG002 (the signature is Python's)
        """Raise OSError."""
        sentence = "Standard output is closed, so the answer has nowhere to go. Let it go to a file or a pipe"
        raise OSError(EBADF, sentence)


def _fill_closed_streams() -> None:
    """Open the null device in place of closed streams, lest a file of ours gets their number and what is said there."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(ClosedOutput(), "utf-8", write_through=True)
    if sys.stderr is None:  # or libraries print to standard output what nobody was to hear
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open until the program ends)


def _multiply_on_one_thread() -> None:
    """Keep matrix products from starting threads, unless the environment asks for them; NumPy is not imported yet.

    What is worth a thread of its own is shared out by rows. The products are small, and threads that wait for the next
    one take the processor as much as those that work.
    """
    for library in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(library, "1")


def _flushed(code: int) -> int:
    """Write what is still held back; return the exit code that follows."""
    try:
        with impatiently():
            sys.stdout.flush()
            sys.stderr.flush()
    except OSError:  # it was said already, or cannot be
        return code or ExitCode.BAD_INPUT
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    return code


def _exit_code() -> int:
    try:
        repeat_lost_interrupts()
        repeat_unsafe_interrupts()
        leave_held_interrupts()
        from fewest.cli.app import run  # even imports can be interrupted without a stack trace

        run()
        sys.stdout.flush()  # a full disk shows here
    except OSError as error:
        _complain(f"the answer could not be written: {error.strerror}")
        return ExitCode.BAD_INPUT
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else ExitCode.DONE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as fault:  # the last resort: whatever comes here is ours to mend
        if is_of_memory(fault):
            _complain(NO_MEMORY)
            return ExitCode.BAD_INPUT
        return _reported(fault)
    return ExitCode.DONE


def _complain(sentence: str) -> None:
    """Write to standard error, which may be full."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"fewest: error: {sentence}.\n")
        sys.stderr.flush()


def _reported(fault: Exception) -> int:
    """Print in one sentence that the program is at fault, and where the trace is."""
    import tempfile
    import traceback

    from fewest.version import __version__

    kept = "could not be kept"
    with suppress(OSError, MemoryError):
        descriptor, path = tempfile.mkstemp(prefix="fewest-fault-", suffix=".txt")
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(f"fewest {__version__}, Python {sys.version}, {sys.platform}\n{sys.argv}\n\n")
            file.write("".join(traceback.format_exception(fault)))
        kept = f"is in {path}"
    sentence = f"this is a fault of fewest ({type(fault).__name__}), not yours. The trace {kept}: please report it"
    _complain(sentence)
    return ExitCode.FAULT


SECONDS = 0.05  # the place that may not raise is left by then; if not, the interrupt comes back here


def repeat_lost_interrupts() -> None:
    """Send an interrupt that Python could not raise again, a moment later.

    Where Python may not raise (in a destructor, in a function that C calls, as the loader of compiled code does) an
    interrupt is printed and forgotten, and the program would run on as if nobody had pressed Ctrl-C.
    """
    sys.unraisablehook = _repeat


def _repeat(unraisable: Any) -> None:
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    _interrupt_soon()


def _interrupt_soon() -> None:
    import threading

    again = threading.Timer(SECONDS, _interrupt)
    again.daemon = True
    again.start()


# What compiled code calls to return an array or a named tuple. It does not look whether an error came instead: Python
# then raises a SystemError, or the process ends by a fault of memory.
UNSAFE = "_numba_unpickle"


def repeat_unsafe_interrupts() -> None:
    """Send an interrupt again, a moment later, that comes where compiled code makes an object of what it returns.

    That is where most come that were sent while compiled code ran: it is the first that Python runs afterwards. From
    any interrupt on, nothing that is printed waits for its reader.
    """
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise_where_safe)


def _raise_where_safe(_number: int, frame: FrameType | None) -> None:
    ask_to_end(ExitCode.INTERRUPTED)
    while frame is not None:
        if frame.f_code.co_name == UNSAFE:
            _interrupt_soon()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


HELD = 1.0  # seconds that an interrupt waits for the compiler


def leave_held_interrupts() -> None:
    """End the program when an interrupt has to wait for long, for numba to be imported or to compile."""
    from fewest.kernels.held_interrupts import HeldInterrupts

    HeldInterrupts.on_held = _leave_soon


def _leave_soon() -> Callable[[], object]:
    """Leave a moment later, whatever is under way; return what prevents it."""
    import threading

    leaving = threading.Timer(HELD, os._exit, (int(ExitCode.INTERRUPTED),))
    leaving.daemon = True
    leaving.start()
    return leaving.cancel


def _interrupt() -> None:
    import _thread
    import signal
    import threading

    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # ends a wait, too
    else:
        _thread.interrupt_main()


__all__ = [
    "MEANINGS", "ExitCode", "exit_code_table", "leave_held_interrupts", "main", "repeat_lost_interrupts",
    "repeat_unsafe_interrupts",
]  # fmt: skip
