"""Every robot of example-robot-data for Gazebo: the same robot, as urdfdom reads it too."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pinocchio
import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.gazebo import (
    GazeboBody,
    GazeboDescription,
    GazeboSettings,
    gazebo_bodies,
    gazebo_description,
)
from robodyn_ros.description.gazebo.massless import ANCHOR_MASS
from robodyn_ros.model import Model
from robots import label, loaded, usable_urdfs

TEXT_DIGITS = 1e-11
"""Numbers are kept as text; urdfdom and Pinocchio add inertias in another order."""
TOKEN = 1e-3

every_robot = pytest.mark.parametrize("path", usable_urdfs(), ids=label)


@cache
def made(path: Path, token: float | None = None) -> GazeboDescription:
    settings = GazeboSettings(parameters_file="/tmp/c.yaml", replace=True, token_mass=token)
    return gazebo_description(path, settings)


@cache
def after_of(path: Path) -> Model:
    return load_model(made(path).text)


def joints_of(model: Model) -> dict[str, tuple[object, ...]]:
    """Return what moves each joint's child, and where it is."""
    return {
        joint.name: (
            model.body_names[joint.parent],
            model.body_names[i],
            joint.joint.type_name.replace("revolute", "continuous"),
            getattr(joint.joint, "axis", None),
            joint.rotation.tolist(),
            joint.position.tolist(),
            joint.driver,
            joint.damping,
            joint.friction,
        )
        for i, joint in model.moving
    }


@every_robot
def test_masses_and_kinematics_are_those_of_the_file(path: Path) -> None:
    before, after = loaded(path), after_of(path)
    added = set(after.body_names) - set(before.body_names)
    assert added == ({"world"} if made(path).is_anchored else set())
    joints = joints_of(after)
    for name in set(joints) - set(joints_of(before)):
        assert joints.pop(name)[0] == "world"
    assert joints == joints_of(before)
    assert after.joint_names == before.joint_names
    for body in before.bodies:
        same = after.bodies[after.body_index(body.name)]
        is_token = body.mass == 0.0 and same.mass > 0.0
        assert same.mass == (ANCHOR_MASS if is_token else body.mass)
        if not is_token:
            np.testing.assert_array_equal(same.com, body.com)
            np.testing.assert_array_equal(same.inertia, body.inertia)


@every_robot
def test_limits_that_are_known_stay_and_others_bind_nothing(path: Path) -> None:
    before, after = loaded(path), after_of(path)
    for joint in before.own_joints:
        old, new = joint.limits, after.joint(joint.name).limits
        if None not in (old.lower, old.upper):
            assert (new.lower, new.upper) == (old.lower, old.upper)
        for known, written in ((old.effort, new.effort), (old.velocity, new.velocity)):
            assert written in ((known,) if known is not None else (None, 1e9))


@every_robot
def test_bodies_are_the_lumps_of_the_report(path: Path) -> None:
    lumps = loaded(path).report().to_dict()["lumps"]
    bodies = {body.name: body for body in gazebo_bodies(loaded(path))}
    for lump in lumps:
        first = lump["links"][0]
        if first == "world":
            continue
        body = bodies.pop(first)
        assert set(body.links) == set(lump["links"])
        assert body.joint == lump["joint"]
        assert_alike(body, lump["mass"], lump["com"], lump["inertia"])
    # Behind a link `world` nothing is joined to it.
    assert all(body.parent == "world" for body in bodies.values())


def assert_alike(body: GazeboBody, mass: float, com: object, inertia: object) -> None:
    np.testing.assert_allclose(body.mass, mass, rtol=TEXT_DIGITS)
    np.testing.assert_allclose(body.com, com, atol=TEXT_DIGITS)
    np.testing.assert_allclose(body.inertia, inertia, atol=TEXT_DIGITS)


@every_robot
def test_urdfdom_reads_the_same_robot(path: Path) -> None:
    text = made(path).text
    pinned = pinocchio.buildModelFromXML(text)
    joints = {name: i for i, name in enumerate(pinned.names) if i}
    model = after_of(path)
    for joint in model.own_joints:
        assert joint.name in joints
        at = pinned.idx_vs[joints[joint.name]]
        effort = pinned.effortLimit[at]
        assert effort > 0.0, joint.name
        assert joint.limits.effort in (None, effort)
        if joint.joint.type_name != "continuous":
            at = pinned.idx_qs[joints[joint.name]]
            lower, upper = pinned.lowerPositionLimit[at], pinned.upperPositionLimit[at]
            assert (lower, upper) == (joint.limits.lower, joint.limits.upper)
    for body in gazebo_bodies(model):
        if body.joint in joints:
            own = pinned.inertias[joints[body.joint]]
            assert_alike(body, own.mass, own.lever, own.inertia)


@every_robot
def test_the_bodies_are_those_of_what_is_written(path: Path) -> None:
    written = {body.name: body for body in gazebo_bodies(after_of(path))}
    for body in made(path).bodies:
        own = written[body.name]
        assert (own.links, own.joint, own.parent, own.anchored) == (
            *(body.links, body.joint, body.parent, body.anchored),
        )
        assert_alike(own, body.mass, body.com, body.inertia)


@every_robot
def test_ros2_control_gets_every_joint_that_gazebo_has(path: Path) -> None:
    description = made(path)
    if any("no mass" in line for line in description.lines("lost")):
        description = made(path, TOKEN)
    root = ElementTree.fromstring(description.text)
    model = after_of(path)
    moving = {joint.name for _, joint in model.moving if joint.joint.nv}
    followers = {joint.name for _, joint in model.moving if joint.is_follower}
    assert len(root.findall("ros2_control")) == len(root.findall("gazebo/plugin/parameters"))
    listed = {}
    for joint in root.iterfind("ros2_control/joint"):
        commands = [item.get("name") for item in joint.iterfind("command_interface")]
        states = [item.get("name") for item in joint.iterfind("state_interface")]
        assert states == ["position", "velocity", "effort"]
        listed[joint.get("name")] = commands
    # With token masses nothing is dropped.
    assert listed.keys() == moving
    assert {name for name, commands in listed.items() if not commands} == followers
    assert tuple(name for name in listed if name not in followers) == description.joints
    assert description.joints == model.joint_names
    # A follower whose driver is not listed ends the controller manager.
    for name in followers:
        assert model.joint(name).driver in listed


@every_robot
def test_joints_begin_within_their_ranges(path: Path) -> None:
    root = ElementTree.fromstring(made(path).text)
    model = after_of(path)
    for joint in root.iterfind("ros2_control/joint"):
        begun = float(joint.findtext("state_interface/param[@name='initial_value']", "nan"))
        limits = model.joint(joint.get("name", "")).limits
        if joint.find("command_interface") is not None and None not in (limits.lower, limits.upper):
            assert limits.lower - 1e-9 <= begun <= limits.upper + 1e-9
