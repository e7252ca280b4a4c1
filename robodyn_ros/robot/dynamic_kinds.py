"""The dynamic operations of the catalogue."""

from __future__ import annotations

import numpy as np

from robodyn_ros import algorithms
from robodyn_ros.algorithms.coriolis_matrix import velocity_matrix
from robodyn_ros.algorithms.derivatives import effort_derivatives
from robodyn_ros.algorithms.effort_terms import gravity_effort, split_efforts
from robodyn_ros.algorithms.energy import energies
from robodyn_ros.algorithms.forward_derivatives import acceleration_derivatives
from robodyn_ros.algorithms.forward_dynamics import accelerations
from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.momentum import centroidal_momenta, momenta, momentum_matrix
from robodyn_ros.algorithms.regressor import effort_columns
from robodyn_ros.algorithms.singular import refuse_singular
from robodyn_ros.algorithms.total_center_of_mass import center_columns, center_of_robot
from robodyn_ros.robot import closed_dynamics
from robodyn_ros.robot.kind import MOTION, Call, Kind
from robodyn_ros.robot.run_time import sparse
from robodyn_ros.spatial import Array


def _inverse_dynamics(call: Call) -> tuple[Array, ...]:
    if call.model.is_closed:
        effort, _, verdict = closed_dynamics.inverse(call)
        return effort, verdict
    packed = call.arguments.get("wrenches")
    friction = "friction" in call.flags
    q, v, a = call.state
    around = call.surroundings
    return (efforts(call.model, q, v, a, around, packed=packed, friction=friction),)


def _bias_force(call: Call) -> tuple[Array, ...]:
    friction = "friction" in call.flags
    q, v = call.state
    return (efforts(call.model, q, v, None, call.surroundings, friction=friction),)


def _gravity_force(call: Call) -> tuple[Array, ...]:
    if call.model.is_closed:
        return closed_dynamics.gravity(call)
    (q,) = call.state
    lead = np.broadcast_shapes(q.shape[:-1], call.surroundings.lead(call.model))
    return (gravity_effort(call.model, q, call.surroundings, lead),)


def _effort_terms(call: Call) -> tuple[Array, ...]:
    if call.model.is_closed:
        return closed_dynamics.terms(call)
    carried, packed = (call.arguments.get(name) for name in ("carried", "wrenches"))
    q, v, a = call.state
    if carried is not None:
        carried = sparse(call.model, carried)
    around = call.surroundings._replace(regrouped=call.model.lumped.regrouped)
    return split_efforts(call.model, q, v, a, around, carried, packed)


def _forward_dynamics(call: Call) -> tuple[Array, ...]:
    if call.model.is_closed:
        acceleration, _, verdict = closed_dynamics.forward(call)
        return acceleration, verdict
    packed = call.arguments.get("wrenches")
    friction = "friction" in call.flags
    q, v, tau = call.state
    around = call.surroundings
    return accelerations(call.model, q, v, tau, around, packed=packed, friction=friction)


def _inverse_dynamics_derivatives(call: Call) -> tuple[Array, ...]:
    q, v, a = call.state
    closed_dynamics.require_open(call.model, "differentiated inverse dynamics")
    return effort_derivatives(call.model, q, v, a, call.surroundings)


def _forward_dynamics_derivatives(call: Call) -> tuple[Array, ...]:
    q, v, tau = call.state
    closed_dynamics.require_open(call.model, "differentiated forward dynamics")
    return acceleration_derivatives(call.model, q, v, tau, call.surroundings)


def _coriolis_matrix(call: Call) -> tuple[Array, ...]:
    q, v = call.state
    return (velocity_matrix(call.model, q, v, call.surroundings),)


def _refuse_singular(call: Call, verdict: Array) -> None:
    """Raise for the first sample that has no answer."""
    if call.model.is_closed:
        closed_dynamics.refuse(call, verdict)
        return
    refuse_singular(call.model, call.arguments["q"], call.surroundings, verdict)


def _regressor(call: Call) -> tuple[Array, ...]:
    q, v, a = call.state
    return (effort_columns(call.model, q, v, a, call.surroundings),)


def _mass_matrix(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    return (inertia_matrix(call.model, q, call.surroundings),)


def _energy(call: Call) -> tuple[Array, ...]:
    q, v = call.state
    return energies(call.model, q, v, call.surroundings)


def _momentum(call: Call) -> tuple[Array, ...]:
    q, v = call.state
    return (momenta(call.model, q, v, call.surroundings),)


def _centroidal_momentum(call: Call) -> tuple[Array, ...]:
    q, v = call.state
    return (centroidal_momenta(call.model, q, v, call.surroundings),)


def _centroidal_momentum_matrix(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    return (momentum_matrix(call.model, q, call.surroundings),)


def _robot_center_of_mass(call: Call) -> tuple[Array, ...]:
    q, v, a = call.state
    return center_of_robot(call.model, q, v, a, call.surroundings)


def _center_of_mass_jacobian(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    return (center_columns(call.model, q, call.surroundings),)


_LOADS = ("regrouped", "joints")
_LOADS_OF_ACCELERATIONS = (*_LOADS, "limits")
_SQUARE = ("nv", "nv")
_EFFORT = (("effort", ("nv",)),)

DYNAMIC_KINDS: dict[str, Kind] = {
    "inverse_dynamics": Kind(
        MOTION,
        _EFFORT,
        _inverse_dynamics,
        surroundings=("gravity",),
        loads=_LOADS,
        flags=("friction", "external", "loaded"),
        refuse=_refuse_singular,
    ),
    "forward_dynamics": Kind(
        ("q", "v", "tau"),
        (("acceleration", ("nv",)),),
        _forward_dynamics,
        surroundings=("gravity",),
        loads=_LOADS_OF_ACCELERATIONS,
        flags=("friction", "external", "loaded"),
        refuse=_refuse_singular,
    ),
    "inverse_dynamics_derivatives": Kind(
        MOTION,
        (("effort_by_q", _SQUARE), ("effort_by_v", _SQUARE), ("effort_by_a", _SQUARE)),
        _inverse_dynamics_derivatives,
        surroundings=("gravity",),
        loads=_LOADS,
        flags=("loaded",),
    ),
    "forward_dynamics_derivatives": Kind(
        ("q", "v", "tau"),
        (
            ("acceleration_by_q", _SQUARE),
            ("acceleration_by_v", _SQUARE),
            ("acceleration_by_tau", _SQUARE),
        ),
        _forward_dynamics_derivatives,
        surroundings=("gravity",),
        loads=_LOADS_OF_ACCELERATIONS,
        flags=("loaded",),
        refuse=_refuse_singular,
    ),
    "regressor": Kind(
        MOTION, (("regressor", ("nv", "10 nb")),), _regressor, surroundings=("gravity",)
    ),
    "bias_force": Kind(
        ("q", "v"),
        _EFFORT,
        _bias_force,
        surroundings=("gravity",),
        loads=_LOADS,
        flags=("friction", "loaded"),
    ),
    "gravity_force": Kind(
        ("q",),
        _EFFORT,
        _gravity_force,
        surroundings=("gravity",),
        loads=("regrouped",),
        flags=("loaded",),
        refuse=_refuse_singular,
    ),
    "effort_terms": Kind(
        MOTION,
        tuple((field, ("nv",)) for field in algorithms.EffortTerms._fields),
        _effort_terms,
        surroundings=("gravity",),
        loads=("carried", "joints"),
        flags=("external", "loaded"),
        refuse=_refuse_singular,
    ),
    "mass_matrix": Kind(
        ("q",), (("mass", ("nv", "nv")),), _mass_matrix, loads=_LOADS, flags=("loaded",)
    ),
    "coriolis_matrix": Kind(
        ("q", "v"), (("coriolis", _SQUARE),), _coriolis_matrix, loads=_LOADS, flags=("loaded",)
    ),
    "energy": Kind(
        ("q", "v"),
        (("kinetic", ()), ("potential", ())),
        _energy,
        surroundings=("gravity",),
        loads=("inertias", "joints"),
        flags=("loaded",),
    ),
    "momentum": Kind(
        ("q", "v"), (("momentum", (6,)),), _momentum, loads=("inertias",), flags=("loaded",)
    ),
    "centroidal_momentum": Kind(
        ("q", "v"),
        (("momentum", (6,)),),
        _centroidal_momentum,
        loads=("inertias",),
        flags=("loaded",),
    ),
    "centroidal_momentum_matrix": Kind(
        ("q",),
        (("matrix", (6, "nv")),),
        _centroidal_momentum_matrix,
        loads=("inertias",),
        flags=("loaded",),
    ),
    "robot_center_of_mass": Kind(
        MOTION,
        tuple((field, (3,)) for field in algorithms.RobotCenterOfMass._fields),
        _robot_center_of_mass,
        loads=("inertias",),
        flags=("loaded",),
    ),
    "center_of_mass_jacobian": Kind(
        ("q",),
        (("jacobian", (3, "nv")),),
        _center_of_mass_jacobian,
        loads=("inertias",),
        flags=("loaded",),
    ),
}
