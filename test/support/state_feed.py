"""Joint states of a robot that stands still, published by the test's own node at a rate."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sensor_msgs.msg import JointState

from ros_graph import Graph, joint_state

PERIOD = 0.01


class StateFeed:
    """Publishes while the graph spins.

    Attributes:
        position, velocity, effort: What is published; may be changed at any time.
        running: Whether it publishes at all.
        shift: Added to the stamps, s.
    """

    def __init__(self, graph: Graph, names: Sequence[str], position: Sequence[float]) -> None:
        self.names, self.position = list(names), list(position)
        self.velocity = [0.0] * len(self.names)
        self.effort: list[float] = []
        self.running = True
        self.shift = 0.0
        self._publisher = graph.publisher(JointState, "joint_states")
        self._timer = graph.node.create_timer(PERIOD, self._publish)

    def _publish(self) -> None:
        if self.running:
            message = joint_state(
                self.names,
                self.position,
                self.velocity,
                stamp=time.time() + self.shift,
                effort=self.effort,
            )
            self._publisher.publish(message)
