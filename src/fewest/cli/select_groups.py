"""The options of ``fewest select`` about several features at once: which enter together, and how many of some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import options as opt
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.table import Table


@dataclass(frozen=True)
class Together:
    """Groups of features: a group of options, which `app.spread` gives to the verb."""

    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="Features that enter together and cost once, as the dearest of them: names or globs; repeatable.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None
    at_most: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N:A,B",
            help="Select at most N of these features, a group counted as one; repeatable.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None
    any_of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B", help="Select at least one of these features; repeatable.", rich_help_panel=opt.FINDING
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """Return the options by name."""
        return {"group": self.group, "at-most": self.at_most, "any-of": self.any_of}

    def names(self) -> list[str]:
        """Return the names and globs of all features that are asked about."""
        limited = [some for _, some in self._limits()]
        return opt.split_names([*(self.group or ()), *limited, *(self.any_of or ())])

    def options(self, features: Table) -> dict[str, Any]:
        """Return this as `MinFeaturesOptions` names it, with the positions of features."""
        return {
            "feature_groups": [opt.matching(features, [names]) for names in self.group or ()] or None,
            "at_most": [(most, opt.matching(features, [some])) for most, some in self._limits()] or None,
            "any_of": [opt.matching(features, [names]) for names in self.any_of or ()] or None,
        }

    def _limits(self) -> list[tuple[int, str]]:
        limits = []
        for text in self.at_most or ():
            number, colon, names = text.partition(":")
            if not colon or not number.strip().isdecimal() or not number.isascii():
                raise ParameterError(f"--at-most {text} is no N:A,B, such as 1:age,birthday.")
            limits.append((int(number), names))
        return limits
