import numpy as np
import pytest

from fewest.kernels.bits import pack
from fewest.mistakes.kernels.winnow import _pack


@pytest.mark.parametrize("n_features", [1, 7, 63, 64, 65, 127, 128, 129, 1000])
def test_bytes_are_packed_whatever_their_number(n_features):
    """The last word comes from bytes of which the word before has some, too."""
    rows = np.random.default_rng(n_features).integers(0, 2, (5, n_features), dtype=np.uint8)
    words = np.full((5, -(-n_features // 64)), 0xABCD, dtype=np.uint64)
    _pack(rows, words)
    assert words.tolist() == pack(rows.astype(bool)).T.tolist()
