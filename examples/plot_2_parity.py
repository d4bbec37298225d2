"""
Features that tell something only together
==========================================

The class is the parity of three features among twenty, with some noise. Alone, none of the three tells anything about
the class. A score of single features, such as mutual information, cannot find them; Relief can, since it compares
neighbors.
"""

import matplotlib.pyplot as plt
from sklearn.feature_selection import mutual_info_classif

from fewest import ReliefF
from fewest.datasets import make_parity
from fewest.plot import plot_relevance

X, y, relevant = make_parity(400, relevant=3, irrelevant=17, noise=0.05, random_state=0)

scores = mutual_info_classif(X, y, discrete_features=True)
best = sorted(range(20), key=lambda j: -scores[j])[:3]
print("relevant:", relevant, "  highest mutual information:", best)

# %%
# Relief, with standard errors: the three stand out, and no other comes near.

selector = ReliefF(n_features_to_select=3).fit(X, y)
print("highest relevance:", selector.get_support(indices=True))
plot_relevance(selector)
plt.show()

# %%
# More rows make it more certain. ``history_`` keeps the relevance after 1, 2, 4, 8, ... rows sampled.

fig, ax = plt.subplots(layout="constrained")
sampled = [step["n_sampled"] for step in selector.history_]
for feature in range(20):
    colour = "#4477aa" if feature in relevant else "#cccccc"
    ax.plot(sampled, [step["scores"][feature] for step in selector.history_], color=colour)
ax.set_xscale("log")
ax.set_xlabel("rows sampled")
ax.set_ylabel("relevance")
plt.show()
