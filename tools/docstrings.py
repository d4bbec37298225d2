"""Check the docstrings of everything public, by numpydoc's rules and those of the house.

python tools/docstrings.py            # lists what is broken, and fails if anything is
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from outside.public import public_objects  # noqa: E402 (found by the line above)

RULES = {
    "GL08": "there is a docstring",
    "GL05": "no tabs",
    "GL07": "sections in numpydoc's order",
    "SS01": "a summary",
    "SS06": "a summary of one line",
    "PR01": "every parameter is documented",
    "PR02": "and no other",
    "PR03": "in the order of the signature",
    "PR04": "with its type",
    "PR05": "which does not end in a period",
    "PR07": "and a description",
    "RT01": "there is a section Returns",
    "RT03": "what is returned is described",
    "YD01": "and what is yielded",
    "SA04": "what See Also names is described",
}
# Asked of classes and functions; a method has the page of its class around it.
OF_OBJECTS = {"SA01": "there is a section See Also", "EX01": "and an example"}
# Left out: GL01 to GL03 (the house begins on the first line of the docstring), ES01 (a name may say it all), SS02 to
# SS05, PR08, PR09, RT02, RT04, RT05, SA02, SA03 (matters of style, which ruff's pydocstyle rules decide), EX02 to EX04
# (doctests and ruff do that).
OURS = {
    "default": "a default is that of the signature, and where None is one, the type has 'optional' or 'None'",
    "doctest": "an example is a doctest",
    "sections": "an estimator has Attributes and References",
    "elsewhere": "a description does not send its reader to another class",
}
TARGET = "y"  # scikit-learn has it optional in signatures, so that its errors can say what is missing


def broken_rules(name: str, found: Any, *, is_method: bool = False) -> set[str]:
    """Return the rules that an object's docstring breaks."""
    rules = RULES if is_method else RULES | OF_OBJECTS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = {code for code, _ in validate(name)["errors"] if code in rules}
    return theirs | broken_rules_of_the_house(found)


def broken_rules_of_the_house(found: Any) -> set[str]:
    """Return which of the rules that numpydoc does not have an object's docstring breaks."""
    text = inspect.getdoc(found) or ""
    docs = NumpyDocString(text)
    return {rule for rule, is_broken in _CHECKS.items() if is_broken(found, text, docs)}


def _has_other_defaults(found: Any, text: str, docs: NumpyDocString) -> bool:  # noqa: ARG001 (one signature for all)
    types = {parameter.name.lstrip("*"): parameter.type for parameter in docs["Parameters"]}
    asked = (each for each in inspect.signature(found).parameters.values() if each.name in types)
    return any(_is_other(each, types[each.name]) for each in asked)


def _is_other(parameter: inspect.Parameter, type_: str) -> bool:
    """Return whether the type that is documented gives another default than the signature."""
    written = re.search(r"default=(.*)$", type_)
    if parameter.default is parameter.empty:
        return bool(written or "optional" in type_)
    if parameter.default is None:
        return parameter.name != TARGET and not re.search(r"\boptional\b|\bNone\b", type_)
    if written is None:
        return True
    try:
        return bool(ast.literal_eval(written[1]) != parameter.default)
    except ValueError:  # the name of a function
        return written[1] != getattr(parameter.default, "__qualname__", None)


def _has_no_doctest(found: Any, text: str, docs: NumpyDocString) -> bool:  # noqa: ARG001
    return bool(docs["Examples"]) and ">>> " not in "\n".join(docs["Examples"])


def _lacks_sections(found: Any, text: str, docs: NumpyDocString) -> bool:  # noqa: ARG001
    is_estimator = inspect.isclass(found) and hasattr(found, "fit")
    return is_estimator and not (docs["Attributes"] and docs["References"])


def _sends_elsewhere(found: Any, text: str, docs: NumpyDocString) -> bool:  # noqa: ARG001
    return bool(re.search(r"\b[Aa]s (?:for|in|of) `[A-Z]\w+`\s*[.;]?$", text, flags=re.MULTILINE))


_CHECKS: dict[str, Callable[[Any, str, NumpyDocString], bool]] = {
    "default": _has_other_defaults,
    "doctest": _has_no_doctest,
    "sections": _lacks_sections,
    "elsewhere": _sends_elsewhere,
}


def methods(name: str, found: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public methods that a class of ours defines, class methods among them, by their full names."""
    ours = [cls for cls in getattr(found, "__mro__", ()) if cls.__module__.startswith("fewest")]
    defined = {key for cls in ours for key, value in vars(cls).items() if _is_method(value)}
    yield from ((f"{name}.{key}", getattr(found, key)) for key in sorted(defined) if not key.startswith("_"))


def _is_method(value: object) -> bool:
    return inspect.isfunction(value) or isinstance(value, classmethod | staticmethod)


def all_broken() -> dict[str, set[str]]:
    """Return what every public object and method breaks, if anything."""
    objects = public_objects()
    found = {name: broken_rules(name, each) for name, each in objects.items()}
    of_classes = [method for name, each in objects.items() for method in methods(name, each)]
    found |= {name: broken_rules(name, each, is_method=True) for name, each in of_classes}
    return {name: codes for name, codes in sorted(found.items()) if codes}


def main() -> int:
    """Print what is broken; return whether anything is."""
    broken = all_broken()
    for name, codes in broken.items():
        for code in sorted(codes):
            print(f"{name}: {code} ({(RULES | OF_OBJECTS | OURS)[code]})")
    return int(bool(broken))


if __name__ == "__main__":
    raise SystemExit(main())
