"""What all scikit-learn estimators share: input of any kind of table, options, and the base of selectors."""
