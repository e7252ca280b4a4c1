"""Markers before anything of them is known that changes."""

from __future__ import annotations

import numpy as np
from geometry_msgs.msg import Point, Vector3
from numpy.typing import NDArray
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker

Rgba = tuple[float, float, float, float]

ADD: int = Marker.ADD
DELETE: int = Marker.DELETE
DELETE_ALL: int = Marker.DELETEALL

POSE_FIELDS = (
    "pose.position.x",
    "pose.position.y",
    "pose.position.z",
    "pose.orientation.x",
    "pose.orientation.y",
    "pose.orientation.z",
    "pose.orientation.w",
)
COLOR_FIELDS = ("color.r", "color.g", "color.b", "color.a")


def marker(kind: int, namespace: str, id: int, scale: tuple[float, ...], color: Rgba) -> Marker:
    """Return a marker that is to be deleted, with an identity pose and no points.

    Mostly `id` is the number of its body.
    """
    made = Marker(type=kind, ns=namespace, id=id, action=DELETE)
    made.scale = Vector3(x=float(scale[0]), y=float(scale[1]), z=float(scale[2]))
    made.color = rgba(color)
    return made


def eraser() -> Marker:
    """Return what deletes all markers of a topic; it needs a frame like any other."""
    made = marker(Marker.ARROW, "", 0, (1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0))
    made.action = DELETE_ALL
    return made


def rgba(color: Rgba) -> ColorRGBA:
    """Return a colour as a message."""
    r, g, b, a = color
    return ColorRGBA(r=r, g=g, b=b, a=a)


def point_fields(count: int) -> tuple[str, ...]:
    """Return the paths of the coordinates of a marker's first `count` points."""
    return tuple(f"points[{i}].{axis}" for i in range(count) for axis in "xyz")


def points(coordinates: NDArray[np.float64]) -> list[Point]:
    """Return coordinates (n, 3) as messages."""
    return [Point(x=x, y=y, z=z) for x, y, z in coordinates.tolist()]


def action(shown: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return ADD for what is shown and DELETE for what is not."""
    return np.where(shown, np.int32(ADD), np.int32(DELETE))
