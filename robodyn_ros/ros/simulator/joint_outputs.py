"""A simulated state as `joint_states` and `multi_dof_joint_states`, as the state publisher has it.

Every coordinate that has a name of its own is one entry of a joint state (see `told_coordinates`),
mimic followers too; what turns freely is a pose with its twist.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.multi_slots import MultiSlot, multi_slots
from robodyn_ros.conditioning.told_coordinates import has_plain_rates, told_coordinates
from robodyn_ros.model import BaseMotion, Model, TreeJoint
from robodyn_ros.ros.cdr.template import Template
from robodyn_ros.ros.conversions import multi_dof_template
from robodyn_ros.spatial import quaternion_from_matrix

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

PRESCRIBED = "prescribed"
_POSE = 13
"""Numbers of one joint: position, quaternion, linear and angular velocity."""


class JointStateOutput:
    """Fills joint states from the coordinates of a model.

    Attributes:
        names: The entries, in order.
    """

    def __init__(self, model: Model, *, passive: bool) -> None:
        """Lay the message out.

        Args:
            model: The robot.
            passive: Whether coordinates that follow from others in a closed mechanism are entries.
        """
        told = [one for one in told_coordinates(model) if passive or not is_passive(model, one.v)]
        self._followers = [
            joint
            for _, joint in model.moving
            if joint.is_follower and joint.joint.nv == 1 and (passive or not model.is_closed)
        ]
        self.names = (*(one.name for one in told), *(joint.name for joint in self._followers))
        self._q: Indices = np.array([one.q for one in told], dtype=np.intp)
        self._v: Indices = np.array([one.v for one in told], dtype=np.intp)
        count, own = len(self.names), len(told)
        zeros = [0.0] * count
        message = JointState(name=[*self.names], position=zeros, velocity=zeros, effort=zeros)
        fields = ("position", "velocity", "effort")
        numbers = [
            (f"{field}[{k}]", row * count + k)
            for row, field in enumerate(fields)
            for k in range(count)
        ]
        self._template = Template(message, ("header.stamp",), numbers)
        self._numbers: Floats = np.zeros(3 * count)
        self._table: Floats = self._numbers.reshape(3, count)
        self._own = self._table[:, :own]
        self._follow = self._table[:, own:]

    def fill(self, stamp: int, q: Floats, v: Floats, effort: Floats) -> bytes:
        """Return the message of a state: q (nq,), v (nv,) and what motors exert (nv,), SI."""
        own = self._own
        own[0], own[1], own[2] = q[self._q], v[self._v], effort[self._v]
        for column, joint in enumerate(self._followers):
            self._follow[0, column] = joint.coordinates.position(q)[0]
            self._follow[1, column] = joint.coordinates.velocity(q, v)[0]
        return self._template.fill(stamp, self._numbers)

    def filled(self, stamp: int, table: Floats) -> bytes:
        """Return the message of positions, velocities and efforts (3, n) of `names`."""
        self._table[:] = table
        return self._template.fill(stamp, self._numbers)


class PoseOutput:
    """Fills multi-DOF joint states: the joints that no numbers with names of their own can give.

    Attributes:
        names: The joints, in order; empty where there is no such.
    """

    def __init__(self, model: Model, *, passive: bool) -> None:
        """Lay the message out; see `JointStateOutput`."""
        self._slots = [*_posed(model, passive=passive)]
        self.names = tuple(slot.name for slot in self._slots)
        self._template = multi_dof_template(self.names)
        self._numbers: Floats = np.zeros(_POSE * len(self._slots))
        self._rows = self._numbers.reshape(-1, _POSE)

    def fill(self, stamp: int, q: Floats, v: Floats, base: BaseMotion) -> bytes:
        """Return the message of a state: q (nq,), v (nv,) and the motion of a prescribed base."""
        for row, slot in zip(self._rows, self._slots, strict=True):
            if slot.type_name == PRESCRIBED:
                R, p = base.rotation, base.position
                w, u = base.angular_velocity, base.linear_velocity
            else:
                R, p = slot.joint.pose(q[slot.q])
                twist = slot.joint.motion_subspace(q[slot.q]) @ v[slot.v]
                w, u = R @ twist[:3], R @ twist[3:]
            row[:3], row[3:7], row[7:10], row[10:] = p, quaternion_from_matrix(R), u, w
        return self._template.fill(stamp, self._numbers)


def is_passive(model: Model, rate: int) -> bool:
    """Return whether a coordinate, by its entry of v, follows from others in a closed mechanism."""
    partition = model.closure.partition
    return partition is not None and rate in partition.dependent


def _posed(model: Model, *, passive: bool) -> Iterator[MultiSlot]:
    joints: dict[int, TreeJoint] = dict(model.moving)
    for slot in multi_slots(model):
        prescribed = slot.type_name == PRESCRIBED
        has_names = not prescribed and has_plain_rates(joints[slot.body].joint)
        if prescribed or (not has_names and (passive or not is_passive(model, slot.v.start))):
            yield slot
