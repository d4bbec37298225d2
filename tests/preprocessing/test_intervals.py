import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from fewest import ID3Classifier, MinFeatures, WeightedGreedy
from fewest.preprocessing import IntervalDiscretizer


def test_intervals_make_numbers_learnable():
    X, y = load_iris(return_X_y=True)
    cut = cross_val_score(make_pipeline(IntervalDiscretizer(), WeightedGreedy(tolerance=0.02), ID3Classifier()), X, y)
    assert cut.mean() > 0.9


def test_frames_keep_their_other_columns():
    frame = pd.DataFrame({"size": [1.0, 2.0, None, 9.0, 8.0] * 20, "colour": ["red", "blue", None, "red", "red"] * 20})
    discretizer = IntervalDiscretizer().set_output(transform="pandas").fit(frame, [0, 0, 0, 1, 1] * 20)
    cut = discretizer.transform(frame)
    assert cut.columns.tolist() == ["size", "colour"]
    assert cut["size"].tolist()[:2] + cut["size"].tolist()[3:5] == [0.0, 0.0, 1.0, 1.0]
    assert np.isnan(cut["size"][2])
    assert cut["colour"].tolist()[:2] == ["red", "blue"]
    assert discretizer.interval_names(0) == ("<= 5", "> 5")
    assert discretizer.interval_names(1) == ("any number",)


def test_new_data_is_cut_where_the_training_data_was():
    X = np.r_[np.arange(50.0), 100 + np.arange(50.0)][:, None]
    discretizer = IntervalDiscretizer().fit(X, np.repeat([0, 1], 50))
    assert discretizer.cuts_[0].tolist() == [74.5]
    assert discretizer.transform([[-1e9], [74.5], [74.6], [1e9]]).tolist() == [[0], [0], [1], [1]]
    assert np.isnan(discretizer.transform([[np.nan]])[0, 0])


def test_a_column_that_tells_nothing_is_needed_by_nobody():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = (X[:, 1] > 0.3).astype(int)
    selector = make_pipeline(IntervalDiscretizer(), MinFeatures()).fit(X, y)
    assert selector[-1].get_support(indices=True).tolist() == [1]


def test_one_class_is_not_cut():
    assert IntervalDiscretizer().fit([[1.0], [2.0]], [0, 0]).cuts_[0].tolist() == []


@pytest.mark.parametrize("bad", [[[np.inf], [1.0]], [["a"], ["b"]]])
def test_what_is_no_number_is_left_alone_or_refused(bad):
    if isinstance(bad[0][0], str):
        assert IntervalDiscretizer().fit_transform(bad, [0, 1]).tolist() == bad
    else:
        with pytest.raises(ValueError, match="infinity"):
            IntervalDiscretizer().fit(bad, [0, 1])
