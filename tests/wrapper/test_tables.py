"""Wrappers on typed columns, against the selector on the numbers that stand for them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from fewest import ID3Classifier, OrderedFS
from fewest.exceptions import ParameterError
from fewest.table import from_frame, split_target
from fewest.wrapper.options import BoundOptions, OrderedFS2Options, OrderedFSOptions
from fewest.wrapper.tables import as_numbers, wrap_table


def weather(n=80):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "sky": rng.choice(["sun", "rain", "snow"], n),
        "noise": rng.standard_normal(n),
        "warm": rng.random(n),
        "coin": rng.integers(0, 2, n).astype(bool),
    })  # fmt: skip
    frame.loc[::11, "noise"] = np.nan
    frame["walk"] = np.where((frame["sky"] == "sun") & (frame["warm"] > 0.3), "yes", "no")
    return split_target(from_frame(frame), "walk")


def test_numbers_of_a_column_stand_together():
    table, _ = weather()
    numbers = as_numbers(table)
    assert numbers.groups == [[0, 1, 2], [3, 4], [5], [6]]  # categories; scaled and missing; scaled; one of two
    np.testing.assert_array_equal(numbers.X[:, :3].sum(axis=1), 1)
    np.testing.assert_allclose(numbers.X[:, 5].mean(), 0, atol=1e-12)
    np.testing.assert_array_equal(numbers.X[::11, 3:5], [[0, 1]] * 8)


def test_the_answer_is_in_columns_of_the_table():
    table, target = weather()
    numbers = as_numbers(table)
    result = wrap_table(GaussianNB(), table, target, OrderedFSOptions(random_state=0))
    selector = OrderedFS(GaussianNB(), feature_groups=numbers.groups, random_state=0).fit(numbers.X, target.values)
    assert result.holdout_error == selector.holdout_error_
    columns = {j for j, group in enumerate(numbers.groups) if selector.support_[group].all()}
    assert set(result.features) == set(np.flatnonzero(result.support)) == columns
    assert {"sky", "warm"} <= {table.names[j] for j in result.features}
    assert [record["n_features"] for record in result.history] == [0, 1, 2, 3, 4]
    assert str(result.bound(BoundOptions())) == str(selector.bound_)


def test_included_columns_are_given_by_name_and_codes_serve_learners_of_categories():
    table, target = weather()
    options = OrderedFS2Options(include=["coin"], random_state=0)
    result = wrap_table(ID3Classifier(), table, target, options, is_discrete=True)
    assert result.evaluation == "id3"
    assert all(3 in record["features"] for record in result.history)


def test_what_cannot_be_searched_is_refused():
    _, target = weather()
    with pytest.raises(ParameterError, match="no column but walk"):
        wrap_table(GaussianNB(), from_frame(pd.DataFrame(index=range(80))), target, OrderedFSOptions())
    constant = split_target(from_frame(pd.DataFrame({"a": [1, 2], "walk": ["no", "no"]})), "walk")
    with pytest.raises(ParameterError, match="the same walk"):
        wrap_table(GaussianNB(), *constant, OrderedFSOptions())
