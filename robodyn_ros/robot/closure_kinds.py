"""The operations of closed mechanisms in the catalogue."""

from __future__ import annotations

from robodyn_ros.constraints.closing import closed_nearby
from robodyn_ros.constraints.elimination import closed_configuration, eliminated, partition_of
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.robot import closed_dynamics
from robodyn_ros.robot.kind import MOTION, Call, Kind
from robodyn_ros.spatial import Array

NEWTON_STEPS = 3
"""Steps of one call of "closed_configuration": from a state before to one at a message's time."""


def _residual(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    closed_dynamics.require_closed(call.model)
    return (all_equations(call.model, q, None).residual,)


def _jacobian(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    closed_dynamics.require_closed(call.model)
    return (all_equations(call.model, q, None).jacobian,)


def _bias(call: Call) -> tuple[Array, ...]:
    q, v = call.state
    closed_dynamics.require_closed(call.model)
    return (all_equations(call.model, q, v).bias,)


def _closed_configuration(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    closed_dynamics.require_closed(call.model)
    return closed_configuration(call.model, q, NEWTON_STEPS)


def _closing(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    closed_dynamics.require_closed(call.model)
    return closed_nearby(call.model, q)


def _motion_basis(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    closed_dynamics.require_closed(call.model)
    equations = all_equations(call.model, q, None, closed=True)
    elimination = eliminated(equations, partition_of(call.model))
    return elimination.basis, elimination.verdict


def _complete(call: Call) -> tuple[Array, ...]:
    closed_dynamics.require_closed(call.model)
    return closed_dynamics.completion(call)


def _forces_of_efforts(call: Call) -> tuple[Array, ...]:
    closed_dynamics.require_closed(call.model)
    _, forces, verdict = closed_dynamics.forward(call)
    return forces, verdict


_LOADS = ("regrouped", "joints")

CLOSURE_KINDS: dict[str, Kind] = {
    "constraint_residual": Kind(("q",), (("residual", ("m",)),), _residual),
    "constraint_jacobian": Kind(("q",), (("jacobian", ("m", "nv")),), _jacobian),
    "constraint_bias": Kind(("q", "v"), (("bias", ("m",)),), _bias),
    "closed_configuration": Kind(
        ("q",),
        (("configuration", ("nq",)),),
        _closed_configuration,
        refuse=closed_dynamics.refuse,
    ),
    "closing": Kind(("q",), (("q", ("nq",)), ("left", ())), _closing),
    "motion_basis": Kind(
        ("q",),
        (("basis", ("nv", "mobility")),),
        _motion_basis,
        refuse=closed_dynamics.refuse,
    ),
    "complete": Kind(
        MOTION,
        (("v", ("nv",)), ("a", ("nv",))),
        _complete,
        refuse=closed_dynamics.refuse,
    ),
    "constraint_forces": Kind(
        ("q", "v", "tau"),
        (("multipliers", ("m",)),),
        _forces_of_efforts,
        surroundings=("gravity",),
        loads=_LOADS,
        flags=("friction", "external", "loaded"),
        refuse=closed_dynamics.refuse,
    ),
}
