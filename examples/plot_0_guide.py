"""
The guide, from top to bottom
=============================

What the guide says, to run: download this page as a notebook (below), and go through it with your own table in place of
the votes. Every step asks a question and prints the answer.
"""

import matplotlib.pyplot as plt

from fewest import MinFeatures, ReliefF, make_learner, make_report
from fewest.datasets import load_votes
from fewest.plot import plot_relevance

# %%
# **A table**: a row for every case, a column for everything that was measured, and one to understand. Put your own
# here, a frame of any library or an array.

votes, party = load_votes(return_X_y=True)
print(f"{votes.num_rows} rows, {votes.num_columns} columns")

# %%
# **How few columns tell the classes apart?** Proven, for every single row, strange ones included.

selector = MinFeatures().fit(votes, party)
print(f"{selector.support_.sum()} columns, proven: {selector.is_optimal_}")

# %%
# **And if labels are wrong at times?** Let one pair of rows in a hundred go.

tolerant = MinFeatures(tolerance=0.01).fit(votes, party)
print(list(tolerant.get_feature_names_out()))

# %%
# **How relevant is each column?** A smallest set leaves out what another can replace; relevance does not.

relief = ReliefF(n_features_to_select=3).fit(votes, party)
plot_relevance(relief)
plt.show()

# %%
# **Does it predict?** The learner sees the first 300 members and is asked about the others.

table = votes.to_pandas()
learner = make_learner("WG+ID3").fit(table[:300], party[:300])
print(f"{learner.score(table[300:], party[300:]):.1%} right on {len(table) - 300} others")

# %%
# **All of it on one page**, which ``save`` writes into a file:

make_report(tolerant, votes, party)
