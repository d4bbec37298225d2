"""Every bound of the papers by name, as ``fewest bound`` lists them.

The theorems stand in the room of their paper, each beside the function that calculates it. A quantity that a paper
writes with a letter keeps it; its meaning is beside it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from fewest.bounds.relation import Answer, Bound
from fewest.exceptions import ParameterError

# Rooms whose ``bounds.py`` has a tuple ``BOUNDS``, in the order of the listing. Rooms stand above this module, so that
# they are imported by name, and only once somebody asks.
ROOMS = ("cover", "mistakes", "cfp", "relief", "wrapper")


@cache
def all_bounds() -> dict[str, Bound]:
    """Return the bounds that the rooms declare, by name."""
    declared = (known for room in ROOMS for known in import_module(f"fewest.{room}.bounds").BOUNDS)
    return {known.name: known for known in declared}


def bound(name: str, **given: object) -> Answer:
    """Calculate with a bound of the papers: give all its quantities but one, and the one left out is calculated.

    ``fewest bound`` lists the names.

    Parameters
    ----------
    name : str
        Such as "min-features" or "winnow1".
    **given : float
        Its quantities by name.

    Returns
    -------
    Answer
        With ``value``, the ``values`` of all quantities, and a ``sentence`` that states what they mean.

    Raises
    ------
    ParameterError
        If there is no such bound or quantity, or not exactly one quantity is left out.

    See Also
    --------
    fewest.mistakes.vc_dimension : The dimension that several bounds ask for.

    Examples
    --------
    How many examples are needed, and what do a thousand of them promise?

    >>> from fewest.bounds import bound
    >>> bound("min-features", n=100, p=3, epsilon=0.1, delta=0.05).value
    224
    >>> print(bound("min-features", n=100, p=3, m=1000, delta=0.05).sentence)
    With 100 features, at most 3 of them relevant, 1,000 examples are enough for any learner of the MIN-FEATURES bias
    to have an error of at most 0.022356 with probability 1 - 0.05, under any distribution.
    """
    known = all_bounds()
    if name not in known:
        raise ParameterError.from_choice("The bound", name, known)
    return known[name].ask(**given)
