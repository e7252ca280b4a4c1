"""Derivatives of subspaces and biases, for every row of the catalogue, by differentiation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error
from joint_cases import JOINTS, bias_at, state, subspace_at
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


@every_joint
def test_derivative_of_the_subspace(name: str) -> None:
    joint = JOINTS[name]
    q, _, _ = state(joint, 2)
    given = joint.subspace_derivative(q)
    expected = along_rates(joint, q, lambda q: subspace_at(joint, q))
    assert error(np.zeros_like(expected) if given is None else given, expected) < FIRST_TOLERANCE


@every_joint
def test_derivatives_of_the_bias(name: str) -> None:
    joint = JOINTS[name]
    q, v, _ = state(joint, 2)
    given = joint.bias_derivatives(q, v)
    zero = np.zeros((6, joint.nv))
    along_q, along_v = (zero, zero) if given is None else given
    expected = along_rates(joint, q, lambda q: bias_at(joint, q, v))
    assert error(along_q, expected) < FIRST_TOLERANCE
    steps = np.eye(joint.nv)
    # c is quadratic in v, so that its central difference is exact.
    differences = [bias_at(joint, q, v + e) - bias_at(joint, q, v - e) for e in steps]
    expected = np.stack([0.5 * d for d in differences], axis=-1) if joint.nv else zero
    assert error(along_v, expected) < ROUNDING
