"""Efforts that hold the weight although the driver adds it to commands: of Franka, of UR."""

from __future__ import annotations

import numpy as np
from robodyn_interfaces.msg import JointDynamics
from robodyn_interfaces.srv import InverseDynamics

from publisher_setup import ARM
from robodyn_ros import load
from ros_graph import Graph
from state_feed import StateFeed

ROBOT = load(ARM, compile="off")
NAMES = ROBOT.model.coordinate_names
BENT = np.linspace(0.1, 0.5, ROBOT.model.nq)
ROUNDING = 1e-6


def test_residuals_and_commands_are_told_apart(graph: Graph) -> None:
    weight = ROBOT.gravity_force(BENT)
    graph.start(
        "dynamics_server",
        {"robot_description_file": ARM, "driver_compensates_gravity": True},
    )
    feed = StateFeed(graph, NAMES, BENT)
    feed.effort = weight.tolist()
    heard = graph.listen(JointDynamics, "dynamics_server/joint_dynamics")

    def residual(expected: np.ndarray):
        return lambda: heard and np.allclose(heard[-1].residual, expected, atol=ROUNDING)

    graph.wait(residual(weight), "the weight as a residual")
    done = graph.set_parameters("dynamics_server", measured_efforts_include_gravity=True)
    assert done == [(True, "")]
    graph.wait(residual(np.zeros(len(NAMES))), "no residual")
    request = InverseDynamics.Request(position=BENT.tolist())
    reply = graph.call(InverseDynamics, "dynamics_server/inverse_dynamics", request)
    assert reply.success
    np.testing.assert_allclose(reply.effort, np.zeros(len(NAMES)), atol=ROUNDING)
