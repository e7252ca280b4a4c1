"""DH tables: every convention against its product of screws, and what a wrong table is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from robodyn_ros import from_dh, load
from robodyn_ros.algorithms import body_motion
from robodyn_ros.description import dh_model, load_model
from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.joints import DhCylindrical

EXACT = 1e-12
TYPES = ("revolute", "prismatic", "cylindrical", "helical", "revolute")
PITCH = 0.3


def screw(axis: int, angle: float, length: float) -> NDArray[np.float64]:
    """Return a turn about a coordinate axis and a slide along it, (4, 4)."""
    T = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T[i, i] = T[j, j] = np.cos(angle)
    T[j, i] = np.sin(angle)
    T[i, j] = -np.sin(angle)
    T[axis, 3] = length
    return T


def document_d(a: float, alpha: float, s: float, theta: float) -> NDArray[np.float64]:
    """Return document D's matrix of a DH element as it is printed (equations 3-5 to 3-7)."""
    ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    return np.array(
        [
            [ca, sa * st, sa * ct, s * ca],
            [0, ct, -st, a],
            [-sa, ca * st, ca * ct, -s * sa],
            [0, 0, 0, 1],
        ]
    )


FORMULAS = {
    "classic": lambda a, al, d, th: screw(2, th, d) @ screw(0, al, a),
    "modified": lambda a, al, d, th: screw(0, al, a) @ screw(2, th, d),
    "thesis": document_d,
}


def table(seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).uniform(-1.5, 1.5, (len(TYPES), 4))


@pytest.mark.parametrize("convention", FORMULAS)
def test_a_row_is_its_formula(convention: Any) -> None:
    """Each body frame is the row's frame, whatever the joints."""
    numbers = table(0)
    rows = [
        {"a": a, "alpha": alpha, "d": d, "theta": theta, "type": kind}
        | ({"pitch": PITCH} if kind == "helical" else {})
        for (a, alpha, d, theta), kind in zip(numbers, TYPES, strict=True)
    ]
    model = dh_model(rows, convention)
    q = np.random.default_rng(1).uniform(-1.0, 1.0, model.nq)
    left, expected = list(q), np.eye(4)
    motion = body_motion(model, q, np.zeros(model.nv), np.zeros(model.nv))
    for number, ((a, alpha, d, theta), kind) in enumerate(zip(numbers, TYPES, strict=True), 1):
        turn = left.pop(0) if kind != "prismatic" else 0.0
        slide = {"revolute": 0.0, "helical": PITCH * turn}.get(kind)
        slide = left.pop(0) if slide is None else slide
        expected = expected @ FORMULAS[convention](a, alpha, d + slide, theta + turn)
        np.testing.assert_allclose(motion.rotation[number], expected[:3, :3], atol=EXACT)
        np.testing.assert_allclose(motion.position[number], expected[:3, 3], atol=EXACT)


@pytest.mark.parametrize("convention", FORMULAS)
def test_a_cylindrical_row_has_the_names_of_a_cylindrical_joint(convention: Any) -> None:
    model = dh_model([{"type": "cylindrical", "joint": "wrist"}], convention)
    assert model.coordinate_names == ("wrist/rz", "wrist/z")
    assert DhCylindrical().axes == ("rx", "x")


def test_modified_is_the_thesis_convention_with_its_axes_renamed() -> None:
    """D = P^T [Rot_x Trans_x Rot_z Trans_z] P with x_C = y_T, y_C = z_T, z_C = x_T."""
    numbers = table(2)
    P = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    q = np.full(len(numbers), 0.3)
    zero = np.zeros(len(numbers))
    modified, thesis = (
        body_motion(dh_model(numbers, convention), q, zero, zero)
        for convention in ("modified", "thesis")
    )
    np.testing.assert_allclose(thesis.rotation[-1], P.T @ modified.rotation[-1] @ P, atol=EXACT)
    np.testing.assert_allclose(thesis.position[-1], P.T @ modified.position[-1], atol=EXACT)


def test_a_row_may_be_numbers_a_mapping_or_carry_a_type() -> None:
    numbers = table(3).tolist()
    keys = ("a", "alpha", "d", "theta")
    by_number = dh_model(numbers, "modified")
    by_name = dh_model([dict(zip(keys, row, strict=True)) for row in numbers], "modified")
    as_array = dh_model(np.array(numbers), "modified")
    assert by_number.fingerprint == by_name.fingerprint == as_array.fingerprint
    slider = dh_model([[0, 0, 1, 0, "prismatic"]])
    assert slider.joint("joint1").joint.type_name == "prismatic"


def test_a_robot_has_names_masses_and_limits() -> None:
    robot = from_dh(
        [
            {"a": 1, "mass": 2, "com": [-0.5, 0, 0], "joint": "hip", "body": "thigh"},
            {"a": 1, "mass": 1, "range": [-1, 1], "inertia": np.eye(3), "armature": 0.1},
        ],
        name="leg",
        base="floating",
        compile="off",
    )
    model = robot.model
    assert (model.name, model.base) == ("leg", "floating")
    assert model.body_names == ("world", "base", "thigh", "link2")
    assert model.joint_names == ("floating_base", "hip", "joint2")
    assert model.joint("joint2").limits.upper == 1.0
    assert model.joint("joint2").armature == 0.1
    np.testing.assert_array_equal(model.bodies[3].inertia, np.eye(3))
    assert robot.mass_matrix(robot.neutral()).shape == (8, 8)


@pytest.mark.parametrize("convention", FORMULAS)
def test_a_table_of_a_file_is_the_same_arm(convention: Any) -> None:
    rows = table(4)
    listed = ", ".join(
        f"{{a: {a!r}, alpha: {al!r}, s: {d!r}, theta: {th!r}, joint: joint{k}, body: link{k}}}"
        for k, (a, al, d, th) in enumerate(rows.tolist(), start=1)
    )
    text = (
        "mechanism: 1\nbodies: {base: }\n"
        f"dh: {{arm: {{convention: {convention}, parent: base, rows: [{listed}]}}}}"
    )
    assert load_model(text).fingerprint == dh_model(rows, convention).fingerprint
    named = text.replace("joint: joint1, body: link1", "mass: 1")
    assert load_model(named).joint_names[0] == "arm_joint1"
    assert load_model(named).body_names[1] == "arm_link1"


def test_a_table_may_begin_anywhere() -> None:
    text = (
        "mechanism: 1\nbodies: {base: }\ndh:\n  arm:\n    convention: classic\n    parent: base\n"
        "    on_parent: {position: [0, 0, 2], rpy: [0, 'pi/2', 0]}\n    rows: [{d: 1}]\n"
    )
    motion = load(text, compile="off").body_motion([0.0], [0.0], [0.0])
    np.testing.assert_allclose(motion.position[1], [1, 0, 2], atol=EXACT)


@pytest.mark.parametrize(
    ("rows", "error", "parts"),
    [
        ([[1, 2, 3]], ArgumentError, ["row 1", "3 entries", "a, alpha, d, theta"]),
        ("abc", ArgumentError, ["list of rows"]),
        (5, ArgumentError, ["list of rows"]),
        ([5], ArgumentError, ["row 1"]),
        ([[1, 2, 3, object()]], ArgumentError, ["numbers and text"]),
        ([{"a": "x"}], DescriptionError, ["row 1/a", "'x'"]),
        ([{}, {"typ": 1}], DescriptionError, ["row 2/typ", "did you mean 'type'?"]),
        ([[0, 0, 0, np.nan]], DescriptionError, ["row 1/theta", "finite"]),
        ([{"d": 1, "s": 1}], DescriptionError, ["row 1/s", "beside d"]),
        ([{"type": "helical"}], DescriptionError, ["row 1", "lacks pitch"]),
        ([{"joint": "j"}, {"joint": "j"}], DescriptionError, ["row 2/joint", "'j'"]),
        ([{"body": "base"}], DescriptionError, ["row 1", "itself"]),
    ],
)
def test_a_wrong_table_is_told(rows: Any, error: type[Exception], parts: list[str]) -> None:
    with pytest.raises(error) as raised:
        from_dh(rows)
    for part in parts:
        assert part in str(raised.value)


def test_an_unknown_convention_is_told() -> None:
    with pytest.raises(DescriptionError, match="convention: must be one of classic, modified"):
        from_dh([[0, 0, 0, 0]], "craig")  # type: ignore[arg-type]
