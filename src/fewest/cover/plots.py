"""The search tree of FOCUS-2, drawn as Figure 3 of Almuallim and Dietterich (1994)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fewest.cover.search_tree import ROOT, SearchTree
from fewest.drawing import draw_tree, refuse_crowds, save_drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_search_tree(tree: SearchTree, names: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Draw a search tree from the root down; every box but the root is one sufficiency test.

    Parameters
    ----------
    tree : SearchTree
        What ``Focus2(keep_trace=True)`` keeps in ``trace_``.
    names : sequence of str, optional
        Feature names; x1, x2, ... otherwise.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
    """
    refuse_crowds(tree, "Write it as text instead (tree.to_text(), --tree FILE.txt).")
    labels = [_label(tree, node, names) for node in range(len(tree))]
    return draw_tree(tree, labels, [_box(tree, node) for node in range(len(tree))], ax)


def write_search_tree(tree: SearchTree, path: Path, names: Sequence[str] | None = None) -> None:
    """Write a search tree as text (``.txt``) or as a drawing in any format that matplotlib writes."""
    if path.suffix == ".txt":
        path.write_text(tree.to_text(names) + "\n", encoding="utf-8")
        return
    save_drawing(path, lambda: plot_search_tree(tree, names))


def _label(tree: SearchTree, node: int, names: Sequence[str] | None) -> str:
    label = tree.space_text(node, names)
    if node in tree.conflict:
        i, j = tree.conflict[node]
        label += f"\nrows {i}, {j}"
    return label


def _box(tree: SearchTree, node: int) -> dict:
    """Rectangles mark the tests, as in the document; the sufficient one stands out by more than its colour."""
    if node == ROOT:
        return {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "none"}
    if node == tree.solution:
        return {"boxstyle": "square,pad=0.4", "facecolor": "#d9f0d3", "edgecolor": "#1b7837", "linewidth": 2.5}
    return {"boxstyle": "square,pad=0.3", "facecolor": "white", "edgecolor": "black"}
