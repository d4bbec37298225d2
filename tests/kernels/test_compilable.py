"""One source that runs as plain Python and compiled."""

import subprocess
import sys

import numba
import numpy as np

from fewest.kernels.compile_or_not import Compilable, compilable


@compilable(how="compiled_within")
def doubled(number):
    """Double a number."""
    return 2 * number


@compilable(by=lambda: told_fast)
def told(number):
    """Return which way was taken."""
    return "plain"


@compilable()
def told_fast(number):
    """Return which way was taken."""
    return "compiled"


@compilable()
def sum_of_doubles(numbers):
    """Add up what `doubled` returns."""
    total = 0
    for number in numbers:
        total += doubled(number)
    return total, told(total)


def test_a_call_runs_the_plain_function():
    assert sum_of_doubles(np.arange(4)) == (12, "plain")
    assert sum_of_doubles.__doc__ == "Add up what `doubled` returns."


def test_compiled_code_calls_compiled_code():
    assert sum_of_doubles.compiled(np.arange(4)) == (12, "compiled")
    assert numba.typeof(doubled).dispatcher is doubled.compiled


def test_the_dispatcher_is_made_once():
    assert doubled.compiled is doubled.compiled
    assert told.compiled is told_fast.compiled
    assert isinstance(doubled, Compilable)


def test_plain_code_does_without_numba():
    code = "import sys, fewest.cfp.kernels.partitions as p; p.block_length(3); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
