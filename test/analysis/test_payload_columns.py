"""The columns of a payload are what inverse dynamics makes of it."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.analysis.payload_columns import FrameMotion, payload_columns
from robodyn_ros.model.inertia import parameters_of
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import cross
from robots import every_base, random_state, random_tree

ROUNDING = 1e-9


@every_base
@pytest.mark.parametrize("name", ["tool", "b5"])
def test_columns_times_parameters_are_the_efforts(base: str, name: str) -> None:
    model = random_tree(5, bodies=9, base=base)
    robot = Robot(model, compile="off")
    robot.gravity = (1.0, -2.0, -9.0)
    if base == "prescribed":
        robot.set_base_motion(
            linear_acceleration=(0.3, -0.2, 0.5), angular_velocity=(0.1, 0.4, -0.3)
        )
    q, v, a = random_state(model, 6)
    frame, motion = model.frame(name), robot.body_motion(q, v, a)
    R_WB, w, dw = (
        x[frame.body]
        for x in (motion.rotation, motion.angular_velocity, motion.angular_acceleration)
    )
    arm = R_WB @ frame.position
    moved = FrameMotion(
        robot.jacobian(q, name),
        R_WB @ frame.rotation,
        w,
        dw,
        motion.linear_acceleration[frame.body] + cross(dw, arm) + cross(w, cross(w, arm)),
    )
    mass, com, inertia = 0.8, np.array([0.1, -0.2, 0.3]), np.diag([0.02, 0.03, 0.04])
    columns = payload_columns(moved, robot.gravity)
    before = robot.inverse_dynamics(q, v, a)
    robot.set_payload(name, mass, com, inertia)
    added = robot.inverse_dynamics(q, v, a) - before
    np.testing.assert_allclose(
        columns @ parameters_of(mass, com, inertia), added, rtol=0.0, atol=ROUNDING
    )
