"""Data made from a seed, with the features that matter known: LED displays, linear thresholds and parity."""

from fewest.domains.domain import Domain
from fewest.domains.led import led
from fewest.domains.linear_threshold import linear_threshold
from fewest.domains.parity import parity

__all__ = ["Domain", "led", "linear_threshold", "parity"]
