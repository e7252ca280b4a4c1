"""Fixtures of the tests with real node processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from publisher_setup import Setup
from ros_graph import Graph


@pytest.fixture(scope="module")
def running() -> Iterator[Setup]:
    """One state publisher of the demo arm for all tests of a file that need no other."""
    with closing(Graph()) as graph:
        yield Setup(graph, bodies=True)


@pytest.fixture
def arm(running: Setup) -> Setup:
    """The running state publisher, in a time of the test's own."""
    return running.fresh()  # type: ignore[no-any-return]
