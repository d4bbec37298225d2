from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.exceptions import ParameterError
from fewest.kernels import compile_or_not
from fewest.mistakes import bounds as mistakes
from fewest.mistakes.exact_scores import first_largest
from fewest.mistakes.examples import Dense, PackedBits, Sparse
from fewest.mistakes.kernels.layout import BALANCED, DEMOTION
from fewest.mistakes.options import ALGORITHMS, Rule
from fewest.mistakes.separation import Separation
from fewest.mistakes.stream import GrowingFeatures, StreamLearner
from fewest.mistakes.winnow import BlockWork, Committee, Winnow

ALPHAS = [Fraction(2), Fraction(3, 2), Fraction(5, 4)]


@st.composite
def runs(draw, max_features=6, max_trials=25):
    n = draw(st.integers(1, max_features))
    row = st.tuples(*[st.integers(0, 1)] * n)
    examples = draw(st.lists(st.tuples(row, st.booleans()), max_size=max_trials))
    kind = draw(st.sampled_from(ALGORITHMS))
    theta = draw(st.sampled_from([Fraction(0)] if kind == "balanced" else [Fraction(n, 2), Fraction(n), Fraction(1)]))
    return n, examples, kind, draw(st.sampled_from(ALPHAS)), theta


def shapes(examples, n):
    rows = np.array([instance for instance, _ in examples], dtype=np.uint8).reshape(-1, n)
    indptr = np.concatenate([[0], np.cumsum(rows.sum(axis=1))]).astype(np.int64)
    return [Dense(rows), Sparse(indptr, rows.nonzero()[1], n), PackedBits.from_dense(rows)]


@pytest.fixture(params=["never", "always"])
def engine(request, monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", request.param)


@pytest.mark.usefixtures("engine")
@given(runs())
def test_every_shape_and_engine_is_the_paper_s_algorithm(run):
    n, examples, kind, alpha, theta = run
    wrong, weights = naive.winnow(examples, n, kind, alpha, theta)
    labels = np.array([label for _, label in examples], dtype=bool)
    for block in shapes(examples, n):
        winnow = Winnow(Rule(kind, float(alpha), float(theta)), n)
        scores = winnow.learn(block, labels)
        assert np.flatnonzero((scores > winnow.rule.threshold) != labels).tolist() == wrong
        np.testing.assert_allclose(
            [*winnow.weights, *([winnow.bias] if kind == "balanced" else [])], [*map(float, weights)]
        )
        np.testing.assert_allclose(
            winnow.scores(block), [winnow.score_one(block.active(t)) for t in range(len(block))], atol=1e-12
        )


@given(runs(max_trials=40), st.booleans())
def test_rows_and_the_lists_of_their_features_are_learned_alike(run, is_exact):
    n, examples, kind, alpha, theta = run
    labels = np.array([label for _, label in examples], dtype=bool)
    (dense, *_) = shapes(examples, n)
    found = []
    for choice, is_listed in (("never", False), ("always", False), ("always", True)):
        winnow = Winnow(Rule(kind, float(alpha), float(theta)), n)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", choice)
            patch.setattr("fewest.mistakes.winnow.compiles_faster", lambda *_, long=not is_listed: long)
            scores = winnow.learn(dense, labels, is_exact)
        found.append((winnow.exponents.tolist(), winnow.weights.tolist(), (scores > winnow.rule.threshold).tolist()))
    assert found[0] == found[1] == found[2]


def test_few_rows_are_learned_by_lists_of_features_until_other_code_is_kept_or_there_are_many(monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "auto")
    kept = {"fewest.mistakes.kernels.winnow:winnow_dense": False}
    monkeypatch.setattr(compile_or_not, "is_kept", lambda kernels: kept[kernels])
    few = Dense(np.eye(50, dtype=np.uint8)[np.arange(5000) % 50])
    many = Dense(np.zeros((1_000_000, 50), dtype=np.uint8))
    work = BlockWork()
    assert [work.laid_out(block) is block for block in (few, many, few)] == [False, True, True]
    lists = BlockWork().laid_out(few)
    assert [lists.active(t).tolist() for t in (0, 7, 4999)] == [[0], [7], [49]]
    assert BlockWork().laid_out(lists) is lists
    kept["fewest.mistakes.kernels.winnow:winnow_dense"] = True
    assert BlockWork().laid_out(few) is few


@given(runs())
def test_blocks_of_any_size_and_single_examples_leave_the_same_state(run):
    n, examples, kind, alpha, theta = run
    rule = Rule(kind, float(alpha), float(theta))
    labels = np.array([label for _, label in examples], dtype=bool)
    whole, single, halves = (Winnow(rule, n) for _ in range(3))
    (dense, *_) = shapes(examples, n)
    whole.learn(dense, labels)
    for t, label in enumerate(labels.tolist()):
        before = single.predict_one(dense.active(t))
        assert single.learn_one(dense.active(t), label) == before
    for start, end in pairwise([0, len(labels) // 2, len(labels)]):
        halves.learn(Dense(dense.rows[start:end]), labels[start:end])
        halves.restore(halves.exponents)
    assert single.exponents.tolist() == whole.exponents.tolist() == halves.exponents.tolist()


@pytest.mark.usefixtures("engine")
def test_bits_beyond_the_features_are_ignored():
    rng = np.random.default_rng(0)
    rows, labels = rng.random((50, 70)) < 0.4, rng.random(50) < 0.5
    packed = PackedBits.from_dense(rows)
    littered = PackedBits(packed.words | np.array([0, 1 << 63 | 1 << 6], dtype=np.uint64), 70)
    for kind in ALGORITHMS:
        winnows = [Winnow(Rule(kind, 1.2, 20.0), 70) for _ in range(2)]
        scores = [
            winnow.learn(block, labels).tolist() for winnow, block in zip(winnows, (packed, littered), strict=True)
        ]
        assert scores[0] == scores[1]
        assert winnows[0].exponents.tolist() == winnows[1].exponents.tolist()


def test_a_sum_that_equals_the_threshold_predicts_0():
    winnow = Winnow(Rule("winnow2", 1.5, 2.0), 3)
    assert not winnow.predict_one([0, 1])
    assert winnow.predict_one([0, 1, 2])
    winnow.learn_one([0, 1, 2], False)  # three weights of two thirds: their sum is 2, and in floating point nearly
    assert not winnow.predict_one([0, 1, 2])


def test_far_exponents_are_computed_as_near_ones_are(monkeypatch):
    rows = np.ones((400, 2), dtype=np.uint8)
    for name in ALGORITHMS:
        winnows = []
        for compiles in ("never", "always"):
            monkeypatch.setenv("FEWEST_COMPILE", compiles)
            winnow = Winnow(Rule(name, 1.01, 1e4 if name != "balanced" else 1e3), 2)
            for block in (Dense(rows), PackedBits.from_dense(rows)):
                winnow.learn(block, np.ones(400, dtype=bool))
            winnows.append(winnow)
        assert winnows[0].exponents.tolist() == winnows[1].exponents.tolist()
        np.testing.assert_allclose(winnows[0].weights, winnows[1].weights)
        assert winnows[0].exponents[0] > 300


@pytest.mark.parametrize("kind", ALGORITHMS)
@pytest.mark.parametrize("alpha", [1.1, 2.0])
@pytest.mark.parametrize("n_features", [64, 200])
def test_shortcuts_through_long_stretches_without_mistakes_predict_the_same(kind, alpha, n_features, monkeypatch):
    """Many different weights, small and large, sums at, just above and just below the threshold, and rare mistakes."""
    rng = np.random.default_rng(n_features)
    rows = (rng.random((2000, n_features)) < 0.3).astype(np.uint8)
    powers = 100 if alpha < 2 else 9
    start = np.append(rng.integers(-powers if kind == "balanced" else 0, powers, n_features), 0)
    start[-1] = 0 if kind == "balanced" else -(1 << 30)
    winnow = Winnow(Rule(kind, alpha, 1.0), n_features)
    winnow.restore(start)
    theta = float(np.sort(winnow.scores(Dense(rows)))[1000])
    rule = Rule(kind, alpha, theta)
    labels = (winnow.scores(Dense(rows)) > rule.threshold) ^ (rng.random(2000) < 0.005)
    assert (winnow.scores(Dense(rows)) == theta).any()
    states = []
    for compiles, is_exact in (("never", True), ("always", True), ("always", False)):
        monkeypatch.setenv("FEWEST_COMPILE", compiles)
        for block in (Dense(rows), PackedBits.from_dense(rows)):
            winnow = Winnow(rule, n_features)
            winnow.restore(start)
            scores = winnow.learn(block, labels, is_exact)
            states.append((winnow.exponents.tolist(), np.flatnonzero(scores > rule.threshold).tolist()))
    assert all(state == states[0] for state in states)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (("winnow3", 2, 1), "Choose one of 'winnow1'"),
        (("winnow1", 1, 1), "more than 1"),
        (("winnow1", float("nan"), 1), "more than 1"),
        (("winnow2", 2, 0), "above 0"),
        (("balanced", 2, float("inf")), "no threshold"),
    ],
)
def test_rules_make_sense(parameters, message):
    with pytest.raises(ParameterError, match=message):
        Rule(*parameters)


# ---------------------------------------------------------------------- bounds


@st.composite
def disjunction_runs(draw, negated=False):
    n = draw(st.integers(1, 8))
    relevant = draw(st.sets(st.integers(0, n - 1), min_size=1))
    signs = {i: draw(st.booleans()) if negated else True for i in relevant}
    rows = draw(st.lists(st.tuples(*[st.integers(0, 1)] * n), max_size=80))
    examples = [(row, any(bool(row[i]) == sign for i, sign in signs.items())) for row in rows]
    return n, len(relevant), examples


@given(disjunction_runs(), st.sampled_from(ALPHAS), st.sampled_from(["default", "least", "n"]))
def test_winnow1_keeps_to_theorem_7(run, alpha, choice):
    n, k, examples = run
    theta = {"default": n / 2, "least": 1 / alpha, "n": n}[choice]
    wrong = made(examples, Rule("winnow1", float(alpha), float(theta)), n)
    assert wrong <= mistakes.winnow1(n, k, float(alpha), float(max(theta, 1 / float(alpha))))


@given(disjunction_runs())
def test_winnow2_keeps_to_theorem_9_on_disjunctions(run):
    n, k, examples = run
    for theta in (1.0, float(n)):
        assert made(examples, Rule("winnow2", 1.5, theta), n) <= mistakes.winnow2(n, Separation.disjunction(k), theta)


@given(st.data())
def test_winnow2_keeps_to_theorem_9_on_r_of_k(data):
    n = data.draw(st.integers(1, 8))
    k = data.draw(st.integers(1, n))
    r = data.draw(st.integers(1, k))
    rows = data.draw(st.lists(st.tuples(*[st.integers(0, 1)] * n), max_size=100))
    separation = Separation.r_of_k(r, k)
    examples = [(row, sum(row[:k]) >= r) for row in rows]
    wrong = made(examples, Rule("winnow2", 1 + separation.delta / 2, float(n)), n)
    assert wrong <= mistakes.winnow2(n, separation)


@given(disjunction_runs(negated=True))
def test_balanced_winnow_keeps_to_its_bound(run):
    n, k, examples = run
    margin = 1 / (4 * k - 1)
    alpha = ((1 + margin) / (1 - margin)) ** 0.5
    assert made(examples, Rule("balanced", alpha, 0.0), n) <= mistakes.balanced_winnow(n + 1, margin, alpha)


def made(examples, rule, n):
    winnow = Winnow(rule, n)
    return sum(winnow.learn_one(np.flatnonzero(row), label) != label for row, label in examples)


def test_an_adversary_that_always_contradicts_stops_at_the_bound():
    """Give each time the instance that the winnow gets wrong, if the target has one."""
    for n, k in [(4, 1), (6, 2), (8, 3)]:
        instances = [[i for i in range(n) if code >> i & 1] for code in range(2**n)]
        winnow, wrong = Winnow(Rule("winnow1", 2.0, n / 2), n), 0
        while True:
            missed = [x for x in instances if winnow.predict_one(x) != any(i < k for i in x)]
            if not missed:
                break
            winnow.learn_one(missed[0], any(i < k for i in missed[0]))
            wrong += 1
        assert wrong <= mistakes.winnow1(n, k)


# ---------------------------------------------------------------------- classes


def test_a_committee_has_a_member_a_class():
    rows = np.eye(3, dtype=np.uint8)
    committee = Committee(Rule("winnow2", 1.5, 3.0), 3, 3)
    for _ in range(10):
        committee.learn(Dense(rows), np.arange(3))
    assert committee.predict(Dense(rows)).tolist() == [0, 1, 2]
    assert committee.exponents.shape == (3, 4)
    assert Committee(Rule("winnow1", 2.0, 1.0), 3, 1).predict(Dense(rows)).tolist() == [0, 0, 0]


@st.composite
def runs_of_classes(draw, max_features=6, max_trials=40):
    n, n_classes = draw(st.integers(1, max_features)), draw(st.integers(3, 5))
    row = st.tuples(*[st.integers(0, 1)] * n)
    examples = draw(st.lists(st.tuples(row, st.integers(0, n_classes - 1)), max_size=max_trials))
    kind = draw(st.sampled_from(ALGORITHMS))
    alpha = draw(st.sampled_from([1.1, 1.5, 4 / 3, 2.0]))  # 1.1 is no sum of few powers of two
    theta = draw(st.sampled_from([0] if kind == "balanced" else [n / 2, n, 1]))
    return n, n_classes, examples, kind, alpha, theta


@pytest.mark.usefixtures("engine")
@given(runs_of_classes(), st.lists(st.integers(1, 7), min_size=1))
def test_several_classes_in_any_batching_and_shape_are_exact(run, sizes):
    n, n_classes, examples, kind, alpha, theta = run
    exactly = naive.winnow_of_classes(examples, n, n_classes, kind, Fraction(alpha), Fraction(theta))
    codes = np.array([label for _, label in examples], dtype=np.intp)
    for block in shapes(examples, n):
        whole, parted = (Committee(Rule(kind, alpha, float(theta)), n, n_classes) for _ in range(2))
        assert whole.learn(block, codes).tolist() == exactly
        predicted, start = [], 0
        for size in sizes * len(examples):
            some = slice(start, min(start + size, len(examples)))
            if some.start < some.stop:
                predicted += parted.learn(block.part(some), codes[some]).tolist()
            start += size
        assert predicted == exactly
        assert whole.exponents.tolist() == parted.exponents.tolist()
        assert whole.predict(block).tolist() == [
            int(whole.predict(block.part(slice(t, t + 1)))[0]) for t in range(len(block))
        ]


@given(runs_of_classes())
def test_a_stream_of_several_classes_is_exact(run):
    n, _, examples, kind, alpha, theta = run
    # A stream's labels have a winnow each from when they appear; here all of them appear first, without a feature.
    labels = sorted({label for _, label in examples})
    met = [((0,) * n, labels.index(label)) for label in labels]
    known = [(row, labels.index(label)) for row, label in examples]
    learner = StreamLearner(Rule(kind, alpha, float(theta)), GrowingFeatures(map(str, range(n))))
    for _, label in met:
        learner.learn([], f"class {label}")
    state = [winnow.exponents.copy() for winnow in learner.winnows.values()]
    exactly = naive.winnow_of_classes(known, n, len(labels), kind, Fraction(alpha), Fraction(theta))
    if kind == "balanced":  # the feature that is always active has learned from the labels' first appearance
        for winnow, own in zip(learner.winnows.values(), state, strict=True):
            winnow.restore(np.zeros_like(own))
    active = [[str(i) for i, x in enumerate(row) if x] for row, _ in known]
    predicted = [learner.learn(names, f"class {label}") for names, (_, label) in zip(active, known, strict=True)]
    assert predicted == [f"class {label}" for label in exactly]


def test_powers_too_high_to_be_multiplied_out_are_compared_by_the_largest():
    far = [np.array([1 << 23, -(1 << 23)], dtype=np.int32), np.array([1 << 23, 5], dtype=np.int32)]
    assert first_largest(far, 1.1, 1) == 1
    assert first_largest([np.array([1 << 23]), np.array([(1 << 23) - 1] * 2)], 1.1, 1) == 1
    assert first_largest([np.array([5]), np.array([5])], 1.1, 1) == 0


def test_new_features_have_the_weights_of_the_beginning():
    rule, small, large = Rule("balanced", 2.0, 0.0), *(Winnow(Rule("balanced", 2.0, 0.0), n) for n in (2, 5))
    for winnow in (small, large):
        for label in (True, True, False):
            winnow.learn_one([0], label)
    small.grow(5)
    assert small.exponents.tolist() == large.exponents.tolist()
    assert small.rule == rule


@given(st.data(), st.sampled_from([1.1, 4 / 3, 1.7]), st.sampled_from([DEMOTION, BALANCED]))
def test_sums_of_the_same_powers_in_any_order_are_equal(data, factor, update):
    """Added up as floats, one in three of them would differ."""
    some = data.draw(st.lists(st.integers(-9, 9), min_size=3, max_size=9))
    members = [data.draw(st.one_of(st.permutations(some), st.lists(st.integers(-9, 9), max_size=9))) for _ in range(4)]

    def weight(power):
        return Fraction(factor) ** power - (Fraction(factor) ** -power if update == BALANCED else 0)

    sums = [sum(map(weight, own)) for own in members]
    found = first_largest([np.array(own, dtype=np.int64) for own in members], factor, update)
    assert found == sums.index(max(sums))
