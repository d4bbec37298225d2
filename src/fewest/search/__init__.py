"""The algorithms as the documents define them, over encoded samples.

They know neither scikit-learn, so that a command starts fast, nor files:
estimators and commands both call them.
"""
