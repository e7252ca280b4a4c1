"""Wrenches as a viewer gets them: where they act, which way, and how large."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from visualization_msgs.msg import Marker

from marker_rules import check_rules, decoded, shown, xyz
from motion_blocks import motion_block, random_block
from robodyn_ros import Robot, load
from robodyn_ros.algorithms import body_motion
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model import Payload
from robodyn_ros.model.effort_arcs import SEGMENTS
from robodyn_ros.ros.markers.acting import Acting, Push
from robodyn_ros.ros.markers.loads import MOST
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robodyn_ros.spatial import quaternion_to_matrix

ROOT = Path(__file__).parents[3]
SECOND = 1_000_000_000
SCALES = VisualizationSettings()
GRAVITY = np.array([0.0, 0.0, -9.81])
ARM = load(ROOT / "urdf" / "demo_arm.urdf", compile="off")
LINK = ARM.model.body_names[-1]
BLOCK = random_block(ARM, 5)
WRITER = VisualizationWriter(ARM.model, FramePlan(ARM.model), SCALES)
EVERY = np.ones(ARM.model.nb, dtype=bool)
WILD = st.one_of(st.floats(), st.floats(-100.0, 100.0), st.just(0.0))
Seen = dict[tuple[str, int], Marker]


def written(acting: Acting, writer: VisualizationWriter = WRITER) -> Seen:
    """Return the markers of wrenches, after a look at the rules."""
    data = writer.fill(SECOND, BLOCK, EVERY, None, acting)
    markers = shown(check_rules(data, ARM.model.body_names[0], SECOND))
    return {key: m for key, m in markers.items() if key[0].startswith("wrench/")}


def ends(m: Marker) -> tuple[np.ndarray, np.ndarray]:
    return xyz(m.points[0]), xyz(m.points[1])


def place(frame: str) -> tuple[np.ndarray, np.ndarray]:
    """Return position and rotation of a frame in the world."""
    found = ARM.model.frame(frame)
    R = quaternion_to_matrix(BLOCK[found.body, 3:7])
    return BLOCK[found.body, :3] + R @ found.position, R @ found.rotation


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_external_wrench_is_an_arrow_and_an_arc_at_its_frame(sign: float) -> None:
    moment, force = sign * np.array([1.0, 2.0, -1.0]), sign * np.array([20.0, -10.0, 5.0])
    found = written(Acting(pushes=(Push(LINK, np.concatenate([moment, force])),)))
    assert found.keys() == {("wrench/external", 0), ("wrench/external", 1)}
    start, end = ends(found["wrench/external", 0])
    position, R = place(LINK)
    assert start == pytest.approx(position)
    assert end - start == pytest.approx(SCALES.force_scale * R @ force)
    arc = np.array([xyz(p) for p in found["wrench/external", 1].points])[: SEGMENTS + 1] - position
    size = float(np.linalg.norm(moment))
    assert np.linalg.norm(arc, axis=1) == pytest.approx(SCALES.moment_scale * size)
    axis = R @ moment / size
    turned = np.arcsin(np.cross(arc[:-1], arc[1:]) @ axis / (SCALES.moment_scale * size) ** 2)
    assert turned.sum() == pytest.approx(0.75 * math.tau), "about the moment, to its right hand"


def test_an_estimated_wrench_has_another_colour_in_contact() -> None:
    wrench = np.array([1.0, 2.0, -1.0, 20.0, -10.0, 5.0])
    writer = VisualizationWriter(ARM.model, FramePlan(ARM.model), SCALES)
    for in_contact, first in ((False, 0), (True, 2), (False, 0)):
        acting = Acting(estimates=(Push(LINK, wrench),), in_contact=in_contact)
        found = written(acting, writer)
        assert found.keys() == {("wrench/estimated", first), ("wrench/estimated", first + 1)}
        start, end = ends(found["wrench/estimated", first])
        position, R = place(LINK)
        assert start == pytest.approx(position)
        assert end - start == pytest.approx(SCALES.force_scale * R @ wrench[3:])
    both = written(Acting(pushes=acting.estimates, estimates=acting.estimates), writer)
    assert {key[0] for key in both} == {"wrench/external", "wrench/estimated"}
    assert not written(Acting(), writer)


def test_a_payload_hangs_by_its_weight_and_pulls_by_its_inertia() -> None:
    com = np.array([0.1, -0.2, 0.05])
    load_ = Payload("box", LINK, 3.0, com, np.zeros((3, 3)))
    found = written(Acting(payloads=(load_,), gravity=GRAVITY))
    assert found.keys() == {("wrench/payload", 0), ("wrench/payload", 2)}
    position, R = place(LINK)
    for number in (0, 2):
        assert ends(found["wrench/payload", number])[0] == pytest.approx(position + R @ com)
    start, end = ends(found["wrench/payload", 0])
    assert end - start == pytest.approx(SCALES.force_scale * 3.0 * GRAVITY)
    block = BLOCK[ARM.model.frame(LINK).body]
    w, dv, dw = block[10:13], block[13:16], block[16:19]
    arm = R @ com
    a = dv + np.cross(dw, arm) + np.cross(w, np.cross(w, arm))
    start, end = ends(found["wrench/payload", 2])
    wanted = -SCALES.force_scale * 3.0 * a
    length = float(np.linalg.norm(wanted))
    assert end - start == pytest.approx(wanted * min(1.0, SCALES.arrow_max_length / length))


def test_more_than_ever_are_shown_from_the_message_on_that_has_them() -> None:
    writer = VisualizationWriter(ARM.model, FramePlan(ARM.model), SCALES)
    one = (Push(LINK, np.full(6, 5.0)),)
    assert not written(Acting(), writer)
    for count in (1, 2, 3, 2, 7, MOST, MOST + 5, 0):
        found = written(Acting(pushes=one * count), writer)
        assert len(found) == 2 * min(count, MOST)
    first = decoded(writer.fill(SECOND, BLOCK, EVERY))[0]
    assert first.action == Marker.DELETE, "places that are there stay"


def test_what_a_constraint_exerts_is_what_the_bodies_feel() -> None:
    """Forces of a platform's rods act along them; virtual work of a loop's is G^T lambda."""
    robot = load(ROOT / "examples" / "stewart_platform_rods.yaml", compile="off")
    model, q = robot.model, robot.initial_state[0]
    still = np.zeros(model.nv)
    multipliers = robot.constraint_forces(q, still, robot.inverse_dynamics(q, still, still))
    assert np.abs(multipliers).max() > 1.0
    found = of_constraints(robot, q, multipliers)
    rods = [k for k, x in enumerate(model.closure.elements) if x.type_name == "rod"]
    motion = body_motion(model, q)
    assert len(rods) == 6
    for number in rods:
        element = model.closure.elements[number]
        start, end = ends(found["wrench/constraint", 2 * number])
        far = motion.position[element.body_2] + motion.rotation[element.body_2] @ element.point_2
        near = motion.position[element.body_1] + motion.rotation[element.body_1] @ element.point_1
        along = (far - near) / np.linalg.norm(far - near)
        row = model.closure.rows_of(element.name).start
        assert start == pytest.approx(far)
        assert end - start == pytest.approx(SCALES.force_scale * multipliers[row] * along)


def test_a_loop_has_a_force_and_a_moment() -> None:
    robot = load(ROOT / "examples" / "four_bar.yaml", compile="off")
    model, q = robot.model, robot.initial_state[0]
    multipliers = np.array([3.0, -4.0, 5.0, 20.0, 30.0, -10.0])
    found = of_constraints(robot, q, multipliers)
    assert found.keys() == {("wrench/constraint", 0), ("wrench/constraint", 1)}
    (element,) = model.closure.elements
    motion = body_motion(model, q)
    start, end = ends(found["wrench/constraint", 0])
    R = motion.rotation[element.body_2]
    assert start == pytest.approx(motion.position[element.body_2])
    assert end - start == pytest.approx(SCALES.force_scale * R @ multipliers[3:], abs=1e-9)
    arc = np.array([xyz(p) for p in found["wrench/constraint", 1].points])[: SEGMENTS + 1] - start
    assert arc @ R @ multipliers[:3] == pytest.approx(0.0, abs=1e-9)
    size = float(np.linalg.norm(multipliers[:3]))
    assert np.linalg.norm(arc, axis=1) == pytest.approx(SCALES.moment_scale * size)


def of_constraints(robot: Robot, q: np.ndarray, multipliers: np.ndarray) -> Seen:
    """Return the markers of what constraints exert, at rest."""
    model = robot.model
    block = motion_block(robot, q, np.zeros(model.nv), np.zeros(model.nv))
    writer = VisualizationWriter(model, FramePlan(model), SCALES)
    valid = np.ones(model.nb, dtype=bool)
    data = writer.fill(SECOND, block, valid, q, Acting(multipliers=multipliers))
    markers = shown(check_rules(data, model.body_names[0], SECOND))
    return {key: m for key, m in markers.items() if key[0] == "wrench/constraint"}


def test_nothing_is_shown_at_a_body_whose_motion_is_not_known() -> None:
    acting = Acting(
        pushes=(Push(LINK, np.full(6, 5.0)),),
        payloads=(Payload("box", LINK, 3.0, np.zeros(3), np.zeros((3, 3))),),
        gravity=GRAVITY,
    )
    valid = EVERY.copy()
    valid[ARM.model.frame(LINK).body] = False
    found = shown(decoded(WRITER.fill(SECOND, BLOCK, valid, None, acting)))
    assert not any(space.startswith("wrench/") for space, _ in found)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(wrench=st.lists(WILD, min_size=6, max_size=6), mass=WILD, efforts=st.lists(WILD, max_size=3))
def test_absurd_loads_keep_the_rules(
    wrench: list[float], mass: float, efforts: list[float]
) -> None:
    effort = np.zeros(ARM.model.nv)
    effort[: len(efforts)] = efforts
    written(
        Acting(
            effort=effort,
            measured=effort[::-1].copy(),
            pushes=(Push(LINK, np.array(wrench)),),
            payloads=(Payload("x", LINK, mass, np.array(wrench[:3]), np.zeros((3, 3))),),
            gravity=np.array(wrench[3:]),
        )
    )
