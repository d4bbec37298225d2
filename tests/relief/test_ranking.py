"""Ranking features without scikit-learn: in memory, in blocks, and out of time."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from cut_into_blocks import write_parts
from fewest import ReliefF, scan
from fewest.blocks.threads import _controller
from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.exceptions import ParameterError
from fewest.relief.options import ReliefFOptions, ReliefOptions, RReliefFOptions
from fewest.relief.relevance import MeanSums
from fewest.relief.relief import rank_features
from fewest.relief.rows import ArrayRows, SparseRows
from fewest.table import from_array


@pytest.fixture
def parity_of_two():
    X = np.random.default_rng(0).integers(0, 2, (1_500, 6))
    return X, X[:, 1] ^ X[:, 4]


class Ends(Budget):
    """Raises something at the first look."""

    def __init__(self, reason):
        super().__init__()
        self._reason = reason

    def check(self, status):
        raise self._reason


@pytest.mark.parametrize(
    "options",
    [ReliefOptions(max_samples=300), ReliefFOptions(), RReliefFOptions(n_features_to_select=2, identical="skip")],
)
def test_all_features_are_scored_and_the_relevant_ones_kept(options, parity_of_two):
    X, y = (each[:400] for each in parity_of_two)
    ranking = rank_features(ArrayRows(X), y.astype(float) if options.is_regression else y, options, seed=3)
    assert set(ranking.order[:2].tolist()) == {1, 4}
    assert ranking.support[[1, 4]].all()
    assert ranking.n_sampled == ranking.history[-1]["n_sampled"] == options.n_sampled(len(X))
    assert ranking.stopped_by is None
    np.testing.assert_array_equal(ranking.support, ranking.scores >= ranking.threshold)


def test_the_answer_is_the_estimators(parity_of_two):
    X, y = (each[:400] for each in parity_of_two)
    ranking, selector = rank_features(ArrayRows(X), y, ReliefFOptions()), ReliefF().fit(X, y)
    np.testing.assert_array_equal(ranking.scores, selector.scores_)
    np.testing.assert_array_equal(ranking.standard_errors, selector.standard_errors_)
    np.testing.assert_array_equal(ranking.threshold, selector.threshold_)
    np.testing.assert_array_equal(ranking.order, selector.selection_order_)


@pytest.mark.parametrize("choice", ["never", "always"])
def test_tables_sparse_matrices_and_blocks_have_the_same_ranking(choice, parity_of_two, tmp_path, monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", choice)
    X, y = parity_of_two
    options = ReliefFOptions(max_samples=100)
    frame = pa.table({**{f"x{j}": X[:, j].astype(bool) for j in range(6)}, "y": y.astype(bool)})
    store = scan(write_parts(frame, [700], tmp_path / "data", ".parquet"), target="y").numeric_store
    expected = rank_features(ArrayRows(X), y, options)
    for features, target in ((from_array(X), y), (SparseRows(sp.csr_matrix(X)), y), (store, None)):
        np.testing.assert_array_equal(rank_features(features, target, options).scores, expected.scores)


@pytest.mark.parametrize(("reason", "stopped_by"), [(OutOfBudgetError(), TIME_LIMIT), (KeyboardInterrupt(), INTERRUPT)])
def test_a_search_that_is_stopped_answers_by_the_rows_so_far(reason, stopped_by, parity_of_two):
    X, y = parity_of_two
    ranking = rank_features(ArrayRows(X), y, ReliefFOptions(), budget=Ends(reason))
    assert ranking.stopped_by == stopped_by
    assert 0 < ranking.n_sampled < len(X)
    assert ranking.history[-1]["n_sampled"] == ranking.n_sampled


def test_more_features_than_there_are_cannot_be_kept(parity_of_two):
    with pytest.raises(ParameterError, match="more than the data's 6"):
        rank_features(ArrayRows(parity_of_two[0]), parity_of_two[1], ReliefFOptions(n_features_to_select=7))


def test_products_for_sampled_rows_start_no_threads(parity_of_two, monkeypatch):
    n_threads = set()

    class Watched(MeanSums):
        def add(self, *arguments):
            n_threads.update(one["num_threads"] for one in _controller().info() if one["user_api"] == "blas")
            return super().add(*arguments)

    monkeypatch.setattr("fewest.relief.relief.MeanSums", Watched)
    X, y = (each[:100] for each in parity_of_two)
    rank_features(ArrayRows(X), y, ReliefFOptions())
    assert n_threads == {1}


@given(st.integers(0, 2**32), st.integers(1, 8), st.sampled_from(["manhattan", "euclidean"]), st.booleans())
def test_numpy_and_compiled_code_differ_by_rounding_alone(seed, k, metric, has_gaps):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 5)), rng.integers(0, 3, 40)
    X[:, :2] = X[:, :2] > 0
    if has_gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    options, found = ReliefFOptions(n_neighbors=k, metric=metric), []
    for choice in ("never", "always"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", choice)
            found.append(rank_features(ArrayRows(X), y, options))
    np.testing.assert_allclose(found[0].scores, found[1].scores, atol=1e-5)
    np.testing.assert_allclose(found[0].standard_errors, found[1].standard_errors, atol=1e-4)
