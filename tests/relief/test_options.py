"""Parameters, defaults and checks of the Relief family stand in one place."""

import inspect
from dataclasses import fields

import pytest

from fewest import Relief, ReliefF, RReliefF
from fewest.exceptions import ParameterError
from fewest.relief.options import ReliefFOptions, ReliefOptions, RReliefFOptions

KINDS = [(Relief, ReliefOptions), (ReliefF, ReliefFOptions), (RReliefF, RReliefFOptions)]


@pytest.mark.parametrize(("estimator", "options"), KINDS)
def test_an_estimator_has_the_parameters_and_defaults_of_its_options(estimator, options):
    parameters = inspect.signature(estimator).parameters
    assert {field.name for field in fields(options)} == set(parameters) - {"categorical_features", "random_state"}
    assert all(parameters[field.name].default == getattr(options(), field.name) for field in fields(options))


def test_relief_is_figure_1_and_its_successors_are_kononenkos():
    assert (ReliefOptions.n_neighbors, ReliefOptions.pools_misses, ReliefOptions.is_squared) == (1, True, True)
    assert (ReliefFOptions().n_neighbors, ReliefFOptions.pools_misses, ReliefFOptions.is_squared) == (10, False, False)
    assert [kind.is_regression for _, kind in KINDS] == [False, False, True]
    assert [kind().metric for _, kind in KINDS] == ["euclidean", "manhattan", "manhattan"]
    assert (ReliefFOptions(max_samples=7).n_sampled(20), ReliefFOptions().n_sampled(20)) == (7, 20)
    assert [ReliefFOptions(max_samples=share).n_sampled(20) for share in (0.01, 0.5, 1.0)] == [1, 10, 20]


@pytest.mark.parametrize(
    "mistake",
    [
        {"n_features_to_select": 0},
        {"n_features_to_select": 2.5},
        {"min_features_to_select": -1},
        {"max_samples": -1},
        {"max_samples": 1.5},
        {"max_samples": "all"},
        {"n_neighbors": 0},
        {"n_neighbors": "ten"},
        {"alpha": 0.0},
        {"alpha": "small"},
        {"threshold": "automatic"},
        {"threshold": None},
        {"threshold": float("nan")},
        {"ties": "first"},
        {"identical": "maybe"},
        {"metric": "cosine"},
        {"n_jobs": 0},
    ],
)
def test_what_means_nothing_is_refused_by_name(mistake):
    with pytest.raises(ParameterError, match=next(iter(mistake))):
        ReliefFOptions(**mistake)


def test_a_bound_for_means_is_none_for_a_regression():
    assert ReliefFOptions(threshold="auto").threshold == "auto"
    with pytest.raises(ParameterError, match="threshold='auto' is not known"):
        RReliefFOptions(threshold="auto")
