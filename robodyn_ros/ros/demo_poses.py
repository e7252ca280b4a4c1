"""Smooth motions of the joints that only whole poses move: those that turn freely, moving bases.

A rotation vector of sines (see `demo_motion`) turns such a joint about all axes, by less than half
a turn, where it has no singularity; sliders swing beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.multi_slots import MultiSlot, multi_slots
from robodyn_ros.conditioning.one_frame import cross, matrix, turned_by
from robodyn_ros.conditioning.rotation_curve import turning_rates
from robodyn_ros.conditioning.told_coordinates import has_plain_rates
from robodyn_ros.joints import Floating, Joint, JointLimits
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.ros.demo_motion import FREE_TILT, Tempo, Waves, free_range, interval

Floats = NDArray[np.float64]

_TURNS = ("rx", "ry", "rz")
_MOST = math.sqrt(3.0)
"""How much longer a vector may be than each of its three numbers."""


class JointPose(NamedTuple):
    """Where a joint is: of its child frame in its parent's joint frame, and how that changes.

    Position m, quaternion xyzw, angular and linear velocity in the parent's axes, rad/s and m/s.
    """

    position: Floats
    quaternion: Floats
    angular: Floats
    linear: Floats


class PoseMotion:
    """A motion of all joints that multi-DOF joint states alone can move.

    Attributes:
        names: The joints.
    """

    def __init__(
        self, model: Model, *, amplitude: float, period: float, seed: int, move_base: bool = True
    ) -> None:
        """Plan the motion.

        Args:
            model: The robot.
            amplitude: Share of each range that is used, 0 to 1.
            period: Seconds of the slowest swing.
            seed: Seed of the phases.
            move_base: Whether a floating or prescribed base is moved too.

        Raises:
            ArgumentError: the amplitude or the period is out of range.
        """
        tempo = Tempo(amplitude, period)
        found = [*_free(model, move_base=move_base)]
        self.names = tuple(slot.name for slot, _ in found)
        self._joints = [
            _FreeJoint(slot, own, tempo, [seed, place])
            for place, (slot, own) in enumerate(found, start=1)
        ]

    def at(self, time: float) -> list[JointPose]:
        """Return the joints' poses at `time` (s)."""
        return [joint.at(time) for joint in self._joints]


def _free(model: Model, *, move_base: bool) -> Iterator[tuple[MultiSlot, TreeJoint]]:
    """Yield the joints that are moved, as input knows them and as the model does."""
    joints = dict(model.moving)
    for slot in multi_slots(model):
        joint = joints[slot.body]
        if slot.body == 1 and model.base != "fixed":
            if move_base:
                yield slot, joint
        elif not (has_plain_rates(slot.joint) or joint.is_follower or _is_passive(model, slot)):
            yield slot, joint


def _is_passive(model: Model, slot: MultiSlot) -> bool:
    """Return whether a joint follows from others of a closed mechanism."""
    partition = model.closure.partition
    return partition is not None and slot.v.start in partition.dependent


class _FreeJoint:
    """One of them: its coordinates by sines, and the pose and rates that they are."""

    def __init__(self, slot: MultiSlot, own: TreeJoint, tempo: Tempo, seed: list[int]) -> None:
        prescribed = slot.type_name == "prescribed"
        joint: Joint = Floating() if prescribed else slot.joint
        limits = (JointLimits(),) * joint.nv if prescribed else own.rate_limits
        turning = [k for k, axis in enumerate(joint.axes) if axis in _TURNS]
        sliding = [k for k in range(joint.nv) if k not in turning]
        inner, outer = getattr(joint, "inner", ()), getattr(joint, "outer", ())
        if not (inner or outer):
            inner = np.eye(3)[: len(sliding)]  # a floating base slides along x, y, z
        self._inner = np.array(inner).reshape(-1, 3)
        self._outer = np.array(outer).reshape(-1, 3)
        ranges = [(-FREE_TILT, FREE_TILT)] * len(turning)
        ranges += [interval(limits[k], free_range(joint, turns=False)) for k in sliding]
        # Rates are in other axes than the numbers that swing: each is held to all of its kind.
        speeds = [
            min((limits[k].velocity or math.inf) for k in kind) / _MOST
            for kind in (turning, sliding)
            for _ in kind
        ]
        self._waves = Waves(tempo, ranges, speeds, seed)

    def at(self, time: float) -> JointPose:
        """Return its pose: the child slides along inner axes, and against outer ones, its own."""
        sample, inside = self._waves.at(time), 3 + len(self._inner)
        r, quaternion = sample.position[:3], turned_by(sample.position[:3])
        w, _ = turning_rates(r, sample.velocity[:3], sample.acceleration[:3])
        position = sample.position[3:inside] @ self._inner
        linear = sample.velocity[3:inside] @ self._inner
        if len(self._outer):
            R_FM = matrix(quaternion)
            away = R_FM @ (sample.position[inside:] @ self._outer)
            position = position - away
            linear = linear - R_FM @ (sample.velocity[inside:] @ self._outer) - cross(w, away)
        return JointPose(position, quaternion, w, linear)
