"""Who takes sample weights has them in the signature; who does not says why."""

import inspect

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from every_estimator import ESTIMATORS
from fewest.exceptions import ParameterError

X = np.random.default_rng(0).integers(0, 2, (40, 3))
Y = X[:, 0]
# Preprocessing, which scikit-learn's own also leaves to Python, and estimators that hand parameters on.
OTHERS = {"BooleanTests", "ComplementedLiterals", "IntervalDiscretizer", "Monomials"}
HANDING_ON = {"OrderedFS", "OrderedFS2", "StandardWrap", "ReliefThenCover"}
WITHOUT = [
    each
    for each in ESTIMATORS
    if not has_fit_parameter(each, "sample_weight") and type(each).__name__ not in OTHERS | HANDING_ON
]


@pytest.mark.parametrize("estimator", WITHOUT, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_who_takes_no_weights_says_why(estimator, method):
    if not hasattr(estimator, method):
        pytest.skip("it learns all at once")
    name = type(estimator).__name__
    estimator = clone(estimator)
    with pytest.raises(ParameterError, match=rf"{name} takes no sample_weight: .*\. [A-Z].*\.$"):
        getattr(estimator, method)(X, Y, sample_weight=np.ones(40))
    assert "sample_weight" not in inspect.signature(getattr(estimator, method)).parameters


@pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
@pytest.mark.parametrize("estimator", WITHOUT, ids=lambda each: type(each).__name__)
def test_no_weights_are_as_none_given(estimator):
    clone(estimator).fit(X, Y, sample_weight=None)


def test_pipelines_pass_the_refusal_on_and_routing_sees_no_weights():
    winnow = clone(next(each for each in WITHOUT if type(each).__name__ == "Winnow1"))
    with pytest.raises(ParameterError, match="Winnow1 takes no sample_weight"):
        make_pipeline(winnow).fit(X, Y, winnow1__sample_weight=np.ones(40))
    with config_context(enable_metadata_routing=True):
        assert not get_routing_for_object(winnow).fit.requests
        with pytest.raises(TypeError, match="sample_weight"):
            make_pipeline(winnow).fit(X, Y, sample_weight=np.ones(40))
