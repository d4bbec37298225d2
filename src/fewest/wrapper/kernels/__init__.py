"""Fits of many subsets at once, compiled and in NumPy: logistic regression, least squares, naive Bayes."""
