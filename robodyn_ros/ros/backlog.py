"""Messages that wait behind the one that a callback was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rclpy.subscription import Subscription

LIMIT = 8
"""Messages that may wait; of more only the newest are published, so that no lag builds up."""


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


def to_publish(names: Sequence[Sequence[str]]) -> list[bool]:
    """Return which of the waiting messages, oldest first, are to be published.

    All of a few; of more than `LIMIT` the newest with each list of names, so that an arm's messages
    do not push out its gripper's.

    Args:
        names: The joint names of each message.
    """
    if len(names) <= LIMIT:
        return [True] * len(names)
    newest = {tuple(each): place for place, each in enumerate(names)}
    keep = set(newest.values())
    return [place in keep for place in range(len(names))]
