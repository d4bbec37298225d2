"""Bounds as relations: what is left out is calculated, whichever it is."""

from contextlib import suppress
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.bounds import bound, catalogue
from fewest.exceptions import ParameterError

BOUNDS = catalogue.all_bounds()

# One set of values for each bound, and what it gives, calculated by hand or in the tests of its theorem.
BY_HAND = {
    "min-features": ({"n": 100, "p": 3, "epsilon": 0.1, "delta": 0.05}, 224),
    "min-features-counted": ({"n": 100, "p": 3, "epsilon": 0.1, "delta": 0.05}, 206),
    "min-features-vc": ({"n": 2**40, "p": 2}, 10),
    "min-features-needed": ({"n": 100, "p": 5, "epsilon": 0.01, "delta": 0.01}, 96.875),
    "min-features-order": ({"n": 12, "p": 3, "epsilon": 0.1, "delta": 0.1}, 154.6985),
    "focus1-tests": ({"n": 6, "p": 2}, 22),
    "halving": ({"concepts": 64}, 6),
    "opt-at-most": ({"concepts": 93}, 6),
    "opt": ({"K": 4}, 4),
    "opt-at-least": ({"d": 3}, 3),
    "winnow1": ({"n": 1024, "k": 3}, 62),  # 2 * 3 * 10 + 2
    "disjunctions": ({"n": 1024, "k": 4}, 32),
    "disjunctions-exactly": ({"n": 8, "k": 8}, 0),
    "winnow2": ({"n": 1000, "delta": 1.0, "mu": 3.0}, 313.13),  # 8 + (5 + 14 ln 1000) 3
    "winnow2-r-of-k": ({"n": 1000, "r": 1, "k": 3}, 313.13),
    "balanced-winnow": ({"n": 101, "margin": 1 / 3, "alpha": 2**0.5}, 93.7),
    "dnf-vc": ({"n": 64, "k": 2, "l": 3}, 24),
    "queries": ({"M": 6.0}, 7),
    "cfp-examples": ({"n": 10, "epsilon": 0.1, "delta": 0.05, "gamma": 0.1}, 1223),
    "cfp-examples-union": ({"n": 10, "epsilon": 0.1, "delta": 0.05, "gamma": 0.1}, 761),
    "cfp-majority": ({"n": 4}, 3),
    "cfp-limit": ({"epsilon": 0.05}, 0.1),
    "cfp-partitions": ({"n": 10, "epsilon": 0.1}, 100),
    "cfp-classification": ({"n": 10, "epsilon": 0.125}, 30),
    "cfp-training": ({"m": 1000, "n": 10, "epsilon": 0.125}, 30000),
    "without-selection": ({"m": 10_000, "f": 20, "delta": 0.05}, 0.522),
    "standard-wrap": ({"m": 10_000, "f": 20, "r": 3, "delta": 0.05}, 0.312 + 0.110),
    "ordered-fs": ({"m": 10_000, "f": 20, "r": 3, "delta": 0.05}, 0.342 + 0.070),
    "ordered-fs2": ({"m": 10_000, "f": 20, "r": 3, "delta": 0.05}, 0.365 + 0.097 + 0.079),
    "holdout-choice": ({"m": 100, "N": 21, "delta": 0.1}, 0.34759),  # 2 sqrt(ln 420 / 200)
    "different-subsets": ({"f": 7, "d": 3}, 10),
    "different-subsets-log": ({"f": 1000, "beta": 0.1}, 362.2),
    "relief-threshold": ({"m": 2000, "alpha": 0.05}, 0.1),
}


def test_every_bound_has_a_value_by_hand():
    assert set(BY_HAND) == set(BOUNDS)


def test_every_room_that_declares_bounds_is_asked():
    package = Path(catalogue.__file__).parent.parent
    declaring = {path.parent.name for path in package.glob("*/bounds.py") if "\nBOUNDS = (" in path.read_text("utf-8")}
    assert set(catalogue.ROOMS) == declaring


@pytest.mark.parametrize("name", BOUNDS)
def test_value_by_hand(name):
    values, expected = BY_HAND[name]
    answer = bound(name, **values)
    assert answer.value == pytest.approx(expected, rel=2e-3)
    assert answer.asked == BOUNDS[name].result.name
    assert answer.source
    assert "{" not in answer.sentence


SOLVABLE = [(known.name, q.name) for known in BOUNDS.values() for q in known.parameters if q.effect]


@pytest.mark.parametrize(("name", "unknown"), SOLVABLE)
@settings(max_examples=25, deadline=None)
@given(factor=st.floats(0.3, 4.0))
def test_what_is_solved_for_is_the_extreme_that_fits(name, unknown, factor):
    """One step further, the theorem no longer gives as little as was asked."""
    known = BOUNDS[name]
    values, result = BY_HAND[name]
    limit = known.result.read(round(result * factor) if known.result.is_whole else result * factor)
    others = {key: value for key, value in values.items() if key != unknown}
    quantity = known.quantity(unknown)
    try:
        found = known.ask(**others, **{known.result.name: limit}).value
    except ParameterError as error:
        if f"No {unknown}" not in str(error):
            raise
        return
    if found == inf:
        assert known.calculate(**others, **{unknown: 10**17}) <= limit
        return
    assert known.calculate(**others, **{unknown: found}) <= limit
    further = found + quantity.effect if quantity.is_whole else found * (1 + quantity.effect * 1e-6)
    if not quantity.low + 1e-290 < further < quantity.high:
        return  # everything fits
    with suppress(ParameterError):  # the theorem ends here
        assert known.calculate(**others, **{unknown: further}) > limit


def test_a_thousand_examples_promise_an_error():
    assert bound("min-features", n=100, p=3, m=1000, delta=0.05).value == pytest.approx(0.0223564, rel=1e-4)


def test_a_quantity_may_begin_late():
    """There are at least as many features as relevant ones."""
    assert bound("focus1-tests", p=5, tests=10**6).value == 42  # 972,434 tests of 42 features, 1,101,716 of 43
    with pytest.raises(ParameterError, match="No n"):
        bound("focus1-tests", p=5, tests=10)


def test_what_is_given_is_checked():
    with pytest.raises(ParameterError, match="2 are missing"):
        bound("min-features", n=100, p=3, epsilon=0.1)
    with pytest.raises(ParameterError, match="Nothing is left"):
        bound("min-features", n=100, p=3, epsilon=0.1, delta=0.1, m=10)
    with pytest.raises(ParameterError, match="'x' is not known"):
        bound("min-features", x=3)
    with pytest.raises(ParameterError, match="is not known"):
        bound("max-features", n=3)
    with pytest.raises(ParameterError, match="not a whole number"):
        bound("focus1-tests", n=2.5, p=1)
    with pytest.raises(ParameterError, match="not a number"):
        bound("cfp-limit", epsilon="much")
    with pytest.raises(ParameterError, match="cannot be solved for k"):
        bound("disjunctions", n=100, M=10)


def test_numbers_are_read_from_text():
    assert bound("focus1-tests", n="6", p="2e0").value == 22


def test_a_sweep_leaves_out_what_the_theorem_is_not_about():
    answers = list(BOUNDS["focus1-tests"].sweep("n", [1, 2, 3, 4], p=2))
    assert [answer.values["n"] for answer in answers] == [2, 3, 4]
    with pytest.raises(ParameterError, match="cannot be relevant"):
        list(BOUNDS["focus1-tests"].sweep("n", [1, 2], p=7))


@pytest.mark.parametrize("name", ["standard-wrap", "ordered-fs"])
def test_a_search_that_misses_the_least_error_costs_that_much(name):
    """Theorems 20 and 21; measured on labels of which a tenth is wrong, it counts 1 / (1 - 0.2) times."""
    given_so, _ = BY_HAND[name]
    exact, missed = (bound(name, **given_so, eta=0.1, shortfall=shortfall).value for shortfall in (0, 0.04))
    assert missed - exact == pytest.approx(0.05)
