"""Render a page of plain data as one HTML file that needs nothing but itself.

A page states where it comes from: the command, the versions and the day.
"""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from pathlib import Path
from typing import Any

from fewest.report.sentences import general
from fewest.version import __version__
from fewest.writing import without_controls, written_beside


def render(page: dict[str, Any]) -> str:
    """Return a whole page; what comes from the data is escaped, and loses its controls, which could turn text round."""
    return _environment().get_template("page.html").render(page=page)


def render_fragment(page: dict[str, Any]) -> str:
    """Return the page as a part of another, such as a notebook, which its styles and scripts leave alone.

    A frame keeps the two apart; it grows to the height of its content.
    """
    return _environment().get_template("frame.html").render(document=render(page), title=page["title"])


def write_page(page: dict[str, Any], path: str | Path) -> None:
    """Write a page; an interrupted write leaves what was there before."""
    with written_beside(path) as file:
        file.write(render(page).encode())


@cache
def _environment():
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("fewest.report"),
        autoescape=True,
        finalize=_without_controls,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"count": count, "general": general, "number": number, "percent": percent}
    environment.globals["anchor"] = anchor
    return environment


def _without_controls(value: Any) -> Any:
    if not isinstance(value, str) or value.isprintable():
        return value
    return type(value)(without_controls(value))  # markup stays markup


def count(value: int | None) -> str:
    """Write a whole number with separators."""
    return "–" if value is None else f"{value:,}"


def number(value: float | None) -> str:
    """Write a number with three places; a dash where there is none."""
    return "–" if value is None or not isfinite(value) else f"{value:.3f}".replace("-", "−")


def percent(part: float, whole: float = 1.0) -> str:
    """Write a share, as CSS reads it, too."""
    return f"{100 * part / whole:.4g}%" if whole else "0%"


def anchor(title: str) -> str:
    """Return a title as the target of a link."""
    return "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())


LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "pyarrow", "narwhals")


def origin(command: str | None = None, seconds: float | None = None) -> dict[str, Any]:
    """Return what it takes to make a page again."""
    return {
        "command": command,
        "seconds": seconds,
        "made": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": {"fewest": __version__, "Python": platform.python_version(), **library_versions()},
        "system": f"{platform.system()} {platform.machine()}",
    }


def library_versions(names: tuple[str, ...] = LIBRARIES) -> dict[str, str]:
    """Return the versions of the libraries that are installed, without importing them."""
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def command_line(arguments: list[str] | None = None) -> str:
    """Return the command as it was typed, ready to be typed again."""
    import shlex

    return shlex.join(["fewest", *(sys.argv[1:] if arguments is None else arguments)])
