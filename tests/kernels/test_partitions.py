"""Plain and compiled code say the same, on more partitions than the naive twin can take."""

import numpy as np
import pytest

from fewest.kernels.partitions import locate, locate_fast
from fewest.partitions.concept import Concept
from fewest.partitions.settings import Settings


@pytest.mark.parametrize("n_places", [1, 2, 32, 33, 34, 100, 1000])
def test_both_ways_to_locate(n_places):
    rng = np.random.default_rng(n_places)
    places = np.concatenate([[-np.inf], np.sort(rng.random(n_places - 1))])
    values = np.concatenate([rng.random(50), places[1:50]])
    one, two = np.empty((2, len(values)), dtype=np.int32)
    locate(places, n_places, values, one)
    locate_fast(places, n_places, values, two)
    assert one.tolist() == two.tolist()


@pytest.mark.parametrize("between", ["merge", "nearer"])
@pytest.mark.parametrize("noise", [0.0, 0.05, 1.0])
def test_plain_and_compiled_concepts_are_the_same(between, noise):
    rng = np.random.default_rng(0)
    columns = [*rng.random((4, 3000)).round(3)]
    columns[0][::7] = np.nan
    stripes = (columns[1] * 20).astype(int) % 3
    classes = np.where(rng.random(3000) < noise, rng.integers(0, 3, 3000), stripes)
    empty = Concept.empty([0.01, 0.01, 0.0, 0.2], 3, Settings(between=between))
    plain, compiled = (empty.learned(columns, classes, compiled=kind) for kind in (False, True))
    for one, two in zip(plain.features, compiled.features, strict=True):
        assert one.partitions() == two.partitions()
        assert (one.right, one.wrong) == (two.right, two.wrong)
    votes = [plain.votes(columns, 3000, compiled=kind) for kind in (False, True)]
    np.testing.assert_allclose(*votes)
