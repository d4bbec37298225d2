import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, issparse
from sklearn.pipeline import make_pipeline

from fewest import BalancedWinnow, Winnow1
from fewest.datasets import load_votes
from fewest.exceptions import TooLargeError
from fewest.mistakes.estimators.transformers import MonomialSpace
from fewest.preprocessing import BooleanTests, ComplementedLiterals, Monomials

RNG = np.random.default_rng(0)
X = RNG.random((600, 130)) < 0.1


@given(st.integers(0, 5), st.integers(1, 3), st.booleans(), st.booleans(), st.data())
def test_monomials_are_all_conjunctions(n, degree, exactly, complemented, data):
    space = MonomialSpace(n, range(degree if exactly else 1, degree + 1), complemented)
    monomials = [*space.monomials()]
    assert len(monomials) == len(set(monomials)) == space.n_monomials
    row = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool)
    expected = [k for k, monomial in enumerate(monomials) if all(row[i] == holds for i, holds in monomial)]
    assert space.active(row).tolist() == expected


def test_monomials_are_counted_before_they_are_built():
    assert Monomials(3, complemented=True).count(1000) == 2_000 + 4 * 499_500 + 8 * 166_167_000
    with pytest.raises(TooLargeError, match=r"1,331,336,000.*10,000,000 are allowed"):
        Monomials(3, complemented=True).fit(np.zeros((1, 1000), dtype=bool))
    assert Monomials(2, exactly=True).fit(X[:, :3]).get_feature_names_out().tolist() == [
        "x0 & x1",
        "x0 & x2",
        "x1 & x2",
    ]
    named = Monomials(2, complemented=True, exactly=True).fit(pd.DataFrame({"a": [1], "b": [0]}))
    assert named.get_feature_names_out().tolist() == ["~a & ~b", "a & ~b", "~a & b", "a & b"]
    assert named.transform(pd.DataFrame({"a": [1], "b": [0]})).toarray().tolist() == [[0, 1, 0, 0]]


def test_winnow_learns_dnf_over_monomials():
    rows = RNG.random((1500, 25)) < 0.5
    y = (rows[:, 1] & ~rows[:, 2]) | (~rows[:, 3] & rows[:, 4])
    winnow = make_pipeline(Monomials(2, complemented=True), Winnow1(n_relevant=2)).fit(rows, y)
    assert winnow.score(rows, y) == 1
    assert winnow[-1].n_mistakes_ <= winnow[-1].mistake_bound_


def test_complements_can_stand_alone():
    complements = ComplementedLiterals(keep_originals=False).fit(X)
    assert (complements.transform(X) == ~X).all()
    assert complements.get_feature_names_out()[:2].tolist() == ["~x0", "~x1"]
    assert (ComplementedLiterals().fit_transform(csr_array(X)) == np.hstack([X, ~X])).all()


def test_tests_make_booleans_of_everything():
    frame = pd.DataFrame(
        {
            "size": [1.0, 2.0, 9.0, 8.0] * 10,
            "colour": ["red", "blue", None, "red"] * 10,
            "old": [True, False] * 20,
            "same": 1,
        }
    )
    tests = BooleanTests().fit(frame, [0, 0, 1, 1] * 10)
    names = ["size = <= 5", "size = > 5", "colour = blue", "colour = red", "colour is missing", "old"]
    assert tests.get_feature_names_out().tolist() == names
    assert tests.transform(frame)[:3].tolist() == [[1, 0, 0, 1, 0, 1], [1, 0, 1, 0, 0, 0], [0, 1, 0, 0, 1, 1]]
    new = pd.DataFrame({"size": [1e9], "colour": ["green"], "old": [True], "same": [2]})
    assert tests.transform(new).tolist() == [[0, 1, 0, 0, 0, 1]]


def test_votes_are_learned_through_tests():
    votes, party = load_votes(return_X_y=True)
    assert make_pipeline(BooleanTests(), BalancedWinnow(1.05)).fit(votes, party).score(votes, party) > 0.95


@pytest.mark.parametrize("transformer", [ComplementedLiterals(), Monomials(sparse_output=False)])
def test_output_becomes_a_frame_when_asked_to(transformer):
    frame = pd.DataFrame(X[:4, :3], columns=list("abc"))
    shown = transformer.set_output(transform="pandas").fit_transform(frame)
    assert shown.columns.tolist() == transformer.get_feature_names_out().tolist()
    transformer.set_output(transform="default")
    assert shown.to_numpy().tolist() == transformer.transform(frame).tolist()


def test_monomials_are_sparse_or_dense():
    sparse, dense = Monomials().fit_transform(X[:50, :6]), Monomials(sparse_output=False).fit_transform(X[:50, :6])
    assert issparse(sparse)
    assert isinstance(dense, np.ndarray)
    assert (sparse.toarray() == dense).all()
