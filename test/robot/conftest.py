"""Robots for the tests of the facade: one on the plain functions, one on compiled kernels."""

from __future__ import annotations

import pytest

import robodyn_ros as rd
from compiling import CompilingHere
from robodyn_ros.robot import kernel_source
from robots import random_tree

OPERATIONS = ("body_motion", "center_of_mass_motion", "jacobian:tool")


def small_tree(base: str) -> rd.Model:
    """Return a tree with every joint type, followers and a frame, quick to compile."""
    return random_tree(11, bodies=8, base=base)


@pytest.fixture(scope="session")
def compiled(service_here: CompilingHere) -> dict[str, rd.Robot]:
    """Robots by kind of base, with their kernels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_source, "compile_service", lambda: service_here)
        robots = {b: rd.Robot(small_tree(b), compile="wait") for b in ("floating", "prescribed")}
        for robot in robots.values():
            assert robot.compile(*OPERATIONS)
    return robots


@pytest.fixture(params=["plain", "compiled"])
def robot(request: pytest.FixtureRequest, compiled: dict[str, rd.Robot]) -> rd.Robot:
    """A robot with a floating base, by either path."""
    if request.param == "compiled":
        return compiled["floating"]
    return rd.Robot(small_tree("floating"), compile="off")


@pytest.fixture(params=["plain", "compiled"])
def carried(request: pytest.FixtureRequest, compiled: dict[str, rd.Robot]) -> rd.Robot:
    """A robot with a prescribed base at rest at the origin, by either path."""
    if request.param == "compiled":
        compiled["prescribed"].environment = rd.Environment()
        return compiled["prescribed"]
    return rd.Robot(small_tree("prescribed"), compile="off")
