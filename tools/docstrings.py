"""Check the docstrings of everything public by numpydoc's rules.

python tools/docstrings.py            # fails on what the table of open ones does not list
python tools/docstrings.py --write    # write that table anew; it may only get shorter

The table, docstrings_open.txt, has a line for each public object with the rules that it still breaks.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from pathlib import Path

from numpydoc.validate import validate

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from outside.public import public_objects  # noqa: E402 (found by the line above)

OPEN = Path(__file__).with_name("docstrings_open.txt")

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
    "RT03": "what is returned is described",
    "YD01": "and what is yielded",
    "SA04": "what See Also names is described",
}
# Asked of classes and functions; a method has the page of its class around it.
OF_OBJECTS = {"SA01": "there is a section See Also", "EX01": "and an example"}
# Left out: GL01 to GL03 (the house begins on the first line of the docstring), ES01 (a name may say it all), SS02 to
# SS05, PR08, PR09, RT02, RT04, RT05, SA02, SA03 (matters of style, which ruff's pydocstyle rules decide), EX02 to EX04
# (doctests and ruff do that), RT01 (a function that returns what its first line says needs no section).


def broken_rules(name: str, rules: dict[str, str]) -> set[str]:
    """Return the rules that an object's docstring breaks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {code for code, _ in validate(name)["errors"] if code in rules}


def methods(name: str, found: object) -> list[str]:
    """Return the public methods that a class of ours defines, by their full names."""
    if not inspect.isclass(found):
        return []
    ours = [cls for cls in found.__mro__ if cls.__module__.startswith("fewest")]
    defined = {key for cls in ours for key, value in vars(cls).items() if inspect.isfunction(value)}
    return [f"{name}.{key}" for key in sorted(defined) if not key.startswith("_")]


def all_broken() -> dict[str, set[str]]:
    """Return what every public object and method breaks, if anything."""
    found = {name: broken_rules(name, RULES | OF_OBJECTS) for name in sorted(public_objects())}
    of_classes = [method for name, each in sorted(public_objects().items()) for method in methods(name, each)]
    found |= {name: broken_rules(name, RULES) for name in of_classes}
    return {name: codes for name, codes in found.items() if codes}


def main(arguments: list[str]) -> int:
    """Compare what is broken with the table; return whether anything else is."""
    broken = all_broken()
    if "--write" in arguments:
        OPEN.write_text(
            "".join(f"{name} {' '.join(sorted(codes))}\n" for name, codes in sorted(broken.items())), "utf-8"
        )
        print(f"{len(broken)} docstrings are listed in {OPEN.name}.")
        return 0
    listed = {name: set(codes) for name, *codes in map(str.split, OPEN.read_text("utf-8").splitlines())}
    new = {name: codes - listed.get(name, set()) for name, codes in broken.items()}
    for name, codes in sorted(new.items()):
        for code in sorted(codes):
            print(f"{name}: {code} ({(RULES | OF_OBJECTS)[code]})")
    if mended := sum(len(codes - broken.get(name, set())) for name, codes in listed.items()):
        print(f"{mended} of what {OPEN.name} lists is mended. Shorten it: python tools/docstrings.py --write")
    return int(any(new.values()))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
