"""Efforts as a viewer gets them: arcs by the right-hand rule, arrows, and what they are worth."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from visualization_msgs.msg import Marker

from marker_rules import check_rules, decoded, deleted, shown, xyz
from motion_blocks import motion_block
from robodyn_ros import Robot, load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model.effort_arcs import SEGMENTS, EffortAxes
from robodyn_ros.ros.markers.acting import Acting
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robodyn_ros.spatial import quaternion_to_matrix
from robots import OWN_ROBOTS

SECOND = 1_000_000_000
ARM = Path(__file__).parents[3] / "urdf" / "demo_arm.urdf"
RADIUS = VisualizationSettings().effort_radius
GREY, BLUE = (0.5, 0.5, 0.5), (0.3, 0.6, 1.0)


class Shown:
    """A robot at rest at some coordinates, with its axes in the world."""

    def __init__(self, path: Path, seed: int = 1) -> None:
        self.robot: Robot = load(path, compile="off")
        model = self.robot.model
        self.q = self.robot.configuration({})
        for joint in model.own_joints:
            if joint.joint.nq == joint.joint.nv == 1:
                self.q[joint.q_index] += 0.3 * math.sin(seed + joint.q_index)
        self.block = motion_block(self.robot, self.q, np.zeros(model.nv), np.zeros(model.nv))
        self.axes = EffortAxes(model)
        self.axes.follow(self.q)
        self.writer = VisualizationWriter(model, FramePlan(model), VisualizationSettings())

    def markers(self, acting: Acting) -> list[Marker]:
        """Return all markers, after a look at the rules."""
        model = self.robot.model
        valid = np.ones(model.nb, dtype=bool)
        data = self.writer.fill(SECOND, self.block, valid, self.q, acting)
        return check_rules(data, model.body_names[0], SECOND)

    def key(self, row: int) -> int:
        """Return the id of the marker of one coordinate."""
        axes = self.axes
        return int(axes.body[row] + axes.rate[row] * self.robot.model.nb)

    def axis(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Return a point of an axis and its direction in the world."""
        body = self.axes.body[row]
        R = quaternion_to_matrix(self.block[body, 3:7])
        center = self.block[body, :3] + R @ self.axes.center[row]
        return center, R @ self.axes.basis[row][:, 2]


def rgb(m: Marker) -> tuple[float, float, float]:
    return m.color.r, m.color.g, m.color.b


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0, 3.0])
def test_an_arc_goes_about_its_axis_as_far_as_the_effort_is_of_the_limit(
    sign: float, share: float
) -> None:
    case = Shown(ARM)
    axes = case.axes
    row = int(np.flatnonzero(axes.turns & (axes.limit > 0.0))[1])
    effort = np.zeros(case.robot.model.nv)
    effort[axes.column[row]] = sign * share * axes.limit[row]
    found = shown(case.markers(Acting(effort=effort)))
    (key,) = [k for k in found if k[0].startswith("effort/")]
    assert key == ("effort/model", case.key(row))
    points = np.array([xyz(p) for p in found[key].points])
    center, axis = case.axis(row)
    arms = points[: SEGMENTS + 1] - center
    assert arms @ axis == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(arms, axis=1) == pytest.approx(RADIUS)
    steps = np.cross(arms[:-1], arms[1:]) @ axis / RADIUS**2
    angle = sign * math.tau * min(share, 1.0)
    assert np.arcsin(steps).sum() == pytest.approx(angle)
    assert points[SEGMENTS + 2] == pytest.approx(points[SEGMENTS]), "the head's tip is its end"
    tip = arms[-1] / RADIUS
    ahead = sign * np.cross(axis, tip)
    for side in (SEGMENTS + 1, SEGMENTS + 3):
        assert (points[side] - points[SEGMENTS]) @ ahead < 0.0, "it opens backwards"
    red, green, _ = rgb(found[key])
    if share > 1.0:
        assert rgb(found[key]) == pytest.approx((0.85, 0.1, 0.9))
    elif share == 0.1:
        assert green > red
    elif share == 1.0:
        assert red > green


def test_where_no_limit_is_known_a_circle_is_what_was_set_and_blue() -> None:
    case = Shown(OWN_ROBOTS / "skew_axes.urdf")
    axes = case.axes
    rows = np.flatnonzero(axes.turns & np.isnan(axes.limit))
    if not len(rows):
        axes.limit[:] = np.nan
    effort = np.zeros(case.robot.model.nv)
    row = int(rows[0]) if len(rows) else 0
    effort[axes.column[row]] = 25.0
    found = shown(case.markers(Acting(effort=effort)))["effort/model", case.key(row)]
    center, _ = case.axis(row)
    begin, end = (xyz(found.points[k]) - center for k in (0, SEGMENTS))
    assert begin @ end == pytest.approx(0.0, abs=1e-12), "a quarter of 100 N m"
    assert rgb(found) == pytest.approx(BLUE)


def test_measured_efforts_are_inside_and_unknown_ones_are_not_there() -> None:
    case = Shown(ARM)
    nv = case.robot.model.nv
    limit = np.nan_to_num(case.axes.limit, nan=100.0)
    effort = np.zeros(nv)
    effort[case.axes.column] = 0.5 * limit
    measured = effort.copy()
    measured[2] = np.nan
    valid = np.arange(nv) != 1
    markers = case.markers(Acting(effort=effort, valid=valid, measured=measured))
    found = shown(markers)
    turning = np.flatnonzero(case.axes.turns)
    for row in turning:
        computed = found["effort/model", case.key(row)]
        column = case.axes.column[row]
        assert (rgb(computed) == pytest.approx(GREY)) == (column == 1)
        key = ("effort/measured", case.key(row))
        assert (key in found) == (column != 2)
        if column == 2:
            assert key in deleted(markers)
            continue
        center, _ = case.axis(row)
        inner = np.linalg.norm(xyz(found[key].points[0]) - center)
        assert inner == pytest.approx(0.8 * RADIUS)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_effort_that_slides_is_an_arrow_along_its_axis(sign: float) -> None:
    case = Shown(OWN_ROBOTS / "every_joint.urdf")
    row = int(np.flatnonzero(~case.axes.turns)[0])
    effort = np.full(case.robot.model.nv, np.nan)
    whole = case.axes.limit[row]
    effort[case.axes.column[row]] = sign * 0.5 * (whole if whole > 0.0 else 100.0)
    found = shown(case.markers(Acting(effort=effort)))
    arrow = found["effort/model", case.key(row)]
    assert arrow.type == Marker.ARROW
    center, axis = case.axis(row)
    start, end = map(xyz, arrow.points)
    assert start == pytest.approx(center)
    assert end - start == pytest.approx(sign * RADIUS * axis)


def test_a_joint_with_several_rates_has_one_each_and_followers_have_none() -> None:
    case = Shown(OWN_ROBOTS / "every_joint.urdf")
    model = case.robot.model
    found = shown(case.markers(Acting(effort=np.full(model.nv, 50.0))))
    keys = {key for space, key in found if space == "effort/model"}
    assert keys == {case.key(row) for row in range(len(case.axes))}
    followers = {body for body, joint in model.moving if joint.is_follower}
    assert followers
    assert followers.isdisjoint(key % model.nb for key in keys)
    several = [body for body, joint in model.moving if joint.joint.nv == 3]
    for body in several:
        assert {body + rate * model.nb for rate in range(3)} <= keys


def test_nothing_is_shown_of_what_is_not_known_or_too_small_or_switched_off() -> None:
    case = Shown(ARM)
    nv = case.robot.model.nv
    for effort in (None, np.zeros(nv), np.full(nv, np.nan), np.full(nv, np.inf)):
        found = shown(case.markers(Acting(effort=effort)))
        assert not any(space.startswith("effort/") for space, _ in found)
    case.writer.change(VisualizationSettings(efforts=False, wrenches=False))
    valid = np.ones(case.robot.model.nb, dtype=bool)
    acting = Acting(effort=np.full(nv, 50.0))
    markers = decoded(case.writer.fill(SECOND, case.block, valid, case.q, acting))
    assert not any(m.ns.startswith(("effort/", "wrench/")) for m in markers)
