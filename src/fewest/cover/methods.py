"""The searches, by the names that users know them by."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.budget import Budget
    from fewest.cover.answer import Answer
    from fewest.cover.blocks.sample import AnySample


class Method(StrEnum):
    """The searches of a sufficient subset."""

    MIN_FEATURES = "min-features"
    FOCUS1 = "focus1"
    FOCUS2 = "focus2"
    MIG = "mig"
    SG = "sg"
    WG = "wg"


STREAMED = (Method.MIN_FEATURES, Method.MIG, Method.SG)
"""The methods that take rows in blocks."""


def search_by(method: str, sample: AnySample, budget: Budget | None = None) -> Answer:
    """Search a sufficient subset by the method of that name; each loads only what it needs."""
    method = Method(method)
    if method == Method.MIN_FEATURES:
        from fewest.cover.min_features import MinFeaturesSearch

        return MinFeaturesSearch(sample).run(budget)
    from fewest.cover.blocks.sample import StreamedSample

    if isinstance(sample, StreamedSample):
        from fewest.budget import Budget
        from fewest.cover.blocks.greedy import streamed_greedy

        if method not in STREAMED:
            raise ParameterError.from_blocks(method)
        return streamed_greedy(method, sample, budget or Budget())
    if method == Method.FOCUS1:
        from fewest.cover.focus1 import focus1

        return focus1(sample, budget)
    if method == Method.FOCUS2:
        from fewest.cover.focus2 import focus2

        return focus2(sample, budget)
    if method == Method.WG:
        from fewest.cover.weighted_greedy import weighted_greedy

        return weighted_greedy(sample, budget)
    from fewest.cover.greedy import mutual_information_greedy, simple_greedy

    return mutual_information_greedy(sample, budget) if method == Method.MIG else simple_greedy(sample, budget)
