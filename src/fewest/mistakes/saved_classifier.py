"""Winnow over Boolean features, with what it takes to go on learning: what its classifiers save and load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from fewest.exceptions import ModelFileError
from fewest.mistakes.model import WinnowModel, committee_from_record, committee_to_record
from fewest.mistakes.separation import Separation
from fewest.mistakes.winnow import Committee
from fewest.models.boolean_features import BooleanFeatures
from fewest.models.encoder import UNSEEN, Encoder, KnownColumn
from fewest.models.files import classes_from_record, classes_to_record, load_model, save_file
from fewest.models.model import Answers
from fewest.table import Column, Kind
from fewest.table.column import MISSING

if TYPE_CHECKING:
    from fewest.mistakes.estimators.winnow import WinnowClassifier

    Classifier = TypeVar("Classifier", bound=WinnowClassifier)

KIND = "winnow classifier"
# More trials than any learner lives to see; their numbers fit into 64 bits.
MOST_TRIALS = 1 << 62
LEARNERS = {"winnow1": "Winnow1", "winnow2": "Winnow2", "balanced": "BalancedWinnow"}


@dataclass(frozen=True, eq=False)
class Course:
    """The course of learning so far: what the future of a learner depends on, besides its weights.

    Parameters
    ----------
    parameters : dict
        Those of the classifier, as plain data.
    n_trials : int
        The examples seen.
    n_mistakes : int
        The trials that were mistakes.
    mistakes : ndarray of int
        The numbers of the latest of them.
    mistake_bound : float, optional
    n_passes : int, optional
        The passes of ``fit``.
    """

    parameters: dict[str, Any]
    n_trials: int
    n_mistakes: int
    mistakes: np.ndarray
    mistake_bound: float | None = None
    n_passes: int | None = None

    def to_record(self) -> dict[str, Any]:
        """Return all but the mistakes, as plain data."""
        return {name: value for name, value in vars(self).items() if name != "mistakes"}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], mistakes: np.ndarray) -> Course:
        """Return what `to_record` and the mistakes describe; raise ValueError, KeyError or TypeError for nothing."""
        parameters = record["parameters"]
        n_mistakes = record.get("n_mistakes", mistakes.size)  # the first files have the numbers of all
        course = cls(
            parameters,
            record["n_trials"],
            n_mistakes,
            mistakes,
            record["mistake_bound"],
            record["n_passes"],
        )
        if not isinstance(course.parameters, dict) or not _is_whole(course.n_trials, 0, MOST_TRIALS):
            raise ValueError("how it was learned is missing")
        if course.n_passes is not None and not _is_whole(course.n_passes, 1, MOST_TRIALS):
            raise ValueError("its number of passes is none")
        if course.mistake_bound is not None and type(course.mistake_bound) not in (int, float):
            raise ValueError("its bound on mistakes is no number")
        inside = np.concatenate([[-1], mistakes, [course.n_trials]]) if mistakes.ndim == 1 else np.empty(0)
        if mistakes.dtype.kind != "i" or mistakes.ndim != 1 or (np.diff(inside) <= 0).any():
            raise ValueError("its mistakes are not among its trials")
        if not _is_whole(n_mistakes, mistakes.size, course.n_trials):
            raise ValueError("its number of mistakes is none")
        return course


@dataclass(frozen=True)
class BooleanColumn(KnownColumn):
    """A column that the learner took as Boolean, however it is written.

    True and False, 1 and 0, yes and no are the same to it, as the learner knew no more of its data. Other numeric
    values are true above ``binarize``; where that is None, they are values that training did not have. Nominal ones
    are refused.
    """

    kind: str = Kind.BOOLEAN.value
    labels: tuple[Any, ...] = ("False", "True")
    binarize: float | None = None

    def accepts(self, column: Column) -> bool:
        """Return whether a column is Boolean or numeric, or all missing."""
        return column.kind is not Kind.NOMINAL or column.n_missing == len(column)

    def codes(self, column: Column) -> np.ndarray:
        """Return 0 for false, 1 for true, and 2 for a missing value."""
        is_missing = column.is_missing if column.kind is Kind.NUMERIC else column.values == MISSING
        codes = np.full(len(column), UNSEEN, dtype=np.int8)
        if column.kind is Kind.NUMERIC and self.binarize is not None:
            codes[:] = column.values > self.binarize
        else:
            for code in (0, 1):  # no is always the first of two opposites
                codes[column.values == code] = code
        codes[is_missing] = len(self.labels)
        return codes


@dataclass(frozen=True, eq=False)
class WinnowClassifierModel:
    """Winnow over Boolean columns.

    Parameters
    ----------
    committee : Committee
    classes_ : ndarray
        The labels of the classes.
    n_features : int
    names : tuple of str, optional
        The names of the features; x0, x1 and so on without.
    course : Course
        How learning went so far.
    """

    committee: Committee
    classes_: np.ndarray
    n_features: int
    names: tuple[str, ...] | None
    course: Course
    target: str | None = None

    @cached_property
    def raw(self) -> WinnowModel:
        """Return the model over typed columns, none of them where nothing is looked at; built when it is needed."""
        n_columns = self.n_features if self.committee.members else 0
        names: Sequence[str] = [f"x{i}" for i in range(n_columns)] if self.names is None else self.names[:n_columns]
        places, nothing = np.arange(n_columns), np.empty(0, dtype=np.int64)
        tests = BooleanFeatures(places, np.ones_like(places), nothing, nothing, nothing, nothing)
        binarize = self.course.parameters.get("binarize")
        encoder = Encoder(tuple(BooleanColumn(name, binarize=binarize) for name in names))
        return WinnowModel(encoder, tests, self.committee, self.classes_, self.target)

    @property
    def encoder(self) -> Encoder:
        """Return the columns that the model looks at."""
        return self.raw.encoder

    # ------------------------------------------------------------------ predicting and showing

    def predict(self, X: object) -> np.ndarray:
        """Return the class of every row of a `Table`, a frame of any library, an array or a scan.

        Columns are found by name. A value that is neither true nor false counts as false.
        """
        return self.raw.predict(X)

    def predict_proba(self, X: object) -> np.ndarray:
        """Return 1 for the class predicted and 0 for others: Winnow has no probabilities."""
        return self.raw.predict_proba(X)

    def answers(self, X: object) -> Answers:
        """Return the predictions for new data, and how many rows have values that training did not have."""
        return self.raw.answers(X)

    @property
    def class_names(self) -> list[str]:
        """Return the labels as text."""
        return self.raw.class_names

    @property
    def weights(self) -> np.ndarray:
        """Return the weights of the features, a row for two classes or a row a class."""
        return self.raw.weights

    @property
    def columns_used(self) -> list[str]:
        """Return the names of the features that have a weight."""
        return self.raw.columns_used

    def export_text(self) -> str:
        """List the weights of every class, the largest first, a line each."""
        return self.raw.export_text()

    # ------------------------------------------------------------------ files

    def save(self, path: str | Path) -> None:
        """Write the model into one file, which `load_model`, ``fewest predict`` and the classifier's ``load`` read."""
        header = {
            "kind": KIND,
            "target": self.target,
            "classes": classes_to_record(self.classes_),
            "features": self.n_features if self.names is None else list(self.names),
            **committee_to_record(self.committee),
            "course": self.course.to_record(),
        }
        save_file(path, header, {"exponents": self.committee.exponents, "mistakes": self.course.mistakes})

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> WinnowClassifierModel:
        """Return the model that a file holds; raise ValueError, KeyError or TypeError when it holds none."""
        features, classes = header["features"], classes_from_record(header["classes"])
        is_named = isinstance(features, list) and all(isinstance(name, str) for name in features)
        n_features = len(features) if is_named else features
        if not _is_whole(n_features, 1, 1 << 31) or classes.ndim != 1 or not len(classes):
            raise ValueError("its features or classes are none")
        committee = committee_from_record(header, arrays["exponents"], n_features, len(classes))
        course = Course.from_record(header["course"], arrays["mistakes"])
        return cls(committee, classes, n_features, tuple(features) if is_named else None, course, header["target"])


def _is_whole(number: object, least: int, most: int) -> bool:
    return type(number) is int and least <= number <= most


def model_of(classifier: WinnowClassifier) -> WinnowClassifierModel:
    """Return what a fitted classifier knows."""
    names = getattr(classifier, "feature_names_in_", None)
    course = Course(
        {name: _to_record(name, value) for name, value in classifier.get_params(deep=False).items()},
        classifier.n_trials_,
        classifier.n_mistakes_,
        classifier.mistakes_,
        classifier.mistake_bound_,
        getattr(classifier, "n_iter_", None),
    )
    named = None if names is None else tuple(names.tolist())
    return WinnowClassifierModel(classifier.learner_, classifier.classes_, classifier.n_features_in_, named, course)


def classifier_from(kind: type[Classifier], path: str | Path) -> Classifier:
    """Read a classifier that ``save`` wrote."""
    model = load_model(path)
    if not isinstance(model, WinnowClassifierModel):
        raise ModelFileError(
            f"{str(path)!r} holds another model than a Winnow classifier's, so {kind.__name__} cannot go on learning "
            "from it. To predict, load_model reads it; to go on learning, give what Winnow's save wrote."
        )
    learner = LEARNERS[model.committee.rule.kind]
    if kind.options_type.algorithm != model.committee.rule.kind:
        raise ModelFileError(
            f"{str(path)!r} holds a {learner}, which {kind.__name__} cannot go on from. Call {learner}.load."
        )
    try:
        return _restored(kind, model)
    except (ValueError, KeyError, TypeError) as error:
        raise ModelFileError.from_damage(path, error) from None


def _restored(kind: type[Classifier], model: WinnowClassifierModel) -> Classifier:
    known, saved = kind().get_params(deep=False), dict(model.course.parameters)
    if "alpha" in saved:  # as the first files have it
        saved = {"binarize": None, **saved, "update_factor": saved["alpha"]}
        del saved["alpha"]
    if known.keys() != saved.keys():
        raise ValueError("its parameters are others than those of its learner")
    classifier = kind(**{name: _from_record(name, value) for name, value in saved.items()})
    if classifier.positive_class not in (None, *model.classes_.tolist()):
        raise ValueError("the class that it describes is none of its classes")
    classifier.n_features_in_ = model.n_features
    if model.names is not None:
        classifier.feature_names_in_ = np.array(model.names, dtype=object)
    classifier._go_on(model.classes_, model.committee, model.course)
    return classifier


def _to_record(name: str, value: object) -> Any:
    """Return a parameter as JSON holds it."""
    if isinstance(value, Separation):
        return vars(value)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | str | int | float):
        return value
    raise ModelFileError(
        f"{name}={value!r} is a {type(value).__name__}, which a model file cannot hold, so nothing was written. "
        "Let it be text, a number or a Boolean."
    )


def _from_record(name: str, value: Any) -> Any:
    """Return a parameter from JSON; raise ValueError or TypeError when it is none."""
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
