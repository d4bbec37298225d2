"""Mistake bounds in closed form, after Littlestone (1988); every function checks its theorem's conditions.

A bound is a real number; the number of mistakes, an integer, is at most its floor.
"""

from __future__ import annotations

from math import floor, inf, isfinite, log, log2

from fewest.bounds.counting import chooses_at_least
from fewest.bounds.relation import DIMENSION, Bound, Quantity, features, require, share
from fewest.mistakes.options import BalancedWinnowOptions, Winnow1Options, Winnow2Options, WinnowOptions
from fewest.mistakes.separation import Separation


def halving(n_concepts: int) -> float:
    """Return what the halving algorithm makes at most: ``log2 |C|`` (theorem 1).

    >>> halving(64)
    6.0
    """
    require(n_concepts >= 1, f"|C| = {n_concepts}", "the target class is not empty")
    return log2(n_concepts)


def optimal_at_most(n_concepts: int) -> int:
    """Return the most that opt(C) can be for ``n_concepts`` concepts: ``log2 |C|``, rounded down (theorem 2).

    >>> optimal_at_most(93)
    6
    """
    require(n_concepts >= 1, f"|C| = {n_concepts}", "the target class is finite and not empty")
    return n_concepts.bit_length() - 1  # exact, where a logarithm might be rounded


def optimal(largest_tree: int) -> int:
    """Return opt(C) = M_SOA(C) = K(C), given the height K(C) of the largest complete mistake tree (theorem 3).

    `fewest.mistakes.largest_mistake_tree` finds that tree. The empty class has K = -1.

    >>> optimal(4)
    4
    """
    require(largest_tree >= -1, f"K(C) = {largest_tree}", "K(C) >= -1")
    return largest_tree


def optimal_at_least(vc_dimension: int) -> int:
    """Return the least that opt(C) can be: the VC dimension (theorem 4).

    >>> optimal_at_least(3)
    3
    """
    require(vc_dimension >= 0, f"VCdim(C) = {vc_dimension}", "the target class is not empty")
    return vc_dimension


def winnow1(
    n_features: int, n_relevant: int, alpha: float = Winnow1Options.update_factor, theta: float | None = None
) -> float:
    """Return what Winnow1 makes at most on a disjunction of k monotone literals (theorem 7).

    That is ``alpha k (log_alpha theta + 1) + n / theta``, for alpha > 1 and
    theta >= 1 / alpha. By default theta is n / 2, so that with alpha = 2 it
    reads 2 k log2 n + 2.

    >>> winnow1(n_features=1024, n_relevant=3)
    62.0
    """
    theta = Winnow1Options().threshold(n_features) if theta is None else theta
    require(1 <= n_relevant <= n_features, f"k = {n_relevant}, n = {n_features}", "1 <= k <= n")
    require(1 < alpha < inf, f"alpha = {alpha}", "alpha > 1")
    require(isfinite(theta) and theta * alpha >= 1, f"theta = {theta}, alpha = {alpha}", "theta >= 1 / alpha")
    return alpha * n_relevant * (log(theta, alpha) + 1) + n_features / theta


def disjunctions_at_least(n_features: int, n_literals: int, *, exactly: bool = False) -> float:
    """Return what any learner of monotone disjunctions must be prepared to make (theorem 8).

    Of exactly k literals: ``k floor(log2(n / k))``. Of at most k literals, the
    larger of that and, for n > 1, ``k / 8 (1 + log2(n / k))``.

    >>> disjunctions_at_least(1024, 4)
    32.0
    >>> disjunctions_at_least(8, 8), disjunctions_at_least(8, 8, exactly=True)
    (1.0, 0.0)
    """
    n, k = n_features, n_literals
    require(1 <= k <= n, f"k = {k}, n = {n}", "1 <= k <= n")
    bound = float(k * ((n // k).bit_length() - 1))
    return bound if exactly or n == 1 else max(bound, k / 8 * (1 + log2(n / k)))


def winnow2(n_features: int, separation: Separation, theta: float | None = None) -> float:
    """Return what Winnow2 with alpha = 1 + delta / 2 makes at most on a target of F(X, delta) (theorem 9).

    That is ``8 / delta^2 n / theta + (5 / delta + 14 ln theta / delta^2) sum mu``
    for theta >= 1, which by default is n. (The notes print the first 8 as
    delta; it follows from their lemmas 7 to 9.)

    >>> round(winnow2(1000, Separation.r_of_k(1, 3)), 1)
    313.1
    """
    theta = Winnow2Options().threshold(n_features) if theta is None else theta
    delta, mu = separation.delta, separation.total
    require(n_features >= 1, f"n = {n_features}", "n >= 1")
    require(1 <= theta < inf, f"theta = {theta}", "theta >= 1")
    return 8 / delta**2 * n_features / theta + (5 / delta + 14 * log(theta) / delta**2) * mu


def balanced_winnow(n_features: int, margin: float, alpha: float) -> float:
    """Return what balanced Winnow with threshold 0 makes at most on a target that has a margin.

    Not in the notes. Let u, of absolute sum 1, have ``|u . x| >= margin`` with
    the right sign on all examples; n counts the constant feature. The sum W
    of all weights, alpha^e and alpha^-e, is 2 n at first. With E = ln alpha and
    z the share of W that votes for the right answer minus the share that votes
    against it (at most 0 in a mistake), a mistake multiplies W by at most
    cosh E + z sinh E <= cosh E. After M mistakes some weight is at least
    alpha^(M margin), hence M (E margin - ln cosh E) <= ln 2 n. Where the left
    factor is not positive nothing is known, and the bound is infinite.

    >>> round(balanced_winnow(101, 1 / 3, alpha=2**0.5), 1)
    93.7
    """
    require(n_features >= 1, f"n = {n_features}", "n >= 1")
    require(0 < margin <= 1, f"margin = {margin}", "0 < margin <= 1")
    require(1 < alpha < inf, f"alpha = {alpha}", "alpha > 1")
    gained = log(alpha) * margin - log((alpha + 1 / alpha) / 2)
    return log(2 * n_features) / gained if gained > 0 else inf


def monotone_dnf_vc_at_least(n_features: int, term_size: int, n_terms: int, m: int | None = None) -> int:
    """Return the least VC dimension of the l-term monotone k-DNF formulas: ``k l floor(log2(n / m))``.

    For any m with k <= m <= n and comb(m, k) >= l; by default the smallest,
    which gives the most. Terms have exactly k literals.

    >>> monotone_dnf_vc_at_least(64, term_size=2, n_terms=3)
    24
    """
    n, k, terms = n_features, term_size, n_terms
    require(1 <= k <= n, f"k = {k}, n = {n}", "1 <= k <= n")
    require(terms >= 1 and chooses_at_least(n, k, terms), f"l = {terms}", "1 <= l <= comb(n, k)")
    if m is None:
        m = next(size for size in range(k, n + 1) if chooses_at_least(size, k, terms))
    require(k <= m <= n and chooses_at_least(m, k, terms), f"m = {m}", "k <= m <= n and comb(m, k) >= l")
    return k * terms * ((n // m).bit_length() - 1)


def whole(bound: float) -> int | None:
    """Return the most mistakes that a bound allows, None if it allows any number."""
    return floor(bound) if isfinite(bound) else None


def queries(bound: float) -> int:
    """Return how many equivalence queries the learner needs at most that transformation 1 makes: M + 1.

    >>> queries(halving(64))
    7
    """
    require(isfinite(bound) and bound >= 0, f"M = {bound}", "M is finite and not negative")
    return floor(bound) + 1


def of_winnow(options: WinnowOptions, n_features: int) -> float | None:
    """Return what Winnow with these options makes at most, None where no theorem applies.

    None applies where the options leave open what the target is, or are outside the conditions of the theorem.

    >>> of_winnow(Winnow1Options(n_relevant=3), n_features=1024)
    62.0
    """
    rule, n = options.rule(n_features), n_features
    if isinstance(options, Winnow1Options) and options.n_relevant is not None and rule.theta * rule.update_factor >= 1:
        return winnow1(n, options.n_relevant, rule.update_factor, rule.theta)
    if isinstance(options, Winnow2Options) and options.separation is not None and rule.theta >= 1:
        has_its_alpha = rule.update_factor == Winnow2Options(separation=options.separation).factor
        return winnow2(n, options.separation, rule.theta) if has_its_alpha else None
    if isinstance(options, BalancedWinnowOptions) and options.n_relevant is not None and rule.theta == 0:
        bound = balanced_winnow(n + 1, options.margin, rule.update_factor)
        return bound if isfinite(bound) else None
    return None


def _threshold(default: str) -> Quantity:
    return Quantity("theta", "threshold", is_whole=False, low=0, default=default)


SOURCE = "Littlestone (1988)"
MISTAKES = Quantity("M", "mistakes", is_whole=False, low=0)

BOUNDS = (
    Bound(
        "halving",
        "The halving algorithm makes at most {M} mistakes on a class of {concepts} concepts.",
        f"{SOURCE}, theorem 1",
        MISTAKES,
        (Quantity("concepts", "concepts of the class", effect=1),),
        lambda concepts: halving(concepts),
    ),
    Bound(
        "opt-at-most",
        "A class of {concepts} concepts can be learned with at most {M} mistakes.",
        f"{SOURCE}, theorem 2",
        MISTAKES,
        (Quantity("concepts", "concepts of the class", effect=1),),
        lambda concepts: optimal_at_most(concepts),
    ),
    Bound(
        "opt",
        "If the largest complete mistake tree of a class has height {K}, the standard optimal algorithm makes at most "
        "{M} mistakes, and no learner can promise fewer.",
        f"{SOURCE}, theorem 3",
        MISTAKES,
        (Quantity("K", "height of the largest complete mistake tree", low=-1, effect=1),),
        lambda K: optimal(K),
    ),
    Bound(
        "opt-at-least",
        "Any learner of a class of VC dimension {d} must be prepared to make {M} mistakes.",
        f"{SOURCE}, theorem 4",
        MISTAKES,
        (Quantity("d", "VC dimension", low=0, effect=1),),
        lambda d: optimal_at_least(d),
    ),
    Bound(
        "winnow1",
        "Winnow1 with factor {alpha} and threshold {theta} makes at most {M} mistakes on a disjunction of {k} of {n} "
        "features, however the examples come.",
        f"{SOURCE}, theorem 7",
        MISTAKES,
        (
            features(),
            Quantity("k", "literals of the disjunction", effect=1),
            Quantity("alpha", "factor of promotions", is_whole=False, low=1, default="2"),
            _threshold("n / 2"),
        ),
        lambda n, k, alpha=Winnow1Options.update_factor, theta=None: winnow1(n, k, alpha, theta),
    ),
    Bound(
        "disjunctions",
        "Any learner of the disjunctions of at most {k} of {n} features must be prepared to make {M} mistakes.",
        f"{SOURCE}, theorem 8",
        MISTAKES,
        (features(), Quantity("k", "literals at most")),
        lambda n, k: disjunctions_at_least(n, k),
    ),
    Bound(
        "disjunctions-exactly",
        "Any learner of the disjunctions of exactly {k} of {n} features must be prepared to make {M} mistakes.",
        f"{SOURCE}, theorem 8",
        MISTAKES,
        (features(), Quantity("k", "literals")),
        lambda n, k: disjunctions_at_least(n, k, exactly=True),
    ),
    Bound(
        "winnow2",
        "Winnow2 with factor 1 + delta / 2 and threshold {theta} makes at most {M} mistakes on a concept that weights "
        "of sum {mu} separate with a gap of {delta}, among {n} features.",
        f"{SOURCE}, theorem 9",
        MISTAKES,
        (
            features(),
            Quantity("delta", "gap of the separation", is_whole=False, low=0, high=1 + 1e-12, effect=-1),
            Quantity("mu", "sum of the separating weights", is_whole=False, low=0, effect=1),
            _threshold("n"),
        ),
        lambda n, delta, mu, theta=None: winnow2(n, Separation(delta, mu), theta),
    ),
    Bound(
        "winnow2-r-of-k",
        "Winnow2 with factor 1 + 1 / (2 r) and threshold {theta} makes at most {M} mistakes on a concept that is true "
        "when at least {r} of certain {k} features are, among {n}.",
        f"{SOURCE}, theorem 9",
        MISTAKES,
        (
            features(),
            Quantity("r", "features that must be true", effect=1),
            Quantity("k", "relevant features", effect=1),
            _threshold("n"),
        ),
        lambda n, r, k, theta=None: winnow2(n, Separation.r_of_k(r, k), theta),
    ),
    Bound(
        "balanced-winnow",
        "Balanced Winnow with factor {alpha} makes at most {M} mistakes on a concept of margin {margin}, among {n} "
        "features (the constant one counted).",
        "not in the papers; proven in the docstring of fewest.mistakes.bounds.balanced_winnow",
        MISTAKES,
        (
            features(),
            share("margin", "margin of the concept"),
            Quantity("alpha", "factor of promotions", is_whole=False, low=1),
        ),
        lambda n, margin, alpha: balanced_winnow(n, margin, alpha),
    ),
    Bound(
        "dnf-vc",
        "The disjunctions of {l} conjunctions of {k} of {n} features have a VC dimension of at least {d}.",
        f"{SOURCE}, the bound of monotone k-DNF",
        DIMENSION,
        (
            features(),
            Quantity("k", "literals of a term"),
            Quantity("l", "terms"),
            Quantity("m", "features of a block, any with comb(m, k) >= l", default="the smallest possible"),
        ),
        lambda n, k, l, m=None: monotone_dnf_vc_at_least(n, k, l, m),  # noqa: E741 (the paper's letter)
    ),
    Bound(
        "queries",
        "A learner that makes at most {M} mistakes needs at most {queries} equivalence queries.",
        f"{SOURCE}, transformation 1",
        Quantity("queries", "equivalence queries"),
        (Quantity("M", "mistakes", is_whole=False, low=0, effect=1),),
        lambda M: queries(M),
    ),
)
