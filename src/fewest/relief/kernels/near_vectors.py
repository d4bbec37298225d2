"""Rows that may be among the nearest of drawn rows, where distances are floats (see `near_rows`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.intrinsics import bits_of_float, float_of_bits
from fewest.relief.kernels.block_candidates import LOT, POOLED
from fewest.relief.kernels.smallest_distances import kth_smallest


class Measured(NamedTuple):
    """Rows whose distances are known but for their norms."""

    numbers: np.ndarray  # int64 (rows,): which of all rows they are
    classes: np.ndarray  # int64 (rows,)
    norms: np.ndarray  # float32 (rows,)
    identities: np.ndarray  # float32 (rows, columns): equal where the rows are
    is_certain: np.ndarray  # bool (rows,): whether nothing is missing


@compiled
def near_vectors(products, rows, drawn, slack, k, skips_equal, bounds, found):
    """Collect the rows of a block that are as near as the k nearest known so far, but for rounding.

    Parameters
    ----------
    products : float32 array of shape (n_drawn, n_rows)
        The squared distances but for the squared norms. Overwritten.
    rows, drawn : Measured
    slack : float32 array of shape (n_drawn,)
        Rows that are farther by no more are collected as well.
    k : int
    skips_equal : bool
        Whether rows equal to the drawn row are no neighbours; a drawn row never is its own.
    bounds : int32 array of shape (n_drawn, n_pools)
        The bits of how far the k-th nearest is, as far as known; see `near_rows`. Updated.
    found : int64 array of shape (most, 4)
        Filled with drawn row (by position), pool, bits of the distance, and number.

    Returns
    -------
    n_found, n_done : int
        How many rows were found, for how many drawn rows; the rest found no room.
    """
    n_rows, n_pools = products.shape[1], bounds.shape[1]
    scratch, limits = np.empty(n_rows, np.int32), np.empty(n_pools, np.int32)
    n_found = 0
    for s in range(len(products)):
        if len(found) - n_found < n_rows:
            return n_found, s
        own = drawn.norms[s]
        for j in range(n_rows):
            products[s, j] = max(np.float32(0), products[s, j] + (rows.norms[j] + own))
        _extend(bounds[s], slack[s], limits)
        first = n_found
        n_found = _collect(products[s].view(np.int32), rows, drawn, s, skips_equal, limits, found, n_found)
        for pool in range(n_pools):
            n = 0
            for e in range(first, n_found):
                if found[e, 1] == pool:
                    scratch[n] = found[e, 2]
                    n += 1
            if n >= k:
                bounds[s, pool] = min(bounds[s, pool], kth_smallest(scratch, n, k))
        _extend(bounds[s], slack[s], limits)
        kept = first
        for e in range(first, n_found):
            if found[e, 2] <= limits[found[e, 1]]:
                found[kept] = found[e]
                kept += 1
        n_found = kept
    return n_found, len(products)


@compiled_in_place
def _extend(bounds, slack, limits):
    """Write how far rows may be: farther than the bounds by what rounding may do."""
    for pool in range(len(bounds)):
        limits[pool] = bits_of_float(float_of_bits(bounds[pool]) + slack)


@compiled_in_place
def _collect(distances, rows, drawn, s, skips_equal, limits, found, n_found):
    """Note the rows within the limits; most lots of rows hold none, which their minimum tells."""
    own, is_pooled = drawn.classes[s], len(limits) == POOLED
    farthest = limits[0]
    for pool in range(1, len(limits)):
        farthest = max(farthest, limits[pool])
    for begin in range(0, len(distances), LOT):
        end = min(begin + LOT, len(distances))
        least = distances[begin]
        for j in range(begin, end):
            least = min(least, distances[j])
        if least > farthest:
            continue
        for j in range(begin, end):
            d = distances[j]
            if d > farthest or rows.numbers[j] == drawn.numbers[s]:
                continue
            pool = np.int64(rows.classes[j] != own) if is_pooled else rows.classes[j]
            if d > limits[pool] or (skips_equal and _is_twin(rows, j, drawn, s)):
                continue
            found[n_found, 0], found[n_found, 1], found[n_found, 2], found[n_found, 3] = s, pool, d, rows.numbers[j]
            n_found += 1
    return n_found


@compiled_in_place
def _is_twin(rows, j, drawn, s):
    """Tell whether two rows are equal, and certain to be."""
    is_equal = rows.is_certain[j] and drawn.is_certain[s]
    column = 0
    while is_equal and column < rows.identities.shape[1]:
        is_equal = rows.identities[j, column] == drawn.identities[s, column]
        column += 1
    return is_equal
