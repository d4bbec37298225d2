"""
Is this leak real?
==================

A column that nearly gives the class away is a gift, or a leak: something that is known only after the class is. The
program looks for such columns before anything else, and says how good each is alone. Here one is planted.
"""

import matplotlib.pyplot as plt
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
# A picture shows the difference. A measurement that predicts well still overlaps; a leak does not.

fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
is_filled = treated != ""
for code, name in enumerate(cancer.target_names):
    own = cancer.target == code
    left.hist(cancer.data[own, 2], bins=np.arange(40, 195, 5), alpha=0.6, label=name)
    right.barh(name, (is_filled & own).sum(), color="#4477aa", label="filled" if code else None)
    right.barh(
        name, (~is_filled & own).sum(), left=(is_filled & own).sum(), color="#dddddd", label="empty" if code else None
    )
left.set_xlabel(cancer.feature_names[2])
left.set_ylabel("tumours")
left.legend(title="diagnosis")
right.set_xlabel("tumours, by whether surgery is filled")
right.legend()
plt.show()

# %%
# The measurements are no leaks, however well they predict: none of them is filled for one class only. ``surgery`` is.
# Whether it is known beforehand no program can tell: ask whoever made the table, and leave it out with ``--drop``.
