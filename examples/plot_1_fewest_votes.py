"""
Nine votes that tell all Democrats from all Republicans
=======================================================

In 1984 the members of the United States House of Representatives cast sixteen votes that were recorded with their
party. How few of them tell every Democrat from every Republican?
"""

import matplotlib.pyplot as plt

from fewest import MinFeatures, ReliefF, make_report
from fewest.datasets import load_votes
from fewest.plot import plot_relevance

votes, party = load_votes(return_X_y=True)
selector = MinFeatures().fit(votes, party)
print(f"{selector.support_.sum()} of {votes.num_columns} votes; proven: {selector.is_optimal_}")

# %%
# For each of the nine there are two members of different parties that, among the nine, only this vote tells apart.

for feature, (i, j) in selector.witnesses_.items():
    print(f"{votes.column_names[feature]:40} row {i:3} ({party[i]}) and row {j:3} ({party[j]})")

# %%
# No other nine votes do it: all smallest subsets share these.

print(len(selector.core()), "votes are in every smallest subset")

# %%
# A few members voted strangely. The more pairs of members may stay unseparated, the fewer votes it takes.

for tolerance in (0, 0.005, 0.01, 0.02):
    names = MinFeatures(tolerance=tolerance).fit(votes, party).get_feature_names_out()
    print(f"{tolerance:6.1%}  {len(names)}  {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}")

# %%
# A smallest subset leaves out what another vote can replace. Relevance shows every vote.

plot_relevance(ReliefF().fit(votes, party))
plt.show()

# %%
# All of that on one page, as a notebook shows it, or as a file with ``report.save("votes.html")``:

report = make_report(selector, votes, party)
report
