"""Places where a joint's formulas change: no turn, half a turn, both signs of a quaternion."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, SECOND_TOLERANCE, derivatives, error, vee
from joint_cases import JOINTS, pose_at, same_place, state
from robodyn_ros.joints import Floating, Joint
from robodyn_ros.spatial import cross

FLOATING = Floating()
ROUNDING = 1e-14

SIMPLE = sorted(name for name in JOINTS if not name.startswith("reversed"))
WITH_QUATERNION = sorted(n for n in JOINTS if JOINTS[n].quaternion_start is not None)

HALF_TURN = np.array([0.6, -0.48, 0.64, 0.0])
QUATERNIONS = {
    "identity": [0.0, 0.0, 0.0, 1.0],
    "minus identity": [0.0, 0.0, 0.0, -1.0],
    "near identity": [1e-9, -2e-9, 0.0, 1.0],
    "near minus identity": [0.0, 3e-9, 1e-9, -1.0],
    "half turn": HALF_TURN,
    "half turn about x": [1.0, 0.0, 0.0, 0.0],
    "just under half a turn": [0.6, -0.48, 0.64, 1e-9],
    "just over half a turn": [0.6, -0.48, 0.64, -1e-9],
}


def with_quaternion(joint: Joint, quaternion: object) -> np.ndarray:
    q = state(joint, 0)[0]
    assert joint.quaternion_start is not None
    values = np.asarray(quaternion, dtype=float)
    q[joint.quaternion_start : joint.quaternion_start + 4] = values / np.linalg.norm(values)
    return q


@pytest.mark.parametrize("name", WITH_QUATERNION)
@pytest.mark.parametrize("place", QUATERNIONS)
def test_velocity_and_acceleration_are_right_everywhere(name: str, place: str) -> None:
    joint = JOINTS[name]
    q = with_quaternion(joint, QUATERNIONS[place])
    _, v, a = state(joint, 1)

    def along(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        return pose_at(joint, joint.integrate(q, v * t + 0.5 * a * t * t))

    R = joint.pose(q)[0]
    rate, second = derivatives(along)
    omega, velocity = vee(R.T @ rate[:, :3]), R.T @ rate[:, 3]
    S = joint.motion_subspace(q)
    assert error(S @ v, np.concatenate([omega, velocity])) < FIRST_TOLERANCE
    bias = joint.bias(q, v)
    found = S @ a + (np.zeros(6) if bias is None else bias)
    turning, sliding = vee(R.T @ second[:, :3]), R.T @ second[:, 3] - cross(omega, velocity)
    assert error(found, np.concatenate([turning, sliding])) < SECOND_TOLERANCE
    moving, _ = derivatives(lambda t: joint.integrate(q, v * t[:, None]))
    assert error(joint.rate(q, v), moving) < FIRST_TOLERANCE


@pytest.mark.parametrize("start", QUATERNIONS)
@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-8, 0.0099, 0.0101, 1.0, 2.0, 3.0, np.pi - 1e-6])
def test_difference_inverts_steps_up_to_half_a_turn(start: str, angle: float) -> None:
    q = with_quaternion(FLOATING, QUATERNIONS[start])
    step = np.concatenate([angle * HALF_TURN[:3], [0.3, -0.8, 0.5]])
    assert error(FLOATING.difference(q, FLOATING.integrate(q, step)), step) < 10 * ROUNDING


@pytest.mark.parametrize("start", QUATERNIONS)
def test_both_signs_of_a_quaternion_are_one_place(start: str) -> None:
    q = with_quaternion(FLOATING, QUATERNIONS[start])
    other = np.concatenate([q[:3], -q[3:]])
    assert error(FLOATING.difference(q, other), np.zeros(6)) < ROUNDING
    assert error(FLOATING.pose(q)[0], FLOATING.pose(other)[0]) < ROUNDING


def test_difference_takes_the_shorter_way() -> None:
    q = FLOATING.neutral()
    far = FLOATING.integrate(q, np.array([0.0, 0.0, 2.0 * np.pi - 0.5, 0.0, 0.0, 0.0]))
    assert error(FLOATING.difference(q, far)[:3], np.array([0.0, 0.0, -0.5])) < ROUNDING


@pytest.mark.parametrize("turns", [0.5, 1.0, 3.0, 20.0])
def test_whole_turns_follow_the_screw(turns: float) -> None:
    """A constant twist of w about z with speed w r along y runs round a circle of radius r."""
    angle, radius = 2.0 * np.pi * turns, 0.4
    step = np.array([0.0, 0.0, angle, 0.0, radius * angle, 0.0])
    q = FLOATING.integrate(FLOATING.neutral(), step)
    circle = radius * np.array([np.cos(angle) - 1.0, np.sin(angle), 0.0])
    assert error(q[:3], circle) < turns * ROUNDING


@pytest.mark.parametrize("name", SIMPLE)
def test_long_integration_stays_on_the_manifold(name: str) -> None:
    """3,000 steps of 1/100 reach where one step does, and a quaternion's norm does not drift."""
    joint = JOINTS[name]
    start, v, _ = state(joint, 2)
    steps = 3_000 if joint.quaternion_start is not None else 200
    q = start
    for _ in range(steps):
        q = joint.integrate(q, 1e-2 * v)
    assert same_place(joint, q, joint.integrate(start, 1e-2 * steps * v)) < 1e-11
    if joint.quaternion_start is not None:
        norm = np.linalg.norm(q[joint.quaternion_start : joint.quaternion_start + 4])
        assert abs(norm - 1.0) < 1e-15


@pytest.mark.parametrize("norm", [1.0 - 1e-6, 1.0 + 1e-6])
def test_integration_pulls_a_norm_within_tolerance_to_one(norm: float) -> None:
    q = with_quaternion(FLOATING, QUATERNIONS["just over half a turn"])
    q[3:] *= norm
    moved = FLOATING.integrate(q, np.zeros(6))
    assert abs(np.linalg.norm(moved[3:]) - 1.0) < 3e-12  # quadratic: the square of 1e-6


@pytest.mark.parametrize("angle", [0.0, 1e-300, np.pi / 2, np.pi, -np.pi, 2 * np.pi, 1e6])
@pytest.mark.parametrize("kind", ["revolute", "continuous"])
def test_angles_are_never_wrapped(kind: str, angle: float) -> None:
    joint = JOINTS[f"{kind}-skew"]
    q = joint.integrate(np.array([angle]), np.array([7.0]))
    assert q.tolist() == [angle + 7.0]
    assert joint.difference(np.array([angle]), q).tolist() == [angle + 7.0 - angle]
