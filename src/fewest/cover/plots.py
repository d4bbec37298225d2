"""Drawings: FOCUS-2's search tree (Figure 3 of Almuallim and Dietterich, 1994), and the path of a greedy selector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.cover.focus2 import ROOT, SearchTree
from fewest.drawing import draw_tree, new_axes, refuse_crowds, save_drawing
from fewest.exceptions import ParameterError

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
        A new figure of a fitting size by default.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.Focus2 : The selector that keeps the tree.
    plot_path : Draw the steps of a greedy selector.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import Focus2
    >>> from fewest.plot import plot_search_tree
    >>> X = np.random.default_rng(0).integers(0, 2, (40, 4))
    >>> ax = plot_search_tree(Focus2(keep_trace=True).fit(X, X[:, 1] ^ X[:, 3]).trace_)
    >>> len(ax.texts) > 2
    True
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
    """Rectangles mark the tests, as in the paper; the sufficient one stands out by more than its colour."""
    if node == ROOT:
        return {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "none"}
    if node == tree.solution:
        return {"boxstyle": "square,pad=0.4", "facecolor": "#d9f0d3", "edgecolor": "#1b7837", "linewidth": 2.5}
    return {"boxstyle": "square,pad=0.3", "facecolor": "white", "edgecolor": "black"}


def plot_path(selector: Any, ax: Axes | None = None) -> Axes:
    """Draw the score of every feature at the step in which it was added, from the top down.

    Parameters
    ----------
    selector : MutualInformationGreedy, SimpleGreedy or WeightedGreedy, fitted
        Or any that keeps ``feature`` and ``score`` in ``history_``.
    ax : matplotlib Axes, optional
        A new figure of a fitting size by default.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.SimpleGreedy : One of the greedy selectors.
    plot_search_tree : Draw the search of Focus2.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import SimpleGreedy
    >>> from fewest.plot import plot_path
    >>> X = np.random.default_rng(0).integers(0, 2, (100, 6))
    >>> ax = plot_path(SimpleGreedy().fit(X, X[:, 1] & X[:, 4]))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['x4', 'x1']
    """
    steps = [step for step in getattr(selector, "history_", ()) if "feature" in step and "score" in step]
    if not steps:
        raise ParameterError(
            f"A {type(selector).__name__} that is fitted keeps no path of features in history_, so there is none to "
            "draw. Pass a greedy selector, fitted to data that needs a feature."
        )
    names = getattr(selector, "feature_names_in_", None)
    labels = [str(names[step["feature"]]) if names is not None else f"x{step['feature']}" for step in steps]
    if ax is None:
        ax = new_axes(6.4, 1.2 + 0.3 * len(steps))
    places, scores = range(len(steps)), [step["score"] for step in steps]
    ax.plot(scores, places, color="#4477aa", marker="o")
    ax.set_yticks(places, labels)
    ax.invert_yaxis()
    ax.set_xlim(left=min(0, *scores, 0))
    ax.set_xlabel("score when added")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax
