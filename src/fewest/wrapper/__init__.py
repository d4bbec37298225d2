"""Wrappers (Ng, 1998): ask a learner how well it does with a subset of the features, and search for the best subset.

``options``      parameters, defaults and checks of STANDARD-WRAP, ORDERED-FS and ORDERED-FS2
``wrap``         the three algorithms: split the rows, search, choose; ``tables`` runs them on typed columns
``search``       which subsets are tried: beam, exhaustive, floating; checkpoints
``evaluators``   how well a learner does with a subset: clones of any estimator, and fast paths
``result``       what was found, and how much of it may be luck
``bounds``       the theorems; ``different_subsets`` has theorem 6
``estimators``   the scikit-learn selectors
"""
