"""Who listens to a topic, and the quick way to them.

rclpy's `Publisher.publish` finds out what kind of message it has and holds the publisher against
its end for every message. Here the message is bytes, and the publisher lives as long as the node.
"""

from __future__ import annotations

from collections.abc import Callable

from rclpy.publisher import Publisher

INTERVAL = 0.02
"""Seconds for which an answer is good."""


class Audience:
    """The subscribers of one publisher."""

    def __init__(self, publisher: Publisher) -> None:
        """Ask nothing yet."""
        self._publisher = publisher
        #: Publishes a serialised message.
        self.send: Callable[[bytes], None] = getattr(
            publisher.handle, "publish_raw", publisher.publish
        )
        self._there = False
        self._due = 0.0

    def is_there(self, now: float) -> bool:
        """Return whether anybody subscribes, as of at most `INTERVAL` before monotonic time, s."""
        if now >= self._due:
            self._due = now + INTERVAL
            self._there = self._publisher.get_subscription_count() > 0
        return self._there
