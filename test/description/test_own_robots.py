"""The test robots of this folder load as written, and equal robots written differently agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from robodyn_ros import algorithms
from robodyn_ros.description import load_model
from robodyn_ros.model import Model

ROBOTS = sorted((Path(__file__).parent / "robots").glob("*.urdf"))
# Roundings of a few products; lengths of about a metre.
ROUNDING = 1e-14

COORDINATES = {
    "arm_about_x": 2,
    "arm_about_z": 2,
    "every_joint": 13,
    "fixed_chains": 2,
    "floating_bodies": 14,
    "massless_tip": 3,
    "mimic_chain": 2,
    "no_coordinates": 0,
    "pendulum_ceiling": 1,
    "pendulum_upright": 1,
    "pendulum_wall": 1,
    "planar_axes": 16,
    "single_link": 0,
    "skew_axes": 5,
}


def named(name: str, base: str = "fixed") -> Model:
    """Load a robot of this folder."""
    (path,) = [path for path in ROBOTS if path.stem == name]
    return load_model(path, base=base)  # type: ignore[arg-type]


def test_the_folder_holds_what_is_listed() -> None:
    assert {path.stem for path in ROBOTS} == set(COORDINATES)


@pytest.mark.parametrize("name", COORDINATES)
@pytest.mark.parametrize(("base", "extra"), [("fixed", 0), ("floating", 6), ("prescribed", 0)])
def test_each_loads_with_the_coordinates_one_counts(name: str, base: str, extra: int) -> None:
    model = named(name, base)
    assert model.name == name
    assert model.nv == COORDINATES[name] + extra
    assert len(model.coordinate_names) == len(set(model.coordinate_names)) == model.nv


@pytest.mark.parametrize("name", COORDINATES)
def test_each_is_physical(name: str) -> None:
    for body in named(name).report().to_dict()["bodies"]:
        assert body["problems"] in ([], ["no inertial given, taken as massless"])


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_the_order_of_elements_does_not_change_the_motion(path: Path) -> None:
    """Numbering may differ; every body still moves as before."""
    root = etree.parse(path).getroot()
    root[:] = list(reversed(root))
    model, reversed_model = load_model(path), load_model(etree.tostring(root))
    rng = np.random.default_rng(7)
    assert sorted(model.joint_names) == sorted(reversed_model.joint_names)
    q = algorithms.random_configuration(model, rng)
    permuted = np.empty_like(q)
    for joint in model.own_joints:
        there = reversed_model.joint(joint.name).q_index
        permuted[there : there + joint.joint.nq] = q[joint.q_index : joint.q_index + joint.joint.nq]
    motion = algorithms.body_motion(model, q)
    other = algorithms.body_motion(reversed_model, permuted)
    rows = [reversed_model.body_index(name) for name in model.body_names]
    np.testing.assert_allclose(other.position[rows], motion.position, atol=10 * ROUNDING)
    np.testing.assert_allclose(other.rotation[rows], motion.rotation, atol=10 * ROUNDING)


def world_inertias(model: Model, q: np.ndarray) -> list[np.ndarray]:
    """Return every body's inertia about its centre of mass, in world axes."""
    rotation = algorithms.body_motion(model, q).rotation
    return [R @ body.inertia @ R.T for R, body in zip(rotation, model.bodies, strict=True)]


@pytest.mark.parametrize("seed", range(5))
def test_an_arm_written_with_another_axis_is_the_same_arm(seed: int) -> None:
    """All that dynamics read (centres of mass, inertias, axes in the world) agrees."""
    rng = np.random.default_rng(seed)
    q, v, a = rng.normal(size=(3, 2))
    about_x, about_z = named("arm_about_x"), named("arm_about_z")
    centres_x = algorithms.center_of_mass_motion(about_x, q, v, a)
    centres_z = algorithms.center_of_mass_motion(about_z, q, v, a)
    for x, z in zip(centres_x, centres_z, strict=True):
        np.testing.assert_allclose(x, z, atol=20 * ROUNDING)
    for x, z in zip(world_inertias(about_x, q), world_inertias(about_z, q), strict=True):
        np.testing.assert_allclose(x, z, atol=ROUNDING)
    turning_x, turning_z = (algorithms.body_motion(m, q, v, a) for m in (about_x, about_z))
    np.testing.assert_allclose(
        turning_x.angular_acceleration, turning_z.angular_acceleration, atol=20 * ROUNDING
    )


@pytest.mark.parametrize(
    ("mount", "expected"),
    [("upright", [0.0, 0.0, -0.5]), ("ceiling", [0.0, 0.0, 0.5]), ("wall", [0.0, 0.5, 0.0])],
)
def test_a_mount_turns_the_whole_pendulum(mount: str, expected: list[float]) -> None:
    """A quarter turn about y takes the bob from +x to -z of the mount."""
    model = named(f"pendulum_{mount}")
    centre = algorithms.center_of_mass_motion(model, np.array([np.pi / 2])).position[1]
    np.testing.assert_allclose(centre - [0.0, 0.0, 0.7], expected, atol=ROUNDING)


@pytest.mark.parametrize("rpy", ["0.3 -0.7 1.1", "3.141592653589793 0 0", "0 1.5707963267948966 0"])
def test_a_tilted_mount_is_the_arm_seen_from_a_tilted_world(rpy: str) -> None:
    """Gravity in the base's axes is what differs: R_WB^T g, whatever the mounting."""
    text = (Path(__file__).parent / "robots" / "skew_axes.urdf").read_text()
    mount = (
        f"<link name='floor'/><joint name='mount' type='fixed'><parent link='floor'/>"
        f"<child link='root'/><origin rpy='{rpy}'/></joint></robot>"
    )
    level, tilted = load_model(text), load_model(text.replace("</robot>", mount))
    q = algorithms.random_configuration(level, np.random.default_rng(3))
    plain, turned = algorithms.body_motion(level, q), algorithms.body_motion(tilted, q)
    R_WB = turned.rotation[1]
    assert abs(R_WB[2, 2]) < 1.0 or rpy.startswith("3.14")
    np.testing.assert_allclose(turned.position[1:], plain.position @ R_WB.T, atol=20 * ROUNDING)
    np.testing.assert_allclose(turned.rotation[1:], R_WB @ plain.rotation, atol=20 * ROUNDING)


def test_links_behind_fixed_joints_keep_their_mass_where_it_is() -> None:
    """The composite of a chain of fixed links, turned by rpy, moves as one with its carrier."""
    model = named("fixed_chains")
    q = np.array([0.4, -0.9])
    centres = algorithms.center_of_mass_motion(model, q).position
    straight = algorithms.center_of_mass_motion(model, np.zeros(2)).position
    rigid = [model.body_index(n) for n in ("upper", "bend", "bracket", "camera")]
    for i in rigid:
        for j in rigid:
            distance, before = centres[i] - centres[j], straight[i] - straight[j]
            assert np.linalg.norm(distance) == pytest.approx(np.linalg.norm(before), abs=ROUNDING)
    assert model.report().to_dict()["total_mass"] == pytest.approx(13.3)
