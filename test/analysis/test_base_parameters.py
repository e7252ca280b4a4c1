"""Base parameters: their number in the literature, and that they are all that efforts depend on."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from robodyn_ros.analysis.base_parameters import base_parameters, random_motion
from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot import Robot, find_robot, load
from robots import example

EXACT = 1e-9
EXAMPLES = Path(__file__).parents[2] / "examples"


def panda() -> str:
    """Return Panda with its fingers fixed: seven revolute joints."""
    text = find_robot("panda").read_text(encoding="utf-8")
    return re.sub(r'(<joint name="panda_finger_joint\d" type=")prismatic', r"\1fixed", text)


def robot_of(name: str) -> Robot:
    return load(panda() if name == "panda" else find_robot(name), compile="off")


@pytest.mark.parametrize(("name", "count"), [("ur5", 36), ("panda", 43)])
def test_the_number_is_that_of_the_literature(name: str, count: int) -> None:
    robot = robot_of(name)
    found = base_parameters(robot)
    assert len(found) == count
    columns = found.columns(robot, *random_motion(robot, 100, seed=1))
    matrix = columns.reshape(-1, count)
    assert np.linalg.matrix_rank(matrix / np.linalg.norm(matrix, axis=0), tol=1e-6) == count


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_the_number_is_the_rank_of_pinocchios_regressor(name: str) -> None:
    robot = robot_of(name)
    other = pin.buildModelFromXML(panda() if name == "panda" else find_robot(name).read_text())
    data = other.createData()
    rows = [
        pin.computeJointTorqueRegressor(other, data, q, v, a)
        for q, v, a in zip(*random_motion(robot, 60), strict=True)
    ]
    matrix = np.concatenate(rows)
    size = np.maximum(np.linalg.norm(matrix, axis=0), 1e-6)
    assert np.linalg.matrix_rank(matrix / size, tol=1e-8) == len(base_parameters(robot))


@pytest.mark.parametrize("name", ["ur5", "panda", "demo_arm"])
@pytest.mark.parametrize("armature", [False, True])
def test_efforts_depend_on_nothing_else(name: str, armature: bool) -> None:
    robot = robot_of(name)
    found = base_parameters(robot, armature=armature)
    motion = random_motion(robot, 20, seed=2)
    whole = found.parameters.columns(robot, *motion)
    values = np.random.default_rng(3).normal(size=whole.shape[-1])
    reduced = found.columns(robot, *motion) @ (found.grouping @ values)
    expected = whole @ values
    assert np.abs(reduced - expected).max() < EXACT * np.abs(expected).max()


def test_what_is_described_gives_the_efforts_of_inverse_dynamics() -> None:
    robot = robot_of("demo_arm")
    found = base_parameters(robot)
    q, v, a = random_motion(robot, 20)
    efforts = found.columns(robot, q, v, a) @ found.nominal
    expected = robot.inverse_dynamics(q, v, a)
    assert np.abs(efforts - expected).max() < EXACT * np.abs(expected).max()


def test_groupings_are_told_by_name() -> None:
    robot = robot_of("ur5")
    found = base_parameters(robot, armature=True)
    first = found.grouped(0)
    assert found.names[0] == "Izz shoulder_link"
    assert first.startswith("Izz shoulder_link + ")
    assert "+ Ia shoulder_pan_joint" in first  # nothing tells it from the link's own inertia
    assert not any(name.startswith("m ") for name in found.names)


def test_gravity_along_the_first_axis_hides_a_link() -> None:
    upright = base_parameters(robot_of("ur5"))
    tilted = robot_of("ur5")
    tilted.gravity = (9.81, 0.0, 0.0)
    assert len(base_parameters(tilted)) == len(upright) + 2  # first moments of the first link


def test_a_tree_with_a_follower_and_a_slider() -> None:
    robot = load(example("panda.urdf"), compile="off")
    found = base_parameters(robot)
    q, v, a = random_motion(robot, 20, seed=4)
    expected = robot.inverse_dynamics(q, v, a)
    efforts = found.columns(robot, q, v, a) @ found.nominal
    assert np.abs(efforts - expected).max() < EXACT * np.abs(expected).max()


def test_what_cannot_be_identified_says_why() -> None:
    still = load('<robot name="r"><link name="base"/></robot>', compile="off")
    with pytest.raises(ArgumentError, match="'r' has no coordinates"):
        base_parameters(still)
    closed = load(EXAMPLES / "four_bar.yaml", compile="off")
    with pytest.raises(ArgumentError, match="closed mechanism"):
        base_parameters(closed)
