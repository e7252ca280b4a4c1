"""Estimated wrenches as messages, laid out once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from geometry_msgs.msg import WrenchStamped
from numpy.typing import NDArray
from robodyn_interfaces.msg import ExternalWrenchEstimate

from robodyn_ros.ros.cdr.template import Target, Template
from robodyn_ros.ros.wrench_estimator import Estimated, WrenchEstimator

Floats = NDArray[np.float64]

_FIELDS = tuple(f"{part}.{axis}" for part in ("torque", "force") for axis in "xyz")
"""Fields of a Wrench in the order of [moment; force]."""


class WrenchMessages:
    """The messages of the frames of one robot."""

    def __init__(
        self, names: Sequence[str], frames: Sequence[str], prefix: str, world_frame: str
    ) -> None:
        """Lay them out.

        Args:
            names: Names of the coordinates.
            frames: Names of the frames in the model.
            prefix: What published names of them begin with.
            world_frame: Published name of the frame that states of bodies are given in.
        """
        published = [prefix + frame for frame in frames]
        self._in_world = [_estimate(names, frame, world_frame, world_frame) for frame in published]
        self._in_frame = [_estimate(names, frame, frame, world_frame) for frame in published]
        self._plain = [_wrench(frame) for frame in published]
        self._numbers: Floats = np.zeros(7 + len(names))
        self._flags: NDArray[np.int32] = np.zeros(3 + 2 * len(names), dtype=np.int32)

    def estimate(
        self, k: int, stamp: int, found: Estimated, of: WrenchEstimator, *, in_frame: bool
    ) -> bytes:
        """Return the message of frame `k` at a stamp in ns."""
        estimate = found.own if in_frame else found.world
        known = of.known
        rest = estimate.unexplained[known]
        count = len(known)
        numbers, flags = self._numbers, self._flags
        numbers[:6] = estimate.wrench
        numbers[6] = np.sqrt(np.mean(rest * rest)) if len(rest) else 0.0
        numbers[7:] = of.effort
        flags[0] = len(estimate.unseen)
        flags[1], flags[2] = of.in_contact, found.valid
        flags[3 : 3 + count], flags[3 + count :] = known, of.touched
        templates = self._in_frame if in_frame else self._in_world
        return templates[k].fill(stamp, numbers, flags)

    def wrench(self, k: int, stamp: int, found: Estimated) -> bytes:
        """Return the WrenchStamped of frame `k`, in its axes, at a stamp in ns."""
        return self._plain[k].fill(stamp, found.own.wrench)


def _estimate(names: Sequence[str], frame: str, axes: str, world_frame: str) -> Template:
    count = len(names)
    message = ExternalWrenchEstimate(
        frame=frame,
        names=list(names),
        effort=[0.0] * count,
        known=[False] * count,
        touched=[False] * count,
    )
    message.header.frame_id = world_frame
    message.wrench.header.frame_id = axes
    numbers: list[Target] = [(f"wrench.wrench.{field}", k) for k, field in enumerate(_FIELDS)]
    numbers.append(("unexplained", 6))
    numbers += [(f"effort[{k}]", 7 + k) for k in range(count)]
    flags: list[Target] = [("unobservable", 0), ("contact", 1), ("valid", 2)]
    flags += [(f"known[{k}]", 3 + k) for k in range(count)]
    flags += [(f"touched[{k}]", 3 + count + k) for k in range(count)]
    return Template(message, ("header.stamp", "wrench.header.stamp"), numbers, flags)


def _wrench(frame: str) -> Template:
    message = WrenchStamped()
    message.header.frame_id = frame
    return Template(message, numbers=[(f"wrench.{x}", k) for k, x in enumerate(_FIELDS)])
