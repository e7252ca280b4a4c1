"""Where the markers of a message are, against the motion that they show."""

from __future__ import annotations

import numpy as np
import pytest
from visualization_msgs.msg import Marker

from marker_rules import decoded, shown, xyz, xyzw
from motion_blocks import COLUMNS, random_block
from robodyn_ros import Robot
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model.inertia_ellipsoid import sphere_diameter
from robodyn_ros.ros.markers.settings import NAMESPACES, VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robodyn_ros.spatial import quaternion_to_matrix

STAMP = 5_000_000_000
SCALES = VisualizationSettings(
    linear_velocity_scale=0.3,
    angular_velocity_scale=0.2,
    linear_acceleration_scale=0.07,
    angular_acceleration_scale=0.04,
    arrow_min_length=0.02,
    arrow_max_length=0.4,
)
ARROWS = tuple(kind for kind in COLUMNS if hasattr(SCALES, f"{kind}_scale"))


@pytest.fixture
def block(robot: Robot) -> np.ndarray:
    """A state of the robot in motion."""
    return random_block(robot, 5)


@pytest.fixture
def seen(robot: Robot, block: np.ndarray) -> dict[tuple[str, int], Marker]:
    """What is shown of it."""
    writer = VisualizationWriter(robot.model, FramePlan(robot.model), SCALES)
    return shown(decoded(writer.fill(STAMP, block, np.ones(robot.model.nb, dtype=bool))))


def rotation(marker: Marker) -> np.ndarray:
    return quaternion_to_matrix(xyzw(marker.pose.orientation))


@pytest.mark.parametrize("kind", ARROWS)
def test_arrows_run_from_the_origin_along_the_vector(
    robot: Robot, block: np.ndarray, seen: dict, kind: str
):
    lengths = []
    for body in range(robot.model.nb):
        vector = getattr(SCALES, f"{kind}_scale") * block[body, COLUMNS[kind]]
        length = np.linalg.norm(vector)
        arrow = seen.get((NAMESPACES[kind], body))
        assert (arrow is not None) == (length >= SCALES.arrow_min_length)
        if arrow is None:
            continue
        lengths.append(length)
        start, end = (xyz(point) for point in arrow.points)
        np.testing.assert_array_equal(start, block[body, :3])
        tip = vector * min(1.0, SCALES.arrow_max_length / length)
        np.testing.assert_allclose(end - start, tip, atol=1e-12)
        np.testing.assert_array_equal(xyz(arrow.pose.position), 0.0)
        np.testing.assert_array_equal(xyzw(arrow.pose.orientation), [0, 0, 0, 1])
        assert arrow.type == Marker.ARROW
        assert arrow.scale.x < arrow.scale.y
        assert 0.0 < arrow.scale.z < np.linalg.norm(tip)
    assert lengths


def test_frames_are_triads_in_the_pose_of_their_body(robot: Robot, block: np.ndarray, seen: dict):
    for body in range(robot.model.nb):
        frame = seen["frames", body]
        assert frame.type == Marker.LINE_LIST
        np.testing.assert_array_equal(xyz(frame.pose.position), block[body, :3])
        expected = quaternion_to_matrix(block[body, 3:7])
        np.testing.assert_allclose(rotation(frame), expected, atol=1e-12)
        ends = np.array([xyz(point) for point in frame.points])
        np.testing.assert_array_equal(ends[::2], 0.0)
        np.testing.assert_array_equal(ends[1::2], SCALES.frame_size * np.eye(3))
        colors = [(color.r, color.g, color.b) for color in frame.colors]
        assert [int(np.argmax(color)) for color in colors] == [0, 0, 1, 1, 2, 2]


def test_spheres_have_the_mass_of_their_body_at_its_centre(
    robot: Robot, block: np.ndarray, seen: dict
):
    bodies = robot.model.bodies
    heavy = [number for number, body in enumerate(bodies) if body.mass > 0.0]
    assert [body for ns, body in seen if ns == "center_of_mass"] == heavy
    for body in heavy:
        sphere = seen["center_of_mass", body]
        assert sphere.type == Marker.SPHERE
        np.testing.assert_array_equal(xyz(sphere.pose.position), block[body, 19:22])
        diameter = sphere_diameter(bodies[body].mass, SCALES.density)
        np.testing.assert_array_equal(xyz(sphere.scale), diameter)


def test_ellipsoids_have_the_inertia_of_their_body_about_its_centre(
    robot: Robot, block: np.ndarray, seen: dict
):
    compared = 0
    for body, described in enumerate(robot.model.bodies):
        solid = seen.get(("inertia", body))
        if solid is None:
            continue
        np.testing.assert_array_equal(xyz(solid.pose.position), block[body, 19:22])
        squares = (0.5 * xyz(solid.scale)) ** 2
        if squares.min() < 1.1e-4 * squares.max():
            continue  # flat ones are thickened
        moments = described.mass / 5.0 * (squares.sum() - squares)
        R_WB = quaternion_to_matrix(block[body, 3:7])
        expected = R_WB @ described.inertia @ R_WB.T
        made = rotation(solid) @ np.diag(moments) @ rotation(solid).T
        np.testing.assert_allclose(made, expected, atol=1e-9 * np.abs(expected).max())
        compared += 1
    assert compared


def test_trails_are_the_last_positions_of_the_bodies_at_the_ends(robot: Robot):
    settings = VisualizationSettings(trail_length=5)
    model = robot.model
    writer = VisualizationWriter(model, FramePlan(model), settings)
    valid = np.ones(model.nb, dtype=bool)
    blocks = [random_block(robot, seed) for seed in range(8)]
    for k, block in enumerate(blocks):
        trails = shown(decoded(writer.fill(STAMP + k, block, valid)))
        trails = {body: marker for (ns, body), marker in trails.items() if ns == "trails"}
    leaves = {body for body in range(1, model.nb) if not model.children(body)}
    assert set(trails) <= leaves
    assert trails
    for body in leaves:
        expected = np.array([block[body, :3] for block in blocks[3:]])
        assert (body in trails) == (np.ptp(expected, axis=0).max() > 1e-3)
        if body in trails:
            line = trails[body]
            assert line.type == Marker.LINE_STRIP
            np.testing.assert_array_equal([xyz(point) for point in line.points], expected)
