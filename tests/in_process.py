"""The program, run within the process of the tests: the fastest way, for what needs neither signals nor its own end."""

import contextlib
import io
import os
import sys
from types import SimpleNamespace

from fewest.cli.app import explained


def run_inside(arguments, folder, stdin=b""):
    """Run the program in a folder; return its ``code``, ``out`` and ``err``. A fault of ours is raised."""
    from fewest.cli.app import app

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    before = sys.stdin, sys.argv, os.getcwd()
    sys.stdin, sys.argv = io.TextIOWrapper(io.BytesIO(stdin)), ["fewest", *arguments]
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                with explained():
                    app(list(arguments), prog_name="fewest")
                code = 0
            except SystemExit as end:
                code = end.code or 0
    finally:
        sys.stdin, sys.argv = before[:2]
        os.chdir(before[2])
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8", "surrogateescape"))
    return SimpleNamespace(code=int(code), out=texts[0], err=texts[1])
