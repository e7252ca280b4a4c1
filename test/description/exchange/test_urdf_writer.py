"""Models written as URDF: read back they move and weigh alike; what is lost is told."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from exchanged import EVERY_JOINT, SCREWS, moved_alike, random_model
from robodyn_ros.description.exchange import urdf_text
from robodyn_ros.model import Model
from robots import example, own_urdfs


def coordinates_of(model: Model, back: Model) -> list[int]:
    """Return where each of a model's coordinates is in what was read back."""
    names = back.coordinate_names
    return [names.index(n if n in names else n.replace("/", "_")) for n in model.coordinate_names]


@pytest.mark.parametrize("seed", range(4))
def test_trees_of_screws_come_back_the_same(seed: int) -> None:
    model = random_model(SCREWS, seed)
    written = urdf_text(model)
    back = rd.load(written.text, compile="off")
    moved_alike(rd.Robot(model, compile="off"), back, coordinates_of(model, back.model), seed)
    assert all("no known range" in line for line in written.lost)


@pytest.mark.parametrize("path", own_urdfs(), ids=lambda path: path.stem)
def test_our_own_descriptions_come_back_without_loss(path) -> None:
    robot = rd.load(path, compile="off")
    written = urdf_text(robot.model)
    back = rd.load(written.text, compile="off")
    assert back.model.body_names == robot.model.body_names
    assert back.model.coordinate_names == robot.model.coordinate_names
    moved_alike(robot, back, list(range(robot.model.nv)), 1)
    assert not [line for line in written.lost if "no known range" not in line]


@pytest.mark.parametrize("name", ["panda.urdf", "talos_reduced.urdf"])
def test_robots_keep_limits_friction_and_mimics(name: str) -> None:
    model = rd.load(example(name), compile="off").model
    back = rd.load(urdf_text(model).text, compile="off").model
    for (_, joint), (_, other) in zip(model.moving, back.moving, strict=True):
        assert (joint.name, joint.driver) == (other.name, other.driver)
        assert joint.limits == other.limits
        np.testing.assert_array_equal(joint.rate_parameters, other.rate_parameters)


def test_what_urdf_cannot_say_is_told() -> None:
    builder = rd.ModelBuilder("robot")
    builder.add_body("base")
    for k, (name, joint) in enumerate(sorted(EVERY_JOINT.items())):
        builder.add_body(name, mass=1.0, inertia=np.eye(3))
        builder.add_joint(f"to {name}", joint, "base", name, armature=0.1 if k == 0 else 0.0)
    builder.add_marker("tip", "base", position=(0, 0, 1))
    builder.set_gravity((0, 0, -1.62))
    written = urdf_text(builder.build())
    for part in (
        "'to spherical' is spherical, written as turns",
        "'to global' is global, written as turns",
        "'to six_dof' is six_dof, written as floating",
        "armature 0.1",
        "markers: 'tip'",
        "gravity",
    ):
        assert any(part in line for line in written.lost), part
    assert rd.load(written.text, compile="off").model.mass == pytest.approx(len(EVERY_JOINT))


def test_ball_joints_turn_through_the_same_attitudes() -> None:
    builder = rd.ModelBuilder("ball")
    builder.add_body("base")
    builder.add_body("ball", mass=1.0, inertia=np.eye(3))
    builder.add_joint("joint", EVERY_JOINT["spherical"], "base", "ball", position=(1.0, 2.0, 3.0))
    back = rd.load(urdf_text(builder.build()).text, compile="off")
    assert back.model.joint_names == ("joint_rx", "joint_ry", "joint_rz")
    pose = back.body_motion([0.1, 0.2, 0.3])
    row = back.model.body_index("ball")
    np.testing.assert_allclose(pose.position[row], [1.0, 2.0, 3.0])
    assert np.linalg.det(pose.rotation[row]) == pytest.approx(1.0)


def test_names_that_are_taken_are_not_used_again() -> None:
    builder = rd.ModelBuilder("robot")
    for name in ("base", "arm", "arm_rz_carrier"):
        builder.add_body(name, mass=1.0, inertia=np.eye(3))
    builder.add_joint("slide", EVERY_JOINT["cylindrical"], "base", "arm")
    builder.add_joint("slide_rz", rd.joints.Revolute(), "arm", "arm_rz_carrier")
    back = rd.load(urdf_text(builder.build()).text, compile="off").model
    assert {"arm_rz_carrier", "arm_rz_carrier_2"} <= set(back.body_names)
    assert {"slide_rz", "slide_rz_2", "slide_z"} == set(back.joint_names)


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_a_moving_base_is_left_to_the_loader(base: str) -> None:
    robot = rd.load(example("panda.urdf"), base=base, compile="off")  # type: ignore[arg-type]
    written = urdf_text(robot.model)
    assert any(f"load the URDF with base='{base}'" in line for line in written.lost)
    back = rd.load(written.text, base=base, compile="off").model  # type: ignore[arg-type]
    assert back.body_names == robot.model.body_names
