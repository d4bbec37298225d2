"""The version of the package, for whoever must write it down without importing the rest."""

__version__ = "0.1.0"
