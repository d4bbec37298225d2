"""
Which tests are worth their price?
==================================

Columns cost money: a question costs little, a laboratory test much. ``costs`` asks for the cheapest columns that tell
the classes apart, not for the fewest. Here the price of a vote is made up; in a clinic it is not.
"""

import matplotlib.pyplot as plt

from fewest import MinFeatures
from fewest.datasets import load_votes

votes, party = load_votes(return_X_y=True)
price = {name: 5.0 if name in ("physician-fee-freeze", "crime") else 1.0 for name in votes.column_names}

fewest = MinFeatures(tolerance=0.01).fit(votes, party)
cheapest = MinFeatures(tolerance=0.01, costs=[price[name] for name in votes.column_names]).fit(votes, party)
answers = {"fewest": fewest.get_feature_names_out(), "cheapest": cheapest.get_feature_names_out()}
for title, names in answers.items():
    print(f"{title:8} {sum(price[name] for name in names):4.0f}  {', '.join(names)}")

# %%
# Each box is a vote, as wide as its price:

fig, ax = plt.subplots(figsize=(8, 2.4), layout="constrained")
for title, names in answers.items():
    paid = 0.0
    for name in names:
        ax.barh(title, price[name], left=paid, color="#cc6677" if price[name] > 1 else "#4477aa", edgecolor="white")
        paid += price[name]
    ax.text(paid, title, f"  {paid:.0f}", va="center")
ax.invert_yaxis()
ax.set_xlabel("price (red: the dear ones)")
plt.show()

# %%
# A vote that must be in the answer whatever it costs, and one that nobody may use, are ``include`` and ``exclude``.

without = MinFeatures(tolerance=0.01, exclude=["physician-fee-freeze"]).fit(votes, party)
print(len(without.get_feature_names_out()), "votes without the one on physicians' fees")
