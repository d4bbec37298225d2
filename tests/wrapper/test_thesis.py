"""The trials of the thesis's chapter 4: how they are made, and the claim that they show."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from fewest import OrderedFS, StandardWrap, linear_threshold
from fewest.wrapper.thesis import clean_errors


@pytest.mark.parametrize(("name", "wrapper"), [("standard-wrap", StandardWrap), ("ordered-fs", OrderedFS)])
@pytest.mark.parametrize("relevant", [1, 3])
def test_a_trial_is_what_the_selector_does(name, wrapper, relevant):
    """Same data, same split, same lots; the closed form is what a large clean sample shows."""
    error = clean_errors(80, 6, relevant=relevant, algorithms=[(name, 0.3)], beam=4, random_state=5)[f"{name} 0.3"]
    X, y, _ = linear_threshold(80, relevant, 6 - relevant, 0.3, random_state=5)
    learner = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10)
    fitted = wrapper(learner, search="forward", beam=4, refit="training", random_state=5).fit(X, y)
    fresh = linear_threshold(50_000, relevant, 6 - relevant, 0.0, random_state=6)
    assert np.mean(fitted.predict(fresh.X) != fresh.y) == pytest.approx(error, abs=0.01)


def test_ordered_fs_errs_less_than_standard_wrap_as_irrelevant_features_are_added():
    """Figure 2, in small: beyond two standard errors with many features, and not with few."""
    gaps = {}
    for n_features in (2, 24):
        trials = [clean_errors(100, n_features, beam=5, max_features=6, random_state=seed) for seed in range(40)]
        gaps[n_features] = np.array([trial["standard-wrap 0.3"] - trial["ordered-fs 0.3"] for trial in trials])
    many = gaps[24]
    assert many.mean() > 2 * many.std(ddof=1) / np.sqrt(len(many))
    assert many.mean() > gaps[2].mean()
