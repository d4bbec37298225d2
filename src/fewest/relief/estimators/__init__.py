"""The Reliefs as scikit-learn selectors: validate, rank, store."""

from fewest.relief.estimators.relief import Relief
from fewest.relief.estimators.relief_then_cover import ReliefThenCover
from fewest.relief.estimators.relieff import ReliefF
from fewest.relief.estimators.rrelieff import RReliefF

__all__ = ["RReliefF", "Relief", "ReliefF", "ReliefThenCover"]
