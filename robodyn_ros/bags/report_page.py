"""The report of a replay as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from robodyn_ros.bags.curves import Curves
from robodyn_ros.bags.report_plots import coordinate_plot, energy_plot
from robodyn_ros.bags.summary import percent

MOST_PLOTS = 64
"""Coordinates that are plotted; the table has them all."""
STYLE = """
:root { color-scheme: light; --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --mark: #b42318; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fff; margin: 0 auto;
  max-width: 62rem; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .25rem; } p { margin: .4rem 0; }
.soft { color: var(--soft); } .mark { color: var(--mark); font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: right; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: 600; } ul { padding-left: 1.2rem; margin: .4rem 0; }
svg { width: 100%; height: auto; } nav a { margin-right: .75rem; white-space: nowrap; }
"""


def page(summary: dict[str, Any], curves: Curves) -> Iterator[str]:
    """Yield the page piece by piece.

    Args:
        summary: As `summary.summary_of` makes it.
        curves: What is plotted.
    """
    title = f"{summary['robot']}: {summary['bag']}"
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    yield f"<h1>{escape(summary['robot'])}</h1>\n"
    yield f'<p class="soft">{escape(summary["bag"])}</p>\n'
    yield _summary(summary)
    yield _notes(summary["notes"])
    yield _limits(summary)
    yield _coordinates(summary)
    yield f'<h2 id="energy">Energy and power</h2>\n{energy_plot(curves)}\n{_energies(summary)}'
    yield "<h2>Coordinates</h2>\n"
    shown = summary["coordinates"][:MOST_PLOTS]
    links = "".join(f'<a href="#c{k}">{escape(x["name"])}</a> ' for k, x in enumerate(shown))
    yield f'<nav aria-label="coordinates">{links}</nav>\n'
    if len(summary["coordinates"]) > MOST_PLOTS:
        yield f"<p>The first {MOST_PLOTS} of {len(summary['coordinates'])} are plotted.</p>\n"
    for k, one in enumerate(shown):
        length = "rad" if one["unit"] == "N m" else "m"
        plot = coordinate_plot(
            curves, one["name"], one["unit"], length, measured=one["measured"] is not None
        )
        yield f'<h3 id="c{k}">{escape(one["name"])}</h3>\n{plot}\n'
    yield _method(summary)
    yield "</main>\n</body>\n</html>\n"


def number(x: float | None, digits: int = 4) -> str:
    """Return a number as it is shown; a dash where there is none."""
    return "-" if x is None else f"{x:.{digits}g}"


def table(identifier: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; cells are escaped."""
    heads = "".join(f'<th scope="col">{escape(x)}</th>' for x in head)
    lines = [
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(x)}</td>" for x in row[1:])
        + "</tr>"
        for row in rows
    ]
    body = "\n".join(lines)
    return (
        f'<div class="wide"><table id="{identifier}">\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>\n"
    )


def _summary(summary: dict[str, Any]) -> str:
    counts = summary["messages"]
    pauses = summary["pauses"]
    rows = [
        ["duration", f"{summary['duration']:.6g} s"],
        ["rows", str(summary["rows"])],
        ["rate", f"{number(summary['rate'])} per s"],
        ["messages read", str(counts.get("messages", 0))],
        *([name, str(count)] for name, count in counts.items() if count and name not in _QUIET),
        ["clock resets", str(summary["clock_resets"])],
        ["pauses of more than 0.5 s", str(pauses["count"])],
    ]
    if pauses["count"]:
        rows.append(
            ["longest pause", f"{number(pauses['longest'])} s, at {number(pauses['longest_at'])} s"]
        )
    return f"<h2>Summary</h2>\n{table('summary', ['', ''], rows)}"


_QUIET = ("messages", "rows", "clock resets")


def _notes(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    items = "\n".join(f"<li>{escape(note)}</li>" for note in notes)
    return f'<h2>To know</h2>\n<ul id="notes">\n{items}\n</ul>\n'


def _limits(summary: dict[str, Any]) -> str:
    rows = [
        [
            one["name"],
            beyond["kind"],
            number(beyond["worst"]),
            f"{number(beyond['lower'])} to {number(beyond['upper'])}",
            f"{beyond['worst_time']:.3f} s",
            f"{beyond['first_time']:.3f} s",
            percent(beyond["share"]),
        ]
        for one in summary["coordinates"]
        for beyond in one["beyond"]
    ]
    head = ["coordinate", "limit of", "worst", "allowed", "at", "first at", "share of rows"]
    found = table("limits", head, rows) if rows else "<p>No limit was exceeded.</p>\n"
    return f"<h2>Limits exceeded</h2>\n{found}"


def _coordinates(summary: dict[str, Any]) -> str:
    rows = []
    for one in summary["coordinates"]:
        effort, measured, residual = (one[x] or {} for x in ("effort", "measured", "residual"))
        rows.append(
            [
                one["name"],
                one["unit"],
                number(effort.get("rms")),
                number(effort.get("worst")),
                number(measured.get("rms")),
                number(residual.get("mean")),
                number(residual.get("rms")),
                number(residual.get("worst")),
                percent(one["valid_share"]),
            ]
        )
    head = ["coordinate", "unit", "model, rms", "largest", "measured, rms"]
    head += ["residual, mean", "rms", "largest", "valid"]
    told = '<p class="soft">Residual: what is measured less what the model asks for.</p>\n'
    return f"<h2>Efforts</h2>\n{told}{table('efforts', head, rows)}"


def _energies(summary: dict[str, Any]) -> str:
    rows = []
    for name in ("kinetic", "potential"):
        found = summary[f"{name}_energy"] or {}
        rows.append([f"{name} energy", number(found.get("least")), number(found.get("largest"))])
    done = sum(one["work_done"] for one in summary["coordinates"])
    taken = sum(one["work_taken"] for one in summary["coordinates"])
    return table("energies", ["", "least, J", "largest, J"], rows) + (
        f"<p>The efforts of the model did {number(done)} J of work, and took"
        f" {number(-taken)} J back.</p>\n"
    )


def _method(summary: dict[str, Any]) -> str:
    items = "\n".join(f"<li>{escape(line)}</li>" for line in summary["method"])
    return f'<h2>How it was computed</h2>\n<ul id="method">\n{items}\n</ul>\n'
