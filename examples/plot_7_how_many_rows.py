"""
How many rows do I need?
========================

Before any data is collected, the papers' bounds say how many examples are enough, whatever the distribution. They are
worst cases: a simulation with data like yours says how many are needed in truth.
"""

import matplotlib.pyplot as plt
import numpy as np

from fewest import MinFeatures, bounds

sizes = [10, 30, 100, 300, 1000]
enough = [bounds.min_features(n_features=n, n_relevant=3, epsilon=0.1, delta=0.05) for n in sizes]


def rows_in_truth(n_features):
    """Return how many rows it takes until the three features are found in 9 of 10 samples."""
    n_rows = 8
    while True:
        n_rows = int(n_rows * 1.3)
        right = 0
        for seed in range(10):
            X = np.random.default_rng([n_rows, seed]).integers(0, 2, (n_rows, n_features))
            right += set(MinFeatures().fit(X, X[:, 0] & (X[:, 1] | X[:, 2])).get_support(indices=True)) == {0, 1, 2}
        if right >= 9:
            return n_rows


needed = [rows_in_truth(n) for n in sizes]
for n, bound, truth in zip(sizes, enough, needed, strict=True):
    print(f"{n:5} features: theorem 1 asks for {bound:4.0f} examples, a simulation needs {truth}")

# %%
# Both grow with the logarithm of the number of features: a hundred times the columns take about twice the rows.

fig, ax = plt.subplots(layout="constrained")
ax.plot(sizes, enough, "--", color="0.5", label="theorem 1")
ax.plot(sizes, needed, "o-", label="needed in truth")
ax.set_xscale("log")
ax.set_xlabel("features")
ax.set_ylabel("examples")
ax.legend()
plt.show()
