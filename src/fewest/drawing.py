"""Shared drawing helpers: trees of boxes and lines, new figures, and saving them to files."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from fewest.exceptions import MissingExtraError, ParameterError
from fewest.writing import written_beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Control characters that no XML, and so no SVG, may hold, not even escaped.
NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# In the drawing of a larger tree nothing can be read; its text still shows everything.
MOST_NODES = 400


Model = TypeVar("Model")


class Tree(Protocol):
    """Nodes numbered from the root, 0."""

    def __len__(self) -> int: ...

    def children(self, node: int) -> Sequence[int]:
        """Return the numbers of a node's children."""


def model_inside(learner: Any, kind: type[Model], remedy: str) -> Model:
    """Return the model of a fitted classifier or of a pipeline that ends in one; raise if it is of another kind."""
    last = learner[-1] if hasattr(learner, "steps") else learner
    model = getattr(last, "model_", last)
    if not isinstance(model, kind):
        raise ParameterError(f"A {type(last).__name__} has no {remedy}")
    return model


def draw_tree(tree: Tree, labels: Sequence[str], boxes: Sequence[dict[str, Any]], ax: Axes | None = None) -> Axes:
    """Draw a labelled box for every node, from the root down, and a line to each of its children."""
    positions = layout(tree)
    if ax is None:
        n_leaves, depth = _extent(positions)
        ax = new_axes(n_leaves * (0.5 + 0.085 * _widest(labels)), 1.1 * depth)
    _draw(ax, tree, positions, labels, boxes)
    return ax


def draw_sideways(
    tree: Tree,
    labels: Sequence[str],
    boxes: Sequence[dict[str, Any]],
    branches: Sequence[str],
    ax: Axes | None = None,
) -> Axes:
    """Draw the root on the left and a line of text for every leaf, so that long labels take little room.

    ``branches`` are the labels on the line that leads to each node.
    """
    positions = [(-y, -x) for x, y in layout(tree)]
    if ax is None:
        n_leaves, depth = _extent(layout(tree))
        ax = new_axes(depth * (0.5 + 0.06 * (_widest(labels) + _widest(branches))), 0.34 * n_leaves)
    _draw(ax, tree, positions, labels, boxes, branches)
    return ax


def _draw(
    ax: Axes,
    tree: Tree,
    positions: Sequence[tuple[float, float]],
    labels: Sequence[str],
    boxes: Sequence[dict[str, Any]],
    branches: Sequence[str] | None = None,
) -> None:
    on_line = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    for node, (x0, y0) in enumerate(positions):
        for child in tree.children(node):
            x1, y1 = positions[child]
            ax.plot([x0, x1], [y0, y1], color="0.6", linewidth=1, zorder=1)
            if branches is not None:
                place = (x0 + 0.55 * (x1 - x0), y0 + 0.55 * (y1 - y0))
                ax.text(*place, branches[child], ha="center", va="center", fontsize=8, color="0.3", bbox=on_line)
    for (x, y), label, box in zip(positions, labels, boxes, strict=True):
        ax.text(x, y, label, ha="center", va="center", fontsize=9, zorder=2, bbox=box)
    ax.set_xlim(min(x for x, _ in positions) - 0.6, max(x for x, _ in positions) + 0.6)
    ax.set_ylim(min(y for _, y in positions) - 0.5, max(y for _, y in positions) + 0.5)
    ax.set_axis_off()


def layout(tree: Tree) -> list[tuple[float, float]]:
    """Return (x, y) of every node: leaves side by side, every other node above the middle of its children."""
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

    place(0, 0)
    return positions


def _extent(positions: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return how many leaves stand side by side, and how many levels there are."""
    return max(x for x, _ in positions) + 1, 1 - min(y for _, y in positions)


def _widest(labels: Sequence[str]) -> int:
    return max(len(line) for label in labels for line in label.split("\n"))


def new_axes(width: float, height: float) -> Axes:
    """Return the axes of a new figure, with its size in inches, whose elements do not overlap."""
    check_matplotlib()
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(max(4.0, width), max(2.5, height)), layout="constrained")[1]


def refuse_crowds(tree: Tree, remedy: str) -> None:
    """Raise when a tree has more nodes than a drawing can show."""
    if len(tree) > MOST_NODES:
        raise ParameterError(
            f"The tree has {len(tree):,} nodes; more than {MOST_NODES} cannot be read in a drawing. {remedy}"
        )


def check_matplotlib() -> None:
    """Raise when matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401 (whether it can be imported is the question)
    except ImportError as error:
        raise MissingExtraError.from_extra("Drawing", "matplotlib", "plot") from error


def check_drawable(path: Path) -> None:
    """Raise when matplotlib is not installed, or cannot write such a file."""
    check_matplotlib()
    from matplotlib.backend_bases import FigureCanvasBase

    known = FigureCanvasBase.get_supported_filetypes()
    if path.suffix.removeprefix(".").lower() not in known:
        raise ParameterError(f"Cannot draw into {str(path)!r}. Let its name end in .txt, .svg, .png or .pdf.")


def save_drawing(path: Path, plot: Callable[[], Axes]) -> None:
    """Draw without a screen, into a file of any format that matplotlib writes."""
    check_drawable(path)
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure

    figure, shape = cast(Figure, plot().figure), path.suffix.removeprefix(".").lower()
    drawn = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)  # a box is drawn
        figure.savefig(drawn, format=shape)
    content = drawn.getvalue()
    if shape == "svg":
        content = NOT_IN_XML.sub("·", content.decode()).encode()
    with written_beside(path) as file:
        file.write(content)
    plt.close(figure)
