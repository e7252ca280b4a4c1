"""Document A's joints, by its own equations in `document_a`: JT 2, JT 4, and those in series."""

from __future__ import annotations

import numpy as np
import pytest

import document_a as a
from differentiation import error
from robodyn_ros.joints import Joint, JointLimits, SixDof, Spherical, Translational, Universal
from robodyn_ros.spatial import cross

ROUNDING = 4e-15

AXES = {
    "perpendicular": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "skew": ((0.3, -0.5, 0.8), (0.8, 0.5, 0.1)),
}


def moved(parent: a.BodyState, joint: Joint, d: np.ndarray, q, v, dv) -> a.BodyState:
    """Return the child's state by the joint contract, its predecessor frame at d in the parent."""
    R, p = joint.pose(q)
    S, bias = joint.motion_subspace(q), joint.bias(q, v)
    C = parent.C @ R
    V, A = S @ v, S @ dv + (0.0 if bias is None else bias)
    turn, slide = C @ V[:3], C @ V[3:]
    arm = parent.C @ (d + p)
    velocity = parent.v + cross(parent.w, arm) + slide
    acceleration = parent.dv + cross(parent.dw, arm) + cross(parent.w, cross(parent.w, arm))
    acceleration = acceleration + C @ A[3:] + cross(2.0 * parent.w + turn, slide)
    rate = parent.dw + C @ A[:3] + cross(parent.w, turn)
    return a.BodyState(C, parent.eta + arm, parent.w + turn, velocity, rate, acceleration)


def assert_same(found: a.BodyState, expected: a.BodyState) -> None:
    for quantity, value in vars(expected).items():
        assert error(getattr(found, quantity), value) < 10 * ROUNDING, quantity


def in_series(root: a.BodyState, *joints: a.Joint) -> a.BodyState:
    """Return the last body's state; all but the first joint sit at the body's origin."""
    for joint in joints[1:]:
        joint.d = np.zeros(3)
    for joint in joints:
        root = a.outward(root, joint)
    return root


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("jt", "joint"), [(a.THREE_SLIDERS, Translational()), (a.BALL, Spherical())]
)
def test_three_sliders_and_the_ball(jt: int, joint: Joint, seed: int) -> None:
    rng = np.random.default_rng(seed)
    root, its = a.random_root(rng), a.random_joint(jt, rng)
    found = moved(root, joint, its.d, its.gamma, its.rate, its.rate_rate)
    assert_same(found, a.outward(root, its))


@pytest.mark.parametrize("seed", range(3))
def test_six_dof_is_three_sliders_and_a_ball(seed: int) -> None:
    rng = np.random.default_rng(seed)
    root = a.random_root(rng)
    first, second = a.random_joint(a.THREE_SLIDERS, rng), a.random_joint(a.BALL, rng)
    numbers = (
        np.concatenate([getattr(first, name), getattr(second, name)])
        for name in ("gamma", "rate", "rate_rate")
    )
    found = moved(root, SixDof(), first.d, *numbers)
    assert_same(found, in_series(root, first, second))


@pytest.mark.parametrize("name", AXES)
@pytest.mark.parametrize("seed", range(3))
def test_universal_is_two_revolutes(name: str, seed: int) -> None:
    """Of both g is given in the child's axes: for the first, whose C-bar is 1, the same in F."""
    rng = np.random.default_rng(seed)
    root = a.random_root(rng)
    joint = Universal(*AXES[name])
    serial = [a.random_joint(a.REVOLUTE, rng) for _ in range(2)]
    for its, axis in zip(serial, (joint.first_axis, joint.second_axis), strict=True):
        its.C_bar, its.g = a.ONE, np.array(axis)
    numbers = (
        np.concatenate([getattr(its, field) for its in serial])
        for field in ("gamma", "rate", "rate_rate")
    )
    found = moved(root, joint, serial[0].d, *numbers)
    assert_same(found, in_series(root, *serial))


@pytest.mark.parametrize("name", AXES)
def test_the_angle_between_a_universal_joints_axes_stays(name: str) -> None:
    joint = Universal(*AXES[name])
    cosine = np.dot(joint.first_axis, joint.second_axis)
    for q in np.random.default_rng(0).uniform(-4.0, 4.0, (5, 2)):
        R, S = joint.pose(q)[0], joint.motion_subspace(q)
        assert S[:3, 0] @ S[:3, 1] == pytest.approx(cosine, abs=ROUNDING)
        assert error(R @ S[:3, 0], np.array(joint.first_axis)) < ROUNDING
        assert error(S[:3, 1], np.array(joint.second_axis)) < ROUNDING
    assert (abs(cosine) < ROUNDING) == (name == "perpendicular")


def test_quaternion_rates() -> None:
    """Equation 5: one half E Omega with Omega in child axes; E^T E = 1."""
    rng = np.random.default_rng(1)
    a_, b, c, d = e = Spherical().random(rng, JointLimits())
    E = np.array([[d, -c, b], [c, d, -a_], [-b, a_, d], [-a_, -b, -c]])
    omega, velocity = rng.normal(size=(2, 3))
    assert error(E.T @ E, np.eye(3)) < ROUNDING
    assert error(Spherical().rate(e, omega), 0.5 * E @ omega) < ROUNDING
    q = np.concatenate([rng.normal(size=3), e])
    rate = SixDof().rate(q, np.concatenate([velocity, omega]))
    assert error(rate, np.concatenate([velocity, 0.5 * E @ omega])) < ROUNDING
