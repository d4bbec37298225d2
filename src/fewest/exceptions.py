"""Errors and warnings for users: one class per mistake, each message a fact, a consequence and a remedy.

Every error derives from `FewestError`, which the command line prints as one
paragraph instead of a stack trace, and from the built-in exception that a
scikit-learn user would expect to catch.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class FewestError(Exception):
    """A mistake in the data or in the request that the user can correct."""


class FewestWarning(UserWarning):
    """Something the user should know before trusting the answer."""


def quoted(names: Iterable[object], most: int = 5) -> str:
    """Return ``'a', 'b' and 3 more``: enough to recognise the names, short enough to read."""
    listed = [repr(str(name)) for name in names]
    shown, hidden = listed[:most], len(listed) - most
    if hidden > 0:
        return f"{', '.join(shown)} and {hidden} more"
    return ", ".join(shown)


# More than these are not read.
MOST_LISTED = 8


def listed(texts: Sequence[str]) -> str:
    """Return ``a, b and c``, or, of too many to be read, ``a, b and 3 more``."""
    shown, n_hidden = texts[:MOST_LISTED], len(texts) - MOST_LISTED
    if n_hidden > 0:
        return f"{', '.join(shown)} and {n_hidden:,} more"
    return ", ".join(shown[:-1]) + f" and {shown[-1]}" if len(shown) > 1 else "".join(shown)


# ---------------------------------------------------------------------- files, columns and targets


class UnreadableFileError(FewestError, ValueError):
    """A file cannot be opened or does not hold what its name promises."""

    @classmethod
    def from_missing(cls, path: object) -> UnreadableFileError:
        """No file or pattern matches ``path``."""
        return cls(f"There is no file {str(path)!r}. Check the spelling and the folder you are in.")

    @classmethod
    def from_empty(cls, path: object) -> UnreadableFileError:
        """The file holds no header or no rows."""
        return cls(f"{str(path)!r} has no rows of data, so there is nothing to learn from.")

    @classmethod
    def from_reason(cls, path: object, reason: str, remedy: str = "") -> UnreadableFileError:
        """Give any other reason, with its remedy."""
        return cls(f"Cannot read {str(path)!r}: {reason}. {remedy}".rstrip())

    @classmethod
    def from_rows(cls, error: UnreadableFileError, first: int, stop: int) -> UnreadableFileError:
        """Add among which rows of the file reading failed."""
        return cls(f"{error} It happened in rows {first:,} to {stop - 1:,}; no other rows were used without them.")


class RaggedRowError(FewestError, ValueError):
    """A row has more or fewer fields than the header."""

    @classmethod
    def from_line(cls, path: object, line: int, expected: int, found: int) -> RaggedRowError:
        """Name the first such line of delimited text."""
        return cls(
            f"{str(path)!r}, line {line}: {found} field{'s' * (found != 1)} where the header has {expected}. "
            "Nothing was read. Quote fields that contain the delimiter, or name another one "
            "(delimiter=..., --delimiter)."
        )

    @classmethod
    def from_attributes(cls, path: object, line: int, expected: int, found: int) -> RaggedRowError:
        """Name the first such line of an ARFF file, whose delimiter is always a comma."""
        return cls(
            f"{str(path)!r}, line {line}: {found} value{'s' * (found != 1)} for {expected} "
            f"attribute{'s' * (expected != 1)}. Nothing was read. Quote values that contain a comma, and write ? for "
            "a missing one."
        )


class UnknownColumnError(FewestError, KeyError):
    """A name that is no column of the table."""

    def __str__(self) -> str:  # KeyError would show the message's repr
        return str(self.args[0])

    @classmethod
    def from_name(cls, name: object, names: Sequence[str]) -> UnknownColumnError:
        """Suggest the closest names."""
        if not names:
            return cls(f"There is no column {str(name)!r}: no columns are left. Drop fewer of them.")
        folded = {known.casefold(): known for known in reversed(names)}
        close = [folded[near] for near in difflib.get_close_matches(str(name).casefold(), folded, n=3, cutoff=0.5)]
        hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else f"The columns are {quoted(names, 12)}."
        return cls(f"There is no column {str(name)!r}. {hint}")


class AmbiguousColumnError(FewestError, ValueError):
    """A name that several columns share."""

    @classmethod
    def from_name(cls, name: str, positions: Sequence[int], own: Sequence[str] = ()) -> AmbiguousColumnError:
        """Give the positions of the columns, counted from 1, and the names that they have of their own, if any."""
        where = " and ".join(str(position + 1) for position in positions)
        call = f"Call it {' or '.join(map(repr, own))}, or rename" if own and name not in own else "Rename"
        return cls(f"The name {name!r} is used by columns {where}, so it points to neither. {call} one of them.")


class ColumnNameWarning(FewestWarning):
    """Column names were missing or repeated, so that new ones were given."""


class UnderstoodWarning(FewestWarning):
    """Columns of text mean numbers or dates, and were read as such, or stayed text for the sake of some value."""


class ColumnKindError(FewestError, ValueError):
    """A column cannot be what it was declared to be, or holds what no method here can use."""

    @classmethod
    def from_value(cls, name: str, kind: str, value: object, row: int) -> ColumnKindError:
        """Name the first value that does not fit."""
        return cls(
            f"Column {name!r} was declared {kind}, but row {row} holds {value!r}. "
            "Declare it nominal, or correct the value."
        )

    @classmethod
    def from_type(cls, name: str, dtype: object) -> ColumnKindError:
        """Name the type that no column can have."""
        return cls(
            f"Column {name!r} has type {dtype}, which is neither boolean, nominal nor numeric. Drop or convert it."
        )


class IdentifierWarning(FewestWarning):
    """A column with mostly distinct values separates everything by itself and explains nothing."""


class TargetError(FewestError, ValueError):
    """The target column cannot serve as classes."""

    @classmethod
    def from_missing_labels(cls, name: str, rows: Sequence[int]) -> TargetError:
        """Count the rows without a label and name the first."""
        count = "1 row has" if len(rows) == 1 else f"{len(rows)} rows have"
        return cls(
            f"{count} no label in the target column {name!r} (the first is row {rows[0]}). Without a class they are no "
            "examples: label them, or leave them out (missing_target='drop', --drop-unlabelled)."
        )

    @classmethod
    def from_numeric(cls, name: str, n_distinct: int, n_rows: int) -> TargetError:
        """The target looks like that of a regression, where classes are needed."""
        return cls(
            f"The target column {name!r} looks like a regression target, not like classes: {n_distinct} distinct "
            f"numbers in {n_rows} rows. Cut it into classes, or declare it nominal (kinds={{{name!r}: 'nominal'}}, "
            f"--kind {name}=nominal) if its values are categories. As it is, RReliefF and the wrappers take it, and "
            "the commands rank, wrap, train, compare and report."
        )

    @classmethod
    def from_nominal(cls, name: str, label: str) -> TargetError:
        """The target is nominal where regression needs a numeric one."""
        return cls(
            f"The target column {name!r} is nominal, with labels such as {label!r}, but regression needs numbers. "
            "Use a method for classes, such as relieff."
        )

    @classmethod
    def from_far_value(cls, name: str, value: float) -> TargetError:
        """A regression target holds infinity, or a number whose square is more than a float holds."""
        return cls(
            f"The target column {name!r} holds {value:g}, whose square is more than a float holds, so that neither a "
            "mean nor an error can be measured. Correct or leave out such rows, or measure it in another unit."
        )


# ---------------------------------------------------------------------- options


class MissingExtraError(FewestError, ImportError):
    """Something was asked for that needs a library of one of the package's extras."""

    @classmethod
    def from_extra(cls, what: str, library: str, extra: str) -> MissingExtraError:
        """Name the extra that brings the library."""
        return cls(f'{what} needs {library}, which is not installed. Install it with: pip install "fewest[{extra}]"')


class ParameterError(FewestError, ValueError):
    """An option has a value that is not allowed."""

    @classmethod
    def from_choice(cls, option: str, value: object, choices: Iterable[object]) -> ParameterError:
        """List what the option takes."""
        return cls(f"{option}={value!r} is not known. Choose one of {', '.join(repr(choice) for choice in choices)}.")

    @classmethod
    def from_too_many(cls, option: str, wanted: int, n_features: int) -> ParameterError:
        """Compare what is asked for with what there is."""
        return cls(f"{option}={wanted} are more than the data's {n_features}. Ask for fewer.")

    @classmethod
    def from_no_columns(cls, learner: str, n_rows: int = 0) -> ParameterError:
        """Return the error for a frame without a feature; it begins in scikit-learn's words."""
        return cls(
            f"Found array with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required by {learner}. "
            "There is nothing to choose or learn from: pass a table with columns beside the target."
        )

    @classmethod
    def from_weights(cls, learner: str, reason: str, remedy: str) -> ParameterError:
        """Return the error for sample weights where a method has no place for them."""
        return cls(f"{learner} takes no sample_weight: {reason}. {remedy}")

    @classmethod
    def from_infinity(cls, name: str) -> ParameterError:
        """A numeric column holds infinity, or spans more than a float, where distances are measured."""
        return cls(
            f"Column {name!r} holds infinity, from which everything is equally far, or values too far apart to be "
            "subtracted. Correct the value, or declare the column nominal."
        )

    @classmethod
    def from_blocks(cls, what: str) -> ParameterError:
        """A method needs all rows at once."""
        return cls(
            f"{what} needs all rows in memory, and a scan gives them in blocks. Read the data with read_table "
            "(--engine memory), or use what takes blocks: MinFeatures, MinDescription, SimpleGreedy, "
            "MutualInformationGreedy or Relief to select, ID3, CFP or Winnow to learn."
        )


# ---------------------------------------------------------------------- conflicts and subsets


class ConflictingRowsError(FewestError, ValueError):
    """Rows that no feature separates carry different labels, and the user asked for an error then."""

    @classmethod
    def from_fact(cls, fact: str) -> ConflictingRowsError:
        """Add the consequence and the remedy to a `contradiction_fact`."""
        return cls(
            f"{fact} No feature subset can separate them. "
            "Correct or drop such rows, pass on_contradiction='warn' to separate every pair that can be separated, or "
            "tolerance=... to leave some pairs unseparated."
        )


class ConflictingRowsWarning(FewestWarning):
    """Rows that no feature separates carry different labels; the answer covers the other pairs."""


class IntervalResidueWarning(FewestWarning):
    """Rows of different class fall into the same intervals of every feature, though their numbers differ."""

    @classmethod
    def from_count(cls, n_pairs: int, share: float) -> IntervalResidueWarning:
        """Give the count and the way out."""
        count = "1 pair of rows" if n_pairs == 1 else f"{n_pairs:,} pairs of rows"
        return cls(
            f"{count} of different class ({share:.2%} of all such pairs) fall into the same intervals of every "
            "feature, and stay unseparated, as noise does. Numbers compared for equality (--exact-values) would tell "
            "them apart, and mean little."
        )


def contradiction_fact(
    i: int, j: int, labels: Sequence[object], n_pairs: int, *, hides_differences: bool = False
) -> str:
    """Return how many pairs of rows contradict each other, and one of them, as a sentence."""
    count = "1 pair of rows is" if n_pairs == 1 else f"{n_pairs} pairs of rows are"
    where = "every feature that can separate them" if hides_differences else "every feature"
    return f"{count} alike in {where} but not in class: rows {i} and {j} are {labels[0]!r} and {labels[1]!r}."


class TooManyConflictsError(FewestError, MemoryError):
    """A method that lists all conflicts was given more of them than fit in memory."""

    @classmethod
    def from_count(cls, n_pairs: int, n_bytes: float, limit: float) -> TooManyConflictsError:
        """Give the count, the memory and the way out."""
        return cls(
            f"To list every conflict may take {n_bytes / 1e9:.1f} GB, for {n_pairs:,} pairs of distinct rows, where "
            f"{limit / 1e9:.1f} GB are allowed. Use min-features, which lists only those it needs, or raise max_memory."
        )


class TooManyPairsError(FewestError, ValueError):
    """All pairs of rows would have to be compared, and there are too many."""

    @classmethod
    def from_count(cls, n_pairs: int) -> TooManyPairsError:
        """Give the count and the way out."""
        return cls(
            f"With missing='cautious' or a margin every pair of rows must be compared, and there are {n_pairs:,}: that "
            "takes too long. Use missing='value' without a margin, or fewer rows."
        )


class NotProvenError(FewestError, RuntimeError):
    """A question that only a proven minimum can answer."""

    @classmethod
    def from_bounds(cls, cost: float, lower_bound: float) -> NotProvenError:
        """Give the cost found and the lower bound proven."""
        return cls(
            f"The best subset costs {cost} and the minimum may be as low as {lower_bound}, "
            "so what belongs to a minimum is not known. Give the search more time."
        )

    @classmethod
    def from_core(cls) -> NotProvenError:
        """Time ran out while the core was looked for."""
        return cls("Which features all smallest subsets share could not be found out in time. Give it more time.")

    @classmethod
    def from_chance(cls) -> NotProvenError:
        """Refuse a certificate of a tolerance that is corrected for chance."""
        return cls(
            "A certificate states how many of all pairs of different class may stay alike, and criterion='chance' "
            "counts otherwise, so that fewest verify could not check it. Ask for none, or leave criterion out."
        )


class NoSubsetError(FewestError, ValueError):
    """Nothing that may be chosen together separates the classes."""

    @classmethod
    def from_limits(cls, *, is_proven: bool) -> NoSubsetError:
        """Return whether there is none, or none was found in time."""
        fact = (
            "No features that at_most allows together separate the classes"
            if is_proven
            else "No features that at_most allows together were found in time"
        )
        return cls(f"{fact}. Allow more of them, set a tolerance, or give it more time.")


class ForgottenRowsError(FewestError, RuntimeError):
    """A question that only the training rows can answer, which are no longer there."""

    @classmethod
    def from_question(cls, question: str) -> ForgottenRowsError:
        """Give what was asked."""
        return cls(
            f"{question} needs the rows that the selector was fitted to, and they are gone: forget_rows() drops them, "
            "and pickles and copies leave them out. Fit it again; with keep_rows=True they are pickled, too."
        )


class CertificateError(FewestError, ValueError):
    """A certificate cannot be read or does not belong to the data."""


# ---------------------------------------------------------------------- learners and models


class NotBooleanError(FewestError, ValueError):
    """A learner of Boolean features was given other values."""

    @classmethod
    def from_value(cls, value: object, learner: str) -> NotBooleanError:
        """Show one such value, and the transformer that gives Boolean features."""
        return cls(
            f"The data holds {value!r}, but {learner} learns from features that are 0 or 1, so it cannot use this. Let "
            "fewest.preprocessing.BooleanTests turn columns of any kind into such features: "
            "make_pipeline(BooleanTests(), ...)."
        )


class UnknownInstanceError(FewestError, ValueError):
    """An instance is outside the domain of a concept class."""


class ContradictedClassWarning(FewestWarning):
    """No concept of the class agrees with all examples; those that would leave none are not learned from."""


class FewSelectedWarning(FewestWarning):
    """Fewer features are relevant than the selection has to keep."""

    @classmethod
    def from_counts(cls, n_relevant: int, n_kept: int) -> FewSelectedWarning:
        """Return a warning that names how many features were found, how many are kept, and how to keep no more."""
        found = (
            "No feature is" if n_relevant == 0 else f"Only {n_relevant} feature{'s are' if n_relevant > 1 else ' is'}"
        )
        kept = "the most relevant one is" if n_kept == 1 else f"the {n_kept} most relevant ones are"
        return cls(
            f"{found} relevant enough to be kept, so {kept} kept instead, which may be irrelevant. Lower the "
            "threshold, raise alpha, or pass min_features_to_select=0 to allow an empty selection."
        )


class IntervalWarning(FewestWarning):
    """Relevance is judged by intervals, which keep too much where classes are unequal."""

    @classmethod
    def from_reason(cls, is_batch: bool) -> IntervalWarning:
        """Return a warning that names why the target was not permuted, and what to do."""
        reason = "Rows of several calls of partial_fit" if is_batch else "Rows in blocks"
        return cls(
            f"{reason} cannot be ranked by permuted targets, so threshold='interval' is used, and the classes are "
            "unequal, where it keeps irrelevant features. Do not rely on which features are kept: give "
            "n_features_to_select, or fit once on rows in memory."
        )


class FailedFitsWarning(FewestWarning):
    """An estimator could not be fitted to some subsets of the features; the search goes on without them."""


class UndefinedScoreError(FewestError, ValueError):
    """A scorer returned NaN, so that subsets cannot be compared."""

    @classmethod
    def from_scorer(cls, scorer: object, n_features: int) -> UndefinedScoreError:
        """Name the scorer, and what may make it defined."""
        function = getattr(scorer, "_score_func", scorer)
        name = getattr(function, "__name__", repr(scorer))
        return cls(
            f"The score {name} is NaN for a subset of {n_features} features, so that subsets cannot be compared by it. "
            "Rows of one class alone are a common cause: give stratify=True, cv or a larger validation_fraction; or "
            "give another scoring."
        )


class FewFeaturesWarning(FewestWarning):
    """Fewer features would have been chosen than ``min_features_to_select`` asks for."""


class ModelFileError(FewestError, ValueError):
    """A model cannot be read or written."""

    @classmethod
    def from_missing(cls, path: object) -> ModelFileError:
        """There is no such file."""
        return cls(f"There is no model {str(path)!r}. Check the spelling and the folder you are in.")

    @classmethod
    def from_stranger(cls, path: object) -> ModelFileError:
        """The file is something else."""
        return cls(f"{str(path)!r} is no model: it was not written by fewest. Make one with fewest train or save().")

    @classmethod
    def from_damage(cls, path: object, reason: object) -> ModelFileError:
        """The file begins like a model, but is incomplete."""
        return cls(
            f"The model {str(path)!r} is damaged or cut short ({reason}), so it is not used. Copy or train it again."
        )

    @classmethod
    def from_version(cls, path: object, version: object, known: int, written_by: object) -> ModelFileError:
        """The file was written by a later program."""
        return cls(
            f"The model {str(path)!r} has version {version!r} of the format, written by fewest {written_by}; this "
            f"program reads versions up to {known}. Install a newer fewest, or train the model again."
        )


class OtherVersionWarning(FewestWarning):
    """A fitted estimator or a model comes from another version of the package."""

    @classmethod
    def from_versions(cls, what: str, version: object, own: str) -> OtherVersionWarning:
        """Return the warning about what ``version`` wrote, read by ``own``."""
        origin = f"fewest {version}" if version else "an unknown version of fewest"
        return cls(
            f"{what} comes from {origin}, and this is fewest {own}, so it may predict otherwise or not at all. "
            "Fit it again, or install the version that it comes from."
        )


class PrecisionWarning(FewestWarning):
    """Values equal those of training in single precision only, and count as new ones."""

    @classmethod
    def from_columns(cls, names: Sequence[str], value: float, known: float) -> PrecisionWarning:
        """Return the warning about columns, with one value now and the one that it was in training."""
        columns = "Column" if len(names) == 1 else "Columns"
        return cls(
            f"{columns} {quoted(names)} lost precision on the way: {value!r} is {known!r} of the training data in "
            "single precision only, so such values count as never seen. Convert the data of training and prediction to "
            "the same type, float32 or float64, or cut the columns into intervals."
        )


class ColumnsMismatchError(FewestError, ValueError):
    """Data does not have the columns that a model was trained on."""

    missing: Sequence[str] = ()
    changed: Sequence[tuple[str, str, str]] = ()

    @classmethod
    def from_columns(cls, missing: Sequence[str], changed: Sequence[tuple[str, str, str]]) -> ColumnsMismatchError:
        """Name the columns that are not there, and those that are something else, as (name, then, now)."""
        facts, remedies, changed = [], [], sorted(changed)
        if missing:
            which = "column" if len(missing) == 1 else f"{len(missing)} columns"
            facts.append(f"The data lacks the {which} {quoted(missing)} that the model asks for.")
            remedies.append("Add what is missing or correct its name; the order does not matter.")
        for name, then, now in changed:
            facts.append(f"Column {name!r} was {then} when the model was trained and is {now} now.")
        if changed:
            name, then, _ = changed[0]
            remedies.append(
                f"Read it as before (kinds={{{name!r}: {then!r}}}, --kind {name}={then}) or correct its values."
            )
        error = cls(" ".join([*facts, *remedies]))
        error.missing, error.changed = missing, changed
        return error

    @classmethod
    def from_batches(cls, errors: Sequence[ColumnsMismatchError]) -> ColumnsMismatchError:
        """Name the columns that do not fit in some batch."""
        changed = {fact[0]: fact for error in errors for fact in error.changed}
        return cls.from_columns(errors[0].missing, list(changed.values()))


# ---------------------------------------------------------------------- long and large work


class StoppedEarlyWarning(FewestWarning):
    """A search or a learner ended early: its answer is sound, but perhaps not the best."""

    BY_CLOCK = "Where it stops is up to the clock, so another run may answer otherwise."


class InterruptedSearchError(KeyboardInterrupt):
    """Ctrl-C ended a search that had found something.

    It is a `KeyboardInterrupt`, so that nothing takes a search cut short for a finished one.

    Attributes
    ----------
    found : object
        What was found until then: the estimator, fitted with the best so far, or the comparison of the folds done.
    """

    def __init__(self, found: object):
        super().__init__(
            f"{type(found).__name__} was interrupted before its search was done. What was found until then is this "
            "error's attribute `found`; pass on_interrupt='return' to have it returned instead."
        )
        self.found = found


class CheckpointError(FewestError, ValueError):
    """A checkpoint of a search cannot be used."""

    @classmethod
    def from_stranger(cls, path: object) -> CheckpointError:
        """The file is something else."""
        return cls(
            f"{str(path)!r} is no checkpoint of a search, so the search neither goes on from it nor overwrites it. "
            "Name another file."
        )

    @classmethod
    def from_other_search(cls, path: object, differences: Sequence[str]) -> CheckpointError:
        """The checkpoint is that of another search; list the differences."""
        return cls(
            f"The checkpoint {str(path)!r} is that of another search (other: {', '.join(differences)}), so this one "
            "cannot go on from it. Give the same data and options, or remove the file to start again."
        )


class DamagedJournalWarning(FewestWarning):
    """A part of a journal cannot be read, so what it held is computed again."""

    @classmethod
    def from_path(cls, path: object, lost: str) -> DamagedJournalWarning:
        """Name the file, and what of it is lost."""
        return cls(f"{lost} of {str(path)!r} cannot be read, as after a loss of power; what it held is computed again.")


class BusyFileError(FewestError, RuntimeError):
    """Another run is at work on the same checkpoint or journal."""

    @classmethod
    def from_path(cls, path: object) -> BusyFileError:
        """Name the file."""
        return cls(
            f"Another run is at work on {str(path)!r}, so this one would spoil what that one keeps there. Wait until "
            "it has ended, or name another file."
        )


class StreamError(FewestError, ValueError):
    """A line of a stream cannot be learned from, or a checkpoint does not belong to the stream."""


class TooLargeError(FewestError, MemoryError):
    """A structure would have more parts than can be built."""

    @classmethod
    def from_size(cls, what: str, size: int, limit: int, remedy: str) -> TooLargeError:
        """Give the size before anything is built."""
        return cls(f"{what} would number {size:,}, where {limit:,} are allowed, so none was built. {remedy}")


class SpillError(FewestError, OSError):
    """Rows that do not fit in memory do not fit on the disk either."""

    @classmethod
    def from_reason(cls, folder: object, reason: str) -> SpillError:
        """Name the folder of temporary files."""
        return cls(
            f"The rows do not fit in memory, and writing them to temporary files in {str(folder)!r} failed: {reason}. "
            "Make room there, name another folder (TMPDIR=...), or allow more memory (scan(..., memory=...))."
        )


class WorkerError(FewestError, RuntimeError):
    """Workers of a cluster die of a task."""

    @classmethod
    def from_tasks(cls, tasks: Iterable[object], n_times: int) -> WorkerError:
        """Name the tasks that the workers had when they died: reading files and some rows of them, or other work."""
        named = [_without_number(task) for task in tasks]
        which = "the same task" if len(named) == 1 else "one of these tasks"
        return cls(
            f"{n_times + 1} workers died one after the other of {which} ({quoted(named)}), so it is not tried again. "
            "They may have too little memory for it: use fewer threads a worker, more workers, or smaller files."
        )

    @classmethod
    def from_absence(cls, tasks: Iterable[object], seconds: float) -> WorkerError:
        """Name the tasks that no worker is left for."""
        return cls(
            f"The cluster has had no worker for {seconds:g} seconds, so nobody does what is left "
            f"({quoted(map(_without_number, tasks))}). If there were some, they died, perhaps of too little memory: "
            "use more workers, or smaller files. If not, start some."
        )

    @classmethod
    def from_cluster(cls, address: str, is_alone: bool) -> WorkerError:
        """Say that a scheduler, or all of its workers, are gone."""
        what = "has no worker any more" if is_alone else "does not answer any more"
        return cls(
            f"The Dask scheduler at {address!r} {what}, so what was being done there is given up. Start it again, with "
            "its workers; if they died of too little memory, use more workers, or smaller files."
        )


def _without_number(task: object) -> str:
    """Return the name of a task; to read a file twice is two tasks."""
    return str(task).rsplit(" ", 1)[0] if str(task).startswith("read ") else str(task)
