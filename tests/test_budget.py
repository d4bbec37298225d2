"""Time limits are of the work: their clock stands still while a machine compiles."""

import threading
from concurrent.futures import Future

import pytest

from fewest.budget import Budget, OutOfBudgetError, WorkClock, work_clock

pytestmark = pytest.mark.usefixtures("ticking")  # every look at the clock is a hundredth of a second later


def test_a_clock_that_stands_goes_on_where_it_stopped():
    clock = WorkClock()
    first = clock()
    clock.stop()
    standing = [clock() for _ in range(5)]
    clock.stop()  # another thread compiles as well
    clock.start()
    standing.append(clock())
    clock.start()
    after = clock()
    assert len(set(standing)) == 1
    assert first < standing[0] <= after < standing[0] + 0.03


def test_compiling_takes_nothing_of_a_time_limit():
    listener = pytest.importorskip("fewest.kernels.compiled")._HeldWhileCompiling()
    budget = Budget(0.1)
    before = budget.seconds_left
    listener.on_start(None)
    for _ in range(50):
        budget.check(str)
    assert before - 0.05 < budget.seconds_left <= before
    listener.on_end(None)
    assert budget.seconds_left > 0
    while budget.seconds_left:
        pass
    with pytest.raises(OutOfBudgetError):
        budget.check(str)


def test_an_error_does_not_leave_the_clock_standing():
    with pytest.raises(ValueError, match="while compiling"), work_clock.standing():
        raise ValueError("while compiling")
    assert work_clock() < work_clock()


def test_work_of_another_thread_is_given_up_when_the_time_is_over():
    end = threading.Event()
    with pytest.raises(OutOfBudgetError):
        Budget(0.0).wait_for(end.wait)
    end.set()


def test_work_of_another_thread_returns_and_raises_what_it_would_here():
    assert Budget().wait_for(lambda: 7) == 7
    with pytest.raises(TimeoutError, match="of its own"):
        Budget(1000.0).wait_for(lambda: _raise(TimeoutError("of its own")))


def _raise(error):
    raise error


def test_a_budget_knows_that_its_end_cut_something_short():
    whole = Budget(10.0)
    part = whole.part(0.001)
    whole.check(str)
    assert not whole.is_cut
    with pytest.raises(OutOfBudgetError):
        part.check(str)
    assert part.is_cut
    assert whole.is_cut


def test_work_that_is_done_just_when_its_time_is_over_is_done(monkeypatch):
    class Late(Future):
        def result(self, timeout=None):
            found = super().result()
            if timeout is not None:
                raise TimeoutError
            return found

    monkeypatch.setattr("fewest.budget.Future", Late)
    assert Budget(1000.0).wait_for(lambda: 7) == 7
