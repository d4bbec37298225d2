"""What a sum is made of: the terms of single features, and those of two features that matter together.

A numeric feature enters by the normal scores of its ranks, so that nothing but the order of its values counts; a
Boolean or nominal one by an indicator of every value but the most frequent; being missing is one more indicator.

Two features whose effects do not add up, as in an exclusive or or a ring, enter as one joint part: an indicator for
every cell of the two, whose weight is the log-odds that its rows have more than others. Numeric features are cut at
quantiles, whatever the classes are, into halves, quarters or eighths: a ring shows in no halves, and in eighths every
cell has to be learnt. The normal prior of the weights draws cells of few rows together. Each of the two may enter by
its own cells as well, so that what no rank says of one feature brings no other along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fewest.cover.codings import FINEST, Codings
from fewest.cover.kernels.description import UNIT
from fewest.kernels.partition import numbered
from fewest.table import Column, Kind, Table

# Values of a nominal feature that takes part, and terms times rows that are worth the time.
MOST_VALUES, MOST_ENTRIES = 16, 5e7
# Intervals of the numeric features of a joint part, and the bits, in units, that say which.
FINENESS = (2, 4, FINEST)
CUT = round(np.log2(len(FINENESS)) * UNIT)


@dataclass(frozen=True, eq=False)
class Terms:
    """What features contribute: columns of mean 0, those of single features with standard deviation 1.

    Attributes
    ----------
    columns : ndarray of shape (n_rows, n_terms)
    owners : ndarray of shape (n_terms,)
        The feature that each belongs to, or that stands for the group, or the number of a joint part; ascending.
    """

    columns: np.ndarray
    owners: np.ndarray

    @classmethod
    def of(cls, features: Table, units: Mapping[int, Sequence[int]], copies: np.ndarray) -> Terms:
        """Return the terms of features, by those that stand for them; nominal ones of many values have none.

        ``copies`` are the rows that each row of the table stands for.
        """
        parts: list[np.ndarray] = [np.empty((features.n_rows, 0))]
        owners: list[int] = []
        for first, unit in units.items():
            found = [part for feature in unit if (part := terms_of(features.columns[feature], copies)) is not None]
            if len(found) == len(unit):
                parts += found
                owners += [first] * sum(part.shape[1] for part in found)
        return cls(np.column_stack(parts), np.array(owners, dtype=np.int64))

    def joined(self, parts: Mapping[int, JointPart]) -> Terms:
        """Return these terms and those of joint parts, by their numbers, which are higher than any before."""
        columns = [part.terms for part in parts.values()]
        owners = [number for number, part in parts.items() for _ in range(part.terms.shape[1])]
        return Terms(np.column_stack([self.columns, *columns]), np.concatenate([self.owners, owners]).astype(np.int64))


def terms_of(column: Column, copies: np.ndarray) -> np.ndarray | None:
    """Return the terms of one column, of shape (n_rows, n_terms); None where it has too many categories."""
    missing = column.is_missing
    if column.kind is Kind.NUMERIC:
        found = [np.where(missing, 0.0, _normal_scores(column.values, ~missing, copies))]
    else:
        values, place = np.unique(column.values[~missing], return_inverse=True)
        if len(values) > MOST_VALUES:
            return None
        counts = np.bincount(place, copies[~missing])
        rare = np.delete(values, counts.argmax()) if len(values) else values
        found = [np.where(missing, 0.0, column.values == value) for value in rare]
    if 0 < column.n_missing < len(column):
        found.append(missing.astype(np.float64))
    matrix = np.column_stack([np.empty((len(column), 0)), *found]).astype(np.float64)
    matrix -= _mean(matrix, copies)
    spread = np.sqrt(_mean(matrix**2, copies))
    return matrix[:, spread > 0] / spread[spread > 0]


def _mean(matrix: np.ndarray, copies: np.ndarray) -> np.ndarray:
    """Return the means of columns, or of one, over rows of which there are so many copies."""
    return copies @ matrix / max(1, copies.sum())


def _normal_scores(values: np.ndarray, known: np.ndarray, copies: np.ndarray) -> np.ndarray:
    """Return the normal quantiles of mean ranks, with mean 0; where values are not known anything."""
    from scipy.special import ndtri

    scores = np.zeros(len(values))
    place = np.unique(values[known], return_inverse=True)[1]
    counts = np.bincount(place, copies[known])
    ranks = np.cumsum(counts) - counts / 2
    scores[known] = ndtri(ranks / max(1, copies[known].sum()))[place]
    scores[known] -= _mean(scores[known], copies[known])
    return scores


class JointPart(NamedTuple):
    """Two features, or one, that enter by their cells: an indicator of each, less its mean."""

    features: tuple[int, ...]
    terms: np.ndarray  # (n_rows, n_cells)
    price: int  # bits, in units, that say how they are cut
    cuts: dict[int, np.ndarray]  # by feature


def joint_parts(codings: Codings, pairs: Iterable[tuple[int, int]], most_entries: float) -> list[JointPart]:
    """Return the parts that pairs of features, by those that stand for them, can make, as many as there is room for."""
    found: list[JointPart] = []
    n_entries = 0
    seen: set[int] = set()
    for pair in pairs:
        own = list(_ways_to_join(codings, pair))
        for feature in sorted(set(pair) - seen):
            # Of two values the cells are the feature itself.
            own += [part for part in _ways_to_join(codings, (feature,)) if part.terms.shape[1] > 2]
        seen.update(pair)
        n_entries += sum(part.terms.size for part in own)
        if n_entries > most_entries:
            break
        found += own
    return found


def _ways_to_join(codings: Codings, features: tuple[int, ...]) -> Iterable[JointPart]:
    """Yield a part for every fineness that numeric features are cut at; one where none is cut."""
    for n_intervals in FINENESS:
        cell = np.zeros(codings.features.n_rows, dtype=np.int64)
        cuts: dict[int, np.ndarray] = {}
        for feature in features:
            codes, own = codings.at_quantiles(feature, n_intervals)
            cell = numbered(cell * (int(codes.max(initial=0)) + 1) + codes)
            cuts |= own
        terms = np.eye(int(cell.max(initial=0)) + 1)[cell]
        yield JointPart(features, terms - _mean(terms, codings.rows.copies), CUT if cuts else 0, cuts)
        if not cuts:
            return
