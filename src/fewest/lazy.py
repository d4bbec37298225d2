"""Load the public names of a package when they are asked for.

Importing `fewest` must stay cheap, since the command line does it first. What a package offers, and where each name
lives, stands in the ``__init__.pyi`` beside its ``__init__.py``, one line a name, where type checkers and editors look
for it; the package itself reads the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

_LINE = re.compile(r"^from (\S+) import (\w+) as", re.MULTILINE)


def lazy_names(package: str, file: str) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package from the stub beside its file.

    A line ``from fewest.cover.solver import solve_cover as solve_cover`` offers a name, and a line that imports from
    the package itself offers one of its modules.
    """
    lines = _LINE.findall(Path(file).with_suffix(".pyi").read_text("utf-8"))
    homes = {name: module for module, name in lines if not name.startswith("_")}

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        return getattr(import_module(homes[name]), name)

    offered = sorted(homes)
    return offered, load, lambda: [*offered, *(["__version__"] if package == "fewest" else [])]
