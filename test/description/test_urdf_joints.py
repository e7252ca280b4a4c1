"""What a URDF says of joints is what the model holds: axes, limits, friction."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.joints import Fixed, Floating, Planar, Revolute
from robodyn_ros.model import Note
from urdf_text import note_texts, two_links

EPS = 1e-14


# --- axes


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "planar"])
@pytest.mark.parametrize("axis", ["", "<axis/>", "<axis rpy='0 0 1'/>"])
def test_a_missing_axis_is_x(kind: str, axis: str) -> None:
    model = two_links(kind, joint=axis)
    assert model.joint("j").joint.axis == (1.0, 0.0, 0.0)  # type: ignore[attr-defined]
    assert note_texts(model, "assumed") == ["no axis; (1, 0, 0) assumed (line 1)"]


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "planar"])
@pytest.mark.parametrize(
    ("xyz", "unit"),
    [
        ("0 2 0", (0.0, 1.0, 0.0)),
        ("0 0 -1e-12", (0.0, 0.0, -1.0)),
        ("3e29 4e29 0", (0.6, 0.8, 0.0)),
        ("1e-200 0 0", (1.0, 0.0, 0.0)),
        ("2 -1 2", (2 / 3, -1 / 3, 2 / 3)),
    ],
)
def test_an_axis_is_brought_to_length_one(
    kind: str, xyz: str, unit: tuple[float, float, float]
) -> None:
    axis = two_links(kind, joint=f"<axis xyz='{xyz}'/>").joint("j").joint.axis  # type: ignore[attr-defined]
    np.testing.assert_allclose(axis, unit, atol=EPS)


@pytest.mark.parametrize(("kind", "used"), [("planar", Planar), ("floating", Floating)])
def test_planar_and_floating_joints_are_themselves(kind: str, used: type) -> None:
    model = two_links(kind, joint="<axis xyz='0 1 0'/>")
    assert isinstance(model.joint("j").joint, used)
    assert model.nv == {"planar": 3, "floating": 6}[kind]


def test_the_kinds_of_joint_are_told_apart() -> None:
    assert isinstance(two_links("fixed").joint("j").joint, Fixed)
    assert isinstance(two_links("continuous").joint("j").joint, Revolute)
    kinds = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")
    assert [two_links(kind).joint("j").joint.type_name for kind in kinds] == list(kinds)


# --- limits and friction


@pytest.mark.parametrize(
    ("limit", "known", "unknown"),
    [
        ("lower='-1' upper='2' velocity='3' effort='4'", (-1.0, 2.0, 3.0, 4.0), None),
        ("lower='-1' upper='2' velocity='3'", (-1.0, 2.0, 3.0, None), "effort"),
        ("lower='-1' upper='2' velocity='3' effort='0'", (-1.0, 2.0, 3.0, None), "effort"),
        ("lower='-1' upper='2' velocity='3' effort='-5'", (-1.0, 2.0, 3.0, None), "effort"),
        ("lower='-1' upper='2' velocity='0.0' effort='4'", (-1.0, 2.0, None, 4.0), "velocity"),
        (
            "lower='-1' upper='2' velocity='inf' effort='nan'",
            (-1, 2, None, None),
            "velocity, effort",
        ),
        ("lower='-inf' upper='1e999' velocity='3' effort='4'", (None, None, 3, 4), "lower, upper"),
        ("effort='1e+9' velocity='1e16' lower='0' upper='0'", (0.0, 0.0, 1e16, 1e9), None),
        ("velocity='3' effort='4'", (None, None, 3.0, 4.0), "lower, upper"),
        ("", (None, None, None, None), "lower, upper, velocity, effort"),
    ],
)
def test_a_limit_that_is_not_known_is_none(
    limit: str, known: tuple[float | None, ...], unknown: str | None
) -> None:
    for kind in ("revolute", "prismatic"):
        model = two_links(kind, joint=f"<limit {limit}/><axis xyz='0 0 1'/>")
        limits = model.joint("j").limits
        assert (limits.lower, limits.upper, limits.velocity, limits.effort) == known
        note = f"no limit known: {unknown} (absent, not positive or not finite; line 1)"
        assert note_texts(model, "limits") == ([note] if unknown else [])


def test_without_a_limit_nothing_is_known_of_it() -> None:
    model = two_links("revolute", joint="<axis xyz='0 0 1'/>")
    assert model.joint("j").limits == two_links("continuous").joint("j").limits
    assert model.notes == (
        Note(
            "limits",
            "joint 'j'",
            "no limit known: lower, upper, velocity, effort"
            " (absent, not positive or not finite; line 1)",
        ),
    )


def test_a_range_upside_down_is_no_range() -> None:
    joint = "<axis xyz='0 0 1'/><limit lower='2' upper='-2' velocity='1' effort='1'/>"
    model = two_links("revolute", joint=joint)
    assert (model.joint("j").limits.lower, model.joint("j").limits.upper) == (None, None)
    assert note_texts(model, "limits") == [
        "lower limit 2 is above upper limit -2; no range known (line 1)"
    ]


def test_a_continuous_joint_has_no_range_but_velocity_and_effort() -> None:
    joint = "<axis xyz='0 0 1'/><limit lower='-3' upper='3' velocity='1' effort='0'/>"
    limits = two_links("continuous", joint=joint).joint("j").limits
    assert (limits.lower, limits.upper, limits.velocity, limits.effort) == (None, None, 1.0, None)


@pytest.mark.parametrize(
    ("dynamics", "expected"),
    [
        ("", (0.0, 0.0)),
        ("<dynamics/>", (0.0, 0.0)),
        ("<dynamics damping='0.5'/>", (0.5, 0.0)),
        ("<dynamics friction='0.25'/>", (0.0, 0.25)),
        ("<dynamics friction='2' damping='1e1'/>", (10.0, 2.0)),
    ],
)
def test_damping_and_friction_are_kept(dynamics: str, expected: tuple[float, float]) -> None:
    joint = two_links("prismatic", joint=dynamics).joint("j")
    assert (joint.damping, joint.friction) == expected
