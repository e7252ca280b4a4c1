"""When a mass matrix counts as singular, and at which joint.

Elimination from the leaves to the root meets one pivot per rate: the inertia that is left of what
hangs on the joint once all joints further out move freely. It is compared with a constant scale of
that rate, so that the same rule serves floats, batches and kernels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.errors import SingularMassMatrixError, quoted
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.model.inertia import moments
from robodyn_ros.spatial import Array
from robodyn_ros.spatial.ldlt import ltdl

#: Of a rate's scale. Rounding leaves some 1e-15 where nothing should be left.
_NOTHING = 1e-13
#: Least singular value of a joint's unit screws: less of it is not seen in the mass matrix, which
#: has its square.
_SAME = 1e-6
#: Of a unit vector: smaller entries are rates that have no part in what it says.
_TAKES_PART = 0.1
#: Links that an error names.
_NAMED = 4


def pivot_limits(model: Model, inertias: Array | None = None) -> NDArray[np.float64]:
    """Return (nz,): a pivot of a joint rate counts as lost where it is not above its limit.

    The scale is the largest inertia that the outer links could have about the joint (their mass,
    for a rate that slides), from masses and lengths; 0 behind which there is nothing, so that any
    positive pivot (a rotor's) is enough. Floats only: a kernel takes them as an input.

    Args:
        model: the model.
        inertias: (n, 10) inertial parameters of the lumps, payloads included; None for the model's
            own.
    """
    tree = model.lumped
    limits = np.zeros(tree.rates)
    # Of each lump and what hangs on it: sums of m, m r, m r^2 with r a bound of the distance from
    # the lump's origin, and of the traces of central inertias.
    sums = [_own_sums(row) for row in (tree.inertias if inertias is None else inertias)]
    for i, lump in reversed(tree.moving):
        mass, _, square, trace = sums[i]
        joint = lump.joint.joint
        limits[lump.rates] = _NOTHING * np.where(joint.turning(), square + trace, mass)
        sums[lump.parent] = sums[lump.parent] + _shifted(
            sums[i], float(np.linalg.norm(lump.position))
        )
    return limits


def limits_in(model: Model, surroundings: Surroundings) -> Array:
    """Return `pivot_limits` (nz,) for the inertias of surroundings."""
    if surroundings.limits is not None:
        return surroundings.limits
    return pivot_limits(model, surroundings.inertias)


def coordinate_limits(model: Model, surroundings: Surroundings | None = None) -> Array:
    """Return `pivot_limits` (nv,) by coordinate, those of followers added to their drivers'.

    Without surroundings those of the model alone.
    """
    limits = pivot_limits(model) if surroundings is None else limits_in(model, surroundings)
    found = np.zeros(model.nv, dtype=limits.dtype)
    q = np.zeros(model.nq)
    for lump in model.lumped.lumps:
        ratios = lump.joint.coordinates.velocity_map(q)
        columns = list(lump.joint.coordinates.columns())
        found[columns] = found[columns] + limits[lump.rates] @ ratios**2
    return found


class _Loss(NamedTuple):
    """What elimination of one mass matrix met.

    Attributes:
        rates: coordinates that lost their pivots, outermost first; at least one.
        pivot: of the first.
        negative: whether that is below zero by more than rounding makes it.
    """

    rates: tuple[int, ...]
    pivot: float
    negative: bool


def singular_rate(model: Model, q: Array, surroundings: Surroundings) -> int:
    """Return the coordinate at which elimination first loses a pivot. Floats only, q (nq,).

    Where rounding shows no lost pivot, the one that is nearest to it.
    """
    return _loss(model, q, surroundings).rates[0]


def singular_joint(model: Model, q: Array, surroundings: Surroundings) -> str:
    """Return the name of the joint at which the mass matrix is singular. Floats only, q (nq,)."""
    return _joint_of(model, singular_rate(model, q, surroundings)).name


def refuse_singular(model: Model, q: Array, surroundings: Surroundings, verdict: Array) -> None:
    """Raise where any verdict (...) is positive; the text is about the first such row.

    Raises:
        SingularMassMatrixError: accelerations are not determined; it names the joints, and says
            whether inertia is missing there or negative.
    """
    bad = np.argwhere(np.asarray(verdict) > 0.0)
    if not len(bad):
        return
    row = tuple(int(i) for i in bad[0])
    q = np.broadcast_to(q, (*np.shape(verdict), model.nq))[row]
    where = f" in row {row[0] if len(row) == 1 else row}" if row else ""
    raise SingularMassMatrixError(singular_reason(model, q, surroundings, where))


def singular_reason(model: Model, q: Array, surroundings: Surroundings, where: str = "") -> str:
    """Return what is wrong with a mass matrix that is not positive definite, with the remedy.

    Floats only, q (nq,). `where` is put before the joint's name.
    """
    loss = _loss(model, q, surroundings)
    rate = loss.rates[0]
    joint = _joint_of(model, rate)
    outer = f"its outer links {_outer_links(model, rate)}"
    kind, unit = _kind(model, rate)
    if loss.negative:
        return (
            f"the mass matrix is not positive definite{where} at joint {quoted(joint.name)}:"
            f" {outer} have negative {kind}, {loss.pivot:.3g} {unit} while all joints further out"
            " move freely; correct their masses and inertias, or those of what they carry"
        )
    if coinciding := _coinciding(joint, q):
        return f"the mass matrix is singular{where} at joint {quoted(joint.name)}: {coinciding}"
    others = dict.fromkeys(_joint_of(model, k).name for k in loss.rates[1:])
    others.pop(joint.name, None)
    names = [quoted(name) for name in others]
    also = f" (and at {', '.join(names[:_NAMED])}{', ...' * (len(names) > _NAMED)})" * bool(names)
    remedy = "give them inertia or lock the joint" + "s" * bool(names)
    return (
        f"the mass matrix is singular{where} at joint {quoted(joint.name)}{also}: {outer} have no"
        f" {kind}; {remedy}"
    )


def _loss(model: Model, q: Array, surroundings: Surroundings) -> _Loss:
    limits = coordinate_limits(model, surroundings)
    pivots = np.array(ltdl(inertia_matrix(model, q, surroundings), limits).pivots)
    lost = np.flatnonzero(~(pivots > limits))[::-1]
    if not lost.size:
        scale = np.where(limits > 0.0, limits, np.inf)
        lost = np.array([np.argmin(pivots / scale)])
    pivot = float(pivots[lost[0]])
    return _Loss(tuple(lost.tolist()), pivot, bool(pivot < -limits[lost[0]]))


def _coinciding(joint: TreeJoint, q: Array) -> str:
    """Return which rates of a joint do the same where it is, with the remedy; "" if none do."""
    S = joint.joint.motion_subspace(joint.coordinates.position(q))
    _, singular, rows = np.linalg.svd(S / np.linalg.norm(S, axis=0), full_matrices=False)
    if singular[-1] > _SAME:
        return ""
    rates = np.flatnonzero(np.abs(rows[-1]) > _TAKES_PART)
    names = [quoted(f"{joint.name}/{joint.joint.axes[k]}") for k in rates]
    if len(names) == 2:
        what = f"its axes {names[0]} and {names[1]} coincide"
    else:
        what = f"its rates {', '.join(names)} are not independent of each other"
    remedy = ", or leave one of them out"
    if all(joint.joint.turning()[k] for k in rates):
        what += " (gimbal lock)"
        remedy = ", or take another sequence of axes, or a spherical joint"
    return f"its position is singular, {what}; move away from it{remedy}"


def _joint_of(model: Model, rate: int) -> TreeJoint:
    return next(joint for joint in model.own_joints if rate < joint.v_index + joint.joint.nv)


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


def _outer_links(model: Model, rate: int) -> str:
    outer = {
        body
        for lump in model.lumped.lumps
        if rate in lump.joint.coordinates.columns()
        for body in model.subtree(lump.body)
    }
    names = [quoted(model.body_names[body]) for body in sorted(outer)]
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


def _kind(model: Model, rate: int) -> tuple[str, str]:
    """Return what is missing or negative, for the message, and its unit."""
    joint = _joint_of(model, rate)
    turns = joint.joint.turning()[rate - joint.v_index]
    axis = "its axis" if joint.joint.nv == 1 else quoted(model.coordinate_names[rate])
    return (f"inertia about {axis}", "kg m^2") if turns else (f"mass along {axis}", "kg")
