"""Render a page of plain data as one HTML file that needs nothing but itself."""

from __future__ import annotations

from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from fewest.writing import written_beside


def render(page: dict[str, Any]) -> str:
    """Return a whole page; whatever comes from the data is escaped."""
    return _environment().get_template("page.html").render(page=page)


def render_fragment(page: dict[str, Any]) -> str:
    """Return the page as a part of another, such as a notebook, which its styles and scripts leave alone.

    A frame keeps the two apart; it grows to the height of its content.
    """
    return _environment().get_template("frame.html").render(document=render(page), title=page["title"])


def write_page(page: dict[str, Any], path: str | Path) -> None:
    """Write a page; an interrupted write leaves what was there before."""
    with written_beside(path) as file:
        file.write(render(page).encode())


@cache
def _environment():
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("fewest.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"count": count, "general": general, "number": number, "percent": percent}
    environment.globals["anchor"] = anchor
    return environment


def count(value: int | None) -> str:
    """Write a whole number with separators."""
    return "–" if value is None else f"{value:,}"


def number(value: float | None) -> str:
    """Write a number with three places; a dash where there is none."""
    return "–" if value is None or not isfinite(value) else f"{value:.3f}".replace("-", "−")


def general(value: float | None) -> str:
    """Write a number of any size with about four digits; a dash where there is none."""
    if value is None or not isfinite(value):
        return "–"
    return f"{value:.4g}" if isinstance(value, float) and abs(value) < 10_000 else f"{value:,.0f}"


def percent(part: float, whole: float = 1.0) -> str:
    """Write a share, as CSS reads it, too."""
    return f"{100 * part / whole:.4g}%" if whole else "0%"


def anchor(title: str) -> str:
    """Return a title as the target of a link."""
    return "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())
