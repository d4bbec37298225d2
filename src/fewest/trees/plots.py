"""Plots of decision trees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.drawing import draw_sideways, model_inside, refuse_crowds, save_drawing
from fewest.trees.model import TreeModel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Light enough for black text on them, and apart from each other for most eyes (after Okabe and Ito).
COLOURS = ("#fbd5a5", "#bfe3f7", "#a8dcc5", "#f7f0a0", "#b5cde8", "#f0bfa0", "#e8c4da", "#dddddd")
# Longer labels would push the levels apart.
LONGEST_LABEL = 40


def plot_tree(learner: Any, ax: Axes | None = None) -> Axes:
    """Draw the tree of a fitted learner, the root on the left and leaves in the colour of the class they predict.

    Parameters
    ----------
    learner : ID3Classifier, FringeClassifier, Pipeline that ends in one, or what `load_model` returns
        What has learned the tree.
    ax : matplotlib Axes, optional
        A new figure of a fitting size by default.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.ID3Classifier : The learner.
    plot_partitions : Draw what CFP learned.

    Examples
    --------
    >>> from fewest import ID3Classifier
    >>> from fewest.plot import plot_tree
    >>> ax = plot_tree(ID3Classifier().fit([["a"], ["b"]], ["no", "yes"]))
    >>> [text.get_text() for text in ax.texts]
    ['a', 'b', 'x0', 'no (1)', 'yes (1)']
    """
    model = _model_of(learner)
    refuse_crowds(model.tree, "Print it as text instead (export_text(), fewest train --show).")
    nodes = range(len(model.tree))
    values = model.test_values
    branches = ["", *(_short(model.tree.branch_text(node, values)) for node in nodes[1:])]
    names, classes = model.test_names, model.class_names
    labels = [_label(model, node, names, classes) for node in nodes]
    return draw_sideways(model.tree, labels, [_box(model, node) for node in nodes], branches, ax)


def write_tree(model: TreeModel, path: Path) -> None:
    """Draw a model's tree into a file of any format that matplotlib writes."""
    save_drawing(path, lambda: plot_tree(model))


def _model_of(learner: Any) -> TreeModel:
    return model_inside(
        learner,
        TreeModel,
        "decision tree to draw. Pass a fitted ID3Classifier or FringeClassifier, or a model that holds one.",
    )


def _label(model: TreeModel, node: int, names: list[str], classes: list[str]) -> str:
    tree = model.tree
    if tree.feature[node] >= 0:
        return _short(names[int(tree.feature[node])])
    return _short(f"{classes[int(tree.prediction[node])]} ({tree.count_text(node, classes)})")


def _short(text: str) -> str:
    text = text.replace("$", r"\$")  # matplotlib would take it for mathematics
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def _box(model: TreeModel, node: int) -> dict[str, Any]:
    """Tests are round and white; an impure leaf has a dashed edge, since a colour alone does not show it."""
    if model.tree.feature[node] >= 0:
        return {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "black"}
    colour = COLOURS[int(model.tree.prediction[node]) % len(COLOURS)]
    edge = "--" if (model.tree.counts[node] > 0).sum() > 1 else "-"
    return {"boxstyle": "square,pad=0.3", "facecolor": colour, "edgecolor": "0.4", "linestyle": edge}
