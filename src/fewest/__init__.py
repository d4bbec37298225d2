"""Learning when most features are irrelevant: the fewest features, the fewest examples, the fewest mistakes."""

from __future__ import annotations

from importlib import import_module

from fewest.lazy import lazy_names
from fewest.version import __version__ as __version__

__all__, _load, __dir__ = lazy_names(__name__, __file__)

# Names of the development version; those that only moved into one of the namespaces are looked up there.
_NAMESPACES = ("bounds", "comparison", "cover", "datasets", "mistakes", "plot", "preprocessing", "report", "table")
_RENAMED = {
    "led": "datasets.make_led",
    "linear_threshold": "datasets.make_linear_threshold",
    "parity": "datasets.make_parity",
}


def __getattr__(name: str) -> object:
    if name in __all__ or name.startswith("_"):
        return _load(name)
    moved = (f"{space}.{name}" for space in _NAMESPACES if name in import_module(f"fewest.{space}").__all__)
    if home := _RENAMED.get(name) or next(moved, None):
        raise AttributeError(f"fewest.{name} is now fewest.{home}. Import it from there.")
    raise AttributeError(f"module 'fewest' has no attribute {name!r}")
