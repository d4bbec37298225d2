"""Rank features by relevance: from rows and a target, in memory or in blocks, to a frozen answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewest.blocks.store import Store
from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.exceptions import ParameterError, TooLargeError
from fewest.relief.options import RANDOM, RelevanceOptions
from fewest.relief.relief import RelevanceSearch
from fewest.relief.rows import ArrayRows, EncodedRows, RowSource, Survey, TableRows
from fewest.relief.space import Examples, RowsInMemory, compiles_pairs
from fewest.table import Table

# Values whose copy takes 64 MB, and sampled rows that take one pass over the blocks.
MANY_VALUES, FEW_SAMPLED = 1 << 24, 1024


@dataclass(frozen=True, eq=False)
class Ranking:
    """The relevance of every feature, and which features are kept.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        The relevance, in [-1, 1].
    standard_errors : ndarray of shape (n_features,)
        NaN after a single row.
    threshold : float or ndarray of shape (n_features,)
        The relevance that kept features reach; that of the last one, if their number was given.
    support : bool ndarray of shape (n_features,)
        Which features are kept.
    order : ndarray of shape (n_features,)
        All features, the most relevant first.
    n_sampled : int
        How many rows were sampled, in all calls that this rests upon.
    history : tuple of dict
        ``n_samples`` and ``scores`` after 1, 2, 4, 8, ... rows, and at the end.
    stopped_by : str or None
        What ended the search before all rows were sampled: the time limit or an interrupt.
    """

    scores: np.ndarray
    standard_errors: np.ndarray
    threshold: float | np.ndarray
    support: np.ndarray
    order: np.ndarray
    n_sampled: int
    history: tuple[dict[str, Any], ...]
    stopped_by: str | None = None


def rank_features(
    features: Table | Store | RowSource,
    target: np.ndarray | None,
    options: RelevanceOptions,
    *,
    seed: int = 0,
    budget: Budget | None = None,
) -> Ranking:
    """Give every feature a relevance by Relief, ReliefF or RReliefF, whichever the options belong to.

    Parameters
    ----------
    features : Table, Store, ArrayRows or SparseRows
        A store holds the target as well.
    target : ndarray of shape (n_rows,), or None for a store
        Codes of classes from 0 on, or, for RReliefF, floats.
    options : ReliefOptions, ReliefFOptions or RReliefFOptions
    seed : int
        What random choices depend on.
    budget : Budget, optional
        When its time is over, or an interrupt comes after some rows, the answer rests upon the rows so far. Without
        a budget an interrupt is raised.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.relief.options import ReliefFOptions
    >>> from fewest.relief.rows import ArrayRows
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> ranking = rank_features(ArrayRows(X), X[:, 2] ^ X[:, 5], ReliefFOptions(n_features=2))
    >>> ranking.order[:2], ranking.n_sampled
    (array([2, 5]), 200)
    """
    return refine_ranking(RelevanceSearch(options, seed), features, target, budget=budget)


def refine_ranking(
    search: RelevanceSearch,
    features: Table | Store | RowSource,
    target: np.ndarray | None,
    weights: np.ndarray | None = None,
    *,
    budget: Budget | None = None,
) -> Ranking:
    """Sample more rows, of the same data or of other, and return the ranking by all rows sampled so far.

    A row of weight w counts as w copies of itself; the other parameters are those of `rank_features`.
    """
    options, stopped_by = search.options, None
    if weights is not None and options.ties == RANDOM:
        raise ParameterError(
            "Rows of unequal weight cannot be chosen at random among ties. Use ties='average' with sample_weight."
        )
    source = TableRows(features) if isinstance(features, Table) else features
    n_features = source.n_features if isinstance(source, Store) else len(source.is_nominal)
    if options.n_features is not None and options.n_features > n_features:
        raise ParameterError(f"n_features={options.n_features} are more than the data's {n_features}. Ask for fewer.")
    try:
        relevance = _refine(search, source, target, weights, budget)
    except (OutOfBudgetError, KeyboardInterrupt) as reason:
        is_interrupt = isinstance(reason, KeyboardInterrupt)
        if not search.n_sampled or (is_interrupt and budget is None):
            raise
        relevance, stopped_by = search.recorded(), INTERRUPT if is_interrupt else TIME_LIMIT
    return Ranking(
        relevance.scores,
        relevance.standard_errors,
        relevance.threshold(options),
        relevance.support(options),
        relevance.order,
        relevance.n_sampled,
        tuple(search.history),
        stopped_by,
    )


def _refine(search: RelevanceSearch, source: Store | RowSource, target, weights, budget: Budget | None):
    if isinstance(source, Store):
        return search.refine(_examples_in_blocks(source, search.options), budget)
    if weights is None and isinstance(source, ArrayRows) and _is_large(source, search.options):
        from fewest.relief.blocks.passes import RowsInBlocks, array_store

        try:
            return search.refine(RowsInBlocks(array_store(source, target, search.options.n_jobs)), budget)
        except TooLargeError:  # too many rows tie; nothing has been added yet
            pass
    return search.refine(RowsInMemory(source, target, weights), budget)


def _examples_in_blocks(store: Store, options: RelevanceOptions) -> Examples:
    """Return examples in blocks, or all rows in memory, where these are too few for compiled code."""
    from fewest.relief.blocks.passes import RowsInBlocks, is_nominal, refuse_infinity

    if compiles_pairs(options.n_sampled(store.n_rows), store.n_rows):
        return RowsInBlocks(store)
    values, target = store.values(np.arange(store.n_rows))
    refuse_infinity(store, np.isinf(values).any(axis=0))
    return RowsInMemory(EncodedRows(values, is_nominal(store)), target)


def _is_large(source: ArrayRows, options: RelevanceOptions) -> bool:
    """Return whether an array is so large, and so few of its rows are sampled, that it had better not be copied."""
    array = source.array
    if array.dtype.kind != "f" or options.n_samples is None or array.size < MANY_VALUES:
        return False
    if options.n_samples > FEW_SAMPLED or not compiles_pairs(options.n_samples, source.n_rows):
        return False
    survey = Survey(source)  # bits are small, and what to expect in gaps may not be
    return not survey.is_discrete and not survey.has_missing.any()
