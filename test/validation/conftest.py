"""Planar mechanisms on both branches, beside their closed forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from closed.planar_four_bar import CRANK_ROCKER
from closed.turns import Case, four_bar_case, slider_crank_case


@pytest.fixture(
    params=[(name, branch) for name in ("four_bar", "slider_crank") for branch in (1, -1)],
    ids=["four_bar+", "four_bar-", "slider_crank+", "slider_crank-"],
)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    """A mechanism whose crank can turn all the way, on one of its branches."""
    name, branch = request.param
    if name == "four_bar":
        return four_bar_case(tmp_path, CRANK_ROCKER, branch)
    return slider_crank_case(tmp_path, branch)
