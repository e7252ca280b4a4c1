"""What Gazebo does not have of a description is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gazebo_made import ARM, BASE, HAND, MOUNT, SHOULDER, I, text, tree, wrapped
from urdf_text import joint, link

ROOT = Path(__file__).parents[3]


def test_a_massless_link_that_moves_is_lost_with_what_it_carries() -> None:
    elements = (BASE, '<link name="cross"/>', ARM, HAND, MOUNT)
    more = (
        joint("yaw", "base", "cross", "continuous"),
        joint("pitch", "cross", "arm", "continuous"),
    )
    made = wrapped(text(*elements, *more))
    (line,) = made.lines("lost")
    assert "link 'cross' (line 1): no mass; Gazebo drops it and the 2 links with and behind" in line
    assert "--token-mass" in line
    assert made.joints == ()
    assert tree(made).find("ros2_control") is None
    assert [body.name for body in made.bodies] == ["base"]
    kept = wrapped(text(*elements, *more), token_mass=0.01)
    assert kept.joints == ("yaw", "pitch")
    assert kept.lines("lost") == []
    assert sum(body.mass for body in kept.bodies) == pytest.approx(3.01)


def test_a_floating_base_gets_no_world() -> None:
    made = wrapped(text(BASE, ARM, SHOULDER), base="floating")
    assert not made.is_anchored
    assert made.base == "floating"
    assert tree(made).find("link[@name='world']") is None
    (line,) = wrapped(text('<link name="base"/>', ARM, SHOULDER), base="floating").lines("lost")
    assert "link 'base'" in line


def test_mimics_are_told_of_and_never_commanded() -> None:
    mimic = '<mimic joint="shoulder" multiplier="-2" offset="0.1"/>'
    follower = joint("elbow", "arm", "hand", "continuous", inside=mimic)
    made = wrapped(text(BASE, ARM, HAND, SHOULDER, follower), positions={"shoulder": 0.4})
    assert (made.joints, made.followers) == (("shoulder",), ("elbow",))
    (line,) = made.lines("lost")
    assert "does not feel" in line
    assert "the offset 0.1" in line
    block = tree(made).find("ros2_control/joint[@name='elbow']")
    assert block.find("command_interface") is None
    assert float(block.findtext("state_interface/param")) == pytest.approx(-0.7)


def test_a_follower_of_what_is_dropped_is_no_joint_of_ros2_control() -> None:
    mimic = '<mimic joint="shoulder"/>'
    robot = (BASE, '<link name="arm"/>', HAND, SHOULDER)
    made = wrapped(text(*robot, joint("elbow", "base", "hand", "continuous", inside=mimic)))
    assert (made.joints, made.followers) == ((), ())


def test_two_sensors_of_a_body_with_one_name_are_told_of() -> None:
    sensors = "".join(
        f'<gazebo reference="{name}"><sensor name="imu" type="imu"/></gazebo>'
        for name in ("arm", "hand", "base")
    )
    (line,) = wrapped(text(BASE, ARM, HAND, SHOULDER, MOUNT, sensors)).lines("lost")
    assert line.startswith("<sensor> 'imu' (line 1): link 'arm' has another one of this name")


def test_plugins_of_gazebo_classic_are_told_of() -> None:
    own = '<gazebo><plugin filename="libgazebo_ros_control.so" name="c"/></gazebo>'
    (line,) = wrapped(text(BASE, ARM, SHOULDER, own)).lines("lost")
    assert line.endswith("current Gazebo does not load: libgazebo_ros_control.so")


def test_names_for_which_gazebo_refuses_a_robot_are_told_of() -> None:
    same = joint("arm", "base", "arm", "continuous")
    made = wrapped(text(BASE, ARM, HAND, same, joint("a::b", "arm", "hand", "continuous")))
    one, two = made.lines("lost")
    assert "joint 'arm' (line 1): a link is called 'arm' too" in one
    assert "joint 'a::b' (line 1): Gazebo refuses names" in two
    # A link that is one with another leaves a frame of its name.
    other = joint("hand", "base", "arm", "continuous")
    (line,) = wrapped(text(BASE, ARM, HAND, other, MOUNT)).lines("lost")
    assert "joint 'hand' (line 1): a link is called 'hand' too" in line


def test_links_of_nothing_that_are_fixed_to_each_other_do_no_harm() -> None:
    links = (link("a"), link("b"), joint("j", "arm", "a"), joint("k", "a", "b"))
    made = wrapped(text(BASE, ARM, SHOULDER, *links))
    assert made.remarks == ()
    assert tree(made).find("link[@name='b']/inertial") is None
    only = (link("a"), link("b", 0.0, (0, 0, 0), I), *links[2:])
    (line,) = wrapped(text(BASE, ARM, SHOULDER, *only)).lines("lost")
    assert line.startswith("link 'b' (line 1): moments of inertia without mass, fixed to 'a'")
    held = (link("b", 0.0, (0, 0, 0), I), joint("k", "arm", "b"))
    assert wrapped(text(BASE, ARM, SHOULDER, *held)).remarks == ()


def test_an_inertia_that_no_body_can_have_is_told_of() -> None:
    bad = link("arm", 1.0, (0, 0, 0), np.diag([1.0, 1.0, 3.0]))
    (line,) = wrapped(text(BASE, bad, SHOULDER)).lines("lost")
    assert line.startswith("link 'arm' (line 1): inertia that no body can have; Gazebo refuses")


def test_a_mechanism_file_is_written_as_urdf_first() -> None:
    made = wrapped(ROOT / "examples" / "four_bar.yaml")
    assert made.joints == ("motor", "crank_pin", "pivot")
    assert any(line.startswith("loop joint 'rocker_pin'") for line in made.lines("lost"))
    assert "the initial state" not in made.lines("lost")
    begun = [p.text for p in tree(made).iterfind("ros2_control/joint/state_interface/param")]
    assert begun[0] == "2"
