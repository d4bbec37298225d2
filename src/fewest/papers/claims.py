"""The claims of the papers, in one sentence each, and the experiment that measures each.

The sentences are the papers', those of "beyond" ours; nothing here depends on what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from fewest.papers import beyond, cfp, focus, relief, winnow, wrapper

if TYPE_CHECKING:
    from fewest.papers.experiment import Experiment


@dataclass(frozen=True)
class Claim:
    """A claim of a paper.

    Parameters
    ----------
    name : str
        The paper's short name and the figure, table or theorem: "focus-figure-4".
    sentence : str
    source : str
    home : str
        The module of the experiment that measures it, a colon, and its name there.
    """

    name: str
    sentence: str
    source: str
    home: str

    @property
    def paper(self) -> str:
        """Return the short name of the paper."""
        return self.name.partition("-")[0]


_ALL = (
    Claim(
        "focus-figure-3",
        "On the worked example FOCUS-2 makes 7 sufficiency tests and searches the tree of Figure 3; FOCUS-1 makes 23 "
        "or more.",
        f"{focus.PAPER}, sections 5.2 and 5.3, Figure 3",
        "fewest.papers.focus.figure_3:FIGURE_3",
    ),
    Claim(
        "focus-figure-4",
        "To learn all concepts of at most 3 of n features Weighted-Greedy needs hardly more examples than FOCUS, "
        "FRINGE hardly more than that, Simple-Greedy and Mutual-Information-Greedy, alike, many more, and ID3 the "
        "most.",
        f"{focus.PAPER}, section 7.1, experiment 1, Figure 4",
        "fewest.papers.focus.figure_4:FIGURE_4",
    ),
    Claim(
        "focus-figure-5",
        "On the caption's concept of 5 of 16 features Weighted-Greedy is nearly as accurate as FOCUS, the two other "
        "heuristics, alike, are better than ID3, and ID3 and FRINGE are not nearly as good.",
        f"{focus.PAPER}, section 7.1, experiment 2, Figure 5",
        "fewest.papers.focus.figure_5:FIGURE_5",
    ),
    Claim(
        "focus-figure-6",
        "Averaged over random concepts of at most 5 of 16 features Weighted-Greedy is nearly as accurate as FOCUS, the "
        "two other heuristics, alike, are better than ID3, and ID3 and FRINGE are not nearly as good.",
        f"{focus.PAPER}, section 7.1, experiment 2, Figure 6",
        "fewest.papers.focus.figure_6:FIGURE_6",
    ),
    Claim(
        "focus-table-1",
        "FOCUS-2 is several times faster than FOCUS-1, Weighted-Greedy many times faster than FOCUS-2; as samples "
        "grow, FOCUS-1's tests remain steady and FOCUS-2's become fewer.",
        f"{focus.PAPER}, section 7.2, Table I",
        "fewest.papers.focus.table_1:TABLE_1",
    ),
    Claim(
        "relief-figure-2",
        "For the digit 6 Relief finds f3 and f5, the fewest features that describe it, in all runs without noise and "
        "in 45 of 50 with noise.",
        f"{relief.PAPER}, section 3.1, Figure 2",
        "fewest.papers.relief.figures_2_and_3:FIGURE_2",
    ),
    Claim(
        "relief-figure-3",
        "For the digit 2 Relief finds f2, f5 and f6 highly relevant, and f6, which alone describes it, the most in all "
        "runs without noise and in 48 of 50 with noise.",
        f"{relief.PAPER}, section 3.1, Figure 3",
        "fewest.papers.relief.figures_2_and_3:FIGURE_3",
    ),
    Claim(
        "relief-table-2",
        "In the parity domain the three relevant features stand out, with noise less clearly, and Relief is fooled in "
        "none of 20 runs without noise, and in 2 of 20 with noise.",
        f"{relief.PAPER}, section 3.2, Table 2",
        "fewest.papers.relief.table_2:TABLE_2",
    ),
    Claim(
        "relief-figure-4",
        "In the parity domain ID3 alone is less accurate than FOCUS+ID3 and Relief+ID3, with noise and without; with "
        "noise Relief+ID3 is more accurate than FOCUS+ID3, which keeps irrelevant features and takes exponential time.",
        f"{relief.PAPER}, section 3.3, Figure 4",
        "fewest.papers.relief.figure_4:FIGURE_4",
    ),
    Claim(
        "relief-table-3",
        "ID3 and forward search are fooled by interaction; FOCUS is exact without noise, but selects irrelevant "
        "features with it and is slow on complex concepts; Relief is fooled neither by interaction nor by some noise.",
        f"{relief.PAPER}, section 5, Table 3",
        "fewest.papers.relief.table_3:TABLE_3",
    ),
    Claim(
        "winnow-theorem-7",
        "On a disjunction of k of n features Winnow1 makes at most alpha k (log_alpha theta + 1) + n / theta mistakes, "
        "whatever the examples; with alpha = 2 and theta = n / 2 that is 2 k log2 n + 2.",
        f"{winnow.PAPER}, theorem 7; the lower bound is theorem 8",
        "fewest.papers.winnow.theorems_7_and_9:THEOREM_7",
    ),
    Claim(
        "winnow-theorem-9",
        "On a concept of separation delta, such as r of k, Winnow2 makes at most (8 / delta^2) n / theta + (5 / delta "
        "+ 14 ln theta / delta^2) sum mu mistakes, whatever the examples; with theta = n that grows with log n.",
        f"{winnow.PAPER}, theorem 9",
        "fewest.papers.winnow.theorems_7_and_9:THEOREM_9",
    ),
    Claim(
        "winnow-optimal",
        "In the worst case the standard optimal algorithm makes opt(C) mistakes, the halving algorithm at most "
        "log2 |C|, and no learner fewer than opt(C), which is at least the VC dimension.",
        f"{winnow.PAPER}, theorems 1 to 4, 7 and 8",
        "fewest.papers.winnow.optimal:OPTIMAL",
    ),
    Claim(
        "winnow-queries",
        "A learner that makes at most M mistakes identifies its target with at most M + 1 equivalence queries.",
        f"{winnow.PAPER}, general transformations, transformation 1",
        "fewest.papers.winnow.optimal:QUERIES",
    ),
    Claim(
        "wrapper-figure-2",
        "With one relevant feature, as features grow, ORDERED-FS errs significantly less than STANDARD-WRAP, and no "
        "selection is not competitive.",
        f"{wrapper.PAPER}, section 4.2, Figure 2",
        "fewest.papers.wrapper.figures_2_to_6:FIGURE_2",
    ),
    Claim(
        "wrapper-figure-3",
        "Where features are many, STANDARD-WRAP errs less if it holds out a half instead of 0.3, but still more than "
        "ORDERED-FS.",
        f"{wrapper.PAPER}, section 4.2, Figure 3",
        "fewest.papers.wrapper.figures_2_to_6:FIGURE_3",
    ),
    Claim(
        "wrapper-figure-4",
        "With 20 features, one of them relevant, ORDERED-FS errs less than STANDARD-WRAP whatever the number of "
        "examples.",
        f"{wrapper.PAPER}, section 4.2, Figure 4",
        "fewest.papers.wrapper.figures_2_to_6:FIGURE_4",
    ),
    Claim(
        "wrapper-figure-5",
        "With three relevant features, as features grow, ORDERED-FS errs significantly less than STANDARD-WRAP.",
        f"{wrapper.PAPER}, section 4.2, Figure 5",
        "fewest.papers.wrapper.figures_2_to_6:FIGURE_5",
    ),
    Claim(
        "wrapper-figure-6",
        "With three relevant features, as examples grow, ORDERED-FS errs significantly less than STANDARD-WRAP.",
        f"{wrapper.PAPER}, section 4.2, Figure 6",
        "fewest.papers.wrapper.figures_2_to_6:FIGURE_6",
    ),
    Claim(
        "wrapper-figure-7",
        "The number of significantly different subsets grows exponentially with the features, if those are subsets "
        "that differ in a share of up to about 0.32 of them.",
        f"{wrapper.PAPER}, section 5.2, Figure 7",
        "fewest.papers.wrapper.figure_7:FIGURE_7",
    ),
    Claim(
        "wrapper-many-features",
        "ORDERED-FS tolerates many more irrelevant features than STANDARD-WRAP: squared in number, they take only "
        "twice the examples.",
        f"{wrapper.PAPER}, sections 3.3 and 4.2; theorem 5 predicts it, chapter 4 does not show it",
        "fewest.papers.wrapper.many_features:MANY_FEATURES",
    ),
    Claim(
        "cfp-figure-1",
        "From examples in the intervals of Figure 1, CFP learns the description that is printed below it.",
        f"{cfp.PAPER}, section 2, Figure 1",
        "fewest.papers.cfp.figure_1:FIGURE_1",
    ),
    Claim(
        "cfp-lemma-2",
        "As many examples as lemma 2 says form an <epsilon, gamma, d>-net with probability 1 - delta.",
        f"{cfp.PAPER}, lemma 2",
        "fewest.papers.cfp.lemma_2:LEMMA_2",
    ),
    Claim(
        "cfp-theorem-4",
        "CFP makes at most n / epsilon partitions, however many examples there are.",
        f"{cfp.PAPER}, theorem 4",
        "fewest.papers.cfp.theorem_4:THEOREM_4",
    ),
    Claim(
        "cfp-theorem-5",
        "Training takes time of the order of m n log(1 / epsilon), and classification n log(1 / epsilon) for each "
        "example.",
        f"{cfp.PAPER}, theorem 5",
        "fewest.papers.cfp.theorem_5:THEOREM_5",
    ),
    Claim(
        "beyond-noise",
        "With 5 to 20% of the labels wrong, the shortest description finds the relevant features more often than FOCUS "
        "and than Weighted-Greedy with a tolerance, and without noise about as often as FOCUS.",
        f"{beyond.PAPER}, after the open problem of noise in {focus.PAPER.replace('(', '').replace(')', '')}",
        "fewest.papers.beyond.noise:NOISE",
    ),
    Claim(
        "beyond-relief",
        "With up to 10,000 irrelevant features iterated ReliefF still finds two features that matter only together, "
        "where ReliefF does not.",
        f"{beyond.PAPER}, on the domains of {relief.PAPER.replace('(', '').replace(')', '')}",
        "fewest.papers.beyond.many_irrelevant:MANY_IRRELEVANT",
    ),
    Claim(
        "beyond-relief-test",
        "Beside relevant features the permutation test of ReliefF keeps few that are irrelevant.",
        f"{beyond.PAPER}, on the domains of {relief.PAPER.replace('(', '').replace(')', '')}",
        "fewest.papers.beyond.irrelevant_kept:IRRELEVANT_KEPT",
    ),
    Claim(
        "beyond-ordered-fs",
        "With up to 100,000 features and 400 examples the error of ORDERED-FS grows with the logarithm of the "
        "features, and stays below theorem 17.",
        f"{beyond.PAPER}, after theorem 17 of {wrapper.PAPER.replace('(', '').replace(')', '')}",
        "fewest.papers.beyond.ordered_fs:ORDERED_FS",
    ),
    Claim(
        "beyond-online",
        "As irrelevant features grow Winnow2 makes fewer mistakes than the online learners that are used today, and "
        "its mistakes grow the least.",
        f"{beyond.PAPER}, after theorem 9 of {winnow.PAPER.replace('(', '').replace(')', '')}",
        "fewest.papers.beyond.online:ONLINE",
    ),
)

CLAIMS = {claim.name: claim for claim in _ALL}


class _Experiments(Mapping[str, "Experiment"]):
    """Experiments by name, in the order of the claims, each imported when it is asked for.

    Names are known at once; what measures needs scikit-learn and a compiler, which take seconds to load.
    """

    def __getitem__(self, name: str) -> Experiment:
        module, _, attribute = CLAIMS[name].home.partition(":")
        experiment: Experiment = getattr(import_module(module), attribute)
        return experiment

    def __iter__(self) -> Iterator[str]:
        return iter(CLAIMS)

    def __len__(self) -> int:
        return len(CLAIMS)


EXPERIMENTS: Mapping[str, Experiment] = _Experiments()
