"""
Which pixels tell a 3 from an 8?
================================

A digit has 64 pixels. How few of them tell nearly every 3 from every 8, and where are they?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from fewest import ReliefF, WeightedGreedy

digits = load_digits()
some = np.isin(digits.target, (3, 8))
X, y = digits.data[some] > 7, digits.target[some]
few = WeightedGreedy(tolerance=0.001).fit(X, y)
relevance = ReliefF(n_features_to_select=8).fit(X, y)
print(f"{few.support_.sum()} of 64 pixels leave one pair in a thousand unseparated")

# %%
# The few are at the left, where an 8 closes and a 3 does not; relevance shows all that help.

fig, panels = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained")
for ax, picture, title in zip(
    panels,
    (digits.data[some][y == 3].mean(axis=0) - digits.data[some][y == 8].mean(axis=0), few.support_, relevance.scores_),
    ("3 minus 8, on average", "the few", "relevance"),
    strict=True,
):
    ax.imshow(np.reshape(picture, (8, 8)), cmap="coolwarm" if "minus" in title else "Greys")
    ax.set_title(title, fontsize=10)
    ax.set_axis_off()
plt.show()
