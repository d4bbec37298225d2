"""What the documents claim, in one sentence each and in their own words; nothing here knows what we measured."""

from __future__ import annotations

from dataclasses import dataclass

from fewest.papers import cfp, focus, relief, winnow, wrapper


@dataclass(frozen=True)
class Claim:
    """A claim of a document.

    Parameters
    ----------
    name : str
        The document's short name and the figure, table or theorem: "focus-figure-4".
    sentence : str
    words : str
        What the document itself says.
    source : str
    home : str
        The module of the experiment that measures it, a colon, and its name there.
    """

    name: str
    sentence: str
    words: str
    source: str
    home: str

    @property
    def paper(self) -> str:
        """Return the short name of the document."""
        return self.name.partition("-")[0]


_DISCUSSION = (
    "Each of the three heuristics improved the performance of ID3 [...] Weighted-Greedy gave the overall best "
    "approximation to the MIN-FEATURES bias. The performance of this algorithm was quite close to that of FOCUS both "
    "in the worst and average cases. Mutual-Information-Greedy and Simple-Greedy are very much alike."
)

_ALL = (
    Claim(
        "focus-figure-3",
        "On the worked example FOCUS-2 makes 7 sufficiency tests and searches the tree of Figure 3; FOCUS-1 makes 23 "
        "or more.",
        "Using FOCUS-2, the number of sufficiency tests is only 7. By comparison, FOCUS-1 must perform at least 23.",
        f"{focus.PAPER}, sections 5.2 and 5.3, Figure 3",
        "fewest.papers.focus.worked_example:FIGURE_3",
    ),
    Claim(
        "focus-figure-4",
        "To learn all concepts of at most 3 of n features Weighted-Greedy needs hardly more examples than FOCUS, "
        "FRINGE hardly more than that, Simple-Greedy and Mutual-Information-Greedy, alike, many more, and ID3 the "
        "most.",
        f"{_DISCUSSION} These [...] exhibited rather bad worst-case performance. [FRINGE's] worst-case performance is "
        "almost as good as Weighted-Greedy and substantially better than Mutual-Information-Greedy and Simple-Greedy.",
        f"{focus.PAPER}, section 7.1, experiment 1, Figure 4",
        "fewest.papers.focus.sample_complexity:FIGURE_4",
    ),
    Claim(
        "focus-figure-5",
        "On the caption's concept of 5 of 16 features Weighted-Greedy is nearly as accurate as FOCUS, the two other "
        "heuristics, alike, are better than ID3, and ID3 and FRINGE are not nearly as good.",
        f"Figure 5 shows a pattern typical of all learning curves that we observed. {_DISCUSSION} These algorithms "
        "maintained reasonable average-case performance [...] FRINGE showed poor average-case performance.",
        f"{focus.PAPER}, section 7.1, experiment 2, Figure 5",
        "fewest.papers.focus.learning_curves:FIGURE_5",
    ),
    Claim(
        "focus-figure-6",
        "Averaged over random concepts of at most 5 of 16 features Weighted-Greedy is nearly as accurate as FOCUS, the "
        "two other heuristics, alike, are better than ID3, and ID3 and FRINGE are not nearly as good.",
        f"{_DISCUSSION} These algorithms maintained reasonable average-case performance [...] FRINGE showed poor "
        "average-case performance. [...] both ID3 and FRINGE do not perform nearly as well.",
        f"{focus.PAPER}, section 7.1, experiment 2, Figure 6",
        "fewest.papers.focus.average_curves:FIGURE_6",
    ),
    Claim(
        "focus-table-1",
        "FOCUS-2 is several times faster than FOCUS-1, Weighted-Greedy many times faster than FOCUS-2; as samples "
        "grow, FOCUS-1's tests remain steady and FOCUS-2's become fewer.",
        "FOCUS-2 was several times faster than FOCUS-1 and [...] Weighted-Greedy was further many times faster than "
        "FOCUS-2. [...] the number of sufficiency tests done by FOCUS-1 remains steady as the training sample size "
        "grows [...] FOCUS-2, on the other hand, does a progressively smaller number of sufficiency tests.",
        f"{focus.PAPER}, section 7.2, Table I",
        "fewest.papers.focus.table_1:TABLE_1",
    ),
    Claim(
        "relief-figure-2",
        "For the digit 6 Relief finds f3 and f5, the fewest features that describe it, in all runs without noise and "
        "in 45 of 50 with noise.",
        "Features f3 and f5 are highly relevant to the target concept '6'. All of the noise-free runs, and 45 out of "
        "the 50 noisy runs, picked f3 and f5 as the best two features. [...] the same set of features have high "
        "relevance levels no matter whether the data is noise-free or noisy.",
        f"{relief.PAPER}, section 3.1, Figure 2",
        "fewest.papers.relief.displays:FIGURE_2",
    ),
    Claim(
        "relief-figure-3",
        "For the digit 2 Relief finds f2, f5 and f6 highly relevant, and f6, which alone describes it, the most in all "
        "runs without noise and in 48 of 50 with noise.",
        "Features f2, f5 and f6 are highly relevant for the target concept '2'. [...] Most runs (all the noise-free "
        "runs and 48 out of the 50 noisy runs) picked f6 as the best feature. [...] no irrelevant features were "
        "selected.",
        f"{relief.PAPER}, section 3.1, Figure 3",
        "fewest.papers.relief.displays:FIGURE_3",
    ),
    Claim(
        "relief-table-2",
        "In the parity domain the three relevant features stand out, with noise less clearly, and Relief is fooled in "
        "none of 20 runs without noise, and in 2 of 20 with noise.",
        "Table 2 shows a clear contrast between the relevance levels of f1, f2 and f3 and those of the irrelevant "
        "features. The same set of features is highlighted both for noise-free and for noisy data, though less clearly "
        "for the latter. [Fooled: 0/20 and 2/20.]",
        f"{relief.PAPER}, section 3.2, Table 2",
        "fewest.papers.relief.parities:TABLE_2",
    ),
    Claim(
        "relief-figure-4",
        "In the parity domain ID3 alone is less accurate than FOCUS+ID3 and Relief+ID3, with noise and without; with "
        "noise Relief+ID3 is more accurate than FOCUS+ID3, which keeps irrelevant features and takes exponential time.",
        "The predictive accuracy of ID3 alone was inferior to FOCUS + ID3 and Relief + ID3 in both noise-free and "
        "noisy situations. [...] With noisy data, the predictive accuracy of Relief + ID3 is higher than FOCUS + ID3 "
        "because FOCUS selected more irrelevant features than Relief. [...] Relief + ID3 typically learns the correct "
        "concept. The learning time of FOCUS + ID3 increases exponentially as the size of F increases, while that of "
        "Relief + ID3 increases only linearly.",
        f"{relief.PAPER}, section 3.3, Figure 4",
        "fewest.papers.relief.comparison:FIGURE_4",
    ),
    Claim(
        "relief-table-3",
        "ID3 and forward search are fooled by interaction; FOCUS is exact without noise, but selects irrelevant "
        "features with it and is slow on complex concepts; Relief is fooled neither by interaction nor by some noise.",
        "Fooled by feature interaction [ID3, heuristic search]; fooled when the number of relevant features exceeds "
        "the limit [heuristic search]; selects the optimal set when the data are noise-free, tends to select many "
        "irrelevant features when the data are noisy, can be very slow when complex or noisy [FOCUS]; not fooled by "
        "feature interaction, noise-tolerant [Relief].",
        f"{relief.PAPER}, section 5, Table 3",
        "fewest.papers.relief.facts:TABLE_3",
    ),
    Claim(
        "winnow-theorem-7",
        "On a disjunction of k of n features Winnow1 makes at most alpha k (log_alpha theta + 1) + n / theta mistakes, "
        "whatever the examples; with alpha = 2 and theta = n / 2 that is 2 k log2 n + 2.",
        "If WINNOW1 is run with alpha > 1 and theta >= 1 / alpha, then for any sequence of instances the total no. of "
        "mistakes will be bounded by alpha k (log_alpha theta + 1) + n / theta. [And of any learner's:] opt(C_k) >= "
        "k floor(log2(n / k)).",
        f"{winnow.PAPER}, theorem 7; the lower bound is theorem 8",
        "fewest.papers.winnow.growth:THEOREM_7",
    ),
    Claim(
        "winnow-theorem-9",
        "On a concept of separation delta, such as r of k, Winnow2 makes at most (8 / delta^2) n / theta + (5 / delta "
        "+ 14 ln theta / delta^2) sum mu mistakes, whatever the examples; with theta = n that grows with log n.",
        "For 0 < delta <= 1, if the target function is in F(X, delta), alpha = 1 + delta / 2, theta >= 1, then the no. "
        "of mistakes will be bounded by [...]",
        f"{winnow.PAPER}, theorem 9",
        "fewest.papers.winnow.growth:THEOREM_9",
    ),
    Claim(
        "winnow-optimal",
        "In the worst case the standard optimal algorithm makes opt(C) mistakes, the halving algorithm at most "
        "log2 |C|, and no learner fewer than opt(C), which is at least the VC dimension.",
        "For any non-empty target class C, M_HALVING(C) <= log2 |C|. [...] opt(C) = M_SOA(C) = K(C). [...] VCdim(C) <= "
        "opt(C).",
        f"{winnow.PAPER}, theorems 1 to 4, 7 and 8",
        "fewest.papers.winnow.optimal:OPTIMAL",
    ),
    Claim(
        "winnow-queries",
        "A learner that makes at most M mistakes identifies its target with at most M + 1 equivalence queries.",
        "The no. of queries needed by the derived algorithm B to exactly identify the target function f is bounded by "
        "M_A(f) + 1.",
        f"{winnow.PAPER}, general transformations, transformation 1",
        "fewest.papers.winnow.optimal:QUERIES",
    ),
    Claim(
        "wrapper-figure-2",
        "With one relevant feature, as features grow, ORDERED-FS errs significantly less than STANDARD-WRAP, and no "
        "selection is not competitive.",
        "As we vary the total number of features [...] We see from the graph that ORDERED-FS is performing "
        "significantly better on this domain. [...] learning without feature selection [...] is not really a "
        "competitive algorithm.",
        f"{wrapper.PAPER}, section 4.2, Figure 2",
        "fewest.papers.wrapper.figures:FIGURE_2",
    ),
    Claim(
        "wrapper-figure-3",
        "Where features are many, STANDARD-WRAP errs less if it holds out a half instead of 0.3, but still more than "
        "ORDERED-FS.",
        "While still inferior to ORDERED-FS, the choice of gamma = 0.5 does appear to give better performance for "
        "large f.",
        f"{wrapper.PAPER}, section 4.2, Figure 3",
        "fewest.papers.wrapper.figures:FIGURE_3",
    ),
    Claim(
        "wrapper-figure-4",
        "With 20 features, one of them relevant, ORDERED-FS errs less than STANDARD-WRAP whatever the number of "
        "examples.",
        "As we vary m, the number of training examples, keeping the total number of features at 20, Figure 4 shows "
        "ORDERED-FS still consistently beating STANDARD-WRAP.",
        f"{wrapper.PAPER}, section 4.2, Figure 4",
        "fewest.papers.wrapper.figures:FIGURE_4",
    ),
    Claim(
        "wrapper-figure-5",
        "With three relevant features, as features grow, ORDERED-FS errs significantly less than STANDARD-WRAP.",
        "Performing similar experiments with a new target function, this time with 3 relevant features [...] we obtain "
        "Figures 5 and 6, which both show ORDERED-FS performing significantly better.",
        f"{wrapper.PAPER}, section 4.2, Figure 5",
        "fewest.papers.wrapper.figures:FIGURE_5",
    ),
    Claim(
        "wrapper-figure-6",
        "With three relevant features, as examples grow, ORDERED-FS errs significantly less than STANDARD-WRAP.",
        "Performing similar experiments with a new target function, this time with 3 relevant features [...] we obtain "
        "Figures 5 and 6, which both show ORDERED-FS performing significantly better.",
        f"{wrapper.PAPER}, section 4.2, Figure 6",
        "fewest.papers.wrapper.figures:FIGURE_6",
    ),
    Claim(
        "wrapper-figure-7",
        "The number of significantly different subsets grows exponentially with the features, if those are subsets "
        "that differ in a share of up to about 0.32 of them.",
        "We see that for all about beta <= 0.32 it is strictly positive. Thus, for all beta <= 0.32 [...] N = 2^O(f).",
        f"{wrapper.PAPER}, section 5.2, Figure 7",
        "fewest.papers.wrapper.differences:FIGURE_7",
    ),
    Claim(
        "wrapper-many-features",
        "ORDERED-FS tolerates many more irrelevant features than STANDARD-WRAP: squared in number, they take only "
        "twice the examples.",
        "One may square the number of features [...] and expect to need only twice as much training data. [...] "
        "ORDERED-FS, as a practical feature selection algorithm, probably does have significantly higher tolerance to "
        "the presence of many irrelevant features than STANDARD-WRAP does.",
        f"{wrapper.PAPER}, sections 3.3 and 4.2; theorem 5 predicts it, chapter 4 does not show it",
        "fewest.papers.wrapper.many_features:MANY_FEATURES",
    ),
    Claim(
        "cfp-figure-1",
        "From examples in the intervals of Figure 1, CFP learns the description that is printed below it.",
        "The resulting concept description is shown in Fig. 1. The corresponding concept description for the class (+) "
        "can be written as: [...]",
        f"{cfp.PAPER}, section 2, Figure 1",
        "fewest.papers.cfp.description:FIGURE_1",
    ),
    Claim(
        "cfp-lemma-2",
        "As many examples as lemma 2 says form an <epsilon, gamma, d>-net with probability 1 - delta.",
        "A random sample S containing m > (ceil(1 / epsilon) / gamma) x (n ln 2 + ln(ceil(1 / epsilon) / delta)) "
        "instances, drawn according to any fixed probability distribution from [0, 1]^n, will form an <epsilon, gamma, "
        "d>-net with confidence greater than 1 - delta.",
        f"{cfp.PAPER}, lemma 2",
        "fewest.papers.cfp.nets:LEMMA_2",
    ),
    Claim(
        "cfp-theorem-4",
        "CFP makes at most n / epsilon partitions, however many examples there are.",
        "If a random sample set S with n features forms an <epsilon, gamma, ceil((n + 1) / 2)>-net with confidence "
        "greater than 1 - delta, then CFP with D_f >= 2 epsilon constructs at most n ceil(1 / epsilon) partitions.",
        f"{cfp.PAPER}, theorem 4",
        "fewest.papers.cfp.partitions_made:THEOREM_4",
    ),
    Claim(
        "cfp-theorem-5",
        "Training takes time of the order of m n log(1 / epsilon), and classification n log(1 / epsilon) for each "
        "example.",
        "The classification complexity of the CFP with D_f >= 2 epsilon is O(n log(ceil(1 / epsilon))) and the "
        "training complexity for m sample instances is O(m n log(ceil(1 / epsilon))).",
        f"{cfp.PAPER}, theorem 5",
        "fewest.papers.cfp.time_taken:THEOREM_5",
    ),
)

CLAIMS = {claim.name: claim for claim in _ALL}
