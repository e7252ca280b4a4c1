"""A payload from what a known robot's efforts lack: mass, centre of mass, and inertia if excited.

Its ten parameters in the frame that carries it are linear in the residuals. Mass and centre of mass
need nothing but poses; inertia needs fast turns, and is that of a ball of aluminium of this mass
where the recording does not tell it. What is returned is a possible body.

Source: Atkeson, An and Hollerbach 1986, "Estimation of inertial parameters of manipulator loads and
links".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.friction_of_joints import JointFriction, friction_of_joints
from robodyn_ros.analysis.identification import fitted
from robodyn_ros.analysis.physical_consistency import Problem, consistent
from robodyn_ros.analysis.residuals import JointResidual, joint_residuals
from robodyn_ros.analysis.robust_fit import Fit
from robodyn_ros.analysis.unknowns import Unknowns
from robodyn_ros.analysis.window_means import Windows
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model.inertia import PARAMETERS, central, parameters_of

Floats = NDArray[np.float64]

_DENSITY = 2700.0
_LIGHTEST = 1e-3
_SURE = 2.0
"""Standard deviations from which on a mass is one."""
_WEIGHED = 0.3
"""Standard deviation of the mass, as a share of what would be much, up to which it was weighed."""
_TELLS = 0.5
"""Standard deviation of moments, as a share of the payload's, up to which inertia was told."""


@dataclass(frozen=True)
class PayloadEstimate:
    """What a recording says of a payload.

    Attributes:
        unknowns: What was looked for.
        fit: The weighted least squares.
        change: (p,) from what is described, of a possible body.
        mass, mass_deviation: kg.
        com, com_deviation: (3,) in the frame, m.
        inertia: (3, 3) about the centre of mass, axes of the frame, kg m^2.
        inertia_deviation: (3,) standard deviations of Ixx, Iyy, Izz about the frame's origin.
        inertia_told: Whether the recording tells the inertia; else it is that of a ball.
        is_there: Whether the mass is more than two standard deviations.
        residuals: By coordinate with measured efforts.
        friction: By coordinate that moves, where it was looked for.
        windows, held: How many windows were fitted, and held out.
    """

    unknowns: Unknowns
    fit: Fit
    change: Floats
    mass: float
    mass_deviation: float
    com: Floats
    com_deviation: Floats
    inertia: Floats
    inertia_deviation: Floats
    inertia_told: bool
    is_there: bool
    residuals: tuple[JointResidual, ...]
    friction: tuple[JointFriction, ...]
    windows: int
    held: int


def estimate_payload(
    unknowns: Unknowns, windows: Windows, *, hold_out: float = 0.2, stribeck: bool = False
) -> PayloadEstimate:
    """Estimate a payload.

    Args:
        unknowns: With a payload, and friction if that is not known.
        windows: Of a recording.
        hold_out: Share of the recording that is not fitted but predicted.
        stribeck: Whether curves with Stribeck's effect are looked for.

    Raises:
        ArgumentError: the recording is too short, has no efforts, or does not tell the mass.
    """
    fit, much, use, held = fitted(unknowns, windows, hold_out)
    own = unknowns.places["payload"]
    if fit.deviation[own][0] > _WEIGHED * much[own][0]:
        raise ArgumentError(
            f"not excited: no joint with measured efforts feels a weight at"
            f" {quoted(unknowns.frame)} in this recording; move the joints that carry it"
        )
    measured = fit.change[own]
    mass, covariance = float(measured[0]), fit.covariance[own, own]
    told = _inertia_told(fit.deviation[own], mass)
    change = _possible(unknowns, fit, much, told=told)
    body = change[own]
    heavy, com, inertia = central(body)
    return PayloadEstimate(
        unknowns=unknowns,
        fit=fit,
        change=change,
        mass=heavy,
        mass_deviation=float(fit.deviation[own][0]),
        com=com,
        com_deviation=_com_deviation(max(heavy, _LIGHTEST), com, covariance),
        inertia=inertia,
        inertia_deviation=fit.deviation[own][[4, 6, 9]],
        inertia_told=told,
        is_there=bool(mass > _SURE * fit.deviation[own][0]),
        residuals=joint_residuals(unknowns, windows, fit, change, use, held),
        friction=friction_of_joints(unknowns, windows, fit, change, use, stribeck=stribeck),
        windows=int((~held).sum()),
        held=int(held.sum()),
    )


def _ball(mass: float) -> float:
    """Return the moment of a ball of aluminium, kg m^2."""
    radius = float(np.cbrt(3.0 * mass / (4.0 * pi * _DENSITY)))
    return 0.4 * mass * radius * radius


def _inertia_told(deviation: Floats, mass: float) -> bool:
    """Return whether the second moments are known to a share of a body of the payload's size."""
    size = max(_ball(max(mass, _LIGHTEST)), 1e-12)
    return bool(np.max(deviation[4:]) < _TELLS * size)


def _possible(unknowns: Unknowns, fit: Fit, much: Floats, *, told: bool) -> Floats:
    """Return the change (p,) by a possible body, near one of the mass and centre measured."""
    p = len(unknowns.names)
    own, friction = unknowns.places["payload"], unknowns.places.get("friction", slice(p, p))
    rest = friction.stop - friction.start
    mass = max(float(fit.change[own][0]), _LIGHTEST)
    com = fit.change[own][1:4] / mass
    if not told:  # the second moments that go with the weight are no part of the fit
        com = np.clip(com, -1.0, 1.0)
    near = parameters_of(mass, com, _ball(mass) * np.eye(3))
    combined = np.zeros((p, PARAMETERS + rest))
    combined[own, :PARAMETERS] = np.eye(PARAMETERS)
    combined[friction, PARAMETERS:] = np.eye(rest)
    nominal = unknowns.nominal.copy()
    nominal[own] = near
    bodies, others = consistent(
        Problem(
            bodies=near[None],
            others=unknowns.nominal[friction],
            at_least_zero=np.resize([True, True, False], rest),
            much=much[friction],
            combined=combined,
            information=fit.information,
            gradient=fit.gradient - fit.information @ (nominal - unknowns.nominal),
            usual=(mass, 0.1),
        )
    )
    found: Floats = combined @ np.concatenate([bodies[0], others]) - unknowns.nominal
    return found


def _com_deviation(mass: float, com: Floats, covariance: Floats) -> Floats:
    """Return standard deviations (3,) of first moments over mass, m."""
    found = []
    for k in range(3):
        slope = np.zeros(PARAMETERS)
        slope[0], slope[1 + k] = -com[k] / mass, 1.0 / mass
        found.append(float(np.sqrt(max(float(slope @ covariance @ slope), 0.0))))
    return np.array(found)
