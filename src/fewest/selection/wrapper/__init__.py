"""Wrappers: selectors that ask the learner itself how well it does with a subset of the features."""

from fewest.selection.wrapper.algorithms import OrderedFS, OrderedFS2, StandardWrap

__all__ = ["OrderedFS", "OrderedFS2", "StandardWrap"]
