"""What a certificate states, field by field, each checked before it is believed."""

from __future__ import annotations

import base64
import binascii
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fewest.exceptions import CertificateError

# A cost, a margin or a bound is no larger, or it is none.
LARGEST = sys.float_info.max
# Bytes that a tree may have, unpacked: no more than fewest writes.
LARGEST_TREE = 1 << 27

Names = list[str]


@dataclass(frozen=True)
class Statement:
    """A certificate whose fields are what they should be; whether they are true is another question.

    Attributes
    ----------
    choices : list of list of str
        What there is to choose among: single features, and groups that enter together and cost once.
    prices : list of Fraction
        What every choice costs.
    at_most : list of (int, list of int)
        Of these choices, at most so many may be taken.
    any_of : list of list of int
        Of these choices, one at least must be taken.
    tree : sequence of int or None
        The sets that the nodes of the proof name: those of the pairs, then those of ``any_of``.
    """

    columns: Names
    usable: Names
    features: Names
    included: Names
    is_cautious: bool
    margins: dict[str, float]
    cuts: dict[str, list[float]]
    tolerance: Fraction
    n_rows: object
    digest: str | None
    choices: list[Names]
    prices: list[Fraction]
    at_most: list[tuple[int, list[int]]]
    any_of: list[list[int]]
    cost: Fraction
    bound: Fraction
    pairs: list[tuple[int, int]]
    order: list[int]
    tree: Sequence[int] | None

    @classmethod
    def read(cls, certificate: dict[str, Any]) -> Statement:
        """Check every field."""
        columns = _names(certificate, "columns")
        if "exclude" not in certificate and "forbid" in certificate:  # as it was called at first
            certificate = {**certificate, "exclude": certificate["forbid"]}
        excluded = set(_names(certificate, "exclude", columns))
        usable = [name for name in columns if name not in excluded]
        missing = certificate.get("missing")
        if missing not in ("value", "cautious"):
            raise _damaged(f"missing is {missing!r}, neither 'value' nor 'cautious'")
        # Up to rounding: 0.3 - 0.2 is meant to reach 0.1.
        margins = {name: float(m) * (1 - 1e-9) for name, m in _prices(certificate, "margins", columns, {}).items()}
        costs = _prices(certificate, "costs", columns, dict.fromkeys(columns, Fraction(1)))
        unpriced = set(columns) - set(costs)
        if unpriced:
            raise _damaged(f"costs have none for {min(unpriced)!r}")
        choices = _choices(certificate, usable)
        place = {name: k for k, choice in enumerate(choices) for name in choice}
        pairs = _pairs(certificate)
        any_of = [_places(names, place) for names in _groups(certificate, "any_of", columns)]
        order, tree = _tree(certificate, place, len(pairs) + len(any_of))
        digest = certificate.get("digest")
        if not isinstance(digest, str | None):
            raise _damaged(f"digest is {digest!r}, no text")
        return cls(
            columns,
            usable,
            _names(certificate, "features", columns),
            _names(certificate, "include", columns),
            missing == "cautious",
            margins,
            _cuts(certificate, columns),
            _fraction(certificate),
            certificate.get("n_rows"),
            digest,
            choices,
            [max(costs[name] for name in choice) for choice in choices],
            _limits(certificate, columns, place),
            any_of,
            _number(certificate.get("cost"), "cost"),
            _number(certificate.get("lower_bound"), "lower_bound"),
            pairs,
            order,
            tree,
        )


def _damaged(fact: str) -> CertificateError:
    return CertificateError(f"The certificate's {fact}. It is damaged.")


def _names(certificate: dict[str, Any], key: str, known: Names | None = None) -> Names:
    """Return the distinct names of a field."""
    return _distinct(certificate.get(key), key, known)


def _distinct(names: object, key: str, known: Names | None = None) -> Names:
    """Return distinct names, of those known."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CertificateError(f"The certificate lists no {key}. It is damaged.")
    if len(set(names)) < len(names):
        raise CertificateError(f"The certificate lists some of its {key} twice. It is damaged.")
    strangers = set(names) - set(names if known is None else known)
    if strangers:
        raise _damaged(f"{key} has {min(strangers)!r}, none of its columns")
    return names


def _number(value: object, key: str) -> Fraction:
    """Return a number exactly as it is written."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise _damaged(f"{key} is {value!r}, which is no number")
    return Fraction(str(value))


def _fraction(certificate: dict[str, Any]) -> Fraction:
    """Return the tolerance."""
    tolerance = _number(certificate.get("tolerance", 0), "tolerance")
    if not 0 <= tolerance <= 1:
        raise _damaged(f"tolerance is {certificate['tolerance']!r}, no fraction of pairs")
    return tolerance


def _prices(certificate: dict[str, Any], key: str, columns: Names, default: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return positive numbers by name."""
    given = certificate.get(key)
    if given is None:
        return default
    if not isinstance(given, dict):
        raise _damaged(f"{key} are {given!r}, not numbers by name")
    strangers = set(given) - set(columns)
    if strangers:
        raise _damaged(f"{key} have one for {min(strangers)!r}, none of its columns")
    numbers = {name: _number(value, f"{key} of {name!r}") for name, value in given.items()}
    for name, number in numbers.items():
        if number <= 0:
            raise CertificateError(f"The certificate's {key} has {given[name]!r} for {name!r}; all are positive.")
    return numbers


def _cuts(certificate: dict[str, Any], columns: Names) -> dict[str, list[float]]:
    """Return where columns are cut into intervals."""
    cuts = certificate.get("cuts") or {}
    if not isinstance(cuts, dict) or not set(cuts) <= set(columns):
        raise _damaged("cuts are not those of its columns")
    for name, of_column in cuts.items():
        if not isinstance(of_column, list):
            raise _damaged(f"cuts of {name!r} are no list")
        for cut in of_column:
            _number(cut, f"cuts of {name}")
    return {name: sorted(map(float, of_column)) for name, of_column in cuts.items()}


def _groups(certificate: dict[str, Any], key: str, columns: Names) -> list[Names]:
    """Return lists of names."""
    groups = certificate.get(key)
    if groups is None:
        return []
    if not isinstance(groups, list):
        raise _damaged(f"{key} is {groups!r}, no list")
    return [_distinct(group, key, columns) for group in groups]


def _choices(certificate: dict[str, Any], usable: Names) -> list[Names]:
    """Return the groups of features that enter together, and every other usable feature by itself."""
    groups = _groups(certificate, "feature_groups", usable)
    grouped = _distinct([name for group in groups for name in group], "feature_groups")
    return [group for group in groups if group] + [[name] for name in usable if name not in set(grouped)]


def _places(names: Names, place: dict[str, int]) -> list[int]:
    """Return the choices that have one of the names; excluded features are in none."""
    return sorted({place[name] for name in names if name in place})


def _limits(certificate: dict[str, Any], columns: Names, place: dict[str, int]) -> list[tuple[int, list[int]]]:
    """Return how many of which choices may be taken."""
    limits = certificate.get("at_most")
    if limits is None:
        return []
    if not isinstance(limits, list) or not all(isinstance(limit, list) and len(limit) == 2 for limit in limits):
        raise _damaged(f"at_most is {limits!r}, not pairs of a number and names")
    for most, _ in limits:
        if isinstance(most, bool) or not isinstance(most, int) or most < 0:
            raise _damaged(f"at_most has {most!r}, no number of features")
    return [(most, _places(_distinct(names, "at_most", columns), place)) for most, names in limits]


def _pairs(certificate: dict[str, Any]) -> list[tuple[int, int]]:
    """Return pairs of row numbers."""
    pairs = certificate.get("pairs")
    if isinstance(pairs, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        rows = [row for pair in pairs for row in pair]
        if all(isinstance(row, int) and not isinstance(row, bool) for row in rows):
            return [(i, j) for i, j in pairs]
    raise CertificateError("The certificate lists no pairs of rows. It is damaged.")


def _tree(certificate: dict[str, Any], place: dict[str, int], n_sets: int) -> tuple[list[int], Sequence[int] | None]:
    """Return in which order choices are tried, and the numbers of the sets that nodes name: 4 bytes each, deflated."""
    tree = certificate.get("tree")
    if tree is None:
        return [], None
    if not isinstance(tree, dict) or not isinstance(tree.get("nodes"), str):
        raise _damaged("tree is none")
    order = _distinct(tree.get("order"), "order", list(place))
    try:
        packed, unpacking = base64.b64decode(tree["nodes"], validate=True), zlib.decompressobj()
        unpacked = unpacking.decompress(packed, LARGEST_TREE)
    except (binascii.Error, ValueError, zlib.error):
        raise _damaged("tree cannot be unpacked") from None
    if not unpacking.eof or unpacking.unused_data or len(unpacked) % 4:
        raise _damaged("tree ends too early, or too late")
    numbers = memoryview(unpacked).cast("I") if sys.byteorder == "little" else _swapped(unpacked)
    if len(numbers) and max(numbers) >= n_sets:
        raise _damaged("tree names pairs that it does not list")
    return [place[name] for name in order], numbers


def _swapped(unpacked: bytes) -> list[int]:
    return [int.from_bytes(unpacked[k : k + 4], "little") for k in range(0, len(unpacked), 4)]
