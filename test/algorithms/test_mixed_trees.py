"""Identities of dynamics on random trees that mix every joint type, on every kind of base."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from differentiation import FIRST_TOLERANCE, derivatives, error
from mixed_trees import around, mixed_state, trees
from robodyn_ros import algorithms
from robodyn_ros.model import Environment, Model
from sampling import few

#: Sums over chains of up to 30 bodies, norm-wise.
ROUNDING = 1e-11
#: Forward dynamics is judged by what is left of the efforts; M may be badly conditioned.
RESIDUAL = 1e-9

any_tree = given(trees())


def velocity_map(model: Model, q: np.ndarray) -> np.ndarray:
    """Return G (nz, nv), the rates of all joints, followers included, from those of the model."""
    blocks = []
    for _, joint in model.moving:
        block = np.zeros((joint.joint.nv, model.nv))
        if joint.joint.nv:
            block[:, list(joint.coordinates.columns())] = joint.coordinates.velocity_map(q)
        blocks.append(block)
    return np.concatenate(blocks)


def rate_parameters(model: Model) -> np.ndarray:
    """Return armature, damping and friction (nz, 3) of all joint rates, in the order of bodies."""
    return np.concatenate([joint.rate_parameters for _, joint in model.moving])


@few
@any_tree
def test_inverse_and_forward_dynamics_agree(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    q, v, a = mixed_state(model, seed)
    here = around(model, seed)
    wrenches = {"tool": np.random.default_rng(seed).normal(size=6)}
    told = {"environment": here, "external_wrenches": wrenches}
    tau = algorithms.inverse_dynamics(model, q, v, a, **told)
    M = algorithms.mass_matrix(model, q, environment=here)
    h = algorithms.bias_force(model, q, v, environment=here)
    pushed = algorithms.jacobian(model, q, "tool", environment=here).T @ wrenches["tool"]
    assert error(M @ a + h - pushed, tau) < ROUNDING
    for forward in (algorithms.forward_dynamics, algorithms.forward_dynamics_by_mass_matrix):
        found = forward(model, q, v, tau, **told)
        assert error(M @ found + h - pushed, tau) < RESIDUAL
    resisted = algorithms.inverse_dynamics(model, q, v, a, friction=True, **told)
    found = algorithms.forward_dynamics(model, q, v, resisted, friction=True, **told)
    assert error(M @ found + h - pushed, tau) < RESIDUAL


@few
@any_tree
def test_terms_add_up(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    q, v, a = mixed_state(model, seed)
    here = around(model, seed)
    terms = algorithms.effort_terms(model, q, v, a, environment=here)
    resisted = algorithms.inverse_dynamics(model, q, v, a, environment=here, friction=True)
    assert error(terms.total, resisted) < ROUNDING
    parts = (terms.inertial, terms.coriolis, terms.gravity, terms.friction, terms.armature)
    assert error(sum(parts) + terms.payload + terms.external, terms.total) < ROUNDING
    G = velocity_map(model, q)
    rotors, damping, coulomb = rate_parameters(model).T
    assert error(terms.armature, G.T @ (rotors * (G @ a))) < ROUNDING
    dz = G @ v
    # Below a speed Coulomb friction is smooth, in a way of its own.
    slow = G[np.abs(dz) <= algorithms.COULOMB_SPEED].any(axis=0)
    resistance = G.T @ (damping * dz + coulomb * np.sign(dz))
    assert error(terms.friction[~slow], resistance[~slow]) < ROUNDING
    assert terms.friction @ v >= 0.0
    bare = Environment(here.gravity, here.base_motion)
    assert error(terms.gravity, algorithms.gravity_force(model, q, environment=bare)) < ROUNDING


@few
@any_tree
def test_mass_and_coriolis_matrices(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    q, v, _ = mixed_state(model, seed)
    here = around(model, seed)
    M = algorithms.mass_matrix(model, q, environment=here)
    assert error(M, M.T) == 0.0
    # Accelerations of nothing but one rate, from rest and without gravity.
    still = Environment(gravity=np.zeros(3), payloads=here.payloads)
    columns = algorithms.inverse_dynamics(
        model, q, np.zeros(model.nv), np.eye(model.nv), environment=still
    )
    assert error(M, columns.T) < ROUNDING
    C = algorithms.coriolis_matrix(model, q, v, environment=here)
    forces = algorithms.bias_force(model, q, v, environment=still)
    assert error(C @ v, forces) < ROUNDING

    def along(t: np.ndarray) -> np.ndarray:
        there = algorithms.integrate(model, q, v * t[:, None])
        return algorithms.mass_matrix(model, there, environment=here)

    power = derivatives(along, h=0.01)[0] - 2.0 * C
    assert error(power, -power.T) < 10 * FIRST_TOLERANCE


@few
@any_tree
def test_power_of_the_efforts_is_the_rate_of_energy(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    q, v, a = mixed_state(model, seed)
    here = around(model, seed).with_base_motion(Environment().base_motion)
    M = algorithms.mass_matrix(model, q, environment=here)
    found = algorithms.energy(model, q, v, environment=here)
    assert error(found.kinetic, 0.5 * v @ M @ v) < ROUNDING

    def along(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        there = algorithms.integrate(model, q, v * t + 0.5 * a * t * t)
        return sum(algorithms.energy(model, there, v + a * t, environment=here))

    power = algorithms.inverse_dynamics(model, q, v, a, environment=here) @ v
    assert error(derivatives(along, h=0.01)[0], power) < 10 * FIRST_TOLERANCE


@few
@any_tree
def test_momenta_are_sums_over_bodies(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    q, v, _ = mixed_state(model, seed)
    here = around(model, seed)
    A = algorithms.centroidal_momentum_matrix(model, q, environment=here)
    whole = algorithms.centroidal_momentum(model, q, v, environment=here)
    carried = algorithms.centroidal_momentum(model, q, environment=here)
    assert error(A @ v + carried, whole) < ROUNDING
    bare = Environment(base_motion=here.base_motion)
    motion = algorithms.body_motion(model, q, v, environment=bare)
    centers = algorithms.center_of_mass_motion(model, q, v, environment=bare)
    total = np.zeros(6)
    for i, body in enumerate(model.bodies):
        R, linear = motion.rotation[i], body.mass * centers.velocity[i]
        spin = R @ body.inertia @ R.T @ motion.angular_velocity[i]
        total += [*(spin + np.cross(centers.position[i], linear)), *linear]
    assert error(algorithms.momentum(model, q, v, environment=bare), total) < ROUNDING


@few
@any_tree
def test_efforts_are_linear_in_the_inertial_parameters(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    q, v, a = mixed_state(model, seed)
    here = around(model, seed).with_joint_parameters(np.zeros((model.lumped.rates, 3)))
    bare = Environment(here.gravity, here.base_motion, joint_parameters=here.joint_parameters)
    Y = algorithms.regressor(model, q, v, a, environment=bare)
    tau = algorithms.inverse_dynamics(model, q, v, a, environment=bare)
    assert error(Y @ model.inertial_parameters.ravel(), tau) < ROUNDING
