"""The program: parse, call, print."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the program. Even its imports can be interrupted without a stack trace."""
    try:
        from fewest.cli.app import run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


__all__ = ["main"]
