"""Classification by Feature Partitioning as a scikit-learn classifier."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import column_or_1d

from fewest.blocks.scanned import Scan
from fewest.cfp.blocks import learn_cfp_in_blocks
from fewest.cfp.model import PartitionModel, as_names
from fewest.cfp.settings import Settings
from fewest.cfp.voting import VotingClassifier, categorical_positions
from fewest.estimators.input import as_scan, remember_columns, sorted_classes, validated_examples
from fewest.exceptions import ParameterError, quoted


class CFPClassifier(VotingClassifier):
    """Partition the values of every feature by class, one example at a time, and let the features vote.

    Güvenir and Şirin (1993). A partition is a range or a point of one feature's
    values, with a class and the number of examples that it represents. An
    example extends a partition of its class that is near enough, is counted
    in one that holds its value, splits one of another class, or becomes a
    point of its own. Every feature predicts the class of the partition that
    holds a value, and nothing elsewhere; before it learns an example, its
    weight rises or falls by ``delta`` percent as its prediction was right or
    wrong. The class with the largest sum of weights wins.

    The order of the examples matters, and is the user's. A missing value
    leaves its feature out, in training and in prediction. Features of names
    and truths have point partitions alone; numbers, integers among them,
    are measured. The data is read once and not kept.

    Parameters
    ----------
    limit : float, str, or sequence of one of these per feature, default="2%"
        The generalisation limit, D_f in the document: how near a value must be to a partition to extend it.
        A number in the feature's unit, ``"5%"`` of its range, or ``"0.5 sd"`` in its standard deviations, in the
        data of `fit` or of the first `partial_fit`. The document has no default.
    delta : float, default=2.0
        The weight adjustment rate, in percent. 0 keeps all weights equal. The document has no default.
    inclusive : bool, default=False
        Whether a distance equal to the limit is near enough. Section 2 says less than; the proof of theorem 3 says
        less than or equal.
    between : {"merge", "nearer"}, default="merge"
        What becomes of a value within the limit of partitions of its class on both sides. The document speaks
        of one neighbour. ``"merge"`` joins both to one partition, as theorem 3 has it, and makes the partitions of a
        feature with one class independent of the order; ``"nearer"`` extends the nearer, the lower of equals.
    end_points : {"all", "points"}, default="all"
        Whose counts are compared at a value that has point partitions. ``"all"``: the points', and those of ranges
        that end there. ``"points"``: the points' alone.
    silence : {"neutral", "wrong"}, default="neutral"
        Whether a feature that makes no prediction for an example keeps its weight, or loses as for a wrong one.
    vote : {"winner", "shares"}, default="winner"
        How a feature votes where it has partitions of several classes. ``"winner"``: for the class of the highest
        count, as the document says. ``"shares"``: its weight is divided among the classes, each by the part of
        all its examples that is represented there (Demiröz and Güvenir, 1997). See the notes.
    abstain : label, optional
        What to predict where nothing decides, the most frequent class by default. `predict` takes it, too.
    categorical_features : sequence of int, str or bool, optional
        Columns whose numbers are names.
    n_jobs : int, default=-1
        Threads, -1 for one a core. The result does not depend on it.

    Attributes
    ----------
    model_ : PartitionModel
        What was learned, to use on raw data without scikit-learn; its ``concept`` holds the partitions.
    weights_ : ndarray of shape (n_features,)
        The weights, in units of the largest: only their ratios matter.
    limits_ : ndarray of shape (n_features,)
        The limits in the features' units.
    n_partitions_ : int
        The partitions of all features.
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)

    Notes
    -----
    What else the document leaves open is settled so:

    - Only the partitions next to the undetermined one that holds the value may be extended, and none over another
      partition: a range that shares its end with a point stays as it is there.
    - A split divides the count in proportion to the lengths of the parts, rounded, since examples are not kept.
    - A value at the end of a range of another class becomes a further point there; no split is needed. A value
      at the end of two ranges of its class counts for the one with the higher count, the lower of equals.
    - Equal highest counts of two classes at a value make no prediction.
    - Weights change by a factor of 1 ± ``delta``/100.
    - Every example is first predicted and then learned, by each feature.
    - A tie of votes goes to the class for which the feature of the highest weight voted; if that is a tie, too,
      nothing decides.

    A value votes for one class, the one with the most examples there, so that a class that is frequent nowhere is never
    predicted: of the 7 classes of zoo 2 are, and of the 19 of soybean 8. Limits change nothing about names;
    ``vote="shares"`` does, best with ``delta=0``: ten-fold accuracy rises from 0.604 to 0.951 on zoo, from 0.451 to
    0.874 on soybean, from 0.633 to 0.888 on dna. A weight is a product over all examples, so with thousands of them few
    features have all the weight unless ``delta`` is very small. That helps where one feature tells nearly everything,
    as in votes and mushroom, on which the same choice loses: 0.892 after 0.947, and 0.916 after 0.984. Where one class
    is more frequent than the others and most features are irrelevant, as in golub, its ranges cover most of every line:
    select features first. ``benchmarks/cfp_comparison.py`` measures the accuracies.

    Examples
    --------
    The domain of the document's Figure 1, with numbers for its letters:

    >>> from fewest import CFPClassifier
    >>> X = [[1, 7], [2, 8], [3, 5], [4, 6]]
    >>> classifier = CFPClassifier(limit=2).fit(X, ["+", "+", "-", "-"])
    >>> print(classifier.export_text())
    x0 (weight 1)
      [1, 2]  +  (2)
      [3, 4]  -  (2)
    x1 (weight 1)
      [5, 6]  -  (2)
      [7, 8]  +  (2)
    >>> print(classifier.export_rules().splitlines()[0])
    class +: (1 ≤ x0 & x0 ≤ 2 & x1 < 5) or
    >>> classifier.predict([[1.5, 7.5], [1.5, 5.5]], abstain="?").tolist()
    ['+', '?']
    """

    def __init__(
        self,
        limit="2%",
        delta=2.0,
        *,
        inclusive=False,
        between="merge",
        end_points="all",
        silence="neutral",
        vote="winner",
        abstain=None,
        categorical_features=None,
        n_jobs=-1,
    ):
        self.limit = limit
        self.delta = delta
        self.inclusive = inclusive
        self.between = between
        self.end_points = end_points
        self.silence = silence
        self.vote = vote
        self.abstain = abstain
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X, y=None):
        """Learn the examples in their order, and nothing else.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            What `scan` returns may be larger than memory.
        y : array-like of shape (n_samples,)
            Classes. A scan has them.

        Returns
        -------
        self
        """
        if (scanned := as_scan(X, y)) is not None:
            return self._fit_blocks(scanned)
        table, y = validated_examples(self, X, y)
        return self._learn_first(table, y, np.unique(y))

    def partial_fit(self, X, y, classes=None):
        """Learn more examples in their order, after those learned so far.

        The time is that of the examples and of the partitions there are, so give many examples at a time.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes.
        classes : array-like, optional
            All classes, in the first call; those of the first examples by default.

        Returns
        -------
        self
        """
        is_first = not hasattr(self, "model_")
        table, y = validated_examples(self, X, y, reset=is_first)
        if is_first:
            return self._learn_first(table, y, np.unique(y if classes is None else column_or_1d(classes)))
        if classes is not None and not np.array_equal(np.unique(column_or_1d(classes)), self.classes_):
            raise ValueError(f"classes={classes!r} is not the same as on the first call: {self.classes_.tolist()!r}.")
        self._store(self.model_.learned(self._named(table), _numbered(y, self.classes_), self.n_jobs))
        return self

    def _fit_blocks(self, scanned: Scan):
        """Do the same where the rows are in blocks."""
        if self.categorical_features is not None:
            raise ParameterError(
                "The columns of a scan are typed when they are read, so categorical_features comes too late. Say it "
                "there: scan(..., kinds={'zip': 'nominal'})."
            )
        remember_columns(self, scanned)
        store, settings = scanned.quantities, self._settings()
        classes, numbers = sorted_classes(store)
        chosen = range(store.n_features)
        self._store(learn_cfp_in_blocks(store, chosen, classes, numbers, self.limit, settings, self.n_jobs))
        return self

    def _settings(self) -> Settings:
        return Settings(self.delta, self.inclusive, self.between, self.end_points, self.silence, self.vote)

    def _learn_first(self, table, y, classes):
        settings = self._settings()
        numbered = _numbered(y, classes)
        table = self._named(table)
        self._store(PartitionModel.start(table, classes, self.limit, settings).learned(table, numbered, self.n_jobs))
        return self

    def _named(self, table):
        return as_names(table, categorical_positions(table, self.categorical_features))


def _numbered(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the positions of labels among the classes."""
    numbered = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    unknown = classes[numbered] != y
    if unknown.any():
        raise ParameterError(
            f"The labels {quoted(np.unique(y[unknown]))} are none of the classes, which were fixed by the first call. "
            "Name all classes there: partial_fit(X, y, classes=...)."
        )
    return numbered
