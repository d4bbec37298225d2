"""MinDescription: the features with which the classes are described in the fewest bits, as a scikit-learn selector."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import BaseEstimator

from fewest.budget import printed_progress
from fewest.cover.describe import describe_classes
from fewest.cover.options import MinDescriptionOptions
from fewest.estimators.input import (
    AnyColumnsMixin,
    KeepsFeatures,
    as_scan,
    remember_columns,
    sorted_classes,
    validated_examples,
    without_weights,
)
from fewest.estimators.options import RAISE, fitted_unless_interrupted, options_of
from fewest.table import Column, Kind


class MinDescription(KeepsFeatures, AnyColumnsMixin, BaseEstimator):
    """Find the few features that explain the classes under noise: those of the shortest description.

    A description names a subset of the features and then lists the classes of
    the rows, cell by cell of equal values, each cell learning from the rows
    before (a minimum description length; the Bayesian evidence of the subset,
    with Jeffreys' prior). A feature that splits rows by chance costs more bits
    than it saves; one that tells the classes apart, alone or only together
    with others, pays. Where effects add up, cells are too many; there the
    classes are listed with the odds of a logistic regression, whose weights
    are paid for in the same way, and the shorter description counts. A sum may
    take two features together, by their cells, where they matter so. There
    is no tolerance, threshold or number to choose. On pure noise the answer
    is empty; with ``model="cells"``, without noise and with rows enough, it is
    a smallest sufficient subset, as `MinFeatures` finds.

    Parameters
    ----------
    include : str, int, list of these or Boolean mask, default=()
        Features that must be selected, by name or position, or a mask with an
        entry for every feature. They cost nothing.
    exclude : str, int, list of these or Boolean mask, default=()
        Features that must not be selected, given in the same ways; the answer
        is as if the columns were not there.
    costs : array-like of shape (n_features,) or mapping of name to cost, default=None
        The bits that each feature must save beside those of naming it: 1 by
        default, and for what a mapping does not name. A feature of cost 11 is
        selected when it saves 10 bits more than one of cost 1 would have to.
    model : {"auto", "cells"}, default="auto"
        Describe the classes by cells only, or by a sum of what the features
        contribute where that is shorter.
    feature_groups : list of lists of int or str, or None, default=None
        Features that enter together, by position or name: all of a group or
        none. Choosing a group is one choice; it costs what its features do.
    max_row_visits : float, default=3e7
        How much work the proof may take: distinct rows looked at, counted once
        for every subset. Without a proof the answer is the best found.
    time_limit : float, default=None
        Seconds. When they are over, the answer is the best so far, with a true
        lower bound. By default there is no limit.
    verbose : bool, default=False
        Show progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the selector, fitted with the best so far,
        as ``found``; or return as if the time were over.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The mask of the selected features.
    scores_ : ndarray of shape (n_features,)
        The bits that each feature saves, given the others selected: the
        logarithm, to base 2, of the Bayes factor for it. Positive for what is
        selected; 10 bits are odds of 1,000 to 1. Features of a group have its
        score. In an additive description, those of features that are not
        selected are estimates, by a score test.
    inclusion_probabilities_ : ndarray of shape (n_features,)
        The probability that a feature belongs to the subset, over the subsets
        in ``alternatives_``.
    alternatives_ : list of dict
        The selected subset first, then others by probability: ``features``,
        ``length`` in bits, ``probability`` among all subsets near the best
        that the search has seen, and the ``model`` that is shorter for it.
    model_ : {"cells", "additive"}
        How the classes are described.
    description_length_ : float
        The bits of the description.
    lower_bound_ : float
        No subset has a shorter one: by cells, if ``model_`` is ``"cells"``,
        and in whatever way otherwise. Where numeric features are cut, the
        bound holds for all cuts.
    is_optimal_ : bool
        Whether the description is proven to be the shortest by cells; for
        additive ones there is no proof.
    gap_ : float
        How much shorter, relatively, a better one could be: 0 when optimal.
    joint_features_ : list of tuple of int
        The features that an additive description takes together, two by two:
        their effects do not add up. Empty for one by cells.
    cuts_ : dict of int to ndarray
        Where the selected numeric features of many values are cut; in an
        additive description, those that it takes together.
    history_ : list of dict
        ``subset``, ``length`` and ``n_subsets``, those seen until then, of every improvement.
    n_subsets_ : int
        The subsets whose length was computed.
    stopped_by_ : str or None
        ``"time limit"`` or ``"interrupt"`` when the search did not finish.
    classes_ : ndarray of shape (n_classes,)
        The distinct classes, in order.
    n_features_in_ : int
        The number of features seen during `fit`.
    feature_names_in_ : ndarray of str, shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    MinFeatures : The fewest features that separate all rows, where there is no noise.
    ReliefF : The relevance of every feature, redundant ones included.

    Notes
    -----
    All single features and all pairs are looked at, all triples of a few hundred features, and what extends the best
    of them. An exclusive or of two among thousands is found so; a parity of five among hundreds, under noise, is not.
    An additive description takes numeric features by the normal scores of their ranks, so that only their order counts,
    and others by indicators of their values (up to 16; those with more take part in cells only). Of all pairs, the 16
    that save most beyond what both features save alone may enter by an indicator of each of their cells, numeric
    features cut into halves, quarters or eighths. Weights have normal priors, and the average over them is Laplace's
    approximation of the evidence.

    The fewest features that explain the classes are not all that have to do with them. Of twenty genes that each
    separate 75 patients a little, two or three describe the classes, and further ones save less than their name takes;
    `ReliefF`, or a test of each feature, finds all of them.

    References
    ----------
    Rissanen, J. (1978). Modeling by shortest data description. Automatica 14, 465-471.

    Cooper, G. F. and Herskovits, E. (1992). A Bayesian method for the induction of probabilistic networks from data.
    Machine Learning 9, 309-347.

    MacKay, D. J. C. (1992). The evidence framework applied to classification networks. Neural Computation 4, 720-736.

    Correia, A. H. C., Cussens, J. and de Campos, C. (2020). On pruning for score-based Bayesian network structure
    learning. AISTATS.

    Examples
    --------
    An exclusive or of two among 80 features, with every tenth class wrong:

    >>> import numpy as np
    >>> from fewest import MinDescription
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (300, 80))
    >>> y = X[:, 7] ^ X[:, 50] ^ (rng.random(300) < 0.1)
    >>> selector = MinDescription().fit(X, y)
    >>> selector.get_support(indices=True)
    array([ 7, 50])
    >>> selector.inclusion_probabilities_[[7, 50]].round(2)
    array([1., 1.])

    Effects that add up, among normal features:

    >>> Z = rng.normal(size=(400, 30))
    >>> odds = Z[:, [2, 5, 11, 20]] @ [2.0, -2.0, 1.5, 1.0]
    >>> selector = MinDescription().fit(Z, rng.random(400) < 1 / (1 + np.exp(-odds)))
    >>> selector.model_, selector.get_support(indices=True)
    ('additive', array([ 2,  5, 11, 20]))

    A ring of two features, or a large sum of two others: two effects that add up, one of which is joint:

    >>> U = rng.random((600, 30))
    >>> ring = abs(np.hypot(U[:, 4] - 0.5, U[:, 9] - 0.5) - 0.35) < 0.08
    >>> selector = MinDescription().fit(U, ring | (U[:, 17] + U[:, 23] > 1.4))
    >>> selector.get_support(indices=True), selector.joint_features_[0]
    (array([ 4,  9, 17, 23]), (4, 9))

    On noise nothing is selected:

    >>> MinDescription().fit(X, rng.integers(0, 2, 300)).get_support(indices=True)
    array([], dtype=int64)
    """

    def __init__(
        self,
        *,
        include=MinDescriptionOptions.include,
        exclude=MinDescriptionOptions.exclude,
        costs=MinDescriptionOptions.costs,
        model=MinDescriptionOptions.model,
        feature_groups=MinDescriptionOptions.feature_groups,
        max_row_visits=MinDescriptionOptions.max_row_visits,
        time_limit=MinDescriptionOptions.time_limit,
        verbose=False,
        on_interrupt=RAISE,
    ):
        self.include = include
        self.exclude = exclude
        self.costs = costs
        self.model = model
        self.feature_groups = feature_groups
        self.max_row_visits = max_row_visits
        self.time_limit = time_limit
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    @without_weights("every row takes its own bits to describe", "Leave it out.")
    def fit(self, X, y=None) -> Self:
        """Find the features of ``X`` with which ``y`` is described in the fewest bits.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            Values of any kind. A missing value is one more value; numeric
            columns of more than ten values are cut into intervals. What `scan`
            returns may be larger than memory, if its distinct rows are not.
        y : array-like of shape (n_samples,), default=None
            Classes. A scan has them.

        Returns
        -------
        Self
            The fitted selector.
        """
        options = options_of(self, MinDescriptionOptions)
        progress = printed_progress(self.verbose)
        if (scanned := as_scan(X, y)) is not None:
            remember_columns(self, scanned)
            described = describe_classes(scanned, None, options, progress)
            self.classes_ = sorted_classes(scanned.store)[0]
        else:
            table, y = validated_examples(self, X, y)
            self.classes_, codes = np.unique(y, return_inverse=True)
            classes = Column("y", Kind.NOMINAL, codes, tuple(self.classes_))
            described = describe_classes(table, classes, options, progress)
        found = described.description
        self.support_ = np.isin(np.arange(self.n_features_in_), found.subset)
        self.scores_ = found.scores
        self.inclusion_probabilities_ = found.inclusion
        self.alternatives_ = [
            {"features": near.subset, "length": near.length, "probability": near.probability, "model": near.model}
            for near in found.alternatives
        ]
        self.model_ = found.model
        self.description_length_ = found.length
        self.lower_bound_ = found.lower_bound
        self.is_optimal_ = found.is_optimal
        self.gap_ = found.gap
        self.joint_features_ = list(found.joint)
        self.cuts_ = described.cuts
        self.history_ = list(found.history)
        self.n_subsets_ = found.n_subsets
        self.stopped_by_ = found.stopped_by
        return fitted_unless_interrupted(self)
