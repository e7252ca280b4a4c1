"""Inverse dynamics of closed mechanisms on a floating base."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import robodyn_ros as rd
from robodyn_ros.errors import ClosureError

Floats = NDArray[np.float64]

LEG = """
mechanism: 1
base: floating
bodies:
  shin: {mass: 3, com: [0, 0, -0.1], inertia: {shape: cylinder, radius: 0.05, length: 0.4}}
  foot: {mass: 1, com: [0.03, 0, -0.05], inertia: {shape: box, size: [0.2, 0.08, 0.03]}}
  left: {mass: 0.2, com: [-0.03, 0, 0], inertia: {shape: sphere, radius: 0.02}}
  right: {mass: 0.2, com: [-0.03, 0, 0], inertia: {shape: sphere, radius: 0.02}}
joints:
  ankle:
    type: universal
    first_axis: [0, 1, 0]
    second_axis: [1, 0, 0]
    parent: shin
    child: foot
    on_parent: {position: [0, 0, -0.4]}
  motor_left:
    type: revolute
    axis: [0, 1, 0]
    parent: shin
    child: left
    on_parent: {position: [0, 0.04, -0.2]}
    initial_position: 0.2
  motor_right:
    type: revolute
    axis: [0, 1, 0]
    parent: shin
    child: right
    on_parent: {position: [0, -0.04, -0.2]}
constraints:
  rod_left:
    type: rod
    body_1: left
    point_1: [-0.05, 0, 0]
    body_2: foot
    point_2: [-0.05, 0.04, 0]
    length: 0.2
  rod_right:
    type: rod
    body_1: right
    point_1: [-0.05, 0, 0]
    body_2: foot
    point_2: [-0.05, -0.04, 0]
    length: 0.2
"""
MOTORS = "actuated: [motor_left, motor_right]\n"
LEGS = [
    # foot on the platform, foot on the ground: a Stewart platform's
    ((0.3, -0.1, 0), (0.7, -0.4, -1)),
    ((0.3, 0.1, 0), (0.7, 0.4, -1)),
    ((-0.1, 0.3, 0), (0.0, 0.8, -1)),
    ((-0.2, 0.25, 0), (-0.7, 0.4, -1)),
    ((-0.2, -0.25, 0), (-0.7, -0.4, -1)),
    ((-0.1, -0.3, 0), (0.0, -0.8, -1)),
]


def stance(more: str = "") -> str:
    """Return a floating platform whose legs, of driven length, stand on the ground."""
    text = "mechanism: 1\nbase: floating\n"
    text += "bodies: {platform: {mass: 12, inertia: [1, 0, 0, 2, 0, 3]}}\n"
    text += (
        "controls: {" + ", ".join(f"leg{k}: {{initial_position: 1.1}}" for k in range(6)) + "}\n"
    )
    text += "constraints:\n"
    for k, (point, ground) in enumerate(LEGS):
        text += (
            f"  rod{k}: {{type: rod, body_1: world, point_1: {list(ground)}, body_2: platform,"
            f" point_2: {list(point)}, length: leg{k}}}\n"
        )
    return text + f"actuated: [{', '.join(f'leg{k}' for k in range(6))}]\n" + more


def moving(robot: rd.Robot, seed: int = 3) -> tuple[Floats, Floats, Floats]:
    """Return a closed state with random rates and accelerations that the constraints allow."""
    draw = np.random.default_rng(seed)
    q, _ = robot.initial_state
    motion = robot.complete(q, *draw.normal(size=(2, robot.model.nv)))
    return q, motion.v, motion.a


def test_a_base_that_nothing_holds_has_the_wrench_that_it_needs() -> None:
    robot = rd.load(LEG + MOTORS, compile="off")
    q, v, a = moving(robot)
    tau = robot.inverse_dynamics(q, v, a)
    tree = robot.mass_matrix(q) @ a + robot.bias_force(q, v)
    assert tau[:6] == pytest.approx(tree[:6], abs=1e-10)
    acting = [k for k, name in enumerate(robot.model.coordinate_names) if name.startswith("motor")]
    assert np.flatnonzero(tau).tolist() == [*range(6), *acting]
    assert robot.forward_dynamics(q, v, tau) == pytest.approx(a, abs=1e-9)
    terms = robot.effort_terms(q, v, a)
    assert terms.inertial + terms.coriolis + terms.gravity == pytest.approx(tau, abs=1e-10)
    assert robot.gravity_force(q)[5] == pytest.approx(9.81 * 4.4)


def test_one_motor_of_two_is_told_of() -> None:
    robot = rd.load(LEG + "actuated: [motor_left]\n", compile="off")
    with pytest.raises(
        ClosureError, match=r"2 freedoms beside .*, and motors at 1 coord.*left\); name"
    ):
        robot.inverse_dynamics(*moving(robot))


@pytest.mark.parametrize("more", ["", "independent: [floating_base]\n"], ids=["motors", "base"])
def test_a_base_that_motors_hold_has_none(more: str) -> None:
    robot = rd.load(stance(more), compile="off")
    assert robot.independent_names[0] == ("floating_base/rx" if more else "leg0")
    q, v, a = moving(robot)
    tau = robot.inverse_dynamics(q, v, a)
    assert not tau[:6].any()
    assert tau[6:].all()
    assert robot.forward_dynamics(q, v, tau) == pytest.approx(a, abs=1e-8)
