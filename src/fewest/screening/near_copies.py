"""Columns that say nearly the same as an earlier one: a correlation close to one, or few rows that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fewest.screening.copies import partition
from fewest.screening.finding import Finding, FindingKind
from fewest.screening.profile import MISSING, Profile

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
