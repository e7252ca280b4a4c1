"""N of a closed mechanism: the rates that it allows, and dynamics in few coordinates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robodyn_ros.errors import ArgumentError, ClosureError
from robodyn_ros.robot.kernel_source import Compile

pytestmark = pytest.mark.usefixtures("compiling_here")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["four_bar", "delta_robot", "stewart_platform_rods"])
@pytest.mark.parametrize("compile", ["off", "wait"])
def test_dynamics_in_independent_coordinates(name: str, compile: Compile) -> None:
    robot = rd.load(EXAMPLES / f"{name}.yaml", compile=compile)
    q, _ = robot.initial_state
    N = robot.motion_basis(q)
    assert N.shape == (robot.model.nv, robot.mobility)
    assert np.max(np.abs(robot.constraint_jacobian(q) @ N)) < 1e-9
    independent = [robot.model.coordinate_names.index(x) for x in robot.independent_names]
    assert np.array_equal(N[independent], np.eye(robot.mobility))
    rng = np.random.default_rng(1)
    v, a = (N @ rng.normal(size=robot.mobility) for _ in range(2))
    motion = robot.complete(q, v, a)
    assert error(motion.v, v) < 1e-12
    # With a motor on each independent coordinate its effort is the reduced one.
    reduced = N.T @ (robot.mass_matrix(q) @ motion.a + robot.bias_force(q, v))
    assert error(robot.inverse_dynamics(q, v, a)[independent], reduced) < 1e-9
    rows = robot.motion_basis(np.stack([q, q]))
    assert error(rows[1], N) < 1e-12


def test_a_tree_has_none() -> None:
    arm = rd.load(EXAMPLES.parent / "urdf" / "demo_arm.urdf", compile="off")
    with pytest.raises(ArgumentError, match="is a tree"):
        arm.motion_basis(arm.initial_state[0])


def test_two_values_for_one_freedom_are_told() -> None:
    arm = rd.load(EXAMPLES / "palletiser.yaml", compile="off")
    q, _ = arm.initial_state
    with pytest.raises(ClosureError, match="only 1 of the 2 can be given"):
        arm.assemble(q, axis_2=0.1, triangle_pin=0.1)
