"""Plots of a comparison: scores with intervals, and how much methods agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.drawing import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CHOSEN, OTHER = "#4477aa", "#888888"


def plot_comparison(comparison: Any, ax: Axes | None = None) -> Axes:
    """Draw the score of every method with its 95% interval; the recommended one is blue.

    Parameters
    ----------
    comparison : Comparison
        As `compare` returns.
    ax : matplotlib Axes, optional
        A new figure of a fitting size by default.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.compare : Make a comparison.
    plot_agreement : Draw how much its methods agree.

    Examples
    --------
    >>> from fewest import compare
    >>> from fewest.plot import plot_comparison
    >>> from fewest.datasets import make_parity
    >>> X, y, _ = make_parity(80, relevant=2, irrelevant=3, random_state=0)
    >>> ax = plot_comparison(compare(X, y, methods=["wg"], learners=["tree"], n_repeats=1))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['all: 5.0 features', 'wg: 2.0 features']
    """
    result = comparison.result
    methods, recommended = result["methods"], result["recommendation"]["method"]
    if ax is None:
        ax = new_axes(6.4, 1.2 + 0.35 * len(methods))
    for place, method in enumerate(methods):
        colour = CHOSEN if method["method"] == recommended else OTHER
        ax.plot([method["low"], method["high"]], [place, place], color=colour, linewidth=1.5)
        ax.plot(method["score"], place, color=colour, marker="o")
    ax.axvline(result["guess"]["score"], color="0.4", linestyle=":", linewidth=1)
    ax.set_yticks(range(len(methods)), [f"{m['method']}: {m['n_features']:.1f} features" for m in methods])
    ax.invert_yaxis()
    label, guess = result["metrics"][0]["label"], _plain(result["guess"]["text"])
    ax.set_xlabel(f"{label} on unseen rows, 95% interval\n(dotted: {guess})")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def plot_agreement(comparison: Any, ax: Axes | None = None) -> Axes:
    """Draw how much every two methods choose the same features beyond chance, as a heat map with its numbers.

    Parameters
    ----------
    comparison : Comparison
        As `compare` returns.
    ax : matplotlib Axes, optional
        A new figure of a fitting size by default.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.compare : Make a comparison.
    plot_comparison : Draw the scores of its methods.

    Examples
    --------
    >>> from fewest import compare
    >>> from fewest.plot import plot_agreement
    >>> from fewest.datasets import make_parity
    >>> X, y, _ = make_parity(80, relevant=2, irrelevant=3, random_state=0)
    >>> ax = plot_agreement(compare(X, y, methods=["wg", "min-features"], learners=["tree"], n_repeats=1))
    >>> [text.get_text() for text in ax.texts]
    ['1.00', '1.00', '1.00', '1.00']
    """
    agreement = comparison.result["agreement"]
    # All features agree with nothing beyond chance: there is nothing to show.
    kept = [k for k, row in enumerate(agreement["matrix"]) if row[k] is not None]
    names = [agreement["methods"][k] for k in kept]
    matrix = np.array([[agreement["matrix"][a][b] for b in kept] for a in kept], dtype=float)
    if ax is None:
        ax = new_axes(1.5 + 0.75 * len(kept), 1.2 + 0.6 * len(kept))
    ax.imshow(matrix, cmap="Blues", vmin=0, vmax=1)
    ax.set_xticks(range(len(kept)), names, rotation=40, ha="right")
    ax.set_yticks(range(len(kept)), names)
    for (a, b), value in np.ndenumerate(matrix):
        text = "–" if np.isnan(value) else f"{value:.2f}"
        ax.text(b, a, text, ha="center", va="center", color="white" if value > 0.6 else "black")
    return ax


def _plain(text: str) -> str:
    """Keep dollar signs from being read as mathematics."""
    return text.replace("$", r"\$")
