"""What counts as true, as not true, and as not decided."""

import numpy as np
import pytest

from fewest.papers.sequential import Plan, look_at
from fewest.papers.verdict import (
    UNSURE,
    Check,
    Verdict,
    clear,
    exact,
    likely_share,
    of_words,
    overall,
    share_error,
    with_error,
    worded,
)

HOLDS, FAILS, UNDECIDED = Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("margins", "verdict"),
    [
        ([(2.1, 1.0)], HOLDS),
        ([(1.9, 1.0)], UNDECIDED),
        ([(-1.9, 1.0)], UNDECIDED),
        ([(-2.1, 1.0)], FAILS),
        ([(3.0, 1.0), (1.0, 1.0)], UNDECIDED),
        ([(3.0, 1.0), (-2.1, 1.0)], UNDECIDED),  # of two, one is missed by that much by chance twice as often
        ([(3.0, 1.0), (-2.4, 1.0)], FAILS),
        ([(0.1, 0.0)], HOLDS),
        ([(0.0, 0.0)], FAILS),  # equal, for certain: not more
    ],
)
def test_two_standard_errors_are_clear(margins, verdict):
    check = clear("x", margins, "numbers", "because")
    assert check.verdict is verdict
    assert check.reason == (UNSURE if verdict is UNDECIDED else "because")


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, UNDECIDED], UNDECIDED),
        ([UNDECIDED, FAILS, HOLDS], FAILS),
    ],
)
def test_a_claim_fails_with_any_of_its_demands(verdicts, verdict):
    beside = [Check("y", other, counts=False) for other in Verdict]
    assert overall([*(Check("x", each) for each in verdicts), *beside]) is verdict


def test_exact_checks_have_two_verdicts():
    assert exact("x", True).verdict is HOLDS
    assert exact("x", False).verdict is FAILS


def test_shares_that_a_count_leaves_likely():
    """Wilson's interval, by hand: for 0 of 20 it ends at z^2 / (20 + z^2) with z = 1.96."""
    assert likely_share(0, 20) == pytest.approx((0.0, 1.96**2 / (20 + 1.96**2)))
    assert likely_share(20, 20) == pytest.approx((20 / (20 + 1.96**2), 1.0))
    low, high = likely_share(10, 20)
    assert (low + high) / 2 == pytest.approx(0.5)


def test_a_share_of_all_is_not_certain():
    assert share_error(1.0, 8) == pytest.approx((0.9 * 0.1 / 8) ** 0.5)  # 9 of 10, after one of each is added
    assert share_error(0.5, 98) == pytest.approx((0.25 / 98) ** 0.5)


def test_numbers_are_told_with_two_digits_of_their_error():
    assert with_error(12.3456, 0.12) == "12.35 ± 0.12"
    assert with_error(1234.5, 33.3) == "1,234 ± 33"
    assert with_error(7.0, 0.0, "%") == "7%"


def test_words_have_a_verdict_of_their_own():
    close = worded("It is close.", lambda t: [(t - 1.3, 0.01)], 1.25, (1.35,), "times")
    assert close.verdict is FAILS
    checks = [exact("x", True), close]
    assert (overall(checks), of_words(checks)) == (HOLDS, FAILS)
    assert of_words(checks[:1]) is None
    assert close.reading.verdicts() == [(1.25, FAILS), (1.35, HOLDS)]


def test_more_looks_ask_for_more_standard_errors():
    check = clear("x", [(2.3, 1.0)], reason="because")
    assert check.verdict is HOLDS
    plan = Plan(lambda start, stop: [], first=10, looks=4)
    assert check.at(plan.beyond).verdict is UNDECIDED
    assert check.at(plan.beyond).reason == UNSURE
    assert exact("y", True).at(9.0).verdict is HOLDS
    look = look_at([check, exact("y", True), clear("z", [(0.1, 1.0)], counts=False)], plan, 10)
    ((statement, runs),) = look.undecided
    assert statement == "x"
    assert runs == pytest.approx(10 * ((plan.beyond + 1.645) / 2.3) ** 2)


def test_as_many_runs_as_are_said_to_decide_do_so_in_most_repetitions():
    """The power calculation, simulated: a margin of 1 whose error is that of the mean of so many normal numbers."""
    plan = Plan(lambda start, stop: [], first=50, looks=3)
    rng = np.random.default_rng(0)
    spread = 4.0
    n_runs = 50 * clear("x", [(1.0, spread / 50**0.5)]).times_the_runs(plan.beyond)
    means = 1.0 + rng.normal(size=2000) * spread / n_runs**0.5
    decided = [clear("x", [(mean, spread / n_runs**0.5)]).at(plan.beyond).verdict is HOLDS for mean in means]
    assert 0.93 < np.mean(decided) < 0.97


def test_looking_several_times_misleads_as_rarely_as_looking_once():
    """Nothing is there to be found, and each repetition stops as soon as it finds something."""
    plan = Plan(lambda start, stop: [], first=10, looks=5)
    rng = np.random.default_rng(1)
    misled = 0
    for _ in range(2000):
        runs = rng.normal(size=plan.runs_at(plan.looks - 1))
        ends = [plan.runs_at(look) for look in range(plan.looks)]
        misled += any(abs(runs[:n].mean()) * n**0.5 > plan.beyond for n in ends)
    assert misled / 2000 < 0.0455


def test_a_demand_that_is_missed_needs_as_many_runs_as_show_that():
    assert clear("x", [(5.0, 1.0), (-1.0, 1.0)]).times_the_runs() > clear("x", [(-1.0, 1.0)]).times_the_runs()
    assert clear("x", [(0.0, 1.0)]).times_the_runs() == float("inf")
    assert exact("x", True).times_the_runs() == 0.0
