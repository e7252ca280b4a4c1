"""Robots whose markers are looked at, and a reader of what is published."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import Robot, load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model import Model
from robodyn_ros.model.elements import constant
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robots import example, random_tree

ROOT = Path(__file__).parents[3]
NAMES = ("demo_arm", "panda", "talos", "tree", "floating tree", "prescribed talos")


@cache
def make_robot(name: str) -> Robot:
    """Return one of the robots, made once in a test run: nothing here changes it."""
    if name == "demo_arm":
        return load(ROOT / "urdf" / "demo_arm.urdf", compile="off")
    if name.endswith("tree"):
        base = "floating" if name.startswith("floating") else "fixed"
        return Robot(partly_possible(random_tree(3, base=base)), compile="off")
    if name == "prescribed talos":
        return load(example("talos_reduced.urdf"), base="prescribed", compile="off")
    file = {"panda": "panda.urdf", "talos": "talos_full_v2.urdf"}[name]
    return load(example(file), compile="off")


def partly_possible(model: Model) -> Model:
    """Return the model with inertia that a real body could have for every second body."""
    bodies = list(model.bodies)
    for i in range(1, model.nb, 2):
        more = np.trace(bodies[i].inertia) * np.eye(3)
        bodies[i] = replace(bodies[i], inertia=constant(bodies[i].inertia + more))
    return replace(model, bodies=tuple(bodies))


@pytest.fixture(scope="module", params=NAMES)
def robot(request: pytest.FixtureRequest) -> Robot:
    """Each of the robots."""
    return make_robot(request.param)


@pytest.fixture(scope="module")
def panda() -> Robot:
    """One real arm."""
    return make_robot("panda")


@pytest.fixture
def writer(robot: Robot) -> VisualizationWriter:
    """A writer with the default settings."""
    return VisualizationWriter(robot.model, FramePlan(robot.model), VisualizationSettings())
