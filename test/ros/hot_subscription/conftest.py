"""A node to subscribe with, and a graph to publish from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node


@pytest.fixture
def context() -> Iterator[Context]:
    context = Context()
    rclpy.init(context=context)
    yield context
    rclpy.try_shutdown(context=context)


@pytest.fixture
def node(context: Context) -> Iterator[Node]:
    node = Node("receiver", context=context)
    yield node
    node.destroy_node()
