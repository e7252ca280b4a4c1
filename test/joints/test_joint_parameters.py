"""What constructors take is what the catalogue says; what they cannot take is refused in words."""

from __future__ import annotations

import inspect
from dataclasses import fields

import numpy as np
import pytest

from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import JOINT_TYPES, Gimbal, Spherical, Translational, Universal

every_type = pytest.mark.parametrize("name", sorted(JOINT_TYPES))
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@every_type
def test_described_parameters_are_those_of_the_constructor(name: str) -> None:
    joint_type = JOINT_TYPES[name]
    described = {p.name: p.default for p in joint_type.parameters}
    signature = inspect.signature(joint_type).parameters
    assert list(described) == list(signature)
    for parameter in signature.values():
        given = described[parameter.name]
        needed = parameter.default is inspect.Parameter.empty
        assert needed == (given is None)
        assert needed or parameter.default == given
    assert set(described) == {field.name for field in fields(joint_type)}  # type: ignore[arg-type]


@every_type
def test_descriptions_are_complete(name: str) -> None:
    for parameter in JOINT_TYPES[name].parameters:
        kinds = ("axis", "axes", "number", "sequence", "names", "formulas")
        assert parameter.kind in kinds
        if parameter.kind != "formulas":
            assert (parameter.unit != "") == (parameter.kind == "number")
        assert len(parameter.meaning) > 20
        assert "\n" not in parameter.meaning
        assert parameter.required == (parameter.default is None)


def test_which_parameters_there_are() -> None:
    found = {name: [p.name for p in JOINT_TYPES[name].parameters] for name in JOINT_TYPES}
    dh = ["a", "alpha", "s", "theta"]
    assert found == {
        **{name: [] for name in ("fixed", "floating", "six_dof", "global")},
        **{
            name: ["axis"]
            for name in ("revolute", "continuous", "prismatic", "planar", "cylindrical")
        },
        "helical": ["axis", "pitch"],
        "universal": ["first_axis", "second_axis"],
        "translational": ["inner", "outer"],
        "spherical": ["inner", "outer"],
        "gimbal": ["sequence", "inner", "outer"],
        **{f"dh_{name}": dh for name in ("revolute", "prismatic", "cylindrical")},
        "dh_helical": [*dh, "pitch"],
        "user_defined": ["variables", "m", "n", "a"],
    }


@pytest.mark.parametrize("name", ["helical", "dh_helical"])
@pytest.mark.parametrize(
    ("pitch", "words"),
    [
        (0.0, "pitch must not be 0"),
        (-0.0, "pitch must not be 0"),
        (np.nan, "pitch must be a finite number in metres per radian"),
        (np.inf, "pitch must be a finite number"),
        ("thread", "pitch must be real numbers"),
        ([0.1, 0.2], "pitch must be a finite number"),
        (None, "pitch must be real numbers"),
        (1j, "pitch must be real numbers"),
    ],
)
def test_a_screw_needs_a_pitch(name: str, pitch: object, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        JOINT_TYPES[name](pitch=pitch)
    assert JOINT_TYPES[name](pitch=np.float32(0.5)) == JOINT_TYPES[name](pitch=0.5)


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "helical"])
@pytest.mark.parametrize("parameter", ["a", "alpha", "s", "theta"])
def test_dh_numbers_are_finite(kind: str, parameter: str) -> None:
    others = {"pitch": 0.1} if kind == "helical" else {}
    for value in (np.nan, np.inf, "1", None, [1.0]):
        with pytest.raises(ArgumentError, match=f"^{parameter} must be"):
            JOINT_TYPES[f"dh_{kind}"](**{parameter: value}, **others)


@pytest.mark.parametrize(
    "sequence", ["", "0", "4", "11", "122", "1213", "xyz", "1 2", 112, 1.0, None, True, ["1"], -12]
)
def test_what_is_no_sequence_is_refused(sequence: object) -> None:
    with pytest.raises(ArgumentError, match=r"^sequence must be one to three of the digits"):
        Gimbal(sequence)  # type: ignore[arg-type]


def test_a_sequence_may_be_a_number() -> None:
    """YAML reads 231 without quotes as one."""
    assert Gimbal(231) == Gimbal("231")  # type: ignore[arg-type]
    assert Gimbal(231).sequence == "231"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sliders", "words"),
    [
        ({"inner": [X, X]}, "the axes of inner depend on each other"),
        ({"inner": [X, (-2.0, 0.0, 0.0)]}, "the axes of inner depend on each other"),
        ({"outer": [X, Y, (1.0, 1.0, 0.0)]}, "the axes of outer depend on each other"),
        ({"inner": [X, Y, Z], "outer": [X]}, "have 4 sliders; more than 3"),
        ({"inner": Z}, r"inner must be a list of axes like \[\[0, 0, 1\]\]"),
        ({"outer": 3}, "outer must be a list of axes"),
        ({"outer": "x"}, "outer must be a list of axes"),
        ({"inner": None}, "inner must be a list of axes"),
        ({"inner": [X, (0.0, 0.0, 0.0)]}, "axis 2 of inner must not be zero"),
        ({"inner": [], "outer": [(0.0, np.nan, 0.0)]}, "axis 1 of outer must be three finite"),
        ({"inner": [(1.0, 0.0)]}, "axis 1 of inner must be three finite numbers"),
    ],
)
@pytest.mark.parametrize("kind", [Translational, Spherical, lambda **s: Gimbal("231", **s)])
def test_sliders_that_cannot_be_are_refused(kind, sliders: dict, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        kind(**sliders)


def test_sliders_that_are_dependent_everywhere_are_refused() -> None:
    """Of one axis, or of two that turning never parts; others only are at some places."""
    words = "the axes of inner and outer depend on each other wherever the joint is"
    for joint in (
        lambda: Translational([X], [X]),
        lambda: Translational([X, Y], [(1.0, 1.0, 0.0)]),
        lambda: Gimbal("3", [Z], [Z]),
        lambda: Gimbal("3", [X, Y], [X]),
    ):
        with pytest.raises(ArgumentError, match=words):
            joint()
    for joint in (Gimbal("1", [Z], [Z]), Gimbal("31", [Z], [Z]), Spherical([Z], [Z])):
        S = joint.motion_subspace(joint.neutral())
        assert np.linalg.matrix_rank(S) == joint.nv - 1
        S = joint.motion_subspace(joint.integrate(joint.neutral(), np.full(joint.nv, 0.5)))
        assert np.linalg.matrix_rank(S) == joint.nv


def test_a_translational_joint_moves() -> None:
    assert Translational() == Translational([], []) == Translational([X, Y, Z])
    assert Translational(outer=[X]).nv == 1


@pytest.mark.parametrize("second", [X, (-3.0, 0.0, 0.0), (1.0, 1e-8, 0.0)])
def test_parallel_axes_of_a_universal_joint_are_refused(second: tuple[float, ...]) -> None:
    with pytest.raises(ArgumentError, match="are parallel: choose another second_axis"):
        Universal(X, second)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"^second_axis must not be zero"):
        Universal(X, (0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("joint", "axes"),
    [
        (Gimbal("3"), ()),
        (Gimbal("23"), ("ry", "rz")),
        (Gimbal("121"), ("rx", "ry", "rx2")),
        (Gimbal("312", inner=[Z], outer=[X, (0, 3, 4)]), ("rz", "rx", "ry", "z", "outer_x")),
        (Gimbal("1", inner=[(0, 1, 1)]), ("rx", "s1")),
        (Translational(), ("x", "y", "z")),
        (Translational([Z]), ()),
        (Translational([(1, 1, 0), Y], [(0, 0, -1)]), ("s1", "y", "outer_s1")),
        (Spherical(), ("rx", "ry", "rz")),
        (Spherical([X], [Z]), ("rx", "ry", "rz", "x", "outer_z")),
        (JOINT_TYPES["six_dof"](), ("x", "y", "z", "rx", "ry", "rz")),
        (JOINT_TYPES["cylindrical"](), ("rz", "z")),
        (JOINT_TYPES["dh_cylindrical"](), ("rx", "x")),
        (Universal(), ("rx", "ry")),
    ],
    ids=str,
)
def test_names_of_rates(joint, axes: tuple[str, ...]) -> None:
    assert joint.axes[: len(axes)] == axes
    assert len(joint.axes) == (joint.nv if axes else 0)


def test_sliders_have_norm_one() -> None:
    joint = Gimbal("12", [np.array([0, 3, 4])], np.array([[0, 0, 5]]))
    assert joint.inner == ((0.0, 0.6, 0.8),)
    assert joint.outer == (Z,)
    assert joint == Gimbal("12", [[0, 6, 8]], [Z])
    assert hash(joint) == hash(Gimbal("12", [[0, 6, 8]], [Z]))
