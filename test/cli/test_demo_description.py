"""The file that the demo's nodes read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.cli.demo_description import BENT, demo_file, posture
from robodyn_ros.errors import DescriptionError, UnknownNameError
from robodyn_ros.robot import Robot
from robots import OWN_ROBOTS

EXAMPLES = Path(__file__).parents[2] / "examples"
ARM = rd.find_robot("demo_arm")


def load(path: Path, **parameters: float) -> Robot:
    return rd.load(path, compile="off", parameters=parameters or None)


def test_our_arm_begins_bent_and_is_the_same_besides(tmp_path: Path) -> None:
    arm = load(ARM)
    file = demo_file(ARM, arm.model, tmp_path, None, bent=True)
    bent = load(file)
    assert file.parent == tmp_path
    assert bent.model.name == arm.model.name
    assert bent.model.coordinate_names == arm.model.coordinate_names
    q, _ = bent.initial_state
    np.testing.assert_array_equal(q, arm.configuration(BENT))
    np.testing.assert_array_equal(bent.mass_matrix(q), arm.mass_matrix(q))


def test_a_range_without_zero_begins_in_its_middle() -> None:
    """Panda's elbow bends one way only, and its sixth joint has zero at an end."""
    assert posture(load(rd.find_robot("panda")).model) == {
        "panda_joint4": pytest.approx(-1.57, abs=0.01),
        "panda_joint6": pytest.approx(1.87, abs=0.01),
        "panda_finger_joint1": pytest.approx(0.02, abs=0.001),
    }


@pytest.mark.parametrize("bent", [True, False])
def test_a_urdf_that_may_begin_at_zero_is_read_as_it_is(tmp_path: Path, bent: bool) -> None:
    path = OWN_ROBOTS / "single_link.urdf"
    assert demo_file(path, load(path).model, tmp_path, None, bent=bent) == path
    assert not [*tmp_path.iterdir()]


def test_a_mechanism_file_begins_as_it_says() -> None:
    path = EXAMPLES / "double_pendulum.yaml"
    assert demo_file(path, load(path).model, Path(), None, bent=True) == path


def test_parameters_that_are_given_are_in_the_file(tmp_path: Path) -> None:
    path = EXAMPLES / "arm_with_tool.yaml"
    expected = load(path, stylus=0.09)
    file = demo_file(path, expected.model, tmp_path, {"stylus": 0.09}, bent=True)
    found = load(file)
    assert found.model.coordinate_names == expected.model.coordinate_names
    q, _ = expected.initial_state
    np.testing.assert_array_equal(found.initial_state[0], q)
    np.testing.assert_array_equal(found.gravity_force(q), expected.gravity_force(q))
    assert np.any(found.gravity_force(q) != load(path).gravity_force(q))


def test_a_parameter_with_an_anchor_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "robot.yaml"
    path.write_text(
        "mechanism: 1\nparameters: {a: &size 1.5, b: *size}\nbodies: {base: , arm: {mass: a}}\n"
        "joints: {turn: {type: continuous, parent: base, child: arm}}\n"
    )
    with pytest.raises(DescriptionError, match="line 2: a parameter with an anchor"):
        demo_file(path, load(path).model, tmp_path, {"b": 2.0}, bent=True)


def test_the_parameter_that_is_none_is_told_by_the_load_before() -> None:
    with pytest.raises(UnknownNameError, match="stylus"):
        load(EXAMPLES / "arm_with_tool.yaml", stilus=1.0)
