"""The kinds of things that a scene shows: where they are, and that they can be hidden."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.errors import UnknownNameError
from robodyn_ros.model import Payload
from robodyn_ros.spatial import quaternion_from_matrix
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.settings import KINDS, SHOWN_AT_FIRST
from robots import example
from viewed import EXAMPLES, move, nodes, rotation_of, shown


def payload(frame: str, mass: float = 1.5) -> Payload:
    return Payload("tool", frame, mass, np.array([0.0, 0.0, 0.1]), np.zeros((3, 3)))


def test_what_is_hidden_makes_no_nodes_until_it_is_shown(page: Page) -> None:
    scene, _ = shown(page, example("ur5_robot.urdf"))
    assert scene.kinds == tuple(kind for kind in KINDS if kind in scene.kinds)
    few = len(nodes(page, scene.root))
    for kind in scene.kinds:
        assert scene.is_visible(kind) == (kind in SHOWN_AT_FIRST)
        scene.set_visible(kind, True)
        assert scene.is_visible(kind)
    many = nodes(page, scene.root)
    assert len(many) > few
    for level in ("/frame", "/name", "/center_of_mass", "/inertia", "/joint_axes", "/collisions/"):
        assert any(level in path for path in many), level
    for kind in scene.kinds:
        scene.set_visible(kind, False)
    leaves = [p for p in many if not any(x.startswith(f"{p}/") for x in many)]
    drawn = [x for x in leaves if not any(x == path for path in scene._links.paths)]
    assert drawn
    assert not any(many[path].visible for path in drawn)


def test_an_unknown_kind_is_refused_with_those_that_there_are(page: Page) -> None:
    scene, _ = shown(page, EXAMPLES / "double_pendulum.yaml")
    for call in (lambda: scene.set_visible("frame", True), lambda: scene.is_visible("frame")):
        with pytest.raises(UnknownNameError, match="frames"):
            call()


def test_kinds_are_those_that_a_robot_has(page: Page) -> None:
    closed, _ = shown(page, EXAMPLES / "stewart_platform_rods.yaml")
    tree, _ = shown(page, example("ur5_robot.urdf"))
    assert {"constraints", "markers", "marker_velocity"} <= set(closed.kinds)
    assert not {"constraints", "markers", "marker_velocity"} & set(tree.kinds)
    assert "collisions" in tree.kinds
    assert "collisions" not in closed.kinds


def test_masses_and_inertia_are_at_the_centres_of_mass(page: Page) -> None:
    scene, robot = shown(page, example("ur5_robot.urdf"))
    for kind in ("centers_of_mass", "inertia"):
        scene.set_visible(kind, True)
    for body in robot.model.bodies:
        if body.mass > 0.0:
            path = scene.body_path(body.name)
            sphere, solid = (nodes(page)[f"{path}/{x}"] for x in ("center_of_mass", "inertia"))
            np.testing.assert_allclose(sphere.position, body.com, atol=1e-6)
            np.testing.assert_allclose(solid.position, body.com, atol=1e-6)
            volume = 4.0 / 3.0 * np.pi * sphere.radius**3
            assert volume * scene.settings.density == pytest.approx(body.mass)
            # Of a solid ellipsoid: I = R diag(b^2 + c^2, ...) R^T m / 5.
            a, b, c = np.square(solid.scale)
            moments = body.mass / 5.0 * np.diag([b + c, c + a, a + b])
            inertia = rotation_of(solid) @ moments @ rotation_of(solid).T
            np.testing.assert_allclose(inertia, body.inertia, atol=0.02 * np.max(body.inertia))


@pytest.mark.parametrize("name", ["stewart_platform_rods.yaml", "mixed_platform.yaml"])
def test_constraint_elements_join_their_points(page: Page, name: str) -> None:
    scene, robot = shown(page, EXAMPLES / name)
    model = robot.model
    q = robot.initial_state[0]
    q = robot.closed(robot.integrate(q, 0.02 * np.ones(model.nv)))
    assert np.isfinite(q).all()
    motion = move(scene, robot, q)
    lines = iter(nodes(page)[f"{scene.root}/constraints/lines"].points)
    for element in model.closure.elements:
        if element.type_name == "rod":
            line = next(lines)
            for end, body, point in zip(
                line,
                (element.body_1, element.body_2),
                (element.point_1, element.point_2),
                strict=True,
            ):
                world = motion.position[body] + motion.rotation[body] @ point
                np.testing.assert_allclose(end, world, atol=1e-5)
        elif element.type_name not in {"point_on_plane", "loop"}:
            next(lines)
    for number, element in enumerate(
        x for x in model.closure.elements if x.type_name == "point_on_plane"
    ):
        plate = nodes(page)[f"{scene.root}/constraints/planes/{number}"]
        point = motion.position[element.body_2] + (
            motion.rotation[element.body_2] @ element.point_2
        )
        np.testing.assert_allclose(plate.position, point, atol=1e-5)
        normal = motion.rotation[element.body_1] @ element.normal
        assert abs(rotation_of(plate)[:, 2] @ normal) == pytest.approx(1.0, abs=1e-6)


def test_axes_of_joints_lie_on_the_screws_of_their_rates(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "four_bar.yaml")
    scene.set_visible("joint_axes", True)
    q = robot.initial_state[0]
    motion = move(scene, robot, q)
    model = robot.model
    for name in ("crank", "rocker"):
        body = model.body_index(name)
        begin, end = nodes(page)[f"{scene.body_path(name)}/joint_axes"].points[0]
        along = motion.rotation[body] @ (end - begin)
        turn = [0.0, -1.0, 0.0]  # as the file has it, in the base's axes
        np.testing.assert_allclose(along / np.linalg.norm(along), turn, atol=1e-6)
        middle = motion.position[body] + motion.rotation[body] @ (0.5 * (begin + end))
        np.testing.assert_allclose(middle, motion.position[body], atol=1e-6)


def test_axes_that_change_need_coordinates(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "universal_joint.yaml")
    scene.set_visible("joint_axes", True)
    axes = [node for path, node in nodes(page, scene.root).items() if path.endswith("joint_axes")]
    move(scene, robot, robot.initial_state[0])
    assert all(node.visible for node in axes)
    q = robot.random_configuration(0)
    before = [np.array(node.points) for node in axes]
    move(scene, robot, q)
    assert any(not np.allclose(old, node.points) for old, node in zip(before, axes, strict=True))
    motion = robot.body_motion(q)
    scene.show(motion.position, quaternion_from_matrix(motion.rotation))
    assert not all(node.visible for node in axes)


def test_payloads_come_and_go(page: Page) -> None:
    scene, robot = shown(page, example("panda.urdf"))
    path = f"{scene.body_path('panda_hand')}/payloads/0"
    scene.show_payloads([payload("panda_hand")])
    np.testing.assert_allclose(nodes(page)[path].position, [0.0, 0.0, 0.1], atol=1e-6)
    assert nodes(page)[f"{path}/name"].text == "tool: 1.5 kg"
    scene.show_payloads([payload("panda_hand", 8 * 1.5)])
    larger = nodes(page)[path].radius
    scene.show_payloads([payload("panda_hand"), payload("panda_link0")])
    assert larger == pytest.approx(2.0 * nodes(page)[path].radius)
    assert f"{scene.body_path('panda_link0')}/payloads/1" in nodes(page)
    scene.show_payloads([])
    assert path not in nodes(page)
    with pytest.raises(UnknownNameError, match="panda_hand"):
        scene.show_payloads([payload("panda_hnad")])
    assert robot.environment.payloads == ()
