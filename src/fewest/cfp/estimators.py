"""CFP and GA-CFP as scikit-learn classifiers, and what they share: predictions, votes, rules and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, column_or_1d

from fewest.blocks.scan import Scan
from fewest.cfp.blocks import learn_cfp_in_blocks
from fewest.cfp.evolution import Generation, evolve
from fewest.cfp.feature import Partition
from fewest.cfp.model import PartitionModel, as_nominal
from fewest.cfp.options import CFPOptions, GACFPOptions
from fewest.estimators.input import (
    VersionedState,
    as_scan,
    refuse_other_columns,
    remember_columns,
    sorted_classes,
    validated_examples,
    validated_features,
    without_weights,
)
from fewest.estimators.options import RAISE, fitted_unless_interrupted, options_of
from fewest.exceptions import ParameterError, UnknownColumnError, quoted
from fewest.table import Table
from fewest.table.requests import positions


class VotingClassifier(ClassifierMixin, VersionedState, BaseEstimator):
    """The base of classifiers whose model is a concept of feature partitions; ``fit`` of a subclass learns it."""

    abstain: object
    categorical_features: Sequence[int | str] | None
    n_jobs: int | None = None

    def _store(self, model: PartitionModel) -> None:
        self.model_ = model
        self.classes_ = model.classes_
        self.weights_ = model.concept.weights
        self.limits_ = model.concept.limits
        self.n_partitions_ = model.concept.n_partitions

    @property
    def feature_importances_(self) -> np.ndarray:
        """The weights of the features as shares of their sum; 0 for a feature that never votes."""
        check_is_fitted(self)
        votes = np.array([len(feature) > 0 for feature in self.model_.concept.features], dtype=bool)
        weights = np.where(votes, self.weights_, 0.0)
        return weights / (weights.sum() or 1.0)

    def _with_nominal(self, table: Table) -> Table:
        """Return the table with the columns of ``categorical_features`` as nominal ones, even if they hold numbers."""
        chosen = self.categorical_features
        return table if chosen is None else as_nominal(table, set(positions(table, chosen)))

    def _votes(self, X) -> tuple[list[np.ndarray], np.ndarray]:
        """Return the values of new data, and the votes."""
        check_is_fitted(self)
        table = validated_features(self, X)
        columns = self.model_.values(table.columns)
        return columns, self.model_.concept.votes(columns, table.n_rows, n_jobs=self.n_jobs)

    def _for_blocks(self, scanned: Scan) -> PartitionModel:
        """Return the model for a scan, once its columns are those of training."""
        check_is_fitted(self)
        refuse_other_columns(self, scanned)
        return self.model_.renamed(scanned.feature_names)

    def _any_votes(self, X) -> np.ndarray:
        """Return the votes about rows in memory or in blocks."""
        scanned = as_scan(X)
        return self._votes(X)[1] if scanned is None else self._for_blocks(scanned).votes(scanned)

    def predict(self, X, abstain=None) -> np.ndarray:
        """Return the class of every row.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            The features, as in `fit`.
        abstain : object, optional
            What to answer where nothing decides: no feature makes a
            prediction, or the votes are tied. By default the estimator's own ``abstain``.

        Returns
        -------
        ndarray of shape (n_samples,)
            A label of ``classes_``, or what stands for none, for every row.
        """
        abstain = self.abstain if abstain is None else abstain
        if (scanned := as_scan(X)) is not None:
            return self._for_blocks(scanned).predict(scanned, abstain)
        columns, votes = self._votes(X)
        decided = self.model_.concept.decide(columns, votes)
        return self.model_.labelled(decided, abstain)

    def predict_proba(self, X) -> np.ndarray:
        """Return every class's share of the votes; of the training examples where no feature votes.

        These are shares, not calibrated probabilities.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            The features, as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            A share for each class, in the order of ``classes_``.
        """
        votes = self._any_votes(X)
        return self.model_.shares(votes)

    def decision_function(self, X) -> np.ndarray:
        """Return every class's share of the votes, so that rows rank as by `predict_proba`.

        The votes themselves, sums of weights, are what ``model_.votes`` returns; rows with missing values have fewer
        of them.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            The features, as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            For two classes, the share of the second less that of the first.
        """
        shares = self.predict_proba(X)
        return shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares

    def partitions(self, feature: int | str) -> list[Partition]:
        """Return the partitions of one feature.

        Parameters
        ----------
        feature : int or str
            Its position or its name.

        Returns
        -------
        list of Partition
            Their lower and upper ends, labels and numbers of examples. The ends of a nominal feature are the codes of
            its values, in the order of ``model_.value_names``.
        """
        check_is_fitted(self)
        names = self.model_.encoder.names
        if isinstance(feature, str) and feature not in names:
            raise UnknownColumnError.from_name(feature, names)
        position = names.index(feature) if isinstance(feature, str) else feature
        if not 0 <= position < len(names):
            raise ParameterError(f"There is no feature {position}. Give a name, or a number below {len(names)}.")
        found = self.model_.concept.features[position].partitions()
        return [partition._replace(label=self.classes_[partition.label]) for partition in found]

    def export_text(self) -> str:
        """List every feature's weight and partitions, a line each: from, to, class, number of examples.

        Returns
        -------
        str
            The text.
        """
        check_is_fitted(self)
        return self.model_.export_text()

    def export_rules(self) -> str:
        """Return for every class when it wins the vote, in the form of the paper's Figure 1; for few features.

        Returns
        -------
        str
            The rules, a line a class.
        """
        check_is_fitted(self)
        return self.model_.export_rules()

    def save(self, path) -> None:
        """Write the fitted model into one file, which `load_model` and ``fewest predict`` read.

        Parameters
        ----------
        path : str or Path
            The file; one of that name is replaced.
        """
        check_is_fitted(self)
        self.model_.save(path)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        # Nominal columns are taken, too; but the tag categorical would make scikit-learn's checks round all numbers.
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags


class CFPClassifier(VotingClassifier):
    """Partition the values of every feature by class, one example at a time, and let the features vote.

    Güvenir and Şirin (1993). A partition is a range or a point of one feature's
    values, with a class and the number of examples that it represents. An
    example extends a partition of its class that is near enough, is counted
    in one that holds its value, splits one of another class, or adds a
    point of its own. Every feature predicts the class of the partition that
    holds a value, and nothing elsewhere; before it learns an example, its
    weight rises or falls by ``delta`` percent as its prediction was right or
    wrong. The class with the largest sum of weights wins.

    The order of the examples matters, and is the user's. A missing value
    leaves its feature out, in training and in prediction. Nominal and Boolean
    features have point partitions alone; integers are numeric. The data is read once and not kept.

    Parameters
    ----------
    limit : float, str, or sequence of one of these per feature, default="2%"
        The generalisation limit, D_f in the paper: how near a value must be to a partition to extend it.
        A number in the feature's unit, ``"5%"`` of its range, or ``"0.5 sd"`` in its standard deviations, in the
        data of `fit` or of the first `partial_fit`. The paper has no default.
    delta : float, default=2.0
        The weight adjustment rate, in percent. 0 keeps all weights equal. The paper has no default.
    inclusive : bool, default=False
        Whether a distance equal to the limit is near enough. Section 2 says less than; the proof of theorem 3 says
        less than or equal.
    between : {"merge", "nearer"}, default="merge"
        What a value does that is within the limit of partitions of its class on both sides. The paper has only one of
        them in mind. ``"merge"`` joins both to one partition, as theorem 3 has it, so that the partitions of a
        feature with one class do not depend on the order; ``"nearer"`` extends the nearer, the lower of equals.
    end_points : {"all", "points"}, default="all"
        Whose counts are compared at a value that has point partitions. ``"all"``: the points', and those of ranges
        that end there. ``"points"``: the points' alone.
    silence : {"neutral", "wrong"}, default="neutral"
        Whether a feature that makes no prediction for an example keeps its weight, or loses as for a wrong one.
    vote : {"winner", "shares"}, default="winner"
        How a feature votes where it has partitions of several classes. ``"winner"``: for the class of the highest
        count, as the paper says. ``"shares"``: its weight is divided among the classes, each by the part of
        all its examples that is represented there (Demiröz and Güvenir, 1997). See the notes.
    abstain : label, optional
        What to predict where nothing decides, the most frequent class by default. `predict` takes it, too.
    categorical_features : sequence of int, str or bool, optional
        Numeric columns to treat as nominal.
    n_jobs : int or None, default=None
        The number of threads. None is one, unless ``joblib.parallel_config`` says otherwise; -1 is one a core. The
        answer does not depend on it.

    Attributes
    ----------
    model_ : PartitionModel
        What was learned, to use on raw data without scikit-learn; its ``concept`` holds the partitions.
    weights_ : ndarray of shape (n_features,)
        The weights, in units of the largest: only their ratios matter.
    feature_importances_ : ndarray of shape (n_features,)
        The weights as shares of their sum; 0 for a feature that never votes.
    limits_ : ndarray of shape (n_features,)
        The limits in the features' units.
    n_partitions_ : int
        The partitions of all features.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    GACFPClassifier : The same, with limits and delta that evolution chooses.
    plot_partitions : Draw the partitions.

    Notes
    -----
    What else the paper leaves open is settled so:

    - Only the partitions next to the undetermined one that holds the value may be extended, and none over another
      partition: a range that shares its end with a point stays as it is there.
    - A split divides the count in proportion to the lengths of the parts, rounded, since examples are not kept.
    - A value at the end of a range of another class adds a point there; no split is needed. A value
      at the end of two ranges of its class counts for the one with the higher count, the lower of equals.
    - Equal highest counts of two classes at a value make no prediction.
    - Weights change by a factor of 1 ± ``delta``/100.
    - Every example is first predicted and then learned, by each feature.
    - A tie of votes goes to the class for which the feature of the highest weight voted; if that is a tie, too,
      nothing decides.

    A value votes for one class, the one with the most examples there, so that a class that is frequent nowhere is never
    predicted: of the 7 classes of zoo 2 are, and of the 19 of soybean 8. Limits change nothing for nominal features;
    ``vote="shares"`` does, best with ``delta=0``: ten-fold accuracy rises from 0.604 to 0.951 on zoo, from 0.451 to
    0.874 on soybean, from 0.633 to 0.888 on dna. A weight is a product over all examples, so with thousands of them few
    features have all the weight unless ``delta`` is very small. That helps where one feature decides nearly everything,
    as in votes and mushroom, on which the same choice loses: 0.892 after 0.947, and 0.916 after 0.984. Where one class
    is more frequent than the others and most features are irrelevant, as in golub, its ranges cover most of every line:
    select features first. ``benchmarks/cfp_comparison.py`` measures the accuracies.

    References
    ----------
    Güvenir, H. A. and Şirin, İ. (1993). Complexity of the CFP, a method for classification based on feature
    partitioning.

    Demiröz, G. and Güvenir, H. A. (1997). Classification by voting feature intervals. ECML-97, 85-92.

    Examples
    --------
    The domain of the paper's Figure 1, with numbers for its letters:

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
        limit=CFPOptions.limit,
        delta=CFPOptions.delta,
        *,
        inclusive=CFPOptions.inclusive,
        between=CFPOptions.between,
        end_points=CFPOptions.end_points,
        silence=CFPOptions.silence,
        vote=CFPOptions.vote,
        abstain=None,
        categorical_features=None,
        n_jobs=None,
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

    @without_weights("it learns one example after the other, each as a whole")
    def fit(self, X, y=None) -> Self:
        """Learn the examples in their order, and nothing else.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            What `scan` returns may be larger than memory.
        y : array-like of shape (n_samples,)
            Classes. A scan has them.

        Returns
        -------
        self : object
            The classifier itself.
        """
        options = options_of(self, CFPOptions)
        if (scanned := as_scan(X, y)) is not None:
            return self._fit_blocks(scanned, options)
        table, y = validated_examples(self, X, y)
        return self._fit_first(table, y, np.unique(y), options)

    @without_weights("it learns one example after the other, each as a whole")
    def partial_fit(self, X, y, classes=None) -> Self:
        """Learn more examples in their order, after those learned so far.

        The time is that of the examples and of the partitions there are, so give many examples at a time.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Nominal, numeric and Boolean columns.
        y : array-like of shape (n_samples,)
            Classes.
        classes : array-like, optional
            All classes, in the first call; those of the first examples by default.

        Returns
        -------
        self : object
            The classifier itself.
        """
        options = options_of(self, CFPOptions)
        reset = not hasattr(self, "model_")
        table, y = validated_examples(self, X, y, reset=reset)
        if reset:
            return self._fit_first(table, y, np.unique(y if classes is None else column_or_1d(classes)), options)
        if classes is not None and not np.array_equal(np.unique(column_or_1d(classes)), self.classes_):
            raise ValueError(f"classes={classes!r} is not the same as on the first call: {self.classes_.tolist()!r}.")
        self._store(self.model_.learned(self._with_nominal(table), _numbered(y, self.classes_), self.n_jobs))
        return self

    def _fit_first(self, table: Table, y: np.ndarray, classes: np.ndarray, options: CFPOptions) -> Self:
        numbered = _numbered(y, classes)
        table = self._with_nominal(table)
        self._store(PartitionModel.start(table, classes, options).learned(table, numbered, self.n_jobs))
        return self

    def _fit_blocks(self, scanned: Scan, options: CFPOptions) -> Self:
        if self.categorical_features is not None:
            raise ParameterError(
                "The columns of a scan are typed when they are read, so categorical_features comes too late. Say it "
                "there: scan(..., kinds={'zip': 'nominal'})."
            )
        remember_columns(self, scanned)
        store = scanned.numeric_store
        classes, numbers = sorted_classes(store)
        self._store(learn_cfp_in_blocks(store, range(store.n_features), classes, numbers, options, self.n_jobs))
        return self


class GACFPClassifier(VotingClassifier):
    """Let evolution choose CFP's generalisation limits and weight adjustment rate, then learn with them.

    Güvenir and Şirin (1993) name GA-CFP and leave its genetic algorithm to
    another paper. Here a chromosome holds the limit of every numeric
    feature, from 0.1% to 100% of its range, and delta, from 0.01 to 10
    percent, both on logarithmic scales. Its fitness is the accuracy in a
    cross-validation within the training data, in which the examples keep
    their order. One of the first generation is `CFPClassifier` as it comes.

    Parameters
    ----------
    population_size : int, default=20
        Chromosomes in a generation.
    n_generations : int, default=30
        Generations at the most.
    patience : int, default=8
        Generations without a better chromosome after which to stop.
    cv : int, default=3
        Folds of the fitness.
    inclusive : bool, default=False
        Whether a distance equal to the limit is near enough. Section 2 says less than; the proof of theorem 3 says
        less than or equal.
    between : {"merge", "nearer"}, default="merge"
        What a value does that is within the limit of partitions of its class on both sides. The paper has only one of
        them in mind. ``"merge"`` joins both to one partition, as theorem 3 has it, so that the partitions of a
        feature with one class do not depend on the order; ``"nearer"`` extends the nearer, the lower of equals.
    end_points : {"all", "points"}, default="all"
        Whose counts are compared at a value that has point partitions. ``"all"``: the points', and those of ranges
        that end there. ``"points"``: the points' alone.
    silence : {"neutral", "wrong"}, default="neutral"
        Whether a feature that makes no prediction for an example keeps its weight, or loses as for a wrong one.
    abstain : label, optional
        What to predict where nothing decides, the most frequent class by default. `predict` takes it, too.
    categorical_features : sequence of int, str or bool, optional
        Numeric columns to treat as nominal.
    verbose : bool, default=False
        Print a line for every generation.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C, once a generation is done: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the classifier, fitted with the best so far, as ``found``; or return.
    random_state : int, RandomState instance or None, default=None
        Decides the folds and the evolution.

    Attributes
    ----------
    delta_ : float
        The weight adjustment rate chosen, in percent.
    history_ : list of Generation
        The best chromosome after each generation: its number, accuracy, limits and delta.
    n_iter_ : int
        Generations.
    stopped_by_ : str or None
        ``"interrupt"`` when Ctrl-C ended the evolution.
    model_ : PartitionModel
        What was learned, to use on raw data without scikit-learn; its ``concept`` holds the partitions.
    weights_ : ndarray of shape (n_features,)
        The weights, in units of the largest: only their ratios matter.
    feature_importances_ : ndarray of shape (n_features,)
        The weights as shares of their sum; 0 for a feature that never votes.
    limits_ : ndarray of shape (n_features,)
        The limits in the features' units.
    n_partitions_ : int
        The partitions of all features.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    CFPClassifier : The same, with limits and delta that the user chooses.

    Notes
    -----
    The evolution is SciPy's differential evolution: a population of real
    numbers with mutation, crossover and selection, seeded and kept well, and
    already here. DEAP and PyGAD were considered; the one leaves the loop to
    be written, the other brings a plotting library along, and neither does
    more for a few dozen real numbers.

    References
    ----------
    Güvenir, H. A. and Şirin, İ. (1993). Complexity of the CFP, a method for classification based on feature
    partitioning.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fewest import GACFPClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = GACFPClassifier(population_size=8, n_generations=4, random_state=0).fit(X[::2], y[::2])
    >>> bool(classifier.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    def __init__(
        self,
        population_size=GACFPOptions.population_size,
        n_generations=GACFPOptions.n_generations,
        patience=GACFPOptions.patience,
        cv=GACFPOptions.cv,
        *,
        inclusive=GACFPOptions.inclusive,
        between=GACFPOptions.between,
        end_points=GACFPOptions.end_points,
        silence=GACFPOptions.silence,
        abstain=None,
        categorical_features=None,
        verbose=False,
        on_interrupt=RAISE,
        random_state=None,
    ):
        self.population_size = population_size
        self.n_generations = n_generations
        self.patience = patience
        self.cv = cv
        self.inclusive = inclusive
        self.between = between
        self.end_points = end_points
        self.silence = silence
        self.abstain = abstain
        self.categorical_features = categorical_features
        self.verbose = verbose
        self.on_interrupt = on_interrupt
        self.random_state = random_state

    @without_weights("it learns one example after the other, each as a whole")
    def fit(self, X, y=None) -> Self:
        """Evolve the parameters, and learn all examples in their order with the best.

        Ctrl-C ends the evolution, and the best so far is learned with; ``on_interrupt`` decides what follows.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Nominal, numeric and Boolean columns.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self : object
            The classifier itself.
        """
        options = options_of(self, GACFPOptions)
        table, y = validated_examples(self, X, y)
        table = self._with_nominal(table)
        labels, classes = np.unique(y, return_inverse=True)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        evolved = evolve(table, labels, classes, options, rng, _print if self.verbose else None)
        self.history_ = evolved.history
        self.delta_, self.n_iter_ = evolved.history[-1].delta, evolved.history[-1].number
        self.stopped_by_ = evolved.stopped_by
        self._store(evolved.model)
        return fitted_unless_interrupted(self)


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


def _print(generation: Generation) -> None:
    print(  # noqa: T201 (what verbose is for)
        f"generation {generation.number}: accuracy {generation.accuracy:.4f}, delta {generation.delta:.3g}%", flush=True
    )
