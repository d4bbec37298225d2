"""``fewest verify``: check a certificate of ``fewest select`` against the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.output import collected_notes, print_result, say

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.cover.verify import Finding


def verify(
    certificate: Annotated[
        str, typer.Argument(metavar="CERTIFICATE", help="What select --certificate wrote.", rich_help_panel=opt.DATA)
    ],
    data: opt.Data,
    *,
    target: Annotated[
        str | None,
        typer.Option(
            "--target", "-t", metavar="COL", help="The column with the classes, if renamed.", rich_help_panel=opt.DATA
        ),
    ] = None,
    time_limit: opt.TimeLimit = "5m",
    output_format: opt.OutputFormat = opt.Format.TABLE,
    where: engines.Where,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Check the certificate of an answer against the data.

    Its pairs must be in the data, its subset sufficient, and its bound forced by the pairs. The check compares rows,
    and reads the tree of a long proof or tries subsets one after the other; it shares no code with the search.
    Exit code 0 when all claims are true, 1 when one is false, 3 when time ran out.

    \b
    fewest select fewest:votes --target party --certificate votes.json
    fewest verify votes.json fewest:votes
    """
    from fewest.cover.certificate import load_certificate
    from fewest.cover.verify import needs_all_pairs
    from fewest.cover.verify import verify as check
    from fewest.exceptions import CertificateError

    seconds = opt.parse_seconds(time_limit)
    claims = load_certificate(certificate)
    target = target or claims.get("target")
    if not isinstance(target, str | None):
        raise CertificateError(f"The certificate's target is {target!r}, not the name of a column. It is damaged.")
    if target is None:
        raise CertificateError("The certificate does not name the target column. Name it with --target.")
    reading = opt.Reading(data, target, None, parsing, drop_unlabelled)
    obstacle = None
    if needs_all_pairs(claims) or claims.get("cuts"):
        obstacle = "a certificate with margins, intervals or cautious missing values"
    with collected_notes(), where.scanned(reading, obstacle) as scanned:
        found = check(claims, *reading.load(), seconds) if scanned is None else _checked(claims, scanned, seconds)
    records = [{"claim": finding.claim, "holds": finding.holds} for finding in found]
    outcomes = [finding.holds for finding in found]
    words = {True: "true   ", False: "FALSE  ", None: "unknown"}
    text = "\n".join(f"{words[finding.holds]}  {finding.claim}" for finding in found)
    result = {"command": "verify", "data": data, "is_verified": all(outcomes), "findings": records}
    print_result(output_format, result, records, lambda: say(text))
    if False in outcomes:
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)
    if None in outcomes:
        raise typer.Exit(ExitCode.STOPPED_EARLY)


def _checked(claims: dict[str, Any], scanned: Scan, seconds: float | None) -> list[Finding]:
    """Check claims about data in blocks."""
    from fewest.blocks.store import all_tables
    from fewest.cover.verify import verify_batches

    everything = range(scanned.store.n_features)
    return verify_batches(claims, lambda: all_tables(scanned.store, everything), seconds)
