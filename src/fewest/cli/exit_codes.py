"""The exit codes of the program, in one table."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What the program returns to the shell; scripts may rely on these."""

    DONE = 0
    NEGATIVE_FINDING = 1
    BAD_INPUT = 2
    STOPPED_EARLY = 3
    FAULT = 70
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.DONE: "done",
    ExitCode.NEGATIVE_FINDING: "a negative finding",
    ExitCode.BAD_INPUT: "bad usage or input",
    ExitCode.STOPPED_EARLY: "stopped early, with an answer",
    ExitCode.FAULT: "a fault of the program",
    ExitCode.INTERRUPTED: "interrupted, without an answer",
}


def exit_code_table() -> str:
    """Return all codes and their meanings in a sentence, for ``fewest --help``."""
    return "Exit codes: " + "; ".join(f"{code:d} {meaning}" for code, meaning in MEANINGS.items()) + "."
