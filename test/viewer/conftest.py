"""Pages on free ports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from robodyn_ros.viewer.page import Page


@pytest.fixture(scope="module")
def shared_page() -> Iterator[Page]:
    """One page for the tests of a file."""
    with Page(port=0) as made:
        yield made


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    """That page, empty."""
    yield shared_page
    shared_page.server.scene.reset()
    shared_page.server.gui.reset()
