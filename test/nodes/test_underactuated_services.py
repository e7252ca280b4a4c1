"""Services of a mechanism with fewer motors than freedoms: they are there, and say what lacks."""

from __future__ import annotations

import rclpy
from rclpy.context import Context
from robodyn_interfaces.srv import BodyMotion, InverseDynamics

from dynamics_rig import Host, ServiceNode
from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.state_path import StatePath
from underactuated import CART

RAM_ALONE = CART + "actuated: [ram]\n"


def test_what_needs_no_efforts_is_answered() -> None:
    robot = load(RAM_ALONE, compile="off")
    context = Context()
    rclpy.init(context=context)
    node = ServiceNode(Host(robot.model), "underactuated", context=context)
    try:
        path = StatePath(robot, FramePlan(robot.model), Settings())
        node.services_of_dynamics.adopted(path)
        rest = {"names": ["slide", "ram"], "position": [0.1, 0.62]}
        assert node.answer("body_motion", BodyMotion.Request(**rest)).success
        reply = node.answer("inverse_dynamics", InverseDynamics.Request(**rest))
        assert not reply.success
        assert "2 freedoms, and motors at 1 coordinates (ram)" in reply.message
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)
