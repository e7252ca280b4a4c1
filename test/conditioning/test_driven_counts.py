"""What accelerations from forward dynamics cost at a message's rate, by instructions."""

from __future__ import annotations

import pytest

from robodyn_ros.conditioning.driven_step import driven_dynamics_step, driven_step
from robodyn_ros.kernels.trace import trace
from robots import example, loaded

#: Instructions at most: UR5, Panda, reduced Talos. The motion alone takes 3300, 4600 and 19800.
LIMITS = {
    driven_step: (4700, 7100, 29600),
    driven_dynamics_step: (6050, 9850, 39700),
}
ROBOTS = ("ur5_robot.urdf", "panda.urdf", "talos_reduced.urdf")


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("step", LIMITS)
def test_instructions_do_not_grow(step, robot: str) -> None:
    operation = step(loaded(example(robot)))
    found = trace(operation.evaluate, operation.signature)
    assert found.instruction_count <= LIMITS[step][ROBOTS.index(robot)]
