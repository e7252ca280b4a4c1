"""Constraint elements and loops with the lengths and placements with which they hold somewhere.

What each one keeps is returned as a function of the poses of bodies, which knows nothing of the
equations that are tested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from mixed_trees import CASES
from robodyn_ros.expressions import parse
from robodyn_ros.joints import JointLimits
from robodyn_ros.model import ModelBuilder
from robodyn_ros.spatial import compose, invert, rotation_from_rpy

Pose = tuple[np.ndarray, np.ndarray]
Poses = Mapping[str, Pose]
Values = Mapping[str, np.ndarray]
Kept = Callable[[Poses, Values], np.ndarray]


class Loop(NamedTuple):
    """Where a loop's joint sits on its links, and its residual."""

    parent: str
    mount: Pose
    child: str
    seat: Pose
    kept: Kept


class Measure(NamedTuple):
    """What a formula adds to a constant: its text, and its value from coordinates by name."""

    text: str
    value: Callable[[Values], np.ndarray]


NOTHING = Measure("", lambda _: np.zeros(()))


class AddedElement:
    """Adds an element that holds in given poses, and returns how its residual is computed."""

    def __init__(
        self, builder: ModelBuilder, rng: np.random.Generator, name: str, first: str, second: str
    ) -> None:
        self.builder, self.name, self.first, self.second = builder, name, first, second
        self.points = rng.uniform(-0.5, 0.5, (2, 3))
        self.axes = rng.normal(size=(2, 3))
        self.axes /= np.linalg.norm(self.axes, axis=1)[:, None]

    def _ends(self, poses: Poses) -> tuple[np.ndarray, ...]:
        """Return both points, both directions, and the origin of body 1, in world axes."""
        (R_1, p_1), (R_2, p_2) = poses[self.first], poses[self.second]
        C_1, C_2 = p_1 + R_1 @ self.points[0], p_2 + R_2 @ self.points[1]
        return C_1, C_2, R_1 @ self.axes[0], R_2 @ self.axes[1], p_1

    def _kept(
        self, size: Callable[[Poses], np.ndarray], poses: Poses, values: Values, more: Measure
    ) -> tuple[object, Kept]:
        """Return the measure with which `size` is kept in given poses, and the residual."""
        length = float(size(poses) - more.value(values))
        measure = parse(f"{length!r}{more.text}") if more.text else length
        return measure, lambda p, q: (size(p) - length - more.value(q))[..., None]

    def rod(self, poses: Poses, values: Values, more: Measure) -> Kept:
        """Keep the distance of two points."""

        def size(at: Poses) -> np.ndarray:
            C_1, C_2, *_ = self._ends(at)
            return np.linalg.norm(C_2 - C_1, axis=-1)

        measure, kept = self._kept(size, poses, values, more)
        self.builder.add_rod(
            self.name, self.first, self.points[0], self.second, self.points[1], measure
        )
        return kept

    def point_on_plane(self, poses: Poses, values: Values, more: Measure) -> Kept:
        """Keep the distance of a point from a plane."""

        def size(at: Poses) -> np.ndarray:
            _, C_2, n, _, origin = self._ends(at)
            return np.einsum("...i,...i", n, C_2 - origin)

        measure, kept = self._kept(size, poses, values, more)
        self.builder.add_point_on_plane(
            self.name, self.first, 3.0 * self.axes[0], measure, self.second, self.points[1]
        )
        return kept

    def point_on_cylinder(self, poses: Poses, values: Values, more: Measure) -> Kept:
        """Keep the distance of a point from a line."""

        def size(at: Poses) -> np.ndarray:
            C_1, C_2, n, *_ = self._ends(at)
            return np.linalg.norm(np.cross(n, C_2 - C_1), axis=-1)

        measure, kept = self._kept(size, poses, values, more)
        line = (self.points[0], 2.0 * self.axes[0])
        self.builder.add_point_on_cylinder(
            self.name, self.first, *line, self.second, self.points[1], measure
        )
        return kept

    def skew_axes(self, poses: Poses, values: Values, more: Measure) -> Kept:
        """Keep the signed distance of two lines."""

        def size(at: Poses) -> np.ndarray:
            C_1, C_2, n_1, n_2, _ = self._ends(at)
            across = np.cross(n_1, n_2)
            return np.einsum("...i,...i", C_2 - C_1, across) / np.linalg.norm(across, axis=-1)

        measure, kept = self._kept(size, poses, values, more)
        lines = (self.first, self.points[0], self.axes[0]), (self.points[1], self.axes[1])
        self.builder.add_skew_axes(self.name, *lines[0], self.second, *lines[1], measure)
        return kept


def added_loop(
    builder: ModelBuilder,
    rng: np.random.Generator,
    name: str,
    case: str,
    parent: str,
    child: str,
    poses: Poses,
) -> tuple[np.ndarray, Loop]:
    """Add a loop of a joint that holds in given poses; return its coordinates, and the loop.

    Its successor frame is where it must be in the child, or its predecessor frame in the parent.
    """
    joint = CASES[case]
    z = joint.random(rng, (JointLimits(),) * joint.nv)
    if joint.quaternion_start is None:
        z = 0.6 * z
    mount = rotation_from_rpy(rng.uniform(-np.pi, np.pi, 3)), rng.uniform(-0.5, 0.5, 3)
    seat: Pose = (np.eye(3), np.zeros(3))
    if rng.integers(2):
        seat = compose(invert(poses[child]), compose(compose(poses[parent], mount), joint.pose(z)))
    else:
        mount = compose(compose(invert(poses[parent]), poses[child]), invert(joint.pose(z)))
    builder.add_loop(
        name,
        joint,
        parent,
        child,
        rotation=mount[0],
        position=mount[1],
        child_rotation=seat[0],
        child_position=seat[1],
        armature=rng.uniform(0.0, 0.2, joint.nv),
        damping=rng.uniform(0.0, 0.2, joint.nv),
        friction=rng.uniform(0.0, 0.2, joint.nv),
    )

    def kept(at: Poses, values: Values) -> np.ndarray:
        local = values.get(name, np.zeros(0))
        copy = compose(compose(at[parent], mount), compose(joint.pose(local), invert(seat)))
        R = np.swapaxes(copy[0], -1, -2) @ at[child][0]
        turn = Rotation.from_matrix(R.reshape(-1, 3, 3)).as_quat(canonical=True)
        offset = np.einsum("...ji,...j", copy[0], at[child][1] - copy[1])
        return np.concatenate([2.0 * turn[:, :3].reshape(offset.shape), offset], axis=-1)

    return z, Loop(parent, mount, child, seat, kept)
