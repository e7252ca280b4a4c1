"""Conventions that simulators differ in: limits that are not known, mounts, weights, armature."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.robot import Robot, load
from robodyn_ros.simulation import Simulator

LIMIT = '<limit lower="-3" upper="3" velocity="9" {}/>'


def lever(turned: float = 0.0, limit: str = "", tool: float = 0.0) -> Robot:
    """Return a lever about y, with a tool 0.3 m out on a fixed joint, on a turned mount."""
    inertia = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
    return load(
        f"""<robot name="lever"><link name="b"/><link name="l"><inertial><origin xyz="0.3 0.1 0.2"/>
        <mass value="1"/>{inertia}</inertial></link><link name="t"><inertial>
        <mass value="{1e-3 + tool}"/>{inertia}</inertial></link>
        <joint name="j" type="revolute"><parent link="b"/><child link="l"/><axis xyz="0 1 0"/>
        <origin rpy="{turned} 0 0" xyz="0 0 0"/>{LIMIT.format(limit)}</joint>
        <joint name="f" type="fixed"><parent link="l"/><child link="t"/>
        <origin xyz="0.3 0 0" rpy="0.3 0.2 0.1"/></joint></robot>""",
        compile="off",
    )


def moved(robot: Robot, steps: int = 50) -> Simulator:
    simulator = Simulator(robot)
    simulator.advance(steps)
    return simulator


@pytest.mark.parametrize(
    ("limit", "effort"),
    [("", 20.0), ('effort="0"', 20.0), ('effort="1e300"', 20.0), ('effort="5"', 5.0)],
)
def test_an_effort_limit_of_zero_is_not_known(limit: str, effort: float) -> None:
    simulator = Simulator(lever(limit=limit))
    simulator.command_effort(["j"], [20.0])
    simulator.advance(2)
    np.testing.assert_array_equal(simulator.effort, [effort])


def test_a_turned_mount_is_turned_gravity() -> None:
    mounted, other = lever(turned=1.2), lever()
    other.gravity = [0.0, np.sin(1.2) * -9.81, np.cos(1.2) * -9.81]
    mounted.gravity = [0.0, 0.0, -9.81]
    np.testing.assert_allclose(moved(mounted).q, moved(other).q, rtol=1e-12)


def test_a_payload_of_nothing_changes_no_bit_and_one_is_as_heavy_as_a_link() -> None:
    alone, nothing, loaded = lever(), lever(), lever()
    nothing.set_payload("t", 0.0)
    loaded.set_payload("t", 1.0)
    np.testing.assert_array_equal(moved(nothing).q, moved(alone).q)
    np.testing.assert_allclose(moved(loaded).q, moved(lever(tool=1.0)).q, rtol=1e-12)
    loaded.set_payload("t", 0.0)
    np.testing.assert_array_equal(moved(loaded).q, moved(alone).q)


def test_a_moment_turns_and_armature_is_an_inertia_of_the_joint() -> None:
    robot = lever()
    robot.gravity = [0.0, 0.0, 0.0]
    simulator = Simulator(robot, step=1e-5)
    simulator.hold_wrench("l", [0.0, 10.0, 0.0, 0.0, 0.0, 0.0])
    simulator.advance()
    inertia = robot.mass_matrix(simulator.q)[0, 0]
    np.testing.assert_allclose(simulator.a, [10.0 / inertia], rtol=1e-6)
    robot.set_joint_parameters("j", armature=0.5)
    simulator.set_state()
    simulator.advance()
    np.testing.assert_allclose(simulator.a, [10.0 / (inertia + 0.5)], rtol=1e-6)
