"""A topic of which only the newest message counts, taken as bytes and decoded when asked for."""

from __future__ import annotations

import time
from typing import Any, Generic, TypeVar

from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from rclpy.subscription import Subscription

from robodyn_ros.errors import quoted

T = TypeVar("T")

_WINDOW = 1.0
"""Seconds over which rates are counted, at least."""


class Latest(Generic[T]):
    """The newest message of a topic, while it is listened to.

    A robot may publish a thousand times a second what a page shows thirty times.
    """

    def __init__(self, node: Node, kind: type[T], topic: str, qos_profile: QoSProfile) -> None:
        """Prepare; nothing is subscribed before `listen`.

        Args:
            node: The node.
            kind: Type of the messages.
            topic: Their topic, as `node` resolves it.
            qos_profile: What is asked of publishers.
        """
        self._node = node
        self._kind = kind
        self._qos = qos_profile
        self._bytes: bytes | None = None
        self._subscription: Subscription | None = None
        self._count = 0
        self._counted = (0.0, 0)
        self._rate = 0.0
        #: Full name of the topic.
        self.topic: str = node.resolve_topic_name(topic)
        #: Monotonic time of the last message or, before it, of the subscription, s.
        self.last = time.monotonic()
        #: Why the last message could not be read; "" where it could.
        self.trouble = ""

    @property
    def is_listening(self) -> bool:
        """Whether the topic is subscribed."""
        return self._subscription is not None

    @property
    def has_come(self) -> bool:
        """Whether a message has come since `listen`."""
        return self._count > 0

    def listen(self) -> None:
        """Subscribe; again does nothing."""
        if self._subscription is None:
            self._bytes, self._count, self._rate = None, 0, 0.0
            self.last, self.trouble = time.monotonic(), ""
            self._counted = (self.last, 0)
            self._subscription = self._node.create_subscription(
                self._kind, self.topic, self._take, self._qos, raw=True
            )

    def stop(self) -> None:
        """Unsubscribe; again does nothing."""
        if self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def new(self) -> T | None:
        """Return the newest message if there is one that was not returned yet, else None."""
        data, self._bytes = self._bytes, None
        if data is None:
            return None
        try:
            found: T = deserialize_message(data, self._kind)
        except Exception as error:  # noqa: BLE001 - rclpy and the middleware have several
            self.trouble = f"{self.topic}: a message that cannot be read: {quoted(str(error), 120)}"
            return None
        self.trouble = ""
        return found

    def age(self) -> float:
        """Return the seconds since the last message, or since `listen`."""
        return time.monotonic() - self.last

    def rate(self) -> float:
        """Return the messages a second, counted over a second or more."""
        now = time.monotonic()
        begin, count = self._counted
        if now - begin >= _WINDOW:
            self._rate = (self._count - count) / (now - begin)
            self._counted = (now, self._count)
        return self._rate

    def _take(self, data: Any) -> None:
        self._bytes = data
        self._count += 1
        self.last = time.monotonic()
