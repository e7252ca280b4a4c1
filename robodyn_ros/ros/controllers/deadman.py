"""A switch that has to be held."""

from __future__ import annotations

import time

from rclpy.exceptions import InvalidTopicNameException
from rclpy.node import Node
from rclpy.serialization import deserialize_message
from std_msgs.msg import Bool

from robodyn_ros.control.faults import Fault, FaultKind
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.hot_subscription import HotSubscription


class Deadman:
    """Follows a std_msgs/Bool; without a topic it counts as held.

    It is heard in a thread of its own, if `HotSubscription` can have one: the node's executor may
    be busy with other things.
    """

    def __init__(self, node: Node, topic: str, timeout: float) -> None:
        """Subscribe; it is heard from `start` on.

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
        self._hot: HotSubscription | None = None
        self.ends: tuple[Endpoint, ...] = ()
        if not topic:
            return
        try:
            self._hot = HotSubscription(node, Bool, topic, qos.STREAM, self._received)
        except InvalidTopicNameException as error:
            raise ArgumentError(
                f"deadman_topic {quoted(topic)} is no name of a topic: {error}"
            ) from None
        self.ends = (Endpoint(topic, Bool, qos.STREAM),)

    def start(self) -> None:
        """Begin to hear it."""
        if self._hot is not None:
            self._hot.start()

    def stop(self) -> None:
        """Hear it no more."""
        if self._hot is not None:
            self._hot.stop()

    def _received(self, messages: list[bytes]) -> None:
        for data in messages:
            try:
                held = bool(deserialize_message(data, Bool).data)
            except Exception:  # noqa: BLE001 - whatever cannot be read does not hold it
                held = False
            now = time.monotonic()
            # Perhaps nobody looked during a silence. Never set back here: `begin` does that.
            if not held or now - self._heard > self._timeout:
                self._let_go = True
            self._held, self._heard = held, now

    def begin(self) -> None:
        """Forget that it was let go."""
        self._let_go = not self._held

    def fault(self, now: float, *, past: bool = True) -> Fault | None:
        """Return what is wrong at a monotonic time, s; None while it is held.

        Args:
            now: s.
            past: Whether it counts that it was let go or silent since `begin`, however shortly.
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
