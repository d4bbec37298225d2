# The public names of this package and where they live: type checkers read this file, and so does the package itself.
from fewest.cfp.plots import plot_partitions as plot_partitions
from fewest.comparison.plots import plot_agreement as plot_agreement
from fewest.comparison.plots import plot_comparison as plot_comparison
from fewest.cover.plots import plot_path as plot_path
from fewest.cover.plots import plot_search_tree as plot_search_tree
from fewest.mistakes.plots import plot_mistake_tree as plot_mistake_tree
from fewest.relief.plots import plot_relevance as plot_relevance
from fewest.trees.plots import plot_tree as plot_tree
from fewest.wrapper.plots import plot_history as plot_history
