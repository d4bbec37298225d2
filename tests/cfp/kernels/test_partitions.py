"""Plain and compiled code say the same, on more partitions than the naive twin can take."""

import numpy as np
import pytest

from fewest.cfp.concept import Concept
from fewest.cfp.kernels.locate import locate, padded, room_for_grid
from fewest.cfp.options import Settings

SPREADS = {
    "even": lambda numbers: numbers,
    "far apart": lambda numbers: np.exp(40 * numbers),  # nearly all in one cell of a grid
    "close together": lambda numbers: 1 + numbers * 1e-13,
    "from end to end": lambda numbers: (numbers - 0.5) * 3.5e308,  # whose range is no number
    "hardly apart": lambda numbers: numbers.round(3) * 1e-318,  # whose cells are no numbers
    "equal": lambda numbers: numbers * 0 + 7,
}


@pytest.mark.parametrize("n_boundaries", [1, 2, 32, 33, 34, 100, 255, 256, 1000])
@pytest.mark.parametrize("spread", SPREADS)
def test_both_ways_to_locate(n_boundaries, spread):
    rng = np.random.default_rng(n_boundaries)
    inner = np.unique(SPREADS[spread](rng.random(n_boundaries - 1)))
    others = SPREADS[spread](rng.random(300))
    values = np.concatenate([others, inner[:50], inner[-50:], [-1e300, 1e300, np.nan]])
    boundaries = [-np.inf, *inner.tolist()]
    below = [sum(boundary <= x for boundary in boundaries) - 1 for x in values.tolist()]
    expected = [2 * max(k, 0) + (boundaries[k] == x) for k, x in zip(below, values.tolist(), strict=True)]
    for way in (locate, locate.compiled):
        where = np.empty(len(values), dtype=np.uint32)
        way(padded(inner), len(boundaries), values, where, room_for_grid(len(boundaries)))
        assert where.tolist() == expected


@pytest.mark.parametrize("between", ["merge", "nearer"])
@pytest.mark.parametrize("noise", [0.0, 0.05, 1.0])
def test_plain_and_compiled_concepts_are_the_same(between, noise):
    rng = np.random.default_rng(0)
    columns = [*rng.random((4, 3000)).round(3)]
    columns[0][::7] = np.nan
    stripes = (columns[1] * 20).astype(int) % 3
    classes = np.where(rng.random(3000) < noise, rng.integers(0, 3, 3000), stripes)
    empty = Concept.empty([0.01, 0.01, 0.0, 0.2], 3, Settings(between=between))
    plain, fast = (empty.learned(columns, classes, compiled=kind) for kind in (False, True))
    for one, two in zip(plain.features, fast.features, strict=True):
        assert one.partitions() == two.partitions()
        assert (one.right, one.wrong) == (two.right, two.wrong)
    votes = [plain.votes(columns, 3000, compiled=kind) for kind in (False, True)]
    np.testing.assert_allclose(*votes)


def test_threads_change_nothing():
    rng = np.random.default_rng(1)
    columns, classes = [*rng.normal(size=(5, 20_000))], rng.integers(0, 2, 20_000)
    empty = Concept.empty([0.01] * 5, 2, Settings())
    alone, together = (empty.learned(columns, classes, compiled=True, n_jobs=n) for n in (1, 3))
    for one, two in zip(alone.features, together.features, strict=True):
        assert {name: array.tolist() for name, array in one.to_arrays().items()} == {
            name: array.tolist() for name, array in two.to_arrays().items()
        }
    np.testing.assert_array_equal(*(alone.votes(columns, 20_000, compiled=True, n_jobs=n) for n in (1, 3)))
