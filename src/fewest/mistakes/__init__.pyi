# The public names of this package and where they live: type checkers read this file, and so does the package itself.
from fewest.mistakes.concepts import ConceptClass as ConceptClass
from fewest.mistakes.concepts import vc_dimension as vc_dimension
from fewest.mistakes.examples import PackedBits as PackedBits
from fewest.mistakes.mistake_trees import largest_mistake_tree as largest_mistake_tree
from fewest.mistakes.mistake_trees import opt as opt
from fewest.mistakes.queries import as_online_learner as as_online_learner
from fewest.mistakes.queries import as_query_learner as as_query_learner
from fewest.mistakes.queries import ask as ask
from fewest.mistakes.separation import Separation as Separation
