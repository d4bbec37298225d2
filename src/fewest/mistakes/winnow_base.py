"""What Winnow1, Winnow2 and balanced Winnow share as scikit-learn classifiers: weights, blocks and files."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewest.blocks.scanned import Scan
from fewest.estimators.input import remember_columns, sorted_classes
from fewest.mistakes.blocks import Lesson, learn_blocks, truths_themselves
from fewest.mistakes.classifier_model import Course, TruthsModel
from fewest.mistakes.examples import Examples
from fewest.mistakes.online_base import OnlineClassifier
from fewest.mistakes.winnow import Committee, Rule
from fewest.mistakes.winnow_files import classifier_from, model_of


class WinnowClassifier(OnlineClassifier):
    """What the three variants share; each says its rule."""

    algorithm: ClassVar[str]
    learner_: Committee

    def _start(self, n_features: int, n_classes: int, positive: int) -> Committee:
        return Committee(self._rule(n_features), n_features, n_classes, positive)

    def _fit_blocks(self, scanned: Scan):
        """Learn where the rows are in blocks, in their order."""
        remember_columns(self, scanned)
        store = scanned.store
        tests = truths_themselves(store.features, type(self).__name__)
        classes, numbers = sorted_classes(store)
        self._meet(classes, store.n_features)
        lesson, self.n_iter_ = learn_blocks(store, Lesson(self.learner_), tests, numbers, self.max_iter)
        self.learner_, self.n_trials_, self._mistakes = lesson.committee, lesson.n_trials, list(lesson.mistakes)
        return self

    @abstractmethod
    def _rule(self, n_features: int) -> Rule:
        """Say what a mistake does to the weights."""

    @property
    def weights_(self) -> np.ndarray:
        """The weights, a row for two classes or a row a class."""
        check_is_fitted(self)
        weights = [machine.weights for machine in self.learner_.machines]
        return np.array(weights).reshape(-1, self.n_features_in_)

    @property
    def theta_(self) -> float:
        """The threshold in use."""
        check_is_fitted(self)
        return self.learner_.rule.theta

    @property
    def alpha_(self) -> float:
        """The update factor in use."""
        check_is_fitted(self)
        return self.learner_.rule.alpha

    def decision_function(self, X):
        """Return how far sums of weights are above the threshold; positive values predict the positive class.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features), or Scan

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        check_is_fitted(self)
        return self._in_batches(X, self._margins)

    def _margins(self, examples: Examples) -> np.ndarray:
        machines = self.learner_.machines
        scores = np.array([machine.scores(examples) - self.learner_.rule.bar for machine in machines])
        if len(machines) > 1:
            return scores.T
        if not machines:
            return np.zeros(len(examples))
        return scores[0] if self.learner_.positive == 1 else -scores[0]

    # ------------------------------------------------------------------ files

    @property
    def model_(self) -> TruthsModel:
        """What was learned, to use on raw data without scikit-learn."""
        check_is_fitted(self)
        return model_of(self)

    def export_text(self) -> str:
        """List the weights of every class, the largest first, a line each."""
        return self.model_.export_text()

    def save(self, path) -> None:
        """Write the learner into one file, which `load`, `load_model` and ``fewest predict`` read."""
        self.model_.save(path)

    @classmethod
    def load(cls, path):
        """Return the learner that `save` wrote, to go on with: it learns and counts as if it had never been away.

        Parameters
        ----------
        path : str or Path

        Returns
        -------
        Winnow1, Winnow2 or BalancedWinnow
            Whichever it is called for.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import numpy as np
        >>> from fewest import Winnow2
        >>> X = np.random.default_rng(0).random((1000, 50)) < 0.2
        >>> y = X[:, 3] | X[:, 33]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "half.model")
        ...     Winnow2().partial_fit(X[:500], y[:500], classes=[False, True]).save(path)
        ...     learner = Winnow2.load(path)
        >>> learner.n_trials_, learner.partial_fit(X[500:], y[500:]).n_trials_
        (500, 1000)
        """
        return classifier_from(cls, path)

    def _go_on(self, classes: np.ndarray, committee: Committee, course: Course) -> None:
        """Go on from where another learner was."""
        self._know(classes)
        self.learner_, self.n_trials_, self._mistakes = committee, course.n_trials, [course.mistakes.astype(np.intp)]
        self.mistake_bound_ = course.mistake_bound
        if course.n_passes is not None:
            self.n_iter_ = course.n_passes
