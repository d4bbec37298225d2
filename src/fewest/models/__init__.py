"""Fitted models without scikit-learn: how raw columns become codes, what is predicted for them, and the files."""
