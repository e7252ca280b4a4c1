"""Fixtures of the tests with real node processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from ros_graph import Graph


@pytest.fixture
def graph() -> Iterator[Graph]:
    """A ROS graph of the test's own, cleaned up afterwards."""
    with closing(Graph()) as made:
        yield made
