"""Spheres and ellipsoids that stand for bodies in pictures: as heavy, as hard to turn."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.elements import Body
from robodyn_ros.spatial import quaternion_from_matrix

Floats = NDArray[np.float64]

REACH = 1e6
"""What is farther from the world's origin or larger is not shown, m: viewers have 32-bit floats."""

SMALLEST = 1e-5
"""Spheres and ellipsoids smaller than this are left out, m."""

#: How far principal moments may miss the triangle inequality by rounding, and the share of the
#: largest semi-axis that a flat ellipsoid is given, so that no scale is zero.
_ROUNDING = 1e-9
_FLATTEST = 0.01


class Ellipsoid(NamedTuple):
    """Semi-axes (3,) in m, and the rotation (4,), xyzw, of its axes to the body's."""

    semi_axes: Floats
    quaternion: Floats


def sphere_diameter(mass: float, density: float) -> float:
    """Return the diameter in m of a sphere of `mass` kg and `density` kg/m^3."""
    return float(np.cbrt(6.0 * mass / (math.pi * density)))


def inertia_ellipsoid(body: Body) -> Ellipsoid | None:
    """Return the solid ellipsoid of uniform density with a body's mass and inertia.

    From principal moments I = m/5 (b^2 + c^2, ...): a^2 = 5/2 (Iy + Iz - Ix) / m. A semi-axis of
    zero (a rod, a plate) becomes a hundredth of the largest. None for a body without mass or
    inertia, one whose moments no distribution of mass has, and one too small or large to see.
    """
    if not body.mass > 0.0:
        return None
    with np.errstate(all="ignore"):
        moments, axes = np.linalg.eigh(0.5 * (body.inertia + body.inertia.T))
        squares = 2.5 * (moments.sum() - 2.0 * moments) / body.mass
    largest = float(squares.max())
    if not (SMALLEST**2 <= largest <= REACH**2) or squares.min() < -_ROUNDING * largest:
        return None
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    semi_axes = np.sqrt(np.maximum(squares, _FLATTEST**2 * largest))
    return Ellipsoid(semi_axes, quaternion_from_matrix(axes))
