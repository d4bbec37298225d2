"""Learning when most features are irrelevant: the fewest features, the fewest examples, the fewest mistakes."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from fewest.version import __version__ as __version__

# Importing `fewest` must stay cheap, since the command line does it first: a name is loaded when it is asked for. What
# there is stands in ``__init__.pyi``, one line a name, where type checkers look for it.
_LINES = re.findall(r"^from (\S+) import (\w+) as", Path(__file__).with_suffix(".pyi").read_text("utf-8"), re.MULTILINE)
_HOMES = {name: module for module, name in _LINES if not name.startswith("_")}

__all__ = sorted(_HOMES)

_MOVED = {
    "led": "datasets.make_led",
    "linear_threshold": "datasets.make_linear_threshold",
    "load_votes": "datasets.load_votes",
    "parity": "datasets.make_parity",
}


def __getattr__(name: str) -> object:
    if name in _MOVED:
        raise AttributeError(f"fewest.{name} is now fewest.{_MOVED[name]}. Import it from there.")
    if name not in _HOMES:
        raise AttributeError(f"module 'fewest' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
