import matplotlib as mpl
import numpy as np
import pytest

from fewest import Focus2
from fewest.cover.focus2 import SearchTree
from fewest.drawing import layout
from fewest.exceptions import ParameterError
from fewest.plot import plot_search_tree

mpl.use("agg")

ROWS = ["010100", "110010", "101111", "011000", "101001", "100101"]


@pytest.fixture
def tree():
    X = np.array([[int(bit) for bit in row] for row in ROWS])
    return Focus2(keep_trace=True).fit(X, [1, 1, 1, 0, 0, 0]).trace_


def test_every_space_is_drawn_and_six_of_them_are_boxed(tree):
    ax = plot_search_tree(tree)
    labels = [text.get_text().splitlines()[0] for text in ax.texts]
    assert labels == [
        "M(∅, ∅)", "M({x3}, ∅)", "M({x4}, {x3})", "M({x3, x4}, ∅)", "M({x3, x5}, {x4})", "M({x4, x5}, {x3})",
        "M({x1, x3, x4}, ∅)",
    ]  # fmt: skip
    boxed = [text.get_bbox_patch().get_edgecolor()[3] > 0 for text in ax.texts]
    assert boxed == [False] + [True] * 6
    assert len(ax.lines) == 6


def test_nodes_of_one_level_do_not_meet(tree):
    positions = layout(tree)
    assert [y for _, y in positions] == [0, -1, -1, -2, -2, -2, -3]
    assert len(set(positions)) == len(tree)


def test_a_tree_too_large_to_see_is_refused():
    tree = SearchTree()
    tree.expand(None)
    for feature in range(500):
        tree.add(0, feature)
    with pytest.raises(ParameterError, match=r"501 nodes.*as text instead"):
        plot_search_tree(tree)
