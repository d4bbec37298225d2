"""One page for an experiment: the claim, the verdict, the picture, published numbers beside ours, and every number."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.verdict { display: inline-block; padding: .2rem .6rem; border: 2px solid; border-radius: .4rem; font-weight: 600; }
.holds { color: #1b7837; } .fails { color: #b2182b; }
figure { margin: 1rem 0; background: white; padding: .5rem; } figure svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: left; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
.scroll { overflow-x: auto; } code { font-size: .9rem; }
"""
MOST_ROWS = 500


def page(document: dict[str, Any], svg: str) -> str:
    """Return a page that needs nothing else."""
    verdict = '<span class="verdict holds">The claim holds</span>'
    if not document["holds"]:
        verdict = '<span class="verdict fails">The claim does not hold</span>'
    parts = [
        f"<h1>{escape(document['experiment'])}: {escape(document['claim'])}</h1>",
        f"<p>{verdict} at scale <b>{escape(document['scale'])}</b>. {escape(document['source'])}.<br>",
        f"<code>{escape(document['command'])}</code></p>",
        f"<figure>{svg[svg.index('<svg') :]}</figure>",
        "<h2>What the claim demands</h2><ul>",
        *(
            f"<li>{'true' if c['holds'] else '<b>not true</b>'}: {escape(c['statement'])}</li>"
            for c in document["checks"]
        ),
        "</ul>",
        _compared(document["comparisons"]),
        _listed("What the document does not say", document["assumptions"]),
        "<h2>All numbers</h2>",
        _table(document["rows"][:MOST_ROWS]),
    ]
    if len(document["rows"]) > MOST_ROWS:
        parts.append(f"<p>The first {MOST_ROWS} of {len(document['rows']):,} rows; results.csv has all.</p>")
    title = escape(document["experiment"])
    head = f'<meta charset="utf-8"><title>{title}</title><meta name="viewport" content="width=device-width">'
    body = "".join(parts)
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{body}</body></html>\n'


def _compared(comparisons: Sequence[dict[str, Any]]) -> str:
    if not comparisons:
        return ""
    rows = [
        {
            "": c["quantity"],
            "published": _number(c["published"]),
            "ours": _number(c["ours"]),
            "± standard error": _number(c["error"]),
            "verdict": c["verdict"] + (f". {c['note']}" if c["note"] else ""),
        }
        for c in comparisons
    ]
    return f"<h2>Published, and ours</h2>{_table(rows)}"


def _listed(title: str, sentences: Sequence[str]) -> str:
    if not sentences:
        return ""
    return f"<h2>{title}</h2><ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def _table(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return "<p>none</p>"
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{_number(row.get(name))}</td>' for name in names)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _number(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return escape(str(value))
    return f"{value:.4g}" if abs(value) < 10_000 and isinstance(value, float) else f"{value:,.0f}"
