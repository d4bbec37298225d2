"""Everything public, by its full name."""

from functools import cache
from importlib import import_module
from inspect import ismodule

import fewest

NAMESPACES = (
    "fewest",
    "fewest.bounds",
    "fewest.comparison",
    "fewest.cover",
    "fewest.datasets",
    "fewest.mistakes",
    "fewest.plot",
    "fewest.preprocessing",
    "fewest.report",
)


@cache
def public_objects():
    """Return the classes and functions of `fewest` and its namespaces, each by its full name."""
    modules = {name: import_module(name) for name in NAMESPACES}
    names = {f"{home}.{name}": getattr(module, name) for home, module in modules.items() for name in module.__all__}
    return {name: found for name, found in names.items() if not ismodule(found)}


@cache
def public_estimators():
    """Return the public classes that are fitted, each by its name."""
    return {name.rpartition(".")[2]: found for name, found in public_objects().items() if hasattr(found, "fit")}


def namespaces():
    """Return the modules that `fewest` offers."""
    return [name for name in fewest.__all__ if ismodule(getattr(fewest, name))]
