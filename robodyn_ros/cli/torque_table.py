"""The table of `robodyn torque`: with rules on a terminal, in plain columns elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

from robodyn_ros.cli.columns import aligned
from robodyn_ros.cli.torque_rows import TERMS
from robodyn_ros.cli.torque_terms import Terms
from robodyn_ros.errors import quoted

HEADINGS = ("coordinate", "unit", "position", *TERMS, "limit", "%")
FIRST_TERM = HEADINGS.index(TERMS[0])
NOTED = ("note: beyond", "note: outside")
"""How lines below the table begin that tell of a limit."""
DIGITS = 5
"""The largest effort of a table is shown with this many; all have the same decimals."""


def cells(terms: Terms) -> list[tuple[str, ...]]:
    """Return the rows' texts, in the order of HEADINGS."""
    decimals = _decimals([abs(x) for row in terms.rows for x in row.terms])
    found = []
    for row in terms.rows:
        position = "-" if row.position is None else f"{_rounded(row.position)} {row.position_unit}"
        limit = "-" if row.limit is None else f"{row.limit:.6g}"
        share = "-" if row.share is None else f"{row.share:.1f}"
        efforts = [_fixed(x, decimals) for x in row.terms]
        found.append((quoted(row.name)[1:-1], row.unit, position, *efforts, limit, share))
    return found


def _rounded(position: float) -> str:
    """Return a position, 0 where assembly leaves it its rounding."""
    return f"{round(position, 12) + 0.0:.4g}"


def head(terms: Terms) -> str:
    """Return the line above the table."""
    x, y, z = (f"{component:g}" for component in terms.gravity)
    return f"{quoted(terms.robot)[1:-1]}: {terms.base} base, gravity ({x}, {y}, {z}) m/s^2"


def foot(terms: Terms) -> list[str]:
    """Return the lines below the table."""
    carried = ", ".join(
        f"{load.mass:g} kg {quoted(load.name)} at {quoted(load.frame)}" for load in terms.payloads
    )
    return [
        f"mass {terms.mass:.6g} kg" + (f" and payload {carried}" if carried else ""),
        f"kinetic energy {terms.kinetic:.6g} J, potential energy {terms.potential:.6g} J",
        *(f"note: {note}" for note in terms.notes),
    ]


def text(terms: Terms) -> str:
    """Return the table in plain columns."""
    return "\n".join([head(terms), *aligned([HEADINGS, *cells(terms)], left=2), *foot(terms)])


def show(terms: Terms) -> None:
    """Print the table on a terminal, without columns of zeros where it would not fit."""
    from rich.console import Console

    console = Console(highlight=False)
    rows = cells(terms)
    kept = list(range(len(HEADINGS)))
    if _width(rows, kept) > console.width:
        last = FIRST_TERM + len(TERMS) - 1
        zero = {
            k
            for k in range(FIRST_TERM, last)
            if not any(row.terms[k - FIRST_TERM] for row in terms.rows)
        }
        kept = [k for k in kept if k not in zero]
    console.print(head(terms), markup=False)
    table = _ruled(rows, kept)
    # A table that is still too wide is left to the terminal, which breaks lines but cuts nothing.
    console.print(table, width=max(console.width, _width(rows, kept)), crop=False)
    if left_out := [HEADINGS[k] for k in range(len(HEADINGS)) if k not in kept]:
        console.print(f"0 throughout: {', '.join(left_out)}", markup=False)
    for line in foot(terms):
        console.print(line, markup=False, style="red" if line.startswith(NOTED) else None)


def _ruled(rows: Sequence[tuple[str, ...]], kept: Sequence[int]) -> object:
    from rich.markup import escape
    from rich.table import Table

    table = Table()
    for k in kept:
        table.add_column(HEADINGS[k], justify="left" if k < 2 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(escape(row[k]) for k in kept))
    return table


def _width(rows: Sequence[tuple[str, ...]], kept: Sequence[int]) -> int:
    """Return how wide the table with rules is: two blanks and a rule for each column."""
    return 1 + sum(3 + max(len(row[k]) for row in [HEADINGS, *rows]) for k in kept)


def _decimals(magnitudes: Sequence[float]) -> int:
    largest = max(magnitudes, default=0.0)
    if largest == 0.0:
        return 3
    return min(max(DIGITS - 1 - math.floor(math.log10(largest)), 1), 9)


def _fixed(number: float, decimals: int) -> str:
    """Return a number with fixed decimals, zero without a sign."""
    return f"{round(number, decimals) + 0.0:.{decimals}f}"
