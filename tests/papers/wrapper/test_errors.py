"""The trials of Ng (1998), chapter 4: what a trial is, and the claim that they show."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from fewest import OrderedFS, StandardWrap
from fewest.datasets import make_linear_threshold
from fewest.papers.wrapper import errors


def trials(**changed):
    """Return the errors of every algorithm in every trial of a block."""
    unit = {"examples": 100, "relevant": 1, "max_features": None, "first": 0, "trials": 1}
    return errors.measure(unit | {"algorithms": [errors.STANDARD, errors.ORDERED]} | changed)


@pytest.mark.parametrize(("name", "wrapper"), [("standard-wrap", StandardWrap), ("ordered-fs", OrderedFS)])
@pytest.mark.parametrize("relevant", [1, 3])
def test_a_trial_is_what_the_selector_does(name, wrapper, relevant, monkeypatch):
    """Same data, same split, same random choices; the closed form is what a large clean sample shows."""
    monkeypatch.setattr(errors, "BEAM", 4)
    found = trials(features=6, examples=80, relevant=relevant, algorithms=[f"{name} 0.3"], first=5)
    X, y, _ = make_linear_threshold(80, relevant, 6 - relevant, 0.3, random_state=5)
    learner = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10)
    fitted = wrapper(learner, search="forward", beam_width=4, refit="training", random_state=5).fit(X, y)
    fresh = make_linear_threshold(50_000, relevant, 6 - relevant, 0.0, random_state=6)
    assert np.mean(fitted.predict(fresh.X) != fresh.y) == pytest.approx(found[f"{name} 0.3"][0], abs=0.01)


def test_ordered_fs_errs_less_than_standard_wrap_as_irrelevant_features_are_added(monkeypatch):
    """Figure 2, in small: beyond two standard errors with many features, and not with few."""
    monkeypatch.setattr(errors, "BEAM", 5)
    gaps = {}
    for n_features in (2, 24):
        found = trials(features=n_features, max_features=6, trials=40)
        gaps[n_features] = np.array(found[errors.STANDARD]) - np.array(found[errors.ORDERED])
    many = gaps[24]
    assert many.mean() > 2 * many.std(ddof=1) / np.sqrt(len(many))
    assert many.mean() > gaps[2].mean()
