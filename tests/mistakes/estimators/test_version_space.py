from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

from fewest import Halving, StandardOptimal
from fewest.exceptions import ContradictedClassWarning, ParameterError, TooLargeError
from fewest.mistakes import ConceptClass, PackedBits

RNG = np.random.default_rng(0)
X = RNG.random((150, 6)) < 0.4
Y = X[:, 1] | X[:, 4]
PAIRS = partial(ConceptClass.monotone_disjunctions, at_most=2)


@pytest.mark.parametrize("learner", [Halving, StandardOptimal])
def test_any_shape_of_input_finds_the_concept(learner):
    for rows in (X, X.astype(float), csr_array(X), PackedBits.from_dense(X)):
        fitted = learner(PAIRS).fit(rows, Y)
        assert fitted.consistent_ == ["x1 | x4"]
        assert fitted.n_consistent_ == 1
        assert fitted.n_mistakes_ <= fitted.mistake_bound_
        assert (fitted.predict(rows) == Y).all()
    named = learner(ConceptClass.monotone_disjunctions(6)).fit(X, np.where(Y, "yes", "no"))
    assert set(named.predict(X)) == {"yes", "no"}
    turned = learner(ConceptClass.monotone_disjunctions(6), positive_class=False).fit(X, ~Y)
    assert turned.consistent_ == ["x1 | x4"]


@pytest.mark.parametrize("learner", [Halving, StandardOptimal])
def test_what_no_concept_says_is_not_learned(learner):
    with pytest.warns(ContradictedClassWarning, match="agree with no concept"):
        fitted = learner(PAIRS, max_iter=2).fit(X, X[:, 0] ^ X[:, 1])
    assert fitted.n_consistent_ >= 1


@pytest.mark.parametrize("learner", [Halving, StandardOptimal])
def test_classes_must_fit_the_data(learner):
    for concepts in (ConceptClass.intervals(6), ConceptClass.monotone_disjunctions(5)):
        with pytest.raises(ParameterError, match="no vectors of 6 features"):
            learner(concepts).fit(X, Y)
    with pytest.raises(ParameterError, match=r"Only binary classification is supported\..* 3 classes"):
        learner().fit(X[:3], [0, 1, 2])
    with pytest.raises(TooLargeError):
        learner().fit(np.zeros((2, 40), dtype=bool), [0, 1])
