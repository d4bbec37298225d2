"""The docstrings of everything public are complete and true."""

import inspect
import warnings

import numpy as np
import pytest
from sklearn.base import clone

from fewest import MinFeatures
from fewest.mistakes import ConceptClass
from outside.estimators import OTHERS, SELECTORS
from outside.public import public_estimators
from outside.test_package import tool

docscrape = pytest.importorskip("numpydoc.docscrape", reason="numpydoc is not installed")


@pytest.fixture(scope="module")
def docstrings():
    """Return the tool that ``make docstrings`` runs."""
    return tool("docstrings")


def test_no_public_docstring_breaks_a_rule(docstrings):
    assert not docstrings.all_broken()


def test_methods_are_checked_and_class_methods_among_them(docstrings):
    assert "fewest.MinFeatures.fit" in dict(docstrings.methods("fewest.MinFeatures", MinFeatures))
    assert "ConceptClass.intervals" in dict(docstrings.methods("ConceptClass", ConceptClass))


def right(a, b=2, c=None):
    """Do it.

    Parameters
    ----------
    a : int
        The first.
    b : int, default=2
        The second.
    c : int, optional
        The third.

    Examples
    --------
    >>> right(1)
    """


def with_another_default(a, b=3, c=None):
    """Stand in for a function whose default has changed."""


def with_a_required_one(a, b=2, *, c):
    """Stand in for a function whose third has lost its default."""


with_another_default.__doc__ = with_a_required_one.__doc__ = right.__doc__


def without_a_doctest():
    """Do it.

    Examples
    --------
    Like this.
    """


def with_a_note_elsewhere(a):
    """Do it.

    Parameters
    ----------
    a : int
        As for `MinFeatures`.
    """


class WithoutSections:
    """Be an estimator."""

    def fit(self):
        """Do it."""


def test_every_rule_of_the_house_is_broken_by_what_breaks_it(docstrings):
    broken = docstrings.broken_rules_of_the_house
    assert broken(right) == set()
    assert broken(with_another_default) == broken(with_a_required_one) == {"default"}
    assert broken(without_a_doctest) == {"doctest"}
    assert broken(with_a_note_elsewhere) == {"elsewhere"}
    assert broken(WithoutSections) == {"sections"}
    assert "EX01" in docstrings.broken_rules("fewest.lazy.lazy_names", right)


# Where they do not apply, these are not there: names for columns that have none, classes for a numeric target.
SOMETIMES = {"feature_names_in_", "classes_", "tolerance_scores_"}


@pytest.mark.parametrize("estimator", SELECTORS + OTHERS, ids=str)
def test_every_fitted_attribute_is_documented_and_no_other(estimator):
    X = (np.random.default_rng(0).random((60, 4)) < 0.5).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = clone(estimator).fit(X, X[:, 0].astype(int))
    ours = [cls for cls in type(estimator).__mro__ if cls.__module__.startswith("fewest")]
    names = {*vars(estimator), *(name for cls in ours for name in vars(cls) if hasattr(estimator, name))}
    fitted = {name for name in names if name.endswith("_") and not name.startswith("_")}
    documented = {each.name for each in docscrape.NumpyDocString(inspect.getdoc(type(estimator)))["Attributes"]}
    assert fitted - documented == set()
    assert documented - fitted <= SOMETIMES


def test_all_public_estimators_are_among_these():
    assert set(public_estimators()) == {type(each).__name__ for each in SELECTORS + OTHERS}
