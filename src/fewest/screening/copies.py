"""Columns that say the same as another: exact copies, other units, other names for the same values.

Columns are compared by a hash, so that the time grows with their number, not with its square: a numeric column of many
values by the order of its rows, any other by which rows share a value. In a small table columns agree by chance; a copy
is one only if that is unlikely for columns with as many rows of every value.

Near-copies say nearly the same as an earlier column: a correlation close to one, or few rows that differ.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import lgamma, log, log2

import numpy as np

from fewest.screening.finding import Finding, FindingKind
from fewest.screening.profile import MISSING, Profile

# Columns of so few values are numbered together, so many cells at a time.
FEWEST_VALUES, CELLS_AT_ONCE = 4, 1 << 20
# How unlikely it must be that two of all columns agree by chance: one in 2 ** 10.
BITS = 10


def find_copies(profiles: Sequence[Profile], preferred: frozenset[str] = frozenset()) -> list[Finding]:
    """Return the columns that others stand for.

    Of columns that say the same the one with the fewest gaps is kept, then a numeric one, which has an order, then the
    first; those ``preferred`` are kept before all others.
    """
    alike: dict[bytes, list[int]] = defaultdict(list)
    for j, key in enumerate(_keys(profiles)):
        if key:
            alike[key].append(j)
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


def _partitions(codes: np.ndarray) -> np.ndarray:
    """Return the same as `partition` of each row of codes that are few."""
    is_value = codes[:, None] == np.arange(codes.max(initial=0) + 1)[:, None]
    first = np.where(is_value.any(axis=2), is_value.argmax(axis=2), codes.shape[1])
    new = np.argsort(np.argsort(first, axis=1, kind="stable"), axis=1, kind="stable")
    return np.take_along_axis(new.astype(np.int32), codes, axis=1)


def chance_bits(counts: np.ndarray, *, is_ordered: bool = False) -> float:
    """Return the logarithm of the number of columns with as many rows of every value; names do not count."""
    n_ways = lgamma(counts.sum() + 1) - sum(lgamma(count + 1) for count in counts.tolist())
    return (n_ways - (0.0 if is_ordered else lgamma(len(counts) + 1))) / log(2)


def _rank(profile: Profile, preferred: frozenset[str]) -> tuple[bool, int, bool]:
    return profile.name not in preferred, profile.n_missing, not profile.is_numeric


def _has_many_values(profile: Profile) -> bool:
    """Return whether most values are different, so that it says nothing which rows share one."""
    return profile.is_numeric and profile.n_distinct > profile.n_present / 2


def _keys(profiles: Sequence[Profile]) -> list[bytes]:
    """Return what columns of the same rows alike share; nothing of columns of one value."""
    keys = [b""] * len(profiles)
    few = [j for j, each in enumerate(profiles) if 1 < each.n_values <= FEWEST_VALUES and not _has_many_values(each)]
    at_once = max(1, CELLS_AT_ONCE // max(1, len(profiles[0].codes))) if profiles else 1
    for start in range(0, len(few), at_once):  # calls of NumPy for each of a hundred thousand columns take long
        some = few[start : start + at_once]
        for j, own in zip(some, _partitions(np.array([profiles[j].codes_with_gaps for j in some])), strict=True):
            keys[j] = _hashed(b"alike", own)
    for j, profile in enumerate(profiles):
        if not keys[j] and profile.n_values > 1:
            keys[j] = _key(profile)
    return keys


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


# Correlations of all pairs are looked at among so many numeric columns, first on so many rows.
MOST_COLUMNS, MOST_ROWS, COLUMNS_AT_ONCE = 6000, 512, 512
CORRELATION, OF_RANKS, OF_CANDIDATES = 0.999, 0.99, 0.99
FEWEST_ROWS = 10
# Columns of few values are near-copies if at most this share of the rows differs, and of those without the most
# frequent value, of which there must be some: rare values agree by chance.
FEW_VALUES, FEWEST_ROWS_OF_FEW, FEWEST_RARE = 20, 50, 20
SHARE_DIFFERENT, SHARE_OF_RARE = 0.01, 0.05
# Near-copies are the same in most of several small samples of the rows.
N_SAMPLES, ROWS_OF_SAMPLE = 12, 48


def find_near_copies(profiles: Sequence[Profile]) -> list[Finding]:
    """Return the columns that nearly repeat another one, each with the first or the nearest of them."""
    measured = [p for p in profiles if p.is_numeric and p.n_distinct > 2 and np.isfinite(p.distinct).all()]
    found = {finding.column: finding for finding in _of_few_values([p for p in profiles if _has_few_values(p)])}
    if len(measured) <= MOST_COLUMNS:
        found = {finding.column: finding for finding in _correlated(measured)} | found
    return [found[profile.name] for profile in profiles if profile.name in found]


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Return the correlation of two arrays in the rows where both have a value, 0 if these are too few or constant."""
    known = np.isfinite(one) & np.isfinite(other)
    if known.sum() < max(FEWEST_ROWS, len(one) / 10):
        return 0.0
    x, y = one[known] - one[known].mean(), other[known] - other[known].mean()
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y / scale) if scale > 0 else 0.0


# ---------------------------------------------------------------------- numbers


def _correlated(profiles: Sequence[Profile]) -> Iterator[Finding]:
    if len(profiles) < 2 or len(profiles[0].codes) < FEWEST_ROWS:
        return
    rows = _sampled_rows(len(profiles[0].codes), MOST_ROWS)
    values = np.stack([profile.column.values[rows] for profile in profiles], axis=1)
    known = ~np.isnan(values)
    counts = np.maximum(known.sum(axis=0), 1)
    centred = np.where(known, values - np.where(known, values, 0.0).sum(axis=0) / counts, 0.0)
    spread = np.sqrt((centred**2).sum(axis=0) / counts)
    centred /= np.where(spread > 0, spread, 1.0)
    is_complete = bool(known.all())
    for start in range(0, len(profiles), COLUMNS_AT_ONCE):
        part = slice(start, start + COLUMNS_AT_ONCE)
        products = centred[:, part].T @ centred
        if is_complete:
            likeness = np.abs(products) / len(rows)
        else:  # by the rows that both have
            own = (centred[:, part] ** 2).T @ known
            others = known[:, part].T.astype(np.float64) @ centred**2
            likeness = np.abs(products) / np.maximum(np.sqrt(own * others), 1e-12)
        for j in range(start, min(start + COLUMNS_AT_ONCE, len(profiles))):
            before = likeness[j - start, :j]
            if len(before) and before.max() >= OF_CANDIDATES:
                yield from _confirmed(profiles[j], profiles[int(before.argmax())])


def _confirmed(profile: Profile, earlier: Profile) -> Iterator[Finding]:
    """Yield the finding if all rows confirm it; ranks must agree, too, since one far row makes a correlation of one."""
    found = correlation(profile.column.values, earlier.column.values)
    if abs(found) <= CORRELATION or abs(correlation(_ranks(profile), _ranks(earlier))) <= OF_RANKS:
        return
    yield Finding(
        FindingKind.NEAR_COPY, profile.name, f"follows {earlier.name} (correlation {_close(found)})", earlier.name
    )


def _ranks(profile: Profile) -> np.ndarray:
    return np.where(profile.codes == MISSING, np.nan, profile.codes)


def _close(value: float) -> str:
    """Write a correlation close to one without rounding it to one."""
    return f"{value:.4f}" if abs(value) < 0.99995 else f"{'-' * (value < 0)}0.9999…"


# ---------------------------------------------------------------------- few values


def _has_few_values(profile: Profile) -> bool:
    if len(profile.codes) < FEWEST_ROWS_OF_FEW or profile.n_values < 2:
        return False
    is_discrete = not profile.is_numeric or profile.n_distinct <= FEW_VALUES
    return is_discrete and profile.n_distinct <= profile.n_present / 2 and _n_rare(profile) >= FEWEST_RARE


def _n_rare(profile: Profile) -> int:
    return len(profile.codes) - max(int(profile.counts.max()), profile.n_missing)


def _of_few_values(profiles: Sequence[Profile]) -> Iterator[Finding]:
    if len(profiles) < 2:
        return
    rng = np.random.default_rng(0)
    n_rows = len(profiles[0].codes)
    done: set[int] = set()
    for _ in range(N_SAMPLES):
        rows = np.sort(rng.choice(n_rows, min(n_rows, ROWS_OF_SAMPLE), replace=False))
        first: dict[bytes, int] = {}
        for j, profile in enumerate(profiles):
            shown = partition(profile.codes_with_gaps[rows], profile.n_values)
            if j in done or not shown.any():
                continue
            i = first.setdefault(shown.tobytes(), j)
            if i != j and (n_different := _n_different(profile, profiles[i])) is not None:
                done.add(j)
                earlier = profiles[i].name
                rows_say = f"{n_different:,} row{'s' * (n_different != 1)}"
                yield Finding(
                    FindingKind.NEAR_COPY, profile.name, f"says what {earlier} says but in {rows_say}", earlier
                )


def _n_different(one: Profile, other: Profile) -> int | None:
    """Count the rows in which two columns do not say the same, each value standing for one of the other column.

    None if these are too many, or none: then they are copies, if not by chance.
    """
    pairs = np.bincount(
        one.codes_with_gaps * other.n_values + other.codes_with_gaps, minlength=one.n_values * other.n_values
    )
    table = pairs.reshape(one.n_values, other.n_values)
    if len(np.unique(table.argmax(axis=1))) < one.n_values:
        return None
    n_different = int(len(one.codes) - table.max(axis=1).sum())
    most = min(SHARE_DIFFERENT * len(one.codes), SHARE_OF_RARE * min(_n_rare(one), _n_rare(other)))
    return n_different if 0 < n_different <= max(1, most) else None


def _sampled_rows(n_rows: int, most: int) -> np.ndarray:
    if n_rows <= most:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, most, replace=False))
