"""The certificate: why no cheaper subset can be sufficient, in pairs of rows that anybody can look up.

Every pair differs in class, so a sufficient subset must contain one of the
features in which the two rows differ. The pairs are chosen so that no subset
cheaper than the lower bound contains one for each of them. Where trying all
subsets would take long, the certificate has the tree that shows it
(`fewest.cover.kernels.proof_tree`). With a tolerance no few pairs force the
bound; what is stated is then checked by counting.
"""

from __future__ import annotations

import base64
import json
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fewest.budget import Budget, OutOfBudgetError
from fewest.cover.digest import digest_of
from fewest.cover.examples import Examples
from fewest.cover.kernels.differences import NumericColumns
from fewest.cover.margins import ROUNDING
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.sample import Sample
from fewest.cover.solver.problem import CoverProblem
from fewest.cover.solver.proof_tree import ProofTree, proof_tree
from fewest.exceptions import CertificateError, StoppedEarlyWarning, UnreadableFileError
from fewest.reading import parsed_json, read_whole
from fewest.writing import written_beside

FORMAT = "fewest certificate"
VERSION = 2
READABLE = (1, VERSION)
# Nodes of a search up to which subsets are tried in no time when a certificate is checked.
ENUMERATED = 2_000


def make_certificate(
    search: MinFeaturesSearch,
    names: list[str],
    *,
    missing: str,
    target: str | None = None,
    exclude: list[str] | None = None,
    cuts: Mapping[str, Sequence[float]] | None = None,
    budget: Budget | None = None,
) -> dict[str, Any]:
    """Collect what a search has proven as plain data.

    ``cuts`` are those of columns that were compared by interval. When the budget is spent before the tree of a long
    proof is written, the certificate has its pairs alone, with a warning.
    """
    problem, sample = search.cover.problem, search.sample
    tree = None if sample.is_tolerant else _tree(search, budget)
    pairs = [] if sample.is_tolerant else search.proof()
    if tree is not None:
        named = search.row_pairs[:, search.cover.numbers[tree.kept]]
        is_pair = named[0] >= 0  # the others are sets that any_of asks for, which come after all pairs
        pairs = [(i, j) for i, j in named[:, is_pair].T.tolist()]
        numbers = np.where(is_pair, np.cumsum(is_pair) - 1, len(pairs) + named[1]).astype("<u4")
    choices = search.choices
    costs = None
    if problem.costs is not None:
        costs = {name: float(problem.costs[choice]) for name, choice in zip(names, choices.place, strict=True)}
    usable = [j for j, name in enumerate(names) if name not in set(exclude or ())]
    return {
        "format": FORMAT,
        "version": VERSION,
        "target": target,
        "missing": missing,
        "margins": _margins(sample.numeric, names),
        "cuts": {name: [float(cut) for cut in of_column] for name, of_column in (cuts or {}).items()},
        "tolerance": float(sample.tolerance) if sample.is_tolerant else 0.0,
        "n_rows": sample.n_rows,
        "columns": names,
        "digest": _digest(sample, usable),
        "include": [names[j] for j in choices.features(problem.include)],
        "exclude": exclude or [],
        "costs": costs,
        "feature_groups": [[names[j] for j in group] for group in choices.groups],
        "at_most": [[most, [names[j] for j in some]] for most, some in choices.at_most],
        "any_of": [[names[j] for j in some] for some in choices.any_of],
        "features": [names[j] for j in search.best],
        "cost": problem.in_costs(search.cover.upper),
        "lower_bound": problem.in_costs(search.cover.lower),
        "pairs": [list(pair) for pair in pairs],
        "tree": None if tree is None else _described(tree, numbers, [names[members[0]] for members in choices.members]),
    }


def _tree(search: MinFeaturesSearch, budget: Budget | None) -> ProofTree | None:
    """Return the tree of a proof that took long; None where it did not, or where its tree would take too much."""
    cover = search.cover
    if search.n_nodes <= ENUMERATED:
        return None
    known = CoverProblem(
        cover.words,
        cover.problem.n_features,
        costs=cover.problem.costs,
        include=cover.problem.include,
        at_most=cover.problem.at_most,
    )
    try:
        return proof_tree(known, cover.lower, search.n_nodes, budget)
    except OutOfBudgetError:
        warnings.warn(
            "The time limit left too little time to write the tree of the proof. The certificate has the pairs of rows "
            "alone, and checking it tries all cheaper subsets, which may take long. Give more time.",
            StoppedEarlyWarning,
            stacklevel=3,
        )
        return None


def _described(tree: ProofTree, numbers: np.ndarray, names: list[str]) -> dict[str, Any]:
    """Return the order of the features, and the numbers of what the nodes name: 4 bytes each, deflated, as text."""
    packed = zlib.compress(numbers[tree.conflicts].tobytes(), 6)
    return {"order": [names[choice] for choice in tree.order], "nodes": base64.b64encode(packed).decode()}


def _digest(sample: Examples, usable: Sequence[int]) -> str:
    """Return the digest of the columns that may be used, and of the classes."""
    measured = [] if sample.numeric is None else sample.numeric.positions.tolist()
    return digest_of(_columns(sample, usable), [k for k, j in enumerate(usable) if j in measured])


def _columns(sample: Any, usable: Sequence[int]) -> Iterator[tuple[list[np.ndarray], np.ndarray]]:
    """Yield the columns and the classes of rows in memory, or in blocks."""
    if not isinstance(sample, Sample):
        from fewest.blocks.store import all_tables

        for table, classes in all_tables(sample.store, usable):
            yield [column.values for column in table.columns], classes
        return
    columns = {j: sample.codes[:, j] for j in usable}
    if sample.numeric is not None:
        columns |= dict(zip(sample.numeric.positions.tolist(), sample.numeric.values.T, strict=True))
    yield [columns[j] for j in usable], sample.classes


def _margins(numeric: NumericColumns | None, names: list[str]) -> dict[str, float]:
    """Return the margin of every number that has one, by name."""
    if numeric is None:
        return {}
    return dict(zip([names[j] for j in numeric.positions], (numeric.margins / (1 - ROUNDING)).tolist(), strict=True))


def save_certificate(certificate: dict[str, Any], path: str | Path) -> None:
    """Write a certificate; an interrupted write leaves what was there before."""
    with written_beside(path) as file:
        file.write(json.dumps(certificate, ensure_ascii=False, indent=1).encode())


def load_certificate(path: str | Path) -> dict[str, Any]:
    """Read a certificate."""
    try:
        certificate = parsed_json(read_whole(path))
    except FileNotFoundError:
        raise CertificateError(f"There is no certificate {str(path)!r}.") from None
    except UnreadableFileError as error:
        raise CertificateError(str(error)) from None
    except ValueError as error:  # not UTF-8, not JSON, or numbers of too many digits
        raise CertificateError(f"{str(path)!r} is no certificate: {error}.") from None
    if not isinstance(certificate, dict) or certificate.get("format") != FORMAT:
        raise CertificateError(f"{str(path)!r} is no certificate: its format is not that of one.")
    if certificate.get("version") not in READABLE:
        raise CertificateError(
            f"{str(path)!r} is a certificate of version {certificate.get('version')!r}; this program reads {VERSION}."
        )
    return certificate
