"""The axes of joints in ~/visualization, against the motion of the bodies."""

from __future__ import annotations

import numpy as np
import pytest
from visualization_msgs.msg import Marker

from marker_rules import check_rules, decoded, shown, xyz, xyzw
from motion_blocks import motion_block
from robodyn_ros import Robot
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.joints import Gimbal, Spherical
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robodyn_ros.spatial import quaternion_to_matrix, rotation_from_rpy
from robots import OWN_ROBOTS, loaded, random_tree

STAMP = 5_000_000_000
SETTINGS = VisualizationSettings(joint_axis_length=0.3)


def models() -> list[Model]:
    """Return trees, some hung up by another body so that joints are seen from behind."""
    trees = [random_tree(1, root=root) for root in (None, "b5", "b11")]
    return [*trees, loaded(OWN_ROBOTS / "every_type.yaml"), placed("floating"), placed()]


def placed(base: str = "fixed") -> Model:
    """Return a ball with sliders and a gimbal whose frames sit anywhere in their children."""
    builder = ModelBuilder("placed")
    for name in ("b0", "b1", "b2"):
        builder.add_body(name, mass=1.0)
    sliders = {"inner": ((0.0, 0.6, 0.8),), "outer": ((1.0, 0.0, 0.0),)}
    for name, joint, parent, child in (
        ("ball", Spherical(**sliders), "b0", "b1"),
        ("gimbal", Gimbal("321", **sliders), "b1", "b2"),
    ):
        builder.add_joint(
            name,
            joint,
            parent,
            child,
            position=(0.1, 0.2, 0.3),
            child_position=(0.4, -0.2, 0.1),
            child_rotation=rotation_from_rpy((0.4, -1.0, 2.0)),
        )
    return builder.build(base)  # type: ignore[arg-type]


def axes_of(
    model: Model, block: np.ndarray, valid: np.ndarray, q: np.ndarray | None
) -> dict[int, Marker]:
    """Return the arrows that are shown, by id."""
    writer = VisualizationWriter(model, FramePlan(model), SETTINGS)
    markers = check_rules(writer.fill(STAMP, block, valid, q), writer._frame, STAMP)
    return {number: marker for (ns, number), marker in shown(markers).items() if ns == "joint_axes"}


@pytest.mark.parametrize("model", models(), ids=lambda model: f"{model.name} {model.body_names[0]}")
def test_every_rate_turns_about_its_axis_or_slides_along_it(model: Model) -> None:
    robot = Robot(model, compile="off")
    q = robot.random_configuration(1)
    zero = np.zeros(model.nv)
    everything = np.ones(model.nb, dtype=bool)
    arrows = axes_of(model, motion_block(robot, q, zero, zero), everything, q)
    expected = set()
    for number, joint in model.moving:
        if number == 1 and model.base != "fixed":
            continue
        expected |= {number + model.nb * rate for rate in range(joint.joint.nv)}
        for rate in range(0 if joint.is_follower else joint.joint.nv):
            v = zero.copy()
            v[joint.v_index + rate] = 1.0
            block = motion_block(robot, q, v, zero)
            twist = relative_twist(block, number, joint.parent)
            check_arrow(arrows[number + model.nb * rate], block[number, :3], twist)
    assert set(arrows) == expected


def check_arrow(arrow: Marker, origin: np.ndarray, twist: np.ndarray) -> None:
    """Assert that an arrow lies along the screw of a twist (6,) given at `origin`."""
    assert arrow.type == Marker.ARROW
    assert arrow.scale.x == SETTINGS.joint_axis_length
    direction = quaternion_to_matrix(xyzw(arrow.pose.orientation))[:, 0]
    middle = xyz(arrow.pose.position) + 0.5 * arrow.scale.x * direction - origin
    w, v = twist[:3], twist[3:]
    turns = np.linalg.norm(w) > 1e-9
    drive = w if turns else v
    np.testing.assert_allclose(direction, drive / np.linalg.norm(drive), atol=1e-9)
    assert (arrow.color.g < 0.6) == turns  # orange, or of the sea
    if turns:  # points of the axis move along it, if at all
        np.testing.assert_allclose(np.cross(v + np.cross(w, middle), direction), 0.0, atol=1e-9)


def relative_twist(block: np.ndarray, body: int, parent: int) -> np.ndarray:
    """Return the angular and linear velocity (6,) of a body seen from its parent, world axes."""
    arm = block[body, :3] - block[parent, :3]
    omega = block[parent, 10:13]
    carried = block[parent, 7:10] + np.cross(omega, arm)
    return np.concatenate([block[body, 10:13] - omega, block[body, 7:10] - carried])


def test_axes_that_are_not_known_are_not_shown() -> None:
    model = placed()
    robot = Robot(model, compile="off")
    q, zero = robot.random_configuration(2), np.zeros(model.nv)
    block, known = motion_block(robot, q, zero, zero), np.ones(3, dtype=bool)
    assert len(axes_of(model, block, known, q)) == model.nv
    assert axes_of(model, block, known, None) == {}
    assert set(axes_of(model, block, np.array([True, False, True]), q)) == {2, 5, 8, 11, 14}
    far = q.copy()
    far[model.own_joint("ball").q_index + 5] = 1e300  # the lever of its turns
    assert set(axes_of(model, block, known, far)) & {4, 7} == set()


def test_the_middle_of_an_axis_is_next_to_the_joints_own_frame() -> None:
    model = placed()
    robot = Robot(model, compile="off")
    q, zero = robot.neutral(), np.zeros(model.nv)
    arrows = axes_of(model, motion_block(robot, q, zero, zero), np.ones(3, dtype=bool), q)
    for number in (1, 4, 7):  # the turns of the ball, of which the frame is at (0.1, 0.2, 0.3)
        direction = quaternion_to_matrix(xyzw(arrows[number].pose.orientation))[:, 0]
        middle = xyz(arrows[number].pose.position) + 0.5 * SETTINGS.joint_axis_length * direction
        np.testing.assert_allclose(middle, [0.1, 0.2, 0.3], atol=1e-12)


def test_none_are_made_that_are_switched_off() -> None:
    model = placed()
    settings = VisualizationSettings(joint_axes=False)
    writer = VisualizationWriter(model, FramePlan(model), settings)
    data = writer.fill(STAMP, np.zeros((3, 28)), np.zeros(3, dtype=bool))
    assert "joint_axes" not in {marker.ns for marker in decoded(data)}
