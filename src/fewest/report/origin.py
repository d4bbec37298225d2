"""Where a page comes from: the command, the versions and the day."""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fewest.version import __version__

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
