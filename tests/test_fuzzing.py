"""Some of the inputs that `tests/fuzzing.py` makes; run it for ten thousand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzing import LATER, LATEST, fuzz


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32))
def test_hostile_inputs_are_refused_in_words(number):
    fuzz(number)


@settings(deadline=None, max_examples=60)
@given(st.integers(LATER, LATER + 2**32))
def test_odd_options_and_changed_files_are_refused_in_words(number):
    fuzz(number)


@settings(deadline=None, max_examples=60)
@given(st.integers(LATEST, LATEST + 2**32))
def test_odd_tables_changed_models_and_closed_streams_end_in_words(number):
    fuzz(number)


@pytest.mark.parametrize("number", [76, 253, 500, 769, 864, 1415, 4106, LATER + 3921, LATER + 12267, LATER + 12366])
def test_inputs_that_once_were_not(number):
    fuzz(number)
