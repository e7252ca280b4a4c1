"""`~/forward_dynamics`: accelerations that efforts produce."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import listed
from robodyn_ros.errors import ArgumentError, SingularMassMatrixError, quoted
from robodyn_ros.ros.services.closed_states import open_names
from robodyn_ros.ros.services.coordinates import Plan
from robodyn_ros.ros.services.inverse_dynamics import doubles
from robodyn_ros.ros.services.states import State, rates_of, require_finite, state_of
from robodyn_ros.ros.services.subject import Subject
from robodyn_ros.ros.services.wrenches import wrenches_of
from robodyn_ros.spatial.ldlt import ltdl, solved

Floats = NDArray[np.float64]

LOCKED, ZERO_EFFORT = 0, 1


def fill(subject: Subject, request: Any, reply: Any) -> None:
    """Fill the reply's names and acceleration.

    Raises:
        RobodynError: the request has no answer; the text says why.
    """
    if request.unnamed not in (LOCKED, ZERO_EFFORT):
        raise ArgumentError(f"unnamed is {request.unnamed}; use LOCKED (0) or ZERO_EFFORT (1)")
    subject.require_gravity()
    state = state_of(subject, request)
    plan = state.plan
    effort = rates_of("effort", request.effort, plan)
    tau = subject.known.no_rates
    if effort is not None:
        tau = plan.rates(effort, tau)
    if subject.host.driver_compensates_gravity:  # of all joints, whether they are named or not
        tau = tau + subject.robot.gravity_force(state.q)
    options: dict[str, Any] = {
        "external_wrenches": wrenches_of(subject.known, request.external_wrenches),
        "wrench_axes": "local",
        "friction": bool(request.friction),
    }
    if state.bound is not None:
        if request.unnamed == LOCKED:
            _require_all_free(open_names(state.bound, plan))
        acceleration = plan.of(subject.robot.forward_dynamics(state.q, state.v, tau, **options))
    elif plan.missing and request.unnamed == LOCKED:
        acceleration = _locked(subject, state, plan.of(tau), options)
    else:
        acceleration = plan.of(subject.robot.forward_dynamics(state.q, state.v, tau, **options))
    require_finite("acceleration", acceleration, plan)
    reply.names = list(plan.names)
    reply.acceleration = doubles(acceleration)


def _require_all_free(missing: tuple[str, ...]) -> None:
    """Raise ArgumentError where coordinates of a closed mechanism would have to be locked."""
    if missing:
        raise ArgumentError(
            "LOCKED holds no coordinate of a closed mechanism: name also"
            f" {listed([quoted(name) for name in missing])}, or set unnamed to ZERO_EFFORT (1)"
        )


def _locked(subject: Subject, state: State, tau: Floats, options: dict[str, Any]) -> Floats:
    """Return the named accelerations (n,) while those of all others are zero: M_nn a = tau - h_n.

    Raises:
        SingularMassMatrixError: some named coordinate moves no inertia.
    """
    plan, robot = state.plan, subject.robot
    bias = plan.of(robot.inverse_dynamics(state.q, state.v, None, **options))
    mass = robot.mass_matrix(state.q)[np.ix_(plan.v_index, plan.v_index)]
    require_finite("mass matrix", mass, plan)
    # Elimination goes from the leaves to the root: in the model's order.
    order = np.argsort(plan.v_index)
    limits = subject.known.limits(robot.environment)[plan.v_index[order]]
    factors = ltdl(mass[np.ix_(order, order)], limits)
    lost = np.flatnonzero(np.array(factors.lost))
    if lost.size:
        raise SingularMassMatrixError(_singular(plan, int(order[lost[-1]])))
    acceleration = np.empty(len(tau))
    acceleration[order] = solved(factors, (tau - bias)[order, None])[:, 0]
    return acceleration


def _singular(plan: Plan, entry: int) -> str:
    return (
        f"the mass matrix of the named coordinates is singular at {quoted(plan.names[entry])}: what"
        " it moves has no inertia; give its links inertia, or leave it out of names, so that it is"
        " locked"
    )
