"""
How many rows do I need?
========================

Before any data is collected, the papers' bounds say how many examples are enough, whatever the distribution. They are
worst cases: a simulation with data like yours says how many are needed in truth.
"""

import matplotlib.pyplot as plt
import numpy as np

from fewest import MinFeatures
from fewest.bounds import bound

sizes = [10, 50, 250]
enough = [bound("min-features", n=n, p=3, epsilon=0.1, delta=0.05).value for n in sizes]


def rows_in_truth(n_features):
    """Return how many rows it takes until the three features are found in 19 of 20 samples."""
    n_rows = 16
    while True:
        n_rows += 4
        right = 0
        for seed in range(20):
            X = np.random.default_rng([n_rows, seed]).integers(0, 2, (n_rows, n_features))
            right += set(MinFeatures().fit(X, X[:, 0] & (X[:, 1] | X[:, 2])).get_support(indices=True)) == {0, 1, 2}
        if right >= 19:
            return n_rows


needed = [rows_in_truth(n) for n in sizes]
for n, asked, truth in zip(sizes, enough, needed, strict=True):
    print(f"{n:5} features: theorem 1 asks for {asked:4.0f} examples, a simulation needs {truth}")

# %%
# Theorem 1 grows with the logarithm of the number of features, and the need is far below it: five times the columns do
# not take five times the rows.

fig, ax = plt.subplots(layout="constrained")
ax.plot(sizes, enough, "--", color="0.5", label="theorem 1")
ax.plot(sizes, needed, "o-", label="needed in truth")
ax.set_xscale("log")
ax.set_xlabel("features")
ax.set_ylabel("examples")
ax.legend()
plt.show()
