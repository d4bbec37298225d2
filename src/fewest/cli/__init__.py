"""The command-line program ``fewest``: one file a verb, each of which parses, calls and prints."""

import os
import sys

from fewest.cli.exit_codes import ExitCode


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


__all__ = ["main"]
