"""Joints of a mechanism file: types, placements, what holds per rate, followers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from robodyn_ros.algorithms import body_motion
from robodyn_ros.description import load_model
from robodyn_ros.joints import JOINT_TYPES, Gimbal, Helical, JointLimits, Spherical, Universal
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.spatial import quaternion_to_matrix, rotation_from_rpy

EXACT = 1e-12
# What a type cannot do without.
NEEDED = {
    "helical": "pitch: 0.1",
    "dh_helical": "pitch: 0.1",
    "gimbal": "sequence: 231",
    "user_defined": "variables: [u], m: [1, 0, 0], n: [0, 1, 0], a: [u, 0, 0]",
}


def with_joint(text: str, more: str = "") -> Model:
    """Return a model whose joint `j` carries body `c`."""
    return load_model(
        "mechanism: 1\nbodies: {base: , c: {mass: 1}}\n"
        f"joints: {{j: {{parent: base, child: c, {text}}}}}\n{more}"
    )


@pytest.mark.parametrize("type_name", JOINT_TYPES)
def test_every_type_is_known_with_its_parameters(type_name: str) -> None:
    """All parameters at their defaults are those of the class."""
    text = f"type: {type_name}, {NEEDED.get(type_name, '')}"
    built = with_joint(text.rstrip(", ")).joint("j").joint
    assert type(built) is JOINT_TYPES[type_name]
    written = {
        parameter.name: parameter.default
        for parameter in JOINT_TYPES[type_name].parameters
        if not parameter.required
    }
    listed = ", ".join(f"{name}: {_yaml(value)}" for name, value in written.items())
    again = with_joint(f"{text.rstrip(', ')}, {listed}".rstrip(", ")).joint("j").joint
    assert again == built


def _yaml(value: Any) -> str:
    return repr(value).replace("(", "[").replace(")", "]").replace(",]", "]")


@pytest.mark.parametrize(
    ("text", "joint"),
    [
        ("type: gimbal, sequence: 231, outer: [[0, 0, 1]]", Gimbal("231", outer=((0, 0, 1),))),
        ("type: gimbal, sequence: '12'", Gimbal("12")),
        ("type: spherical, inner: [[0, 0.6, 0.8]]", Spherical(inner=((0, 0.6, 0.8),))),
        ("type: helical, axis: [0, 0, 1], pitch: '1/8'", Helical((0, 0, 1), pitch=0.125)),
        (
            "type: universal, first_axis: [0, 0, 1]",
            Universal(first_axis=(0, 0, 1)),
        ),
    ],
)
def test_parameters_arrive(text: str, joint: object) -> None:
    assert with_joint(text).joint("j").joint == joint


ROTATIONS = {
    "rpy: [0.1, 0.2, 0.3]": rotation_from_rpy([0.1, 0.2, 0.3]),
    "quaternion: [0.5, 0.5, 0.5, 0.5]": quaternion_to_matrix(np.full(4, 0.5)),
    "axis: [0, 0, 1], angle: 'pi/2'": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    "matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    "m: [0, 0, 1], n: [1, 0, 0]": np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    "quaternion: [0, 0, 0.7071, 0.7071]": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
}


@pytest.mark.parametrize(("text", "rotation"), ROTATIONS.items())
def test_a_rotation_has_five_forms(text: str, rotation: NDArray[np.float64]) -> None:
    model = with_joint(f"type: fixed, on_parent: {{position: [1, 2, 3], {text}}}")
    joint = model.joint("j")
    np.testing.assert_allclose(joint.rotation, rotation, atol=EXACT)
    np.testing.assert_array_equal(joint.position, [1, 2, 3])
    frames = f"frames: {{f: {{body: c, position: [1, 2, 3], {text}}}}}"
    frame = with_joint("type: fixed", frames).frames["f"]
    np.testing.assert_allclose(frame.rotation, rotation, atol=EXACT)
    np.testing.assert_array_equal(frame.position, [1, 2, 3])


def document_d_pose(
    on_parent: NDArray[np.float64], T: NDArray[np.float64], on_child: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return R_i = A_(i-1) T_i A_i^-1 (equation 3-3)."""
    return on_parent @ T @ np.linalg.inv(on_child)


def a_frame(m: Any, n: Any, a: Any) -> NDArray[np.float64]:
    """Return A = [m, n, m x n, a; 0, 0, 0, 1]."""
    A = np.eye(4)
    A[:3] = np.stack([m, n, np.cross(m, n), a], axis=-1)
    return A


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "helical"])
def test_a_frames_are_those_of_document_d(kind: str) -> None:
    """T turns about, or slides along, the second axis n; without `axis` that is the joint's."""
    m1, n1, a1 = [0.0, 0.6, 0.8], [1.0, 0, 0], [0.1, 0.2, 0.3]
    m2, n2, a2 = [0.0, 0, 1], [0.0, 1, 0], [-0.2, 0.1, 0.4]
    pitch = ", pitch: 0.25" if kind == "helical" else ""
    model = with_joint(
        f"type: {kind}{pitch}, on_parent: {{m: {m1}, n: {n1}, position: {a1}}},"
        f" on_child: {{m: {m2}, n: {n2}, position: {a2}}}"
    )
    q = np.array([0.7, -0.3][: model.nq])
    theta = 0.0 if kind == "prismatic" else q[0]
    s = {"revolute": 0.0, "prismatic": q[0], "cylindrical": q[-1], "helical": 0.25 * q[0]}[kind]
    c, sine = np.cos(theta), np.sin(theta)
    T = np.array([[c, 0, sine, 0], [0, 1, 0, s], [-sine, 0, c, 0], [0, 0, 0, 1]])
    expected = document_d_pose(a_frame(m1, n1, a1), T, a_frame(m2, n2, a2))
    motion = body_motion(model, q, np.zeros(model.nv), np.zeros(model.nv))
    np.testing.assert_allclose(motion.rotation[1], expected[:3, :3], atol=EXACT)
    np.testing.assert_allclose(motion.position[1], expected[:3, 3], atol=EXACT)


def test_what_holds_per_rate_is_given_once_or_for_each() -> None:
    joint = with_joint(
        "type: gimbal, sequence: 121, damping: 2, friction: [1, 2, 3], armature: 0.1,"
        " range: [[-1, 1], null, [null, .inf]], velocity_limit: 5, effort_limit: [1, 2, 3]"
    ).joint("j")
    np.testing.assert_array_equal(joint.rate_parameters, [[0.1, 2, k] for k in (1, 2, 3)])
    assert joint.rate_limits == (
        JointLimits(-1.0, 1.0, 5.0, 1.0),
        JointLimits(None, None, 5.0, 2.0),
        JointLimits(None, None, 5.0, 3.0),
    )
    joint = with_joint("type: universal, range: [-1, .inf]").joint("j")
    assert joint.rate_limits == (JointLimits(lower=-1.0),) * 2


def test_initial_states_are_the_model_s_defaults() -> None:
    model = with_joint(
        "type: spherical, initial_position: [0, 0, 0.7071, 0.7071], initial_velocity: [1, 2, 3]"
    )
    np.testing.assert_allclose(model.defaults.q, [0, 0, np.sqrt(0.5), np.sqrt(0.5)], atol=EXACT)
    np.testing.assert_array_equal(model.defaults.v, [1, 2, 3])
    same = with_joint(
        "type: spherical",
        "initial: {positions: {j: [0, 0, 0.7071, 0.7071]}, velocities: {j: [1, 2, 3]}}",
    )
    np.testing.assert_array_equal(same.defaults.q, model.defaults.q)
    np.testing.assert_array_equal(same.defaults.v, model.defaults.v)


def test_a_follower_moves_with_its_driver() -> None:
    model = load_model(
        "mechanism: 1\nbodies: {base: , a: , b: }\njoints:\n"
        "  driver: {type: revolute, parent: base, child: a}\n"
        "  follower: {type: prismatic, parent: base, child: b,"
        " follows: {joint: driver, multiplier: -2, offset: 0.5}}\n"
    )
    assert model.joint_names == ("driver",)
    motion = body_motion(model, np.array([0.3]), np.zeros(1), np.zeros(1))
    number = model.body_index("b")
    np.testing.assert_allclose(motion.position[number], [-0.1, 0, 0], atol=EXACT)


def test_a_file_is_what_a_builder_makes() -> None:
    """The same robot made by hand."""
    builder = ModelBuilder("robot")
    builder.add_body("base", has_inertial=False)
    builder.add_body("c", mass=1.0)
    builder.add_joint("j", Gimbal("23"), "base", "c", position=(1, 2, 3), armature=0.1)
    text = "type: gimbal, sequence: 23, armature: 0.1, on_parent: {position: [1, 2, 3]}"
    assert with_joint(text).fingerprint == builder.build().fingerprint
