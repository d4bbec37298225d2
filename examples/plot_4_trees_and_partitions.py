"""
Models to look at: trees and partitions
=======================================

Iris flowers, told apart by a tree over intervals, and by partitions of every feature that vote.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.utils import shuffle

from fewest import CFPClassifier, ID3Classifier
from fewest.plot import plot_partitions, plot_tree
from fewest.preprocessing import IntervalDiscretizer

iris = load_iris(as_frame=True)
X, y = shuffle(iris.data, iris.target_names[iris.target], random_state=0)

tree = make_pipeline(IntervalDiscretizer().set_output(transform="pandas"), ID3Classifier()).fit(X[:100], y[:100])
print(f"tree: {tree.score(X[100:], y[100:]):.1%} right on 50 others")
plot_tree(tree)
plt.show()

# %%
# CFP: each feature's line, divided among the classes. Petals tell more than sepals, and their votes count more.

partitions = CFPClassifier(limit="5%").fit(X[:100], y[:100])
print(f"partitions: {partitions.score(X[100:], y[100:]):.1%} right on 50 others")
plot_partitions(partitions)
plt.show()
