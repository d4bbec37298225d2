"""Littlestone (1988): learning with few mistakes."""

from itertools import combinations


def winnow(examples, n_features, kind, alpha, theta):
    """Mistaken trials and final weights of WINNOW1, WINNOW2 or the balanced variant, in exact arithmetic.

    Examples are (tuple of 0 and 1, label); alpha and theta are fractions. The
    balanced variant keeps a weight for and one against every feature, and has a
    feature that is always 1.
    """
    extra = (1,) if kind == "balanced" else ()
    plus = [alpha / alpha] * (n_features + len(extra))
    minus = [alpha / alpha * (kind == "balanced")] * len(plus)
    mistakes = []
    for trial, (instance, label) in enumerate(examples):
        x = (*instance, *extra)
        predicted = sum((p - m) * x_i for p, m, x_i in zip(plus, minus, x, strict=True)) > theta
        if predicted == label:
            continue
        mistakes.append(trial)
        for i, x_i in enumerate(x):
            if x_i and label:
                plus[i], minus[i] = plus[i] * alpha, minus[i] / alpha
            elif x_i:
                plus[i], minus[i] = (0 if kind == "winnow1" else plus[i] / alpha), minus[i] * alpha
    return mistakes, [p - m for p, m in zip(plus, minus, strict=True)]


def winnow_of_classes(examples, n_features, n_classes, kind, alpha, theta):
    """What one winnow a class predicts, the highest score and of equal ones the first, in exact arithmetic.

    Examples are (tuple of 0 and 1, class). Every winnow learns from every example, whatever all together predicted.
    """
    extra = (1,) if kind == "balanced" else ()
    plus = [[alpha / alpha] * (n_features + len(extra)) for _ in range(n_classes)]
    minus = [[alpha / alpha * (kind == "balanced")] * (n_features + len(extra)) for _ in range(n_classes)]
    predictions = []
    for instance, label in examples:
        x = (*instance, *extra)
        scores = [
            sum((p - m) * x_i for p, m, x_i in zip(*both, x, strict=True)) for both in zip(plus, minus, strict=True)
        ]
        predictions.append(scores.index(max(scores)))
        for c, score in enumerate(scores):
            if (score > theta) == (c == label):
                continue
            for i, x_i in enumerate(x):
                if x_i and c == label:
                    plus[c][i], minus[c][i] = plus[c][i] * alpha, minus[c][i] / alpha
                elif x_i:
                    plus[c][i], minus[c][i] = (0 if kind == "winnow1" else plus[c][i] / alpha), minus[c][i] * alpha
    return predictions


def consistent(concepts, instance, value):
    """xi_value(C, x): concepts are tuples of values, instances are positions in them."""
    return [concept for concept in concepts if concept[instance] == value]


def halving(concepts, trials):
    """The predictions of the halving algorithm."""
    predictions = []
    for instance, label in trials:
        ones, zeros = consistent(concepts, instance, 1), consistent(concepts, instance, 0)
        predictions.append(int(len(ones) > len(zeros)))
        concepts = ones if label else zeros
    return predictions


def largest_tree(concepts):
    """K(C): the height of the largest complete mistake tree."""
    if not concepts:
        return -1
    heights = [0]
    for instance in range(len(concepts[0])):
        zeros, ones = (consistent(concepts, instance, value) for value in (0, 1))
        if zeros and ones:
            heights.append(1 + min(largest_tree(zeros), largest_tree(ones)))
    return max(heights)


def standard_optimal(concepts, trials):
    """The predictions of the standard optimal algorithm."""
    predictions = []
    for instance, label in trials:
        ones, zeros = consistent(concepts, instance, 1), consistent(concepts, instance, 0)
        predictions.append(int(largest_tree(ones) > largest_tree(zeros)))
        concepts = ones if label else zeros
    return predictions


def vc_dimension(concepts):
    """The size of the largest shattered set of instances."""
    sizes = range(len(concepts[0]) + 1)
    return max(
        size
        for size in sizes
        for chosen in combinations(sizes[:-1], size)
        if len({tuple(concept[x] for x in chosen) for concept in concepts}) == 2**size
    )
