"""Learning when most features are irrelevant: the fewest features, the fewest examples, the fewest mistakes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from fewest.version import __version__ as __version__

if TYPE_CHECKING:
    from fewest.datasets import load_votes
    from fewest.domains import led, parity
    from fewest.learning.cfp import CFPClassifier
    from fewest.learning.fringe import FringeClassifier, FringeFeatures
    from fewest.learning.ga_cfp import GACFPClassifier
    from fewest.learning.id3 import ID3Classifier
    from fewest.learning.intervals import IntervalDiscretizer
    from fewest.learning.pipelines import make_learner
    from fewest.models.load import load_model
    from fewest.report.decision_tree import plot_tree
    from fewest.report.feature_partitions import plot_partitions
    from fewest.report.relevance import plot_relevance
    from fewest.report.search_tree import plot_search_tree
    from fewest.search.sufficiency import conflicts, count_conflicts, sufficiency
    from fewest.selection.focus import Focus1, Focus2
    from fewest.selection.greedy import MutualInformationGreedy, SimpleGreedy, WeightedGreedy
    from fewest.selection.min_features import MinFeatures
    from fewest.selection.relief import Relief, ReliefF, RReliefF
    from fewest.selection.relief_then_cover import ReliefThenCover
    from fewest.solvers import CoverProblem, solve_cover
    from fewest.table import Table, read_table

# Every public name and where it lives. Importing `fewest` must stay cheap: the command line does it first.
_HOMES = {
    "CFPClassifier": "fewest.learning.cfp",
    "Focus1": "fewest.selection.focus",
    "CoverProblem": "fewest.solvers",
    "Focus2": "fewest.selection.focus",
    "FringeClassifier": "fewest.learning.fringe",
    "FringeFeatures": "fewest.learning.fringe",
    "GACFPClassifier": "fewest.learning.ga_cfp",
    "ID3Classifier": "fewest.learning.id3",
    "IntervalDiscretizer": "fewest.learning.intervals",
    "MinFeatures": "fewest.selection.min_features",
    "MutualInformationGreedy": "fewest.selection.greedy",
    "RReliefF": "fewest.selection.relief",
    "Relief": "fewest.selection.relief",
    "ReliefF": "fewest.selection.relief",
    "ReliefThenCover": "fewest.selection.relief_then_cover",
    "SimpleGreedy": "fewest.selection.greedy",
    "Table": "fewest.table",
    "WeightedGreedy": "fewest.selection.greedy",
    "conflicts": "fewest.search.sufficiency",
    "count_conflicts": "fewest.search.sufficiency",
    "led": "fewest.domains",
    "load_model": "fewest.models.load",
    "load_votes": "fewest.datasets",
    "make_learner": "fewest.learning.pipelines",
    "parity": "fewest.domains",
    "plot_partitions": "fewest.report.feature_partitions",
    "plot_relevance": "fewest.report.relevance",
    "plot_search_tree": "fewest.report.search_tree",
    "plot_tree": "fewest.report.decision_tree",
    "read_table": "fewest.table",
    "solve_cover": "fewest.solvers",
    "sufficiency": "fewest.search.sufficiency",
}

__all__ = [
    "CFPClassifier",
    "CoverProblem",
    "Focus1",
    "Focus2",
    "FringeClassifier",
    "FringeFeatures",
    "GACFPClassifier",
    "ID3Classifier",
    "IntervalDiscretizer",
    "MinFeatures",
    "MutualInformationGreedy",
    "RReliefF",
    "Relief",
    "ReliefF",
    "ReliefThenCover",
    "SimpleGreedy",
    "Table",
    "WeightedGreedy",
    "conflicts",
    "count_conflicts",
    "led",
    "load_model",
    "load_votes",
    "make_learner",
    "parity",
    "plot_partitions",
    "plot_relevance",
    "plot_search_tree",
    "plot_tree",
    "read_table",
    "solve_cover",
    "sufficiency",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'fewest' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
