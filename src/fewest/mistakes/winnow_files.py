"""Winnow's classifiers to files and back, as they were: what they learn next is what they would have learned."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from fewest.exceptions import ModelFileError
from fewest.mistakes.classifier_model import Course, TruthsModel
from fewest.mistakes.separation import Separation
from fewest.models.load import load_model

if TYPE_CHECKING:
    from pathlib import Path

    from fewest.mistakes.winnow_base import WinnowClassifier

    Classifier = TypeVar("Classifier", bound=WinnowClassifier)

LEARNERS = {"winnow1": "Winnow1", "winnow2": "Winnow2", "balanced": "BalancedWinnow"}


def model_of(classifier: WinnowClassifier) -> TruthsModel:
    """Return what a fitted classifier knows."""
    names = getattr(classifier, "feature_names_in_", None)
    course = Course(
        {name: _to_record(name, value) for name, value in classifier.get_params(deep=False).items()},
        classifier.n_trials_,
        classifier.mistakes_,
        classifier.mistake_bound_,
        getattr(classifier, "n_iter_", None),
    )
    named = None if names is None else tuple(names.tolist())
    return TruthsModel(classifier.learner_, classifier.classes_, classifier.n_features_in_, named, course)


def classifier_from(kind: type[Classifier], path: str | Path) -> Classifier:
    """Read a classifier that ``save`` wrote."""
    model = load_model(path)
    if not isinstance(model, TruthsModel):
        raise ModelFileError(
            f"{str(path)!r} holds another model than a Winnow classifier's, so {kind.__name__} cannot go on learning "
            "from it. To predict, load_model reads it; to go on learning, give what Winnow's save wrote."
        )
    learner = LEARNERS[model.committee.rule.kind]
    if kind.algorithm != model.committee.rule.kind:
        raise ModelFileError(
            f"{str(path)!r} holds a {learner}, which {kind.__name__} cannot go on from. Call {learner}.load."
        )
    try:
        return _restored(kind, model)
    except (ValueError, KeyError, TypeError) as error:
        raise ModelFileError.from_damage(path, error) from None


def _restored(kind: type[Classifier], model: TruthsModel) -> Classifier:
    known, told = kind().get_params(deep=False), model.course.parameters
    if known.keys() != told.keys():
        raise ValueError("its parameters are others than those of its learner")
    classifier = kind(**{name: _from_record(name, value) for name, value in told.items()})
    if classifier.positive_class not in (None, *model.classes_.tolist()):
        raise ValueError("the class that it describes is none of its classes")
    classifier.n_features_in_ = model.n_features
    if model.names is not None:
        classifier.feature_names_in_ = np.array(model.names, dtype=object)
    classifier._go_on(model.classes_, model.committee, model.course)
    return classifier


def _to_record(name: str, value: object) -> Any:
    """Return a parameter as JSON says it."""
    if isinstance(value, Separation):
        return vars(value)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | str | int | float):
        return value
    raise ModelFileError(
        f"{name}={value!r} is a {type(value).__name__}, which a model file cannot hold, so nothing was written. "
        "Let it be text, a number or a truth."
    )


def _from_record(name: str, value: Any) -> Any:
    """Return a parameter that JSON told; raise ValueError or TypeError when it is none."""
    if name == "separation" and isinstance(value, Mapping):
        return Separation(**value)
    is_right = {
        "max_iter": isinstance(value, Integral),
        "positive_class": value is None or isinstance(value, str | int | float),
        "separation": value is None,
    }
    if not is_right.get(name, value is None or isinstance(value, Real)):
        raise ValueError(f"its {name} is none")
    return value
