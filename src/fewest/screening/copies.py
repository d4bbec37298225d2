"""Columns that say the same as another: exact copies, other units, other names for the same values.

Columns are compared by a hash, so that the time grows with their number, not with its square: a numeric column of many
values by the order of its rows, any other by which rows share a value. In a small table columns agree by chance; a copy
is one only if that is unlikely for columns with as many rows of every value.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from math import lgamma, log, log2

import numpy as np

from fewest.screening.finding import Finding, FindingKind
from fewest.screening.profile import MISSING, Profile

# How unlikely it must be that two of all columns agree by chance: one in 2 ** 10.
BITS = 10


def find_copies(profiles: Sequence[Profile], preferred: frozenset[str] = frozenset()) -> list[Finding]:
    """Return the columns that others stand for.

    Of columns that say the same the one with the fewest gaps is kept, then a numeric one, which has an order, then the
    first; those ``preferred`` are kept before all others.
    """
    alike: dict[bytes, list[int]] = defaultdict(list)
    for j, profile in enumerate(profiles):
        if profile.n_values > 1:
            alike[_key(profile)].append(j)
    found = []
    for places in alike.values():
        order = sorted(places, key=lambda j: _rank(profiles[j], preferred))
        while len(order) > 1:
            kept, rest = profiles[order[0]], []
            for j in order[1:]:
                finding = _compared(profiles[j], kept, len(profiles))
                if finding is None:
                    rest.append(j)
                elif profiles[j].name not in preferred:
                    found.append((j, finding))
            order = rest
    return [finding for _, finding in sorted(found, key=lambda pair: pair[0])]


def partition(codes: np.ndarray, n_values: int) -> np.ndarray:
    """Return codes in the order of their first row: the same for all columns in which the same rows are alike."""
    first = np.zeros(n_values, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the last to be written is the first row
    new = np.empty(n_values, dtype=np.int32)
    new[np.argsort(first, kind="stable")] = np.arange(n_values)
    return new[codes]


def chance_bits(counts: np.ndarray, *, is_ordered: bool = False) -> float:
    """Return the logarithm of the number of columns with as many rows of every value; names do not count."""
    n_ways = lgamma(counts.sum() + 1) - sum(lgamma(count + 1) for count in counts.tolist())
    return (n_ways - (0.0 if is_ordered else lgamma(len(counts) + 1))) / log(2)


def _rank(profile: Profile, preferred: frozenset[str]) -> tuple[bool, int, bool]:
    return profile.name not in preferred, profile.n_missing, not profile.is_numeric


def _has_many_values(profile: Profile) -> bool:
    """Return whether most values are different, so that it says nothing which rows share one."""
    return profile.is_numeric and profile.n_distinct > profile.n_present / 2


def _key(profile: Profile) -> bytes:
    if not _has_many_values(profile):
        return _hashed(b"alike", partition(profile.codes_with_gaps, profile.n_values))
    codes, last = profile.codes, profile.n_distinct - 1
    lopsided = (codes != MISSING) & (2 * codes != last)
    if 2 * codes[lopsided.argmax()] > last:  # the same rows in descending order
        codes = np.where(codes == MISSING, MISSING, last - codes)
    return _hashed(b"order", codes.astype(np.int32))


def _hashed(what: bytes, codes: np.ndarray) -> bytes:
    return hashlib.blake2b(codes.tobytes(), digest_size=16, salt=what).digest()


def _compared(copy: Profile, kept: Profile, n_columns: int) -> Finding | None:
    """Return in which way one of two columns of the same hash says what the other does, if it is not by chance."""
    is_ordered = _has_many_values(copy)
    counts = np.bincount(copy.codes_with_gaps)
    if chance_bits(counts, is_ordered=is_ordered) < 2 * log2(n_columns) + BITS:
        return None
    if _are_equal(copy, kept):
        return Finding(FindingKind.COPY, copy.name, f"repeats {kept.name}", kept.name)
    if copy.is_numeric and kept.is_numeric and _are_proportional(copy.column.values, kept.column.values):
        return Finding(FindingKind.COPY, copy.name, f"is {kept.name} in another unit", kept.name)
    if is_ordered:  # a logarithm, say, is another feature to a learner that adds
        return Finding(FindingKind.NEAR_COPY, copy.name, f"orders the rows as {kept.name} does", kept.name)
    return Finding(FindingKind.RECODING, copy.name, f"is {kept.name} in other words", kept.name)


def _are_equal(one: Profile, other: Profile) -> bool:
    if one.is_numeric and other.is_numeric:
        return np.array_equal(one.column.values, other.column.values, equal_nan=True)
    if one.is_numeric or other.is_numeric:
        return False
    return one.labels == other.labels and np.array_equal(one.codes, other.codes)


def _are_proportional(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether one is a multiple of the other plus a constant, up to rounding errors."""
    known = np.isfinite(one) & np.isfinite(other)
    if known.sum() < np.count_nonzero(~np.isnan(one)) or known.sum() < 3:
        return False
    x, y = one[known], other[known]
    low, high = x.argmin(), x.argmax()
    slope = (y[high] - y[low]) / (x[high] - x[low])
    return bool(np.allclose(y, y[low] + slope * (x - x[low]), rtol=1e-9, atol=1e-9 * float(np.ptp(y))))
