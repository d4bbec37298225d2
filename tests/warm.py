"""The program, or a script, run in a process that is forked off one with everything imported already.

A run of the program spends most of its time on imports. What it imports, and
when, is tested where it matters (test_start_up.py); everywhere else the same
program answers the same in a third of the time.
"""

import contextlib
import io
import itertools
import multiprocessing
import os
import runpy
import signal
import sys
import threading

# What commands import, heaviest first. They are not imported by whoever imports this file. What there is not (typer's
# own modules, in another version) is left out.
PRELOADED = [
    "fewest.cli",
    "fewest.cli.select",
    "fewest.cli.rank",
    "fewest.cli.stream",
    "fewest.cli.train",
    "fewest.comparison.compare",
    "fewest.comparison.selection",
    "fewest.cover.cross_validated_tolerance",
    "fewest.cover.min_features",
    "fewest.report.summarize",
    "fewest.table.delimited",
    "fewest.table.files",
    "typer._adapters",
    "typer._click",
    "pydantic.main",
    "pydantic.type_adapter",
    "fewest.relief.estimators",
    "fewest.pipelines",
    "fewest.report.render",
    "fewest.wrapper.tables",
    "jinja2",
    "fewest.cfp.estimators",
    "fewest.relief.kernels.nearest_neighbors",
    "matplotlib.figure",
    "pyarrow.csv",
    "pyarrow.pandas_compat",
    "pyarrow.parquet",
    "rich.console",
    "scipy.optimize",
    "sklearn.dummy",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "sklearn.naive_bayes",
    "sklearn.tree",
]
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(PRELOADED)


def run_warm(
    arguments,
    folder,
    seconds,
    n_calls=None,
    stdin=None,
    script=None,
    *,
    number=signal.SIGKILL,
    streams=(),
    meanwhile=None,
):
    """Run the program in a folder; return its exit code, what it wrote and what it complained about.

    With ``n_calls`` it gets a signal, by default the one that kills, after so many calls and returns of Python
    functions, unless it has ended by then. ``streams`` are pairs of the number of a standard stream and what to put in
    its place: a path, or None to close it. ``meanwhile`` is called with the process once it has begun. The text
    ``stdin`` comes to it through a pipe. A ``script`` is run instead of the program, if one is named.
    """
    source, *paths = [os.path.join(folder, f".{name}-{os.getpid()}") for name in ("in", "out", "err")]
    if stdin is None:
        source = os.devnull
    else:
        os.mkfifo(source)
        threading.Thread(target=_pour, args=(stdin, source), daemon=True).start()
    moment = None if n_calls is None else (n_calls, number)
    process = _CONTEXT.Process(
        target=_run, args=(arguments, str(folder), dict(os.environ), moment, streams, script, source, *paths)
    )
    process.start()
    if meanwhile is not None:
        meanwhile(process)
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        raise TimeoutError(f"{arguments} took more than {seconds} seconds.")
    texts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
        os.unlink(path)
    if stdin is not None:
        os.unlink(source)
    return process.exitcode, *texts


def _pour(text, pipe):
    """Write a text to a pipe; who reads it may leave before its end."""
    with contextlib.suppress(BrokenPipeError), open(pipe, "w", encoding="utf-8") as file:
        file.write(text)


def _run(arguments, folder, environment, moment, streams, script, source, out, err):
    """Be the program: with its folder, its environment, its streams and its signals."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate((source, out, err)):
        file = os.open(path, os.O_CREAT | os.O_WRONLY if number else os.O_RDONLY)
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = io.TextIOWrapper(io.FileIO(0), "utf-8"), io.TextIOWrapper(io.FileIO(1, "w"), "utf-8")
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w"), "utf-8", line_buffering=True)
    for number, path in streams:
        _replace(number, path)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = [script or "fewest", *arguments]
    if script is not None:
        sys.path.insert(0, os.path.dirname(script))
        runpy.run_path(script, run_name="__main__")
        return

    from fewest.cli import main

    if moment is not None:
        sys.setprofile(_signalling(*moment))
    main()


def _replace(number, path):
    """Put another file in the place of a standard stream, or, as Python does where there is none, nothing."""
    if path is None:
        os.close(number)
        setattr(sys, ("stdin", "stdout", "stderr")[number], None)
        return
    file = os.open(path, os.O_WRONLY if number else os.O_RDONLY)
    os.dup2(file, number)
    os.close(file)


def _signalling(n_calls, number):
    """Return what sends this process a signal after so many calls and returns."""
    left = itertools.count(n_calls, -1)

    def count(*_):
        if not next(left):
            os.kill(os.getpid(), number)

    return count
