"""Demo motions: exact derivatives, inside all limits, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import Gimbal, JointLimits
from robodyn_ros.model import ModelBuilder
from robodyn_ros.ros.demo_motion import SmoothMotion
from robodyn_ros.ros.demo_poses import PoseMotion

OWN = Path(__file__).parents[1] / "description" / "robots"
ROBOTS = [*sorted(OWN.glob("*.urdf")), OWN / "every_type.yaml"]
ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
DIFFERENCE_STEP = 1e-4
DIFFERENCE_ERROR = 1e-6
"""Truncation of a central difference: step^2 times a third derivative of order 10."""


def motion(path: Path = ARM, *, amplitude: float = 1.0, period: float = 4.0, seed: int = 1):
    model = load(path, compile="off").model
    return SmoothMotion(model, amplitude=amplitude, period=period, seed=seed)


@pytest.mark.parametrize("path", [ARM, *ROBOTS], ids=lambda path: path.stem)
def test_velocity_and_acceleration_are_the_derivatives(path: Path) -> None:
    plan = motion(path)
    for time in np.linspace(0.0, 20.0, 41):
        before, now, after = (plan.at(time + k * DIFFERENCE_STEP) for k in (-1, 0, 1))
        speed = (after.position - before.position) / (2 * DIFFERENCE_STEP)
        rate = (after.velocity - before.velocity) / (2 * DIFFERENCE_STEP)
        assert now.velocity == pytest.approx(speed, abs=DIFFERENCE_ERROR)
        assert now.acceleration == pytest.approx(rate, abs=10 * DIFFERENCE_ERROR)


@pytest.mark.parametrize("path", [ARM, *ROBOTS], ids=lambda path: path.stem)
@pytest.mark.parametrize("amplitude", [0.5, 1.0])
def test_all_joints_stay_within_their_limits_followers_too(path: Path, amplitude: float) -> None:
    model = load(path, compile="off").model
    plan = motion(path, amplitude=amplitude, period=1.0)
    samples = [plan.at(time) for time in np.linspace(0.0, 100.0, 2001)]
    positions = np.array([sample.position for sample in samples])
    speeds = np.array([sample.velocity for sample in samples])
    for coordinate in told_coordinates(model):
        column = plan.names.index(coordinate.name)
        limits = coordinate.joint.rate_limits[coordinate.v - coordinate.joint.v_index]
        require_within(limits, positions[:, column], speeds[:, column])
    for _, joint in model.moving:
        if joint.is_follower and joint.joint.nv == 1 and joint.driver in plan.names:
            column = plan.names.index(joint.driver)
            ratio, shift = joint.coordinates.multiplier, joint.coordinates.offset
            values = ratio * positions[:, column] + shift
            require_within(joint.limits, values, ratio * speeds[:, column])


def require_within(limits: JointLimits, positions: np.ndarray, speeds: np.ndarray) -> None:
    if limits.lower is not None and limits.upper is not None:
        assert positions.min() >= limits.lower - 1e-12
        assert positions.max() <= limits.upper + 1e-12
    if limits.velocity:
        assert np.abs(speeds).max() <= limits.velocity


@pytest.mark.parametrize("path", [ARM, *ROBOTS, *EXAMPLES], ids=lambda path: path.stem)
def test_every_joint_is_moved_by_one_of_the_two_messages(path: Path) -> None:
    model = load(path, compile="off").model
    numbers, poses = motion(path), PoseMotion(model, amplitude=0.5, period=4.0, seed=1)
    moved = [*(told.joint.name for told in told_coordinates(model)), *poses.names]
    moving = {joint.name for _, joint in model.moving if joint.joint.nv and not joint.is_follower}
    if model.base == "prescribed":
        moving.add(model.joints[1].name)
    if model.closure.partition is not None:  # motors move the others
        independent = set(model.closure.partition.independent)
        moved = [*(name.partition("/")[0] for name in numbers.names), *poses.names]
        moving = {
            joint.name
            for joint in model.own_joints
            if independent & set(range(joint.v_index, joint.v_index + joint.joint.nv))
        }
    assert {*moved} == moving
    assert len(numbers.names) + len(poses.names) == len({*numbers.names, *poses.names})


@pytest.mark.parametrize(
    ("sequence", "limits", "low", "high"),
    [
        ("321", None, -np.pi / 3, np.pi / 3),
        ("313", None, np.pi / 6, np.pi * 5 / 6),
        ("313", (-2.0, 0.3), -2.0, -np.pi / 6),
        ("123", (1.0, 1.8), 1.0, np.pi / 3),
        ("123", (1.3, 1.8), 1.55, 1.55),  # nothing regular there: it stands still
        ("12", None, -1.0, 1.0),
    ],
)
def test_a_gimbal_stays_off_its_singular_attitudes(
    sequence: str, limits: tuple[float, float] | None, low: float, high: float
) -> None:
    builder = ModelBuilder("gimbal")
    for name in ("base", "hand"):
        builder.add_body(name)
    middle = JointLimits(*limits) if limits else JointLimits()
    each = [JointLimits(), middle, JointLimits()][: len(sequence)]
    builder.add_joint("wrist", Gimbal(sequence), "base", "hand", limits=each)
    plan = SmoothMotion(builder.build(), amplitude=1.0, period=4.0, seed=1)
    assert plan.center[1] - plan.reach[1] == pytest.approx(low)
    assert plan.center[1] + plan.reach[1] == pytest.approx(high)


def test_joints_really_move() -> None:
    plan = motion(amplitude=0.5)
    positions = np.array([plan.at(time).position for time in np.linspace(0, 20, 200)])
    assert (np.ptp(positions, axis=0) > 0.2 * plan.reach).all()
    assert (plan.reach > 0.0).all()


def test_without_limits_what_slides_goes_less_far_than_what_turns() -> None:
    plan = motion(OWN / "every_type.yaml")
    reach = dict(zip(plan.names, plan.reach, strict=True))
    assert {reach[name] for name in ("slide", "dh_prismatic")} == {0.2}
    assert {reach[name] for name in ("continuous", "dh_revolute", "helical")} == {np.pi}


def test_a_seed_names_a_motion() -> None:
    first, again, other = motion(seed=3), motion(seed=3), motion(seed=4)
    assert first.at(1.5).position.tolist() == again.at(1.5).position.tolist()
    assert first.at(1.5).position.tolist() != other.at(1.5).position.tolist()


@pytest.mark.parametrize(("amplitude", "period"), [(-0.1, 1.0), (1.1, 1.0), (0.5, 0.0)])
def test_impossible_motions_are_refused(amplitude: float, period: float) -> None:
    with pytest.raises(ArgumentError, match="amplitude must be 0 to 1"):
        motion(amplitude=amplitude, period=period)
