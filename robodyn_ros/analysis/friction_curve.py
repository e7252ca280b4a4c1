"""Friction of a joint over its speed: Coulomb, viscous, offset and, where asked for, Stribeck.

    effort = (coulomb + (static - coulomb) exp(-(v / speed)^2)) sign(v) + viscous v + offset

The offset is no friction: what a sensor or current reads without load, or a weight that the model
does not know. The sign is the model's, smooth below 0.01 rad/s or m/s.

Source: Armstrong-Helouvry, Dupont and Canudas de Wit 1994, "A survey of models, analysis tools and
compensation methods for the control of machines with friction".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.joint_friction import COULOMB_SPEED, friction_effort
from robodyn_ros.analysis.robust_fit import robust_fit
from robodyn_ros.errors import ArgumentError

Floats = NDArray[np.float64]

_BINS = 40
_LEAST_SAMPLES = 12
_SLOWEST = 2.0 * COULOMB_SPEED


def smooth_sign(speed: Floats) -> Floats:
    """Return the sign of speeds as the model has it: smooth through zero."""
    found: Floats = friction_effort(speed, np.zeros(1), np.ones(1))
    return found


@dataclass(frozen=True)
class FrictionCurve:
    """Friction of one coordinate, N m or N.

    Attributes:
        coulomb, viscous, offset: N m or N; N m s/rad or N s/m; N m or N.
        static: Effort that breaks it away; that of `coulomb` without Stribeck's effect.
        stribeck_speed: rad/s or m/s, within which it falls to `coulomb`; 0 without the effect.
    """

    coulomb: float
    viscous: float
    offset: float = 0.0
    static: float = 0.0
    stribeck_speed: float = 0.0

    def __call__(self, speed: Floats) -> Floats:
        """Return the effort at speeds of any shape, rad/s or m/s."""
        coulomb = np.full(np.shape(speed), self.coulomb)
        if self.stribeck_speed > 0.0:
            more = self.static - self.coulomb
            coulomb += more * np.exp(-((speed / self.stribeck_speed) ** 2))
        found: Floats = coulomb * smooth_sign(speed) + self.viscous * speed + self.offset
        return found


def fit_friction(speed: Floats, effort: Floats, *, stribeck: bool = False) -> FrictionCurve:
    """Fit friction to efforts of one coordinate, robust against outliers.

    Args:
        speed: (n,) rad/s or m/s.
        effort: (n,) that overcomes friction, N m or N.
        stribeck: Whether Stribeck's effect is looked for.

    Raises:
        ArgumentError: too few samples that move.
    """
    moving = np.isfinite(speed) & np.isfinite(effort) & (np.abs(speed) > COULOMB_SPEED)
    if moving.sum() < _LEAST_SAMPLES:
        raise ArgumentError(
            f"not excited: {int(moving.sum())} samples move faster than {COULOMB_SPEED:g}; friction"
            f" needs {_LEAST_SAMPLES}: move the joint both ways"
        )
    v, y = speed[moving], effort[moving]
    largest = max(float(np.max(np.abs(y))), 1e-12)
    columns = np.stack([smooth_sign(v), v, np.ones_like(v)], axis=1)[:, None, :]
    much = largest * np.array([10.0, 10.0 / float(np.max(np.abs(v))), 10.0])
    fit = robust_fit(columns, y[:, None], np.ones((len(v), 1), bool), much)
    coulomb, viscous, offset = (float(x) for x in fit.change)
    curve = FrictionCurve(max(coulomb, 0.0), max(viscous, 0.0), offset, max(coulomb, 0.0))
    return _with_stribeck(curve, v, y) if stribeck else curve


def _with_stribeck(curve: FrictionCurve, v: Floats, y: Floats) -> FrictionCurve:
    """Return a curve with Stribeck's effect, where that explains more."""
    from scipy.optimize import least_squares  # it is slow to import

    scale = max(float(np.median(np.abs(y - curve(v)))), 1e-9 * float(np.max(np.abs(y))))
    fastest = float(np.max(np.abs(v)))

    def of(x: Floats) -> FrictionCurve:
        coulomb, viscous, more, speed = np.abs(x[:4]).tolist()
        return FrictionCurve(coulomb, viscous, float(x[4]), coulomb + more, max(speed, 1e-6))

    start = [curve.coulomb, curve.viscous, 0.3 * curve.coulomb + scale, 0.1 * fastest]
    found = least_squares(
        lambda x: (y - of(x)(v)) / scale,
        [*start, curve.offset],
        loss="soft_l1",
        x_scale=np.maximum(np.abs([*start, curve.offset]), 1e-3 * scale),
    )
    better = of(found.x)
    gained = np.mean((y - better(v)) ** 2) < 0.95 * np.mean((y - curve(v)) ** 2)
    believable = _SLOWEST < better.stribeck_speed < fastest
    return better if gained and believable else replace(curve, stribeck_speed=0.0)


def binned(speed: Floats, effort: Floats, bins: int = _BINS) -> tuple[Floats, Floats, Floats]:
    """Return mean speed, median effort and half the spread of efforts in up to `bins` bins.

    Args:
        speed: (n,) rad/s or m/s.
        effort: (n,) N m or N.
        bins: Equally filled ones.

    Returns:
        Three arrays (k,), speeds rising; the spread holds the middle two thirds.
    """
    there = np.isfinite(speed) & np.isfinite(effort)
    order = np.argsort(speed[there])
    v, y = speed[there][order], effort[there][order]
    parts = [x for x in np.array_split(np.arange(len(v)), bins) if len(x)]
    if not parts:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    rows = [
        (v[x].mean(), np.median(y[x]), 0.5 * np.subtract(*np.percentile(y[x], [83.3, 16.7])))
        for x in parts
    ]
    means, middles, spreads = np.array(rows).T
    return means, middles, spreads
