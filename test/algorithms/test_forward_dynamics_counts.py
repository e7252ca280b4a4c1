"""What mass matrix, accelerations, derivatives and Coriolis matrix cost, by instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from robodyn_ros.algorithms.articulated_bodies import articulated_accelerations
from robodyn_ros.algorithms.coriolis_matrix import velocity_matrix
from robodyn_ros.algorithms.derivatives import effort_derivatives
from robodyn_ros.algorithms.forward_derivatives import acceleration_derivatives
from robodyn_ros.algorithms.forward_dynamics import accelerations, solved_accelerations
from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import trace
from robodyn_ros.model import Environment, Model
from robots import example, loaded
from tracing import as_arrays

ROBOTS = ("ur5_robot.urdf", "talos_reduced.urdf")

#: Instructions at most: UR5, reduced Talos. The pages of docs/algorithms say what they are.
LIMITS: dict[str, tuple[Callable[..., Any], tuple[int, int]]] = {
    "mass_matrix": (lambda m, q, v, x, at: inertia_matrix(m, q, at), (220, 3450)),
    "articulated bodies": (articulated_accelerations, (755, 7750)),
    "forward_dynamics_by_mass_matrix": (solved_accelerations, (680, 8250)),
    "inverse_dynamics_derivatives": (effort_derivatives, (1300, 23200)),
    "forward_dynamics_derivatives": (acceleration_derivatives, (2690, 41800)),
    "coriolis_matrix": (lambda m, q, v, x, at: velocity_matrix(m, q, v, at), (635, 12250)),
}


def operations(model: Model, function: Callable[..., Any]) -> tuple[int, Counter[str]]:
    """Return the instructions of a function of q, v, a or tau and gravity, and their kinds."""
    inputs = (("q", (model.nq,)), ("v", (model.nv,)), ("x", (model.nv,)), ("gravity", (3,)))
    around = Surroundings.of(model, Environment())

    def evaluate(*given: np.ndarray) -> tuple[np.ndarray, ...]:
        *state, gravity = given
        return tuple(as_arrays(function(model, *state, around._replace(gravity=gravity))))

    shapes = [x.shape for x in evaluate(*(np.ones(shape) for _, shape in inputs))]
    outputs = tuple((f"result{k}", shape) for k, shape in enumerate(shapes))
    program = trace(evaluate, Signature("counted", inputs, outputs))
    return program.instruction_count, program.operation_counts


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("name", LIMITS)
def test_instructions_do_not_grow(name: str, robot: str) -> None:
    model = loaded(example(robot))
    function, limits = LIMITS[name]
    found, kinds = operations(model, function)
    assert found <= limits[ROBOTS.index(robot)], found
    # One for each pivot: divisions are what a processor is slow at.
    assert kinds["div"] <= model.nv
    assert kinds["sin"] <= model.lumped.rates


@pytest.mark.parametrize(
    ("robot", "base"),
    [(robot, base) for robot in (*ROBOTS, "solo12.urdf") for base in ("fixed", "floating")],
)
def test_accelerations_go_the_shorter_way(robot: str, base: str) -> None:
    model = loaded(example(robot), base)
    chosen, articulated, solved = (
        operations(model, way)[0]
        for way in (accelerations, articulated_accelerations, solved_accelerations)
    )
    assert chosen == min(articulated, solved)
