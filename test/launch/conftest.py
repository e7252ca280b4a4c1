"""Fixtures of the tests with real node processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ros_graph import Graph


@pytest.fixture
def graph() -> Iterator[Graph]:
    """A ROS graph of the test's own, cleaned up afterwards."""
    made = Graph()
    yield made
    made.close()
