"""A quaternion in q has norm 1 within 1e-6; the error names the joint and the place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robots import random_state

QUATERNION = slice(3, 7)

CALLS: dict[str, Callable[[rd.Robot, np.ndarray], Any]] = {
    "body_motion": lambda robot, q: robot.body_motion(q),
    "center_of_mass_motion": lambda robot, q: robot.center_of_mass_motion(q),
    "jacobian": lambda robot, q: robot.jacobian(q, "tool"),
    "integrate": lambda robot, q: robot.integrate(q, np.zeros(robot.model.nv)),
    "difference from": lambda robot, q: robot.difference(q, robot.neutral()),
    "difference to": lambda robot, q: robot.difference(robot.neutral(), q),
    "configuration": lambda robot, q: robot.configuration({}, default=q),
}
every_call = pytest.mark.parametrize("call", CALLS)


def with_norm(robot: rd.Robot, norm: float, seed: int = 0) -> np.ndarray:
    q = random_state(robot.model, seed)[0]
    q[QUATERNION] *= norm
    return q


@every_call
@pytest.mark.parametrize("norm", [1.0 - 0.99e-6, 1.0 - 1e-9, 1.0 + 1e-9, 1.0 + 0.99e-6, -1.0])
def test_within_the_tolerance(robot: rd.Robot, call: str, norm: float) -> None:
    CALLS[call](robot, with_norm(robot, norm))


@every_call
@pytest.mark.parametrize("norm", [1.0 - 1.01e-6, 1.0 + 1.01e-6, 0.0, 0.5, 2.0, 1e-200, 1e200])
def test_beyond_the_tolerance(robot: rd.Robot, call: str, norm: float) -> None:
    with pytest.raises(rd.ArgumentError) as caught:
        CALLS[call](robot, with_norm(robot, norm))
    text = str(caught.value)
    assert "'floating_base'" in text
    assert "q[3:7]" in text
    assert "normalise" in text
    assert "\n" not in text


@every_call
def test_one_bad_row_of_a_batch_is_enough(robot: rd.Robot, call: str) -> None:
    q = np.stack([with_norm(robot, 1.0), with_norm(robot, 1.0), with_norm(robot, 1.1)])
    with pytest.raises(rd.ArgumentError, match=r"floating_base.*norm 1\.1"):
        CALLS[call](robot, q)


def test_every_quaternion_is_checked(robot: rd.Robot) -> None:
    others = [
        joint
        for joint in robot.model.own_joints
        if joint.joint.quaternion_start is not None and joint.q_index
    ]
    assert others
    for joint in others:
        q = with_norm(robot, 1.0)
        q[joint.q_index + 3 : joint.q_index + 7] *= 1.01
        with pytest.raises(rd.ArgumentError, match=f"'{joint.name}'"):
            robot.body_motion(q)


def test_a_norm_a_little_off_still_gives_rotations(robot: rd.Robot) -> None:
    exact = robot.body_motion(with_norm(robot, 1.0))
    for norm in (1.0 - 0.99e-6, 1.0 + 0.99e-6, -1.0):
        motion = robot.body_motion(with_norm(robot, norm))
        for R in motion.rotation:
            assert error(R @ R.T, np.eye(3)) < 1e-13
        for x, y in zip(motion, exact, strict=True):
            assert error(x, y) < 1e-13


def test_integrate_normalises(robot: rd.Robot) -> None:
    q = with_norm(robot, 1.0 + 0.99e-6)
    moved = robot.integrate(q, np.zeros(robot.model.nv))
    assert abs(np.linalg.norm(moved[QUATERNION]) - 1.0) < 1e-11


def test_a_robot_without_quaternions_checks_nothing() -> None:
    from robots import OWN_ROBOTS

    robot = rd.load(OWN_ROBOTS / "skew_axes.urdf", compile="off")
    assert robot.body_motion(np.full(robot.model.nq, 7.0)).position.shape[1] == 3
