"""Fixtures of the tests that look at pages in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser import launched
from ros_graph import Graph


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for the tests of a file.

    Playwright keeps an event loop running in this thread as long as it lives: files that come later
    in this process could have none of their own.
    """
    with sync_playwright() as playwright:
        running = launched(playwright)
        yield running
        running.close()


@pytest.fixture(scope="module")
def graph() -> Iterator[Graph]:
    """A ROS graph of a file's own, cleaned up afterwards."""
    with closing(Graph()) as made:
        yield made
