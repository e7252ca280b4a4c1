"""Constraint elements as a viewer gets them: lines as long as what they keep, plates of planes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from visualization_msgs.msg import Marker

from marker_rules import check_rules, shown, xyz, xyzw
from motion_blocks import motion_block
from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robodyn_ros.spatial import quaternion_to_matrix

EXAMPLES = Path(__file__).parents[3] / "examples"
SECOND = 1_000_000_000


@pytest.mark.parametrize("name", ["mixed_platform.yaml", "stewart_platform_rods.yaml"])
def test_every_element_is_drawn_as_what_it_keeps(name: str) -> None:
    robot = load(EXAMPLES / name, compile="off")
    model, q = robot.model, robot.initial_state[0]
    block = motion_block(robot, q, np.zeros(model.nv), np.zeros(model.nv))
    writer = VisualizationWriter(model, FramePlan(model), VisualizationSettings())
    data = writer.fill(SECOND, block, np.ones(model.nb, dtype=bool), q)
    markers = shown(check_rules(data, model.body_names[0], SECOND))
    drawn = {number: m for (space, number), m in markers.items() if space == "constraints"}
    kinds = {k: x.type_name for k, x in enumerate(model.closure.elements)}
    assert sorted(drawn) == [k for k, kind in kinds.items() if kind != "loop"]
    for number, found in drawn.items():
        element = model.closure.elements[number]
        if kinds[number] == "point_on_plane":
            place, R = block[element.body_2, :3], quaternion_to_matrix(block[element.body_2, 3:7])
            assert found.type == Marker.CUBE
            assert xyz(found.pose.position) == pytest.approx(place + R @ element.point_2)
            normal = quaternion_to_matrix(xyzw(found.pose.orientation))[:, 0]
            R_1 = quaternion_to_matrix(block[element.body_1, 3:7])
            assert normal == pytest.approx(R_1 @ element.normal)
        else:
            begin, end = (xyz(point) for point in found.points)
            kept = abs(float(element.measure.value(q)))
            assert np.linalg.norm(end - begin) == pytest.approx(kept, abs=1e-9)


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
