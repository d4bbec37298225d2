"""Plot a bound against one of its quantities."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from fewest.bounds.relation import Answer, Bound, shown
from fewest.drawing import new_axes, save_drawing
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What matplotlib can place on an axis, margins included.
LARGEST_DRAWN = 1e150


def draw_bound(bound: Bound, swept: str, answers: Sequence[Answer], ax: Axes | None = None) -> Axes:
    """Draw what a bound answers over the values of one quantity; axes are logarithmic over more than a decade."""
    points = [(answer.values[swept], answer.value) for answer in answers if abs(answer.value) <= LARGEST_DRAWN]
    if not points:
        raise ParameterError("There is no finite value to draw. Sweep another range.")
    if ax is None:
        ax = new_axes(6.4, 4.2)
    x, y = zip(*points, strict=True)
    ax.plot(x, y, color="#4477aa", linewidth=2)
    asked = bound.quantity(answers[0].asked)
    for values, name, set_scale, set_label in (
        (x, bound.quantity(swept), ax.set_xscale, ax.set_xlabel),
        (y, asked, ax.set_yscale, ax.set_ylabel),
    ):
        set_label(f"{name.name}: {name.meaning}")
        if min(values) > 0 and max(values) / min(values) > 10:
            set_scale("log")
    others = [f"{name} = {shown(v)}" for name, v in answers[0].values.items() if name not in (swept, asked.name)]
    ax.set_title(fill(f"{bound.name}: {bound.source}" + (f"; {', '.join(others)}" if others else ""), 80), fontsize=9)
    ax.grid(color="0.9")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def write_bound(bound: Bound, swept: str, answers: Sequence[Answer], path: Path) -> None:
    """Draw a bound into a file of any format that matplotlib writes."""
    save_drawing(path, lambda: draw_bound(bound, swept, answers))
