"""`~/inverse_dynamics`: efforts that produce accelerations, with their terms."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.robot.results import LazyEffortTerms
from robodyn_ros.ros.services.states import rates_of, require_finite, state_of
from robodyn_ros.ros.services.subject import Subject
from robodyn_ros.ros.services.wrenches import wrenches_of

Floats = NDArray[np.float64]

TERMS = LazyEffortTerms.fields[:-1]
"""The terms in the order of the reply's fields; the last field is their sum."""
_ALL = np.ones(len(TERMS))
_WITHOUT_FRICTION = np.array([float(term != "friction") for term in TERMS])


def fill(subject: Subject, request: Any, reply: Any) -> None:
    """Fill the reply's names, effort and terms.

    Raises:
        RobodynError: the request has no answer; the text says why.
    """
    subject.require_gravity()
    state = state_of(subject, request)
    plan, q, v = state.plan, state.q, state.v
    named = rates_of("acceleration", request.acceleration, plan)
    a = state.accelerations(named, subject.known.no_rates)
    wrenches = wrenches_of(subject.known, request.external_wrenches)
    robot = subject.robot
    if wrenches is None:
        terms = robot.effort_terms(q, v, a)
    else:
        terms = robot.effort_terms(q, v, a, wrenches, wrench_axes="local")
    rows = plan.of(_rows(terms, len(v)))
    effort = (_ALL if request.friction else _WITHOUT_FRICTION) @ rows
    if subject.host.driver_compensates_gravity:
        effort = effort - plan.of(robot.gravity_force(q))
    # A term that is not finite makes the sum so, also where its weight is zero.
    require_finite("effort", effort, plan)
    reply.names = list(plan.names)
    reply.effort = doubles(effort)
    reply.inertial = doubles(rows[0])
    reply.coriolis = doubles(rows[1])
    reply.gravity = doubles(rows[2])
    reply.friction = doubles(rows[3])
    reply.armature = doubles(rows[4])
    reply.payload = doubles(rows[5])
    reply.external = doubles(rows[6])


def doubles(values: Floats) -> array[float]:
    """Return numbers as the array that a message takes without a look at each."""
    return array("d", values.tobytes())


def _rows(terms: LazyEffortTerms, nv: int) -> Floats:
    """Return the terms (7, nv); a kernel has them in one piece already."""
    flat: Floats | None = vars(terms).get("flat")
    if flat is None:
        return np.stack(tuple(terms)[:-1])
    return flat.reshape(len(terms.fields), nv)[:-1]
