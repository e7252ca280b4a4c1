"""Motion in a plane: two translations and the rotation about the normal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.axis import Axis, AxisJoint, axis_parameter
from robodyn_ros.spatial import (
    Array,
    angle_about,
    apply,
    axis_alignment,
    axis_rotation,
    cross,
    joined,
    skew,
    transpose,
)


@dataclass(frozen=True)
class Planar(AxisJoint):
    """q = (x, y, theta), v = dq/dt: move by x, y in the plane normal to `axis`, then turn about it.

    The plane's x and y are F's, turned by the smallest rotation that takes z onto the axis.
    """

    axis: Axis = (0.0, 0.0, 1.0)
    parameters = (
        axis_parameter((0.0, 0.0, 1.0), "normal of the plane, the same in both frames' axes"),
    )
    type_name = "planar"
    nq = 3
    nv = 3
    axes = ("x", "y", "rz")

    def _plane(self) -> NDArray[np.float64]:
        """Return the plane's x and y in F's axes as the columns of a (3, 2) matrix."""
        return axis_alignment(np.array(self.axis))[:, :2]

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the rotation about the normal and the translation in the plane."""
        return axis_rotation(np.array(self.axis), q[..., 2]), apply(self._plane(), q[..., :2])

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the place in the plane and the angle about its normal."""
        return joined(p_FM @ self._plane(), angle_about(R_FM, np.array(self.axis))[..., None])

    def motion_subspace(self, q: Array) -> Array:
        """Return S (..., 6, 3): the sliding directions turn backwards in M's axes."""
        sliding = self._sliding(q)
        normal = np.array(self.axis)[:, None]
        angular = joined(np.zeros((3, 2)), normal)
        return joined(angular, joined(sliding, np.zeros((3, 1))), axis=-2)

    def bias(self, q: Array, v: Array) -> Array:
        """Return c (..., 6) = [0; -omega x (sliding velocity)], in M's axes."""
        turn = np.array(self.axis) * v[..., 2:]
        sliding = apply(self._sliding(q), v[..., :2])
        linear = cross(sliding, turn)
        return joined(np.zeros(3), linear)

    def subspace_derivative(self, q: Array) -> Array:
        """Return D (..., 6, 3, 3): turning by theta turns the sliding directions backwards."""
        turned = self._against_turn(self._sliding(q))
        zero = np.zeros((3, 3, 3))
        along_theta = joined(turned, np.zeros((3, 1)))[..., None]
        return joined(zero, joined(np.zeros((3, 3, 2)), along_theta), axis=-3)

    def bias_derivatives(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return dc/dq and dc/dv, both (..., 6, 3)."""
        axis = np.array(self.axis)
        directions = self._sliding(q)
        turned = self._against_turn(directions)
        # omega x b for b in the plane is theta' times the axis x b.
        zero = np.zeros((3, 2))
        rate = v[..., 2:]
        across = apply(turned, v[..., :2])
        dq = joined(zero, (cross(across, axis) * rate)[..., None])
        dv = joined(turned * rate[..., None], across[..., None])
        return joined(np.zeros((3, 3)), dq, axis=-2), joined(np.zeros((3, 3)), dv, axis=-2)

    def _sliding(self, q: Array) -> Array:
        """Return the plane's two directions (..., 3, 2) in M's axes."""
        directions: Array = transpose(axis_rotation(np.array(self.axis), q[..., 2])) @ self._plane()
        return directions

    def _against_turn(self, columns: Array) -> Array:
        """Return columns (..., 3, n) turned back by a right angle: -axis x column."""
        turned: Array = -skew(np.array(self.axis)) @ columns
        return turned

    def reaches(self) -> tuple[float, ...]:
        """Return 1 m along x and y, and half a turn."""
        return (1.0, 1.0, np.pi)
