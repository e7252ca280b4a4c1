"""Bars for robots that are described without any shapes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from robodyn_ros.description.mechanism import Shape
from robodyn_ros.description.mechanism.drawing import GREY
from robodyn_ros.model import Model
from robodyn_ros.model.elements import constant
from robodyn_ros.plots import Skeleton
from robodyn_ros.spatial import axis_alignment

_THICKNESS = 0.04
"""Diameter of a bar as a share of the robot's radius."""


def bars(model: Model, radius: float) -> Iterator[Shape]:
    """Yield a bar from each body's origin to the joints and markers that it carries.

    Args:
        model: the robot.
        radius: of a sphere that holds it, m.
    """
    width = _THICKNESS * radius
    names = model.body_names
    for line in Skeleton(model).lines:
        length = float(np.linalg.norm(line.end))
        yield Shape(
            names[line.body],
            "cylinder",
            constant([width, width, length]),
            constant(axis_alignment(line.end / length)),
            constant(0.5 * line.end),
            constant(GREY),
        )
    for body, made in enumerate(model.bodies):
        if not made.auxiliary and (body or made.mass > 0.0):
            size = constant(np.full(3, 1.5 * width))
            middle, turn = constant(np.zeros(3)), constant(np.eye(3))
            yield Shape(names[body], "sphere", size, turn, middle, constant(GREY))
