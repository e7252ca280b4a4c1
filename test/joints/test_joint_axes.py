"""Axes as given: any length, normalised without overflow; what is no axis is refused."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from joint_cases import AXES, JOINTS, state, subspace_at
from robodyn_ros.errors import ArgumentError, RobodynError
from robodyn_ros.joints import JOINT_TYPES, Joint, Planar, Prismatic, Revolute
from robodyn_ros.spatial import axis_rotation

AXIAL = sorted(
    name
    for name, joint_type in JOINT_TYPES.items()
    if "axis" in {parameter.name for parameter in joint_type.parameters}
)
DEFAULT = object()
with_axis = pytest.mark.parametrize("kind", AXIAL)


def made(kind: str, axis: object = DEFAULT) -> Joint:
    """Return a joint, of which all else that must be given is 1."""
    given = {} if axis is DEFAULT else {"axis": axis}
    others = {p.name: 1.0 for p in JOINT_TYPES[kind].parameters if p.required}
    return JOINT_TYPES[kind](**given, **others)


def test_which_joints_have_an_axis() -> None:
    assert {"revolute", "continuous", "prismatic", "planar"} <= set(AXIAL)
    assert not {"fixed", "floating"} & set(AXIAL)


@with_axis
def test_the_axis_where_none_is_given(kind: str) -> None:
    """URDF's default for joints that move along their axis; a plane's normal is upright."""
    default = made(kind).axis  # type: ignore[attr-defined]
    assert default == ((0.0, 0.0, 1.0) if kind == "planar" else (1.0, 0.0, 0.0))
    described = {p.name: p.default for p in JOINT_TYPES[kind].parameters}
    assert described["axis"] == default


@with_axis
@pytest.mark.parametrize("name", AXES)
def test_axis_has_norm_one_and_keeps_its_direction(kind: str, name: str) -> None:
    axis = made(kind, AXES[name]).axis  # type: ignore[attr-defined]
    given = np.array(AXES[name]) / np.max(np.abs(AXES[name]))
    assert all(type(entry) is float for entry in axis)
    assert np.linalg.norm(axis) == pytest.approx(1.0, abs=3e-16)
    assert error(np.array(axis), given / np.linalg.norm(given)) < 4e-16


@with_axis
@pytest.mark.parametrize("exact", [(1, 0, 0), (0, -1, 0), (0, 0, 1)])
@pytest.mark.parametrize("length", [1e-300, 0.1, 1.0, 3.0, 1e300])
def test_coordinate_axes_stay_exact(kind: str, exact: tuple[int, ...], length: float) -> None:
    """Exact zeros and ones let a trace drop products; -0.0 would make equal axes differ."""
    axis = made(kind, np.array(exact) * length).axis  # type: ignore[attr-defined]
    assert axis == tuple(map(float, exact))
    assert not np.signbit(axis)[np.array(axis) == 0.0].any()


@with_axis
def test_any_kind_of_sequence_will_do(kind: str) -> None:
    expected = made(kind, (0.0, 3.0, 4.0))
    for axis in ([0, 3, 4], np.array([0, 3, 4]), np.array([0, 3, 4], np.float32), (0, 6, 8)):
        assert made(kind, axis) == expected
        assert hash(made(kind, axis)) == hash(expected)
        assert repr(made(kind, axis)) == repr(expected)


def test_joints_of_other_kinds_differ() -> None:
    kinds = [made(kind, (0, 0, 1)) for kind in AXIAL]
    assert len(set(kinds)) == len({repr(kind) for kind in kinds}) == len(AXIAL)


@with_axis
@pytest.mark.parametrize(
    ("axis", "words"),
    [
        ((0.0, 0.0, 0.0), "must not be zero"),
        ((np.nan, 0.0, 1.0), "three finite numbers"),
        ((np.inf, 0.0, 1.0), "three finite numbers"),
        ((1.0, 0.0), "three finite numbers"),
        ((1.0, 0.0, 0.0, 0.0), "three finite numbers"),
        (1.0, "three finite numbers"),
        (np.eye(3), "three finite numbers"),
        ((), "three finite numbers"),
        ("z", "a joint axis must be real numbers"),
        (("0", "0", "1"), "a joint axis must be real numbers"),
        (None, "a joint axis must be real numbers"),
        ((0, 0, None), "a joint axis must be real numbers"),
        ((1j, 0, 0), "a joint axis must be real numbers"),
        (np.array([1j, 0, 0]), "a joint axis must be real numbers"),
        ([[0, 1], 2], "a joint axis must be an array of numbers"),
    ],
)
def test_what_is_no_axis_is_refused(kind: str, axis: object, words: str) -> None:
    with pytest.raises(ArgumentError, match=words) as caught:
        made(kind, axis)
    assert isinstance(caught.value, RobodynError)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


def test_revolute_and_prismatic_move_along_their_axis() -> None:
    n = np.array([0.6, 0.0, -0.8])
    q = np.array([0.7])
    R, p = Revolute((3.0, 0.0, -4.0)).pose(q)
    assert error(R, axis_rotation(n, 0.7)) < 4e-16
    assert error(p, np.zeros(3)) == 0.0
    R, p = Prismatic((3.0, 0.0, -4.0)).pose(q)
    assert error(R, np.eye(3)) == 0.0
    assert error(p, 0.7 * n) < 4e-16


@pytest.mark.parametrize("name", AXES)
def test_planar_moves_in_the_plane_of_its_axis(name: str) -> None:
    joint = Planar(AXES[name])
    n = np.array(joint.axis)
    x, y = joint.pose(np.array([1.0, 0.0, 0.0]))[1], joint.pose(np.array([0.0, 1.0, 0.0]))[1]
    assert error(np.cross(x, y), n) < 4e-15
    assert error(np.array([x @ x, y @ y, x @ y, x @ n, y @ n]), np.array([1, 1, 0, 0, 0])) < 4e-15
    R, p = joint.pose(np.array([0.3, -0.2, 0.9]))
    assert error(R, axis_rotation(n, 0.9)) < 4e-15
    assert error(p, 0.3 * x - 0.2 * y) < 4e-15


def test_planar_about_z_uses_the_predecessors_own_axes() -> None:
    _, p = Planar((0.0, 0.0, 2.0)).pose(np.array([0.3, -0.2, 0.9]))
    assert p.tolist() == [0.3, -0.2, 0.0]


def test_planar_about_x_turns_z_onto_x_the_short_way() -> None:
    """About y: the plane's x becomes -z, its y stays y."""
    joint = Planar((1.0, 0.0, 0.0))
    assert error(joint.pose(np.array([1.0, 0.0, 0.0]))[1], np.array([0.0, 0.0, -1.0])) < 4e-16
    assert error(joint.pose(np.array([0.0, 1.0, 0.0]))[1], np.array([0.0, 1.0, 0.0])) < 4e-16


@pytest.mark.parametrize("name", JOINTS)
def test_a_rate_turns_wherever_the_joint_is_or_never(name: str) -> None:
    """Its unit must not depend on the position."""
    joint = JOINTS[name]
    for seed in range(3):
        S = subspace_at(joint, state(joint, seed)[0])
        turns = np.linalg.norm(S[:3], axis=0) > 1e-12
        assert joint.turning() == tuple(turns.tolist())
