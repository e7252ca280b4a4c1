"""Derivatives of subspaces and biases, for every row of the catalogue, by differentiation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error, vee
from joint_cases import JOINTS, bias_at, pose_at, state, subspace_at
from robodyn_ros.joints import Joint

#: A few products of rotations and lengths of order 1.
ROUNDING = 1e-14

every_joint = pytest.mark.parametrize("name", sorted(JOINTS))


def along_rates(joint: Joint, q: np.ndarray, function: Callable[..., np.ndarray]) -> np.ndarray:
    """Return the derivatives of function(q) along each unit rate, as a new last axis."""
    found = [
        derivatives(lambda t, unit=unit: function(joint.integrate(q, unit * t[:, None])))[0]
        for unit in np.eye(joint.nv)
    ]
    return np.stack(found, axis=-1) if found else np.zeros((*function(q).shape, 0))


def places(joint: Joint) -> dict[str, np.ndarray]:
    """Return coordinates by what is special about them: all formulas must be right there too."""
    neutral = joint.neutral()
    found = {"anywhere": state(joint, 2)[0], "neutral": neutral}
    if joint.quaternion_start is None:
        # Gimbal lock, folded axes, sliders that fall together.
        for name, angle in (("a right angle", 0.5), ("half a turn", 1.0)):
            found[name] = neutral + np.pi * np.full(joint.nq, angle)
        found["next to a right angle"] = found["a right angle"] + 1e-7
    if joint.type_name == "global":
        del found["half a turn"]  # whose sides integrate leaps between; its S is constant anyway
    else:
        found["far"] = joint.integrate(neutral, np.linspace(-20.0, 30.0, joint.nv))
    return found


@every_joint
def test_derivative_of_the_subspace(name: str) -> None:
    joint = JOINTS[name]
    for place, q in places(joint).items():
        given = joint.subspace_derivative(q)
        expected = along_rates(joint, q, lambda q: subspace_at(joint, q))
        found = np.zeros_like(expected) if given is None else given
        assert error(found, expected) < tolerance(q), place


@every_joint
def test_derivatives_of_the_bias(name: str) -> None:
    joint = JOINTS[name]
    _, v, _ = state(joint, 2)
    for place, q in places(joint).items():
        given = joint.bias_derivatives(q, v)
        zero = np.zeros((6, joint.nv))
        along_q, along_v = (zero, zero) if given is None else given
        expected = along_rates(joint, q, lambda q: bias_at(joint, q, v))
        assert error(along_q, expected) < tolerance(q), place
        steps = np.eye(joint.nv)
        # c is quadratic in v, so that its central difference is exact.
        differences = [bias_at(joint, q, v + e) - bias_at(joint, q, v - e) for e in steps]
        expected = np.stack([0.5 * d for d in differences], axis=-1) if joint.nv else zero
        assert error(along_v, expected) < 4 * ROUNDING, place


@every_joint
def test_velocity_and_bias_at_special_places(name: str) -> None:
    joint = JOINTS[name]
    _, v, _ = state(joint, 3)
    for place, q in places(joint).items():
        R = pose_at(joint, q)[:, :3]
        moving = derivatives(lambda t, q=q: pose_at(joint, joint.integrate(q, v * t[:, None])))[0]
        twist = np.concatenate([vee(R.T @ moving[:, :3]), R.T @ moving[:, 3]])
        assert error(subspace_at(joint, q) @ v, twist) < tolerance(q), place
        bending = derivatives(
            lambda t, q=q: subspace_at(joint, joint.integrate(q, v * t[:, None])) @ v
        )[0]
        assert error(bias_at(joint, q, v), bending) < tolerance(q), place


def tolerance(q: np.ndarray) -> float:
    """Return that of a first difference, larger where coordinates as such are: 30 m of a slider."""
    return FIRST_TOLERANCE * max(1.0, float(np.max(np.abs(q), initial=0.0)))
