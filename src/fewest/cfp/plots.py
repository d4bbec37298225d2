"""Plots of feature partitions: every feature's line with its partitions, as in the paper's Figure 1."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.cfp.model import PartitionModel
from fewest.drawing import check_matplotlib, model_inside, save_drawing
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Apart from each other for most eyes (after Okabe and Ito); later classes get hatches as well.
COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442", "#999999")
HATCHES = ("", "///", "...", "xxx")
MOST_FEATURES = 40
MOST_PARTITIONS = 5000
# A point is drawn as wide as this part of its line.
POINT_WIDTH = 0.006


def plot_partitions(learner: Any, ax: Axes | None = None, features: Sequence[str] | None = None) -> Axes:
    """Draw the lines of the features with their partitions in the colours of their classes.

    Every line has its own scale, with the values at its ends written below.
    A range is a bar and a point a narrow one; points at one value share the
    height as they share the examples there. The higher the bars of a feature,
    the larger its weight. Where nothing is drawn, nothing is determined.

    Parameters
    ----------
    learner : CFPClassifier, GACFPClassifier, Pipeline that ends in one, or what `load_model` returns
        What has learned the partitions.
    ax : matplotlib Axes, optional
        A new figure of a fitting size by default.
    features : sequence of str, optional
        The features to draw; by default all, or the 40 of the highest weights.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    See Also
    --------
    fewest.CFPClassifier : The learner.
    plot_tree : Draw a decision tree.

    Examples
    --------
    >>> from fewest import CFPClassifier
    >>> from fewest.plot import plot_partitions
    >>> X = [[1, 7], [2, 8], [3, 5], [4, 6]]
    >>> ax = plot_partitions(CFPClassifier(limit=2).fit(X, ["+", "+", "-", "-"]))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['x0 (weight 1)', 'x1 (weight 1)']
    """
    model = _model_of(learner)
    chosen = _chosen(model, features)
    if ax is None:
        check_matplotlib()
        import matplotlib.pyplot as plt

        ax = plt.subplots(figsize=(9, 1.2 + 0.6 * max(1, len(chosen))), layout="constrained")[1]
    weights = model.concept.weights
    for line, j in enumerate(chosen):
        _draw_line(ax, model, j, line, 0.15 + 0.5 * weights[j])
    names = model.encoder.names
    ax.set_yticks(range(len(chosen)), [_plain(f"{names[j]} (weight {weights[j]:.3g})") for j in chosen])
    ax.set_ylim(len(chosen) - 0.4, -0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xticks([])
    ax.spines[["top", "right", "bottom", "left"]].set_visible(False)
    ax.tick_params(left=False)
    _add_legend(ax, model)
    return ax


def write_partitions(model: PartitionModel, path: Path) -> None:
    """Draw a model's partitions into a file of any format that matplotlib writes."""
    save_drawing(path, lambda: plot_partitions(model))


def _draw_line(ax: Axes, model: PartitionModel, j: int, line: int, height: float) -> None:
    """Draw one feature: its line, its partitions, and what stands at the ends of the line."""
    ax.plot([0, 1], [line, line], color="0.7", linewidth=1, zorder=1)
    partitions, values = model.concept.features[j].partitions(), model.value_names[j]
    if not partitions:
        return
    low, high = partitions[0].lower, max(p.upper for p in partitions)
    if values is not None:
        low, high = -0.5, len(values) - 0.5
    span = high - low or 1.0
    at_value: dict[float, list] = {}
    for p in partitions:
        if p.lower < p.upper:
            _bar(ax, (p.lower - low) / span, (p.upper - low) / span, line, height, p.label)
        else:
            at_value.setdefault(p.lower, []).append(p)
    width = 0.8 / span if values is not None else POINT_WIDTH
    for boundary, points in at_value.items():
        middle, top = (boundary - low) / span, line - height / 2
        n_together = sum(p.n_examples for p in points)
        for p in points:
            part = height * p.n_examples / n_together
            _bar(ax, middle - width / 2, middle + width / 2, top + part / 2, part, p.label)
            top += part
    written = [(low, 0.0), (high, 1.0)] if values is None else [(c, (c - low) / span) for c in range(len(values))]
    for value, x in written:
        text = f"{value:g}" if values is None else values[int(value)]
        ax.text(x, line + height / 2 + 0.12, _plain(text), ha="center", va="center", fontsize=7, color="0.35")


def _bar(ax: Axes, left: float, right: float, centre: float, height: float, label: int) -> None:
    ax.barh(
        centre, right - left, height, left, color=COLOURS[label % len(COLOURS)], zorder=2, linewidth=0.4,
        edgecolor="white", hatch=HATCHES[label // len(COLOURS) % len(HATCHES)],
    )  # fmt: skip


def _add_legend(ax: Axes, model: PartitionModel) -> None:
    from matplotlib.patches import Patch

    handles = [
        Patch(
            facecolor=COLOURS[c % len(COLOURS)],
            hatch=HATCHES[c // len(COLOURS) % len(HATCHES)],
            edgecolor="white",
            label=_plain(name),
        )
        for c, name in enumerate(model.class_names)
    ]
    ax.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(6, len(handles)), frameon=False)


def _chosen(model: PartitionModel, features: Sequence[str] | None) -> list[int]:
    """Return the features to draw, in their order."""
    names = model.encoder.names
    if features is not None:
        unknown = [name for name in features if name not in names]
        if unknown:
            raise ParameterError(f"The model has no feature {unknown[0]!r}. Name some of {', '.join(names[:12])}.")
        chosen = [names.index(name) for name in features]
    else:
        chosen = sorted(np.argsort(-model.concept.weights, kind="stable")[:MOST_FEATURES].tolist())
    n_partitions = sum(len(model.concept.features[j]) for j in chosen)
    if n_partitions > MOST_PARTITIONS:
        raise ParameterError(
            f"There are {n_partitions:,} partitions to draw; more than {MOST_PARTITIONS:,} cannot be told apart. "
            "Name fewer features=..., or list them as text (export_text(), fewest train --show)."
        )
    return chosen


def _model_of(learner: Any) -> PartitionModel:
    return model_inside(
        learner,
        PartitionModel,
        "feature partitions to draw. Pass a fitted CFPClassifier or GACFPClassifier, or a model that holds partitions.",
    )


def _plain(text: str) -> str:
    """Keep dollar signs from being read as mathematics."""
    return text.replace("$", r"\$")
