"""
Which measurements of a tumour?
===============================

Thirty measurements were taken of each of 569 tumours. Many say the same twice. How few tell benign from malignant, how
sure is that, and what could take the place of what?
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from fewest import MinDescription

cancer = load_breast_cancer(as_frame=True)
X = cancer.data[[name for name in cancer.data.columns if name.startswith("worst")]]
y = cancer.target
selector = MinDescription().fit(X, y)
print("chosen:", list(selector.get_feature_names_out()))
print("described by", "a sum of what each contributes" if selector.model_ == "additive" else "cells of their intervals")

# %%
# The two that say the most, of those chosen: neither alone draws the line, together they come near.

strongest = selector.scores_.argsort()[::-1]
first, second = [feature for feature in strongest if selector.support_[feature]][:2]
fig, ax = plt.subplots(layout="constrained")
for code, name in enumerate(cancer.target_names):
    ax.scatter(X.iloc[:, first][y == code], X.iloc[:, second][y == code], s=9, alpha=0.6, label=name)
ax.set_xlabel(X.columns[first])
ax.set_ylabel(X.columns[second])
ax.legend(title="diagnosis")
plt.show()

# %%
# Other subsets explain the diagnosis nearly as well; their probabilities say how sure the choice is.

for other in selector.alternatives_[:4]:
    print(f"{other['probability']:6.1%}  {', '.join(X.columns[list(other['features'])])}")

# %%
# What is lost by measuring so little? A tree on the chosen ones, and on all ten:

tree = DecisionTreeClassifier(min_samples_leaf=10, random_state=0)
chosen = cross_val_score(make_pipeline(tree), X[selector.get_feature_names_out()], y, cv=5).mean()
print(f"accuracy {chosen:.3f} with the chosen, {cross_val_score(tree, X, y, cv=5).mean():.3f} with all")
