"""The report of an identification as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from robodyn_ros.analysis.identification import Identification
from robodyn_ros.analysis.payload_estimate import PayloadEstimate
from robodyn_ros.bags.identification_plots import friction_plot, residual_plot
from robodyn_ros.bags.identification_summary import pair, units_of
from robodyn_ros.bags.report_page import MOST_PLOTS, STYLE, number, table
from robodyn_ros.bags.summary import percent

Found = Identification | PayloadEstimate


def identification_page(summary: dict[str, Any], found: Found) -> Iterator[str]:
    """Yield the page piece by piece.

    Args:
        summary: As `identification_summary` makes it.
        found: What was identified.
    """
    title = f"{summary['robot']}: identified from {summary['bag']}"
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    yield f"<h1>{escape(summary['robot'])}</h1>\n"
    yield f'<p class="soft">{escape(summary["bag"])}</p>\n'
    rows = [
        ["identified", ", ".join(summary["identified"])],
        ["rows", str(summary["rows"])],
        ["windows fitted", str(summary["windows"])],
        ["windows held out", str(summary["held_out"])],
    ]
    yield f"<h2>Summary</h2>\n{table('summary', ['', ''], rows)}"
    if summary["notes"]:
        items = "\n".join(f"<li>{escape(note)}</li>" for note in summary["notes"])
        yield f'<h2>To know</h2>\n<ul id="notes">\n{items}\n</ul>\n'
    if "payload" in summary:
        yield _payload(summary["payload"])
    yield _residuals(summary, found)
    yield from _friction(summary, found)
    if "excitation" in summary:
        yield _excitation(summary["excitation"])
    if "base_parameters" in summary:
        yield _parameters(summary["base_parameters"])
    yield _method(summary)
    yield "</main>\n</body>\n</html>\n"


def _payload(payload: dict[str, Any]) -> str:
    mass, com = payload["mass"], payload["com"]
    axes = zip("xyz", com["value"], com["deviation"], strict=True)
    rows = [
        ["frame", payload["frame"]],
        ["mass", f"{pair(mass['value'], mass['deviation'])} kg"],
        *([f"centre of mass {axis}", f"{pair(x, d)} m"] for axis, x, d in axes),
    ]
    for k, axis in enumerate(("xx", "yy", "zz")):
        rows.append([f"I{axis} about the centre", f"{payload['inertia'][k][k]:.3g} kg m²"])
    told = "" if payload["inertia_told"] else "<p>The inertia was not excited: that of a ball.</p>"
    return f"<h2>Payload</h2>\n{table('payload', ['', ''], rows)}{told}\n"


def _residuals(summary: dict[str, Any], found: Found) -> str:
    parts = summary["identified"]
    rows = [
        [
            one["name"],
            one["unit"],
            number(one["measured"]),
            number(one["before"]),
            number(one["after"]),
            number(one["before_held_out"]),
            number(one["after_held_out"]),
            *(number(one["by_part"][part]) for part in parts),
            percent(one["outliers"]),
        ]
        for one in summary["residuals"]
    ]
    head = ["coordinate", "unit", "measured", "described", "identified", "held out: described"]
    head += ["identified", *(f"change by {part}" for part in parts), "outliers"]
    plot = residual_plot(found.residuals[:MOST_PLOTS], "what is left of the measured efforts")
    told = (
        '<p class="soft">Root mean squares over windows: of measured efforts, of these less the'
        " described and the identified robot's, and of what each part changed.</p>\n"
    )
    return f"<h2>Residuals</h2>\n{told}{table('residuals', head, rows)}{plot}\n"


def _friction(summary: dict[str, Any], found: Found) -> Iterator[str]:
    if not summary["friction"]:
        return
    rows = [
        [
            one["name"],
            one["unit"],
            *(
                cell
                for key in ("coulomb", "viscous", "offset")
                for cell in (
                    pair(one[key]["value"], one[key]["deviation"]),
                    number(one[key]["described"]),
                )
            ),
        ]
        for one in summary["friction"]
    ]
    head = ["coordinate", "unit", "Coulomb", "described", "viscous", "described", "offset"]
    yield f"<h2>Friction</h2>\n{table('friction', [*head, 'described'], rows)}"
    units = units_of(found.unknowns.robot.model)
    for one in found.friction[:MOST_PLOTS]:
        yield f"<h3>{escape(one.name)}</h3>\n{friction_plot(one, units[one.name])}\n"


def _excitation(seen: dict[str, Any]) -> str:
    rows = [[one["name"], percent(one["share"]), ", ".join(one["joints"])] for one in seen["poor"]]
    found = (
        table("poor", ["poorly excited", "deviation, of what would be much", "by motion of"], rows)
        if rows
        else "<p>Everything that was looked for is well excited.</p>\n"
    )
    advice = "".join(f"<li>{escape(line)}</li>\n" for line in seen["advice"])
    return (
        f"<h2>Excitation</h2>\n<p>Condition number {number(seen['condition'])},"
        f" {seen['parameters']} parameters.</p>\n{found}<ul>{advice}</ul>\n"
    )


def _parameters(found: list[dict[str, Any]]) -> str:
    rows = [
        [one["name"], number(one["described"]), number(one["value"]), number(one["deviation"], 2)]
        for one in found
    ]
    head = ["base parameter", "described", "identified", "standard deviation"]
    return f"<h2>Base parameters</h2>\n{table('parameters', head, rows)}"


def _method(summary: dict[str, Any]) -> str:
    items = "\n".join(f"<li>{escape(line)}</li>" for line in summary["method"])
    return f'<h2>How it was computed</h2>\n<ul id="method">\n{items}\n</ul>\n'
