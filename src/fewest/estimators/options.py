"""What the options of all methods share: how an estimator's parameters become options, and what counts check.

A method's parameters, defaults and checks stand in one frozen dataclass of its room's ``options.py``, which needs no
scikit-learn. Estimators, commands and comparisons take them from there.

Ctrl-C is raised, unless ``on_interrupt`` asks for what was found until then. The searches themselves answer with the
best so far, whether time is over or somebody interrupts. A program wants that answer; inside `cross_validate` it would
count as the result of a fold, so an estimator raises unless told otherwise.
"""

from __future__ import annotations

from dataclasses import fields
from numbers import Integral
from typing import Any, TypeVar

from fewest.budget import INTERRUPT
from fewest.exceptions import InterruptedSearchError, ParameterError

Options = TypeVar("Options")

# The words of ``ties``, which mean the same in every room: one of the equal, chosen at random as ``random_state`` has
# it; the one that comes first in the data; all of them, each with its share.
RANDOM, FIRST, AVERAGE = "random", "first", "average"


def options_of(estimator: Any, kind: type[Options], **instead: Any) -> Options:
    """Return the options that an estimator's parameters stand for; making them checks them.

    The estimator stores parameters untouched, as scikit-learn asks, and calls this at the start of ``fit``.

    Parameters
    ----------
    estimator : estimator
        It has a parameter of the same name for every field of ``kind``.
    kind : type
        A frozen dataclass that checks its fields in ``__post_init__``.
    **instead
        Fields that do not come from the estimator.
    """
    check_on_interrupt(getattr(estimator, "on_interrupt", RAISE))
    given = {field.name: getattr(estimator, field.name) for field in fields(kind) if field.name not in instead}  # type: ignore[arg-type]
    return kind(**given | instead)


def check_count(name: str, value: Any, least: int = 1) -> None:
    """Raise unless an option is a whole number of at least ``least``, in scikit-learn's words."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ParameterError(f"{name} must be an instance of int, not {type(value).__name__}.")
    if value < least:
        raise ParameterError(f"{name} == {value}, must be >= {least}.")


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
