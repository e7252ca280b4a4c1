"""Whether anybody listens to a topic, asked seldom: the answer costs more than a small message."""

from __future__ import annotations

from rclpy.publisher import Publisher

INTERVAL = 0.02
"""Seconds for which an answer is good."""


class Audience:
    """The subscribers of one publisher."""

    def __init__(self, publisher: Publisher) -> None:
        """Ask nothing yet."""
        self._publisher = publisher
        self._there = False
        self._due = 0.0

    def is_there(self, now: float) -> bool:
        """Return whether anybody subscribes, as of at most `INTERVAL` before monotonic time, s."""
        if now >= self._due:
            self._due = now + INTERVAL
            self._there = self._publisher.get_subscription_count() > 0
        return self._there
