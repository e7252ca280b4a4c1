"""Dynamics of closed mechanisms, for a partition: forward, inverse, and the constraints' forces.

With v = N v_y of the independent rates, and the forces of the constraints without power,

    N^T M N a_y = N^T (tau - h - M b),   a = N a_y + b,   G^T lambda = M a + h - tau.
"""

from __future__ import annotations

import numpy as np

from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.constraints.elimination import Elimination, moving, partition_of
from robodyn_ros.model import Model
from robodyn_ros.spatial import (
    Array,
    apply,
    ltdl,
    mirrored,
    solved,
    transpose,
)

_NOTHING = 1e-13
"""Share of a reduced inertia below which its pivot counts as lost."""

_FLOATING_BASE = range(6)
"""Entries of v of a floating base's joint, which comes first."""


def closed_accelerations(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    surroundings: Surroundings,
    *,
    packed: Array | None = None,
    friction: bool = False,
) -> tuple[Array, Array, Array]:
    """Return accelerations (..., nv), multipliers (..., m) and a verdict (...) for efforts tau.

    Args:
        model: a closed model with a partition.
        q: coordinates (..., nq) in which it is closed.
        v: rates (..., nv), of which the independent ones count.
        tau: efforts (..., nv) conjugate to v.
        surroundings: gravity, payloads, joint parameters, motion of a prescribed base.
        packed: external wrenches, see `algorithms.external_wrenches`.
        friction: whether damping and Coulomb friction hold against the efforts.

    Returns:
        a; lambda, with G^T lambda the forces of the constraints on the mechanism, 0 for equations
        that the others make redundant; and 0.0 where both mean anything.
    """
    elimination, v, bias = moving(model, q, v)
    b = elimination.particular(bias)
    N = elimination.basis
    loads = efforts(model, q, v, b, surroundings, packed=packed, friction=friction)
    M = inertia_matrix(model, q, surroundings)
    reduced = mirrored(transpose(N) @ M @ N)
    limits = tuple(
        _NOTHING * abs(reduced[..., k, k]) for k in range(len(elimination.partition.independent))
    )
    factors = ltdl(reduced, limits)
    right = elimination.work(tau - loads)
    a_y = solved(factors, right[..., None])[..., 0]
    free = elimination.spread(a_y)
    a = free + b
    verdict = elimination.verdict + factors.verdict
    excess = apply(M, free) + loads - tau
    return a, multipliers(model, elimination, excess), verdict


def closed_efforts(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    surroundings: Surroundings,
    *,
    packed: Array | None = None,
    friction: bool = False,
) -> tuple[Array, Array, Array]:
    """Return efforts (..., nv) of the motors, multipliers (..., m) and a verdict (...).

    Where there are more motors than independent coordinates, the efforts have the least sum of
    weighted squares. Entries without a motor are 0, but for the wrench that a floating base needs.

    Args:
        model: a closed model with a partition.
        q: coordinates (..., nq) in which it is closed.
        v: rates (..., nv), of which the independent ones count.
        a: accelerations (..., nv), likewise.
        surroundings: gravity, payloads, joint parameters, motion of a prescribed base.
        packed: external wrenches, see `algorithms.external_wrenches`.
        friction: whether the motors overcome damping and Coulomb friction of all joints.
    """
    elimination, v, bias = moving(model, q, v)
    a = elimination.accelerations(a, bias)
    loads = efforts(model, q, v, a, surroundings, packed=packed, friction=friction)
    tau, verdict = motor_efforts(model, elimination, loads)
    forces = multipliers(model, elimination, loads - tau)
    return tau, forces, elimination.verdict + verdict


def multipliers(model: Model, elimination: Elimination, excess: Array) -> Array:
    """Return lambda (..., m) with G^T lambda = excess (..., nv), 0 for redundant equations."""
    partition = elimination.partition
    found = elimination.reactions(excess)
    entries: list[Array] = [np.zeros(())] * model.closure.rows
    for k, row in enumerate(partition.rows):
        entries[row] = found[..., k]
    lead = found.shape[:-1]
    return np.stack([np.broadcast_to(entry, lead) for entry in entries], axis=-1)


def motors(model: Model) -> tuple[int, ...]:
    """Return the entries of v that have a motor: the independent ones where none are named."""
    return model.closure.actuated or partition_of(model).independent


def carriers(model: Model) -> tuple[int, ...]:
    """Return the entries of v that inverse dynamics gives efforts of, the motors' first.

    Beside the motors these are coordinates of a floating base, as of a tree: the wrench that it
    needs. Those that the constraints hold are none of them, nor are any where the motors are as
    many as the freedoms and the description wants the base's coordinates to be independent.
    """
    chosen = motors(model)
    independent = partition_of(model).independent
    if model.base != "floating":
        return chosen
    fewer = len(chosen) < len(independent)
    return chosen + tuple(
        k
        for k in _FLOATING_BASE
        if k in independent and k not in chosen and (fewer or k not in model.closure.preferred)
    )


def is_moved(model: Model) -> bool:
    """Return whether there are as many efforts as freedoms, so that they follow from a motion."""
    return len(carriers(model)) >= len(partition_of(model).independent)


def easing(model: Model) -> Array:
    """Return (carriers,) the efforts of equal cost: 1 / sqrt(weight), of a floating base 1."""
    given = model.closure.weights
    weights = given + (1.0,) * (len(carriers(model)) - len(given))
    return np.asarray(1.0 / np.sqrt(np.array(weights)))


def motor_efforts(
    model: Model, elimination: Elimination, loads: Array
) -> tuple[Array, Array | float]:
    """Return the efforts (..., nv) of the carriers that do the work of `loads`, and a verdict."""
    needed = elimination.work(loads)
    chosen = carriers(model)
    independent = elimination.partition.independent
    verdict: Array | float = 0.0
    if set(chosen) == set(independent):
        given = {column: needed[..., k] for k, column in enumerate(independent)}
    else:
        ease = easing(model)
        reached = ease[:, None] * elimination.basis[..., list(chosen), :]
        gram = mirrored(transpose(reached) @ reached)
        limits = tuple(_NOTHING * abs(gram[..., k, k]) for k in range(len(independent)))
        factors = ltdl(gram, limits)
        share = apply(reached, solved(factors, needed[..., None])[..., 0])
        given = {column: ease[k] * share[..., k] for k, column in enumerate(chosen)}
        verdict = factors.verdict
    lead = needed.shape[:-1]
    zero = np.zeros(())
    entries = [np.broadcast_to(given.get(k, zero), lead) for k in range(model.nv)]
    return np.stack(entries, axis=-1), verdict
