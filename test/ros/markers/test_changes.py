"""What a viewer sees when settings, robot, validity or the clock change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rclpy.serialization import deserialize_message
from visualization_msgs.msg import Marker, MarkerArray

from marker_rules import Viewer, check_rules, decoded, shown
from motion_blocks import random_block
from robodyn_ros import Robot
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model import Model
from robodyn_ros.ros.markers.settings import NAMESPACES, VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robots import example, loaded

SECOND = 1_000_000_000
EVERYTHING = VisualizationSettings(trail_length=4)
NOTHING = replace(EVERYTHING, **dict.fromkeys(NAMESPACES, False))


class Scene:
    """A robot in motion, its writer, and a viewer that sees every message."""

    def __init__(self, robot: Robot, settings: VisualizationSettings = EVERYTHING) -> None:
        self.robot = robot
        self.writer = VisualizationWriter(robot.model, FramePlan(robot.model), settings)
        self.viewer = Viewer()
        self.steps = 0

    def step(self) -> set[str]:
        """Show the next state; return the namespaces that are on the screen."""
        self.steps += 1
        block = random_block(self.robot, self.steps)
        valid = np.ones(self.robot.model.nb, dtype=bool)
        seen = self.viewer.take(self.writer.fill(self.steps * SECOND, block, valid))
        return {ns for ns, _ in seen}


@pytest.fixture
def scene(panda: Robot) -> Scene:
    """One real arm after two steps."""
    scene = Scene(panda)
    scene.step()
    assert scene.step() == set(NAMESPACES.values())
    return scene


@pytest.mark.parametrize("kind", NAMESPACES)
def test_a_kind_switched_off_leaves_the_screen_and_comes_back(scene: Scene, kind: str):
    everything = set(NAMESPACES.values())
    scene.writer.change(replace(EVERYTHING, **{kind: False}))
    assert scene.step() == everything - {NAMESPACES[kind]}
    scene.writer.change(EVERYTHING)
    scene.step()
    assert scene.step() == everything


@pytest.mark.parametrize("kind", NAMESPACES)
def test_a_kind_alone_is_alone(panda: Robot, kind: str):
    scene = Scene(panda, replace(NOTHING, **{kind: True}))
    scene.step()
    assert scene.step() == {NAMESPACES[kind]}


def test_with_all_switched_off_the_screen_is_cleared_once(scene: Scene):
    scene.writer.change(NOTHING)
    assert scene.step() == set()
    assert scene.step() == set()


def test_only_the_first_message_of_a_setting_deletes_all(scene: Scene):
    def first() -> int:
        scene.steps += 1
        block = random_block(scene.robot, 1)
        valid = np.ones(scene.robot.model.nb, dtype=bool)
        return decoded(scene.writer.fill(scene.steps * SECOND, block, valid))[0].action

    assert first() != Marker.DELETEALL
    scene.writer.change(replace(EVERYTHING))
    assert first() != Marker.DELETEALL  # the same settings are no change
    scene.writer.change(replace(EVERYTHING, frame_size=0.5))
    assert first() == Marker.DELETEALL
    assert first() != Marker.DELETEALL


def test_sizes_and_lifetimes_change_too(scene: Scene):
    scene.writer.change(replace(EVERYTHING, frame_size=0.5, density=100.0, rate=2.0))
    scene.step()
    screen = scene.viewer.screen
    assert screen["frames", 1].points[1].x == 0.5
    assert {marker.lifetime.sec + 1e-9 * marker.lifetime.nanosec for marker in screen.values()} == {
        1.5
    }
    mass = scene.robot.model.bodies[1].mass
    diameter = screen["center_of_mass", 1].scale.x
    assert np.pi / 6.0 * diameter**3 * 100.0 == pytest.approx(mass)


@pytest.mark.parametrize(
    ("rate", "lifetime"), [(0.0, 0.5), (200.0, 0.5), (30.0, 0.5), (3.0, 1.0), (0.1, 30.0)]
)
def test_markers_live_for_three_periods_and_half_a_second_at_least(rate: float, lifetime: float):
    assert VisualizationSettings(rate=rate).lifetime == pytest.approx(lifetime)


def test_trails_go_on_when_something_else_changes(scene: Scene):
    (body, before), *_ = [
        (body, marker) for (ns, body), marker in scene.viewer.screen.items() if ns == "trails"
    ]
    scene.writer.change(replace(EVERYTHING, frames=False))
    scene.step()
    after = scene.viewer.screen["trails", body]
    assert after.points[:-1] == before.points[1:]
    scene.writer.change(replace(EVERYTHING, trail_length=6))
    assert "trails" not in scene.step()


def test_reset_starts_the_trails_afresh(scene: Scene):
    scene.writer.reset()
    assert "trails" not in scene.step()
    assert "trails" in scene.step()


def test_a_clock_that_runs_back_starts_the_trails_afresh(scene: Scene):
    scene.steps = 0
    assert "trails" not in scene.step()
    assert "trails" in scene.step()


def test_trails_of_chosen_bodies(panda: Robot):
    names = ("panda_link5", "panda_hand", "gripper", "panda_link5")
    scene = Scene(panda, replace(EVERYTHING, trail_bodies=names))
    assert scene.writer.unknown_trail_bodies == ("gripper",)
    scene.step()
    scene.step()
    trailing = {panda.model.body_names[body] for ns, body in scene.viewer.screen if ns == "trails"}
    assert trailing == {"panda_link5", "panda_hand"}


def test_a_robot_that_shrinks_leaves_nothing_behind(scene: Scene):
    model = scene.robot.model
    joints = tuple(joint for joint in model.joints[:6])
    short = Robot(Model("short", "fixed", model.bodies[:6], joints), compile="off")
    later = Scene(short)
    later.viewer = scene.viewer
    later.step()
    assert {body for _, body in later.viewer.screen} == set(range(6))


def test_another_robot_replaces_the_first(scene: Scene):
    other = Robot(loaded(example("ur5_robot.urdf")), compile="off")
    alone, after = Scene(other), Scene(other)
    after.viewer = scene.viewer
    alone.step()
    after.step()
    assert after.viewer.screen == alone.viewer.screen


def test_clear_empties_the_screen_in_the_world_frame(panda: Robot):
    plan = FramePlan(panda.model, prefix="left/")
    writer = VisualizationWriter(panda.model, plan, EVERYTHING)
    viewer = Viewer()
    block, valid = random_block(panda, 1), np.ones(panda.model.nb, dtype=bool)
    assert viewer.take(writer.fill(SECOND, block, valid))
    data = writer.clear(2 * SECOND)
    (marker,) = check_rules(data, "left/panda_link0", 2 * SECOND)
    assert (marker.action, marker.ns, marker.id) == (Marker.DELETEALL, "", 0)
    assert viewer.take(data) == {}
    assert deserialize_message(data, MarkerArray).markers == [marker]


@pytest.mark.parametrize(
    ("prefix", "world", "frame"),
    [
        ("", "", "panda_link0"),
        ("r1/", "", "r1/panda_link0"),
        ("r1", "", "r1panda_link0"),
        ("r1/", "map", "map"),
        ("", "welt_säule", "welt_säule"),
    ],
)
def test_markers_are_in_the_world_frame(panda: Robot, prefix: str, world: str, frame: str):
    plan = FramePlan(panda.model, prefix=prefix, world_frame=world)
    writer = VisualizationWriter(panda.model, plan, EVERYTHING)
    valid = np.ones(panda.model.nb, dtype=bool)
    data = writer.fill(SECOND, random_block(panda, 1), valid)
    assert len(shown(check_rules(data, frame, SECOND))) > panda.model.nb
