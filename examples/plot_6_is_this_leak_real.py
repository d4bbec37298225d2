"""
Is this leak real?
==================

A column that nearly gives the class away is a gift, or a leak: something that is known only after the class is. The
program looks for such columns before anything else, and says how good each is alone. Here one is planted.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer

from fewest.screening import screen
from fewest.table import from_array, split_target

cancer = load_breast_cancer()
treated = np.where(cancer.target == 0, "scheduled", "")  # the treatment follows the diagnosis
rows = np.column_stack([cancer.data[:, :6].astype(object), treated, cancer.target_names[cancer.target]])
names = [*cancer.feature_names[:6], "surgery", "diagnosis"]
found = screen(*split_target(from_array(rows, names), "diagnosis"))
print("leaks:", found.leaks)

# %%
# The measurements are no leaks, however well they predict: none of them is filled for one class only. ``surgery`` is.
# Whether it is known beforehand no program can tell: ask whoever made the table, and leave it out with ``--drop``.
