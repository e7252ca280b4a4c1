"""Both ends of a call of the dynamics services: a node that asks, and a server of a UR5."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import rclpy
from rclpy.context import Context
from rclpy.node import Node

from dynamics_rig import Host, ServiceNode
from robots import example, loaded
from spinning import Spinning

POSITION = [0.3, -1.1, 0.9, -0.4, 0.8, 0.2]
"""Of the UR5."""


def ur5() -> Host:
    """Return a UR5 with its services."""
    return Host(loaded(example("ur5_robot.urdf")))


def serve(name: str = "dynamics_server", host: Host | None = None) -> Spinning:
    """Return a running server, in a context of its own as in another process; of a new UR5."""
    served = ur5() if host is None else host
    return Spinning(lambda context: ServiceNode(served, name, context=context))


@contextmanager
def asking_node() -> Iterator[Node]:
    """Give a node that nobody spins, in a context of its own that may end on the way."""
    context = Context()
    rclpy.init(context=context)
    node = Node("user", context=context)
    yield node
    node.destroy_node()
    if context.ok():
        rclpy.shutdown(context=context)
