"""External wrenches of a request, by frame, in the frame's own axes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros.services.subject import Known

Floats = NDArray[np.float64]


def wrenches_of(known: Known, messages: Iterable[Any]) -> dict[str, Floats] | None:
    """Return [moment; force] (6,) by frame, several at one frame added up; None for none.

    Raises:
        UnknownNameError: no such frame.
        ArgumentError: no frame, or a number that is not finite.
    """
    found: dict[str, Floats] = {}
    for number, message in enumerate(messages):
        frame, wrench = wrench_of(known, message, f"external_wrenches[{number}]")
        found[frame] = found[frame] + wrench if frame in found else wrench
    return found or None


def wrench_of(known: Known, message: Any, what: str) -> tuple[str, Floats]:
    """Return the frame of a geometry_msgs/WrenchStamped, and [moment; force] (6,).

    Args:
        known: The robot's names.
        message: The message.
        what: How it is called where it is refused.

    Raises:
        UnknownNameError: no such frame.
        ArgumentError: no frame, or a number that is not finite.
    """
    frame = known.frame(message.header.frame_id, f"{what}.header.frame_id")
    moment, force = message.wrench.torque, message.wrench.force
    wrench = np.array([moment.x, moment.y, moment.z, force.x, force.y, force.z])
    if not np.isfinite(wrench).all():
        raise ArgumentError(
            f"{what} at frame {quoted(frame)} has a force or torque that is not finite; give"
            " finite numbers"
        )
    return frame, wrench
