import matplotlib as mpl
import numpy as np
import pytest

from fewest import ID3Classifier, MinFeatures, make_learner
from fewest.datasets import load_votes
from fewest.exceptions import ParameterError
from fewest.plot import plot_tree
from fewest.trees.plots import write_tree

mpl.use("agg")


def test_nodes_branches_and_classes_are_labelled():
    X, y = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "x"]], ["$no$", "yes", "yes", "$no$"]
    ax = plot_tree(ID3Classifier().fit(X, y))
    assert [text.get_text() for text in ax.texts] == [
        "x", "y", "a", "b", "x1", "x0", "yes (1)", "\\$no\\$ (1)", "\\$no\\$ (1 \\$no\\$, 1 yes)",
    ]  # fmt: skip
    assert len(ax.lines) == 4
    colours = {text.get_text()[:3]: text.get_bbox_patch().get_facecolor() for text in ax.texts[6:]}
    assert len(set(colours.values())) == 2
    assert ax.texts[8].get_bbox_patch().get_linestyle() == "--"


def test_pipelines_and_files(tmp_path):
    X, y = load_votes(return_X_y=True)
    learner = make_learner("WG+ID3").fit(X, y)
    plot_tree(learner)
    for name in ("tree.svg", "tree.png"):
        write_tree(learner[-1].model_, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 10_000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tree.png", "tree.svg"]


def test_what_cannot_be_drawn():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (2000, 20))
    with pytest.raises(ParameterError, match=r"nodes; more than 400.*as text instead"):
        plot_tree(ID3Classifier().fit(X, rng.integers(0, 2, 2000)))
    with pytest.raises(ParameterError, match="A MinFeatures has no decision tree"):
        plot_tree(MinFeatures().fit(X, X[:, 0]))
