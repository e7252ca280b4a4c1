"""What several tests of this folder need."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Model


@pytest.fixture(scope="session")
def quietly() -> Callable[[str | bytes], Model | None]:
    """Return a loader that gives None for a proper error and fails on any other or on output."""

    def load(source: str | bytes) -> Model | None:
        printed, message = io.StringIO(), ""
        model = None
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
            try:
                model = load_model(source)
            except DescriptionError as error:
                message = str(error)
        assert printed.getvalue() == ""
        assert (model is None) == bool(message)
        assert "\n" not in message
        assert len(message) < 1200
        return model

    return load
