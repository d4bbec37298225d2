"""Fitted models without scikit-learn: raw columns encoded, predictions for them, and model files."""
