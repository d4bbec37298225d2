"""How an estimator's parameters become options."""

from dataclasses import dataclass

import pytest

from fewest.cfp.options import CFPOptions, GACFPOptions, Settings
from fewest.estimators.options import check_count, options_of
from fewest.exceptions import ParameterError
from fewest.trees.options import FringeOptions


@dataclass(frozen=True)
class Options:
    depth: int = 3
    width: int = 1

    def __post_init__(self):
        check_count("depth", self.depth, least=2)


class Learner:
    def __init__(self, depth):
        self.depth = depth


def test_parameters_become_options_and_are_checked():
    assert options_of(Learner(4), Options, width=2) == Options(4, 2)
    with pytest.raises(ParameterError, match="depth == 1, must be >= 2"):
        options_of(Learner(1), Options, width=2)


@pytest.mark.parametrize("value", [2.0, "2", True, None])
def test_a_count_is_a_whole_number(value):
    with pytest.raises(ParameterError, match="must be an instance of int"):
        check_count("depth", value)


def test_options_of_the_rooms_check_themselves():
    for options in (CFPOptions, Settings):
        with pytest.raises(ParameterError, match="delta=100"):
            options(delta=100)
    with pytest.raises(ParameterError, match="population_size == 4"):
        GACFPOptions(population_size=4)
    with pytest.raises(ParameterError, match="silence='loud' is not known"):
        GACFPOptions(silence="loud")
    with pytest.raises(ParameterError, match="max_iter == 0"):
        FringeOptions(0)


def test_a_concept_keeps_the_settings_alone():
    assert CFPOptions(limit="5%", delta=1).to_record() == Settings(delta=1).to_record()
    assert GACFPOptions(silence="wrong").cfp_options(3.0, [1.0]) == CFPOptions(3.0, silence="wrong", limit=[1.0])
