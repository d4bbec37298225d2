"""What scikit-learn asks of every estimator, with no excuse but those of one table."""

import unittest

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from fewest.kernels.compile_or_not import repeated
from outside.estimators import EXCUSED, OTHERS, SELECTORS, name_of
from outside.public import public_estimators

# This check fits ten times and more, on noise that no Winnow ever separates: machine code that is kept pays.
OFTEN, FITS = "check_estimator_sparse", 10


@pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")  # scikit-learn's naive Bayes, for weights of 0
@parametrize_with_checks([*SELECTORS, *OTHERS])
def test_scikit_learn_checks(estimator, check):
    excuse = next((EXCUSED[key] for key in keys_of(estimator, check) if key in EXCUSED), None)
    if excuse is None:
        with repeated(FITS if name_of(check).startswith(OFTEN) else 1):
            check(estimator)
        return
    try:
        check(estimator)
    except unittest.SkipTest:
        raise
    except Exception:
        pytest.xfail(excuse)
    pytest.fail(f"This check passes, so it needs no excuse. Take it out of the table, which says: {excuse}.")


def keys_of(estimator, check):
    """Return what an excuse may name: an estimator with its parameters, or all of its class."""
    return [(name, name_of(check)) for name in (str(estimator), type(estimator).__name__)]


def test_every_public_estimator_is_checked():
    checked = {type(estimator).__name__ for estimator in (*SELECTORS, *OTHERS)}
    assert checked == set(public_estimators())


def test_every_excuse_is_of_an_estimator_and_a_check_that_there_are():
    checks = (each for estimator in (*SELECTORS, *OTHERS) for each in estimator_checks_generator(estimator))
    asked = {key for estimator, check in checks for key in keys_of(estimator, check)}
    assert not set(EXCUSED) - asked
