"""What becomes of Ctrl-C: it is raised, unless whoever calls asked for what was found until then.

The searches themselves answer with the best so far, whether time is over or somebody interrupts. A program wants that
answer; inside `cross_validate` it would count as the result of a fold, so an estimator raises unless told otherwise.
"""

from __future__ import annotations

from typing import Any, TypeVar

from fewest.budget import INTERRUPT
from fewest.exceptions import InterruptedSearchError, ParameterError

RAISE, RETURN = "raise", "return"

Found = TypeVar("Found")


def check_on_interrupt(rule: object) -> None:
    """Raise unless ``on_interrupt`` is one of its two words."""
    if rule not in (RAISE, RETURN):
        raise ParameterError.from_choice("on_interrupt", rule, (RAISE, RETURN))


def fitted_unless_interrupted(estimator: Any) -> Any:
    """Return a fitted estimator; raise when Ctrl-C ended its search and it is not to return then."""
    return unless_interrupted(estimator, estimator.stopped_by_, estimator.on_interrupt)


def unless_interrupted(found: Found, stopped_by: str | None, rule: str) -> Found:
    """Return what was found; raise `InterruptedSearchError`, which has it, at an interrupt that is to be raised."""
    if stopped_by == INTERRUPT and rule == RAISE:
        raise InterruptedSearchError(found)
    return found
