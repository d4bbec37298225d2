"""Concepts of few features, one for every class of those that permutations and negations of features make equal."""

from __future__ import annotations

from functools import cache
from itertools import permutations

N_FEATURES = 3
N_CELLS = 1 << N_FEATURES
# The one that is hardest for all who look at one feature at a time.
PARITY = "10010110"


@cache
def classes() -> tuple[str, ...]:
    """Return the truth tables of the classes of all concepts of one to three features, as text.

    Complements are classes of their own: FRINGE looks at positive leaves, so that it is not symmetric there.

    >>> len(classes()), PARITY in classes()
    (20, True)
    """
    tables = {min(_images(code)) for code in range(1 << N_CELLS)}
    tables -= {0, (1 << N_CELLS) - 1}
    return tuple("".join(str(code >> cell & 1) for cell in range(N_CELLS)) for code in sorted(tables))


def _images(code: int) -> set[int]:
    images = set()
    for order in permutations(range(N_FEATURES)):
        for flips in range(N_CELLS):
            moved = [sum(((cell ^ flips) >> b & 1) << order[b] for b in range(N_FEATURES)) for cell in range(N_CELLS)]
            images.add(sum((code >> moved[cell] & 1) << cell for cell in range(N_CELLS)))
    return images


def name_of(table: str) -> str:
    """Name the concepts that have names.

    >>> name_of(PARITY), name_of("10000000")
    ('parity of three', 'conjunction of three')
    """
    known = {PARITY: "parity of three", "10000000": "conjunction of three", "11111110": "disjunction of three"}
    return known.get(table, table)


def as_truths(table: str) -> list[bool]:
    """Return a truth table as the batches take it."""
    return [cell == "1" for cell in table]
