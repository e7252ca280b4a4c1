"""Motion seen from frames at rest: homogeneous transforms, differentiation, and what moves."""

from __future__ import annotations

import numpy as np
import pytest

from quay_robot import quay_arm, turned
from robodyn_ros import load
from robodyn_ros.algorithms import body_motion, centers_of, markers_of, pose_in_world, seen_from
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import BaseMotion, Environment
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import rotation_from_rpy

ROUNDING = 1e-14
STEP = 1e-6
CENTRAL = 1e-8  # rounding of positions of some metres over the step
AT_REST = [
    ("fixed", "quay"),
    ("fixed", "plate"),
    ("fixed", "socket"),
    ("fixed", "pedestal"),
    ("floating", "quay"),
    ("prescribed", "quay"),
    ("prescribed", "world"),
]


def robot_of(base: str) -> Robot:
    robot = load(quay_arm(base), compile="off")
    if base == "prescribed":
        rng = np.random.default_rng(8)
        R = np.asarray(rotation_from_rpy(rng.normal(size=3)))
        robot.environment = Environment(
            base_motion=BaseMotion(rng.normal(size=3), R, *rng.normal(size=(4, 3)))
        )
    return robot


def place(robot: Robot, q: np.ndarray, frame: str) -> np.ndarray:
    """Return X_WF (4, 4) as kinematics has it, whether or not the frame is at rest."""
    motion, found = robot.body_motion(q), robot.model.frames[frame]
    X_WB, X_BF = np.eye(4), np.eye(4)
    X_WB[:3, :3], X_WB[:3, 3] = motion.rotation[found.body], motion.position[found.body]
    X_BF[:3, :3], X_BF[:3, 3] = found.rotation, found.position
    return X_WB @ X_BF


@pytest.mark.parametrize(("base", "frame"), AT_REST)
def test_all_motion_is_relative_to_the_frame_and_in_its_axes(base: str, frame: str) -> None:
    robot = robot_of(base)
    rng = np.random.default_rng(2)
    q = robot.random_configuration(rng)
    v, a = rng.normal(size=(2, robot.model.nv))
    world, centers = robot.body_motion(q, v, a), robot.center_of_mass_motion(q, v, a)
    X_WF = place(robot, q, frame)
    R_WF, p_WF = X_WF[:3, :3], X_WF[:3, 3]
    seen = seen_from(robot.model, frame, world)
    for body in range(robot.model.nb):
        X_WB = np.eye(4)
        X_WB[:3, :3], X_WB[:3, 3] = world.rotation[body], world.position[body]
        X_FB = np.linalg.inv(X_WF) @ X_WB
        assert seen.rotation[body] == pytest.approx(X_FB[:3, :3], abs=ROUNDING)
        assert seen.position[body] == pytest.approx(X_FB[:3, 3], abs=ROUNDING)
    for ours, theirs in zip(seen[2:], tuple(world)[2:], strict=True):
        assert ours == pytest.approx(turned(R_WF, theirs), abs=ROUNDING)
    ours = centers_of(robot.model, seen)
    expected = (centers.position - p_WF, centers.velocity, centers.acceleration)
    for x, y in zip(ours, expected, strict=True):
        assert x == pytest.approx(turned(R_WF, y), abs=ROUNDING)
    markers = robot.marker_motion(q, v, a)
    points = np.array([[marker.kind == "position"] for marker in robot.model.markers])
    expected = (markers.value - points * p_WF, markers.rate, markers.acceleration)
    for x, y in zip(markers_of(robot.model, seen), expected, strict=True):
        assert x == pytest.approx(turned(R_WF, y), abs=ROUNDING)


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_velocities_seen_are_derivatives_of_positions_seen(base: str) -> None:
    robot = robot_of(base)
    rng = np.random.default_rng(3)
    q, v = robot.random_configuration(rng), rng.normal(size=robot.model.nv)
    before, after = (
        seen_from(robot.model, "quay", robot.body_motion(robot.integrate(q, v, dt)))
        for dt in (-STEP, STEP)
    )
    seen = seen_from(robot.model, "quay", robot.body_motion(q, v))
    rate = (after.position - before.position) / (2.0 * STEP)
    assert seen.linear_velocity == pytest.approx(rate, abs=CENTRAL)


def test_a_batch_is_seen_row_by_row() -> None:
    robot = robot_of("floating")
    rng = np.random.default_rng(4)
    q = np.array([robot.random_configuration(rng) for _ in range(3)])
    v = rng.normal(size=(3, robot.model.nv))
    many = seen_from(robot.model, "quay", body_motion(robot.model, q, v))
    for row in range(3):
        one = seen_from(robot.model, "quay", body_motion(robot.model, q[row], v[row]))
        for x, y in zip(many, one, strict=True):
            assert x[row] == pytest.approx(y, abs=ROUNDING)


@pytest.mark.parametrize(
    ("base", "frame", "body"),
    [
        ("fixed", "grip", "hand"),
        ("fixed", "arm", "arm"),
        ("floating", "socket", "plate"),
        ("prescribed", "pedestal", "pedestal"),
        ("prescribed", "plate", "plate"),
    ],
)
def test_a_frame_that_moves_is_refused_with_those_that_do_not(
    base: str, frame: str, body: str
) -> None:
    robot = robot_of(base)
    with pytest.raises(ArgumentError, match=f"'{frame}' .* body '{body}', which moves .*'quay'"):
        seen_from(robot.model, frame, robot.body_motion(robot.neutral()))


def test_a_frame_that_is_not_there_is_told_with_what_is() -> None:
    with pytest.raises(UnknownNameError, match="'quai'"):
        pose_in_world(robot_of("fixed").model, "quai")
