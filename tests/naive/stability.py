"""The stability index of Nogueira, Sechidis and Brown (2018), from its definition: plain loops over 0 and 1."""


def stability(subsets):
    """Definition 4: one less the mean variance of the choices over that of random ones; None if undefined."""
    m, d = len(subsets), len(subsets[0])
    mean_size = sum(sum(subset) for subset in subsets) / m
    by_chance = mean_size / d * (1 - mean_size / d)
    if by_chance == 0:
        return None
    total = 0.0
    for f in range(d):
        p = sum(subset[f] for subset in subsets) / m
        total += m / (m - 1) * p * (1 - p)
    return 1 - total / d / by_chance


def variance(subsets):
    """Theorem 7: the variance of the index, from the contribution of every subset."""
    m, d = len(subsets), len(subsets[0])
    index = stability(subsets)
    k_bar = sum(sum(subset) for subset in subsets) / m
    p = [sum(subset[f] for subset in subsets) / m for f in range(d)]
    by_chance = k_bar / d * (1 - k_bar / d)
    phi = []
    for subset in subsets:
        k = sum(subset)
        agreed = sum(subset[f] * p[f] for f in range(d)) / d
        phi.append((agreed - k * k_bar / d**2 + index / 2 * (2 * k_bar * k / d**2 - k / d - k_bar / d + 1)) / by_chance)
    mean = sum(phi) / m
    return 4 / m**2 * sum((value - mean) ** 2 for value in phi)


def correlation(a, b):
    """Return Pearson's correlation of two lists of 0 and 1; None where one is constant."""
    n = len(a)
    mean_a, mean_b = sum(a) / n, sum(b) / n
    covariance = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True)) / n
    spread_a = sum((x - mean_a) ** 2 for x in a) / n
    spread_b = sum((y - mean_b) ** 2 for y in b) / n
    return covariance / (spread_a * spread_b) ** 0.5 if spread_a and spread_b else None
