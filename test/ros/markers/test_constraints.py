"""Constraint elements as a viewer gets them: as what they keep, red where they do not hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from visualization_msgs.msg import Marker

from marker_rules import check_rules, shown, xyz, xyzw
from motion_blocks import motion_block
from robodyn_ros import Robot, load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model import PointOnCylinder, PointOnPlane, SkewAxes, Weld
from robodyn_ros.ros.markers.constraints import FIRST_AXIS, LINE, SECOND_AXIS, SOLID
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robodyn_ros.spatial import quaternion_to_matrix

EXAMPLES = Path(__file__).parents[3] / "examples"
SECOND = 1_000_000_000
Drawn = dict[int, Marker]


def drawn(robot: Robot, q: np.ndarray, block: np.ndarray | None = None) -> Drawn:
    """Return the markers of constraint elements by id."""
    model = robot.model
    if block is None:
        block = motion_block(robot, q, np.zeros(model.nv), np.zeros(model.nv))
    writer = VisualizationWriter(model, FramePlan(model), VisualizationSettings())
    data = writer.fill(SECOND, block, np.ones(model.nb, dtype=bool), q)
    markers = shown(check_rules(data, model.body_names[0], SECOND))
    return {number: m for (space, number), m in markers.items() if space == "constraints"}


def seen(robot: Robot, q: np.ndarray, body: int, point: np.ndarray) -> np.ndarray:
    """Return a body's point in the world."""
    block = motion_block(robot, q, np.zeros(robot.model.nv), np.zeros(robot.model.nv))
    place: np.ndarray = block[body, :3] + quaternion_to_matrix(block[body, 3:7]) @ point
    return place


@pytest.mark.parametrize("name", ["mixed_platform.yaml", "stewart_platform_rods.yaml"])
def test_every_element_is_drawn_as_what_it_keeps(name: str) -> None:
    robot = load(EXAMPLES / name, compile="off")
    model, q = robot.model, robot.initial_state[0]
    markers = drawn(robot, q)
    n = len(model.closure.elements)
    for number, element in enumerate(model.closure.elements):
        if isinstance(element, PointOnPlane):
            plate = markers[number + FIRST_AXIS * n]
            assert plate.type == Marker.CUBE
            point = seen(robot, q, element.body_2, element.point_2)
            assert xyz(plate.pose.position) == pytest.approx(point)
            normal = quaternion_to_matrix(xyzw(plate.pose.orientation))[:, 0]
            arm = seen(robot, q, element.body_1, element.normal)
            origin = seen(robot, q, element.body_1, np.zeros(3))
            assert normal == pytest.approx(arm - origin)
            assert number not in markers, "the point is in it"
        elif isinstance(element, Weld):
            ball = markers[number + SOLID * n]
            assert ball.type == Marker.SPHERE
            place = seen(robot, q, element.body_2, np.zeros(3))
            assert xyz(ball.pose.position) == pytest.approx(place)
            assert number not in markers, "its frames are together"
        else:
            begin, end = (xyz(point) for point in markers[number + LINE * n].points)
            kept = abs(float(element.measure.value(q)))
            assert np.linalg.norm(end - begin) == pytest.approx(kept, abs=1e-9)


def test_axes_and_circles_are_where_the_elements_have_them() -> None:
    robot = load(EXAMPLES / "mixed_platform.yaml", compile="off")
    q, elements = robot.initial_state[0], robot.model.closure.elements
    markers, n = drawn(robot, q), len(elements)
    kinds = set()
    for number, element in enumerate(elements):
        if not isinstance(element, (PointOnCylinder, SkewAxes)):
            continue
        kinds.add(type(element))
        through = seen(robot, q, element.body_1, element.point_1)
        axis = seen(robot, q, element.body_1, element.point_1 + element.axis_1) - through
        for point in map(xyz, markers[number + FIRST_AXIS * n].points):
            assert np.cross(point - through, axis) == pytest.approx(0.0, abs=1e-9)
        second = [xyz(point) for point in markers[number + SECOND_AXIS * n].points]
        if isinstance(element, SkewAxes):
            place = seen(robot, q, element.body_2, element.point_2)
            other = seen(robot, q, element.body_2, element.point_2 + element.axis_2) - place
            for point in second:
                assert np.cross(point - place, other) == pytest.approx(0.0, abs=1e-9)
            continue
        radius = float(element.measure.value(q))
        held = seen(robot, q, element.body_2, element.point_2)
        for point in second:
            off = (point - through) - axis * (axis @ (point - through))
            assert np.linalg.norm(off) == pytest.approx(radius)
            assert axis @ (point - held) == pytest.approx(0.0, abs=1e-9)
    assert kinds


@pytest.mark.parametrize("name", ["mixed_platform.yaml", "four_bar.yaml"])
def test_an_element_that_does_not_hold_is_red_and_the_gap_is_seen(name: str) -> None:
    robot = load(EXAMPLES / name, compile="off")
    q, elements = robot.initial_state[0], robot.model.closure.elements
    n = len(elements)
    held = drawn(robot, q)
    block = motion_block(robot, q, np.zeros(robot.model.nv), np.zeros(robot.model.nv))
    moved = {element.body_2 for element in elements} - {element.body_1 for element in elements}
    for body in moved:
        block[body, :3] += (0.011, 0.007, 0.013)
    torn = drawn(robot, q, block)
    for number, element in enumerate(elements):
        part = {PointOnPlane: FIRST_AXIS, Weld: SOLID}.get(type(element), LINE)
        key = number + part * n
        assert held[key].color.r < 0.99
        assert (torn[key].color.r, torn[key].color.a) == pytest.approx((1.0, held[key].color.a))
        if isinstance(element, PointOnPlane):
            foot, point = (xyz(end) for end in torn[number].points)
            assert xyz(torn[key].pose.position) == pytest.approx(foot), "under the point"
            assert np.linalg.norm(point - foot) > 1e-3
        if isinstance(element, Weld):
            assert np.linalg.norm(np.subtract(*map(xyz, torn[number].points))) > 1e-3


def test_what_only_serves_a_loop_is_not_drawn() -> None:
    robot = load(EXAMPLES / "four_bar.yaml", compile="off")
    model, q = robot.model, robot.initial_state[0]
    block = motion_block(robot, q, np.ones(model.nv), np.zeros(model.nv))
    writer = VisualizationWriter(model, FramePlan(model), VisualizationSettings())
    data = writer.fill(SECOND, block, np.ones(model.nb, dtype=bool), q)
    markers = shown(check_rules(data, "base", SECOND))
    auxiliary = {k for k, body in enumerate(model.bodies) if body.auxiliary}
    for space in ("frames", "center_of_mass", "velocity/linear", "trails"):
        assert auxiliary.isdisjoint(number for ns, number in markers if ns == space)
