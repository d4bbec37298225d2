"""Bars of relevance: one for every feature, the most relevant on top."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.drawing import new_axes, save_drawing
from fewest.relief.relevance import beyond_chance, relevance_records

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 40
KEPT, LEFT_OUT = "#4477aa", "#bbbbbb"


def plot_relevance(selector: Any, ax: Axes | None = None, most: int = MOST_BARS) -> Axes:
    """Draw the relevance of every feature with its standard error; features that were left out are grey.

    Where permutations have shown what chance alone would give a feature, the bars begin there, and what is kept is on
    top.

    Parameters
    ----------
    selector : Relief, ReliefF or RReliefF, fitted
        What has measured the relevance.
    ax : matplotlib Axes, optional
        A new figure of a fitting size by default.
    most : int, default=40
        Draw no more than this many of the most relevant.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.ReliefF : The selector.
    fewest.make_report : The same on a page.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import ReliefF
    >>> from fewest.plot import plot_relevance
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> ax = plot_relevance(ReliefF().fit(X, X[:, 2] ^ X[:, 5]))
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['x2', 'x5']
    """
    names = getattr(selector, "feature_names_in_", [f"x{j}" for j in range(len(selector.scores_))])
    records = relevance_records(
        names,
        selector.scores_,
        selector.standard_errors_,
        selector.support_,
        selector.pvalues_,
        selector.null_scores_,
    )
    return draw_relevance(records, ax, most)


def draw_relevance(records: Sequence[dict[str, Any]], ax: Axes | None = None, most: int = MOST_BARS) -> Axes:
    """Draw records of features, the most relevant first."""
    shown = records[:most]
    if ax is None:
        ax = new_axes(6.4, 1.2 + 0.24 * len(shown))
    places = range(len(shown))
    ax.barh(
        places,
        [beyond_chance(record) for record in shown],
        xerr=[record["standard_error"] if isfinite(record["standard_error"]) else 0.0 for record in shown],
        color=[KEPT if record["is_selected"] else LEFT_OUT for record in shown],
        error_kw={"ecolor": "#555555", "elinewidth": 0.8},
    )
    ax.set_yticks(places, [record["feature"] for record in shown])
    ax.invert_yaxis()
    ax.axvline(0, color="black", linewidth=0.8)
    hidden = len(records) - len(shown)
    kind = "relevance beyond chance" if any(record.get("by_chance") for record in shown) else "relevance"
    ax.set_xlabel(f"{kind}, with standard error" + (f" (and {hidden:,} less relevant features)" if hidden else ""))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def write_relevance(records: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw records into a file of any format that matplotlib writes."""
    save_drawing(path, lambda: draw_relevance(records))
