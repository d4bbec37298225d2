"""A wrapper's search, drawn: errors by the number of features, the chosen number marked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.drawing import new_axes, save_drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES = {
    "training_error": ("training", "#bbbbbb"),
    "holdout_error": ("hold-out", "#4477aa"),
    "second_holdout_error": ("second hold-out", "#ee6677"),
}


def plot_history(selector: Any, ax: Axes | None = None) -> Axes:
    """Draw training and hold-out error by the number of features, with the number that was chosen.

    Parameters
    ----------
    selector : StandardWrap, OrderedFS or OrderedFS2, fitted
        What has searched.
    ax : matplotlib Axes, optional
        A new figure by default.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.OrderedFS : The selector.
    plot_path : Draw the steps of a greedy selector.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from fewest import OrderedFS
    >>> from fewest.plot import plot_history
    >>> from fewest.datasets import make_linear_threshold
    >>> X, y, relevant = make_linear_threshold(200, irrelevant=5, random_state=0)
    >>> ax = plot_history(OrderedFS(GaussianNB(), random_state=0).fit(X, y))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['training error', 'hold-out error', 'chosen: 2 features']
    """
    return draw_history(selector.history_, selector.n_features_selected_, ax)


def draw_history(
    records: Sequence[dict[str, Any]], n_chosen: int, ax: Axes | None = None, scoring: str | None = None
) -> Axes:
    """Draw records of sizes; errors that are minus a score are drawn as that score."""
    name_of, sign = ("error", 1) if scoring is None else (scoring, -1)
    if ax is None:
        ax = new_axes(6.4, 4.0)
    sizes = [record["n_features"] for record in records]
    for name, (label, colour) in CURVES.items():
        if name in records[0]:
            values = [sign * record[name] for record in records]
            ax.plot(sizes, values, color=colour, label=f"{label} {name_of}", marker=".", markersize=4)
    ax.axvline(
        n_chosen,
        color="black",
        linewidth=0.8,
        linestyle="--",
        label=f"chosen: {n_chosen} feature{'s' * (n_chosen != 1)}",
    )
    ax.set_xlabel("features")
    ax.set_ylabel(name_of)
    ax.legend(frameon=False)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def write_history(records: Sequence[dict[str, Any]], n_chosen: int, path: Path, scoring: str | None = None) -> None:
    """Draw records into a file of any format that matplotlib writes."""
    save_drawing(path, lambda: draw_history(records, n_chosen, scoring=scoring))
