"""Messages that wait behind the one that a callback was given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rclpy.subscription import Subscription

LIMIT = 8
"""Messages that may wait; of more only the newest is published, so that no lag builds up."""


def waiting(subscription: Subscription) -> Iterator[Any]:
    """Take and yield what is in a subscription's queue, oldest first.

    The executor takes one message at each of its turns, which cost more than most callbacks. This
    takes the others the way it does itself (`rclpy.executors.Executor._take_subscription`), in a
    turn bounded by the queue's depth.
    """
    with subscription.handle:
        for _ in range(subscription.qos_profile.depth):
            taken = subscription.handle.take_message(subscription.msg_type, subscription.raw)
            if taken is None:
                return
            yield taken[0]
