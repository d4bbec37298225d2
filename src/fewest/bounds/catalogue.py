"""Every bound of the documents by name: what the command line lists, and Python asks.

A quantity that a document writes with a letter keeps it; its meaning is beside it.
"""

from __future__ import annotations

from fewest.bounds.relation import Answer, Bound, Quantity
from fewest.cfp import bounds as partitions
from fewest.cover import bounds as min_features
from fewest.exceptions import ParameterError
from fewest.mistakes import bounds as mistakes
from fewest.mistakes.separation import Separation
from fewest.relief import bounds as relevance
from fewest.wrapper import bounds as wrappers
from fewest.wrapper import different_subsets

MIN_FEATURES = "Almuallim and Dietterich (1994)"
LITTLESTONE = "Littlestone (1988)"
CFP = "Güvenir and Şirin (1993)"
RELIEF = "Kira and Rendell (1992)"
NG = "Ng (1998)"


def part(name: str, meaning: str, effect: int = -1, high: float = 1.0) -> Quantity:
    """Return a quantity between 0 and 1, or another end."""
    return Quantity(name, meaning, is_whole=False, low=0.0, high=high, effect=effect)


def features(effect: int = 1) -> Quantity:
    """Return n."""
    return Quantity("n", "features", effect=effect)


EPSILON = part("epsilon", "the error allowed")
DELTA = part("delta", "the probability of failing")
RELEVANT = Quantity("p", "relevant features at most", low=0, effect=1)
EXAMPLES = Quantity("m", "examples")
MISTAKES = Quantity("M", "mistakes", is_whole=False, low=0)
DIMENSION = Quantity("d", "VC dimension")
THETA = Quantity("theta", "threshold", is_whole=False, low=0)


def _winnow1(n: int, k: int, alpha: float = 2.0, theta: float | None = None) -> float:
    return mistakes.winnow1(n, k, alpha, theta)


def _winnow2(n: int, delta: float, mu: float, theta: float | None = None) -> float:
    return mistakes.winnow2(n, Separation(delta, mu), theta)


def _r_of_k(n: int, r: int, k: int, theta: float | None = None) -> float:
    return mistakes.winnow2(n, Separation.r_of_k(r, k), theta)


EXCESS = Quantity("epsilon", "error above that of the best hypothesis of r features", is_whole=False, low=0)
TRAINED = Quantity("m", "examples", effect=-1)
SIZE = Quantity("r", "features of the hypothesis compared with", low=0, effect=1)
HELD_OUT = Quantity("gamma", "share of the examples held out", is_whole=False, low=0, high=1, default="0.3")
NOISE = Quantity("eta", "share of wrong labels", is_whole=False, low=0, high=0.5, default="0")
SHORTFALL = Quantity("shortfall", "error by which the search missed the least", is_whole=False, low=0, default="0")


def _without_selection(m: int, f: int, delta: float, eta: float = 0.0) -> float:
    return wrappers.without_selection(m, f, delta=delta, eta=eta).excess


def _standard_wrap(
    m: int, f: int, r: int, delta: float, gamma: float = 0.3, eta: float = 0.0, shortfall: float = 0.0
) -> float:
    return wrappers.standard_wrap(m, f, r, holdout=gamma, delta=delta, eta=eta, shortfall=shortfall).excess


def _ordered_fs(
    m: int, f: int, r: int, delta: float, gamma: float = 0.3, eta: float = 0.0, shortfall: float = 0.0
) -> float:
    return wrappers.ordered_fs(m, f, r, holdout=gamma, delta=delta, eta=eta, shortfall=shortfall).excess


def _ordered_fs2(m: int, f: int, r: int, delta: float, eta: float = 0.0) -> float:
    return wrappers.ordered_fs2(m, f, r, delta=delta, eta=eta).excess


def _choice(m: int, N: int, delta: float, eta: float = 0.0) -> float:
    return wrappers.choice(m, N, delta, eta)


def _with_default(quantity: Quantity, default: str) -> Quantity:
    return Quantity(quantity.name, quantity.meaning, quantity.is_whole, quantity.low, default=default)


_ALL = [
    Bound(
        "min-features",
        "With {n} features, at most {p} of them relevant, {m} examples are enough for any learner of the MIN-FEATURES "
        "bias to have an error of at most {epsilon} with probability 1 - {delta}, under any distribution.",
        f"{MIN_FEATURES}, theorem 1",
        EXAMPLES,
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: min_features.sample_size(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-counted",
        "With {n} features, at most {p} of them relevant, {m} examples are enough for any learner of the MIN-FEATURES "
        "bias to have an error of at most {epsilon} with probability 1 - {delta}: theorem 1, but with the subsets "
        "counted exactly.",
        f"{MIN_FEATURES}, proof of theorem 1",
        EXAMPLES,
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: min_features.sample_size_by_counting(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-vc",
        "The concepts of at most {p} relevant features out of {n} have a VC dimension of at least {d}.",
        f"{MIN_FEATURES}, lemma 2",
        DIMENSION,
        (features(), RELEVANT),
        lambda n, p: min_features.vc_at_least(n, p),
    ),
    Bound(
        "min-features-needed",
        "With {n} features, at most {p} of them relevant, no learner can promise an error of at most {epsilon} with "
        "probability 1 - {delta} after fewer than {m} examples.",
        f"{MIN_FEATURES}, theorem 3, with the constant of Ehrenfeucht et al. (1989)",
        Quantity("m", "examples", is_whole=False),
        (features(), RELEVANT, part("epsilon", EPSILON.meaning, high=1 / 8), part("delta", DELTA.meaning, effect=0)),
        lambda n, p, epsilon, delta: min_features.examples_at_least(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-order",
        "With {n} features, at most {p} of them relevant, an error of {epsilon} with probability 1 - {delta} takes "
        "examples of the order of {m}; the constant is not known.",
        f"{MIN_FEATURES}, theorem 3",
        Quantity("m", "examples, up to a constant", is_whole=False),
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: min_features.examples_needed_order(n, p, epsilon, delta),
    ),
    Bound(
        "focus1-tests",
        "FOCUS-1 makes at most {tests} sufficiency tests when {p} of {n} features are enough.",
        f"{MIN_FEATURES}, section 5.3",
        Quantity("tests", "sufficiency tests"),
        (features(), RELEVANT),
        lambda n, p: min_features.focus1_tests(n, p),
    ),
    Bound(
        "halving",
        "The halving algorithm makes at most {M} mistakes on a class of {concepts} concepts.",
        f"{LITTLESTONE}, theorem 1",
        MISTAKES,
        (Quantity("concepts", "concepts of the class", effect=1),),
        lambda concepts: mistakes.halving(concepts),
    ),
    Bound(
        "opt-at-most",
        "A class of {concepts} concepts can be learned with at most {M} mistakes.",
        f"{LITTLESTONE}, theorem 2",
        MISTAKES,
        (Quantity("concepts", "concepts of the class", effect=1),),
        lambda concepts: mistakes.optimal_at_most(concepts),
    ),
    Bound(
        "opt",
        "If the largest complete mistake tree of a class has height {K}, the standard optimal algorithm makes at most "
        "{M} mistakes, and no learner can promise fewer.",
        f"{LITTLESTONE}, theorem 3",
        MISTAKES,
        (Quantity("K", "height of the largest complete mistake tree", low=-1, effect=1),),
        lambda K: mistakes.optimal(K),
    ),
    Bound(
        "opt-at-least",
        "Any learner of a class of VC dimension {d} must be prepared to make {M} mistakes.",
        f"{LITTLESTONE}, theorem 4",
        MISTAKES,
        (Quantity("d", "VC dimension", low=0, effect=1),),
        lambda d: mistakes.optimal_at_least(d),
    ),
    Bound(
        "winnow1",
        "Winnow1 with factor {alpha} and threshold {theta} makes at most {M} mistakes on a disjunction of {k} of {n} "
        "features, however the examples come.",
        f"{LITTLESTONE}, theorem 7",
        MISTAKES,
        (
            features(),
            Quantity("k", "literals of the disjunction", effect=1),
            Quantity("alpha", "factor of promotions", is_whole=False, low=1, default="2"),
            _with_default(THETA, "n / 2"),
        ),
        _winnow1,
    ),
    Bound(
        "disjunctions",
        "Any learner of the disjunctions of at most {k} of {n} features must be prepared to make {M} mistakes.",
        f"{LITTLESTONE}, theorem 8",
        MISTAKES,
        (features(), Quantity("k", "literals at most")),
        lambda n, k: mistakes.disjunctions_at_least(n, k),
    ),
    Bound(
        "disjunctions-exactly",
        "Any learner of the disjunctions of exactly {k} of {n} features must be prepared to make {M} mistakes.",
        f"{LITTLESTONE}, theorem 8",
        MISTAKES,
        (features(), Quantity("k", "literals")),
        lambda n, k: mistakes.disjunctions_at_least(n, k, exactly=True),
    ),
    Bound(
        "winnow2",
        "Winnow2 with factor 1 + delta / 2 and threshold {theta} makes at most {M} mistakes on a concept that weights "
        "of sum {mu} separate with a gap of {delta}, among {n} features.",
        f"{LITTLESTONE}, theorem 9",
        MISTAKES,
        (
            features(),
            Quantity("delta", "gap of the separation", is_whole=False, low=0, high=1 + 1e-12, effect=-1),
            Quantity("mu", "sum of the separating weights", is_whole=False, low=0, effect=1),
            _with_default(THETA, "n"),
        ),
        _winnow2,
    ),
    Bound(
        "winnow2-r-of-k",
        "Winnow2 with factor 1 + 1 / (2 r) and threshold {theta} makes at most {M} mistakes on a concept that is true "
        "when at least {r} of certain {k} features are, among {n}.",
        f"{LITTLESTONE}, theorem 9",
        MISTAKES,
        (
            features(),
            Quantity("r", "features that must be true", effect=1),
            Quantity("k", "relevant features", effect=1),
            _with_default(THETA, "n"),
        ),
        _r_of_k,
    ),
    Bound(
        "balanced-winnow",
        "Balanced Winnow with factor {alpha} makes at most {M} mistakes on a concept of margin {margin}, among {n} "
        "features (the constant one counted).",
        "not in the documents; proven in the docstring of fewest.mistakes.bounds.balanced_winnow",
        MISTAKES,
        (
            features(),
            part("margin", "margin of the concept"),
            Quantity("alpha", "factor of promotions", is_whole=False, low=1),
        ),
        lambda n, margin, alpha: mistakes.balanced_winnow(n, margin, alpha),
    ),
    Bound(
        "dnf-vc",
        "The disjunctions of {l} conjunctions of {k} of {n} features have a VC dimension of at least {d}.",
        f"{LITTLESTONE}, the bound of monotone k-DNF",
        DIMENSION,
        (
            features(),
            Quantity("k", "literals of a term"),
            Quantity("l", "terms"),
            Quantity("m", "features of a block, any with comb(m, k) >= l", default="the smallest possible"),
        ),
        lambda n, k, l, m=None: mistakes.monotone_dnf_vc_at_least(n, k, l, m),  # noqa: E741 (the document's letter)
    ),
    Bound(
        "queries",
        "A learner that makes at most {M} mistakes needs at most {queries} equivalence queries.",
        f"{LITTLESTONE}, transformation 1",
        Quantity("queries", "equivalence queries"),
        (Quantity("M", "mistakes", is_whole=False, low=0, effect=1),),
        lambda M: mistakes.queries(M),
    ),
    Bound(
        "cfp-examples",
        "{m} examples with {n} features have, with probability above 1 - {delta}, in every feature one within "
        "{epsilon} of a random example's value, except for values of probability below {gamma}.",
        f"{CFP}, lemma 2",
        EXAMPLES,
        (features(), EPSILON, DELTA, part("gamma", "the probability left out")),
        lambda n, epsilon, delta, gamma: partitions.net_sample_size(epsilon, delta, gamma, n),
    ),
    Bound(
        "cfp-examples-union",
        "{m} examples with {n} features have, with probability above 1 - {delta}, in every feature one within "
        "{epsilon} of a random example's value, except for values of probability below {gamma}, by the union bound.",
        f"{CFP}, after the proof of lemma 2",
        EXAMPLES,
        (features(), EPSILON, DELTA, part("gamma", "the probability left out")),
        lambda n, epsilon, delta, gamma: partitions.net_sample_size_by_union(epsilon, delta, gamma, n),
    ),
    Bound(
        "cfp-majority",
        "Of {n} features, {d} must be learned for the vote to be right.",
        f"{CFP}, theorem 3",
        Quantity("d", "features that must agree"),
        (features(),),
        lambda n: partitions.agreeing_features(n),
    ),
    Bound(
        "cfp-limit",
        "To learn within {epsilon}, CFP needs a generalisation limit of at least {D}.",
        f"{CFP}, theorem 3",
        Quantity("D", "generalisation limit", is_whole=False, low=0),
        (part("epsilon", "the length of an interval", effect=1),),
        lambda epsilon: partitions.smallest_limit(epsilon),
    ),
    Bound(
        "cfp-partitions",
        "With limits of at least 2 epsilon, CFP makes at most {partitions} partitions of {n} features, if no interval "
        "of length {epsilon} holds values of two classes.",
        f"{CFP}, theorem 4",
        Quantity("partitions", "partitions"),
        (features(), part("epsilon", "the length of an interval")),
        lambda n, epsilon: partitions.most_partitions(epsilon, n),
    ),
    Bound(
        "cfp-classification",
        "To classify an example of {n} features, CFP takes steps of the order of {steps}, with intervals of {epsilon}.",
        f"{CFP}, theorem 5",
        Quantity("steps", "steps, up to a constant", is_whole=False, low=0),
        (features(), part("epsilon", "the length of an interval")),
        lambda n, epsilon: partitions.classification_steps(epsilon, n),
    ),
    Bound(
        "cfp-training",
        "To learn {m} examples of {n} features, CFP takes steps of the order of {steps}, with intervals of {epsilon}.",
        f"{CFP}, theorem 5",
        Quantity("steps", "steps, up to a constant", is_whole=False, low=0),
        (Quantity("m", "examples", effect=1), features(), part("epsilon", "the length of an interval")),
        lambda m, n, epsilon: partitions.training_steps(epsilon, n, m),
    ),
    Bound(
        "relief-threshold",
        "After {m} rows drawn, an irrelevant feature reaches a relevance of {tau} with probability {alpha} at most.",
        f"{RELIEF}, section 2, by Chebyshev's inequality",
        Quantity("tau", "threshold of relevance", is_whole=False, low=0),
        (Quantity("m", "rows drawn", effect=-1), part("alpha", "the probability of taking an irrelevant feature")),
        lambda m, alpha: relevance.threshold(alpha, m),
    ),
    Bound(
        "without-selection",
        "After {m} examples of {f} features, a share {eta} of the labels wrong, the linear discriminant of the least "
        "training error errs, with probability 1 - {delta}, at most {epsilon} more often than the best.",
        f"{NG}, theorems 13 and 19",
        Quantity("epsilon", "error above that of the best hypothesis", is_whole=False, low=0),
        (TRAINED, Quantity("f", "features", effect=1), DELTA, NOISE),
        _without_selection,
    ),
    Bound(
        "standard-wrap",
        "After {m} examples of {f} features, a share {gamma} of them held out and {eta} of the labels wrong, the "
        "linear discriminant of STANDARD-WRAP, whose search missed the least error by {shortfall}, errs, with "
        "probability 1 - {delta}, at most {epsilon} more often than the best of {r} features.",
        f"{NG}, theorems 14 and 20",
        EXCESS,
        # All subsets are counted, as one number of f bits.
        (TRAINED, Quantity("f", "features", high=1_000_000, effect=1), SIZE, DELTA, HELD_OUT, NOISE, SHORTFALL),
        _standard_wrap,
    ),
    Bound(
        "ordered-fs",
        "After {m} examples of {f} features, a share {gamma} of them held out and {eta} of the labels wrong, the "
        "linear discriminant of ORDERED-FS, whose search missed the least error by {shortfall}, errs, with "
        "probability 1 - {delta}, at most {epsilon} more often than the best of {r} features.",
        f"{NG}, theorems 17 and 21",
        EXCESS,
        (TRAINED, Quantity("f", "features", effect=1), SIZE, DELTA, HELD_OUT, NOISE, SHORTFALL),
        _ordered_fs,
    ),
    Bound(
        "ordered-fs2",
        "After {m} examples of {f} features, two quarters of them held out and {eta} of the labels wrong, the "
        "linear discriminant of ORDERED-FS2 errs, with probability 1 - {delta}, at most {epsilon} more often "
        "than the best of certain {r} features.",
        f"{NG}, theorem 7",
        EXCESS,
        (TRAINED, Quantity("f", "features", effect=1), Quantity("r", SIZE.meaning, low=0), DELTA, NOISE),
        _ordered_fs2,
    ),
    Bound(
        "holdout-choice",
        "The one of {N} hypotheses that errs least on {m} hold-out examples, a share {eta} of the labels wrong, errs, "
        "with probability 1 - {delta}, at most {epsilon} more often than the best of them.",
        f"{NG}, lemma 9 and appendix A.5.1",
        Quantity("epsilon", "error above that of the best of them", is_whole=False, low=0),
        (Quantity("m", "hold-out examples", effect=-1), Quantity("N", "hypotheses", effect=1), DELTA, NOISE),
        _choice,
    ),
    Bound(
        "different-subsets",
        "At least {N} subsets of {f} features can be chosen so that any two differ in {d} features.",
        f"{NG}, theorem 6 (Gilbert and Varshamov)",
        Quantity("N", "subsets"),
        (Quantity("f", "features", low=2, high=100_000), Quantity("d", "features in which two differ", low=2)),
        lambda f, d: different_subsets.different_subsets(f, d),
    ),
    Bound(
        "different-subsets-log",
        "The logarithm of the number of subsets of {f} features of which any two differ in a share {beta} of them is "
        "at least {L}.",
        f"{NG}, (5.4)",
        Quantity("L", "logarithm of the number of subsets", is_whole=False),
        (Quantity("f", "features"), part("beta", "share of the features in which two differ")),
        lambda f, beta: different_subsets.log_different_subsets(f, beta),
    ),
]

BOUNDS = {known.name: known for known in _ALL}


def bound(name: str, **given: object) -> Answer:
    """Ask a bound of the documents: give all its quantities but one, and the one left out is calculated.

    ``fewest bound`` lists the names, `BOUNDS` holds them.

    Parameters
    ----------
    name : str
        Such as "min-features" or "winnow1".
    **given : float
        Its quantities by name.

    Returns
    -------
    Answer
        With ``value``, the ``values`` of all quantities, and a ``sentence`` that says what they mean.

    Examples
    --------
    How many examples are needed, and what do a thousand of them promise?

    >>> from fewest import bound
    >>> bound("min-features", n=100, p=3, epsilon=0.1, delta=0.05).value
    224
    >>> print(bound("min-features", n=100, p=3, m=1000, delta=0.05).sentence)
    With 100 features, at most 3 of them relevant, 1,000 examples are enough for any learner of the MIN-FEATURES bias
    to have an error of at most 0.022356 with probability 1 - 0.05, under any distribution.
    """
    if name not in BOUNDS:
        raise ParameterError.from_choice("The bound", name, BOUNDS)
    return BOUNDS[name].ask(**given)
