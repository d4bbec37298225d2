"""Some of the kills of `tests/faults.py`; run it for two hundred."""

import pytest

from faults import JOBS, kill_again_and_again


@pytest.mark.parametrize("name", [name for name in JOBS if name != "report"])  # a report takes as long as all others
def test_what_was_killed_ends_as_what_was_not(name):
    assert kill_again_and_again(name, 3, seed=1) > 0
