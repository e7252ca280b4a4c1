"""The demo arm is physically sensible: its mass properties follow from what one sees of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree
from numpy.typing import NDArray

from robodyn_ros import algorithms
from robodyn_ros.description import load_model
from robodyn_ros.spatial import rotation_from_rpy

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
MODEL = load_model(ARM)
LINKS = {link.get("name"): link for link in etree.parse(ARM).getroot().findall("link")}
SOLID = [name for name, link in LINKS.items() if link.find("inertial") is not None]
# The file gives six digits.
ROUNDING = 2e-5


def numbers(text: str) -> NDArray[np.float64]:
    """Return the numbers of an attribute."""
    return np.array(text.split(), dtype=float)


def solid(visual: Any) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Return volume, centre and inertia per mass about the centre (link axes) of one shape."""
    shape = visual.find("geometry")[0]
    if shape.tag == "box":
        x, y, z = numbers(shape.get("size"))
        volume, moments = x * y * z, np.array([y * y + z * z, x * x + z * z, x * x + y * y]) / 12
    elif shape.tag == "cylinder":
        r, length = float(shape.get("radius")), float(shape.get("length"))
        across = (3 * r * r + length * length) / 12
        volume, moments = np.pi * r * r * length, np.array([across, across, r * r / 2])
    else:
        r = float(shape.get("radius"))
        volume, moments = 4 / 3 * np.pi * r**3, np.full(3, 0.4 * r * r)
    origin = visual.find("origin")
    R = rotation_from_rpy(numbers(origin.get("rpy", "0 0 0")))
    return volume, numbers(origin.get("xyz")), R @ np.diag(moments) @ R.T


@pytest.mark.parametrize("name", SOLID)
def test_mass_is_spread_evenly_over_the_visible_shapes(name: str) -> None:
    body = MODEL.bodies[MODEL.body_index(name)]
    shapes = [solid(visual) for visual in LINKS[name].findall("visual")]
    volume = sum(v for v, _, _ in shapes)
    com = sum(v * c for v, c, _ in shapes) / volume
    inertia = np.zeros((3, 3))
    for v, c, per_mass in shapes:
        d = c - com
        inertia += body.mass * v / volume * (per_mass + d @ d * np.eye(3) - np.outer(d, d))
    np.testing.assert_allclose(body.com, com, atol=1e-6)
    np.testing.assert_allclose(body.inertia, inertia, atol=ROUNDING * np.max(inertia))
    density = body.mass / volume
    assert 500.0 < density < 3000.0  # kg/m^3: between a hollow shell and aluminium


def test_it_has_seven_axes_and_a_gripper_of_two_fingers() -> None:
    joints = [f"joint{i}" for i in range(1, 8)]
    assert MODEL.joint_names == (*joints, "left_finger_joint")
    assert MODEL.joint("right_finger_joint").driver == "left_finger_joint"
    assert MODEL.notes == ()


def test_only_the_tool_centre_point_has_no_mass() -> None:
    report = MODEL.report().to_dict()
    problems = {body["name"] for body in report["bodies"] if body["problems"]}
    assert problems == {"tool_center_point"}
    assert 18.0 < report["total_mass"] < 22.0


def test_every_joint_has_all_its_limits_and_friction() -> None:
    for _, joint in MODEL.moving:
        if joint.joint.nv:
            limits = joint.limits
            assert None not in (limits.lower, limits.upper, limits.velocity, limits.effort)
            assert joint.damping > 0.0
            assert joint.friction > 0.0


def test_at_zero_it_points_straight_up_with_parallel_frames() -> None:
    motion = algorithms.body_motion(MODEL, algorithms.neutral(MODEL))
    np.testing.assert_array_equal(motion.rotation, np.broadcast_to(np.eye(3), (MODEL.nb, 3, 3)))
    np.testing.assert_array_equal(motion.position[:, :2], 0.0)
    height = dict(zip(MODEL.body_names, motion.position[:, 2], strict=True))
    shoulder, elbow, wrist = (height[f"{n}_link"] for n in ("upper_arm", "forearm", "wrist_pitch"))
    assert (elbow - shoulder, wrist - elbow) == pytest.approx((0.40, 0.36))
    assert height["tool_center_point"] - wrist == pytest.approx(0.209)


def test_the_fingers_close_on_the_tool_centre_plane_and_open_alike() -> None:
    q = algorithms.neutral(MODEL)
    left, right = (MODEL.body_index(f"{side}_finger_link") for side in ("left", "right"))
    for opening in (0.0, 0.015, 0.04):
        q[-1] = opening
        position = algorithms.body_motion(MODEL, q).position
        np.testing.assert_allclose(
            position[left] - position[right], [0, 2 * opening, 0], atol=1e-15
        )


def test_each_motor_can_hold_the_arm_stretched_out_with_twice_its_effort_to_spare() -> None:
    """The static moment of all that hangs on a joint, about its axis, for the arm held level."""
    q = algorithms.neutral(MODEL)
    q[1] = np.pi / 2
    position = algorithms.center_of_mass_motion(MODEL, q).position
    origin = algorithms.body_motion(MODEL, q).position
    for i, joint in MODEL.moving:
        if joint.joint.nv and joint.joint.type_name == "revolute":
            weight = np.array([MODEL.bodies[k].mass * 9.81 for k in MODEL.subtree(i)])
            arms = np.linalg.norm(position[list(MODEL.subtree(i))] - origin[i], axis=1)
            assert joint.limits.effort is not None
            assert 2.0 * float(weight @ arms) < joint.limits.effort or joint.name == "joint1"


def test_shapes_are_primitives_with_known_colours() -> None:
    root = etree.parse(ARM).getroot()
    colours = {material.get("name") for material in root.findall("material")}
    for link in LINKS.values():
        for shape in link.iterfind("*/geometry/*"):
            assert shape.tag in {"box", "cylinder", "sphere"}
        for material in link.iterfind("visual/material"):
            assert material.get("name") in colours
        if link.find("visual") is not None:
            assert link.find("collision") is not None
