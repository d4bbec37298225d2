"""What the searches for nearest neighbors take and return, and how bits lie in words: free of numba.

Rows are sorted by class, so that a class is a range of rows. A row of weight w stands for w copies of itself; the k
nearest are copies with a total weight of k. Rows at the same distance as the last of them share what is left of k, or
are chosen at random for it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Boolean columns (see `bit_sliced_distances`): bit r of word w of a bit plane is the feature of row 64 w + r. Planes
# are added GROUP at a time, so that their number is padded to a multiple of it with planes of zeros, and LANES words
# (256 rows) make one vector, so that rows are padded to a multiple of ROWS_A_VECTOR.
GROUP, LANES = 8, 4
ROWS_A_VECTOR = 64 * LANES
# A distance has so many bits. It is at most the number of planes, so that the sum of MOST_PLANES planes cannot carry
# out of the highest bit: 248 < 2 ** 8.
DISTANCE_BITS = 8
MOST_PLANES = (1 << DISTANCE_BITS) - GROUP
# Words that are written for one vector of rows: the bit planes of its distances, the lowest first, and one that marks
# the near rows; each is LANES words.
VECTOR_WORDS = (DISTANCE_BITS + 1) * LANES

# Distances are int32 to the searches: counts of differing features, or the bits of a float32 that is not negative,
# which are ordered as the floats are. A row that cannot be a neighbor is FAR, the bits of infinity, larger than any.
FAR = np.int32(0x7F800000)


class Rows(NamedTuple):
    """The rows among which neighbors are sought, sorted by class."""

    starts: np.ndarray  # int64 (classes + 1,): where each class begins
    class_of: np.ndarray  # int32 (rows,)
    weights: np.ndarray  # float64 (rows,): compiled code takes one copy off here while it works, and restores it
    duplicate_of: np.ndarray  # int32 (rows,): rows at distance 0 from each other share a number; -1 for a single copy
    duplicates: np.ndarray  # int32: the rows that are not single, sorted by this number
    duplicate_starts: np.ndarray  # int64 (numbers + 1,)


class Rule(NamedTuple):
    """What a neighbor is."""

    k: float  # how many neighbors a class has
    is_random: bool  # whether rows at the same distance are chosen at random, or share
    pools_misses: bool  # whether all other classes count as one
    skips_identical: bool  # whether rows at distance 0 are no neighbors


class Sampled(NamedTuple):
    """The rows whose neighbors are sought."""

    rows: np.ndarray  # int64 (sampled,)
    seeds: np.ndarray  # uint64 (sampled,): what the random choices of each depend on


class Vectors(NamedTuple):
    """Rows whose distance is the sum of their norms, a weighted inner product, and what that leaves out.

    A Euclidean distance is squared. A Manhattan distance leaves the numeric values out of the inner product.
    """

    matrix: np.ndarray  # float32 (rows, columns)
    scale: np.ndarray  # float32 (columns,): the factor of the product of two columns
    norms: np.ndarray  # float32 (rows,)
    besides: np.ndarray  # float32 (sampled, rows), or empty: what is added besides
    numeric: np.ndarray  # float32 (rows, columns or none): values whose absolute differences are added


class Products(NamedTuple):
    """Partial distances of sampled rows to all rows; a matrix product rounds by where a row lies in it."""

    values: np.ndarray  # float32 (at least sampled, rows): distances but for the norms, and what is besides
    places: np.ndarray  # int64 (sampled,): the row of ``values`` that belongs to each sampled row
    slack: np.ndarray  # float32 (sampled,): distances within it are equal but for rounding, which is half of it at most
    margin: np.ndarray  # float32 (sampled,): by how much they are wrong besides, where values were rounded


class Measured(NamedTuple):
    """What is known of the distances of some sampled rows before their neighbors are sought; nothing of bits."""

    products: Products
    besides: np.ndarray  # float32 (sampled, rows), or empty

    def part(self, some: slice) -> Measured:
        """Return the same for some of the sampled rows."""
        values, places, slack, margin = self.products
        return Measured(Products(values, places[some], slack[some], margin[some]), self.besides[some])


NOTHING = Measured(
    Products(np.empty((0, 0), np.float32), np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.float32)),
    np.empty((0, 0), np.float32),
)


class Neighbors(NamedTuple):
    """Neighbors of sampled rows; those of the s-th are at ``starts[s]:starts[s + 1]``.

    The weights of the neighbors from one class sum to 1.
    """

    starts: np.ndarray  # int64 (sampled + 1,)
    rows: np.ndarray  # int32
    weights: np.ndarray  # float32

    @classmethod
    def with_room(cls, n_sampled: int, n_rows: int, capacity: int) -> Neighbors:
        """Allocate room for some neighbors of each sampled row, and for all rows as neighbors of one."""
        size = max(capacity, 2 * n_rows)
        return cls(np.zeros(n_sampled + 1, np.int64), np.empty(size, np.int32), np.empty(size, np.float32))

    @classmethod
    def with_room_for(cls, sampled: Sampled, rows: Rows, rule: Rule) -> Neighbors:
        """Allocate room for the usual number of neighbors and four times as many ties."""
        n_classes = 2 if rule.pools_misses else len(rows.starts) - 1
        n_neighbors = int(min(rule.k, len(rows.weights))) * n_classes
        capacity = min(4 * n_neighbors * len(sampled.rows), 1 << 22)
        return cls.with_room(len(sampled.rows), len(rows.weights), capacity)

    @classmethod
    def with_room_for_all(cls, sampled: Sampled, rows: Rows, rule: Rule, permuted: Permuted) -> Neighbors:
        """Allocate as much for every permutation."""
        n_permutations = len(permuted.labels)
        n_neighbors = int(min(rule.k, len(rows.weights))) * max(2, len(permuted.sizes))
        capacity = min(2 * n_neighbors * len(sampled.rows) * n_permutations, 1 << 22)
        return cls.with_room(len(sampled.rows) * n_permutations, len(rows.weights) * n_permutations, capacity)


class Permuted(NamedTuple):
    """Labels by several permutations, for rows in the order of `Rows`."""

    labels: np.ndarray  # int32 (permutations, rows)
    # float32 (classes, classes): what a neighbor counts for, by the sampled row's class and its own
    factors: np.ndarray
    sizes: np.ndarray  # int64 (classes,): how many rows each class has
    n_near: int  # so many near rows have k of every class in most permutations


class PermutedSearch(NamedTuple):
    """Whose neighbors are sought by permuted labels, among which rows, and what a neighbor is."""

    sampled: Sampled
    rows: Rows  # each of weight 1
    rule: Rule
    permuted: Permuted


class BitRows(NamedTuple):
    """Rows of a block, or sampled rows, as bits."""

    words: np.ndarray  # uint64, as `candidates_by_bits` and `candidates_by_planes` describe
    numbers: np.ndarray  # int64 (rows,): which of all rows they are
    classes: np.ndarray  # int64 (rows,)


class MeasuredRows(NamedTuple):
    """Rows of a block, or sampled rows, of which an inner product is all that is not known of their distance."""

    numbers: np.ndarray  # int64 (rows,): which of all rows they are
    classes: np.ndarray  # int64 (rows,)
    norms: np.ndarray  # float32 (rows,)
    identities: np.ndarray  # float32 (rows, columns): equal where the rows are
    is_certain: np.ndarray  # bool (rows,): whether nothing is missing


class Bounds(NamedTuple):
    """How far candidates of sampled rows may be.

    Two pools are the sampled row's own class and all others; more are one class each.
    """

    distances: np.ndarray  # int32 (sampled, pools): that of the k-th nearest, as far as known
    slack: np.ndarray  # float32 (sampled,): by how much candidates may be farther, for rounding


class Nearest(NamedTuple):
    """Which candidates are asked for in each pool."""

    k: int
    skips_identical: bool  # whether rows at distance 0 are no neighbors; a sampled row never is its own


class Place(NamedTuple):
    """Where a search that found no more room goes on; the tile is -1 when all is done."""

    tile: int
    sampled: int
