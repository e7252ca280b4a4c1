"""What the algorithms of dynamics cost, by the instructions of their traces: no clock is asked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from robodyn_ros.algorithms import (
    center_of_mass_jacobian,
    centroidal_momentum,
    centroidal_momentum_matrix,
    energy,
    inverse_dynamics,
    jacobian_bias,
    momentum,
    regressor,
    robot_center_of_mass,
)
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import trace
from robodyn_ros.model import Environment, Model
from robots import example, loaded
from tracing import as_arrays

Function = Callable[..., object]
TOOLS = ("tool0", "panda_hand", "gripper_left_base_link")


def tool_of(model: Model) -> str:
    return next(name for name in TOOLS if name in model.frames)


#: Instructions at most: UR5, Panda, reduced Talos. The pages of docs/algorithms say what they are.
LIMITS: dict[str, tuple[Function, tuple[int, int, int]]] = {
    "inverse_dynamics": (
        lambda m, q, v, a, at: inverse_dynamics(m, q, v, a, environment=at),
        (350, 770, 3300),
    ),
    "energy": (lambda m, q, v, a, at: energy(m, q, v, environment=at), (225, 470, 1960)),
    "momentum": (lambda m, q, v, a, at: momentum(m, q, v), (266, 576, 2370)),
    "centroidal_momentum": (lambda m, q, v, a, at: centroidal_momentum(m, q, v), (306, 660, 2710)),
    "centroidal_momentum_matrix": (
        lambda m, q, v, a, at: centroidal_momentum_matrix(m, q),
        (400, 760, 3310),
    ),
    "robot_center_of_mass": (
        lambda m, q, v, a, at: robot_center_of_mass(m, q, v, a),
        (453, 1060, 4200),
    ),
    "center_of_mass_jacobian": (
        lambda m, q, v, a, at: center_of_mass_jacobian(m, q),
        (101, 264, 1200),
    ),
    "jacobian_bias": (
        lambda m, q, v, a, at: jacobian_bias(m, q, v, tool_of(m)),
        (306, 360, 540),
    ),
    "regressor": (
        lambda m, q, v, a, at: regressor(m, q, v, a, environment=at),
        (3010, 5200, 28400),
    ),
}

ROBOTS = ("ur5_robot.urdf", "panda.urdf", "talos_reduced.urdf")


def instructions(model: Model, function: Function) -> int:
    """Return the instructions of a function of q, v, a and gravity."""
    inputs = (("q", (model.nq,)), ("v", (model.nv,)), ("a", (model.nv,)), ("gravity", (3,)))

    def evaluate(*given: np.ndarray) -> tuple[np.ndarray, ...]:
        *state, gravity = given
        return tuple(as_arrays(function(model, *state, Environment(gravity=gravity))))

    shapes = [x.shape for x in evaluate(*(np.ones(shape) for _, shape in inputs))]
    outputs = tuple((f"result{k}", shape) for k, shape in enumerate(shapes))
    return trace(evaluate, Signature("counted", inputs, outputs)).instruction_count


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("name", LIMITS)
def test_instructions_do_not_grow(name: str, robot: str) -> None:
    function, limits = LIMITS[name]
    found = instructions(loaded(example(robot)), function)
    assert found <= limits[ROBOTS.index(robot)], found
