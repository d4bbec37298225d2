"""A search that survives being killed: everything it was told is written down, and told again.

A search is a function of what its evaluator answers. So a journal of the
answers is a checkpoint of any search: run again, it asks the same questions, hears
the known answers at once, and goes on with the first that is new. Answers are
appended in blocks with a check sum; one that was cut short is not believed.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fewest.exceptions import CheckpointError
from fewest.wrapper.search.candidates import Candidates
from fewest.wrapper.search.path import Evaluator, Measured
from fewest.writing import written_beside

MAGIC = b"fewest search journal 1\n"
_BLOCK = struct.Struct("<II")  # how many numbers, and the check sum of their bytes


class Journal:
    """The numbers that an evaluator answered, in a file.

    Parameters
    ----------
    path : str or Path
        Read if it is there, made otherwise.
    search : mapping
        What JSON can say about the data and the options. A journal of another search is refused.
    """

    def __init__(self, path: str | Path, search: Mapping[str, Any]) -> None:
        self.path = Path(path)
        header = MAGIC + json.dumps(dict(search), sort_keys=True).encode() + b"\n"
        if not self.path.exists():
            with written_beside(self.path) as file:
                file.write(header)
        content = self.path.read_bytes()
        self._check(content, header)
        self._answers, end = _believable(content, len(header))
        self._place = 0
        self._file = self.path.open("r+b")
        self._file.truncate(end)
        self._file.seek(end)

    def known(self, count: int) -> np.ndarray:
        """Return the next answers, as many as are known and asked for."""
        answers = self._answers[self._place : self._place + count]
        self._place += len(answers)
        return answers

    def add(self, answers: np.ndarray) -> None:
        """Write down new answers; when this returns they are on the disk."""
        content = np.ascontiguousarray(answers, dtype="<f8").tobytes()
        self._file.write(_BLOCK.pack(len(answers), zlib.crc32(content)) + content)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _check(self, content: bytes, header: bytes) -> None:
        if not content.startswith(MAGIC):
            raise CheckpointError.from_stranger(self.path)
        if not content.startswith(header):
            line = content[len(MAGIC) :].partition(b"\n")[0]
            raise CheckpointError.from_other_search(self.path, _differences(line, header[len(MAGIC) :]))


def _differences(line: bytes, expected: bytes) -> list[str]:
    """Name the facts in which two searches differ."""
    try:
        was = json.loads(line)
    except ValueError:
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


class Remembering:
    """An evaluator that answers from a journal what was answered before, and writes down the rest."""

    def __init__(self, evaluator: Evaluator, journal: Journal) -> None:
        self.evaluator, self.journal = evaluator, journal

    def losses(self, candidates: Candidates) -> np.ndarray:
        """Return what guides the search."""
        known = self.journal.known(len(candidates))
        if len(known):
            self.evaluator.recall(candidates.take(slice(0, len(known))), known)
        if len(known) == len(candidates):
            return known
        new = self.evaluator.losses(candidates.take(slice(len(known), None)))
        self.journal.add(new)
        return np.concatenate([known, new])

    def measure(self, subset: tuple[int, ...]) -> Measured:
        """Return all there is to know of a subset."""
        n_fields = len(Measured._fields)
        known = self.journal.known(n_fields)
        if len(known) == n_fields:
            measured = Measured(*known.tolist())
            self.evaluator.recall_measured(subset, measured)
            return measured
        measured = self.evaluator.measure(subset)
        self.journal.add(np.array(measured)[len(known) :])
        return measured
