"""Ellipsoids, spheres and axes against the mechanics that they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from motion_blocks import random_block
from robodyn_ros import Robot
from robodyn_ros.model import Body
from robodyn_ros.model.elements import constant
from robodyn_ros.model.inertia_ellipsoid import REACH, inertia_ellipsoid, sphere_diameter
from robodyn_ros.ros.markers.geometry import Bodies, x_axis_onto
from robodyn_ros.spatial import quaternion_to_matrix, rotation_from_rpy
from robots import example, loaded, random_tree

SEEDS = range(6)


def body(mass: float, inertia: np.ndarray) -> Body:
    return Body("b", mass, constant(np.zeros(3)), constant(inertia))


def box(mass: float, x: float, y: float, z: float) -> np.ndarray:
    """Return the inertia (3, 3) of a box of uniform density with these edges."""
    return mass / 12.0 * np.diag([y * y + z * z, z * z + x * x, x * x + y * y])


def inertia_of(ellipsoid, mass: float) -> np.ndarray:
    """Return the inertia (3, 3) of a solid ellipsoid by its definition, body axes."""
    a, b, c = ellipsoid.semi_axes
    moments = mass / 5.0 * np.array([b * b + c * c, c * c + a * a, a * a + b * b])
    R = quaternion_to_matrix(ellipsoid.quaternion)
    return R @ np.diag(moments) @ R.T


def test_a_box_has_the_ellipsoid_of_its_moments_along_its_edges():
    edges = np.array([0.3, 0.1, 0.2])
    inertia = box(2.0, *edges)
    ixx, iyy, izz = np.diag(inertia)
    expected = np.sqrt(2.5 / 2.0 * np.array([iyy + izz - ixx, izz + ixx - iyy, ixx + iyy - izz]))
    np.testing.assert_allclose(expected, edges * np.sqrt(5.0 / 12.0), rtol=1e-12)
    ellipsoid = inertia_ellipsoid(body(2.0, inertia))
    R = quaternion_to_matrix(ellipsoid.quaternion)
    along = np.abs(R).argmax(axis=0)  # which edge each axis of the ellipsoid lies along
    np.testing.assert_allclose(np.abs(R).max(axis=0), 1.0, atol=1e-12)
    np.testing.assert_allclose(ellipsoid.semi_axes, expected[along], rtol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_ellipsoid_has_the_inertia_it_was_made_from(seed: int):
    rng = np.random.default_rng(seed)
    R = rotation_from_rpy(rng.uniform(-np.pi, np.pi, 3))
    mass = rng.uniform(0.1, 5.0)
    inertia = R @ box(mass, *rng.uniform(0.05, 0.5, 3)) @ R.T
    ellipsoid = inertia_ellipsoid(body(mass, inertia))
    np.testing.assert_allclose(inertia_of(ellipsoid, mass), inertia, atol=1e-12)


@pytest.mark.parametrize("name", ["panda.urdf", "talos_full_v2.urdf", "ur5_robot.urdf"])
def test_ellipsoids_of_real_robots(name: str):
    made = 0
    for each in loaded(example(name)).bodies:
        ellipsoid = inertia_ellipsoid(each)
        moments = np.linalg.eigvalsh(each.inertia)
        possible = each.mass > 0 and moments[2] < (moments[0] + moments[1]) * (1 - 1e-6)
        assert (ellipsoid is not None) or not possible
        if ellipsoid is not None and ellipsoid.semi_axes.min() > 0.02 * ellipsoid.semi_axes.max():
            made += 1
            expected = pytest.approx(each.inertia, abs=1e-9 * moments[2])
            assert inertia_of(ellipsoid, each.mass) == expected
    assert made > 3


@pytest.mark.parametrize(
    ("mass", "inertia"),
    [
        (0.0, np.eye(3)),
        (-1.0, np.eye(3)),
        (1.0, np.zeros((3, 3))),
        (1.0, np.diag([1.0, 1.0, 3.0])),
        (1.0, np.diag([-1.0, 1.0, 1.0])),
        (1.0, -np.eye(3)),
        (1e-300, np.eye(3)),
        (1.0, 1e300 * np.eye(3)),
        (1.0, 1e-30 * np.eye(3)),
        (1e300, np.eye(3)),
        (1.0, np.array([[1.0, 50.0, 0.0], [50.0, 1.0, 0.0], [0.0, 0.0, 1.0]])),
    ],
)
def test_what_is_no_body_has_no_ellipsoid(mass: float, inertia: np.ndarray):
    assert inertia_ellipsoid(body(mass, inertia)) is None


@pytest.mark.parametrize("inertia", [np.diag([0.0, 1.0, 1.0]), np.diag([1.0, 1.0, 2.0])])
def test_rods_and_plates_are_thin_and_not_flat(inertia: np.ndarray):
    semi_axes = np.sort(inertia_ellipsoid(body(1.0, inertia)).semi_axes)
    assert semi_axes[0] == pytest.approx(0.01 * semi_axes[2])


def test_the_volume_of_a_sphere_grows_with_the_mass():
    one, eight = sphere_diameter(1.0, 5000.0), sphere_diameter(8.0, 5000.0)
    assert np.pi / 6.0 * one**3 * 5000.0 == pytest.approx(1.0)
    assert eight == pytest.approx(2.0 * one)


@pytest.mark.parametrize(
    "direction", [*np.eye(3), *-np.eye(3), *np.random.default_rng(1).normal(size=(20, 3))]
)
def test_x_turns_onto_a_direction(direction: np.ndarray):
    direction = direction / np.linalg.norm(direction)
    quaternion = x_axis_onto(direction)
    assert np.linalg.norm(quaternion) == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose(quaternion_to_matrix(quaternion)[:, 0], direction, atol=1e-12)


def test_bodies_out_of_reach_or_without_a_turn_are_not_sound():
    robot = Robot(random_tree(1), compile="off")
    block = random_block(robot, 1)
    valid = np.ones(robot.model.nb, dtype=bool)
    assert Bodies(block, valid).sound.all()
    block[1, 2] = np.nan
    block[2, 0] = 2.0 * REACH
    block[3, 3:7] = 0.0
    block[4, 20] = -np.inf
    block[5, 3:7] *= 1.01
    valid[6] = False
    bodies = Bodies(block, valid)
    assert np.flatnonzero(~bodies.sound).tolist() == [1, 2, 3, 4, 5, 6]
    assert np.isfinite(bodies.rotation).all()
    every = np.arange(robot.model.nb)
    points = bodies.points(every, np.tile([0, 1, 2], (len(every), 1)))
    np.testing.assert_array_equal(points[bodies.sound], block[bodies.sound, :3])
    np.testing.assert_array_equal(points[~bodies.sound], 0.0)
