"""Dynamic operations of closed mechanisms: by the chosen equations, or by the null space.

Where the chosen equations do not serve, near a singular position for one, floats go the slower way
over singular values; a kernel refuses such samples and hands them to this one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from robodyn_ros.algorithms.effort_terms import gravity_effort, split_efforts
from robodyn_ros.constraints import dynamics, null_space
from robodyn_ros.constraints.elimination import completed, eliminated, partition_of
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.errors import ArgumentError, ClosureError
from robodyn_ros.kernels.scalar import is_symbolic
from robodyn_ros.model import Model
from robodyn_ros.robot.kind import Call
from robodyn_ros.robot.run_time import sparse
from robodyn_ros.spatial import Array

Outputs = tuple[Array, ...]


def require_closed(model: Model) -> None:
    """Raise ArgumentError for a model without loops and constraint elements."""
    if not model.is_closed:
        raise ArgumentError(f"robot {model.name!r} is a tree: it has no constraints")


def require_open(model: Model, what: str) -> None:
    """Raise ArgumentError for a closed mechanism."""
    if model.is_closed:
        raise ArgumentError(
            f"{what} of closed mechanisms is not available; robot {model.name!r} has loops or"
            " constraint elements"
        )


def forward(call: Call) -> Outputs:
    """Return accelerations (..., nv), multipliers (..., m) and the verdict."""
    q, v, tau = call.state
    return _either(
        call, (q, v, tau), dynamics.closed_accelerations, null_space.closed_accelerations_by_motions
    )


def inverse(call: Call) -> Outputs:
    """Return efforts of the motors (..., nv), multipliers (..., m) and the verdict."""
    q, v, a = call.state
    return _either(call, (q, v, a), dynamics.closed_efforts, null_space.closed_efforts_by_motions)


def completion(call: Call) -> Outputs:
    """Return v and a (..., nv) that the constraints allow, and the verdict."""
    q, v, a = call.state
    result = completed(call.model, q, v, a)
    return _mended(result, (q, v, a), lambda: null_space.completed_by_motions(call.model, q, v, a))


def gravity(call: Call) -> Outputs:
    """Return the motors' efforts (..., nv) that hold the mechanism, and the verdict."""
    (q,) = call.state
    lead = np.broadcast_shapes(q.shape[:-1], call.surroundings.lead(call.model))
    loads = gravity_effort(call.model, q, call.surroundings, lead)
    return shared(call.model, q, (loads,))


def terms(call: Call) -> Outputs:
    """Return the motors' share (..., nv) of each cause of efforts, and the verdict."""
    q, v, a = call.state
    model = call.model
    carried, packed = (call.arguments.get(name) for name in ("carried", "wrenches"))
    if carried is not None:
        carried = sparse(model, carried)
    v, a, verdict = completed(model, q, v, a)
    around = call.surroundings._replace(regrouped=model.lumped.regrouped)
    *found, more = shared(model, q, split_efforts(model, q, v, a, around, carried, packed))
    return (*found, verdict + more)


def shared(model: Model, q: Array, loads: tuple[Array, ...]) -> Outputs:
    """Return the motors' efforts (..., nv) that do the work of each load, and a verdict."""
    elimination = eliminated(all_equations(model, q, None, closed=True), partition_of(model))
    verdict: Array = elimination.verdict
    found = []
    for load in loads:
        effort, gone = dynamics.motor_efforts(model, elimination, load)
        found.append(effort)
    return (*found, verdict + gone)


def refuse(call: Call, verdict: Array) -> None:
    """Raise for the first sample without an answer."""
    if np.any(verdict != 0.0):
        raise ClosureError(
            f"the motion of mechanism {call.model.name!r} is not determined at this"
            f" configuration: {_reason(call)}"
        )


def _reason(call: Call) -> str:
    """Return why a sample may have no answer, and what to do."""
    if "tau" in call.arguments:
        return (
            "it is singular there, or bodies that move have no inertia; leave the position, or give"
            " them mass"
        )
    model = call.model
    chosen, freedoms = dynamics.motors(model), len(partition_of(model).independent)
    base = len(dynamics.carriers(model)) - len(chosen)
    if len(chosen) + base < freedoms:
        names = ", ".join(model.coordinate_names[k] for k in chosen)
        beside = " beside those of its floating base" if base else ""
        return (
            f"it has {freedoms - base} freedoms{beside}, and motors at {len(chosen)} coordinates"
            f" ({names}); name more of them in actuated"
        )
    return (
        "its motors do not move all of it, it is singular there, or bodies that move have no"
        " inertia; name other coordinates in actuated, or leave the position"
    )


def _either(
    call: Call,
    state: tuple[Array, Array, Array],
    chosen: Callable[..., Outputs],
    general: Callable[..., Outputs],
) -> Outputs:
    """Return the result of the chosen equations; where these fail, of floats, the general one."""
    options = {
        "packed": call.arguments.get("wrenches"),
        "friction": "friction" in call.flags,
    }
    result = chosen(call.model, *state, call.surroundings, **options)
    return _mended(result, state, lambda: general(call.model, *state, call.surroundings, **options))


def _mended(
    result: Outputs, state: tuple[Array, Array, Array], general: Callable[[], Outputs]
) -> Outputs:
    """Return a result with a verdict; samples of floats that failed are those of `general`."""
    if is_symbolic(*state) or not np.any(result[-1] != 0.0):
        return result
    failed = result[-1] != 0.0
    *values, verdict = (
        np.where(failed.reshape(failed.shape + (1,) * (x.ndim - failed.ndim)), other, x)
        for x, other in zip(result, general(), strict=True)
    )
    return (*values, verdict)
