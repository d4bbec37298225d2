# The public names of this package and where they live: type checkers read this file, and so does the package itself.
from fewest.mistakes.estimators.transformers import ComplementedLiterals as ComplementedLiterals
from fewest.mistakes.estimators.transformers import Monomials as Monomials
from fewest.preprocessing.boolean_tests import BooleanTests as BooleanTests
from fewest.preprocessing.intervals import IntervalDiscretizer as IntervalDiscretizer
from fewest.trees.estimators import FringeFeatures as FringeFeatures
