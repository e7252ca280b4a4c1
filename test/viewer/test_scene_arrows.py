"""Arrows of motions and wrenches."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.errors import UnknownNameError
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.robot_scene import Wrench
from robots import example
from viewed import EXAMPLES, move, nodes, shown


def points_of(page: Page, path: str) -> np.ndarray:
    return np.array(nodes(page)[path].points)


def test_arrows_show_how_bodies_move(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "double_pendulum.yaml")
    scene.set_visible("linear_velocity", True)
    q, v = np.array([0.3, -0.4]), np.array([1.0, -2.0])
    move(scene, robot, q)
    path = f"{scene.root}/arrows/linear_velocity"
    assert path not in nodes(page)
    motion = robot.body_motion(q, v)
    scene.show_motion(linear_velocity=motion.linear_velocity)
    moving = [
        body
        for body, made in enumerate(robot.model.bodies)
        if np.any(np.abs(motion.linear_velocity[body]) > 1e-9) and not made.auxiliary
    ]
    points = nodes(page)[path].points
    assert len(points) == len(moving) > 0
    for (begin, end), body in zip(points, moving, strict=True):
        np.testing.assert_allclose(begin, motion.position[body], atol=1e-6)
        expected = scene.settings.linear_velocity * motion.linear_velocity[body]
        length = np.linalg.norm(expected)
        expected *= min(length, scene.settings.arrow_max_length) / length
        np.testing.assert_allclose(end - begin, expected, atol=1e-5)
    moved = move(scene, robot, q + 0.5)
    np.testing.assert_allclose(points_of(page, path)[0, 0], moved.position[moving[0]], atol=1e-5)
    scene.show_motion(linear_velocity=np.full((robot.model.nb, 3), np.nan))
    assert not nodes(page)[path].visible
    scene.show_motion(linear_velocity=1e100 * np.ones((robot.model.nb, 3)))
    lengths = np.linalg.norm(np.diff(points_of(page, path), axis=1), axis=2)
    np.testing.assert_allclose(lengths, scene.settings.arrow_max_length, rtol=1e-5)
    scene.show_motion()
    assert not nodes(page)[path].visible


def test_arrows_of_markers_begin_at_them(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "four_bar.yaml")
    scene.set_visible("marker_velocity", True)
    q = robot.initial_state[0]
    v = robot.complete(q, np.ones(robot.model.nv)).v
    move(scene, robot, q)
    found_ = robot.marker_motion(q, v)
    scene.show_markers(found_.value, found_.rate, found_.acceleration)
    places = [k for k, x in enumerate(robot.model.markers) if x.kind == "position"]
    points = points_of(page, f"{scene.root}/arrows/marker_velocity")
    np.testing.assert_allclose(points[:, 0], found_.value[places], atol=1e-5)
    along = np.diff(points, axis=1)[:, 0]
    cosines = np.einsum("ij,ij->i", along, found_.rate[places]) / (
        np.linalg.norm(along, axis=1) * np.linalg.norm(found_.rate[places], axis=1)
    )
    np.testing.assert_allclose(cosines, 1.0, atol=1e-6)
    scene.show_markers(np.full_like(found_.value, np.nan), found_.rate, found_.acceleration)
    assert not nodes(page)[f"{scene.root}/arrows/marker_velocity"].visible


def test_wrenches_are_arrows_from_where_they_act(page: Page) -> None:
    scene, robot = shown(page, example("panda.urdf"))
    motion = move(scene, robot, robot.random_configuration(1))
    hand = robot.model.body_index("panda_hand")
    scene.show_wrenches([Wrench("panda_hand", np.array([0.0, 0.0, 5.0, 10.0, 0.0, 0.0]))])
    force = points_of(page, f"{scene.root}/arrows/wrenches/force")[0]
    moment = points_of(page, f"{scene.root}/arrows/wrenches/moment")[0]
    np.testing.assert_allclose([force[0], moment[0]], [motion.position[hand]] * 2, atol=1e-5)
    np.testing.assert_allclose(force[1] - force[0], [10 * scene.settings.force, 0, 0], atol=1e-5)
    np.testing.assert_allclose(moment[1] - moment[0], [0, 0, 5 * scene.settings.moment], atol=1e-5)
    scene.set_visible("wrenches", False)
    assert not nodes(page)[f"{scene.root}/arrows/wrenches/force"].visible
    scene.set_visible("wrenches", True)
    scene.show_wrenches([])
    assert not nodes(page)[f"{scene.root}/arrows/wrenches/force"].visible
    with pytest.raises(UnknownNameError):
        scene.show_wrenches([Wrench("hand", np.zeros(6))])
