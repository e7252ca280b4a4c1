"""Mass properties from a mechanism file, against integrals over the shapes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from robodyn_ros.description import load_model
from robodyn_ros.model import Body
from robodyn_ros.spatial import rotation_from_rpy

# Of sums over a million random points, which are exact to about 1e-3 of the whole.
SAMPLING = 5e-3
EXACT = 1e-12


def body(text: str) -> Body:
    """Return the body that is described by `text`."""
    return load_model(f"mechanism: 1\nbodies: {{b: {{{text}}}}}").bodies[0]


def sampled_inertia(points: NDArray[np.float64], mass: float) -> NDArray[np.float64]:
    """Return the inertia about the origin of points that share a mass evenly."""
    squares = np.einsum("ni,ni->", points, points) * np.eye(3)
    return mass * (squares - np.einsum("ni,nj->ij", points, points)) / len(points)


def in_cylinder(rng: np.random.Generator, radius: float, length: float) -> NDArray[np.float64]:
    points = rng.uniform(-1.0, 1.0, (1_000_000, 3))
    points = points[np.hypot(points[:, 0], points[:, 1]) < 1.0]
    return points * [radius, radius, length / 2.0]


def test_a_cylinder_is_solid_and_lies_along_its_axis() -> None:
    rng = np.random.default_rng(0)
    upright = sampled_inertia(in_cylinder(rng, 0.2, 0.6), 3.0)
    shape = "shape: cylinder, radius: 0.2, length: 0.6"
    np.testing.assert_allclose(
        body(f"mass: 3, inertia: {{{shape}}}").inertia, upright, atol=SAMPLING * upright.max()
    )
    turned = upright[np.ix_([2, 0, 1], [2, 0, 1])]
    np.testing.assert_allclose(
        body(f"mass: 3, inertia: {{{shape}, axis: [1, 0, 0]}}").inertia,
        turned,
        atol=SAMPLING * upright.max(),
    )


def test_a_box_a_sphere_and_a_rod_are_solid() -> None:
    rng = np.random.default_rng(1)
    cube = rng.uniform(-1.0, 1.0, (1_000_000, 3))
    expected = sampled_inertia(cube * [0.1, 0.2, 0.3], 2.0)
    found = body("mass: 2, inertia: {shape: box, size: [0.2, 0.4, 0.6]}").inertia
    np.testing.assert_allclose(found, expected, atol=SAMPLING * expected.max())
    ball = cube[np.linalg.norm(cube, axis=1) < 1.0]
    expected = sampled_inertia(ball * 0.3, 2.0)
    found = body("mass: 2, inertia: {shape: sphere, radius: 0.3}").inertia
    np.testing.assert_allclose(found, expected, atol=SAMPLING * expected.max())
    expected = sampled_inertia(cube * [0.0, 0.5, 0.0], 2.0)
    found = body("mass: 2, inertia: {shape: rod, length: 1, axis: [0, 1, 0]}").inertia
    np.testing.assert_allclose(found, expected, atol=SAMPLING * expected.max())


@pytest.mark.parametrize(
    "inertia",
    [
        "[1, 0.1, 0.2, 2, 0.3, 2.5]",
        "[[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]]",
        "{ixx: 1, ixy: 0.1, ixz: 0.2, iyy: 2, iyz: 0.3, izz: 2.5}",
    ],
)
def test_moments_have_three_forms(inertia: str) -> None:
    expected = np.array([[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]])
    np.testing.assert_array_equal(body(f"mass: 1, inertia: {inertia}").inertia, expected)
    R = rotation_from_rpy([0.1, 0.2, 0.3])
    turned = body(f"mass: 1, inertia: {inertia}, inertia_rotation: {{rpy: [0.1, 0.2, 0.3]}}")
    np.testing.assert_allclose(turned.inertia, R @ expected @ R.T, atol=EXACT)


def test_point_masses_move_the_centre_and_add_inertia() -> None:
    found = body(
        "mass: 2, com: [0, 0, 0.5], inertia: [0.1, 0, 0, 0.1, 0, 0],"
        " point_masses: [{mass: 1, position: [0, 0, 1]}, {mass: 1}]"
    )
    assert found.mass == 4.0
    np.testing.assert_allclose(found.com, [0, 0, 0.5], atol=EXACT)
    # Two points half a metre from the centre of mass.
    np.testing.assert_allclose(found.inertia, np.diag([0.6, 0.6, 0.0]), atol=EXACT)


def test_point_masses_alone_are_a_body() -> None:
    found = body("point_masses: [{mass: 1, position: [1, 0, 0]}, {mass: 3, position: [-1, 0, 0]}]")
    assert found.mass == 4.0
    np.testing.assert_allclose(found.com, [-0.5, 0, 0], atol=EXACT)
    np.testing.assert_allclose(found.inertia, np.diag([0, 3, 3]), atol=EXACT)


def test_an_empty_body_has_no_inertial_and_massless_points_change_nothing() -> None:
    model = load_model("mechanism: 1\nbodies: {b: }")
    assert not model.bodies[0].has_inertial
    assert body("mass: 1").has_inertial
    assert body("point_masses: [{mass: 0, position: [1, 0, 0]}]").mass == 0.0


def test_numbers_are_expressions_of_parameters() -> None:
    text = (
        'mechanism: 1\nparameters: {a: 2, b: "a^2", c: "sqrt(b)/2"}\nbodies: {b: {mass: "a*b*c"}}'
    )
    assert load_model(text).bodies[0].mass == 8.0
    assert load_model(text, parameters={"a": 4.0}).bodies[0].mass == 128.0
    assert load_model(text, parameters={"b": 1}).bodies[0].mass == 1.0
