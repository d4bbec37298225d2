"""Sums of absolute differences between rows: Manhattan distances, which no matrix product computes.

Rows are turned, a tile at a time, so that a vector holds one feature of several rows. A tile stays close to the
processor while all sampled rows go by. Each pair of rows is summed in the same order wherever the two lie, so that
their distance depends on them alone; partial sums over a tile keep rounding small however many the features.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_within

# Rows and features of a tile: 32 KB in single precision. Features are a multiple of the eight that are added at a time.
TILE_ROWS, TILE_FEATURES = 128, 64


@compiled
def add_absolute_differences(sampled, rows, sums):
    """Add the absolute differences of all features between sampled rows and all rows.

    Parameters
    ----------
    sampled : float32 array of shape (n_sampled, n_features)
    rows : float32 array of shape (n_rows, n_features)
    sums : float32 array of shape (n_sampled, n_rows)
        Added to.
    """
    n_rows, n_features = rows.shape
    tile, part = np.empty((TILE_FEATURES, TILE_ROWS), np.float32), np.empty(TILE_ROWS, np.float32)
    own = np.empty(TILE_FEATURES, np.float32)
    for first_row in range(0, n_rows, TILE_ROWS):
        n = min(TILE_ROWS, n_rows - first_row)
        for first in range(0, n_features, TILE_FEATURES):
            n_used = min(TILE_FEATURES, n_features - first)
            n_padded = -(-n_used // 8) * 8  # features that are not there are 0 in all rows, and never differ
            tile[n_used:n_padded] = 0
            own[n_used:n_padded] = 0
            for j in range(n):
                for f in range(n_used):
                    tile[f, j] = rows[first_row + j, first + f]
            for s in range(len(sampled)):
                own[:n_used] = sampled[s, first : first + n_used]
                part[:] = 0
                for f in range(0, n_padded, 8):
                    _add_eight(own[f : f + 8], tile[f : f + 8], part)
                for j in range(n):
                    sums[s, first_row + j] += part[j]


@compiled_within
def _add_eight(own, features, part):
    """Add the differences of eight features of the rows of a tile."""
    p, q, r, s = own[0], own[1], own[2], own[3]
    t, u, v, w = own[4], own[5], own[6], own[7]
    a, b, c, d = features[0], features[1], features[2], features[3]
    e, f, g, h = features[4], features[5], features[6], features[7]
    for j in range(TILE_ROWS):
        first = (abs(a[j] - p) + abs(b[j] - q)) + (abs(c[j] - r) + abs(d[j] - s))
        part[j] += first + ((abs(e[j] - t) + abs(f[j] - u)) + (abs(g[j] - v) + abs(h[j] - w)))
