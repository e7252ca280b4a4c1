"""Rates and dynamics of closed mechanisms without a partition, by singular values.

For floats, in configurations where the chosen coordinates do not determine the others: dead
centres, change points. The motions that constraints allow are the null space of their Jacobian,

    G V_0 = 0,   V_0^T M V_0 y' = V_0^T (tau - h - M b),   a = V_0 y' + b,

and multipliers are those of least size, which share a force among redundant equations. Source:
Golub and Van Loan, Matrix Computations, section 5.5; the Jacobian without units, see `scaling`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.constraints.dynamics import carriers, easing
from robodyn_ros.constraints.elimination import partition_of
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.partition import RANK_TOLERANCE
from robodyn_ros.constraints.scaling import Scales, scales_of
from robodyn_ros.model import Model
from robodyn_ros.spatial import apply, transpose

Floats = NDArray[np.float64]

_NOTHING = 1e-12
"""Share of the largest inertia of a motion below which another counts as none."""
_UNLED = 1e-5
"""Share of an independent rate that a motion must have to be led by it."""
_CONTRADICTION = 1e-6
"""Share of its terms by which an equation may be missed."""
_DRIFT = 1e-6
"""Share by which rates may miss the motions that they are then taken for."""


class NullSpace(NamedTuple):
    """The motions that constraints allow, at one configuration or several.

    Attributes:
        scales: the Jacobian's units.
        vectors: V (..., nv, nv) orthonormal columns, without units.
        values: (..., nv) singular values that belong to them, without units, 0 beyond the rank.
        left: U (..., m, nv) the equations' side, without units.
    """

    scales: Scales
    vectors: Floats
    values: Floats
    left: Floats

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which of the vectors (..., nv) are motions."""
        return np.asarray(self.values == 0.0)

    @property
    def mobility(self) -> NDArray[np.int_]:
        """The number (...) of independent motions."""
        return np.asarray(np.count_nonzero(self.free, axis=-1))

    @property
    def basis(self) -> Floats:
        """N (..., nv, nv): v = N y with y (..., nv); columns that are no motions are 0."""
        columns = self.scales.columns[..., :, None] * self.vectors
        return np.where(self.free[..., None, :], columns, 0.0)

    def particular(self, right: Floats) -> Floats:
        """Return the least x (..., nv) with G x = right (..., m), as nearly as may be."""
        inverse = _inverse(self.values)
        shares = inverse * apply(transpose(self.left), self.scales.rows * right)
        return self.scales.columns * apply(self.vectors, shares)

    def multipliers(self, excess: Floats) -> Floats:
        """Return the least lambda (..., m) with G^T lambda = excess (..., nv)."""
        inverse = _inverse(self.values)
        shares = inverse * apply(transpose(self.vectors), self.scales.columns * excess)
        return self.scales.rows * apply(self.left, shares)

    def led(self, columns: tuple[int, ...], wanted: Floats) -> Floats:
        """Return the motion (..., nv) nearest to `wanted` (..., nv), in `columns` first of all.

        Where these determine the motion, the other entries do not count; where they leave some of
        it open, the others do.
        """
        units = self.scales.columns
        V = np.where(self.free[..., None, :], self.vectors, 0.0)
        target = wanted / units
        leading = V[..., list(columns), :]
        y = apply(np.linalg.pinv(leading, rcond=_UNLED), target[..., list(columns)])
        _, sizes, rows = np.linalg.svd(leading, full_matrices=True)
        sizes = _padded(sizes, rows.shape[-1])
        # what neither the leading entries see nor a constraint forbids
        open_rows = np.where((sizes <= _UNLED)[..., None], rows, 0.0)
        left_open = V @ transpose(open_rows)
        rest = target - apply(V, y)
        y = y + apply(transpose(open_rows), apply(transpose(left_open), rest))
        return units * apply(V, y)

    def kept(self, columns: tuple[int, ...], v: Floats) -> Floats:
        """Return the rates (..., nv) that constraints allow: v itself where it is such a motion.

        Else `columns` lead it; near a dead centre of these, that would blow up their rounding.
        """
        units = self.scales.columns
        V = np.where(self.free[..., None, :], self.vectors, 0.0)
        nearest = units * apply(V, apply(transpose(V), v / units))
        missed = np.max(np.abs(v - nearest) / units, axis=-1, keepdims=True)
        moves = missed <= _DRIFT * np.max(np.abs(v) / units, axis=-1, keepdims=True)
        return np.where(moves, nearest, self.led(columns, v))


def null_space(model: Model, G: Floats) -> NullSpace:
    """Return the motions that a Jacobian G (..., m, nv) of the model's constraints allows.

    Raises:
        numpy.linalg.LinAlgError: an entry is not finite.
    """
    scales = scales_of(model, G)
    U, sizes, rows = np.linalg.svd(scales.scaled(G), full_matrices=True)
    values = _padded(sizes, model.nv)
    largest = np.max(values, axis=-1, initial=0.0, keepdims=True)
    values = np.where(values > RANK_TOLERANCE * largest, values, 0.0)
    m = U.shape[-1]
    left = np.zeros((*U.shape[:-1], model.nv))
    left[..., : min(m, model.nv)] = U[..., : min(m, model.nv)]
    return NullSpace(scales, transpose(rows), values, left)


def motions_of(model: Model, q: Floats) -> Floats:
    """Return N (nv, mobility): the motions that the constraints allow at q (nq,), v = N y."""
    space = null_space(model, all_equations(model, q, None).jacobian)
    return np.asarray(space.basis[:, space.free])


def completed_by_motions(
    model: Model, q: Floats, v: Floats, a: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return v and a (..., nv) that the constraints allow, nearest to those given, and a verdict.

    The independent entries come first; see `NullSpace.led`. The verdict (...) is 0.0 where the
    mechanism can move so; at a change point not every rate leads on to a motion.
    """
    motion = _Motion.of(model, q, v)
    free = motion.space.led(motion.leading, a - motion.particular)
    return motion.v, free + motion.particular, motion.verdict


def closed_accelerations_by_motions(
    model: Model,
    q: Floats,
    v: Floats,
    tau: Floats,
    surroundings: Surroundings,
    *,
    packed: Floats | None = None,
    friction: bool = False,
) -> tuple[Floats, Floats, Floats]:
    """Return accelerations (..., nv), multipliers (..., m) and a verdict (...) for efforts tau.

    As `dynamics.closed_accelerations`, wherever the constraints allow motions that inertia resists;
    equations that others make redundant have their share of the multipliers.
    """
    motion = _Motion.of(model, q, v)
    N = motion.space.basis
    b = motion.particular
    loads = efforts(model, q, motion.v, b, surroundings, packed=packed, friction=friction)
    M = np.asarray(inertia_matrix(model, q, surroundings), dtype=np.float64)
    reduced = transpose(N) @ M @ N
    sizes, axes = np.linalg.eigh(0.5 * (reduced + transpose(reduced)))
    largest = np.max(np.abs(sizes), axis=-1, keepdims=True)
    resisted = sizes > _NOTHING * largest
    shares = apply(transpose(axes), apply(transpose(N), tau - loads))
    y = apply(axes, np.where(resisted, shares / np.where(resisted, sizes, 1.0), 0.0))
    free = apply(N, y)
    lost = motion.space.mobility - np.count_nonzero(resisted, axis=-1)
    excess = apply(M, free) + loads - tau
    return free + b, motion.space.multipliers(excess), motion.verdict + lost


def closed_efforts_by_motions(
    model: Model,
    q: Floats,
    v: Floats,
    a: Floats,
    surroundings: Surroundings,
    *,
    packed: Floats | None = None,
    friction: bool = False,
) -> tuple[Floats, Floats, Floats]:
    """Return efforts (..., nv) of the motors, multipliers (..., m) and a verdict (...).

    As `dynamics.closed_efforts`. The verdict is not 0 where the motors do not reach every motion,
    as in a dead centre.
    """
    motion = _Motion.of(model, q, v)
    free = motion.space.led(motion.leading, a - motion.particular)
    loads = efforts(
        model, q, motion.v, free + motion.particular, surroundings, packed=packed, friction=friction
    )
    loads = np.asarray(loads, dtype=np.float64)
    N, chosen = motion.space.basis, list(carriers(model))
    needed = apply(transpose(N), loads)
    ease = easing(model)
    reached = transpose(ease[:, None] * N[..., chosen, :])
    given = apply(np.linalg.pinv(reached, rcond=_UNLED), needed)
    missing = np.max(np.abs(apply(reached, given) - needed), axis=-1, initial=0.0)
    terms = np.max(np.abs(N) * np.abs(loads)[..., :, None], axis=(-2, -1), initial=0.0)
    tau = np.zeros_like(loads)
    tau[..., chosen] = ease * given
    unreached = np.where(missing > _CONTRADICTION * terms, 1.0, 0.0)
    return tau, motion.space.multipliers(loads - tau), motion.verdict + unreached


class _Motion(NamedTuple):
    """How a mechanism moves: its null space, rates, and accelerations without free ones."""

    space: NullSpace
    v: Floats
    particular: Floats
    leading: tuple[int, ...]
    verdict: Floats

    @classmethod
    def of(cls, model: Model, q: Floats, v: Floats) -> _Motion:
        leading = partition_of(model).independent
        G = np.asarray(all_equations(model, q, None, closed=True).jacobian, dtype=np.float64)
        space = null_space(model, G)
        v = space.kept(leading, v)
        bias = np.asarray(all_equations(model, q, v, closed=True).bias, dtype=np.float64)
        particular = space.particular(-bias)
        rows = space.scales.rows
        missed = np.max(np.abs(rows * (apply(G, particular) + bias)), axis=-1, initial=0.0)
        terms = np.max(np.abs(rows * bias), axis=-1, initial=0.0)
        verdict = np.where(missed > _CONTRADICTION * terms + 1e-12, 1.0, 0.0)
        return cls(space, v, particular, leading, verdict)


def _inverse(values: Floats) -> Floats:
    """Return the inverses of the values that are not 0, else 0."""
    some = values != 0.0
    return np.where(some, 1.0 / np.where(some, values, 1.0), 0.0)


def _padded(values: Floats, size: int) -> Floats:
    """Return values (..., n) with zeros behind, (..., size)."""
    padded = np.zeros((*values.shape[:-1], size))
    count = min(values.shape[-1], size)
    padded[..., :count] = values[..., :count]
    return padded
