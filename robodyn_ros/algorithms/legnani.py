"""Legnani's 4x4 dynamics (document E): velocity ratios, pseudo-inertias, traces.

Every joint rate i has a velocity-ratio matrix L_i, here always in the world: the 4x4 form of its
screw. The links' velocity and acceleration matrices are sums of products of them,

    W_k = sum of L_i z'_i over the path to k,
    H_k = sum of L_i^2 z'_i^2 + 2 sum of L_j L_i z'_i z'_j, j before i on the path,

and with J_k = P_k J P_k^T, the pseudo-inertia of link k seen in the world,

    M_ij = sum of tr(L_i J_k L_j^T),     h_i = sum of tr((H_k - H_g) J_k L_i^T) - F_k (x) L_i

over the links k that joint i (and j) carries. H_g holds gravity, the physical vector.

It needs joints that are screws one after another, each fixed in what the ones before it move: all
but ball joints and free motion, which have none of their own coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.equations_of_motion import (
    EquationsOfMotion,
    Floats,
    armature,
    external_wrenches_on,
    one_state,
    rigid_parts,
)
from robodyn_ros.algorithms.kinematics import BodyMotion, body_motion
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.joints.exponentials import screw_order
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import skew

_DEFAULT = Environment()


class RatioStep(NamedTuple):
    """One joint rate: the body it moves, its number among joint rates, and L (4, 4), world."""

    body: int
    rate: int
    L: Floats


def why_not(model: Model) -> str:
    """Return why the formulation does not apply to a model; "" where it does."""
    if model.base == "prescribed":
        return "its base is prescribed; use the kane formulation"
    for _, joint in model.moving:
        if joint.joint.nv and screw_order(joint.joint) is None:
            kind = joint.joint.type_name
            return (
                f"joint {quoted(joint.name)} is {kind}, which is not one screw after another; use"
                " the kane formulation"
            )
    return ""


def velocity_ratios(model: Model, q: Floats, motion: BodyMotion) -> list[RatioStep]:
    """Return L (4, 4) of every joint rate, parent first and from each predecessor outwards.

    Raises:
        ArgumentError: a joint is not one screw after another.
    """
    reason = why_not(model)
    if reason:
        raise ArgumentError(f"the legnani formulation does not fit robot {model.name!r}: {reason}")
    steps = []
    for lump in model.lumped.lumps:
        joint = lump.joint
        S = joint.joint.motion_subspace(joint.coordinates.position(q))
        P = pose_matrix(motion, lump.body)
        for rate in screw_order(joint.joint) or ():
            L = P @ twist_matrix(S[:, rate]) @ np.linalg.inv(P)
            steps.append(RatioStep(lump.body, lump.rates.start + rate, L))
    return steps


def pose_matrix(motion: BodyMotion, body: int) -> Floats:
    """Return P (4, 4): coordinates in the body's frame to the world."""
    P = np.eye(4)
    P[:3, :3], P[:3, 3] = motion.rotation[body], motion.position[body]
    return P


def twist_matrix(V: Floats) -> Floats:
    """Return [[omega x, v], [0, 0]] (4, 4) of a motion vector (6,), angular first."""
    L = np.zeros((4, 4))
    L[:3, :3], L[:3, 3] = skew(V[:3]), V[3:]
    return L


def pseudo_inertia(mass: float, com: Floats, inertia: Floats) -> Floats:
    """Return J (4, 4) about the frame's origin, of com (3,) and inertia (3, 3) about it."""
    J = np.empty((4, 4))
    J[:3, :3] = 0.5 * np.trace(inertia) * np.eye(3) - inertia + mass * np.outer(com, com)
    J[:3, 3] = J[3, :3] = mass * com
    J[3, 3] = mass
    return J


def acceleration_matrix(path: list[RatioStep], dz: Floats) -> Floats:
    """Return H (4, 4) of a link at rest accelerations: centrifugal and Coriolis sums.

    Args:
        path: the joint rates that carry it, from the root outwards.
        dz: (nz,) all joint rates.
    """
    H = np.zeros((4, 4))
    for n, (_, i, L_i) in enumerate(path):
        H += L_i @ L_i * dz[i] ** 2
        for _, j, L_j in path[:n]:
            H += 2.0 * L_j @ L_i * dz[i] * dz[j]
    return H


def force_product(A: Floats, B: Floats) -> float:
    """Return A (x) B: the power of force matrix A along velocity matrix B."""
    places = ((2, 1), (0, 2), (1, 0), (0, 3), (1, 3), (2, 3))
    return float(sum(A[place] * B[place] for place in places))


def force_matrix(point: Floats, moment: Floats, force: Floats) -> Floats:
    """Return F (4, 4) of a wrench at `point`: its moment is taken about the world's origin."""
    F = np.zeros((4, 4))
    F[:3, :3] = skew(moment + np.cross(point, force))
    F[:3, 3], F[3, :3] = force, -force
    return F


def equations_of_motion(
    model: Model,
    q: Floats,
    v: Floats,
    *,
    environment: Environment = _DEFAULT,
    external_wrenches: Mapping[str, Floats] | None = None,
) -> EquationsOfMotion:
    """Return the equations of motion by traces, for q (nq,) and v (nv,).

    Args:
        model: the model.
        q: coordinates (nq,).
        v: rates (nv,).
        environment: gravity, payloads, armatures.
        external_wrenches: [moment; force] (6,) by frame name, world axes.

    Raises:
        ArgumentError: the formulation does not fit the model; see `why_not`.

    Source: document E; Legnani, Casolo, Righettini and Zappa 1996.
    """
    q, v = one_state(model, q, v)
    motion = body_motion(model, q, v, environment=environment)
    steps = velocity_ratios(model, q, motion)
    G, dz, ddz = _joint_space(model, q, v)
    M_z, h_z = np.zeros((len(dz), len(dz))), np.zeros(len(dz))
    H_g = np.zeros((4, 4))
    H_g[:3, 3] = environment.gravity
    for body, mass, com, inertia in rigid_parts(model, environment):
        P = pose_matrix(motion, body)
        J = P @ pseudo_inertia(mass, com, inertia) @ P.T
        path = path_to(model, steps, body)
        H = acceleration_matrix(path, dz)
        for _, i, L_i in path:
            h_z[i] += np.trace((H - H_g) @ J @ L_i.T)
            for _, j, L_j in path:
                M_z[i, j] += np.trace(L_i @ J @ L_j.T)
    for body, point, moment, force in external_wrenches_on(model, motion, external_wrenches):
        F = force_matrix(point, moment, force)
        for _, i, L_i in path_to(model, steps, body):
            h_z[i] -= force_product(F, L_i)
    M_r, h_r = armature(model, q, v, environment)
    return EquationsOfMotion(G.T @ M_z @ G + M_r, G.T @ (h_z + M_z @ ddz) + h_r)


def path_to(model: Model, steps: list[RatioStep], body: int) -> list[RatioStep]:
    """Return the joint rates that carry a body, from the root outwards."""
    support = set(model.support(body))
    return [step for step in steps if step.body in support]


def _joint_space(model: Model, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """Return G (nz, nv) of joint rates z' = G v, z', and z'' for a = 0 (followers)."""
    count = model.lumped.rates
    G, dz, ddz = np.zeros((count, model.nv)), np.zeros(count), np.zeros(count)
    for lump in model.lumped.lumps:
        coordinates = lump.joint.coordinates
        G[lump.rates, list(coordinates.columns())] = coordinates.velocity_map(q)
        dz[lump.rates] = coordinates.velocity(q, v)
        ddz[lump.rates] = coordinates.acceleration(q, v, np.zeros(model.nv))
    return G, dz, ddz
