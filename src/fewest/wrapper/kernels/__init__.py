"""Fits of many subsets at once: logistic regression, least squares, naive Bayes."""
