"""The names of a robot's topics and services."""

from __future__ import annotations

from typing import NamedTuple


class RobotNames(NamedTuple):
    """Where a robot is found in the ROS graph.

    Attributes:
        namespace: Its namespace, relative to the viewer's; "" for that.
        server: Node that publishes its state and its efforts.
        simulator: Node that simulates it.
        demo: Node that plays motions.
        command_topic: Topic that positions are sent to in place of the simulator's; "" for that.
    """

    namespace: str
    server: str
    simulator: str
    demo: str
    command_topic: str = ""

    def own(self, name: str) -> str:
        """Return a name of the robot itself, such as "joint_states"; absolute ones stay."""
        if not self.namespace or name.startswith("/"):
            return name
        return f"{self.namespace}/{name}"

    def of(self, node: str, name: str) -> str:
        """Return the name of what a node offers under its own name, "~/..."."""
        return f"{self.own(node)}/{name}"
