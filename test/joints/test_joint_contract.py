"""The joint contract, checked for every row of the catalogue, several axes and both ends."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, SECOND_TOLERANCE, derivatives, error, vee
from joint_cases import JOINTS, PLACEMENT, bias_at, pose_at, same_place, state, subspace_at
from robodyn_ros.joints import JOINT_TYPES, DhElement, Joint, Placed, Reversed, UserDefined
from robodyn_ros.spatial import apply, compose, cross, invert, transpose
from tracing import TRACE_TOLERANCE, traced

#: A few products of rotations and lengths of order 1.
ROUNDING = 1e-14

every_joint = pytest.mark.parametrize("name", sorted(JOINTS))


def test_every_catalogue_row_is_here_under_its_own_name() -> None:
    assert {joint.type_name for joint in JOINTS.values()} == set(JOINT_TYPES)
    for name, joint_type in JOINT_TYPES.items():
        assert joint_type.type_name == name


@every_joint
def test_numbers_of_coordinates(name: str) -> None:
    joint = JOINTS[name]
    q, v, _ = state(joint, 0)
    assert joint.neutral().shape == q.shape == (joint.nq,)
    assert joint.rate(q, v).shape == (joint.nq,)
    assert joint.difference(q, q).shape == (joint.nv,)
    assert subspace_at(joint, q).shape == (6, joint.nv)
    assert len(joint.axes) == (joint.nv if joint.nv > 1 else 0)
    assert len(set(joint.axes)) == len(joint.axes)
    if joint.quaternion_start is not None:
        assert joint.nq - joint.quaternion_start >= 4


@every_joint
@pytest.mark.parametrize("seed", range(2))
def test_velocity_is_the_derivative_of_the_pose(name: str, seed: int) -> None:
    """S v is M's velocity relative to F, in M's axes, at M; S a + dS/dt v its derivative."""
    joint = JOINTS[name]
    q, v, a = state(joint, seed)

    def along(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        return pose_at(joint, joint.integrate(q, v * t + 0.5 * a * t * t))

    R = pose_at(joint, q)[:, :3]
    rate, second = derivatives(along)
    omega, velocity = vee(R.T @ rate[:, :3]), R.T @ rate[:, 3]
    S = subspace_at(joint, q)
    assert error(S @ v, np.concatenate([omega, velocity])) < FIRST_TOLERANCE

    # (R^T R'')'s skew part is d omega/dt and R^T p'' = dv/dt + omega x v, all in M's axes.
    turning = vee(R.T @ second[:, :3])
    sliding = R.T @ second[:, 3] - cross(omega, velocity)
    found = S @ a + bias_at(joint, q, v)
    assert error(found, np.concatenate([turning, sliding])) < SECOND_TOLERANCE


@every_joint
def test_bias_is_the_derivative_of_the_subspace(name: str) -> None:
    joint = JOINTS[name]
    q, v, _ = state(joint, 1)
    moving, _ = derivatives(lambda t: subspace_at(joint, joint.integrate(q, v * t[:, None])) @ v)
    assert error(bias_at(joint, q, v), moving) < FIRST_TOLERANCE


@every_joint
def test_no_bias_means_a_constant_subspace(name: str) -> None:
    """None lets a trace drop the term, so it may only be said where S never changes."""
    joint = JOINTS[name]
    q, v, _ = state(joint, 3)
    if joint.bias(q, v) is None:
        along = joint.integrate(q, v * np.linspace(0.0, 2.0, 5)[:, None])
        S = subspace_at(joint, along) @ v
        assert error(S, np.broadcast_to(S[0], S.shape)) < ROUNDING


@every_joint
def test_bias_is_quadratic_in_the_rates(name: str) -> None:
    joint = JOINTS[name]
    q, v, _ = state(joint, 1)
    assert error(bias_at(joint, q, -3.0 * v), 9.0 * bias_at(joint, q, v)) < ROUNDING
    assert error(bias_at(joint, q, 0.0 * v), np.zeros(6)) == 0.0


@every_joint
def test_rate_is_the_derivative_of_integrate(name: str) -> None:
    joint = JOINTS[name]
    q, v, _ = state(joint, 1)
    moving, _ = derivatives(lambda t: joint.integrate(q, v * t[:, None]))
    assert error(joint.rate(q, v), moving) < FIRST_TOLERANCE


@every_joint
def test_difference_inverts_integrate(name: str) -> None:
    joint = JOINTS[name]
    q, v, _ = state(joint, 0)
    for step in (1e-9 * v, 1e-3 * v, v, 1.7 * v):
        assert error(joint.difference(q, joint.integrate(q, step)), step) < ROUNDING
    there = state(joint, 10)[0]
    back = joint.integrate(q, joint.difference(q, there))
    assert same_place(joint, back, there) < 10 * ROUNDING


@every_joint
def test_no_step_changes_nothing(name: str) -> None:
    joint = JOINTS[name]
    q = state(joint, 1)[0]
    assert error(joint.integrate(q, np.zeros(joint.nv)), q) < ROUNDING
    assert error(joint.difference(q, q), np.zeros(joint.nv)) < ROUNDING


@every_joint
def test_halves_of_a_step_make_the_step(name: str) -> None:
    """A constant rate: integrate is a flow, so that time steps may be cut at will."""
    joint = JOINTS[name]
    q, v, _ = state(joint, 2)
    halfway = joint.integrate(joint.integrate(q, 0.3 * v), 0.7 * v)
    assert error(halfway, joint.integrate(q, v)) < ROUNDING


@every_joint
def test_neutral_is_where_the_frames_coincide(name: str) -> None:
    """But a DH element's offsets part them, and a user-defined joint's formulas may."""
    joint = JOINTS[name]
    R, p = joint.pose(joint.neutral())
    inner = joint.inner if isinstance(joint, (Reversed, Placed)) else joint
    home = inner.home if isinstance(inner, DhElement) else (np.eye(3), np.zeros(3))
    if isinstance(inner, UserDefined):
        home = inner.pose(np.zeros(inner.nq))
    if isinstance(joint, Placed):
        home = compose(home, invert(PLACEMENT))
    if isinstance(joint, Reversed):
        home = invert(compose(PLACEMENT, home))
    assert error(R, home[0]) < ROUNDING
    assert error(p, home[1]) < ROUNDING


@every_joint
def test_rotation_is_a_rotation_and_the_subspace_has_full_rank(name: str) -> None:
    joint = JOINTS[name]
    q = state(joint, 1)[0]
    R, _ = joint.pose(q)
    assert error(R @ R.T, np.eye(3)) < ROUNDING
    assert np.linalg.det(R) == pytest.approx(1.0)
    if joint.nv:
        assert np.linalg.svd(subspace_at(joint, q), compute_uv=False)[-1] > 0.02


@every_joint
@pytest.mark.parametrize("lead", [(2, 2), (0,)])
def test_batches_equal_singles(name: str, lead: tuple[int, ...]) -> None:
    joint = JOINTS[name]
    count = int(np.prod(lead))
    states = [state(joint, seed) for seed in range(count)]
    q, v, step = (
        np.array([s[k] for s in states]).reshape((*lead, size))
        for k, size in enumerate((joint.nq, joint.nv, joint.nv))
    )
    single = joint.neutral()
    assert_subspace_derivatives_in_batches(joint, q, v)
    for function, arguments in (
        (lambda q: pose_at(joint, q), (q,)),
        (lambda q: subspace_at(joint, q), (q,)),
        (lambda q, v: bias_at(joint, q, v), (q, v)),
        (joint.rate, (q, v)),
        (joint.integrate, (q, step)),
        (joint.difference, (np.broadcast_to(single, q.shape), q)),
    ):
        whole = function(*arguments)
        assert whole.shape[: len(lead)] == lead
        for index in np.ndindex(lead):
            assert error(whole[index], function(*(x[index] for x in arguments))) < ROUNDING


def assert_subspace_derivatives_in_batches(joint: Joint, q: np.ndarray, v: np.ndarray) -> None:
    whole = [joint.subspace_derivative(q), *(joint.bias_derivatives(q, v) or ())]
    for index in np.ndindex(q.shape[:-1]):
        single = [
            joint.subspace_derivative(q[index]),
            *(joint.bias_derivatives(q[index], v[index]) or ()),
        ]
        for array, part in zip(whole, single, strict=True):
            assert (array is None) == (part is None)
            if array is not None:
                many = np.broadcast_to(array, (*q.shape[:-1], *part.shape))
                assert error(many[index], part) < ROUNDING


@every_joint
def test_singles_are_broadcast_against_batches(name: str) -> None:
    joint = JOINTS[name]
    q, v, _ = state(joint, 0)
    many = np.stack([state(joint, seed)[0] for seed in range(3)])
    rates = np.stack([state(joint, seed)[1] for seed in range(3)])
    for row in range(3):
        assert error(joint.integrate(many, v)[row], joint.integrate(many[row], v)) < ROUNDING
        assert error(joint.integrate(q, rates)[row], joint.integrate(q, rates[row])) < ROUNDING
        assert error(joint.difference(q, many)[row], joint.difference(q, many[row])) < ROUNDING
        assert error(bias_at(joint, q, rates)[row], bias_at(joint, q, rates[row])) < ROUNDING


@every_joint
def test_symbols_equal_floats(name: str) -> None:
    joint = JOINTS[name]
    q, v, a = state(joint, 5)

    def everything(q: np.ndarray, v: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, ...]:
        bias = joint.bias(q, v)
        parts = (*joint.pose(q), joint.motion_subspace(q), joint.rate(q, v))
        derivative, pair = joint.subspace_derivative(q), joint.bias_derivatives(q, v)
        parts = (*parts, *(() if derivative is None else (derivative,)), *(pair or ()))
        return (*parts, joint.integrate(q, step), np.zeros(6) if bias is None else bias)

    found = traced(everything, q, v, a)
    for array, expected in zip(found, everything(q, v, a), strict=True):
        assert error(array, expected) < TRACE_TOLERANCE


@every_joint
def test_a_joint_is_an_immutable_value(name: str) -> None:
    joint = JOINTS[name]
    for attribute in ("axis", "inner"):
        if hasattr(joint, attribute):
            with pytest.raises(AttributeError):
                setattr(joint, attribute, (0.0, 1.0, 0.0))
    for other in (pickle.loads(pickle.dumps(joint)), copy.deepcopy(joint)):
        assert repr(other) == repr(joint)
        q = state(joint, 4)[0]
        assert np.array_equal(pose_at(other, q), pose_at(joint, q))


@every_joint
def test_constants_are_fresh_arrays(name: str) -> None:
    """Whoever writes into what a joint returned must not change the joint."""
    joint = JOINTS[name]
    q = state(joint, 4)[0]
    before = pose_at(joint, q).copy()
    for array in (*joint.pose(q), joint.motion_subspace(q), joint.neutral()):
        if array.flags.writeable and not np.shares_memory(array, q):
            array[...] = 7.0
    assert np.array_equal(pose_at(joint, q), before)


@pytest.mark.parametrize("name", sorted(n for n in JOINTS if n.startswith("reversed")))
def test_reversed_is_the_inverse_motion(name: str) -> None:
    joint = JOINTS[name]
    assert isinstance(joint, Reversed)
    q, v, _ = state(joint, 6)
    inner = joint.inner.pose(q)
    R, p = compose(compose(PLACEMENT, inner), joint.pose(q))
    assert error(R, np.eye(3)) < ROUNDING
    assert error(p, np.zeros(3)) < ROUNDING
    assert joint.inner.type_name == joint.type_name
    turn = (joint.motion_subspace(q) @ v)[:3]
    inner_turn = (joint.inner.motion_subspace(q) @ v)[:3]
    assert error(apply(transpose(PLACEMENT[0]), turn), -apply(inner[0], inner_turn)) < ROUNDING
