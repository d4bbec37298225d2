"""Learning with few mistakes: Winnow, halving, the optimal algorithm, mistake trees, queries (Littlestone, 1988)."""

from fewest.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
