"""A node that holds a robot where it found it, and asks for inverse dynamics in its control loop.

    python examples/inverse_dynamics_node.py

It follows `joint_states`, asks `dynamics_server` 100 times a second for the efforts of the wanted
accelerations, and publishes them, by joint name, on `effort_command`. The call waits for its reply
in the timer's callback: with `DynamicsClient` that is allowed in any executor.
"""

from __future__ import annotations

import sys

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from sensor_msgs.msg import JointState

from robodyn_ros.errors import RobodynError
from robodyn_ros.ros.client import DynamicsClient

RATE = 100.0  # Hz
STIFFNESS = 100.0  # 1/s^2: acceleration for each rad off
DAMPING = 20.0  # 1/s
PATIENCE = 0.5  # s without an answer: nothing is sent then


class HoldingNode(Node):
    """Computed torque about the first position that came."""

    def __init__(self) -> None:
        super().__init__("inverse_dynamics_node")
        self._dynamics = DynamicsClient(self, "dynamics_server", timeout=PATIENCE)
        self._goal: dict[str, float] = {}
        self._state: JointState | None = None
        self._commands = self.create_publisher(JointState, "effort_command", 10)
        self.create_subscription(JointState, "joint_states", self._received, 10)
        self.create_timer(1.0 / RATE, self._control)

    def destroy_node(self) -> None:
        """End the client's thread with the node."""
        self._dynamics.close()
        super().destroy_node()

    def _received(self, message: JointState) -> None:
        self._state = message
        if not self._goal:
            self._goal = dict(zip(message.name, message.position, strict=True))

    def _control(self) -> None:
        state = self._state
        if state is None:
            return
        position = dict(zip(state.name, state.position, strict=True))
        velocity = dict(zip(state.name, state.velocity, strict=True))
        wanted = {
            name: STIFFNESS * (self._goal[name] - position[name]) - DAMPING * velocity[name]
            for name in state.name
        }
        try:
            efforts = self._dynamics.inverse_dynamics(position, velocity, wanted)
        except RobodynError as error:  # refused, or no answer in time
            if not rclpy.ok():
                return
            self.get_logger().warning(str(error), throttle_duration_sec=2.0)
            return
        command = JointState(
            name=[*efforts.names],
            position=state.position,
            velocity=state.velocity,
            effort=efforts.effort.tolist(),
        )
        command.header.stamp = state.header.stamp
        self._commands.publish(command)


def main() -> int:
    """Run the node until Ctrl-C."""
    rclpy.init()
    node = HoldingNode()
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        node.destroy_node()
        rclpy.try_shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
