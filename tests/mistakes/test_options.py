"""Parameters stand once: estimators, commands and streams have the defaults of the options.

Only what an estimator needs to know about arrays, how to read one and which kind to return, is its own.
"""

import inspect
from dataclasses import fields
from math import sqrt

import pytest

from fewest import BalancedWinnow, Halving, StandardOptimal, Winnow1, Winnow2
from fewest.exceptions import ParameterError
from fewest.mistakes import Separation, bounds
from fewest.mistakes.options import (
    ALGORITHMS,
    BINARIZE,
    OPTIONS,
    BalancedWinnowOptions,
    MonomialsOptions,
    Rule,
    StreamOptions,
    VersionSpaceOptions,
    Winnow1Options,
    Winnow2Options,
    options_for_disjunction,
)
from fewest.preprocessing import Monomials


@pytest.mark.parametrize(
    ("estimator", "options"),
    [
        (Winnow1, Winnow1Options),
        (Winnow2, Winnow2Options),
        (BalancedWinnow, BalancedWinnowOptions),
        (Halving, VersionSpaceOptions),
        (StandardOptimal, VersionSpaceOptions),
        (Monomials, MonomialsOptions),
    ],
)
def test_an_estimator_has_the_parameters_and_defaults_of_its_options(estimator, options):
    defaults = {name: parameter.default for name, parameter in inspect.signature(estimator).parameters.items()}
    about_arrays = {"binarize": BINARIZE} | ({"sparse_output": True} if estimator is Monomials else {})
    assert defaults == {field.name: field.default for field in fields(options)} | about_arrays


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (Winnow1Options(), Rule("winnow1", 2.0, 50.0)),
        (Winnow2Options(), Rule("winnow2", 1.5, 100.0)),
        (Winnow2Options(separation=Separation.r_of_k(2, 5)), Rule("winnow2", 1.25, 100.0)),
        (BalancedWinnowOptions(), Rule("balanced", 1.5, 0.0)),
        (BalancedWinnowOptions(n_relevant=1), Rule("balanced", sqrt(2), 0.0)),
        (Winnow1Options(update_factor=3, theta=7), Rule("winnow1", 3, 7)),
    ],
)
def test_rules_of_a_hundred_features(options, rule):
    found = options.rule(n_features=100)
    assert (found.kind, found.update_factor, found.theta) == (rule.kind, pytest.approx(rule.update_factor), rule.theta)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_feature_has_a_threshold_too(algorithm):
    assert OPTIONS[algorithm]().rule(n_features=0).theta == (0.0 if algorithm == "balanced" else 1.0)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (StreamOptions(), Rule("winnow2", 1.5, 1000.0)),
        (StreamOptions("winnow1", n_relevant=5), Rule("winnow1", 2.0, 1000.0)),
        (StreamOptions("balanced", theta=3), Rule("balanced", 1.5, 3.0)),
        (StreamOptions("balanced", n_relevant=2), Rule("balanced", sqrt(8 / 6), 0.0)),
        (StreamOptions("winnow1", update_factor=4, theta=10), Rule("winnow1", 4.0, 10.0)),
    ],
)
def test_streams_know_no_number_of_features(options, rule):
    assert options.rule.update_factor == pytest.approx(rule.update_factor)
    assert (options.rule.kind, options.rule.theta) == (rule.kind, rule.theta)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_theorem_that_applies(algorithm):
    by_hand = {
        "winnow1": bounds.winnow1(64, 3),
        "winnow2": bounds.winnow2(64, Separation.disjunction(3)),
        "balanced": bounds.balanced_winnow(65, 1 / 11, sqrt(12 / 10)),
    }
    options = options_for_disjunction(algorithm, 3)
    assert bounds.of_winnow(options, 64) == pytest.approx(by_hand[algorithm])
    assert bounds.of_winnow(options_for_disjunction(algorithm, None), 64) is None


@pytest.mark.parametrize("options", [Winnow1Options, Winnow2Options, BalancedWinnowOptions, VersionSpaceOptions])
@pytest.mark.parametrize("max_iter", [0, -3, 2.5, "many"])
def test_passes_are_counted(options, max_iter):
    with pytest.raises(ParameterError, match=f"max_iter == {max_iter}"):
        options(max_iter=max_iter)
    with pytest.raises(ParameterError, match="degree == 0"):
        MonomialsOptions(degree=0)
