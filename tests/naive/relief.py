"""Relief: Kira and Rendell (1992), Figure 1, and what grew from it.

Rows are tuples of Fractions (numeric values), strings (nominal values) and None (missing).
"""

from fractions import Fraction

import numpy as np


def spans(rows):
    """The normalisation unit of every feature: the range of its known values, 1 if they are all equal."""
    units = []
    for column in zip(*rows, strict=True):
        known = [v for v in column if v is not None and not isinstance(v, str)]
        units.append((max(known) - min(known) if known else 0) or 1)
    return units


def known_values(rows, classes, feature, label):
    """The values that a missing one may have: the known ones of its class, or else of all classes."""
    known = [row[feature] for row in rows if row[feature] is not None]
    own = [row[feature] for row, c in zip(rows, classes, strict=True) if c == label and row[feature] is not None]
    return own or known


def relief_diff(rows, classes, i, j, feature, unit, power):
    """diff to a power; the mean over what missing values may be."""
    sides = []
    for r in (i, j):
        value = rows[r][feature]
        sides.append([value] if value is not None else known_values(rows, classes, feature, classes[r]))
    pairs = [(a, b) for a in sides[0] for b in sides[1]]
    if not pairs:
        return 0
    total = sum(int(a != b) if isinstance(a, str) else (abs(a - b) / unit) ** power for a, b in pairs)
    return Fraction(total) / len(pairs)


def relief_distance(rows, classes, i, j, units, power=2):
    """The square of the Euclidean distance, or, for power 1, the Manhattan distance."""
    return sum(relief_diff(rows, classes, i, j, f, unit, power) for f, unit in enumerate(units))


def near(rows, classes, i, others, units, k, metric=2):
    """The k nearest of some rows, each with what it counts for: ties at the end share what is left of k."""
    if not others:
        return []
    distance = {j: relief_distance(rows, classes, i, j, units, metric) for j in others}
    k = min(k, len(others))
    last = sorted(distance.values())[k - 1]
    sure = [j for j in others if distance[j] < last]
    tied = [j for j in others if distance[j] == last]
    share = Fraction(k - len(sure), len(tied))
    return [(j, Fraction(1, k)) for j in sure] + [(j, share / k) for j in tied]


def relief_update(rows, classes, i, k=1, power=2, skip=True, pool=True, metric=2, by_class=True):
    """The expected update of every feature for the sampled row i; zeros when it has no hit or no miss.

    What is expected in place of missing values is that of the class, or of all rows.
    """
    units, n = spans(rows), len(rows)
    known = classes if by_class else [0] * n
    others = [j for j in range(n) if j != i]
    if skip:
        others = [j for j in others if relief_distance(rows, known, i, j, units)]
    hits = near(rows, known, i, [j for j in others if classes[j] == classes[i]], units, k, metric)
    misses = []
    labels = sorted(set(classes) - {classes[i]})
    for group in [labels] if pool else [[label] for label in labels]:
        found = near(rows, known, i, [j for j in others if classes[j] in group], units, k, metric)
        prior = Fraction(sum(c in group for c in classes), sum(c != classes[i] for c in classes)) if group else 0
        misses += [(j, weight * prior) for j, weight in found]
    if not hits or not misses:
        return [0] * len(units)
    return [
        sum(w * relief_diff(rows, known, i, j, f, unit, power) for j, w in misses)
        - sum(w * relief_diff(rows, known, i, j, f, unit, power) for j, w in hits)
        for f, unit in enumerate(units)
    ]


def relief(rows, classes, sampled, **options):
    """Relevance: the mean update of the sampled rows."""
    updates = [relief_update(rows, classes, i, **options) for i in sampled]
    return [sum(column) / len(sampled) for column in zip(*updates, strict=True)]


def rrelieff(rows, target, k, metric=2):
    """RReliefF as Robnik-Šikonja and Kononenko (1997) write it, with equal influence of the k nearest."""
    units, n, nobody = spans(rows), len(rows), [0] * len(rows)
    span = max(target) - min(target) or 1
    n_dc, n_da, n_dcda = 0, [0] * len(units), [0] * len(units)
    for i in range(n):
        for j, weight in near(rows, nobody, i, [j for j in range(n) if j != i], units, k, metric):
            apart = abs(target[i] - target[j]) / span
            n_dc += apart * weight
            for f, unit in enumerate(units):
                diff = relief_diff(rows, nobody, i, j, f, unit, 1)
                n_da[f] += diff * weight
                n_dcda[f] += apart * diff * weight
    if n_dc == 0:
        return [0] * len(units)
    return [dcda / n_dc - ((da - dcda) / (n - n_dc) if n != n_dc else 0) for da, dcda in zip(n_da, n_dcda, strict=True)]


def multisurf(X, y, power=1):
    """MultiSURF of Urbanowicz et al. (2018) on complete numeric data: all rows nearer than usual are neighbors.

    A miss of class c counts for P(c) / (1 - P(own class)), as in ReliefF.
    """
    n_rows, n_features = X.shape
    units = np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1)
    differences = np.abs(X[:, None, :] - X[None, :, :]) / units
    distances = (differences**power).sum(axis=2) ** (1 / power)
    share = {c: np.mean(y == c) for c in set(y.tolist())}
    scores = np.zeros(n_features)
    if len(share) < 2:
        return scores
    for i in range(n_rows):
        others = [j for j in range(n_rows) if j != i]
        usual = np.mean(distances[i, others]) - np.std(distances[i, others]) / 2
        near = [j for j in others if distances[i, j] < usual - 1e-6]
        for c in share:
            members = [j for j in near if y[j] == c]
            if members:
                factor = -1 if c == y[i] else share[c] / (1 - share[y[i]])
                scores += factor * differences[i, members].mean(axis=0) / n_rows
    return scores


def without_each(rows, classes, k):
    """The relevance of every feature by the k nearest rows of each class that are near in all other features."""
    units, n_rows, alike, scores = spans(rows), len(rows), [0] * len(rows), []
    share = {c: Fraction(classes.count(c), n_rows) for c in classes}
    for f, unit in enumerate(units):
        rest, left, total = [row[:f] + row[f + 1 :] for row in rows], units[:f] + units[f + 1 :], 0
        for i, own in enumerate(classes):
            update, sides = 0, set()
            for c in sorted(share):
                others = [j for j in range(n_rows) if j != i and classes[j] == c]
                sides |= {c == own} if others else set()
                factor = -1 if c == own else share[c] / (1 - share[own])
                for j, weight in near(rest, alike, i, others, left, k, metric=1):
                    update += factor * weight * relief_diff(rows, alike, i, j, f, unit, 1)
            total += update if len(sides) == 2 else 0
        scores.append(float(total / n_rows))
    return scores
