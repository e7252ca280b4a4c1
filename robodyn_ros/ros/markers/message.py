"""One MarkerArray of a fixed list of markers, laid out once and filled as often as wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from builtin_interfaces.msg import Duration
from numpy.typing import NDArray
from rclpy.serialization import serialize_message
from visualization_msgs.msg import Marker, MarkerArray

from robodyn_ros.ros.cdr.template import Target, Template
from robodyn_ros.ros.conversions import set_time
from robodyn_ros.ros.markers.geometry import Bodies, Floats
from robodyn_ros.ros.markers.prototype import DELETE, DELETE_ALL, eraser

_SECOND = 1_000_000_000
Actions = NDArray[np.int32]


class Group(Protocol):
    """Markers that have the same fields filled."""

    @property
    def markers(self) -> Sequence[Marker]:
        """What does not change."""

    @property
    def fields(self) -> Sequence[str]:
        """Paths of the numbers of a marker that do."""

    def write(self, bodies: Bodies, numbers: Floats, actions: Actions) -> None:
        """Write the numbers (markers, fields) and the action (markers,) of every marker."""


class MarkerMessage:
    """The markers of some groups behind one that erases.

    The first marker belongs to no body and no namespace: it deletes all markers in the first
    message, and only itself, which is nothing, in those after it. So all have the same layout.
    """

    def __init__(self, groups: Sequence[Group], frame_id: str, lifetime: float) -> None:
        """Lay the message out.

        Args:
            groups: The markers.
            frame_id: The frame that they are given in.
            lifetime: How long viewers show them, s.
        """
        self._eraser = eraser()
        markers = [self._eraser, *(made for group in groups for made in group.markers)]
        seconds, nanoseconds = divmod(round(lifetime * _SECOND), _SECOND)
        for made in markers:
            made.header.frame_id = frame_id
            made.lifetime = Duration(sec=seconds, nanosec=nanoseconds)
        self._numbers = np.zeros(sum(len(group.markers) * len(group.fields) for group in groups))
        self._actions = np.zeros(len(markers), dtype=np.int32)
        self._actions[0] = DELETE_ALL
        self._parts: list[tuple[Group, Floats, Actions]] = []
        targets: list[Target] = []
        first = 1
        for group in groups:
            after, begin = first + len(group.markers), len(targets)
            paths = [f"markers[{i}].{field}" for i in range(first, after) for field in group.fields]
            targets += [(path, begin + k) for k, path in enumerate(paths)]
            numbers = self._numbers[begin : len(targets)].reshape(after - first, len(group.fields))
            self._parts.append((group, numbers, self._actions[first:after]))
            first = after
        self._template = Template(
            MarkerArray(markers=markers),
            [f"markers[{i}].header.stamp" for i in range(len(markers))],
            targets,
            [(f"markers[{i}].action", i) for i in range(len(markers))],
        )

    def fill(self, stamp: int, bodies: Bodies) -> bytes:
        """Return the message for the bodies at `stamp`, ns.

        Raises:
            ArgumentError: a stamp whose seconds do not fit 32 bits.
        """
        for group, numbers, actions in self._parts:
            group.write(bodies, numbers, actions)
        message = self._template.fill(stamp, self._numbers, self._actions)
        self._actions[0] = DELETE
        return message

    def clear(self, stamp: int) -> bytes:
        """Return a message that only deletes all markers, at `stamp`, ns."""
        set_time(self._eraser.header.stamp, stamp)
        return bytes(serialize_message(MarkerArray(markers=[self._eraser])))
