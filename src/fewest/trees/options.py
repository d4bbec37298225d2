"""The parameters of FRINGE, their defaults and their checks; ID3 has none."""

from __future__ import annotations

from dataclasses import dataclass

from fewest.estimators.options import check_count


@dataclass(frozen=True)
class FringeOptions:
    """The options of `FringeClassifier` and `FringeFeatures`, which document them."""

    max_iter: int = 10

    def __post_init__(self) -> None:
        check_count("max_iter", self.max_iter)


DEFAULTS = FringeOptions()
