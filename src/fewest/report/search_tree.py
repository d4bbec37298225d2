"""The search tree of FOCUS-2, drawn as Figure 3 of Almuallim and Dietterich (1994)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fewest.exceptions import ParameterError
from fewest.search.tree import ROOT, SearchTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A larger tree is a picture of nothing; its text still tells everything.
MOST_NODES = 400


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
    if len(tree) > MOST_NODES:
        raise ParameterError(
            f"The tree has {len(tree):,} nodes; more than {MOST_NODES} cannot be told apart in a drawing. "
            "Write it as text instead (tree.to_text(), --tree FILE.txt)."
        )
    positions = layout(tree)
    labels = [_label(tree, node, names) for node in range(len(tree))]
    if ax is None:
        import matplotlib.pyplot as plt

        widest = max(len(line) for label in labels for line in label.split("\n"))
        n_leaves = max(x for x, _ in positions) + 1
        depth = 1 - min(y for _, y in positions)
        size = (max(4.0, n_leaves * (0.5 + 0.085 * widest)), max(2.5, 1.1 * depth))
        _, ax = plt.subplots(figsize=size, layout="constrained")
    for node in range(1, len(tree)):
        (x0, y0), (x1, y1) = positions[tree.parent[node]], positions[node]
        ax.plot([x0, x1], [y0, y1], color="0.6", linewidth=1, zorder=1)
    for node, (x, y) in enumerate(positions):
        ax.text(x, y, labels[node], ha="center", va="center", fontsize=9, zorder=2, bbox=_box(tree, node))
    ax.set_xlim(min(x for x, _ in positions) - 0.6, max(x for x, _ in positions) + 0.6)
    ax.set_ylim(min(y for _, y in positions) - 0.5, 0.5)
    ax.set_axis_off()
    return ax


def check_drawable(path: Path) -> None:
    """Raise when there is nothing to draw with, or no way to draw into such a file."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise ParameterError("Drawing needs matplotlib. Install it with: pip install 'fewest[report]'") from None
    known = FigureCanvasBase.get_supported_filetypes()
    if path.suffix.removeprefix(".").lower() not in known:
        raise ParameterError(f"Cannot draw into {str(path)!r}. Let its name end in .txt, .svg, .png or .pdf.")


def write_search_tree(tree: SearchTree, path: Path, names: Sequence[str] | None = None) -> None:
    """Write a search tree as text (``.txt``) or as a drawing in any format that matplotlib writes."""
    if path.suffix == ".txt":
        path.write_text(tree.to_text(names) + "\n", encoding="utf-8")
        return
    check_drawable(path)
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure

    figure = cast(Figure, plot_search_tree(tree, names).figure)
    figure.savefig(path)
    plt.close(figure)


def layout(tree: SearchTree) -> list[tuple[float, float]]:
    """Place leaves side by side and every other node above the middle of its children."""
    positions: list[tuple[float, float]] = [(0.0, 0.0)] * len(tree)
    n_leaves = 0

    def place(node: int, depth: int) -> float:
        nonlocal n_leaves
        children = [place(child, depth + 1) for child in tree.children(node)]
        if children:
            x = (children[0] + children[-1]) / 2
        else:
            x = float(n_leaves)
            n_leaves += 1
        positions[node] = (x, -float(depth))
        return x

    place(ROOT, 0)
    return positions


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
