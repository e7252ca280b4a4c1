"""Identification of a robot from a recording: parameters, how sure they are, what they explain.

Windows are split into stretches of time, of which some are held out; the others are fitted by
weighted least squares, and then by possible bodies. What is reported as residual was left by the
possible bodies, on stretches fitted and held out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.excitation import Excitation, excitation
from robodyn_ros.analysis.friction_of_joints import JointFriction, friction_of_joints
from robodyn_ros.analysis.physical_consistency import Problem, consistent
from robodyn_ros.analysis.residuals import JointResidual, joint_residuals, rms
from robodyn_ros.analysis.robust_fit import Fit, robust_fit
from robodyn_ros.analysis.unknowns import Unknowns
from robodyn_ros.analysis.window_means import Windows
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model.inertia import PARAMETERS

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST_WINDOWS = 20
_ROWS = 4
"""Rows for each unknown, at least."""
_STRETCHES = 20
"""Stretches of time of which some are held out."""


@dataclass(frozen=True)
class Identification:
    """What a recording says of a robot.

    Attributes:
        unknowns: What was looked for, with what is described.
        fit: The weighted least squares.
        change: (p,) from what is described, of possible bodies.
        bodies: (k, 10) possible bodies of the moving lumps, None where they were not looked for.
        armature: (nv,) None where it was not looked for.
        excitation: How well the recording tells the parameters.
        residuals: By coordinate that has measured efforts.
        friction: By coordinate that moves; empty where it was not looked for.
        windows, held: How many windows were fitted, and held out.
    """

    unknowns: Unknowns
    fit: Fit
    change: Floats
    bodies: Floats | None
    armature: Floats | None
    excitation: Excitation
    residuals: tuple[JointResidual, ...]
    friction: tuple[JointFriction, ...]
    windows: int
    held: int

    @property
    def values(self) -> Floats:
        """What was identified (p,)."""
        found: Floats = self.unknowns.nominal + self.change
        return found


def identify(
    unknowns: Unknowns, windows: Windows, *, hold_out: float = 0.2, stribeck: bool = False
) -> Identification:
    """Identify what is unknown of a robot.

    Args:
        unknowns: With base parameters, friction or both; for a payload see `payload_estimate`.
        windows: Of a recording.
        hold_out: Share of the recording that is not fitted but predicted.
        stribeck: Whether curves with Stribeck's effect are looked for.

    Raises:
        ArgumentError: the recording is too short, has no efforts, or does not excite anything.
    """
    fit, much, use, held = fitted(unknowns, windows, hold_out)
    found = _possible(unknowns, fit, much)
    change, bodies, armature = found
    residuals = joint_residuals(unknowns, windows, fit, change, use, held)
    return Identification(
        unknowns=unknowns,
        fit=fit,
        change=change,
        bodies=bodies,
        armature=armature,
        excitation=excitation(unknowns, fit, much, windows, use),
        residuals=residuals,
        friction=friction_of_joints(unknowns, windows, fit, change, use, stribeck=stribeck),
        windows=int((~held).sum()),
        held=int(held.sum()),
    )


def fitted(
    unknowns: Unknowns, windows: Windows, hold_out: float
) -> tuple[Fit, Floats, Flags, Flags]:
    """Return the fit, what would be much (p,), which rows (n, nv) count, which (n,) are held out.

    Raises:
        ArgumentError: as `identify`.
    """
    if not 0.0 <= hold_out <= 0.9:
        raise ArgumentError(f"hold_out must be a share from 0 to 0.9, got {hold_out:g}")
    use = _usable(unknowns, windows)
    held = held_out(len(windows), hold_out)
    effort = np.array([rms(windows.measured[use[:, j], j]) for j in range(use.shape[1])])
    speed = np.fmax(windows.extent.speed, 1e-3)
    much = unknowns.scale(np.fmax(effort, 1e-6), speed)
    fit = robust_fit(
        windows.columns, windows.residual, use & ~held[:, None], much, adjacent=windows.adjacent
    )
    return fit, much, use, held


def held_out(count: int, share: float) -> Flags:
    """Return which of `count` windows are held out: whole stretches, evenly spread."""
    stretch = np.arange(count) * _STRETCHES // max(count, 1)
    before = np.floor(stretch * share + 0.5 * share)
    found: Flags = np.floor((stretch + 1) * share + 0.5 * share) > before
    return found


def _usable(unknowns: Unknowns, windows: Windows) -> Flags:
    """Return which rows count: known, and where friction matters of joints that move."""
    names = unknowns.robot.model.coordinate_names
    rows = windows.known.sum(axis=0)
    if len(windows) and not rows.any():
        raise ArgumentError("the recording has no measured efforts: nothing can be identified")
    if len(windows) < LEAST_WINDOWS:
        raise ArgumentError(
            f"too short: the recording has {len(windows)} windows of motion, at least"
            f" {LEAST_WINDOWS} are needed; record more, or choose shorter windows"
        )
    use = windows.known
    if set(unknowns.parts) != {"payload"}:
        use = use & windows.moving
    if not use.any():
        listed = ", ".join(quoted(names[j]) for j in np.flatnonzero(rows).tolist()[:8])
        raise ArgumentError(
            f"not excited: none of the joints with measured efforts moves ({listed}): record them"
            " while they move back and forth"
        )
    if int(use.sum()) < _ROWS * len(unknowns.names) and "base" in unknowns.parts:
        raise ArgumentError(
            f"too short: {int(use.sum())} rows of moving joints for {len(unknowns.names)} unknowns;"
            " record more motion"
        )
    return use


def _possible(
    unknowns: Unknowns, fit: Fit, much: Floats
) -> tuple[Floats, Floats | None, Floats | None]:
    """Return the change (p,), bodies (k, 10) and armature (nv,) that can be."""
    p, base = len(unknowns.names), unknowns.base
    friction = unknowns.places.get("friction", slice(p, p))
    rest = friction.stop - friction.start
    described: Floats = np.zeros((0, PARAMETERS))
    rotors: Floats = np.zeros(0)
    grouping: Floats = np.zeros((0, 0))
    rotor_scale: Floats = np.zeros(0)
    usual = (1.0, 0.1)
    if base is not None:
        inertial = PARAMETERS * len(base.parameters.bodies)
        described = base.parameters.nominal[:inertial].reshape(-1, PARAMETERS)
        rotors = base.parameters.nominal[inertial:]
        grouping = base.grouping
        scale = base.parameters.scale
        usual = (float(scale[0]), float(scale[1] / scale[0]))
        rotor_scale = scale[inertial:]
    combined = np.zeros((p, grouping.shape[1] + rest))
    combined[: len(grouping), : grouping.shape[1]] = grouping
    combined[friction, grouping.shape[1] :] = np.eye(rest)
    signed = np.resize([True, True, False], rest)
    bodies, others = consistent(
        Problem(
            bodies=described,
            others=np.concatenate([rotors, unknowns.nominal[friction]]),
            at_least_zero=np.concatenate([np.ones(len(rotors), bool), signed]),
            much=np.concatenate([rotor_scale, much[friction]]),
            combined=combined,
            information=fit.information,
            gradient=fit.gradient,
            usual=usual,
        )
    )
    change = combined @ np.concatenate([bodies.ravel(), others]) - unknowns.nominal
    if base is None:
        return change, None, None
    return change, bodies, others[: len(rotors)] if len(rotors) else None
