"""What tells one search from another, so that none goes on from the checkpoint of a different one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import narwhals.stable.v1 as nw
import numpy as np

from fewest.estimators.input import is_frame
from fewest.wrapper.data import Examples
from fewest.wrapper.splits import PARTS, Fold


def fingerprint(examples: Examples) -> str:
    """Return a number that other features, targets or weights would change."""
    digest = hashlib.sha256()
    for part in _bytes_of(examples):
        digest.update(part)
    return digest.hexdigest()


def split_fingerprint(folds: Sequence[Fold]) -> str:
    """Return a number that another split of the rows would change."""
    digest = hashlib.sha256()
    for fold in folds:
        for part in PARTS:
            digest.update(np.asarray(fold.rows(part), dtype=np.int64).tobytes() + b"|")
    return digest.hexdigest()


def _bytes_of(examples: Examples) -> Iterator[bytes]:
    X = examples.X
    if is_frame(X):
        for column in nw.from_native(X).iter_columns():
            yield repr((column.name, str(column.dtype), column.to_list())).encode()
    elif hasattr(X, "tocsr"):
        matrix = X.tocsr()
        for array in (matrix.data, matrix.indices, matrix.indptr):
            yield _array_bytes(array)
    else:
        yield _array_bytes(X)
    yield _array_bytes(examples.y)
    for params in (examples.fit_params, examples.score_params):
        for name in sorted(params):
            yield name.encode() + _array_bytes(np.asarray(params[name]))


def _array_bytes(array: np.ndarray) -> bytes:
    content = repr(array.tolist()).encode() if array.dtype == object else np.ascontiguousarray(array).tobytes()
    return repr((array.shape, str(array.dtype))).encode() + content
