"""Where a command does its work: all rows in memory, blocks from disk, or the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from fewest.cli import options as opt
from fewest.cli.output import complain
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.blocks.on_dask import Crew
    from fewest.blocks.scan import Scan
    from fewest.blocks.store import Store

# Data that would take more of the free memory than this is read in blocks.
ROOMY = 0.7


class EngineName(StrEnum):
    """The engines: where the rows are kept while they are worked on."""

    AUTO = "auto"
    MEMORY = "memory"
    STREAM = "stream"
    DASK = "dask"


EngineChoice = Annotated[
    EngineName,
    typer.Option(
        "--engine",
        help="Read all rows into memory, or stream them in blocks; auto streams what would not fit. The answer is the "
        "same.",
        rich_help_panel=opt.RUNNING,
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="Work on the Dask cluster whose scheduler is there.", rich_help_panel=opt.RUNNING
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Work on N Dask processes of this machine.", rich_help_panel=opt.RUNNING),
]


@dataclass(frozen=True)
class Where:
    """The engine that the command line asks for: a group of options, as `opt.Parsing` is."""

    engine: EngineChoice = EngineName.AUTO
    scheduler: Scheduler = None
    workers: Workers = None

    @contextmanager
    def scanned(self, reading: opt.Reading, obstacle: str | None) -> Iterator[Scan | None]:
        """Yield a scan of the data if it is to be read in blocks, None if it is to be in memory.

        ``obstacle`` is what of the request needs all rows at once, if anything does.
        """
        on_dask = self._on_dask()
        if not on_dask and not self._streams(reading, obstacle):
            yield None
            return
        if obstacle is not None:
            raise ParameterError.from_blocks(obstacle)
        if not on_dask:
            yield reading.scan()
            return
        from fewest.blocks.on_dask import connected

        with connected(self.scheduler, self.workers) as client:
            yield reading.scan(client=client)

    @contextmanager
    def crew(self) -> Iterator[Crew | None]:
        """Yield the workers for tasks that need no blocks, None if they are to be done here."""
        if self.engine is EngineName.STREAM:
            raise ParameterError("--engine stream is for data in blocks. Leave it out, or use --workers.")
        if not self._on_dask():
            yield None
            return
        from fewest.blocks.on_dask import Crew, connected

        with connected(self.scheduler, self.workers) as client:
            crew = Crew(client)
            try:
                yield crew
            finally:
                crew.cancel()

    def _on_dask(self) -> bool:
        """Return whether a cluster was asked for; raise when the options contradict each other."""
        if self.scheduler is not None and self.workers is not None:
            raise ParameterError("--scheduler names a cluster and --workers starts one. Choose one.")
        if self.engine not in (EngineName.AUTO, EngineName.DASK) and (self.scheduler or self.workers):
            raise ParameterError(f"--scheduler and --workers are for --engine dask, not for {self.engine}.")
        return self.engine is EngineName.DASK or self.scheduler is not None or self.workers is not None

    def _streams(self, reading: opt.Reading, obstacle: str | None) -> bool:
        if self.engine is not EngineName.AUTO:
            return self.engine is EngineName.STREAM
        from fewest.blocks.memory import available_memory, estimated_memory

        needed, free = estimated_memory(reading.source), available_memory()
        if needed is None or needed <= ROOMY * free:
            return False
        fact = f"The data may take {needed / 1e9:.1f} GB in memory, where {free / 1e9:.1f} GB are free"
        if obstacle is not None:
            complain("note", f"{fact}, but {obstacle} needs all of it there.")
            return False
        complain("note", f"{fact}, so it is read in blocks (--engine memory to read it all the same).")
        return True


def refuse_many_values(store: Store) -> None:
    """Raise when a numeric column would be cut into intervals, which takes all of its values at once."""
    from fewest.table import Kind
    from fewest.table.discretize import FEW_VALUES

    for column in store.features:
        if column.kind is Kind.NUMERIC and len(column.keys) > FEW_VALUES:
            raise ParameterError(
                f"Column {column.name!r} has {len(column.keys):,} different numbers, and such columns are cut into "
                "intervals, which takes all rows in memory. Use --engine memory, drop the column (--drop), or compare "
                "its numbers for equality (--exact-values)."
            )
