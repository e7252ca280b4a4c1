"""User-defined joints: as other types where formulas say so, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from differentiation import error
from joint_cases import pose_at
from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.expressions import parse
from robodyn_ros.joints import (
    Cylindrical,
    Joint,
    JointLimits,
    Translational,
    Universal,
    UserDefined,
)
from robodyn_ros.model import ModelBuilder

ROUNDING = 1e-14
FLAT = {"m": [1, 0, 0], "n": [0, 1, 0]}
TURN = {"m": ["cos(u)", "sin(u)", 0], "n": ["-sin(u)", "cos(u)", 0]}

ALIKE: dict[str, tuple[Joint, UserDefined]] = {
    "cylindrical": (
        Cylindrical((0, 0, 1)),
        UserDefined(["u", "s"], **TURN, a=[0, 0, "s"]),
    ),
    "universal": (
        Universal((0, 0, 1), (1, 0, 0)),
        UserDefined(
            ["u", "w"],
            m=["cos(u)", "sin(u)", 0],
            n=["-sin(u)*cos(w)", "cos(u)*cos(w)", "sin(w)"],
            a=[0, 0, 0],
        ),
    ),
    "translational": (
        Translational(),
        UserDefined(["x", "y", "z"], m=[1, 0, 0], n=[0, 1, 0], a=["x", "y", "z"]),
    ),
}


@pytest.mark.parametrize("name", ALIKE)
def test_formulas_of_another_type_are_that_type(name: str) -> None:
    joint, own = ALIKE[name]
    rng = np.random.default_rng(2)
    q, v = rng.uniform(-2, 2, (2, 5, joint.nv))
    assert error(pose_at(own, q), pose_at(joint, q)) < ROUNDING
    S = np.broadcast_to(joint.motion_subspace(q), (5, 6, joint.nv))
    assert error(own.motion_subspace(q), S) < ROUNDING
    assert own.turning() == joint.turning()
    zero = np.zeros((5, 6))
    c, own_c = (zero if x is None else x for x in (joint.bias(q, v), own.bias(q, v)))
    assert error(own_c, c) < ROUNDING
    pairs = joint.bias_derivatives(q, v) or (np.zeros((5, 6, joint.nv)),) * 2
    own_pairs = own.bias_derivatives(q, v) or (np.zeros((5, 6, joint.nv)),) * 2
    for found, expected in zip(own_pairs, pairs, strict=True):
        assert error(found, expected) < ROUNDING


def test_a_constant_subspace_is_told_of() -> None:
    straight = ALIKE["translational"][1]
    assert straight.bias(np.zeros(3), np.ones(3)) is None
    assert straight.subspace_derivative(np.zeros(3)) is None
    bent = UserDefined("u", **FLAT, a=["u", "u^2", 0])
    assert bent.subspace_derivative(np.zeros(1)) is not None


def test_formulas_may_be_text_numbers_or_read_already() -> None:
    joint = UserDefined(
        ("u",), m=(1, 0.0, np.float32(0)), n=np.array([0, 1, 0]), a=[parse("u"), 0, "1"]
    )
    assert (
        joint == UserDefined("u", [1.0, 0, 0], [0, 1, 0], ["u", 0, 1.0]) or joint.a[2].text == "1"
    )
    assert pickle.loads(pickle.dumps(joint)) == joint
    assert hash(joint) == hash(pickle.loads(pickle.dumps(joint)))
    assert "'u'" in repr(joint)


def test_many_variables_and_long_formulas_are_quick_enough_to_derive() -> None:
    """Derivatives share their parts, so that they do not grow without end."""
    names = ["a1", "a2", "a3", "a4", "a5", "a6"]
    lift = "*".join(f"(1 + sin({name})*exp(-{name}^2))" for name in names)
    joint = UserDefined(names, **FLAT, a=[lift, " + ".join(names), f"sqrt(9 + ({lift})^2)"])
    dq, dv = joint.bias_derivatives(np.full(6, 0.1), np.ones(6)) or (None, None)
    assert np.isfinite(dq).all()
    assert np.isfinite(dv).all()


def test_outside_of_its_formulas_there_is_no_pose() -> None:
    joint = UserDefined("u", **FLAT, a=["sqrt(1 - u)", 0, 0])
    _, p = joint.pose(np.array([[0.5], [2.0]]))
    assert np.isfinite(p[0]).all()
    assert np.isnan(p[1, 0])
    assert np.isnan(joint.pose(np.array([2.0]))[1][0])
    assert np.isnan(joint.motion_subspace(np.array([[0.0], [2.0]]))[1, 3, 0])


def test_ranges_are_looked_at_too() -> None:
    joint = UserDefined(
        "u",
        m=["if(u < 2, 1, 1.1)", 0, 0],
        n=[0, "if(u < 3, 1, cos(u))", "if(u < 3, 0, sin(u))"],
        a=["u", 0, 0],
    )
    joint.check(JointLimits(-5.0, 1.9))
    with pytest.raises(ArgumentError, match=r"at u = 2 the length of m is off by 0\.1"):
        joint.check(JointLimits(2.0, 2.5))


def test_a_model_looks_within_ranges() -> None:
    """The description, too, since it goes through the builder."""
    joint = UserDefined("u", m=["if(u < 2, 1, 1.1)", 0, 0], n=[0, 1, 0], a=["u", 0, 0])
    builder = ModelBuilder("m")
    builder.add_body("a")
    builder.add_body("b")
    words = r"joint 'j': m and n must be orthonormal: at u = 2\.5 the length of m is off by 0\.1"
    for more in ({}, {"child_position": (0.1, 0, 0)}):
        with pytest.raises(DescriptionError, match=words):
            builder.add_joint("j", joint, "a", "b", limits=JointLimits(0.0, 2.5), **more)
    builder.add_joint("j", joint, "a", "b", limits=JointLimits(0.0, 1.5))


REFUSED = {
    "m and n must be orthonormal: at u = 0 the length of n is off by 0.1": {
        "m": [1, 0, 0],
        "n": [0, 1.1, 0],
        "a": ["u", 0, 0],
    },
    "m . n is off by 0": {"m": [1, 0, 0], "n": ["sin(u)", "cos(u)", 0], "a": [0, 0, 0]},
    "the length of m is off by": {**TURN, "m": ["cos(u)", "u", 0], "a": [0, 0, 0]},
    "give no pose at u = 0": {**FLAT, "a": ["log(u)", 0, 0]},
    "give no rate at u = 0": {**FLAT, "a": ["sqrt(u)", 0, 0]},
    "give no acceleration at u = 0": {**FLAT, "a": ["u^1.5", 0, 0]},
    "give no derivative of its acceleration at u = 0": {**FLAT, "a": ["u^2.5", 0, 0]},
    "variables has u, which no formula of m, n or a uses": {**FLAT, "a": [0, 0, 0]},
    "a[1] has 'w', which is no variable of the joint (variables: u)": {
        **FLAT,
        "a": ["u", "w", 0],
    },
    "a must be three formulas or numbers, got 'u'": {**FLAT, "a": "u"},
    "m must be three formulas": {**FLAT, "m": [1, 0], "a": ["u", 0, 0]},
    "n[2]: expression '1+', column 3": {**FLAT, "n": [0, 1, "1+"], "a": ["u", 0, 0]},
    "a[0] must be real numbers": {**FLAT, "a": [None, "u", 0]},
    "a[0] must be a finite number": {**FLAT, "a": [np.inf, "u", 0]},
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_makes_no_joint_is_refused(words: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        UserDefined("u", **REFUSED[words])  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ([], "one to 6 names"),
        (list("bcdefgh"), "one to 6 names"),
        (None, "one to 6 names"),
        (["u", 3], "3, which is no name"),
        (["u/v"], "'u/v', which is no name"),
        (["1u"], "'1u', which is no name"),
        (["u", "sin"], "sin, which has a meaning in formulas"),
        (["pi"], "pi, which has a meaning"),
        (["if"], "if, which has a meaning"),
        (["u", "u"], "variables has u twice"),
    ],
)
def test_what_is_no_variable_is_refused(variables: object, words: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        UserDefined(variables, **FLAT, a=["u", 0, 0])  # type: ignore[arg-type]
    assert words in str(caught.value)
