"""The Vapnik-Chervonenkis dimension of a finite class, exactly (definitions 3 and 4)."""

from __future__ import annotations

from fewest.mistakes.concepts import ConceptClass


def vc_dimension(concepts: ConceptClass) -> int:
    """Return the size of the largest set of instances on which the class takes all patterns; -1 for the empty class.

    Every subset of a shattered set is shattered, so sets grow by one instance
    at a time, and a set is the partition of the concepts that it makes: 2^d parts, none empty.

    Parameters
    ----------
    concepts : ConceptClass
        All concepts that may be true.

    Returns
    -------
    int
        The Vapnik-Chervonenkis dimension.

    See Also
    --------
    opt : The best mistake bound, which is at least as large.

    Examples
    --------
    >>> from fewest.mistakes import ConceptClass, vc_dimension
    >>> vc_dimension(ConceptClass.intervals(10)), vc_dimension(ConceptClass.all_functions(3))
    (2, 8)
    """
    if not len(concepts):
        return -1
    everything = concepts.everything
    columns = [*{min(ones, everything ^ ones): ones for ones in concepts.ones}.values()]
    best = 0

    def grow(parts: list[int], candidates: list[int], size: int) -> None:
        nonlocal best
        best = max(best, size)
        # To do better than the best, each side of every split needs 2^(best - size) concepts.
        enough = 1 << (best - size)
        if min(part.bit_count() for part in parts) < 2 * enough or size + len(candidates) <= best:
            return
        useful = candidates
        for part in parts:
            most = part.bit_count() - enough
            useful = [ones for ones in useful if enough <= (part & ones).bit_count() <= most]
        for k, ones in enumerate(useful):
            if size + len(useful) - k <= best:
                return
            grow([side for part in parts for side in (part & ones, part & ~ones)], useful[k + 1 :], size + 1)

    grow([everything], columns, 0)
    return best
