"""All experiments, by name, in the order of the documents."""

from __future__ import annotations

from fewest.papers.cfp import complexity, description
from fewest.papers.experiment import Experiment
from fewest.papers.focus.learning_curves import FIGURE_5, FIGURE_6
from fewest.papers.focus.sample_complexity import FIGURE_4
from fewest.papers.focus.table_1 import TABLE_1
from fewest.papers.focus.worked_example import FIGURE_3
from fewest.papers.relief import comparison, displays, parities
from fewest.papers.winnow import growth, optimal
from fewest.papers.wrapper import differences, errors

_ALL: list[Experiment] = [
    *(FIGURE_3, FIGURE_4, FIGURE_5, FIGURE_6, TABLE_1),
    *(displays.FIGURE_2, displays.FIGURE_3, parities.TABLE_2, comparison.FIGURE_4, comparison.TABLE_3),
    *(growth.THEOREM_7, growth.THEOREM_9, optimal.OPTIMAL, optimal.QUERIES),
    *(errors.FIGURE_2, errors.FIGURE_3, errors.FIGURE_4, errors.FIGURE_5, errors.FIGURE_6),
    *(differences.FIGURE_7, errors.MANY_FEATURES),
    *(description.FIGURE_1, complexity.LEMMA_2, complexity.THEOREM_4, complexity.THEOREM_5),
]

EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
