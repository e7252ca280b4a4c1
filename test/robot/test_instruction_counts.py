"""What the kernels of dynamics cost, by the instructions of their traces: no clock is asked."""

from __future__ import annotations

import pytest

from robodyn_ros.kernels.trace import trace
from robodyn_ros.model import Model
from robodyn_ros.robot.catalogue import operation
from robots import example, loaded

ROBOTS = ("ur5_robot.urdf", "panda.urdf", "talos_reduced.urdf")
TOOLS = ("tool0", "panda_hand", "gripper_left_base_link")

#: Instructions at most: UR5, Panda, reduced Talos. The pages of docs/algorithms say what they are.
LIMITS = {
    "inverse_dynamics": (350, 770, 3300),
    "inverse_dynamics+loaded": (610, 900, 3400),
    "effort_terms": (535, 1420, 5900),
    "gravity_force": (65, 240, 680),
    "energy": (225, 470, 1960),
    "momentum": (266, 576, 2370),
    "centroidal_momentum": (306, 660, 2710),
    "centroidal_momentum_matrix": (400, 760, 3310),
    "robot_center_of_mass": (453, 1060, 4200),
    "center_of_mass_jacobian": (101, 264, 1200),
    "jacobian_bias": (306, 360, 540),
    "regressor": (3010, 5200, 28400),
}


def full_name(model: Model, name: str) -> str:
    """Return the operation's name, of the robot's tool where it is of a frame."""
    if name != "jacobian_bias":
        return name
    return f"{name}:{next(tool for tool in TOOLS if tool in model.frames)}"


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("name", LIMITS)
def test_instructions_do_not_grow(name: str, robot: str) -> None:
    model = loaded(example(robot))
    described = operation(model, full_name(model, name))
    found = trace(described.evaluate, described.signature).instruction_count
    assert found <= LIMITS[name][ROBOTS.index(robot)], found
