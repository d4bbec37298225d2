"""The certificate: why no cheaper subset can be sufficient, in pairs of rows that anybody can look up.

Every pair differs in class, so a sufficient subset must contain one of the
features in which the two rows differ. The pairs are chosen so that no subset
cheaper than the lower bound contains one for each of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fewest.cover.kernels.differences import NumericColumns
from fewest.cover.margins import ROUNDING
from fewest.cover.min_features import MinFeaturesSearch
from fewest.exceptions import CertificateError, ParameterError, UnreadableFileError
from fewest.reading import parsed_json, read_whole
from fewest.writing import written_beside

FORMAT = "fewest certificate"
VERSION = 1


def make_certificate(
    search: MinFeaturesSearch,
    names: list[str],
    *,
    missing: str,
    target: str | None = None,
    exclude: list[str] | None = None,
    cuts: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, Any]:
    """Collect what a search has proven as plain data; ``cuts`` are those of columns that were compared by interval."""
    if search.sample.is_tolerant:
        raise ParameterError(
            "With a tolerance no few pairs of rows force the bound, so that there is no certificate. Ask without one."
        )
    problem = search.cover.problem
    return {
        "format": FORMAT,
        "version": VERSION,
        "target": target,
        "missing": missing,
        "margins": _margins(search.sample.numeric, names),
        "cuts": {name: [float(cut) for cut in of_column] for name, of_column in (cuts or {}).items()},
        "n_rows": search.sample.n_rows,
        "columns": names,
        "include": [names[j] for j in problem.include],
        "exclude": exclude or [],
        "costs": None if problem.costs is None else dict(zip(names, map(float, problem.costs), strict=True)),
        "features": [names[j] for j in search.cover.best],
        "cost": problem.in_costs(search.cover.upper),
        "lower_bound": problem.in_costs(search.cover.lower),
        "pairs": [list(pair) for pair in search.proof()],
    }


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
    if certificate.get("version") != VERSION:
        raise CertificateError(
            f"{str(path)!r} is a certificate of version {certificate.get('version')!r}; this program reads {VERSION}."
        )
    return certificate
