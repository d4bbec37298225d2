"""The program: parse, call, print."""

from fewest.cli.app import main

__all__ = ["main"]
