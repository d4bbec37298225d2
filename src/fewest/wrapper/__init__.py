"""Wrappers (Ng, 1998): ask a learner how well it does with a subset of the features, and search for the best subset."""
