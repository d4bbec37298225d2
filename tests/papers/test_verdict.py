"""What counts as true, as not true, and as not decided."""

import pytest

from fewest.papers.verdict import UNSURE, Check, Verdict, clear, exact, likely_share, overall, share_error, with_error

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
