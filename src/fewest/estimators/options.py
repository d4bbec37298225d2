"""From the parameters of an estimator to the options of its method."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

Options = TypeVar("Options")


def options_of(estimator: Any, kind: type[Options], **instead: Any) -> Options:
    """Return the options that an estimator's parameters stand for; making them checks them.

    A method's parameters, defaults and checks stand in one frozen dataclass of its room's ``options.py``. The
    estimator stores parameters untouched, as scikit-learn asks, and calls this at the start of ``fit``.
    """
    return kind(**{field.name: getattr(estimator, field.name) for field in fields(kind)} | instead)  # type: ignore[arg-type]
