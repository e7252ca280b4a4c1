"""Arrays to messages and times to integers.

The messages that go out at the rate of joint states are templates, made once: filling in the
numbers costs a few microseconds, building a message and converting it a hundred.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Transform, TransformStamped, Twist
from numpy.typing import NDArray
from robodyn_interfaces.msg import BodyState, BodyStateArray, MarkerState, MarkerStateArray
from sensor_msgs.msg import MultiDOFJointState

from robodyn_ros.conditioning.frames import Poses
from robodyn_ros.conditioning.state_step import BODY_SIZE, MARKER_SIZE, POSE_SIZE
from robodyn_ros.model import Model
from robodyn_ros.ros.cdr.template import Target, Template
from tf2_msgs.msg import TFMessage

Floats = NDArray[np.float64]

_SECOND = 1_000_000_000
LAST_STAMP = (1 << 31) * _SECOND - 1
"""Latest time, ns, that a message can carry: seconds have 32 bits. What comes with more than a
second of nanoseconds may say a later one, and is taken for this."""
_XYZ = ("x", "y", "z")
_POSE = (*(f"translation.{x}" for x in _XYZ), *(f"rotation.{x}" for x in (*_XYZ, "w")))
_BODY = (
    *(f"pose.position.{x}" for x in _XYZ),
    *(f"pose.orientation.{x}" for x in (*_XYZ, "w")),
    *(
        f"{vector}.{x}"
        for vector in (
            "twist.linear",
            "twist.angular",
            "acceleration.linear",
            "acceleration.angular",
            "center_of_mass",
            "center_of_mass_velocity",
            "center_of_mass_acceleration",
        )
        for x in _XYZ
    ),
)
"""Fields of a body in the order of `state_step.BODY_SIZE`."""
_MARKER = tuple(f"{vector}.{x}" for vector in ("value", "rate", "acceleration") for x in _XYZ)
"""Fields of a marker in the order of `state_step.MARKER_SIZE`."""
_KINDS = {"position": MarkerState.POSITION, "direction": MarkerState.DIRECTION}


def nanoseconds(time: Time) -> int:
    """Return a stamp in ns, `LAST_STAMP` at most."""
    return min(int(time.sec) * _SECOND + int(time.nanosec), LAST_STAMP)


def set_time(time: Time, stamp: int) -> None:
    """Write a stamp in ns."""
    time.sec, time.nanosec = divmod(stamp, _SECOND)


def transform_template(pairs: Sequence[tuple[str, str]], bodies: Sequence[int]) -> Template:
    """Return a TFMessage to be filled with the flattened poses (nb * 7,) of all bodies.

    Args:
        pairs: Parent and child frame of each transform.
        bodies: The body that gives each its pose.
    """
    message = TFMessage(transforms=[_transform(*pair) for pair in pairs])
    numbers = [
        (f"transforms[{i}].transform.{field}", POSE_SIZE * int(body) + k)
        for i, body in enumerate(bodies)
        for k, field in enumerate(_POSE)
    ]
    return Template(message, [f"transforms[{i}].header.stamp" for i in range(len(pairs))], numbers)


def static_transforms(pairs: Sequence[tuple[str, str]], poses: Poses, stamp: int) -> TFMessage:
    """Return a TFMessage with the poses of children in their parents and one stamp, ns."""
    message = TFMessage(transforms=[_transform(*pair) for pair in pairs])
    rows = zip(message.transforms, poses.position.tolist(), poses.quaternion.tolist(), strict=True)
    for item, position, quaternion in rows:
        set_time(item.header.stamp, stamp)
        move, turn = item.transform.translation, item.transform.rotation
        move.x, move.y, move.z = position
        turn.x, turn.y, turn.z, turn.w = quaternion
    return message


def multi_dof_template(names: Sequence[str]) -> Template:
    """Return a MultiDOFJointState to be filled with 13 numbers a joint.

    They are position (m), quaternion (xyzw), linear (m/s) and angular velocity (rad/s), in the axes
    of the parent's joint frame.
    """
    message = MultiDOFJointState(
        joint_names=list(names),
        transforms=[Transform() for _ in names],
        twist=[Twist() for _ in names],
    )
    fields = [
        *(f"transforms[{{}}].{field}" for field in _POSE),
        *(f"twist[{{}}].{vector}.{x}" for vector in ("linear", "angular") for x in _XYZ),
    ]
    numbers = [
        (field.format(i), len(fields) * i + k)
        for i in range(len(names))
        for k, field in enumerate(fields)
    ]
    return Template(message, ("header.stamp",), numbers)


def multi_dof_joint_state(
    names: Sequence[str], poses: Sequence[tuple[Floats, Floats, Floats, Floats]], stamp: int
) -> MultiDOFJointState:
    """Return a MultiDOFJointState with poses and twists.

    Args:
        names: Names of the joints.
        poses: Of each position (3,) m, quaternion (4,) xyzw, angular (3,) rad/s and linear (3,) m/s
            velocity, in the axes of the parent's joint frame.
        stamp: Time, ns.
    """
    message = MultiDOFJointState(joint_names=list(names))
    set_time(message.header.stamp, stamp)
    for position, quaternion, angular, linear in poses:
        transform, twist = Transform(), Twist()
        move, turn = transform.translation, transform.rotation
        move.x, move.y, move.z = position.tolist()
        turn.x, turn.y, turn.z, turn.w = quaternion.tolist()
        twist.angular.x, twist.angular.y, twist.angular.z = angular.tolist()
        twist.linear.x, twist.linear.y, twist.linear.z = linear.tolist()
        message.transforms.append(transform)
        message.twist.append(twist)
    return message


def _transform(parent: str, child: str) -> TransformStamped:
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    return message


def body_state_template(
    names: Sequence[str], frame_id: str, shown: Iterable[int] | None = None
) -> Template:
    """Return a BodyStateArray to be filled with the bodies' motion (nb * 28,) and ages (nb,).

    The flags are the bodies' validity (nb,).

    Args:
        names: Names of the bodies.
        frame_id: Frame that the motion is given in.
        shown: Numbers of the bodies that are in the message, ascending; by default all.
    """
    bodies = list(range(len(names)) if shown is None else map(int, shown))
    message = BodyStateArray(bodies=[BodyState(name=names[body]) for body in bodies])
    message.header.frame_id = frame_id
    motion: list[Target] = [
        (f"bodies[{i}].{field}", BODY_SIZE * body + k)
        for i, body in enumerate(bodies)
        for k, field in enumerate(_BODY)
    ]
    ages = [(f"bodies[{i}].age", BODY_SIZE * len(names) + k) for i, k in enumerate(bodies)]
    flags = [(f"bodies[{i}].valid", body) for i, body in enumerate(bodies)]
    return Template(message, ("header.stamp",), [*motion, *ages], flags)


def marker_state_template(model: Model, frame_id: str) -> Template:
    """Return a MarkerStateArray to be filled with the markers' motion (n * 9,).

    The flags are the markers' validity (n,).

    Args:
        model: The robot whose markers they are.
        frame_id: Frame that the motion is given in.
    """
    states = [
        MarkerState(name=x.name, body=model.body_names[x.body], kind=_KINDS[x.kind])
        for x in model.markers
    ]
    message = MarkerStateArray(markers=states)
    message.header.frame_id = frame_id
    markers = range(len(states))
    motion = [
        (f"markers[{i}].{field}", MARKER_SIZE * i + k)
        for i in markers
        for k, field in enumerate(_MARKER)
    ]
    return Template(
        message, ("header.stamp",), motion, [(f"markers[{i}].valid", i) for i in markers]
    )
