import subprocess
import sys

import pytest

from fewest.exceptions import ParameterError
from fewest.kernels.compiling import PAYS_FROM, VARIABLE, Work, compiles


def test_the_decision_depends_on_the_work_alone(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert [compiles(seconds) for seconds in (0, PAYS_FROM, 2 * PAYS_FROM, 0)] == [False, False, True, False]
    work, other = Work(), Work()
    assert [work.compiles(1e9 * PAYS_FROM, 0.6) for _ in range(3)] == [False, True, True]
    assert not other.compiles(1e9 * PAYS_FROM, 0.6)


@pytest.mark.parametrize(("choice", "compiled"), [("always", True), ("never", False)])
def test_a_variable_overrides_it(monkeypatch, choice, compiled):
    monkeypatch.setenv(VARIABLE, choice)
    assert compiles(0) is compiles(1e9) is compiled


def test_an_unknown_choice_is_refused(monkeypatch):
    monkeypatch.setenv(VARIABLE, "perhaps")
    with pytest.raises(ParameterError, match="always"):
        compiles(0)


INTERRUPTED_IMPORT = """
import builtins, signal, sys
from fewest.kernels.compiling import compiles

importing = builtins.__import__

def interrupted(name, *arguments):
    if name == "numba.core.types":  # somewhere in the middle of numba
        builtins.__import__ = importing
        signal.raise_signal(signal.SIGINT)
    return importing(name, *arguments)

builtins.__import__ = interrupted
try:
    compiles(100.0)
except KeyboardInterrupt:
    from numba import njit
    print("whole", njit(lambda x: x + 1)(1))
"""


def test_an_interrupt_waits_until_numba_is_imported():
    run = subprocess.run([sys.executable, "-c", INTERRUPTED_IMPORT], capture_output=True, text=True, timeout=600)
    assert (run.stdout, run.returncode) == ("whole 2\n", 0), run.stderr
