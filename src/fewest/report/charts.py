"""Line charts as plain data: where lines, marks, ticks and labels stand; the template only draws them."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, isfinite, log10
from typing import Any

Point = tuple[float, float]
Range = tuple[float, float]

WIDTH, HEIGHT = 300, 220


def line_chart(
    title: str,
    series: Sequence[dict[str, Any]],
    *,
    x: tuple[str, Range],
    y: tuple[str, Range],
    log_x: bool = False,
    reference: Sequence[Point] | None = None,
) -> dict[str, Any]:
    """Return a chart of lines.

    Parameters
    ----------
    title : str
    series : sequence of dict
        Each with its ``name``, its ``points`` and, optionally, a ``mark`` (a point to be seen) and ``dots`` (points
        that no line joins).
    x, y : tuple of str and range
        What an axis shows, and from where to where.
    log_x : bool, default=False
        Whether the horizontal axis is logarithmic.
    reference : sequence of points, optional
        A line to compare with, such as what guessing gives.
    """
    across, up = _Scale(*x[1], WIDTH, is_log=log_x), _Scale(*y[1], HEIGHT)

    def place(point: Point) -> Point:
        return round(across(point[0]), 1), round(HEIGHT - up(point[1]), 1)

    lines = [
        {
            "name": one["name"],
            "points": [place(point) for point in one["points"] if isfinite(point[1])],
            "mark": None if one.get("mark") is None else place(one["mark"]),
            "dots": [place(point) for point in one.get("dots", ())],
        }
        for one in series
    ]
    return {
        "title": title,
        "lines": lines,
        "reference": None if reference is None else [place(point) for point in reference],
        "x_label": x[0],
        "y_label": y[0],
        "x_ticks": [{"text": _written(tick), "at": round(across(tick), 1)} for tick in across.ticks()],
        "y_ticks": [{"text": _written(tick), "at": round(HEIGHT - up(tick), 1)} for tick in up.ticks()],
        "width": WIDTH,
        "height": HEIGHT,
    }


class _Scale:
    """A range of values laid out over a number of pixels."""

    def __init__(self, low: float, high: float, pixels: int, *, is_log: bool = False):
        self.low, self.high, self.pixels, self.is_log = low, high, pixels, is_log

    def __call__(self, value: float) -> float:
        low, high = self._of(self.low), self._of(self.high)
        share = (self._of(value) - low) / (high - low) if high > low else 0.5
        return self.pixels * min(1.0, max(0.0, share))

    def _of(self, value: float) -> float:
        return log10(value) if self.is_log else value

    def ticks(self) -> list[float]:
        """Return about five round values within the range."""
        if self.is_log:
            decades = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
            steps = (1, 2, 5) if log10(self.high / self.low) < 2 else (1,)
            return [m * 10.0**e for e in decades for m in steps if self.low <= m * 10.0**e <= self.high]
        if self.high <= self.low:
            return [self.low]
        rough = (self.high - self.low) / 5
        unit = 10.0 ** floor(log10(rough))
        step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= rough * 0.999)
        first = ceil(self.low / step - 1e-9)
        last = floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


def _written(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}".replace("-", "−")
