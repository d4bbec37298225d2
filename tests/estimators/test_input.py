"""Every estimator takes what `read_table` returns, and refuses in the house's words what no estimator can read."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from every_estimator import ESTIMATORS
from fewest import read_table
from fewest.exceptions import FewestWarning, ParameterError
from fewest.table import split_target

each_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)


@pytest.fixture(scope="module")
def boolean_file(tmp_path_factory):
    """Write a file of zeros and ones whose class is the conjunction of two columns."""
    path = tmp_path_factory.mktemp("tables") / "bits.csv"
    bits = np.random.default_rng(0).integers(0, 2, (60, 3))
    rows = [",".join(map(str, [*row, row[0] & row[1]])) for row in bits.tolist()]
    path.write_text("\n".join(["a,b,c,y", *rows]))
    return path


def test_all_estimators_are_tried():
    assert len(ESTIMATORS) >= 20


@each_estimator
def test_every_estimator_takes_what_read_table_returns(estimator, boolean_file):
    X, y = split_target(read_table(boolean_file), "y")
    target = y.values.astype(float) if type(estimator).__name__ == "RReliefF" else y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewestWarning)
        fitted = clone(estimator).fit(X, target)
        if hasattr(fitted, "predict"):
            assert set(fitted.predict(X)) <= {"0", "1"}
        else:
            assert fitted.transform(X).shape[0] == 60
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c"]


UNREADABLE = {
    "a dict": {"a": [0, 1, 1, 0], "b": [1, 1, 0, 0]},
    "a lazy frame": pl.DataFrame({"a": [0, 1, 1, 0], "b": [1, 1, 0, 0]}).lazy(),
    "pandas, a name twice": pd.DataFrame([[0, 1], [1, 1], [1, 0], [0, 0]], columns=["a", "a"]),
    "arrow, a name twice": pa.table([[0, 1, 1, 0], [1, 1, 0, 0]], names=["a", "a"]),
}


@each_estimator
@pytest.mark.parametrize("X", UNREADABLE.values(), ids=UNREADABLE)
def test_what_no_estimator_can_read_is_refused(estimator, X):
    with pytest.raises(ParameterError, match=r"collect|twice|DataFrame"):
        clone(estimator).fit(X, [0, 1, 0, 1])


# A selector may keep no column, and what comes after it in a pipeline takes what is left.
TAKE_NO_COLUMNS = {"ID3Classifier", "FringeClassifier", "FringeFeatures"}


@each_estimator
def test_frames_without_columns_are_refused(estimator):
    frame = pd.DataFrame(index=range(4))
    if type(estimator).__name__ in TAKE_NO_COLUMNS:
        assert clone(estimator).fit(frame, [0, 1, 0, 1]).n_features_in_ == 0
        return
    with pytest.raises(ParameterError, match="nothing to choose or learn from"):
        clone(estimator).fit(frame, [0, 1, 0, 1])
