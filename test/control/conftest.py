"""Robots that control laws are tried on."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robots import example


@pytest.fixture(scope="module", params=["panda.urdf", "ur5_robot.urdf"])
def robot(request: pytest.FixtureRequest) -> rd.Robot:
    """A real arm, by plain functions."""
    return rd.load(str(example(request.param)), compile="wait")


@pytest.fixture
def rng() -> np.random.Generator:
    """Numbers that are the same in every run."""
    return np.random.default_rng(7)
