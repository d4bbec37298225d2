"""Searching subsets of features by what a learner makes of them: the wrapper model.

A search (`beam`, `exhaustive`, `floating`) proposes candidates, an evaluator
says how well the learner does with each, and the search keeps, for every size, the best.
How a candidate is evaluated is none of its business.
"""
