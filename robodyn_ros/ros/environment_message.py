"""An Environment message as what a robot takes, checked: it may come from anybody."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model, Payload
from robodyn_ros.robot.payloads import payload
from robodyn_ros.ros.environment_parameters import GRAVITY

Floats = NDArray[np.float64]


class Told(NamedTuple):
    """What a message says.

    Attributes:
        gravity: (3,) world axes, m/s^2.
        payloads: What the robot carries.
        compensated: Whether its driver compensates gravity.
    """

    gravity: Floats
    payloads: tuple[Payload, ...]
    compensated: bool


def environment_told(message: Any, model: Model, world_frame: str, prefix: str) -> Told:
    """Return what a robodyn_interfaces/Environment says of a robot.

    Args:
        message: The message.
        model: The robot.
        world_frame: Frame whose axes vectors of the world have here.
        prefix: What the published name of every frame begins with; a payload's frame may have it.

    Raises:
        ArgumentError: a value that cannot be, or another world; nothing of the message is to be
            used.
        UnknownNameError: a payload sits on a frame that the robot does not have.
    """
    frame = message.header.frame_id
    if frame != world_frame:
        raise ArgumentError(
            f"its frame_id is {quoted(frame)}, but the world is {quoted(world_frame)} here: start"
            " both nodes with the same description, base, frame_prefix and world_frame"
        )
    gravity = [message.gravity.x, message.gravity.y, message.gravity.z]
    if trouble := GRAVITY.problem(gravity):
        raise ArgumentError(trouble)
    payloads: dict[str, Payload] = {}
    for item in message.payloads:
        load = _payload(item, model, prefix)
        if load.name in payloads:
            raise ArgumentError(f"two payloads are called {quoted(load.name)}")
        payloads[load.name] = load
    compensated = bool(message.driver_compensates_gravity)
    return Told(np.array(gravity), tuple(payloads.values()), compensated)


def _payload(item: Any, model: Model, prefix: str) -> Payload:
    frame = str(item.frame_id)
    if frame not in model.frames and prefix and frame.startswith(prefix):
        frame = frame.removeprefix(prefix)
    com, about = item.com, item.inertia
    inertia = [
        [about.ixx, about.ixy, about.ixz],
        [about.ixy, about.iyy, about.iyz],
        [about.ixz, about.iyz, about.izz],
    ]
    name = item.name or frame
    return payload(model, frame, item.mass, [com.x, com.y, com.z], inertia, name)
