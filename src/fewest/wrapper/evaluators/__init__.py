"""How well a learner does with many subsets of features."""
