"""Learning when most features are irrelevant: the fewest features, the fewest examples, the fewest mistakes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from fewest.version import __version__ as __version__

if TYPE_CHECKING:
    from fewest.comparison.compare import Comparison, compare
    from fewest.datasets import load_votes
    from fewest.domains import led, linear_threshold, parity
    from fewest.learning.boolean_tests import BooleanTests
    from fewest.learning.cfp import CFPClassifier
    from fewest.learning.fringe import FringeClassifier, FringeFeatures
    from fewest.learning.ga_cfp import GACFPClassifier
    from fewest.learning.id3 import ID3Classifier
    from fewest.learning.intervals import IntervalDiscretizer
    from fewest.learning.literals import ComplementedLiterals, Monomials
    from fewest.learning.pipelines import make_learner
    from fewest.learning.version_space import Halving, StandardOptimal
    from fewest.learning.winnow import BalancedWinnow, Winnow1, Winnow2
    from fewest.models.load import load_model
    from fewest.online.examples import PackedBits
    from fewest.online.queries import as_online_learner, as_query_learner, ask
    from fewest.report.comparison import plot_agreement, plot_comparison
    from fewest.report.decision_tree import plot_tree
    from fewest.report.estimators import Report, make_report
    from fewest.report.feature_partitions import plot_partitions
    from fewest.report.mistake_tree import plot_mistake_tree
    from fewest.report.path import plot_path
    from fewest.report.relevance import plot_relevance
    from fewest.report.search_tree import plot_search_tree
    from fewest.report.wrapper_history import plot_history
    from fewest.scale.scan import scan
    from fewest.search.sufficiency import conflicts, count_conflicts, sufficiency
    from fewest.selection.focus import Focus1, Focus2
    from fewest.selection.greedy import MutualInformationGreedy, SimpleGreedy, WeightedGreedy
    from fewest.selection.min_features import MinFeatures
    from fewest.selection.relief import Relief, ReliefF, RReliefF
    from fewest.selection.relief_then_cover import ReliefThenCover
    from fewest.selection.wrapper import OrderedFS, OrderedFS2, StandardWrap
    from fewest.solvers import CoverProblem, solve_cover
    from fewest.table import Table, read_table
    from fewest.theory.catalogue import bound
    from fewest.theory.concepts import ConceptClass
    from fewest.theory.mistake_trees import largest_mistake_tree, opt
    from fewest.theory.separation import Separation
    from fewest.theory.vc import vc_dimension

# Every public name and where it lives. Importing `fewest` must stay cheap: the command line does it first.
_HOMES = {
    "BalancedWinnow": "fewest.learning.winnow",
    "BooleanTests": "fewest.learning.boolean_tests",
    "CFPClassifier": "fewest.learning.cfp",
    "Comparison": "fewest.comparison.compare",
    "ComplementedLiterals": "fewest.learning.literals",
    "ConceptClass": "fewest.theory.concepts",
    "CoverProblem": "fewest.solvers",
    "Focus1": "fewest.selection.focus",
    "Focus2": "fewest.selection.focus",
    "FringeClassifier": "fewest.learning.fringe",
    "FringeFeatures": "fewest.learning.fringe",
    "GACFPClassifier": "fewest.learning.ga_cfp",
    "Halving": "fewest.learning.version_space",
    "ID3Classifier": "fewest.learning.id3",
    "IntervalDiscretizer": "fewest.learning.intervals",
    "MinFeatures": "fewest.selection.min_features",
    "Monomials": "fewest.learning.literals",
    "MutualInformationGreedy": "fewest.selection.greedy",
    "OrderedFS": "fewest.selection.wrapper",
    "OrderedFS2": "fewest.selection.wrapper",
    "PackedBits": "fewest.online.examples",
    "RReliefF": "fewest.selection.relief",
    "Relief": "fewest.selection.relief",
    "ReliefF": "fewest.selection.relief",
    "ReliefThenCover": "fewest.selection.relief_then_cover",
    "Report": "fewest.report.estimators",
    "Separation": "fewest.theory.separation",
    "SimpleGreedy": "fewest.selection.greedy",
    "StandardOptimal": "fewest.learning.version_space",
    "StandardWrap": "fewest.selection.wrapper",
    "Table": "fewest.table",
    "WeightedGreedy": "fewest.selection.greedy",
    "Winnow1": "fewest.learning.winnow",
    "Winnow2": "fewest.learning.winnow",
    "as_online_learner": "fewest.online.queries",
    "as_query_learner": "fewest.online.queries",
    "ask": "fewest.online.queries",
    "bound": "fewest.theory.catalogue",
    "compare": "fewest.comparison.compare",
    "conflicts": "fewest.search.sufficiency",
    "count_conflicts": "fewest.search.sufficiency",
    "largest_mistake_tree": "fewest.theory.mistake_trees",
    "led": "fewest.domains",
    "linear_threshold": "fewest.domains",
    "load_model": "fewest.models.load",
    "load_votes": "fewest.datasets",
    "make_learner": "fewest.learning.pipelines",
    "make_report": "fewest.report.estimators",
    "opt": "fewest.theory.mistake_trees",
    "parity": "fewest.domains",
    "plot_agreement": "fewest.report.comparison",
    "plot_comparison": "fewest.report.comparison",
    "plot_history": "fewest.report.wrapper_history",
    "plot_mistake_tree": "fewest.report.mistake_tree",
    "plot_partitions": "fewest.report.feature_partitions",
    "plot_path": "fewest.report.path",
    "plot_relevance": "fewest.report.relevance",
    "plot_search_tree": "fewest.report.search_tree",
    "plot_tree": "fewest.report.decision_tree",
    "read_table": "fewest.table",
    "scan": "fewest.scale.scan",
    "solve_cover": "fewest.solvers",
    "sufficiency": "fewest.search.sufficiency",
    "vc_dimension": "fewest.theory.vc",
}

__all__ = [
    "BalancedWinnow",
    "BooleanTests",
    "CFPClassifier",
    "Comparison",
    "ComplementedLiterals",
    "ConceptClass",
    "CoverProblem",
    "Focus1",
    "Focus2",
    "FringeClassifier",
    "FringeFeatures",
    "GACFPClassifier",
    "Halving",
    "ID3Classifier",
    "IntervalDiscretizer",
    "MinFeatures",
    "Monomials",
    "MutualInformationGreedy",
    "OrderedFS",
    "OrderedFS2",
    "PackedBits",
    "RReliefF",
    "Relief",
    "ReliefF",
    "ReliefThenCover",
    "Report",
    "Separation",
    "SimpleGreedy",
    "StandardOptimal",
    "StandardWrap",
    "Table",
    "WeightedGreedy",
    "Winnow1",
    "Winnow2",
    "as_online_learner",
    "as_query_learner",
    "ask",
    "bound",
    "compare",
    "conflicts",
    "count_conflicts",
    "largest_mistake_tree",
    "led",
    "linear_threshold",
    "load_model",
    "load_votes",
    "make_learner",
    "make_report",
    "opt",
    "parity",
    "plot_agreement",
    "plot_comparison",
    "plot_history",
    "plot_mistake_tree",
    "plot_partitions",
    "plot_path",
    "plot_relevance",
    "plot_search_tree",
    "plot_tree",
    "read_table",
    "scan",
    "solve_cover",
    "sufficiency",
    "vc_dimension",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'fewest' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
