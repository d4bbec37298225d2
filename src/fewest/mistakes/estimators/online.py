"""What all online classifiers share: check, predict before the label is seen, learn, count mistakes."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

from fewest.blocks.scan import Scan
from fewest.estimators.input import VersionedState, as_scan, refuse_other_columns, without_weights
from fewest.exceptions import ParameterError
from fewest.mistakes.estimators.input import boolean_examples, examples_of
from fewest.mistakes.examples import Examples
from fewest.mistakes.trials import Sample, SampleInMemory, Trials, run_passes


class OnlineClassifier(ClassifierMixin, VersionedState, BaseEstimator):
    """A classifier over Boolean features; a subclass has the options, what learns, and what bounds its mistakes."""

    binarize: float | None
    positive_class: object
    max_iter: int
    _trials: Trials

    @abstractmethod
    def _options(self) -> Any:
        """Return the options that the parameters stand for, which checks them."""

    @abstractmethod
    def _learner(self, options: Any, n_features: int, n_classes: int, positive: int) -> Any:
        """Return what learns: it has ``learn(examples, codes)`` and ``predict(examples)``."""

    @abstractmethod
    def _bound(self, options: Any) -> float | None:
        """Return a bound on the mistakes, where a theorem gives one."""

    def _report(self) -> None:
        """Warn of what happened in the trials, where there is anything to warn of."""

    # ------------------------------------------------------------------ learning

    @without_weights("it learns from mistakes alone, and a row cannot be half mistaken")
    def fit(self, X, y=None) -> Self:
        """Go through the examples in order, again and again, until a pass is without mistake.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features), or Scan
            Boolean: True and False, 1 and 0, or numbers that ``binarize`` makes so. What `scan` returns may be larger
            than memory, for the Winnow family; its columns must be Boolean.
        y : array-like of shape (n_samples,)
            Classes. A scan has them.

        Returns
        -------
        self : object
            The learner itself.

        Warns
        -----
        ConvergenceWarning
            If the last of ``max_iter`` passes still made mistakes.
        """
        options, scanned = self._options(), as_scan(X, y)
        sample = self._in_memory(options, X, y) if scanned is None else self._in_blocks(options, scanned)
        self._trials, self.n_iter_, has_converged = run_passes(self._trials, sample, options.max_iter)
        self._report()
        if not has_converged:
            warnings.warn(
                f"{type(self).__name__} still makes mistakes after max_iter={self.max_iter} passes, so the labels "
                "follow no rule that it can learn, or it needs more of them. Raise max_iter, or expect mistakes.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _in_memory(self, options: Any, X, y) -> Sample:
        """Check the examples, forget what was learned, and return the sample to learn from."""
        examples = self._examples(X, reset=True)
        y = _validated_labels(y, examples)
        self._meet(options, np.unique(y), examples.n_features)
        return SampleInMemory(examples, self._codes(y, examples))

    def _in_blocks(self, options: Any, scanned: Scan) -> Sample:  # noqa: ARG002 (for those that can)
        """Do the same where the rows are in blocks."""
        raise ParameterError.from_blocks(type(self).__name__)

    @without_weights("it learns from mistakes alone, and a row cannot be half mistaken")
    def partial_fit(self, X, y, classes=None) -> Self:
        """Predict and learn one example after the other, once.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features)
            Boolean: True and False, 1 and 0, or numbers that ``binarize`` makes so.
        y : array-like of shape (n_samples,)
            Classes.
        classes : array-like of shape (n_classes,), optional
            All classes that there are; needed at the first call.

        Returns
        -------
        self : object
            The learner itself.
        """
        reset = "_trials" not in self.__dict__
        examples = self._examples(X, reset=reset)
        if reset:
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            y = _validated_labels(y, examples)
            self._meet(self._options(), np.unique(classes), examples.n_features)
            codes = self._codes(y, examples)
        else:
            if classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
                raise ValueError(
                    f"classes={classes!r} is not the same as on the first call to partial_fit: {self.classes_!r}."
                )
            codes = self._codes(np.asarray(y) if isinstance(y, list) else y, examples)
        self._trials.learn(examples, codes)
        self._report()
        return self

    def _examples(self, X, *, reset: bool) -> Examples:
        return boolean_examples(self, X, reset=reset)

    def _meet(self, options: Any, classes: np.ndarray, n_features: int) -> None:
        """Forget everything, and prepare to learn these classes."""
        if len(classes) < 2:
            raise ParameterError(
                f"{type(self).__name__} tells classes apart and needs 2 at least, but the data contains only one "
                f"class: {classes.tolist()}. Pass rows of another class as well."
            )
        self._know(classes)
        self._trials = Trials(self._learner(options, n_features, len(self.classes_), self._positive()))
        self.mistake_bound_ = self._bound(options) if len(self.classes_) == 2 else None

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

    @property
    def learner_(self):
        """The learner, below scikit-learn's contract."""
        check_is_fitted(self)
        return self._trials.learner

    @property
    def n_trials_(self) -> int:
        """How many examples were seen, over all passes and calls."""
        check_is_fitted(self)
        return self._trials.n_trials

    @property
    def mistakes_(self) -> np.ndarray:
        """The numbers of the latest trials that were mistakes, counted from 0 over all passes and calls."""
        check_is_fitted(self)
        return self._trials.mistakes

    @property
    def n_mistakes_(self) -> int:
        """How many trials were mistakes."""
        check_is_fitted(self)
        return self._trials.n_mistakes

    # ------------------------------------------------------------------ predicting

    def predict(self, X) -> np.ndarray:
        """Return the class of every row; nothing is learned.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features), or Scan
            The features, as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples,)
            A label of ``classes_`` for every row.
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
        return "_trials" in self.__dict__

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # of numbers little is left once they are true or false
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
