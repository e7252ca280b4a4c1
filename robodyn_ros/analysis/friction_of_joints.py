"""The friction of each joint as it was identified, beside what was measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.friction_curve import FrictionCurve, binned, fit_friction, smooth_sign
from robodyn_ros.analysis.robust_fit import Fit
from robodyn_ros.analysis.unknowns import FRICTION, Unknowns
from robodyn_ros.analysis.window_means import Windows

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_LEAST = 20
"""Windows in which a joint must move for anything to be said of its friction's shape."""
_EXPLAINED = 0.5
"""Share of the squares of what is left that friction must explain to be told."""
_LARGE = 0.05
"""Share of the measured efforts below which what is left needs no explanation."""


@dataclass(frozen=True)
class JointFriction:
    """Friction of one coordinate, and what of it was measured.

    Attributes:
        name: The coordinate.
        curve: With standard deviations of Coulomb, viscous and offset in `deviation` (3,).
        speed, effort, spread: (k,) each: what was measured, by bins of speed.
        described: What the description says.
        stribeck: A curve with Stribeck's effect, where it was asked for and found.
    """

    name: str
    curve: FrictionCurve
    deviation: Floats
    speed: Floats
    effort: Floats
    spread: Floats
    described: FrictionCurve
    stribeck: FrictionCurve | None = None


def friction_of_joints(
    unknowns: Unknowns,
    windows: Windows,
    fit: Fit,
    change: Floats,
    use: Flags,
    *,
    stribeck: bool,
) -> tuple[JointFriction, ...]:
    """Return the friction of the coordinates that move."""
    if "friction" not in unknowns.places:
        return ()
    start = unknowns.places["friction"].start
    values, found = unknowns.nominal + change, []
    for j, name in enumerate(unknowns.robot.model.coordinate_names):
        rows = use[:, j]
        if not rows.any():
            continue
        own = slice(start + len(FRICTION) * j, start + len(FRICTION) * (j + 1))
        coulomb, viscous, offset = values[own].tolist()
        columns = windows.columns[rows, j]
        left = windows.residual[rows, j] - columns @ change
        effort, speed = left + columns[:, own] @ values[own], windows.velocity[rows, j]
        known = unknowns.nominal[own].tolist()
        more = None
        if stribeck and len(effort) >= _LEAST:
            more = fit_friction(speed, effort, stribeck=True)
        found.append(
            JointFriction(
                name,
                FrictionCurve(coulomb, viscous, offset, coulomb),
                fit.deviation[own],
                *binned(speed, effort),
                FrictionCurve(known[0], known[1], known[2], known[0]),
                more if more is not None and more.stribeck_speed > 0.0 else None,
            )
        )
    return tuple(found)


def rubbing(unknowns: Unknowns, windows: Windows, change: Floats) -> tuple[str, ...]:
    """Return the coordinates at which what is left follows speed as friction does.

    Args:
        unknowns: What was looked for.
        windows: Of the recording.
        change: (p,) what was found.
    """
    found = []
    for j, name in enumerate(unknowns.robot.model.coordinate_names):
        rows = windows.known[:, j] & windows.moving[:, j]
        left = windows.residual[rows, j] - windows.columns[rows, j] @ change
        speed, square = windows.velocity[rows, j], float(left @ left)
        measured = windows.measured[rows, j]
        if len(left) < _LEAST or square < _LARGE**2 * float(measured @ measured):
            continue
        shapes = np.column_stack([smooth_sign(speed), speed])
        rest = left - shapes @ np.linalg.lstsq(shapes, left, rcond=None)[0]
        if float(rest @ rest) < (1.0 - _EXPLAINED) * square:
            found.append(name)
    return tuple(found)
