"""Search subsets of features by how well a learner does with each.

A search (beam, exhaustive or floating: `searches`) proposes candidates, an evaluator returns how well the learner does
with each, and the search keeps the best of every size. How a candidate is evaluated is none of its business.
"""
