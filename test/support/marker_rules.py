"""What holds for every marker message, whatever the robot does."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from rclpy.serialization import deserialize_message
from visualization_msgs.msg import Marker, MarkerArray

Key = tuple[str, int]
LINES = (Marker.LINE_LIST, Marker.LINE_STRIP)


def decoded(data: bytes) -> list[Marker]:
    """Return the markers of a message as a subscriber gets them."""
    return list(deserialize_message(data, MarkerArray).markers)


def shown(markers: list[Marker]) -> dict[Key, Marker]:
    """Return the markers that are added, by namespace and id."""
    return {(m.ns, m.id): m for m in markers if m.action == Marker.ADD}


def deleted(markers: list[Marker]) -> set[Key]:
    """Return namespace and id of the markers that are deleted one by one."""
    return {(m.ns, m.id) for m in markers if m.action == Marker.DELETE}


class Viewer:
    """What a viewer has on its screen: markers stay until they are deleted."""

    def __init__(self) -> None:
        self.screen: dict[Key, Marker] = {}

    def take(self, data: bytes) -> dict[Key, Marker]:
        """Take a message, marker by marker; return what is to be seen then."""
        for marker in decoded(data):
            if marker.action == Marker.DELETEALL:
                self.screen.clear()
            elif marker.action == Marker.DELETE:
                self.screen.pop((marker.ns, marker.id), None)
            else:
                assert marker.action == Marker.ADD
                self.screen[marker.ns, marker.id] = marker
        return dict(self.screen)


def xyz(vector: Any) -> np.ndarray:
    """Return a point or vector as an array."""
    return np.array([vector.x, vector.y, vector.z])


def xyzw(quaternion: Any) -> np.ndarray:
    """Return a quaternion as an array."""
    return np.array([quaternion.x, quaternion.y, quaternion.z, quaternion.w])


def numbers(message: Any) -> Iterator[float]:
    """Yield every number of a message."""
    if isinstance(message, (int, float)):
        yield message
    elif hasattr(message, "get_fields_and_field_types"):
        for name in message.get_fields_and_field_types():
            yield from numbers(getattr(message, name))
    elif isinstance(message, (list, tuple)):
        for item in message:
            yield from numbers(item)


def check_rules(data: bytes, frame_id: str, stamp: int, *, period: float = 1 / 30) -> list[Marker]:
    """Assert what holds for every message; return its markers."""
    markers = decoded(data)
    keys = [(m.ns, m.id) for m in markers]
    assert len(set(keys)) == len(keys)
    for i, m in enumerate(markers):
        assert all(math.isfinite(number) for number in numbers(m)), (m.ns, m.id)
        assert m.header.frame_id == frame_id != ""
        assert m.header.stamp.sec * 10**9 + m.header.stamp.nanosec == stamp
        assert abs(np.linalg.norm(xyzw(m.pose.orientation)) - 1.0) < 1e-12
        assert m.action in {Marker.ADD, Marker.DELETE} or (
            i == 0 and m.action == Marker.DELETEALL and m.ns == ""
        )
        assert m.color.a > 0.0
        assert all(color.a > 0.0 for color in m.colors)
        assert len(m.colors) in {0, len(m.points)}
        lifetime = m.lifetime.sec + 1e-9 * m.lifetime.nanosec
        assert lifetime > period
        assert 0.5 <= lifetime <= max(0.5, 10.0 * period)
        _check_size(m)
    return markers


def _check_size(m: Marker) -> None:
    scale = xyz(m.scale)
    if m.type in LINES:
        assert scale[0] > 0.0
        assert scale[1] == scale[2] == 0.0  # RViz warns of others: it does not use them
    else:
        assert (scale > 0.0).all()
    if m.type == Marker.ARROW and m.points:
        start, end = (xyz(point) for point in m.points)
        if m.action == Marker.ADD:
            assert np.linalg.norm(end - start) > 1e-5
