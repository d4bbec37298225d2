"""
Why was this row called so?
===========================

A wine was said to be of the second cultivar. Which of its thirteen measurements decide that, and which other wines does
it take after? Relief's neighbors give an answer for one row: the nearest wine of the same kind, and of another.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from fewest import ReliefF

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target
row = 71
scaled = (X - X.min()) / (X.max() - X.min())
distance = (scaled - scaled.iloc[row]).abs().sum(axis=1).drop(row)
hit = distance[y == y[row]].idxmin()
miss = distance[y != y[row]].idxmin()
print(f"row {row} is of kind {y[row]}; nearest of its kind: row {hit}; nearest of another: row {miss} (kind {y[miss]})")

# %%
# Where it differs from the miss and not from the hit, the measurement speaks for its kind. Relevance over all wines
# says whether that is so in general.

speaks = (scaled.iloc[row] - scaled.iloc[miss]).abs() - (scaled.iloc[row] - scaled.iloc[hit]).abs()
relevance = ReliefF(n_features_to_select=3).fit(X, y).scores_
order = np.argsort(speaks.to_numpy())
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
left.barh(X.columns[order], speaks.iloc[order], color=np.where(speaks.iloc[order] > 0, "#0072b2", "#d55e00"))
left.set_title(f"row {row}: for its kind, or against it")
right.barh(X.columns[order], relevance[order], color="#999999")
right.set_title("relevance over all wines")
plt.show()
