"""Dynamics of the same description by Pinocchio, in our coordinates.

Mimic joints are loaded as free joints; the constant matrix P with dz = P v, Pinocchio's rates
from ours, then projects what it computes. Planar joints are not comparable: Pinocchio ignores
their axis.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from robodyn_ros.model import Model

#: What Pinocchio builds differently from what URDF says, with the reason.
NOT_THE_SAME_JOINTS = {
    "planar": "Pinocchio ignores a planar joint's axis and keeps its velocity in the child's axes",
}


class Counterpart(NamedTuple):
    """Pinocchio's model of a description.

    Attributes:
        model: Pinocchio's model, mimic joints free.
        data: its workspace.
        rates: P (its nv, our nv), signs and orders of rates.
        coupled: whether a joint follows another, which Pinocchio's algorithms do not know.
    """

    model: pin.Model
    data: pin.Data
    rates: np.ndarray
    coupled: bool


def comparable(model: Model) -> bool:
    """Return whether Pinocchio means the same by every joint of the model."""
    return not {joint.joint.type_name for _, joint in model.moving} & set(NOT_THE_SAME_JOINTS)


@cache
def _built(path: Path, *, floating: bool) -> pin.Model:
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    return pin.buildModelFromUrdf(str(path), *root)


def _name(joint_name: str) -> str:
    return "root_joint" if joint_name.startswith("floating_base") else joint_name


def counterpart(path: Path, model: Model) -> Counterpart:
    """Return Pinocchio's model of the description that `model` was loaded from."""
    other = _built(path, floating=model.base == "floating")
    rates = np.zeros((other.nv, model.nv))
    coupled = False
    for _, joint in model.moving:
        if joint.joint.nv == 0:
            continue
        coupled = coupled or joint.is_follower
        begin = other.joints[other.getJointId(_name(joint.name))].idx_v
        block = joint.coordinates.velocity_map(np.zeros(model.nq))
        if joint.joint.type_name == "floating":
            block = np.roll(block, 3, axis=0)
        for k, column in enumerate(joint.coordinates.columns()):
            rates[begin : begin + len(block), column] += block[:, k]
    return Counterpart(other, other.createData(), rates, coupled)


def coordinates(other: Counterpart, model: Model, q: np.ndarray) -> np.ndarray:
    """Return Pinocchio's q for our q."""
    found = pin.neutral(other.model)
    for _, joint in model.moving:
        if joint.joint.nv == 0:
            continue
        place = other.model.joints[other.model.getJointId(_name(joint.name))]
        z = joint.coordinates.position(q)
        if place.nq == 2:
            z = np.array([np.cos(z[0]), np.sin(z[0])])
        found[place.idx_q : place.idx_q + place.nq] = z
    return found


def mass_matrix(other: Counterpart, model: Model, q: np.ndarray) -> np.ndarray:
    """Return P^T M P with Pinocchio's M."""
    M = pin.crba(other.model, other.data, coordinates(other, model, q))
    M = np.triu(M) + np.triu(M, 1).T
    return other.rates.T @ M @ other.rates


def inverse_dynamics(
    other: Counterpart, model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """Return P^T rnea."""
    P = other.rates
    return P.T @ pin.rnea(other.model, other.data, coordinates(other, model, q), P @ v, P @ a)


def forward_dynamics(
    other: Counterpart, model: Model, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """Return aba's accelerations; not for coupled models."""
    assert not other.coupled
    P = other.rates
    return P.T @ pin.aba(other.model, other.data, coordinates(other, model, q), P @ v, P @ tau)


def inverse_dynamics_derivatives(
    other: Counterpart, model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return computeRNEADerivatives's matrices by our coordinates."""
    P = other.rates
    found = pin.computeRNEADerivatives(
        other.model, other.data, coordinates(other, model, q), P @ v, P @ a
    )
    dq, dv, M = (np.array(matrix) for matrix in found)
    M = np.triu(M) + np.triu(M, 1).T
    return P.T @ dq @ P, P.T @ dv @ P, P.T @ M @ P


def forward_dynamics_derivatives(
    other: Counterpart, model: Model, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return computeABADerivatives's matrices by our coordinates; not for coupled models."""
    assert not other.coupled
    P = other.rates
    found = pin.computeABADerivatives(
        other.model, other.data, coordinates(other, model, q), P @ v, P @ tau
    )
    dq, dv, inverse = (np.array(matrix) for matrix in found)
    inverse = np.triu(inverse) + np.triu(inverse, 1).T
    return P.T @ dq @ P, P.T @ dv @ P, P.T @ inverse @ P
