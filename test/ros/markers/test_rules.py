"""What holds for every message: of real robots, in motion, at rest, and of absurd states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from visualization_msgs.msg import Marker

from marker_rules import check_rules, decoded, deleted, shown
from motion_blocks import COLUMNS, random_block, resting_block
from robodyn_ros import Robot
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model import ModelBuilder
from robodyn_ros.ros.markers.settings import NAMESPACES, VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robots import random_tree

STAMP = 1_700_000_000_123_456_789
ARROWS = [NAMESPACES[kind] for kind in COLUMNS if kind in NAMESPACES and kind != "center_of_mass"]

TREE = random_tree(2, bodies=6)
WRITER = VisualizationWriter(TREE, FramePlan(TREE), VisualizationSettings(trail_length=3))
BLOCK = random_block(Robot(TREE, compile="off"), 1)
WILD = st.one_of(st.floats(), st.floats(-2.0, 2.0), st.just(0.0))


def every(robot: Robot) -> np.ndarray:
    return np.ones(robot.model.nb, dtype=bool)


def test_messages_in_motion_keep_the_rules(robot: Robot, writer: VisualizationWriter):
    frame = robot.model.body_names[0]
    for k in range(4):
        stamp = STAMP + k * 33_000_000
        data = writer.fill(stamp, random_block(robot, k), every(robot))
        markers = check_rules(data, frame, stamp)
        assert (markers[0].action == Marker.DELETEALL) == (k == 0)
    kinds = {namespace for namespace, _ in shown(markers)}
    assert kinds == set(NAMESPACES.values())


def test_no_arrow_at_rest_and_each_one_is_deleted(robot: Robot, writer: VisualizationWriter):
    frame = robot.model.body_names[0]
    writer.fill(STAMP, random_block(robot, 1), every(robot))
    still = writer.fill(STAMP + 1, resting_block(robot), every(robot))
    markers = check_rules(still, frame, STAMP + 1)
    assert {ns for ns, _ in shown(markers)}.isdisjoint(ARROWS)
    bodies = range(robot.model.nb)
    assert {(ns, body) for ns in ARROWS for body in bodies} <= deleted(markers)
    again = decoded(writer.fill(STAMP + 2, random_block(robot, 1), every(robot)))
    assert {ns for ns, _ in shown(again)} >= set(ARROWS)


def test_every_message_has_the_same_markers(robot: Robot, writer: VisualizationWriter):
    blocks = [random_block(robot, 1), resting_block(robot), np.full((robot.model.nb, 28), np.nan)]
    keys = [
        [(m.ns, m.id, m.type) for m in decoded(writer.fill(STAMP, block, every(robot)))]
        for block in blocks
    ]
    assert keys[0] == keys[1] == keys[2]


def test_whatever_is_invalid_is_deleted_and_the_rest_stays(
    robot: Robot, writer: VisualizationWriter
):
    block = random_block(robot, 2)
    before = shown(decoded(writer.fill(STAMP, block, every(robot))))
    valid = np.random.default_rng(1).random(robot.model.nb) < 0.6
    assert 0 < valid.sum() < len(valid)
    markers = decoded(writer.fill(STAMP + 1, block, valid))
    after = shown(markers)
    seen = {key: valid[key[1] % robot.model.nb] for key in before}
    assert {key for key in before if not seen[key]} <= deleted(markers)
    assert {key for key in before if seen[key]} == after.keys()
    back = shown(decoded(writer.fill(STAMP + 2, block, every(robot))))
    assert back.keys() == before.keys()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300, 1e200])
@pytest.mark.parametrize("column", [0, 3, 6, 19])
def test_a_body_without_a_place_is_deleted(panda: Robot, value: float, column: int):
    writer = VisualizationWriter(panda.model, FramePlan(panda.model), VisualizationSettings())
    block = random_block(panda, 3)
    whole = shown(decoded(writer.fill(STAMP, block, every(panda))))
    block[4, column] = value
    markers = check_rules(writer.fill(STAMP, block, every(panda)), "panda_link0", STAMP)
    assert shown(markers).keys() == {key for key in whole if key[1] != 4}
    assert {key for key in whole if key[1] == 4} <= deleted(markers)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300])
def test_an_arrow_that_has_no_end_is_deleted_alone(panda: Robot, value: float):
    writer = VisualizationWriter(panda.model, FramePlan(panda.model), VisualizationSettings())
    block = random_block(panda, 3)
    whole = shown(decoded(writer.fill(STAMP, block, every(panda))))
    block[5, COLUMNS["linear_acceleration"]] = value
    markers = check_rules(writer.fill(STAMP, block, every(panda)), "panda_link0", STAMP)
    gone = ("acceleration/linear", 5)
    assert shown(markers).keys() == whole.keys() - {gone}
    assert gone in deleted(markers)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(data=st.data())
def test_absurd_blocks_keep_the_rules(data: st.DataObject):
    block = BLOCK.copy()
    for _ in range(data.draw(st.integers(0, 12))):
        row = data.draw(st.integers(0, TREE.nb - 1))
        block[row, data.draw(st.integers(0, 27))] = data.draw(WILD)
    stamp = data.draw(st.integers(0, 2**31 * 10**9 - 1))
    valid = np.ones(TREE.nb, dtype=bool)
    markers = check_rules(WRITER.fill(stamp, block, valid), TREE.body_names[0], stamp)
    for m in shown(markers).values():
        row = block[m.id % TREE.nb, [0, 1, 2, 19, 20, 21]]
        assert (np.abs(row) <= 1e6).all()


def test_the_block_is_not_touched(panda: Robot):
    writer = VisualizationWriter(panda.model, FramePlan(panda.model), VisualizationSettings())
    block, valid = random_block(panda, 1), every(panda)
    block[3] = np.nan
    kept = block.copy()
    block.setflags(write=False)
    valid.setflags(write=False)
    writer.fill(STAMP, block, valid)
    np.testing.assert_array_equal(block, kept)
    assert valid.all()


def test_a_robot_without_mass_or_joints_has_only_its_frame():
    builder = ModelBuilder("one")
    builder.add_body("base")
    robot = Robot(builder.build(), compile="off")
    writer = VisualizationWriter(robot.model, FramePlan(robot.model), VisualizationSettings())
    markers = check_rules(writer.fill(STAMP, resting_block(robot), every(robot)), "base", STAMP)
    assert shown(markers).keys() == {("frames", 0)}


def test_impossible_inertia_is_left_out_without_a_word():
    builder = ModelBuilder("impossible")
    builder.add_body("base")
    for name, inertia in (("bad", np.diag([1.0, 1.0, 3.0])), ("good", np.eye(3))):
        builder.add_body(name, mass=1.0, inertia=inertia)
        builder.add_joint(f"j_{name}", TREE.own_joints[0].joint, "base", name)
    robot = Robot(builder.build(), compile="off")
    writer = VisualizationWriter(robot.model, FramePlan(robot.model), VisualizationSettings())
    markers = decoded(writer.fill(STAMP, resting_block(robot), every(robot)))
    names = robot.model.body_names
    assert [names[m.id] for m in markers if m.ns == "inertia"] == ["good"]
    assert [names[m.id] for m in markers if m.ns == "center_of_mass"] == ["bad", "good"]
