"""Checkpoints: a search that is killed goes on where it stopped, and ends with the same answer.

A search depends on nothing but what its evaluator answers. So a journal of the answers is a checkpoint of any search:
run again, it asks the same questions, reads the known answers at once, and goes on with the first that is new. Answers
are appended in blocks with a check sum; one that was cut short is not believed. A journal begins with what identifies
the search, so that none goes on from the checkpoint of a different one.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np

from fewest.estimators.input import is_frame
from fewest.exceptions import CheckpointError, DamagedJournalWarning
from fewest.reading import parsed_json, read_rest
from fewest.wrapper.examples import Examples
from fewest.wrapper.search.subset_search import Measured, Resumable
from fewest.wrapper.search.subsets import Candidates
from fewest.wrapper.splits import PARTS, Fold
from fewest.writing import hold, written_beside

MAGIC = b"fewest search journal 1\n"
_BLOCK = struct.Struct("<II")  # how many numbers, and the check sum of their bytes


class Journal:
    """A file of the losses that an evaluator answered.

    Parameters
    ----------
    path : str or Path
        Read if it is there, created otherwise.
    search : mapping
        What identifies the data and the options, in values of JSON. A journal of another search is refused.
    """

    def __init__(self, path: str | Path, search: Mapping[str, Any]) -> None:
        self.path = Path(path)
        header = MAGIC + json.dumps(dict(search), sort_keys=True).encode() + b"\n"
        if self.path.exists() and not self.path.is_file():
            raise CheckpointError.from_stranger(self.path)
        if not self.path.exists():
            with written_beside(self.path) as file:
                file.write(header)
        self._file = self.path.open("r+b")
        try:
            hold(self._file, self.path)
            content = read_rest(self._file, self.path)
            self._check(content, header)
        except BaseException:
            self._file.close()
            raise
        self._answers, end = _believable(content, len(header))
        if end < len(content) and not _is_cut_short(content, end):
            lost = f"All after the first {len(self._answers):,} answers"
            warnings.warn(DamagedJournalWarning.from_path(self.path, lost), stacklevel=2)
        self._place = 0
        self._file.truncate(end)
        self._file.seek(end)

    def known(self, count: int) -> np.ndarray:
        """Return the next answers, as many as are known and asked for."""
        answers = self._answers[self._place : self._place + count]
        self._place += len(answers)
        return answers

    def add(self, answers: np.ndarray) -> None:
        """Append new answers; when this returns they are on the disk."""
        content = np.ascontiguousarray(answers, dtype="<f8").tobytes()
        self._file.write(_BLOCK.pack(len(answers), zlib.crc32(content)) + content)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _check(self, content: bytes, header: bytes) -> None:
        if not content.startswith(MAGIC):
            raise CheckpointError.from_stranger(self.path)
        if not content.startswith(header):
            line = content[len(MAGIC) :].partition(b"\n")[0]
            raise CheckpointError.from_other_search(self.path, _differences(line, header[len(MAGIC) :]))


def _differences(line: bytes, expected: bytes) -> list[str]:
    """Return the names of the facts in which two searches differ."""
    try:
        was = parsed_json(line)
    except ValueError:
        was = None
    if not isinstance(was, dict):
        return ["its first lines"]
    now = json.loads(expected)
    return sorted(name for name in {*was, *now} if was.get(name) != now.get(name))


def _believable(content: bytes, start: int) -> tuple[np.ndarray, int]:
    """Return the answers of all whole blocks, and where they end."""
    parts: list[np.ndarray] = []
    while start + _BLOCK.size <= len(content):
        count, check = _BLOCK.unpack_from(content, start)
        body = content[start + _BLOCK.size : start + _BLOCK.size + 8 * count]
        if len(body) < 8 * count or zlib.crc32(body) != check:
            break
        parts.append(np.frombuffer(body, dtype="<f8"))
        start += _BLOCK.size + 8 * count
    return np.concatenate(parts) if parts else np.empty(0), start


def _is_cut_short(content: bytes, start: int) -> bool:
    """Return whether what begins there is a block of which a kill left the beginning."""
    if start + _BLOCK.size > len(content):
        return True
    return start + _BLOCK.size + 8 * int(_BLOCK.unpack_from(content, start)[0]) > len(content)


class Remembering:
    """An evaluator that answers from a journal what was answered before, and appends the rest."""

    def __init__(self, evaluator: Resumable, journal: Journal) -> None:
        self.evaluator, self.journal = evaluator, journal

    def losses(self, candidates: Candidates) -> np.ndarray:
        """Return the loss that guides the search, for every candidate."""
        known = self.journal.known(len(candidates))
        if len(known):
            self.evaluator.recall(candidates.take(slice(0, len(known))), known)
        if len(known) == len(candidates):
            return known
        new = self.evaluator.losses(candidates.take(slice(len(known), None)))
        self.journal.add(new)
        return np.concatenate([known, new])

    def measure(self, subset: tuple[int, ...]) -> Measured:
        """Return all losses of a subset."""
        n_fields = len(Measured._fields)
        known = self.journal.known(n_fields)
        if len(known) == n_fields:
            measured = Measured(*known.tolist())
            self.evaluator.recall_measured(subset, measured)
            return measured
        measured = self.evaluator.measure(subset)
        self.journal.add(np.array(measured)[len(known) :])
        return measured


def fingerprint(examples: Examples) -> str:
    """Return a hash that other features, targets or weights would change."""
    digest = hashlib.sha256()
    for part in _bytes_of(examples):
        digest.update(part)
    return digest.hexdigest()


def split_fingerprint(folds: Sequence[Fold]) -> str:
    """Return a hash that another split of the rows would change."""
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
