"""
Few mistakes among many irrelevant features
===========================================

Five of ever more features decide the class. Winnow predicts each example before it learns it. Its mistakes grow with
the logarithm of the number of features, as its theorem says, where those of the perceptron grow with a power of it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Perceptron

from fewest import Winnow1


def perceptron_mistakes(X, y):
    """Predict, then learn, in blocks of ten."""
    learner, mistakes = Perceptron(), 0
    learner.partial_fit(X[:10], y[:10], classes=[False, True])
    for start in range(10, len(X), 10):
        block = slice(start, start + 10)
        mistakes += (learner.predict(X[block]) != y[block]).sum()
        learner.partial_fit(X[block], y[block])
    return mistakes


sizes = [100, 300, 1000, 3000]
winnow, bound, perceptron = [], [], []
for n_features in sizes:
    X = np.random.default_rng(0).random((2000, n_features)) < 0.1
    y = X[:, :5].any(axis=1)
    learner = Winnow1(n_relevant=5).partial_fit(X, y, classes=[False, True])
    winnow.append(learner.n_mistakes_)
    bound.append(learner.mistake_bound_)
    perceptron.append(perceptron_mistakes(X, y))

fig, ax = plt.subplots(layout="constrained")
ax.plot(sizes, perceptron, marker="s", label="perceptron")
ax.plot(sizes, bound, linestyle="--", color="0.5", label="theorem 7")
ax.plot(sizes, winnow, marker="o", label="Winnow1")
ax.set_xscale("log")
ax.set_xlabel("features")
ax.set_ylabel("mistakes in 2,000 trials")
ax.legend()
plt.show()
