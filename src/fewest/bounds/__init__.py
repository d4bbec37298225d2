"""The calculator: every bound that a room's ``bounds.py`` declares, solved for the quantity left out."""

from fewest.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
