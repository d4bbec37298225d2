"""Look at the data before any method does: one way for all verbs that select or learn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from fewest.cli import options as opt
from fewest.cli.output import complain

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.screening import Screening
    from fewest.table import Column, Table

Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        metavar="COL",
        help="Keep this column, or all that match a glob, though it looks like an identifier, a constant or a copy; "
        "repeatable.",
        rich_help_panel=opt.DATA,
    ),
]
KeepAll = Annotated[
    bool, typer.Option("--keep-all", help="Keep all such columns, and only name them.", rich_help_panel=opt.DATA)
]


@dataclass(frozen=True)
class Look:
    """What of the data is to be kept, whatever it looks like.

    Parameters
    ----------
    keep : names and globs, or None
        As `--keep` gives them.
    keep_all : bool
    named : names and globs
        Columns that another option asks for, such as ``--include``.
    excluded : names and globs
        Columns that are not to be selected anyway, so that they stand for no copy.
    of_groups : str, optional
        What to do about columns whose equal values may be one person's or customer's, where it is not to keep these
        rows apart.
    """

    keep: list[str] | None = None
    keep_all: bool = False
    named: Iterable[str] = ()
    excluded: Iterable[str] = ()
    of_groups: str | None = None

    def at(self, features: Table, target: Column, notes: list[str]) -> tuple[Table, Screening]:
        """Return the features without what is left out, and what was found; print it, and add it to the notes."""
        from fewest.screening import screen

        excluded = {features.names[j] for pattern in self.excluded for j in features.matches(pattern)}
        shown = features.drop(excluded) if excluded else features
        screening = screen(shown, target, self.kept(features), keep_all=self.keep_all)
        screening = self._about_groups(screening)
        kept = screening.applied_to(features)
        say(screening, notes)
        return kept, screening

    def _about_groups(self, screening: Screening) -> Screening:
        return screening if self.of_groups is None else replace(screening, of_groups=self.of_groups)

    def at_first_rows(self, scanned: Scan, notes: list[str], *, is_regression: bool = False) -> tuple[Scan, Screening]:
        """Return the same for rows in blocks, by the first of them."""
        from fewest.screening.screen import screen_first_rows

        kept = self.kept(scanned.header())
        screening = screen_first_rows(scanned, kept, keep_all=self.keep_all, is_regression=is_regression)
        screening = self._about_groups(screening)
        screening.applied_to(scanned.header())  # raises when nothing is left
        say(screening, notes)
        return scanned.without(screening.left_out), screening

    def without_many_categories(self, features: Table, names: Sequence[str]) -> Table:
        """Return the features without nominal columns of very many categories, which separate nearly all rows.

        As a measurement does that is compared for equality: it would be the answer, and predict nothing.
        """
        kept = set(features.names) if self.keep_all else self.kept(features)
        out = [name for name in names if name not in kept]
        if not out or len(out) == len(features.columns):
            return features
        complain(
            "note",
            f"Not selected: {', '.join(out)}, with so many categories that hardly two rows share one. "
            f"--keep {out[0]} lets it take part.",
        )
        return features.drop(out)

    def kept(self, features: Table) -> list[str]:
        """Return the names of the columns that are not to be left out."""
        return sorted({features.names[j] for name in [*(self.keep or ()), *self.named] for j in features.matches(name)})


def say(screening: Screening, notes: list[str]) -> None:
    """Print possible leaks as warnings, everything else as notes, and add the latter to the notes."""
    for alarm in screening.alarms:
        complain("warning", alarm)
    # What text was read as, the reader has said already.
    told = [note for note in screening.notes if note not in screening.understood]
    for note in told:
        complain("note", note)
    notes += told
