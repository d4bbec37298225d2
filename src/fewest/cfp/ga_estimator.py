"""GA-CFP as a scikit-learn classifier."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state, check_scalar

from fewest.cfp.evolution import Evolution, Generation, stratified_folds
from fewest.cfp.model import PartitionModel, as_names
from fewest.cfp.settings import Settings
from fewest.cfp.voting import VotingClassifier, categorical_positions
from fewest.estimators.input import validated_examples
from fewest.table import Kind


class GACFPClassifier(VotingClassifier):
    """Let evolution choose CFP's generalisation limits and weight adjustment rate, then learn with them.

    Güvenir and Şirin (1993) name GA-CFP and leave its genetic algorithm to
    another paper. Here a chromosome holds the limit of every feature of
    numbers, from 0.1% to 100% of its range, and delta, from 0.01 to 10
    percent, both on logarithmic scales. Its fitness is the accuracy in a
    cross-validation within the training data, in which the examples keep
    their order. One of the first generation is `CFPClassifier` as it comes.

    The evolution is SciPy's differential evolution: a population of real
    numbers with mutation, crossover and selection, seeded and kept well, and
    already here. DEAP and PyGAD were considered; the one leaves the loop to
    be written, the other brings a plotting library along, and neither does
    more for a few dozen real numbers.

    Parameters
    ----------
    population : int, default=20
        Chromosomes in a generation.
    generations : int, default=30
        Generations at the most.
    patience : int, default=8
        Stop after so many generations without a better chromosome.
    cv : int, default=3
        Folds of the fitness.
    inclusive, between, end_points, silence, abstain, categorical_features
        As for `CFPClassifier`.
    verbose : bool, default=False
        Print a line for every generation.
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
    model_, weights_, limits_, n_partitions_, classes_, n_features_in_, feature_names_in_
        As for `CFPClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fewest import GACFPClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = GACFPClassifier(population=8, generations=4, random_state=0).fit(X[::2], y[::2])
    >>> bool(classifier.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    def __init__(
        self,
        population=20,
        generations=30,
        patience=8,
        cv=3,
        *,
        inclusive=False,
        between="merge",
        end_points="all",
        silence="neutral",
        abstain=None,
        categorical_features=None,
        verbose=False,
        random_state=None,
    ):
        self.population = population
        self.generations = generations
        self.patience = patience
        self.cv = cv
        self.inclusive = inclusive
        self.between = between
        self.end_points = end_points
        self.silence = silence
        self.abstain = abstain
        self.categorical_features = categorical_features
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X, y=None):
        """Evolve the parameters, and learn all examples in their order with the best.

        Ctrl-C ends the evolution; the best so far is learned with.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
        """
        for name, least in (("population", 5), ("generations", 1), ("patience", 1), ("cv", 2)):
            check_scalar(getattr(self, name), name, Integral, min_val=least)
        table, y = validated_examples(self, X, y)
        settings = Settings(Settings.delta, self.inclusive, self.between, self.end_points, self.silence)
        table = as_names(table, categorical_positions(table, self.categorical_features))
        labels, classes = np.unique(y, return_inverse=True)
        start = PartitionModel.start(table, labels, "100%", settings)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        is_numeric = np.array([column.kind is Kind.NUMERIC for column in table])
        evolution = Evolution(
            start.values(table.columns),
            classes.astype(np.int32),
            len(labels),
            np.where(is_numeric, start.concept.limits, 0.0),
            settings,
            stratified_folds(classes, min(self.cv, len(y)), rng),
        )
        self.history_ = evolution.run(self.population, self.generations, self.patience, rng, self._told())
        best = self.history_[-1]
        self.delta_, self.n_iter_ = best.delta, best.number
        chosen = Settings(best.delta, self.inclusive, self.between, self.end_points, self.silence)
        self._store(PartitionModel.start(table, labels, best.limits, chosen).learned(table, classes))
        return self

    def _told(self):
        return _print if self.verbose else None


def _print(generation: Generation) -> None:
    print(  # noqa: T201 (what verbose is for)
        f"generation {generation.number}: accuracy {generation.accuracy:.4f}, delta {generation.delta:.3g}%", flush=True
    )
