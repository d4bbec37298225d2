"""The journal of a run: what was measured so far, a line a unit, so that a killed run goes on where it was."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from fewest.papers.experiment import Experiment, Unit
from fewest.version import __version__

# Imports within a function, on one line or in parentheses.
IMPORTS = re.compile(r"^[ \t]+(?:from [\w.]+ )?import (?:\([^)]*\)|[^\n(]+)\n", re.MULTILINE)


class Journal:
    """A file of lines that only grows.

    The first line states what the journal is about; a journal about something
    else, another grid, another version or another text of what measures, is
    begun again. A line is written at once and reaches the disk before the next
    is begun; the half of a line that a kill may leave is cut off.
    """

    def __init__(self, path: Path, experiment: Experiment, units: list[Unit]) -> None:
        self.path = path
        self.known: dict[str, Any] = {}
        heading = {
            "experiment": experiment.name,
            "version": __version__,
            "grid": _digest("\n".join(key_of(unit) for unit in units)),
            "code": _digest(_code_of(experiment)),
        }
        self._read(heading)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab", buffering=0)
        if not self._file.tell():
            self._append(heading)

    def _read(self, heading: dict[str, Any]) -> None:
        if not self.path.exists():
            return
        whole, _, half = self.path.read_bytes().rpartition(b"\n")
        lines = whole.split(b"\n") if whole else []
        if not lines or json.loads(lines[0]) != heading:
            self.path.unlink()
            return
        if half:
            os.truncate(self.path, len(whole) + 1)
        for line in lines[1:]:
            record = json.loads(line)
            self.known[key_of(record["unit"])] = record["measured"]

    def add(self, unit: Unit, measured: Any) -> Any:
        """Keep a measurement, and return it as it will be read again."""
        record = json.loads(json.dumps({"unit": unit, "measured": measured}))
        self._append(record)
        self.known[key_of(unit)] = record["measured"]
        return record["measured"]

    def _append(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def key_of(unit: Unit) -> str:
    """Return a text that is the same for the same unit."""
    return json.dumps(unit, sort_keys=True)


def _code_of(experiment: Experiment) -> str:
    """Return the text of the function that measures, and of all in its module that it uses, directly or not.

    What is only drawn or judged differently, or imported from elsewhere, need not be measured again.
    """
    module = inspect.getmodule(experiment.measure)
    seen: dict[str, str] = {}
    waiting = [experiment.measure.__name__]
    while waiting:
        name = waiting.pop()
        value = getattr(module, name, None)
        if name in seen or value is None or inspect.ismodule(value):
            continue
        is_ours = (inspect.isfunction(value) or inspect.isclass(value)) and inspect.getmodule(value) is module
        if is_ours:
            seen[name] = IMPORTS.sub("", inspect.getsource(value))
            waiting += re.findall(r"\w+", seen[name])
        elif isinstance(value, int | float | str | tuple | frozenset | Mapping):
            seen[name] = _text_of(value)
    return "\n".join(f"{name}: {text}" for name, text in sorted(seen.items()))


def _text_of(value: object) -> str:
    """Return a text of a constant that is the same in every process: no address in it, and no order of hashes."""
    if callable(value):
        return getattr(value, "__qualname__", str(value))
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_text_of(key)}: {_text_of(each)}' for key, each in value.items())}}}"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_text_of, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_text_of, value)))}}}"
    return repr(value)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
