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
