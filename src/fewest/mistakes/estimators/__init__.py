"""Winnow, halving and the standard optimal algorithm as scikit-learn classifiers, and Boolean transformers."""
