import numpy as np
import pytest

from fewest import Relief, ReliefF
from fewest.plot import plot_relevance


@pytest.fixture
def exclusive_or():
    X = np.random.default_rng(0).integers(0, 2, (200, 60))
    return X, X[:, 2] ^ X[:, 5]


def test_bars_are_sorted_and_coloured_by_selection(exclusive_or):
    selector = ReliefF(n_features_to_select=2).fit(*exclusive_or)
    ax = plot_relevance(selector)
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == sorted(selector.scores_, reverse=True)[:40]
    assert len({bar.get_facecolor() for bar in ax.patches[:2]}) == 1
    assert ax.patches[0].get_facecolor() != ax.patches[2].get_facecolor()
    assert "20 less relevant" in ax.get_xlabel()


def test_one_sampled_row_has_no_error_to_show(exclusive_or):
    ax = plot_relevance(Relief(max_samples=1, random_state=0).fit(*exclusive_or), most=3)
    assert len(ax.patches) == 3
