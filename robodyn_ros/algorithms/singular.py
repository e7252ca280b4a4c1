"""When a mass matrix counts as singular, and at which joint.

Elimination from the leaves to the root meets one pivot per rate: the inertia that is left of what
hangs on the joint once all joints further out move freely. It is compared with a constant scale of
that rate, so that the same rule serves floats, batches and kernels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.errors import SingularMassMatrixError, quoted
from robodyn_ros.model import Model
from robodyn_ros.model.inertia import moments
from robodyn_ros.spatial import Array
from robodyn_ros.spatial.ldlt import ltdl

#: Of a rate's scale. Rounding leaves some 1e-15 where nothing should be left.
_NOTHING = 1e-13
#: Links that an error names.
_NAMED = 4


def pivot_limits(model: Model) -> NDArray[np.float64]:
    """Return (nz,): a pivot of a joint rate counts as lost where it is not above its limit.

    The scale is the largest inertia that the outer links could have about the joint (their mass,
    for a rate that slides), from the model's own masses and lengths; 0 behind which there is
    nothing, so that any positive pivot (a rotor's, a payload's) is enough.
    """
    tree = model.lumped
    limits = np.zeros(tree.rates)
    # Of each lump and what hangs on it: sums of m, m r, m r^2 with r a bound of the distance from
    # the lump's origin, and of the traces of central inertias.
    sums = [_own_sums(row) for row in tree.inertias]
    for i, lump in reversed(tree.moving):
        mass, _, square, trace = sums[i]
        joint = lump.joint.joint
        turning = _turning(joint.motion_subspace(joint.neutral()))
        limits[lump.rates] = _NOTHING * np.where(turning, square + trace, mass)
        sums[lump.parent] = sums[lump.parent] + _shifted(
            sums[i], float(np.linalg.norm(lump.position))
        )
    return limits


def coordinate_limits(model: Model) -> NDArray[np.float64]:
    """Return `pivot_limits` (nv,) by coordinate, those of followers added to their drivers'."""
    limits = pivot_limits(model)
    found = np.zeros(model.nv)
    q = np.zeros(model.nq)
    for lump in model.lumped.lumps:
        ratios = lump.joint.coordinates.velocity_map(q)
        found[list(lump.joint.coordinates.columns())] += limits[lump.rates] @ ratios**2
    return found


def singular_rate(model: Model, q: Array, surroundings: Surroundings) -> int:
    """Return the coordinate at which elimination first loses a pivot. Floats only, q (nq,).

    Where rounding shows no lost pivot, the one that is nearest to it.
    """
    limits = coordinate_limits(model)
    pivots = np.array(ltdl(inertia_matrix(model, q, surroundings), limits).pivots)
    lost = np.flatnonzero(~(pivots > limits))
    if lost.size:
        return int(lost[-1])
    scale = np.where(limits > 0.0, limits, np.inf)
    return int(np.argmin(pivots / scale))


def singular_joint(model: Model, q: Array, surroundings: Surroundings) -> str:
    """Return the name of the joint at which the mass matrix is singular. Floats only, q (nq,)."""
    rate = singular_rate(model, q, surroundings)
    return next(joint.name for joint in model.own_joints if rate < joint.v_index + joint.joint.nv)


def refuse_singular(model: Model, q: Array, surroundings: Surroundings, verdict: Array) -> None:
    """Raise where any verdict (...) is positive; the text names the joint in the first such row.

    Raises:
        SingularMassMatrixError: accelerations are not determined.
    """
    bad = np.argwhere(np.asarray(verdict) > 0.0)
    if not len(bad):
        return
    row = tuple(int(i) for i in bad[0])
    q = np.broadcast_to(q, (*np.shape(verdict), model.nq))[row]
    where = f" in row {row[0] if len(row) == 1 else row}" if row else ""
    rate = singular_rate(model, q, surroundings)
    name = singular_joint(model, q, surroundings)
    raise SingularMassMatrixError(
        f"the mass matrix is singular{where} at joint {quoted(name)}: its outer links"
        f" {_outer_links(model, rate)} have no {_kind(model, rate)}; give them"
        " inertia or lock the joint"
    )


def _own_sums(parameters: Array) -> NDArray[np.float64]:
    mass, first, inertia = moments(parameters)
    weight = abs(float(mass))
    arm = float(np.linalg.norm(first))
    distance = arm / weight if weight else 0.0
    central = max(0.0, float(np.trace(inertia)) - 2.0 * weight * distance**2)
    return np.array([weight, arm, weight * distance**2, central])


def _shifted(sums: NDArray[np.float64], length: float) -> NDArray[np.float64]:
    mass, arm, square, trace = sums
    shifted = square + 2.0 * length * arm + length**2 * mass
    return np.array([mass, arm + length * mass, shifted, trace])


def _turning(S: Array) -> NDArray[np.bool_]:
    turning: NDArray[np.bool_] = np.any(S[:3] != 0.0, axis=0)
    return turning


def _outer_links(model: Model, rate: int) -> str:
    outer = {
        body
        for lump in model.lumped.lumps
        if rate in lump.joint.coordinates.columns()
        for body in model.subtree(lump.body)
    }
    names = [quoted(model.body_names[body]) for body in sorted(outer)]
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


def _kind(model: Model, rate: int) -> str:
    """Return what is missing, for the message."""
    joint = next(j for j in model.own_joints if rate < j.v_index + j.joint.nv)
    turns = _turning(joint.joint.motion_subspace(joint.joint.neutral()))[rate - joint.v_index]
    axis = "its axis" if joint.joint.nv == 1 else quoted(model.coordinate_names[rate])
    return f"inertia about {axis}" if turns else f"mass along {axis}"
