"""Columns that give the target away: known only after it, or the target itself under another name.

A column is judged by how well its value alone predicts the class of a row that was left out, balanced over the classes.
A value that no other row has predicts nothing, so that an identifier or a column of very many categories is no suspect.
What predicts nearly perfectly may still be right: a mushroom's odor does. In a small table, and short of perfection,
that is said soberly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fewest.screening.copies import CORRELATION, chance_bits, correlation, partition
from fewest.screening.finding import Finding, FindingKind
from fewest.screening.profile import Profile
from fewest.table import Column, Kind
from fewest.table.discretize import mdl_cuts

FEWEST_ROWS, FEWEST_OF_CLASS, MOST_CLASSES = 20, 5, 100
# Balanced accuracy that is suspicious in a table of enough rows, and that is worth a sentence in any.
SUSPICIOUS, ROWS_TO_SUSPECT, NOTABLE = 0.99, 100, 0.97
# Numbers of more values are looked at in so many intervals first, and closely if these predict so well.
FEW_VALUES, MOST_BINS, ROWS_OF_BIN, PROMISING = 32, 64, 6, 0.8
# Columns of at most so many values are scored together, so many values at a time.
FEWEST_VALUES, CELLS_AT_ONCE = 4, 1 << 22
# The target under another name: as unlikely by chance as one in 2 ** 20.
BITS_OF_A_NAMESAKE = 20
# Filled where the class is this one, and nowhere else; or only there, in a good part of that class.
FILLED_EXACTLY, FILLED_ONLY, FEWEST_FILLED, PART_OF_CLASS, MOST_FREQUENT = 0.98, 0.99, 20, 0.1, 0.8
# To give away one of several classes is alarming if it has this share of the rows.
ALARMING_SHARE = 0.1


class Classes(NamedTuple):
    """The classes of the rows, how many rows each has, and whether no other column has the same rows by chance."""

    of_rows: np.ndarray
    counts: np.ndarray
    have_no_likeness_by_chance: bool


def find_leaks(profiles: Sequence[Profile], target: Column) -> list[Finding]:
    """Return the columns that predict the target nearly perfectly by themselves, or by being filled."""
    if len(target) < FEWEST_ROWS:
        return []
    if target.kind is Kind.NUMERIC:
        found = [_of_a_number(profile, target) for profile in profiles]
    else:
        classes = target.values.astype(np.int64)
        counts = np.bincount(classes, minlength=len(target.labels))
        if not 2 <= (counts >= FEWEST_OF_CLASS).sum() <= MOST_CLASSES:
            return []
        known = Classes(classes, counts, chance_bits(counts[counts > 0]) >= BITS_OF_A_NAMESAKE)
        scores = _scores_together(profiles, known)
        found = [_of_a_class(profile, target, known, scores.get(j)) for j, profile in enumerate(profiles)]
    return [finding for finding in found if finding is not None]


def _of_a_number(profile: Profile, target: Column) -> Finding | None:
    if not profile.is_numeric or profile.n_distinct < 3:
        return None
    found = correlation(profile.column.values, target.values)
    if abs(found) <= CORRELATION:
        return None
    return Finding(FindingKind.LEAK, profile.name, f"follows {target.name} (correlation {found:.6f})")


def _of_a_class(profile: Profile, target: Column, known: Classes, score: float | None) -> Finding | None:
    classes, counts, _ = known
    filled = _filled(profile, target, classes, counts)
    if filled is not None:
        return filled
    if _is_namesake(profile, known):
        return Finding(FindingKind.LEAK, profile.name, f"is {target.name} in other words")
    if score is not None:
        pass
    elif profile.is_numeric and profile.n_distinct > FEW_VALUES:
        score = _of_intervals(profile, classes, counts)
    elif profile.n_distinct <= profile.n_present / 2:
        score = left_out_score(profile.codes_with_gaps, classes, counts)
    else:
        return None
    if score < NOTABLE:
        return None
    is_suspicious = score >= SUSPICIOUS and len(classes) >= ROWS_TO_SUSPECT
    share = "every row" if score == 1 else f"{int(1000 * score) / 10:.1f} % of the rows"
    balanced = "" if score == 1 else ", balanced over the classes"
    fact = f"alone predicts {target.name} right for {share}{balanced}"
    return Finding(FindingKind.LEAK if is_suspicious else FindingKind.STRONG, profile.name, fact)


def _scores_together(profiles: Sequence[Profile], known: Classes) -> dict[int, float]:
    """Return the scores of the columns of very few values, by their places: of a hundred thousand at once."""
    places = [
        j for j, each in enumerate(profiles) if each.n_values <= FEWEST_VALUES and each.n_distinct <= each.n_present / 2
    ]
    at_once = max(1, CELLS_AT_ONCE // len(known.of_rows))
    found: dict[int, float] = {}
    for start in range(0, len(places), at_once):
        some = places[start : start + at_once]
        codes = np.array([profiles[j].codes_with_gaps for j in some])
        found.update(zip(some, left_out_scores(codes, known.of_rows, known.counts).tolist(), strict=True))
    return found


def left_out_score(codes: np.ndarray, classes: np.ndarray, counts: np.ndarray) -> float:
    """Return how often the other rows with the same value predict the class of a row, balanced over the classes.

    The class predicted is the one of which the largest share has that value; an undecided prediction is wrong, and so
    is that of a value that no other row has. Classes of very few rows are not asked for.
    """
    return float(left_out_scores(codes[None], classes, counts)[0])


def left_out_scores(codes: np.ndarray, classes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the same for several columns, whose codes are given in rows."""
    n_columns, n_values = len(codes), int(codes.max()) + 1
    cells = (codes + n_values * np.arange(n_columns)[:, None]) * len(counts) + classes
    n_cells = n_columns * n_values * len(counts)
    table = np.bincount(cells.ravel(), minlength=n_cells).reshape(n_columns, n_values, len(counts))
    shares = table / np.maximum(counts, 1)
    asked = np.flatnonzero(counts >= FEWEST_OF_CLASS).tolist()
    scores = np.empty((n_columns, len(asked)))
    for place, k in enumerate(asked):
        others = np.delete(shares, k, axis=2).max(axis=2)
        is_right = (table[:, :, k] - 1) / (counts[k] - 1) > others
        scores[:, place] = np.where(is_right, table[:, :, k], 0).sum(axis=1) / counts[k]
    return scores.mean(axis=1)


def _of_intervals(profile: Profile, classes: np.ndarray, counts: np.ndarray) -> float:
    """Return the same for a numeric column, cut into intervals by one half of the rows for the other."""
    before = np.cumsum(profile.counts) - profile.counts
    n_bins = max(1, min(MOST_BINS, profile.n_present // ROWS_OF_BIN))
    coarse = np.append(before * n_bins // profile.n_present, n_bins)
    if left_out_score(coarse[profile.codes], classes, counts) < PROMISING:
        return 0.0
    right = np.zeros(len(counts))
    values, n_classes = profile.column.values, len(counts)
    halves = np.empty(len(classes), dtype=bool)
    halves[np.argsort(classes, kind="stable")] = np.arange(len(classes)) % 2 == 0  # each with its share of every class
    for train in (halves, ~halves):
        known = train & (profile.codes >= 0)
        cuts = mdl_cuts(values[known], classes[known], n_classes)
        codes = np.where(profile.codes >= 0, np.searchsorted(cuts, values, side="left"), len(cuts) + 1)
        table = np.bincount(codes[train] * n_classes + classes[train], minlength=(len(cuts) + 2) * n_classes)
        shares = table.reshape(-1, n_classes) / np.maximum(np.bincount(classes[train], minlength=n_classes), 1)
        predicted = shares.argmax(axis=1)[codes[~train]]
        right += np.bincount(classes[~train][predicted == classes[~train]], minlength=n_classes)
    asked = counts >= FEWEST_OF_CLASS
    return float((right[asked] / counts[asked]).mean())


def _is_namesake(profile: Profile, known: Classes) -> bool:
    """Return whether the values are the classes under other names, not by chance."""
    if profile.n_values != np.count_nonzero(known.counts) or not known.have_no_likeness_by_chance:
        return False
    own = partition(profile.codes_with_gaps, profile.n_values)
    return np.array_equal(own, partition(known.of_rows, len(known.counts)))


def _filled(profile: Profile, target: Column, classes: np.ndarray, counts: np.ndarray) -> Finding | None:
    """Return that a column is filled, or missing, when the class is one of its values, if so."""
    if not profile.n_missing or not profile.n_present:
        return None
    filled = np.bincount(classes[profile.codes >= 0], minlength=len(counts))
    for k in np.flatnonzero(counts >= FEWEST_OF_CLASS).tolist():
        how = _filled_where(int(filled[k]), profile.n_present, int(counts[k]), len(classes))
        if how is None or (len(counts) == 2 and how.startswith("missing")):  # the other class will say it
            continue
        is_alarming = len(counts) == 2 or counts[k] >= ALARMING_SHARE * len(classes)
        kind = FindingKind.LEAK if is_alarming else FindingKind.STRONG
        return Finding(kind, profile.name, f"is {how} where {target.name} is {target.labels[k]}")
    return None


def _filled_where(n_filled: int, n_present: int, n_class: int, n_rows: int) -> str | None:
    """Return how a column is filled in the rows of one class; None if much as in others."""
    of_class, of_others = n_filled / n_class, (n_present - n_filled) / (n_rows - n_class)
    nearly = "" if abs(of_class - of_others) == 1 else "nearly "
    if abs(of_class - of_others) >= 2 * FILLED_EXACTLY - 1:
        return f"{'filled' if of_class > of_others else 'missing'} {nearly}exactly"
    enough = max(FEWEST_FILLED, FILLED_ONLY * n_present, PART_OF_CLASS * n_class)
    return "filled only" if n_filled >= enough and n_class <= MOST_FREQUENT * n_rows else None
