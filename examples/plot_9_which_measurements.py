"""
Which measurements of a tumour?
===============================

Thirty measurements were taken of each of 569 tumours. Many say the same twice. How few tell benign from malignant, how
sure is that, and what could take the place of what?
"""

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
for feature, cuts in selector.cuts_.items():
    print(f"  {X.columns[feature]} is cut at {', '.join(f'{cut:.3g}' for cut in cuts)}")

# %%
# Other subsets explain the diagnosis nearly as well; their probabilities say how sure the choice is.

for other in selector.alternatives_[:4]:
    print(f"{other['probability']:6.1%}  {', '.join(X.columns[list(other['features'])])}")

# %%
# What is lost by measuring so little? A tree on the chosen ones, and on all ten:

tree = DecisionTreeClassifier(min_samples_leaf=10, random_state=0)
chosen = cross_val_score(make_pipeline(tree), X[selector.get_feature_names_out()], y, cv=5).mean()
print(f"accuracy {chosen:.3f} with the chosen, {cross_val_score(tree, X, y, cv=5).mean():.3f} with all")
