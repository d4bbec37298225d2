"""The exit codes of every command, in one table."""

from __future__ import annotations

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
