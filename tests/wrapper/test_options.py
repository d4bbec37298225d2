"""The options of the wrappers: what they refuse, and who takes their defaults."""

import inspect
import re
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from fewest import OrderedFS, OrderedFS2, StandardWrap
from fewest.exceptions import ParameterError
from fewest.wrapper.options import (
    OPTIONS,
    BoundOptions,
    OrderedFS2Options,
    OrderedFSOptions,
    StandardWrapOptions,
)


@pytest.mark.parametrize(
    ("estimator", "options"),
    [(StandardWrap, StandardWrapOptions), (OrderedFS, OrderedFSOptions), (OrderedFS2, OrderedFS2Options)],
)
def test_estimators_have_the_parameters_and_defaults_of_their_options(estimator, options):
    """But for what concerns estimators alone: what they wrap, and what becomes of Ctrl-C."""
    parameters = inspect.signature(estimator).parameters
    assert {name: p.default for name, p in parameters.items() if name not in ("estimator", "on_interrupt")} == {
        field.name: field.default for field in fields(options)
    }


@pytest.mark.parametrize("estimator", [StandardWrap, OrderedFS, OrderedFS2])
def test_every_parameter_and_attribute_is_described_where_it_is_looked_up(estimator):
    """Texts that the wrappers share are put together by the class; none is left for the reader to look up."""
    assert not re.search(r"^<.*>$|[Aa]s for", estimator.__doc__, re.MULTILINE)
    for name in inspect.signature(estimator).parameters:
        assert re.search(rf"^{name} : .*\n    \S", estimator.__doc__, re.MULTILINE), name
    fitted = estimator(GaussianNB(), random_state=0).fit(np.random.default_rng(0).normal(size=(30, 3)), [0, 1, 1] * 10)
    for name in vars(fitted):
        if name.endswith("_") and not name.startswith("_"):
            assert re.search(rf"^{name} : .*\n    \S", estimator.__doc__, re.MULTILINE), name


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("standard-wrap", {"validation_fraction": 0}, "validation_fraction=0 leaves no rows on one side"),
        ("ordered-fs", {"validation_fraction": "much"}, "validation_fraction='much' leaves"),
        ("ordered-fs2", {"split_fractions": (0.5, 0.5)}, "three positive shares"),
        ("ordered-fs", {"beam_width": 0}, "beam_width == 0, must be >= 1"),
        ("ordered-fs", {"beam_width": 1.5}, "beam_width must be an instance of int"),
        ("ordered-fs", {"max_features": -1}, "max_features == -1"),
        ("ordered-fs", {"patience": 0}, "patience == 0"),
        ("ordered-fs", {"search": "sideways"}, "search='sideways' is not known"),
        ("ordered-fs", {"time_limit": -1}, "time_limit=-1 is no time"),
        ("ordered-fs", {"scoring": ("accuracy",)}, "are several scores"),
    ],
)
def test_options_that_mean_nothing_are_refused(kind, given, message):
    with pytest.raises(ParameterError, match=message):
        OPTIONS[kind](**given)


def test_shares_of_the_rows_add_up():
    assert OrderedFSOptions(validation_fraction=0.25).shares == (0.75, 0.25)
    assert OrderedFS2Options().shares == (0.5, 0.25, 0.25)


def test_labels_that_are_noise_only_have_no_bound():
    with pytest.raises(ParameterError, match=r"label noise of 0\.5 leaves nothing to learn"):
        BoundOptions(eta=0.5)


def test_options_are_free_of_heavy_imports():
    program = "import sys, fewest.wrapper.options; print({'sklearn', 'numba', 'scipy', 'pyarrow'} & set(sys.modules))"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "set()\n"
    )
