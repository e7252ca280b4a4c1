"""One joint state, from samples to the motion of all bodies, as one function that is compiled.

Everything that the state path computes at a message's rate is here, so that one call of a kernel
does it: conditioning of the joints, coordinates of the model, poses of bodies in their parents, and
pose, velocity and acceleration of every body, its centre of mass, and of every marker: seen from
the world, or from a frame at rest in it, which is a constant of the function.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros import algorithms
from robodyn_ros.conditioning.closed_step import CLOSURE, closed_motion, independent_slots
from robodyn_ros.conditioning.conditioner import ROWS, Control, Samples, condition, shown
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.kernels.scalar import greater, where
from robodyn_ros.kernels.signature import Port, Signature
from robodyn_ros.model import Model
from robodyn_ros.robot.catalogue import Operation, environment_of
from robodyn_ros.robot.run_time import BASE_MOTION_SIZE
from robodyn_ros.spatial import Array, joined, quaternion_from_matrix

NAME = "state_step"
BODY_SIZE = 28
"""Numbers of one body, in the order of `robodyn_interfaces/BodyState`: position, quaternion xyzw,
linear and angular velocity, linear and angular acceleration, position, velocity and acceleration of
the centre of mass."""
POSE_SIZE = 7
"""Position and quaternion xyzw."""
MARKER_SIZE = 9
"""Numbers of one marker: value, rate, acceleration, as in `robodyn_interfaces/MarkerState`."""


def wrapping(model: Model) -> NDArray[np.float64]:
    """Return (n,) 1.0 for those of the `told_coordinates` that turn without end."""
    return np.array([float(told.turns_endlessly) for told in told_coordinates(model)])


def operation_name(name: str, frame: str) -> str:
    """Return the name of an operation whose motion is seen from a frame, "" for the world."""
    return f"{name}:{frame}" if frame else name


def state_step(model: Model, frame: str = "") -> Operation:
    """Return the operation of a model; motion is seen from a frame of it, "" for the world.

    Inputs: q (nq,), v (nv,), a (nv,) of the coordinates that joint states did not give; for a
    prescribed base its motion (24,); memory (ROWS, n); samples (4, n) as in `Samples`; control (5,)
    as in `Control`. Outputs: memory; tally (2,): alarms and unsettled joints; q, v, a of the whole
    model; of a closed mechanism `CLOSURE` (4,); relative (nb, 7): poses of bodies in their parent
    bodies; bodies (nb, 28); and of a model with markers these, (markers, 9).

    Of a closed mechanism joint states give the independent coordinates of its partition only. The
    others follow from them; the entries of q are where these were last.
    """
    n = len(told_coordinates(model))
    coordinates: tuple[Port, ...] = (("q", (model.nq,)), ("v", (model.nv,)), ("a", (model.nv,)))
    base: tuple[Port, ...] = ()
    if model.base == "prescribed":
        base = (("base_motion", (BASE_MOTION_SIZE,)),)
    memory: Port = ("memory", (ROWS, n))
    inputs = (
        *coordinates,
        *base,
        memory,
        ("samples", (len(Samples._fields), n)),
        ("control", (len(Control._fields),)),
    )
    outputs = (
        memory,
        ("tally", (2,)),
        *coordinates,
        *((("closure", (len(CLOSURE),)),) if model.is_closed else ()),
        ("relative", (model.nb, POSE_SIZE)),
        ("bodies", (model.nb, BODY_SIZE)),
        *marker_ports(model),
    )
    signature = Signature(operation_name(NAME, frame), inputs, outputs)
    return Operation(signature, partial(_evaluate, model, frame))


def evaluate_of(model: Model, name: str) -> Callable[..., tuple[Array, ...]]:
    """Return the plain function of an operation; what a compiling process asks for."""
    kind, _, frame = name.partition(":")
    if kind != NAME:
        raise UnknownNameError.among("operation", name, (NAME,))
    return state_step(model, frame).evaluate


def _evaluate(
    model: Model, frame: str, q: Array, v: Array, a: Array, *rest: Array
) -> tuple[Array, ...]:
    *base, memory, samples, control = rest
    joints = joints_step(model, q, v, a, memory, samples, control)
    blocks = motion_blocks(model, joints.q, joints.v, joints.a, tuple(base), frame)
    return (*joints, relative_block(model, joints.q, tuple(base)), *blocks)


class JointsStep(NamedTuple):
    """The first outputs of `state_step`: what is done to the joints."""

    memory: Array
    tally: Array
    q: Array
    v: Array
    a: Array


class ClosedJointsStep(NamedTuple):
    """The same of a closed mechanism, and what is told of its closure: see `CLOSURE`."""

    memory: Array
    tally: Array
    q: Array
    v: Array
    a: Array
    closure: Array


def joints_step(
    model: Model, q: Array, v: Array, a: Array, memory: Array, samples: Array, control: Array
) -> JointsStep | ClosedJointsStep:
    """Condition one message's samples and put the joints into the model's coordinates."""
    conditioned = condition(memory, Samples(*samples), Control(*control), wrapping(model))
    state = shown(conditioned.memory)
    told = told_coordinates(model)
    slots = independent_slots(model) if model.is_closed else list(range(len(told)))
    shared = [entry for entry, slot in enumerate(slots) if model.is_closed or told[slot].is_shared]
    given = greater(state.received[[slots[entry] for entry in shared]], 0.5)

    def replaced(values: Array, index: list[int], entries: Array) -> Array:
        """Put the entries in; what something else gives too, only once it was received."""
        result = values.copy()
        entries = entries[slots]
        if shared:
            entries[shared] = where(given, entries[shared], values[index][shared])
        result[index] = entries
        return result

    q_index, v_index = [told[slot].q for slot in slots], [told[slot].v for slot in slots]
    joints = JointsStep(
        conditioned.memory,
        np.stack([conditioned.alarms, conditioned.unsettled]),
        replaced(q, q_index, state.position),
        replaced(v, v_index, state.velocity),
        replaced(a, v_index, conditioned.acceleration),
    )
    if not model.is_closed:
        return joints
    motion = closed_motion(model, joints.q, joints.v, joints.a)
    return ClosedJointsStep(joints.memory, joints.tally, *motion)


def relative_block(model: Model, q: Array, base: tuple[Array, ...]) -> Array:
    """Return (nb, 7): poses of bodies in their parent bodies, see `POSE_SIZE`."""
    rotation, position = algorithms.relative_poses(model, q, environment=environment_of(base))
    return joined(position, quaternion_from_matrix(rotation))


def marker_ports(model: Model) -> tuple[Port, ...]:
    """Return the output that a model with markers has; nothing for others."""
    return (("markers", (len(model.markers), MARKER_SIZE)),) if model.markers else ()


def motion_blocks(
    model: Model, q: Array, v: Array, a: Array, base: tuple[Array, ...], frame: str = ""
) -> tuple[Array, ...]:
    """Return (nb, 28), the motion of all bodies, and of a model with markers theirs, (n, 9).

    See `BODY_SIZE` and `MARKER_SIZE` for the columns. All is relative to a frame of the model that
    is fixed in the world, and in its axes; "" for the world itself.
    """
    motion = algorithms.body_motion(model, q, v, a, environment=environment_of(base))
    if frame:
        motion = algorithms.seen_from(model, frame, motion)
    centers = algorithms.centers_of(model, motion)
    bodies = joined(
        motion.position,
        quaternion_from_matrix(motion.rotation),
        motion.linear_velocity,
        motion.angular_velocity,
        motion.linear_acceleration,
        motion.angular_acceleration,
        centers.position,
        centers.velocity,
        centers.acceleration,
    )
    if not model.markers:
        return (bodies,)
    return bodies, joined(*algorithms.markers_of(model, motion))
