"""Markers and drawings of mechanism files as a viewer gets them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from visualization_msgs.msg import Marker

from marked_robot import MARKED
from marker_rules import Viewer, check_rules, shown, xyz, xyzw
from motion_blocks import random_block
from robodyn_ros import Robot
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.description import load_description
from robodyn_ros.description.mechanism import Mechanism
from robodyn_ros.ros.markers.settings import DESCRIBED, VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robodyn_ros.spatial import quaternion_to_matrix

SECOND = 1_000_000_000
TOLERANCE = 1e-12
DRAWN = (
    MARKED
    + """
frames:
  grip: {body: hand, position: [0, 0, 0.1], rpy: [0.1, 0.2, 0.3]}
drawing:
  base:
    - {shape: box, size: [0.4, 0.3, 0.1], position: [0, 0, -0.05], color: [1, 0, 0, 1]}
    - {shape: sphere, radius: 0.1, color: [1, 0, 0, 0]}
  upper:
    - {shape: bar, from: [0, 0, 0], to: [0, 0.3, 0.4], radius: 0.02}
    - {shape: mesh, file: meshes/upper.stl, scale: [0.001, 0.001, 0.001]}
  grip:
    - {shape: cylinder, radius: 0.02, length: 0.2, rpy: [1.0, 0.5, 0.2]}
    - {shape: mesh, file: "package://robot/meshes/grip.stl"}
"""
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "drawn arm.yaml"
    path.write_text(DRAWN)
    return path


@pytest.fixture
def drawn(file: Path) -> Mechanism:
    return load_description(file)


def writer_of(found: Mechanism, **changed: object) -> VisualizationWriter:
    settings = replace(VisualizationSettings(trail_length=4), **changed)
    return VisualizationWriter(found.model, FramePlan(found.model), settings, found.drawing)


def seen(found: Mechanism, seed: int = 1) -> tuple[dict, np.ndarray]:
    """Return the markers shown for a state, and the motion of the bodies in it."""
    block = random_block(Robot(found.model, compile="off"), seed)
    valid = np.ones(found.model.nb, dtype=bool)
    data = writer_of(found).fill(SECOND, block, valid)
    return shown(check_rules(data, "base", SECOND)), block


def test_points_are_spheres_and_directions_arrows_where_the_markers_are(drawn: Mechanism) -> None:
    markers, block = seen(drawn)
    for number, made in enumerate(drawn.model.markers):
        found = markers["markers", number]
        place, R = block[made.body, :3], quaternion_to_matrix(block[made.body, 3:7])
        if made.kind == "position":
            assert found.type == Marker.SPHERE
            assert xyz(found.pose.position) == pytest.approx(place + R @ made.vector, abs=TOLERANCE)
            assert xyz(found.scale).tolist() == [0.03] * 3
        else:
            assert found.type == Marker.ARROW
            assert xyz(found.pose.position) == pytest.approx(place, abs=TOLERANCE)
            pointing = quaternion_to_matrix(xyzw(found.pose.orientation))[:, 0]
            assert pointing == pytest.approx(R @ made.vector, abs=TOLERANCE)
            assert found.scale.x == 0.2


def test_a_drawing_is_shown_as_it_is_described(drawn: Mechanism, file: Path) -> None:
    markers, block = seen(drawn)
    found = {number: made for (ns, number), made in markers.items() if ns == "drawing"}
    assert sorted(found) == [0, 2, 3, 4, 5]  # a transparent sphere is none
    kinds = [found[k].type for k in sorted(found)]
    meshes = [Marker.MESH_RESOURCE] * 2
    assert kinds == [Marker.CUBE, Marker.CYLINDER, meshes[0], Marker.CYLINDER, meshes[1]]
    assert xyz(found[0].scale).tolist() == [0.4, 0.3, 0.1]
    assert (found[0].color.r, found[0].color.g, found[0].color.a) == (1.0, 0.0, 1.0)
    assert found[3].mesh_resource == (file.parent / "meshes/upper.stl").as_uri()
    assert "drawn" not in found[3].mesh_resource
    assert found[5].mesh_resource == "package://robot/meshes/grip.stl"
    for number, made in found.items():
        shape = drawn.drawing[number]
        frame = drawn.model.frame(shape.body)
        R_WB = quaternion_to_matrix(block[frame.body, 3:7])
        R, p = frame.rotation @ shape.rotation, frame.position + frame.rotation @ shape.position
        assert xyz(made.pose.position) == pytest.approx(
            block[frame.body, :3] + R_WB @ p, abs=TOLERANCE
        )
        turn = quaternion_to_matrix(xyzw(made.pose.orientation))
        assert turn == pytest.approx(R_WB @ R, abs=TOLERANCE)


def test_a_mesh_of_which_only_a_relative_path_is_known_is_left_out() -> None:
    markers, _ = seen(load_description(DRAWN))
    assert ("drawing", 3) not in markers
    assert ("drawing", 5) in markers


def test_trails_are_those_of_the_points(drawn: Mechanism) -> None:
    robot = Robot(drawn.model, compile="off")
    writer, valid = writer_of(drawn), np.ones(drawn.model.nb, dtype=bool)
    places = []
    for k in range(1, 4):
        block = random_block(robot, k)
        data = writer.fill(k * SECOND, block, valid)
        tool = drawn.model.markers[0]
        R = quaternion_to_matrix(block[tool.body, 3:7])
        places.append(block[tool.body, :3] + R @ tool.vector)
    markers = shown(check_rules(data, "base", 3 * SECOND))
    points = [xyz(point) for point in markers["marker_trails", 0].points]
    assert np.array(points[-3:]) == pytest.approx(np.array(places), abs=TOLERANCE)
    assert ("marker_trails", 1) not in markers  # a direction


@pytest.mark.parametrize("kind", DESCRIBED)
def test_each_kind_can_be_switched_off(drawn: Mechanism, kind: str) -> None:
    robot, valid = Robot(drawn.model, compile="off"), np.ones(drawn.model.nb, dtype=bool)
    writer, viewer = writer_of(drawn), Viewer()
    described = set(DESCRIBED.values())

    def kinds(step: int) -> set[str]:
        screen = viewer.take(writer.fill(step * SECOND, random_block(robot, step), valid))
        return described & {namespace for namespace, _ in screen}

    kinds(1)
    assert kinds(2) == described
    writer.change(replace(writer.settings, **{kind: False}))
    assert kinds(3) == described - {DESCRIBED[kind]}


def test_nothing_is_shown_on_a_body_that_is_not_valid(drawn: Mechanism) -> None:
    valid = np.array([name != "hand" for name in drawn.model.body_names])
    block = random_block(Robot(drawn.model, compile="off"), 1)
    markers = shown(check_rules(writer_of(drawn).fill(SECOND, block, valid), "base", SECOND))
    assert {number for ns, number in markers if ns == "markers"} == {2, 3}
    assert {number for ns, number in markers if ns == "drawing"} == {0, 2, 3}
