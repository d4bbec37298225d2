"""Dask DataFrames and Arrays in place of frames and arrays: the same is learned, wherever the partitions are."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("distributed")

import dask.array as da
import dask.dataframe as dd

from cut_into_blocks import tables
from fewest import (
    CFPClassifier,
    FringeClassifier,
    ID3Classifier,
    MinDescription,
    MinFeatures,
    MutualInformationGreedy,
    ReliefF,
    SimpleGreedy,
    Winnow2,
    scan,
)
from fewest.blocks import dask_collections
from fewest.blocks.engine import Threads
from fewest.cover import sufficiency
from fewest.exceptions import ParameterError, TargetError

ESTIMATORS = [
    MinFeatures(),
    MinDescription(),
    SimpleGreedy(),
    MutualInformationGreedy(),
    ReliefF(max_samples=20, n_neighbors=2, random_state=0, threshold="interval"),
    ID3Classifier(),
    CFPClassifier(),
]


def attributes(estimator):
    """Everything that fit has stored for the user, as plain data."""
    found = {name: value for name, value in vars(estimator).items() if name.endswith("_") and not name.startswith("_")}
    tree = found.pop("tree_", None)
    model = found.pop("model_", None) if not isinstance(estimator, MinDescription) else None
    learner = found.pop("learner_", None)
    if tree is not None:
        found["tree"] = {name: array.tolist() for name, array in tree.to_arrays().items()}
    if hasattr(model, "concept"):
        found["concept"] = {name: array.tolist() for name, array in model.concept.to_arrays().items()}
    if model is not None:
        found["columns"] = model.encoder.columns
    if learner is not None:
        found["exponents"] = learner.exponents.tolist()
    if "history_" in found:
        found["history_"] = [{**step, "scores": np.asarray(step.get("scores")).tolist()} for step in found["history_"]]
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in found.items()}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture
def alone():
    """Work here, even if other tests have left a cluster running."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dask_collections, "_engine", lambda *_: Threads(2))
        yield


@settings(
    deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(table=tables(max_rows=20), n_parts=st.integers(1, 3), which=st.integers(0, len(ESTIMATORS) - 1))
def test_a_frame_in_partitions_is_learned_as_in_memory(table, n_parts, which, alone):
    frame = table.drop_columns(["y"]).to_pandas()
    y = table["y"].to_pandas()
    estimator = ESTIMATORS[which]
    expected = attributes(estimator.fit(frame, y))
    lazy = dd.from_pandas(frame.assign(y=y), npartitions=n_parts)
    found = estimator.fit(lazy[frame.columns.tolist()], lazy["y"])
    np.testing.assert_equal(attributes(found), expected)
    np.testing.assert_equal(attributes(estimator.fit(scan(lazy, target="y"))), expected)


@pytest.mark.parametrize("y_type", [bool, np.int64, np.float64, str])
@pytest.mark.parametrize("estimator", [*ESTIMATORS, Winnow2(max_iter=3)], ids=lambda e: type(e).__name__)
def test_an_array_in_chunks_is_learned_as_in_memory(estimator, y_type, alone):
    X = np.random.default_rng(0).integers(0, 2, (300, 6)).astype(bool)
    y = (X[:, 1] | X[:, 4]).astype(y_type)
    expected = attributes(estimator.fit(X, y))
    found = estimator.fit(da.from_array(X, chunks=(110, 4)), da.from_array(y, chunks=(70,)))
    np.testing.assert_equal(attributes(found), expected)
    assert not hasattr(found, "feature_names_in_")
    if hasattr(found, "predict"):
        assert found.predict(da.from_array(X, chunks=(50, 6))).tolist() == found.predict(X).tolist()


def frame_of(n_rows):
    rng = np.random.default_rng(0)
    booleans = rng.integers(0, 2, (n_rows, 6)).astype(bool)
    frame = pd.DataFrame(booleans, columns=[f"f{j}" for j in range(6)])
    return frame.assign(name=rng.choice(list("abc"), n_rows), number=rng.normal(size=n_rows).round(2)), pd.Series(
        np.where(booleans[:, 1] | booleans[:, 4], "p", "q"), name="y"
    )


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_partitions_on_a_cluster_are_learned_as_in_memory(estimator, cluster):
    frame, y = frame_of(600)
    if isinstance(estimator, MinFeatures | SimpleGreedy | MutualInformationGreedy | ID3Classifier):
        frame = frame.drop(columns="number")
    expected = attributes(estimator.fit(frame, y))
    lazy = dd.from_pandas(frame.assign(y=y), npartitions=4)
    found = estimator.fit(lazy.drop(columns="y"), lazy["y"])
    np.testing.assert_equal(attributes(found), expected)


def test_a_subset_is_tested_and_columns_keep_their_kinds():
    frame, y = frame_of(100)
    scanned = scan(dd.from_pandas(frame.assign(y=y), npartitions=3), target="y", drop="n*")
    assert scanned.feature_names == tuple(f"f{j}" for j in range(6))
    assert sufficiency(scanned, None, ["f1", "f4"]) == sufficiency(frame, y, ["f1", "f4"])
    assert sufficiency(scanned, None, ["f1"]).n_uncovered == sufficiency(frame, y, ["f1"]).n_uncovered


def test_what_does_not_fit_together_is_refused():
    frame, y = frame_of(30)
    lazy = dd.from_pandas(frame, npartitions=3)
    with pytest.raises(ParameterError, match="y is a Series"):
        MinFeatures().fit(lazy, y)
    with pytest.raises(ParameterError, match="3 partitions and y has 2"):
        MinFeatures().fit(lazy, dd.from_pandas(y, npartitions=2))
    with pytest.raises(ParameterError, match="rows and classes of shape"):
        MinFeatures().fit(da.ones((6, 2), chunks=(3, 2)), dd.from_pandas(y, npartitions=2))
    with pytest.raises(ParameterError, match="no columns"):
        MinFeatures().fit(lazy["f1"], lazy["f2"])
    with pytest.raises(ParameterError, match="has no target"):
        MinFeatures().fit(lazy)
    with pytest.raises(ParameterError, match="needs all rows in memory"):
        FringeClassifier().fit(lazy, lazy["f1"])
    with pytest.raises(TargetError):
        MinFeatures().fit(lazy, lazy["number"])
    missing = dd.from_pandas(y.where(y.index != 4), npartitions=3)
    with pytest.raises(TargetError, match="row 4"):
        MinFeatures().fit(lazy, missing)
