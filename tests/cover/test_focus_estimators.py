import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import naive
from fewest import Focus1, Focus2, MinFeatures
from fewest.exceptions import (
    ConflictingRowsError,
    ConflictingRowsWarning,
    IdentifierWarning,
    ParameterError,
    StoppedEarlyWarning,
)
from problems import samples, with_missing_as_value

SELECTORS = [Focus1, Focus2, MinFeatures]

WEATHER = {
    "outlook": ["sunny", "rain", "sunny", "rain"],
    "windy": [True, True, False, False],
    "humidity": [80, 80, 70, 80],
}
PLAY = ["no", "no", "yes", "yes"]


@pytest.mark.parametrize("selector", SELECTORS)
@given(problem=samples(missing=True), missing=st.sampled_from(["value", "cautious"]))
def test_any_sample_gets_a_smallest_sufficient_subset_and_true_reasons(selector, problem, missing):
    rows, classes, n_features = problem
    X = np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=float).reshape(-1, n_features)
    seen = rows if missing == "cautious" else with_missing_as_value(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConflictingRowsWarning)
        fitted = selector(missing=missing).fit(X, classes)
    subset = tuple(fitted.get_support(indices=True).tolist())
    assert subset in naive.smallest_sufficient_subsets(seen, classes, n_features)
    assert fitted.is_optimal_
    assert fitted.lower_bound_ == len(subset)
    assert fitted.n_contradictions_ == len(naive.contradictions(seen, classes))
    assert set(fitted.witnesses_) == set(subset)
    for feature, (i, j) in fitted.witnesses_.items():
        assert classes[i] != classes[j]
        assert naive.conflict(seen[i], seen[j]) & set(subset) == {feature}


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_of_any_library(selector, frame):
    fitted = selector().fit(frame(WEATHER), PLAY)
    assert fitted.get_support(indices=True).tolist() == [1]
    assert fitted.get_feature_names_out().tolist() == ["windy"]
    assert fitted.feature_names_in_.tolist() == ["outlook", "windy", "humidity"]


def test_nominal_pandas_columns_with_missing_values():
    frame = pd.DataFrame({"a": ["x", None, "x", None], "b": pd.Categorical(["p", "p", "q", "q"])})
    y = [0, 1, 0, 1]
    assert Focus2().fit(frame, y).get_feature_names_out().tolist() == ["a"]
    with pytest.warns(ConflictingRowsWarning, match="2 pairs of rows are alike in every feature"):
        cautious = Focus2(missing="cautious").fit(frame, y)
    assert cautious.n_contradictions_ == 2


def test_set_output_keeps_the_frame():
    frame = pd.DataFrame(WEATHER)
    chosen = Focus2().set_output(transform="pandas").fit(frame, PLAY).transform(frame)
    pd.testing.assert_frame_equal(chosen, frame[["windy"]])


def test_polars_output():
    frame = pl.DataFrame({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1]})
    chosen = Focus2().set_output(transform="polars").fit(frame, [0, 0, 1, 1]).transform(frame)
    assert isinstance(chosen, pl.DataFrame)
    assert chosen.to_dict(as_series=False) == {"b": [0, 0, 1, 1]}


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_equals_dense(selector, form):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 9))
    y = X[:, 3] ^ X[:, 7]
    dense, fitted = selector().fit(X, y), selector().fit(form(X), y)
    assert (fitted.support_ == dense.support_).all()
    assert fitted.n_sufficiency_tests_ == dense.n_sufficiency_tests_
    assert (fitted.transform(form(X)).toarray() == X[:, [3, 7]]).all()


def test_in_a_pipeline():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 12))
    y = X[:, 1] & X[:, 4]
    model = make_pipeline(Focus2(), DecisionTreeClassifier(random_state=0)).fit(X[:150], y[:150])
    assert model.score(X[150:], y[150:]) == 1.0


def test_string_classes_and_string_values():
    X = np.array([["a", "u"], ["b", "u"], ["a", "v"]], dtype=object)
    assert Focus1().fit(X, ["yes", "no", "yes"]).get_support(indices=True).tolist() == [0]


class TestContradictions:
    X = np.array([[0, 0], [0, 0], [0, 1], [1, 1]])
    y = np.array(["a", "b", "a", "b"])

    @pytest.mark.parametrize("selector", SELECTORS)
    def test_warn_cover_the_rest_and_keep_the_number(self, selector):
        with pytest.warns(ConflictingRowsWarning, match=r"1 pair of rows is alike.*rows 0 and 1 are 'a' and 'b'"):
            fitted = selector().fit(self.X, self.y)
        assert fitted.get_support(indices=True).tolist() == [0, 1]
        assert fitted.n_contradictions_ == 1
        assert fitted.contradiction_ == (0, 1)

    @pytest.mark.parametrize("selector", SELECTORS)
    def test_raise(self, selector):
        with pytest.raises(ConflictingRowsError, match=r"rows 0 and 1.*on_contradiction='warn'"):
            selector(on_contradiction="raise").fit(self.X, self.y)

    def test_none_no_warning(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert Focus2().fit(self.X[1:], self.y[1:]).n_contradictions_ == 0


def test_a_column_of_distinct_values_is_named():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"key": np.arange(50.0), "a": rng.integers(0, 2, 50), "b": rng.integers(0, 2, 50)})
    with pytest.warns(IdentifierWarning, match=r"Column 'key' with mostly distinct values.*Drop identifiers"):
        Focus2().fit(frame, frame["a"] ^ frame["b"])


@pytest.mark.usefixtures("ticking")
def test_time_limit_warns_and_answers():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (150, 50)), rng.integers(0, 2, 150)
    with pytest.warns(StoppedEarlyWarning, match=r"Stopped by the time limit.*at least"):
        fitted = Focus2(time_limit=0.2).fit(X, y)
    assert fitted.stopped_by_ == "time limit"
    assert not fitted.is_optimal_
    assert fitted.lower_bound_ < fitted.support_.sum()
    assert all(pair is not None for pair in fitted.witnesses_.values())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"missing": "ignore"}, "missing='ignore' is not known. Choose one of 'value', 'cautious'"),
        ({"on_contradiction": "skip"}, "on_contradiction='skip' is not known"),
    ],
)
def test_an_unknown_option_is_no_default(parameters, message):
    with pytest.raises(ParameterError, match=message):
        Focus2(**parameters).fit([[0], [1]], [0, 1])


def test_parameters_are_checked_in_fit_and_left_alone():
    selector = Focus2(time_limit=-1)
    with pytest.raises(ValueError, match="time_limit == -1, must be >= 0"):
        selector.fit([[0], [1]], [0, 1])
    assert clone(selector.set_params(time_limit=5)).time_limit == 5


def test_a_time_limit_is_a_number():
    with pytest.raises(ParameterError, match="time_limit is NaN"):
        Focus2(time_limit=float("nan")).fit([[0], [1]], [0, 1])


def test_a_quantity_is_no_class():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        Focus1().fit([[0], [1], [2]], [0.5, 1.25, 3.75])


def test_one_class_selects_nothing():
    fitted = Focus2().fit([[0, 1], [1, 0]], [7, 7])
    assert not fitted.support_.any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fitted.transform([[0, 1], [1, 0]]).shape == (2, 0)


def test_frames_without_rows_or_columns_are_refused():
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        Focus2().fit(pd.DataFrame(index=range(3)), [0, 1, 0])
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        Focus2().fit(pd.DataFrame({"a": []}), [])


def test_trace_is_kept_on_request_only():
    X = np.array([[0, 1], [1, 0], [1, 1]])
    assert Focus2().fit(X, [0, 1, 1]).trace_ is None
    names = pd.DataFrame(X, columns=["left", "right"])
    fitted = Focus2(keep_trace=True).fit(names, [0, 1, 1])
    text = fitted.trace_.to_text(fitted.feature_names_in_)
    assert text.splitlines()[0].startswith("M(∅, ∅)  split by the conflict of rows")
    assert "{left} is sufficient" in text
