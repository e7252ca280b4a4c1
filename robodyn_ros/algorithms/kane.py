"""Kane's equations by system partial velocities (document B), for every joint of the catalogue.

Generalised speeds are the model's v. The motion of body n is linear in them but for remainders:

    omega_n = Omega_n v + omega_base,   alpha_n = Omega_n a + alpha_r,n
    v_n     = V_n v + v_base,           a_n     = V_n a + a_r,n

with Omega_n and V_n (3, nv) of the origin of body n's frame, all in world axes. The block of joint
k in them is C_o Gamma_k and rho_nk x C_o Gamma_k for turning about the joint's point G_k, C_i
Delta_ik for sliders on its inner body and -C_o Delta_ok for those on its outer body, where k is on
the path to n; else 0. In terms of the contract, C_o Gamma is the angular part of S, turned into the
world; the linear part of S is what its point of the child moves with. rho_nk = G_k - p_n.
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
    one_sample,
    one_state,
    rigid_parts,
)
from robodyn_ros.algorithms.kinematics import BodyMotion, body_motion
from robodyn_ros.joints import Joint, Placed, Reversed
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import compose, cross, skew

_DEFAULT = Environment()


class PartialVelocities(NamedTuple):
    """System partial velocities and remainders; row = body, world axes.

    Attributes:
        angular: Omega (nb, 3, nv).
        linear: V (nb, 3, nv), of the body frame's origin.
        angular_remainder: alpha_r (nb, 3), rad/s^2.
        linear_remainder: a_r (nb, 3), m/s^2, classical.
    """

    angular: Floats
    linear: Floats
    angular_remainder: Floats
    linear_remainder: Floats


def partial_velocities(
    model: Model, q: Floats, v: Floats, *, environment: Environment = _DEFAULT
) -> PartialVelocities:
    """Return the partial velocities at q (nq,), and the remainder accelerations at v (nv,).

    The remainders are the accelerations for a = 0 (alpha_r and a_r of document B, with the
    recursion of alpha_r that it leaves out); those of a prescribed base are among them.
    """
    q, v = one_state(model, q, v)
    motion = body_motion(model, q, v, environment=environment)
    Omega, V = np.zeros((2, model.nb, 3, model.nv))
    for n in range(model.nb):
        for k in model.support(n):
            columns, turning, sliding = joint_block(model, k, q, motion)
            arm = motion.position[n] - motion.position[k]
            Omega[n][:, columns] += turning
            V[n][:, columns] += sliding - skew(arm) @ turning
    return PartialVelocities(Omega, V, motion.angular_acceleration, motion.linear_acceleration)


def joint_block(
    model: Model, k: int, q: Floats, motion: BodyMotion
) -> tuple[list[int], Floats, Floats]:
    """Return joint k's columns of v, C_o Gamma (3, n), and how its child's origin moves (3, n).

    A follower's block is its own times the derivative of its coordinates, in its driver's columns.
    """
    joint = model.joints[k]
    if joint is None or joint.joint.nv == 0:
        return [], np.zeros((3, 0)), np.zeros((3, 0))
    S = joint.joint.motion_subspace(joint.coordinates.position(q))
    S = S @ joint.coordinates.velocity_map(q)
    R_WM = motion.rotation[k]
    return list(joint.coordinates.columns()), R_WM @ S[:3], R_WM @ S[3:]


def path_vectors(
    model: Model, q: Floats, *, environment: Environment = _DEFAULT
) -> tuple[Floats, dict[tuple[int, int], Floats]]:
    """Return beta_n = p_1 - p_n (nb, 3), and rho_nk = G_k - p_n (3,) by (n, k), k on n's path.

    p_1 is the origin of the root link; G_k is the point that both bodies of joint k share,
    displaced by its sliders. World axes, m.
    """
    motion = body_motion(model, one_sample("q", q, model.nq), environment=environment)
    p = motion.position
    root = 0 if model.base == "fixed" else 1
    rho = {}
    for n in range(model.nb):
        for k in model.support(n):
            rho[n, k] = _joint_point(model, k, q, motion) - p[n]
    return p[root] - p, rho


def _joint_point(model: Model, k: int, q: Floats, motion: BodyMotion) -> Floats:
    """Return G_k (3,)."""
    joint = model.joints[k]
    point: Floats = motion.position[k]
    if joint is not None:
        in_child = _shared_point(joint.joint, joint.coordinates.position(q))
        point = point + motion.rotation[k] @ in_child
    return point


def _shared_point(joint: Joint, q: Floats) -> Floats:
    """Return G (3,) in the child's frame: where M would be with its own (outer) sliders at 0."""
    if isinstance(joint, Placed):
        placed: Floats = joint.p_CM + joint.R_CM @ _shared_point(joint.inner, q)
        return placed
    if isinstance(joint, Reversed):
        R, p = compose((joint.R_PF, joint.p_PF), joint.inner.pose(q))
        reversed_: Floats = p + R @ _shared_point(joint.inner, q)
        return reversed_
    outer = getattr(joint, "outer", ())
    if not outer:
        return np.zeros(3)
    point: Floats = np.array(outer).T @ q[-len(outer) :]
    return point


def equations_of_motion(
    model: Model,
    q: Floats,
    v: Floats,
    *,
    environment: Environment = _DEFAULT,
    external_wrenches: Mapping[str, Floats] | None = None,
) -> EquationsOfMotion:
    """Return Kane's equations for q (nq,) and v (nv,): generalised active and inertia forces.

    Each part n with mass m, inertia I about its centre of mass c (offset from the body's origin in
    world axes) contributes

        Omega^T I Omega + m Vc^T Vc                                   to the mass matrix, and
        Omega^T (I alpha_r + omega x I omega) + Vc^T m (a_rc - g)     to the bias,

    with Vc = V - c x Omega and a_rc = a_r + alpha_r x c + omega x (omega x c).

    Args:
        model: the model.
        q: coordinates (nq,).
        v: rates (nv,).
        environment: gravity, payloads, armatures, motion of a prescribed base.
        external_wrenches: [moment; force] (6,) by frame name, world axes.

    Source: document B; Kane and Levinson 1985.
    """
    q, v = one_state(model, q, v)
    motion = body_motion(model, q, v, environment=environment)
    partial = partial_velocities(model, q, v, environment=environment)
    M, bias = armature(model, q, v, environment)
    for body, mass, com, inertia in rigid_parts(model, environment):
        R, w = motion.rotation[body], motion.angular_velocity[body]
        I_W, c = R @ inertia @ R.T, R @ com
        Omega, alpha_r = partial.angular[body], partial.angular_remainder[body]
        Vc = partial.linear[body] - skew(c) @ Omega
        a_rc = partial.linear_remainder[body] + cross(alpha_r, c) + cross(w, cross(w, c))
        M += Omega.T @ I_W @ Omega + mass * Vc.T @ Vc
        bias += Omega.T @ (I_W @ alpha_r + cross(w, I_W @ w))
        bias += mass * Vc.T @ (a_rc - environment.gravity)
    for body, point, moment, force in external_wrenches_on(model, motion, external_wrenches):
        Omega = partial.angular[body]
        V = partial.linear[body] - skew(point - motion.position[body]) @ Omega
        bias -= Omega.T @ moment + V.T @ force
    return EquationsOfMotion(M, bias)
