"""What Kira and Rendell (1992) report, in a small version."""

import numpy as np
import pytest

from fewest import Relief, ReliefF, ReliefThenCover
from fewest.datasets import make_led, make_parity

RANKED = {"threshold": 0.0}  # where relevance is looked at only, nothing is tested

TABLE_2 = {
    0.0: (0.307, -0.0875),  # the means over the relevant and over the irrelevant features of the paper's averages
    0.05: (0.1653, -0.0427),
}


def table_2(noise, **options):
    """Mean relevance of relevant and of irrelevant features over 20 data sets, and how often Relief is fooled."""
    scores = []
    for seed in range(20):
        X, y, _ = make_parity(200, 3, 7, noise, random_state=seed)
        scores.append(Relief(max_samples=100, random_state=seed, **RANKED, **options).fit(X, y).scores_)
    scores = np.array(scores)
    fooled = (scores[:, 3:].max(axis=1) > scores[:, :3].min(axis=1)).sum()
    return scores[:, :3].mean(), scores[:, 3:].mean(), fooled


@pytest.mark.parametrize("noise", TABLE_2)
def test_table_2_is_reproduced_when_identical_rows_are_skipped(noise):
    relevant, irrelevant, fooled = table_2(noise)
    # The paper's deviations, about 0.055, over 20 data sets and 3 or 7 features, leave means uncertain by 0.01.
    assert relevant == pytest.approx(TABLE_2[noise][0], abs=0.03)
    assert irrelevant == pytest.approx(TABLE_2[noise][1], abs=0.02)
    assert fooled <= (0 if noise == 0 else 5)


def test_counting_identical_rows_gives_clearly_less_negative_relevance():
    assert table_2(0.0, identical="count")[1] > table_2(0.0)[1] + 0.02


@pytest.mark.parametrize(("digit", "best"), [(6, {2, 4}), (2, {5})])
def test_the_led_segments_that_the_paper_names_come_first(digit, best):
    for seed in range(10):
        X, y, _ = make_led(200, digit, noise=0.0, random_state=seed)
        order = Relief(random_state=seed, max_samples=200, **RANKED).fit(X, y).selection_order_
        assert set(order[: len(best)].tolist()) == best


@pytest.mark.parametrize(("digit", "best"), [(6, {2, 4}), (2, {5})])
def test_noise_seldom_hides_them(digit, best):
    found = 0
    for seed in range(20):
        X, y, _ = make_led(200, digit, noise=0.1, random_state=seed)
        order = Relief(random_state=seed, max_samples=200, **RANKED).fit(X, y).selection_order_
        found += set(order[: len(best)].tolist()) == best
    assert found >= 14  # the paper: 45 and 48 of 50


def test_relieff_ranks_parity_first_among_a_hundred_features():
    for seed in range(3):
        X, y, relevant = make_parity(1000, 3, 97, random_state=seed)
        assert set(ReliefF(**RANKED).fit(X, y).selection_order_[:3].tolist()) == set(relevant)


@pytest.mark.parametrize("threshold", ["auto", "interval"])
def test_a_feature_of_no_expected_relevance_is_kept_no_more_often_than_alpha_says(threshold):
    """The guarantee is about the sampled rows: what is expected is the mean over all rows and all ties."""
    X, y, _ = make_parity(100, 2, 12, random_state=0)
    expected = Relief(ties="average", **RANKED).fit(X, y).scores_
    idle = np.flatnonzero(expected <= 0)
    kept = sum(
        Relief(max_samples=60, threshold=threshold, alpha=0.05, random_state=seed).fit(X, y).support_[idle].sum()
        for seed in range(60)
    )
    assert len(idle) >= 4
    assert kept <= 0.05 * 60 * len(idle)


def test_the_interval_is_tighter_than_chebyshevs_bound():
    X, y, relevant = make_parity(200, 2, 8, random_state=1)
    automatic = Relief(max_samples=200, threshold="auto", random_state=0).fit(X, y)
    interval = Relief(max_samples=200, threshold="interval", random_state=0).fit(X, y)
    assert automatic.threshold_ == pytest.approx(1 / np.sqrt(0.05 * 200))
    assert (interval.threshold_ < automatic.threshold_).all()
    assert interval.support_[list(relevant)].all()


def test_the_cover_drops_copies_of_relevant_features():
    for seed in range(3):
        X, y, relevant = make_parity(400, 3, 9, random_state=seed)
        X = np.hstack([X, X[:, list(relevant)]])
        selector = ReliefThenCover(ReliefF(threshold=0.05)).fit(X, y)
        assert set(selector.relevant_.tolist()) == {0, 1, 2, 12, 13, 14}
        assert selector.support_.sum() == 3
