"""
Which method to trust
=====================

Every method is right on some data. ``compare`` runs them on the same folds, each selecting on the training rows only,
and judges them by learners on the rows left out.
"""

import matplotlib.pyplot as plt

from fewest import compare
from fewest.datasets import load_votes
from fewest.plot import plot_agreement, plot_comparison

votes, party = load_votes(return_X_y=True)
comparison = compare(votes, party, learners=["tree"], n_repeats=1)
print(comparison.result["recommendation"]["sentence"])
for reason in comparison.result["recommendation"]["reasons"]:
    print("-", reason)

# %%
# One vote predicts as well as all sixteen.

print(comparison.selected)
plot_comparison(comparison)
plt.show()

# %%
# Do the methods choose the same? 1 is always the same, 0 is what chance would agree on.

plot_agreement(comparison)
plt.show()

# %%
# A notebook shows the whole comparison as a page; ``comparison.save("votes.html")`` writes it.

comparison
