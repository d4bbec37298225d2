"""Learners that see one example after the other, without scikit-learn: arrays and numbers in, predictions out."""
