"""Dynamics of the same description by Pinocchio, in our conventions.

Mimic joints are loaded as free joints, moved as our model says, and their efforts and inertias are
projected on the drivers by virtual work (G^T tau, G^T M G), so that no robot is excluded for them:
Pinocchio's own mimic joints are refused by several of its algorithms.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pinocchio as pin

from dynamics_oracle import Dynamics, State, is_root_joint, moving_joints
from robodyn_ros.model import Model

#: What Pinocchio builds differently from what URDF says, with the reason.
NOT_THE_SAME_JOINTS = {
    "planar": "Pinocchio ignores a planar joint's axis and keeps its velocity in the child's axes",
}


def is_the_same_for_pinocchio(model: Model) -> bool:
    """Return whether Pinocchio builds the same joints from a description."""
    return not {joint.joint.type_name for joint in moving_joints(model)} & set(NOT_THE_SAME_JOINTS)


@cache
def _built(path: Path, *, floating: bool) -> pin.Model:
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    return pin.buildModelFromUrdf(str(path), *root)


def pinocchio_dynamics(
    path: Path, model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> Dynamics:
    """Return the dynamics of our states q (N, nq), v and a (N, nv) by Pinocchio."""
    other = _built(path, floating=model.base == "floating")
    data = other.createData()
    state = _state(model, other, q, v, a)
    rows = [_one(other, data, *x) for x in zip(state.q, state.v, state.a, strict=True)]
    tau, bias, gravity, M, energy, center, momentum = (
        np.stack(column) for column in zip(*rows, strict=True)
    )
    return Dynamics(
        state.efforts(tau),
        state.efforts(bias),
        state.efforts(gravity),
        state.projected(M),
        energy,
        center,
        momentum,
    )


def _state(model: Model, other: pin.Model, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> State:
    """Return states in Pinocchio's order: a free flyer's v linear first, (cos, sin) of circles."""
    theirs = np.tile(pin.neutral(other), (len(q), 1))
    G = np.zeros((other.nv, model.nv))
    for joint in moving_joints(model):
        name = "root_joint" if is_root_joint(joint) else joint.name
        place = other.joints[other.getJointId(name)]
        coordinates = joint.coordinates
        z = coordinates.position(q)
        ratios = np.asarray(coordinates.velocity_map(q), dtype=float)
        assert ratios.ndim == 2, f"{joint.name}: its rates are no constant map of ours"
        if joint.joint.type_name == "floating":
            ratios = np.roll(ratios, 3, axis=0)
        elif place.nq == 2:
            z = np.concatenate([np.cos(z), np.sin(z)], axis=1)
        theirs[:, place.idx_q : place.idx_q + place.nq] = z
        G[place.idx_v : place.idx_v + place.nv, list(coordinates.columns())] = ratios
    return State(theirs, v @ G.T, a @ G.T, np.broadcast_to(G, (len(q), *G.shape)))


def _one(
    other: pin.Model, data: pin.Data, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return one state's dynamics in Pinocchio's coordinates, its root link counted as ours."""
    tau = pin.rnea(other, data, q, v, a).copy()
    bias = pin.nonLinearEffects(other, data, q, v).copy()
    gravity = pin.computeGeneralizedGravity(other, data, q).copy()
    upper = np.triu(pin.crba(other, data, q))
    M = upper + np.triu(upper, 1).T
    kinetic = pin.computeKineticEnergy(other, data, q, v)
    potential = pin.computePotentialEnergy(other, data, q)
    pin.ccrba(other, data, q, v)
    # Pinocchio leaves out what is fixed to the universe: the root link of a fixed base.
    root, moving = other.inertias[0], data.Ig.mass
    first = root.mass * root.lever
    potential -= other.gravity.linear @ first
    total = moving + root.mass
    center = (moving * data.com[0] + first) / total if total else np.zeros(3)
    linear = data.hg.linear.copy()
    angular = data.hg.angular + np.cross(data.com[0] - center, linear)
    momentum = np.concatenate([angular, linear])
    return tau, bias, gravity, M, np.array([kinetic, potential]), center, momentum
