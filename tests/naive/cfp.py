"""Classification by feature partitioning: Güvenir and Şirin."""


def cfp_at(partitions, x):
    """The partitions [lower, upper, class, count] of one feature that hold a value; both ends belong to them."""
    return [p for p in partitions if p[0] <= x <= p[1]]


def cfp_feature_prediction(partitions, x, end_points="all"):
    """Güvenir and Şirin (1993), section 2: the class that one feature votes for, None for none."""
    here = cfp_at(partitions, x)
    points = [p for p in here if p[0] == p[1]]
    if end_points == "points" and points:
        here = points
    most = max((p[3] for p in here), default=0)
    classes = {p[2] for p in here if p[3] == most}
    return classes.pop() if len(classes) == 1 else None


def cfp_add(partitions, x, c, limit, inclusive=False, between="merge"):
    """Add one value of class c to the partitions of a feature, in place."""
    here = cfp_at(partitions, x)
    own = [p for p in here if p[2] == c]
    properly = [p for p in here if p[0] < x < p[1]]
    if own:
        max(own, key=lambda p: (p[3], -p[0]))[3] += 1
    elif properly:
        (split,) = properly
        lower, upper, other, count = split
        below = int(count * ((x - lower) / (upper - lower)) + 0.5)
        partitions.remove(split)
        partitions += [[lower, x, other, below], [x, x, c, 1], [x, upper, other, count - below]]
    elif here:
        partitions.append([x, x, c, 1])
    else:
        joined = [p for p in cfp_neighbours(partitions, x) if p[2] == c and cfp_is_free(partitions, p, x)]
        gaps = [max(p[0] - x, x - p[1]) for p in joined]
        joined = [p for p, gap in zip(joined, gaps, strict=True) if gap < limit or (inclusive and gap <= limit)]
        if between == "nearer":
            joined = sorted(joined, key=lambda p: (max(p[0] - x, x - p[1]), p[0]))[:1]
        for p in joined:
            partitions.remove(p)
        ends = [x, *(end for p in joined for end in p[:2])]
        partitions.append([min(ends), max(ends), c, 1 + sum(p[3] for p in joined)])
    partitions.sort()


def cfp_neighbours(partitions, x):
    """The partitions that bound the undetermined one around x."""
    below = max((p[1] for p in partitions if p[1] < x), default=None)
    above = min((p[0] for p in partitions if p[0] > x), default=None)
    return [p for p in partitions if p[1] == below] + [p for p in partitions if p[0] == above]


def cfp_is_free(partitions, p, x):
    """Whether p can grow to x without growing over a partition that shares its end there."""
    return p[0] == p[1] or cfp_at(partitions, p[1] if p[1] < x else p[0]) == [p]


def cfp(rows, classes, limits, inclusive=False, between="merge", end_points="all", silence="neutral"):
    """CFP on rows with None for missing values: every feature's partitions, and its right and wrong predictions."""
    learned = [([], [0, 0]) for _ in limits]
    for row, c in zip(rows, classes, strict=True):
        for x, limit, (partitions, tally) in zip(row, limits, learned, strict=True):
            if x is None:
                continue
            guess = cfp_feature_prediction(partitions, x, end_points)
            if guess is not None or silence == "wrong":
                tally[guess != c] += 1
            cfp_add(partitions, x, c, limit, inclusive, between)
    return learned


def cfp_votes(learned, row, delta, end_points="all"):
    """The weights of the features that vote for each class; weights start at 1 and change by delta percent."""
    votes = {}
    for x, (partitions, (right, wrong)) in zip(row, learned, strict=True):
        guess = None if x is None else cfp_feature_prediction(partitions, x, end_points)
        if guess is not None:
            votes.setdefault(guess, []).append((1 + delta / 100) ** right * (1 - delta / 100) ** wrong)
    return votes


def cfp_shares(learned, row, class_counts, delta, end_points="all"):
    """Demiröz and Güvenir (1997): every feature divides its weight among the partitions that hold its value.

    Each gets as much as the part of its class's examples that it represents.
    """
    votes = {}
    for x, (partitions, (right, wrong)) in zip(row, learned, strict=True):
        here = [] if x is None else cfp_at(partitions, x)
        points = [p for p in here if p[0] == p[1]]
        here = points if end_points == "points" and points else here
        parts = [(p[2], p[3] / class_counts[p[2]]) for p in here]
        for c, part in parts:
            weight = (1 + delta / 100) ** right * (1 - delta / 100) ** wrong
            votes[c] = votes.get(c, 0) + weight * part / sum(part for _, part in parts)
    return votes


def cfp_predict(votes):
    """The class of the largest sum of weights; of equal sums, of the feature with the highest weight; or None."""
    if not votes:
        return None
    most = max(map(sum, votes.values()))
    tied = [c for c in votes if sum(votes[c]) > most * (1 - 1e-9)]
    highest = max(max(votes[c]) for c in tied)
    best = [c for c in tied if max(votes[c]) > highest * (1 - 1e-9)]
    return best[0] if len(best) == 1 else None
