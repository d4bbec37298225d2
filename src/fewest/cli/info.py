"""``fewest info``: versions, cores, engines and extras of this installation; ``--compile`` readies it for work."""

from __future__ import annotations

import os
import platform
import sys
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from fewest import __version__
from fewest.cli import options as opt
from fewest.cli.output import aligned, print_result, say

EXTRAS = {
    "drawings (--plot, plot_...)": ("matplotlib", "pip install 'fewest[plot]'"),
    "Dask": ("dask", "pip install 'fewest[dask]'"),
    "pandas frames": ("pandas", "pip install pandas"),
    "polars frames": ("polars", "pip install polars"),
}


def info(
    output_format: opt.OutputFormat = opt.Format.TABLE,
    compile_all: Annotated[
        bool,
        typer.Option("--compile", help="Compile all kernels for this machine now, on all cores; later runs load them."),
    ] = False,
) -> None:
    """Show what is installed, and what could be added.

    Versions, cores and engines; --compile compiles all kernels beforehand.

    \b
    fewest info
    fewest info --format json
    fewest info --compile
    """
    if compile_all:
        _compile()
    found = _found()
    rows = [("fewest", __version__), ("Python", found["python"]), ("system", found["system"])]
    rows += [("cores", str(found["cores"])), ("engines", ", ".join(found["engines"]))]
    rows += list(found["libraries"].items())
    rows += [(name, extra["state"]) for name, extra in found["extras"].items()]
    print_result(output_format, {"command": "info", **found}, [found], lambda: say(aligned(rows, indent="")))


def _found() -> dict[str, Any]:
    from fewest.report.render import library_versions

    return {
        "version": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": _cores(),
        "engines": ["threads", *(["Dask"] if find_spec("distributed") is not None else [])],
        "libraries": library_versions(),
        "extras": {name: _extra(*how) for name, how in EXTRAS.items()},
    }


def _extra(module: str, remedy: str) -> dict[str, Any]:
    from fewest.report.render import library_versions

    if find_spec(module) is None:
        return {"is_installed": False, "state": f"not installed: {remedy}"}
    return {"is_installed": True, "state": f"{module} {library_versions((module,)).get(module, '')}".strip()}


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _compile() -> None:
    """Compile everything, with a line for every part: on a terminal one that is rewritten."""
    from fewest.cli.compile_kernels import PARTS, compile_all

    say(f"Compiling once for this machine, {len(PARTS)} parts on {_cores()} cores.", err=True)
    is_watched = sys.stderr.isatty()
    for number, part in enumerate(compile_all(_cores()), start=1):
        line = f"{number} of {len(PARTS)} compiled: {part}"
        say(f"\r{line:<78}" if is_watched else line, err=True, nl=not is_watched)
    if is_watched:
        say("", err=True)
