"""A subset within a tolerance, found without a proof: what cross-validation judges tolerances by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.budget import Budget
from fewest.cover.chance_corrected import AlikeRows, ChanceLimit, corrected_subset
from fewest.cover.description import Coded
from fewest.cover.examples import Answer
from fewest.cover.kernels.description import UNIT, Rows
from fewest.cover.min_description import DescriptionSearch
from fewest.cover.options import CHANCE
from fewest.cover.sample import Sample
from fewest.cover.solver.problem import Subset
from fewest.cover.tolerant import tolerable_subset


class QuickTolerantSearch:
    """A subset that leaves few enough pairs, found without a proof, for many tolerances of the same rows.

    Greedy steps see one feature at a time. So a second attempt starts from the features of the shortest description
    (`fewest.cover.min_description`), which looks at all pairs and triples and depends on no tolerance. It counts where
    it is cheaper; among equals the greedy one does, as in the search for a proof. So a tolerance that is so large that
    chance features will do is judged by these, whatever better ones there are.

    Parameters
    ----------
    costs : ndarray of shape (n_features,)
    include : sequence of int
    """

    def __init__(self, costs: np.ndarray, include: Sequence[int] = ()):
        self.costs, self.include = costs, tuple(include)
        self._starts: dict[int, tuple[np.ndarray, Subset]] = {}  # by the identity of the codes, which are kept with it

    def __call__(self, sample: Sample, budget: Budget) -> Answer:
        """Search within the sample's tolerance."""
        start, stopped_by = self.start(sample, budget)
        found = [self._found_from(one, sample) for one in ((), start)]
        subset = min(found, key=lambda one: float(self.costs[list(one)].sum()))
        return Answer(subset, float(self.costs[list(subset)].sum()), 0.0, 0, (), stopped_by)

    def _found_from(self, start: Subset, sample: Sample) -> Subset:
        if sample.criterion == CHANCE:
            limit = ChanceLimit.of(sample)
            return corrected_subset(AlikeRows.of_all(sample), limit, self.include, self.costs, start=start)
        return tolerable_subset(sample.coverage(), sample.max_uncovered, self.include, 1 / self.costs, start=start)

    def start(self, sample: Sample, budget: Budget) -> tuple[Subset, str | None]:
        """Return the features of the shortest description by cells, and what ended the search for it, if anything."""
        known = self._starts.get(id(sample.codes))
        if known is not None:
            return known[1], None
        columns = [np.unique(column, return_inverse=True)[1] for column in sample.codes.T]
        kept = [j for j, column in enumerate(columns) if column.max(initial=0) > 0]
        include = tuple(kept.index(j) for j in self.include if j in kept)
        coded = Coded(
            np.array([columns[j] for j in kept], dtype=np.int64).reshape(len(kept), len(sample.classes)),
            np.arange(len(kept)),
            np.full(len(kept), UNIT, dtype=np.int64),
            len(kept) - len(include),
            include,
        )
        found = DescriptionSearch(coded, Rows.single(sample.classes), max_row_visits=0, budget=budget).run()
        subset = tuple(kept[k] for k in found.subset)
        if found.stopped_by is None:
            self._starts[id(sample.codes)] = sample.codes, subset
        return subset, found.stopped_by
