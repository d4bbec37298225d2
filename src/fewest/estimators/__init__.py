"""What all scikit-learn estimators of the house share: input of any kind of table, and the contract of a selector."""
