"""
Is anything there at all?
=========================

With enough columns something always seems to matter. Shuffle the labels, and see whether the answer changes: the
permutation test of ReliefF does so by itself. With ``correction="bonferroni"`` the chance that any column of pure noise
is kept is ``alpha``, 5%.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from fewest import ReliefF

wine = load_wine()
rng = np.random.default_rng(0)
X = np.hstack([wine.data, rng.normal(size=(178, 40))])  # thirteen measurements, and forty columns of noise
names = [*wine.feature_names, *(f"noise {k}" for k in range(40))]
real = ReliefF(correction="bonferroni", random_state=0).fit(X, wine.target)
shuffled = ReliefF(correction="bonferroni", min_features_to_select=0, random_state=0).fit(
    X, rng.permutation(wine.target)
)
print(f"real labels: {real.support_[:13].sum()} of 13 measurements and {real.support_[13:].sum()} of 40 noise kept")
print(f"shuffled labels: {shuffled.support_.sum()} of 53 kept")

# %%
# The measurements have the smallest p-values; those of noise are anywhere, most near 1, since the test is cautious.

fig, ax = plt.subplots(layout="constrained")
ax.hist([real.pvalues_[:13], real.pvalues_[13:]], bins=10, stacked=True, label=["measurements", "noise"])
ax.set_xlabel("p-value")
ax.set_ylabel("columns")
ax.legend()
plt.show()
