"""Mistake trees, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fewest.drawing import draw_tree, refuse_crowds, save_drawing
from fewest.mistakes.mistake_trees import MistakeTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_mistake_tree(tree: MistakeTree, ax: Axes | None = None) -> Axes:
    """Draw a mistake tree: instances as round boxes, the concepts that are left as square ones, 0 to the left.

    Parameters
    ----------
    tree : MistakeTree
        As `largest_mistake_tree` returns.
    ax : matplotlib Axes, optional
        A new figure of a fitting size by default.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.mistakes.largest_mistake_tree : Find the tree.
    plot_tree : Draw a decision tree.

    Examples
    --------
    >>> from fewest.mistakes import ConceptClass, largest_mistake_tree
    >>> from fewest.plot import plot_mistake_tree
    >>> ax = plot_mistake_tree(largest_mistake_tree(ConceptClass.monotone_disjunctions(1)))
    >>> [text.get_text() for text in ax.texts]
    ['1', '0: 0', '1: x0']
    """
    refuse_crowds(tree, "Print it as text instead (to_text()).")
    branch = {child: value for node in range(len(tree)) for value, child in enumerate(tree.children(node))}
    labels = [f"{branch[node]}: {tree.label(node)}" if node else tree.label(node) for node in range(len(tree))]
    boxes = [_box(is_inner=tree.instance[node] >= 0) for node in range(len(tree))]
    return draw_tree(tree, labels, boxes, ax)


def write_mistake_tree(tree: MistakeTree, path: Path) -> None:
    """Draw a mistake tree into a file: text into .txt, otherwise any format that matplotlib writes, such as .svg."""
    if path.suffix == ".txt":
        path.write_text(tree.to_text() + "\n", encoding="utf-8")
    else:
        save_drawing(path, lambda: plot_mistake_tree(tree))


def _box(*, is_inner: bool) -> dict[str, str]:
    style = "round,pad=0.3" if is_inner else "square,pad=0.3"
    return {"boxstyle": style, "facecolor": "white" if is_inner else "#bfe3f7", "edgecolor": "black"}
