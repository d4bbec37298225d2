"""Figures without a screen, in the papers' manner: lines differ in marks and dashes, not in colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "x")
DASHES = ("-", "--", "-.", ":", "-", "--", "-.")


def new_figure(n_panels: int = 1, width: float = 6.4, height: float = 4.2) -> tuple[Figure, list[Axes]]:
    """Make a figure with panels side by side; from four on in two rows, so that a narrow page can show them."""
    from matplotlib.figure import Figure

    n_rows = 2 if n_panels >= 4 else 1
    n_columns = -(-n_panels // n_rows)
    figure = Figure(figsize=(width * n_columns**0.75, height * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    for ax in panels[n_panels:]:
        ax.remove()
    panels = panels[:n_panels]
    for ax in panels:
        ax.grid(color="0.92")
        ax.set_axisbelow(True)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    return figure, list(panels)


def line(
    ax: Axes,
    k: int,
    x: Sequence[float],
    y: Sequence[float],
    label: str,
    errors: Sequence[float] | None = None,
    **options: Any,
) -> None:
    """Draw the k-th line, with a standard error up and down at every point."""
    style = {"color": COLOURS[k % 7], "marker": MARKS[k % 7], "linestyle": DASHES[k % 7], "markersize": 4}
    ax.errorbar(x, y, yerr=errors, label=label, linewidth=1.4, elinewidth=0.8, **{**style, **options})


def dashed(ax: Axes, x: Sequence[float], y: Sequence[float], label: str) -> None:
    """Draw a bound: a grey line without marks."""
    ax.plot(x, y, color="0.45", linestyle=(0, (5, 2)), linewidth=1.2, label=label)


def bars(
    ax: Axes, groups: Sequence[str], series: Mapping[str, Sequence[float]], errors: Mapping[str, Any] | None = None
) -> None:
    """Draw a group of bars for every group, a bar a series."""
    width = 0.8 / len(series)
    for k, (label, heights) in enumerate(series.items()):
        places = [g + (k - (len(series) - 1) / 2) * width for g in range(len(groups))]
        ax.bar(
            places, heights, width * 0.92, label=label, color=COLOURS[k % 7], yerr=(errors or {}).get(label),
            error_kw={"elinewidth": 0.8},
        )  # fmt: skip
    ax.set_xticks(range(len(groups)), groups)


def legend(figure: Figure) -> None:
    """Explain the lines of all panels below them, each once, where no line runs through the words."""
    known: dict[str, Any] = {}
    for ax in figure.axes:
        known |= {label: handle for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    n_columns = max(1, min(len(known), int(figure.get_figwidth() / 2)))
    figure.legend(known.values(), known.keys(), loc="outside lower center", ncols=n_columns, frameon=False, fontsize=8)
