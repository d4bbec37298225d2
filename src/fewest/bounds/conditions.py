"""Theorems have conditions; who breaks one is told which."""

from __future__ import annotations

from fewest.exceptions import ParameterError


def require(holds: bool, fact: str, condition: str) -> None:
    """Refuse what a theorem says nothing about."""
    if not holds:
        raise ParameterError(f"{fact}, but the theorem holds for {condition} only, so it gives no bound.")
