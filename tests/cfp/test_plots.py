import matplotlib as mpl
import numpy as np
import pytest

from fewest import CFPClassifier, ID3Classifier
from fewest.cfp.plots import write_partitions
from fewest.datasets import load_votes
from fewest.exceptions import ParameterError
from fewest.plot import plot_partitions

mpl.use("agg")
VOTES, PARTY = load_votes(return_X_y=True)


def test_partitions_are_bars_on_the_lines_of_their_features():
    X = [[1, 7], [2, 8], [3, 5], [4, 6]]
    ax = plot_partitions(CFPClassifier(limit=2).fit(X, ["+", "+", "$", "$"]))
    spans = [(round(bar.get_x(), 3), round(bar.get_x() + bar.get_width(), 3)) for bar in ax.patches]
    assert spans == [(0, 0.333), (0.667, 1), (0, 0.333), (0.667, 1)]
    first, second, third, fourth = (bar.get_facecolor() for bar in ax.patches)
    assert first == fourth != second == third
    assert [text.get_text() for text in ax.texts] == ["1", "4", "5", "8"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["\\$", "+"]


def test_points_at_one_value_share_its_height_as_they_share_examples():
    ax = plot_partitions(CFPClassifier().fit([["a"]] * 4, ["p", "p", "p", "q"]))
    heights = [bar.get_height() for bar in ax.patches]
    assert heights[0] == pytest.approx(3 * heights[1])


def test_files_and_chosen_features(tmp_path):
    classifier = CFPClassifier().fit(VOTES, PARTY)
    write_partitions(classifier.model_, tmp_path / "votes.svg")
    assert "<svg" in (tmp_path / "votes.svg").read_text(encoding="utf-8")
    ax = plot_partitions(classifier, features=["crime", "immigration"])
    assert [label.get_text().split(" ")[0] for label in ax.get_yticklabels()] == ["crime", "immigration"]


def test_what_cannot_be_drawn():
    rng = np.random.default_rng(0)
    noise = CFPClassifier().fit(rng.random((6000, 1)), rng.integers(0, 2, 6000))
    with pytest.raises(ParameterError, match=r"partitions to draw; more than 5,000"):
        plot_partitions(noise)
    with pytest.raises(ParameterError, match="no feature 'x7'"):
        plot_partitions(noise, features=["x7"])
    with pytest.raises(ParameterError, match="A ID3Classifier has no feature partitions"):
        plot_partitions(ID3Classifier().fit([["a"], ["b"]], [0, 1]))


def test_a_feature_that_learned_nothing_is_a_bare_line():
    ax = plot_partitions(CFPClassifier().fit([[np.nan, 1], [np.nan, 2]], [0, 1]))
    assert len(ax.lines) == 2
