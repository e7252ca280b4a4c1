"""Markers: points and directions against differentiation, the body's own motion and each other."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros import DescriptionError, ModelBuilder, Robot
from robodyn_ros.joints import Planar, Prismatic, Revolute
from robodyn_ros.model import Model


def marked_arm() -> Model:
    """Return an arm whose child frames sit off their joints, with markers on every link."""
    rng = np.random.default_rng(3)
    builder = ModelBuilder("marked arm")
    builder.add_body("base", mass=1.0)
    parent = "base"
    turned = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for name, joint in (("a", Revolute((0, 1, 0))), ("b", Planar((1, 0, 0))), ("c", Prismatic())):
        builder.add_body(name, mass=1.0, com=rng.normal(size=3), inertia=np.eye(3))
        builder.add_joint(
            f"to {name}",
            joint,
            parent,
            name,
            position=rng.normal(size=3),
            child_position=rng.normal(size=3),
            child_rotation=turned,
        )
        builder.add_marker(f"point of {name}", name, position=rng.normal(size=3))
        builder.add_marker(f"direction of {name}", name, direction=rng.normal(size=3))
        parent = name
    builder.add_marker("fixed point", "base", position=(1.0, 2.0, 3.0))
    return builder.build()


@pytest.mark.parametrize("mode", ["off", "wait"])
def test_rates_are_derivatives(mode: str) -> None:
    robot = Robot(marked_arm(), compile=mode)  # type: ignore[arg-type]
    q, v, a = np.random.default_rng(7).normal(size=(3, robot.model.nv))
    h = 1e-3
    times = h * np.arange(-3, 4)[:, None]
    motion = robot.marker_motion(q + v * times + a * times**2 / 2.0)
    values = np.moveaxis(motion.value, 0, -1)
    first = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60.0 * h)
    second = np.array([2, -27, 270, -490, 270, -27, 2]) / (180.0 * h * h)
    now = robot.marker_motion(q, v, a)
    np.testing.assert_allclose(now.value, values[..., 3], atol=1e-15)
    np.testing.assert_allclose(now.rate, values @ first, atol=1e-10)
    np.testing.assert_allclose(now.acceleration, values @ second, atol=1e-7)


def test_directions_are_unit_vectors_and_points_move_with_their_body() -> None:
    robot = Robot(marked_arm(), compile="off")
    q, v, a = np.random.default_rng(8).normal(size=(3, 5, robot.model.nv))
    motion, bodies = robot.marker_motion(q, v, a), robot.body_motion(q, v, a)
    for k, marker in enumerate(robot.model.markers):
        R = bodies.rotation[:, marker.body]
        value = np.einsum("nij,j->ni", R, marker.vector)
        if marker.kind == "direction":
            np.testing.assert_allclose(np.linalg.norm(motion.value[:, k], axis=-1), 1.0)
            np.testing.assert_allclose(motion.value[:, k], value, atol=1e-14)
        else:
            np.testing.assert_allclose(
                motion.value[:, k], value + bodies.position[:, marker.body], atol=1e-14
            )


def test_two_points_move_apart_along_the_direction_between_them() -> None:
    builder = ModelBuilder("bar")
    builder.add_body("base")
    builder.add_body("bar", mass=1.0)
    builder.add_joint("hinge", Revolute((0, 0, 1)), "base", "bar")
    builder.add_marker("near", "bar", position=(1.0, 0.0, 0.0))
    builder.add_marker("far", "bar", position=(3.0, 0.0, 0.0))
    builder.add_marker("along", "bar", direction=(2.0, 0.0, 0.0))
    motion = Robot(builder.build(), compile="off").marker_motion([0.3], [2.0], [-1.0])
    for quantity in motion:
        np.testing.assert_allclose(quantity[1] - quantity[0], 2.0 * quantity[2], atol=1e-15)


@pytest.mark.parametrize("mode", ["off", "wait"])
def test_a_robot_without_markers_has_no_rows(mode: str) -> None:
    builder = ModelBuilder("bare")
    builder.add_body("base")
    builder.add_body("link", mass=1.0)
    builder.add_joint("hinge", Revolute(), "base", "link")
    robot = Robot(builder.build(), compile=mode)  # type: ignore[arg-type]
    assert robot.marker_motion([0.1]).value.shape == (0, 3)
    assert robot.marker_motion([[0.1], [0.2]]).acceleration.shape == (2, 0, 3)


BAD = [
    ({"position": (0, 0, 0), "direction": (0, 0, 1)}, "either a position or a direction"),
    ({}, "either a position or a direction"),
    ({"direction": (0, 0, 0)}, "is zero"),
    ({"position": (0, 0)}, "finite numbers"),
    ({"position": (0, 0, float("nan"))}, "finite numbers"),
]


@pytest.mark.parametrize(("given", "text"), BAD)
def test_bad_markers_are_refused(given: dict[str, tuple[float, ...]], text: str) -> None:
    builder = ModelBuilder("robot")
    builder.add_body("base")
    with pytest.raises(DescriptionError, match=text) as caught:
        builder.add_marker("tip", "base", **given)
    assert "'tip'" in str(caught.value)


def test_markers_of_unknown_links_and_of_one_name_are_refused() -> None:
    builder = ModelBuilder("robot")
    builder.add_body("base")
    builder.add_marker("tip", "nowhere", position=(0, 0, 0))
    with pytest.raises(DescriptionError, match="'tip' sits on unknown link 'nowhere'"):
        builder.build()
    with pytest.raises(DescriptionError, match="two markers are called 'tip'"):
        builder.add_marker("tip", "base", position=(0, 0, 0))


def test_markers_are_part_of_the_fingerprint() -> None:
    def fingerprint(x: float) -> str:
        builder = ModelBuilder("robot")
        builder.add_body("base")
        builder.add_marker("tip", "base", position=(x, 0, 0))
        return builder.build().fingerprint

    assert fingerprint(0.1) != fingerprint(0.2)
