"""What all online classifiers share: check, predict before the label is seen, learn, count mistakes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_consistent_length, check_scalar
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

from fewest.blocks.scan import Scan
from fewest.estimators.input import as_scan, refuse_other_columns
from fewest.exceptions import ParameterError
from fewest.mistakes.estimators.input import boolean_examples, examples_of
from fewest.mistakes.examples import Examples


class OnlineClassifier(ClassifierMixin, BaseEstimator):
    """A classifier over Boolean features; a subclass says what learns, and what bounds its mistakes."""

    positive_class: object = None
    max_iter: int = 100

    @abstractmethod
    def _start(self, n_features: int, n_classes: int, positive: int):
        """Return something with ``learn(examples, codes)`` and ``predict(examples)``, after checking parameters."""

    def _bound(self) -> float | None:
        """Return a bound on the mistakes, where a theorem gives one."""
        return None

    # ------------------------------------------------------------------ learning

    def fit(self, X, y=None):
        """Go through the examples in order, again and again, until a pass is without mistake.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features), or Scan
            Boolean: True and False, or 1 and 0. What `scan` returns may be larger than memory, for the Winnow family.
        y : array-like of shape (n_samples,)
            Classes. A scan has them.

        Returns
        -------
        self
        """
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        if (scanned := as_scan(X, y)) is not None:
            return self._fit_blocks(scanned)
        examples = self._examples(X, reset=True)
        codes = self._begin(examples, _validated_labels(y, examples), None)
        self.n_iter_ = 1
        while self._learn(examples, codes) and self.n_iter_ < self.max_iter:
            self.n_iter_ += 1
        return self

    def _fit_blocks(self, scanned: Scan):  # noqa: ARG002 (for those that can)
        """Do the same where the rows are in blocks."""
        raise ParameterError.from_blocks(type(self).__name__)

    def partial_fit(self, X, y, classes=None):
        """Predict and learn one example after the other, once.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features)
            Boolean: True and False, or 1 and 0.
        y : array-like of shape (n_samples,)
            Classes.
        classes : array-like of shape (n_classes,), optional
            All classes that there are; needed at the first call.

        Returns
        -------
        self
        """
        is_first = not hasattr(self, "learner_")
        examples = self._examples(X, reset=is_first)
        if is_first:
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            codes = self._begin(examples, _validated_labels(y, examples), np.unique(classes))
        else:
            if classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
                raise ValueError(
                    f"classes={classes!r} is not the same as on the first call to partial_fit: {self.classes_!r}."
                )
            codes = self._codes(np.asarray(y) if isinstance(y, list) else y, examples)
        self._learn(examples, codes)
        return self

    def _examples(self, X, *, reset: bool) -> Examples:
        return boolean_examples(self, X, reset=reset)

    def _begin(self, examples: Examples, y: np.ndarray, classes: np.ndarray | None) -> np.ndarray:
        """Forget everything, meet the classes, and return the numbers of the labels."""
        self._meet(np.unique(y) if classes is None else classes, examples.n_features)
        return self._codes(y, examples)

    def _meet(self, classes: np.ndarray, n_features: int) -> None:
        """Forget everything, and prepare to learn these classes."""
        self._know(classes)
        self.learner_ = self._start(n_features, len(self.classes_), self._positive())
        self.n_trials_ = 0
        self._mistakes: list[np.ndarray] = []
        self.mistake_bound_ = self._bound() if len(self.classes_) == 2 else None

    def _know(self, classes: np.ndarray) -> None:
        self.classes_ = classes
        self._numbers = {label: code for code, label in enumerate(classes.tolist())}

    def _positive(self) -> int:
        """Return the number of the class that is 1 to the algorithm."""
        if self.positive_class is None:
            return 1
        known = np.flatnonzero(self.classes_ == self.positive_class)
        if len(self.classes_) != 2 or not len(known):
            raise ParameterError(
                f"positive_class={self.positive_class!r} is none of two classes: they are {self.classes_.tolist()}. "
                "Name one of the two, or leave it out."
            )
        return int(known[0])

    def _codes(self, y, examples: Examples) -> np.ndarray:
        """Return the numbers of known labels."""
        if not isinstance(y, np.ndarray) or y.ndim != 1:
            y = _validated_labels(y, examples)
        if len(y) != len(examples):
            check_consistent_length(np.empty(len(examples)), y)
        if len(y) == 1 and (code := self._numbers.get(y.item())) is not None:
            return np.array([code])
        if len(self.classes_) == 2 and y.dtype == self.classes_.dtype == bool:
            return y.view(np.int8)
        if len(self.classes_) == 2:
            codes = y == self.classes_[1]
            known = codes | (y == self.classes_[0])
            codes = codes.astype(np.int8)
        else:
            codes = np.searchsorted(self.classes_, y)
            known = self.classes_[np.minimum(codes, len(self.classes_) - 1)] == y
        if not known.all():
            strange = y[~known][0]
            raise ValueError(
                f"The label {strange!r} is none of the classes {self.classes_.tolist()} that were named at the first "
                "call, so it cannot be learned. Name all classes there."
            )
        return codes

    def _learn(self, examples: Examples, codes: np.ndarray) -> int:
        """Learn from examples; return the number of mistakes made on the way."""
        wrong = (self.learner_.learn(examples, codes) != codes).nonzero()[0]
        if len(wrong):
            self._mistakes.append(wrong + self.n_trials_)
        self.n_trials_ += len(examples)
        return len(wrong)

    @property
    def mistakes_(self) -> np.ndarray:
        """The numbers of the trials that were mistakes, counted from 0 over all passes and calls."""
        check_is_fitted(self)
        self._mistakes[:] = [np.concatenate([np.empty(0, dtype=np.intp), *self._mistakes])]
        return self._mistakes[0].copy()

    @property
    def n_mistakes_(self) -> int:
        """How many trials were mistakes."""
        check_is_fitted(self)
        return sum(map(len, self._mistakes))

    # ------------------------------------------------------------------ predicting

    def predict(self, X):
        """Return the class of every row; nothing is learned.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features), or Scan

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self.classes_[self._in_batches(X, self.learner_.predict)]

    def _in_batches(self, X, work: Callable[[Examples], np.ndarray]) -> np.ndarray:
        """Work on all examples at once, or on those of a scan batch by batch."""
        if (scanned := as_scan(X)) is None:
            return work(self._examples(X, reset=False))
        refuse_other_columns(self, scanned)
        batches = scanned.batches(scanned.feature_names, lambda *_: False)  # what is neither 0 nor 1 is refused
        return np.concatenate([work(examples_of(table, type(self).__name__)) for table in batches])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "learner_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


def _validated_labels(y, examples: Examples) -> np.ndarray:
    if y is None:
        raise ValueError("The learner requires y to be passed, but the target y is None.")
    if type(y) is np.ndarray and y.dtype == bool and y.shape == (len(examples),):
        return y  # all the checks would find nothing, and cost more than learning from a thousand examples
    y = column_or_1d(check_array(y, ensure_2d=False, dtype=None, input_name="y"), warn=True)
    check_consistent_length(np.empty(len(examples)), y)
    check_classification_targets(y)
    return y
