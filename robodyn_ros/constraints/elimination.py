"""Dependent rates and accelerations as functions of the independent ones, for a partition."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.constraints.jacobian import Equations, all_equations
from robodyn_ros.errors import ClosureError
from robodyn_ros.model import Model, Partition
from robodyn_ros.spatial import (
    Array,
    Triangles,
    apply,
    lu_solved,
    lu_solved_transposed,
    transpose,
    triangles,
)


@dataclass(frozen=True)
class Elimination:
    """The dependent coordinates' part in the equations, eliminated, at one configuration.

    Attributes:
        partition: what was chosen.
        factors: of the dependent columns of the independent equations.
        others: their independent columns (..., r, mobility).
    """

    partition: Partition
    factors: Triangles
    others: Array

    @property
    def verdict(self) -> Array:
        """The number (...) of lost pivots; 0.0 where the partition serves."""
        return self.factors.verdict

    @cached_property
    def basis(self) -> Array:
        """N (..., nv, mobility), the identity in the independent rows: v = N v[independent]."""
        dependent, independent = self.partition.dependent, self.partition.independent
        answers = lu_solved(self.factors, -self.others)
        unit = np.eye(len(independent))
        rows: list[Array] = [np.zeros(())] * (len(dependent) + len(independent))
        for k, column in enumerate(dependent):
            rows[column] = answers[..., k, :]
        for k, column in enumerate(independent):
            rows[column] = unit[k]
        lead = (*answers.shape[:-2], len(independent))
        return np.stack([np.broadcast_to(row, lead) for row in rows], axis=-2)

    def rates(self, v: Array) -> Array:
        """Return v (..., nv) with the dependent entries that the independent ones ask for."""
        return self.spread(v[..., list(self.partition.independent)])

    def spread(self, given: Array) -> Array:
        """Return v = N v_y (..., nv) of independent rates v_y (..., mobility)."""
        if self._narrow:
            return apply(self.basis, given)
        return _placed(self.partition, self._solved(-apply(self.others, given)), given)

    def accelerations(self, a: Array, bias: Array) -> Array:
        """Return a (..., nv) with dependent entries likewise, for the equations' bias (..., m)."""
        if self._narrow:
            return self.rates(a) + self.particular(bias)
        given = a[..., list(self.partition.independent)]
        right = -bias[..., list(self.partition.rows)] - apply(self.others, given)
        return _placed(self.partition, self._solved(right), given)

    def particular(self, bias: Array) -> Array:
        """Return the accelerations (..., nv) without independent ones: G a = -bias."""
        return self.dependent(-bias[..., list(self.partition.rows)])

    def dependent(self, right: Array) -> Array:
        """Return x (..., nv), 0 in the independent entries, with G x = right in the equations."""
        nothing = np.zeros(len(self.partition.independent))
        return _placed(self.partition, self._solved(right), nothing)

    def work(self, loads: Array) -> Array:
        """Return N^T loads (..., mobility) of efforts (..., nv): what does the same work."""
        if self._narrow:
            return apply(transpose(self.basis), loads)
        own = loads[..., list(self.partition.independent)]
        return own - apply(transpose(self.others), self.reactions(loads))

    def reactions(self, excess: Array) -> Array:
        """Return x (..., r) with G^T x = excess (..., nv) in the dependent entries."""
        dependent = excess[..., list(self.partition.dependent)]
        return lu_solved_transposed(self.factors, dependent[..., None])[..., 0]

    def _solved(self, right: Array) -> Array:
        return lu_solved(self.factors, right[..., None])[..., 0]

    @property
    def _narrow(self) -> bool:
        """Whether a product with the basis is less work than a solution of the equations."""
        return len(self.partition.independent) == 1


def partition_of(model: Model) -> Partition:
    """Return the partition of a closed model.

    Raises:
        ClosureError: none was chosen yet.
    """
    partition = model.closure.partition
    if partition is None:
        raise ClosureError(
            f"no independent equations were chosen for {model.name!r}: assemble it first"
        )
    return partition


def eliminated(equations: Equations, partition: Partition) -> Elimination:
    """Return the elimination at the configuration of the equations."""
    G = equations.jacobian[..., list(partition.rows), :]
    dependent, independent = list(partition.dependent), list(partition.independent)
    factors = triangles(G[..., :, dependent], np.array(partition.limits))
    return Elimination(partition, factors, G[..., :, independent])


def completed(model: Model, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """Return v and a (..., nv) with the dependent entries that the independent ones ask for.

    Args:
        model: a closed model with a partition.
        q: coordinates (..., nq) in which it is closed.
        v: rates (..., nv), of which the independent ones count.
        a: accelerations (..., nv), likewise.

    Returns:
        v, a, and a verdict (...): 0.0 where the partition serves.
    """
    elimination, v, bias = moving(model, q, v)
    return v, elimination.accelerations(a, bias), elimination.verdict


def moving(model: Model, q: Array, v: Array) -> tuple[Elimination, Array, Array]:
    """Return the elimination, the completed rates, and the equations' bias for them."""
    equations = all_equations(model, q, None, closed=True)
    elimination = eliminated(equations, partition_of(model))
    v = elimination.rates(v)
    return elimination, v, all_equations(model, q, v, closed=True).bias


def closed_configuration(model: Model, q: Array, steps: int) -> tuple[Array, Array]:
    """Return q (..., nq) after Newton steps of the dependent coordinates, and a verdict (...).

    The independent coordinates stay. Newton's method doubles the digits of each step near a
    solution; the caller looks at the residual that is left.
    """
    partition = partition_of(model)
    verdict: Array = np.zeros(())
    for _ in range(steps):
        equations = all_equations(model, q, None, closed=True)
        elimination = eliminated(equations, partition)
        step = elimination.dependent(-equations.residual[..., list(partition.rows)])
        q = integrate(model, q, step)
        verdict = verdict + elimination.verdict
    return q, verdict


def _placed(partition: Partition, dependent: Array, independent: Array) -> Array:
    """Return (..., nv) with the dependent and the independent entries given."""
    entries: list[Array] = [np.zeros(())] * (len(partition.dependent) + len(partition.independent))
    for k, column in enumerate(partition.dependent):
        entries[column] = dependent[..., k]
    for k, column in enumerate(partition.independent):
        entries[column] = independent[..., k]
    lead = np.broadcast_shapes(dependent.shape[:-1], independent.shape[:-1])
    if not entries:
        return np.zeros((*lead, 0))
    return np.stack([np.broadcast_to(entry, lead) for entry in entries], axis=-1)
