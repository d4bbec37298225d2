"""The command-line program ``fewest``: one file a verb, each of which parses, calls and prints.

Here is how it begins and ends, and the table of its exit codes.
"""

import os
import sys
from enum import IntEnum


class ExitCode(IntEnum):
    """What the program returns to the shell; scripts may rely on these five."""

    DONE = 0
    NEGATIVE_FINDING = 1
    BAD_INPUT = 2
    STOPPED_EARLY = 3
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.DONE: "done",
    ExitCode.NEGATIVE_FINDING: "a negative finding",
    ExitCode.BAD_INPUT: "bad usage or input",
    ExitCode.STOPPED_EARLY: "stopped early, with an answer",
    ExitCode.INTERRUPTED: "interrupted without one",
}


def exit_code_table() -> str:
    """Return all codes and their meanings in a sentence, for ``fewest --help``."""
    return "Exit codes: " + "; ".join(f"{code:d} {meaning}" for code, meaning in MEANINGS.items()) + "."


def main() -> None:
    """Run the program, and end it without tearing Python down.

    A thread of pyarrow's may still be reading ahead in a file that we have
    finished with; Python's shutdown under its feet now and then ends in an
    abort. Everything is written and closed by then, so leaving at once loses
    nothing, and is faster.
    """
    code = _exit_code()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


def _exit_code() -> int:
    try:
        from fewest.cli.interrupts import repeat_lost_interrupts

        repeat_lost_interrupts()
        from fewest.cli.app import run  # even imports can be interrupted without a stack trace

        run()
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk shows here
    except OSError as error:
        sys.stderr.write(f"fewest: error: the answer could not be written: {error.strerror}.\n")
        return ExitCode.BAD_INPUT
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else ExitCode.DONE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    return ExitCode.DONE


__all__ = ["MEANINGS", "ExitCode", "exit_code_table", "main"]
