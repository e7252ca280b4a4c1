"""A switch that has to be held."""

from __future__ import annotations

import time

from rclpy.exceptions import InvalidTopicNameException
from rclpy.node import Node
from std_msgs.msg import Bool

from robodyn_ros.control.faults import Fault, FaultKind
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.graph_watch import Endpoint


class Deadman:
    """Follows a std_msgs/Bool; without a topic it counts as held."""

    def __init__(self, node: Node, topic: str, timeout: float) -> None:
        """Subscribe.

        Args:
            node: The node.
            topic: Of the switch, "" for none.
            timeout: s for which it may be silent.

        Raises:
            ArgumentError: the topic has no possible name.
        """
        self._topic, self._timeout = topic, timeout
        self._held = False
        self._let_go = False
        self._heard = -float("inf")
        self.ends: tuple[Endpoint, ...] = ()
        if not topic:
            return
        try:
            node.create_subscription(Bool, topic, self._received, qos.STREAM)
        except InvalidTopicNameException as error:
            raise ArgumentError(
                f"deadman_topic {quoted(topic)} is no name of a topic: {error}"
            ) from None
        self.ends = (Endpoint(topic, Bool, qos.STREAM),)

    def _received(self, message: Bool) -> None:
        self._held, self._heard = bool(message.data), time.monotonic()
        self._let_go = self._let_go or not self._held

    def begin(self) -> None:
        """Forget that it was let go."""
        self._let_go = not self._held

    def fault(self, now: float, *, past: bool = True) -> Fault | None:
        """Return what is wrong at a monotonic time, s; None while it is held.

        Args:
            now: s.
            past: Whether it counts that it was let go since `begin`, however shortly.
        """
        if not self._topic:
            return None
        silent = now - self._heard
        if silent > self._timeout:
            said = (
                "has never been heard"
                if silent == float("inf")
                else f"is silent for {silent:.2f} s"
            )
            return Fault(FaultKind.DEADMAN, f"the deadman on {quoted(self._topic)} {said}")
        if not self._held or (past and self._let_go):
            return Fault(FaultKind.DEADMAN, f"the deadman on {quoted(self._topic)} is let go")
        return None
