"""Which method to trust on given data: selectors side by side, judged on rows that they have not seen."""

from fewest.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
