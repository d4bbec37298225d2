"""The path of a greedy selector, drawn: what is left to do after every feature it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fewest.drawing import new_axes
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_path(selector: Any, ax: Axes | None = None) -> Axes:
    """Draw the score of every feature at the step in which it was added, from the top down.

    Parameters
    ----------
    selector : MutualInformationGreedy, SimpleGreedy, WeightedGreedy or any that keeps \
``feature`` and ``score`` in ``history_``, fitted
    ax : matplotlib Axes, optional
        A new figure of a fitting size by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import SimpleGreedy, plot_path
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
