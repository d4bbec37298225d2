"""Learning by equivalence queries and learning with few mistakes are the same (transformation 1, both ways).

A *query learner* is a generator: it yields a hypothesis, a function from
instances to 0 and 1, and is sent a counterexample, an instance on which
hypothesis and target differ. An *oracle* has a method ``query(hypothesis)``
that returns a counterexample, or None if there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from fewest.exceptions import ParameterError

Hypothesis = Callable[[Any], bool]
QueryLearner = Generator[Hypothesis, Any, None]


class OnlineLearner(Protocol):
    """Predicts a label before it is seen."""

    def predict_one(self, instance: Any) -> bool:
        """Predict, learning nothing."""

    def learn_one(self, instance: Any, label: bool) -> bool:
        """Learn the label; return what was predicted."""


class Oracle(Protocol):
    """Knows the target."""

    def query(self, hypothesis: Hypothesis) -> Any | None:
        """Return an instance on which the hypothesis is wrong, or None."""


@dataclass(frozen=True)
class ExhaustiveOracle:
    """Look for a counterexample among all instances, in their order."""

    target: Hypothesis
    instances: Iterable[Any]

    def query(self, hypothesis: Hypothesis) -> Any | None:
        """Return the first instance on which the hypothesis is wrong, or None."""
        return next((x for x in self.instances if bool(hypothesis(x)) != bool(self.target(x))), None)


def as_query_learner(learner: OnlineLearner) -> QueryLearner:
    """Turn a learner with a mistake bound M into one that asks at most M + 1 equivalence queries (transformation 1).

    Each query is what the learner would predict; a counterexample is a mistake
    of its, and the label there is the opposite of its prediction.

    Parameters
    ----------
    learner : object with ``predict_one`` and ``learn_one``
        An online learner: it predicts an instance, and learns an instance and its label.

    Yields
    ------
    callable
        A hypothesis, a function from instances to True and False. What is sent back is an instance on which it is
        wrong; `ask` does so.

    See Also
    --------
    ask : Let the query learner ask an oracle.
    as_online_learner : The way back.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> from itertools import product
    >>> from fewest.mistakes import ConceptClass, as_query_learner, ask
    >>> from fewest.mistakes.queries import ExhaustiveOracle
    >>> from fewest.mistakes.version_space import OptimalSpace
    >>> oracle = ExhaustiveOracle(lambda x: x[0] or x[3], [*product((0, 1), repeat=4)])
    >>> answer = ask(as_query_learner(OptimalSpace(ConceptClass.monotone_disjunctions(4))), oracle)
    >>> answer.n_queries, answer.hypothesis((0, 0, 0, 1)), answer.hypothesis((0, 1, 1, 0))
    (4, True, False)
    """
    while True:
        counterexample = yield learner.predict_one
        learner.learn_one(counterexample, not learner.predict_one(counterexample))


@dataclass(frozen=True)
class Identified:
    """The outcome of learning by queries.

    Attributes
    ----------
    hypothesis : callable
        Equal to the target.
    n_queries : int
        Queries asked, the last one, which was answered with yes, among them.
    """

    hypothesis: Hypothesis
    n_queries: int


def ask(learner: QueryLearner, oracle: Oracle, max_queries: int = 1_000_000) -> Identified:
    """Let a query learner ask an oracle until it has found the target.

    Parameters
    ----------
    learner : generator
        It yields hypotheses, functions from instances to True and False, and is sent counterexamples, as what
        `as_query_learner` returns.
    oracle : object with ``query``
        ``query(hypothesis)`` returns an instance on which the hypothesis is wrong, or None.
    max_queries : int, default=1_000_000
        The most queries; after them an error says that the target is not what the learner can learn.

    Returns
    -------
    Identified
        Its ``hypothesis`` equals the target; its ``n_queries`` counts the queries, the last one, which was answered
        with yes, among them.

    Raises
    ------
    ParameterError
        If the target was not found by ``max_queries`` queries.

    See Also
    --------
    as_query_learner : A query learner from a learner that makes few mistakes.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    An interval among eight points is found by the third query:

    >>> from fewest.mistakes import ConceptClass, as_query_learner, ask
    >>> from fewest.mistakes.queries import ExhaustiveOracle
    >>> from fewest.mistakes.version_space import OptimalSpace
    >>> oracle = ExhaustiveOracle(lambda point: 3 <= point < 6, range(8))
    >>> found = ask(as_query_learner(OptimalSpace(ConceptClass.intervals(8))), oracle)
    >>> found.n_queries, [point for point in range(8) if found.hypothesis(point)]
    (3, [3, 4, 5])
    """
    hypothesis = next(learner)
    for n_queries in range(1, max_queries + 1):
        counterexample = oracle.query(hypothesis)
        if counterexample is None:
            return Identified(hypothesis, n_queries)
        hypothesis = learner.send(counterexample)
    raise ParameterError(
        f"The target was not found by {max_queries:,} queries, so it seems to be outside what the learner can learn. "
        "Use another learner, or allow more with max_queries."
    )


class as_online_learner:  # noqa: N801 (the counterpart of the function above)
    """Turn a query learner into an online learner: predict by the standing query; a mistake is its counterexample.

    So the mistakes are as many as the queries that are answered with no.

    Parameters
    ----------
    learner : generator
        It yields hypotheses, functions from instances to True and False, and is sent counterexamples, instances on
        which the hypothesis was wrong.

    Attributes
    ----------
    n_mistakes : int
        Mistakes so far.

    See Also
    --------
    as_query_learner : The way back.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> from fewest.mistakes import as_online_learner, as_query_learner
    >>> from fewest.mistakes.options import Rule
    >>> from fewest.mistakes.winnow import Winnow
    >>> learner = as_online_learner(as_query_learner(Winnow(Rule("winnow1", 2, 2), n_features=4)))
    >>> learner.learn_one([0, 1], True), learner.learn_one([0, 1], True), learner.n_mistakes
    (False, True, 1)
    """

    def __init__(self, learner: QueryLearner) -> None:
        self._learner = learner
        self._hypothesis = next(learner)
        self.n_mistakes = 0

    def predict_one(self, instance: Any) -> bool:
        """Predict, learning nothing.

        Parameters
        ----------
        instance : object
            What hypotheses of the query learner take.

        Returns
        -------
        bool
            The value of the standing hypothesis on it.
        """
        return bool(self._hypothesis(instance))

    def learn_one(self, instance: Any, label: bool) -> bool:
        """Learn the label; return what was predicted.

        Parameters
        ----------
        instance : object
            What hypotheses of the query learner take.
        label : bool
            Its true label.

        Returns
        -------
        bool
            What was predicted before the label was seen.
        """
        predicted = self.predict_one(instance)
        if predicted != bool(label):
            self.n_mistakes += 1
            self._hypothesis = self._learner.send(instance)
        return predicted


def walked(tree, learner: OnlineLearner) -> Iterator[tuple[int, bool]]:
    """Play the adversary of a mistake tree: at every node, give the label that the learner did not predict.

    Yields the trials, an instance's number and its label; every one is a
    mistake, and some concept of the class agrees with all of them.
    """
    node = 0
    while tree.instance[node] >= 0:
        label = not learner.predict_one(tree.instance[node])
        learner.learn_one(tree.instance[node], label)
        yield tree.instance[node], label
        node = tree.children(node)[int(label)]
