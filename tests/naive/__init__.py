"""Slow oracles, written from the papers, one file a subject. Nothing here imports fewest."""

from naive.cfp import *  # noqa: F403 (all oracles under one name)
from naive.min_description import *  # noqa: F403 (all oracles under one name)
from naive.min_features import *  # noqa: F403 (all oracles under one name)
from naive.mistakes import *  # noqa: F403 (all oracles under one name)
from naive.relief import *  # noqa: F403 (all oracles under one name)
from naive.trees import *  # noqa: F403 (all oracles under one name)
