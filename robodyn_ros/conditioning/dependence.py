"""What the passive joints of a closed mechanism follow from: which inputs give which of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.constraints.jacobian import jacobian
from robodyn_ros.constraints.mobility import regular_configuration
from robodyn_ros.constraints.partition import RANK_TOLERANCE, choose_partition
from robodyn_ros.constraints.scaling import scales_of
from robodyn_ros.model import Model, Partition

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

_SEED = 11
_LOOKS = 3
"""Configurations near the given one, at which no entry of the Jacobian is zero by accident."""
_TOUCHED = 1e-12
_WELL = 1e-3
"""Share of the largest singular value above which a choice of coordinates is a good one."""


class Cluster(NamedTuple):
    """Coordinates that constraints bind together.

    Attributes:
        columns: Their entries of v.
        independent: Those that the others follow from.
        sources: The slots of `FramePlan` that give these, ascending.
        unsourced: Those of them that no slot gives.
        passive: Slots of coordinates that follow.
        bodies: Bodies that passive joints move, and joints that follow these.
    """

    columns: tuple[int, ...]
    independent: tuple[int, ...]
    sources: Indices
    unsourced: tuple[int, ...]
    passive: Indices
    bodies: tuple[int, ...]


def clusters_of(model: Model, plan: FramePlan, q: Floats) -> tuple[Cluster, ...]:
    """Return the clusters of a closed mechanism with a partition; q (nq,) is any configuration."""
    partition = model.closure.partition
    if partition is None:
        return ()
    columns_of = _columns_of_slots(plan)
    slots_of: dict[int, int] = {}
    for slot, columns in enumerate(columns_of):
        for column in columns:
            slots_of.setdefault(column, slot)
    found = []
    for dependent, independent in _bound_together(model, partition, q):
        sources = sorted({slots_of[k] for k in independent if k in slots_of})
        passive = [
            slot for slot, columns in enumerate(columns_of) if columns and columns <= dependent
        ]
        bodies = [
            body
            for body, joint in model.moving
            if dependent.intersection(joint.coordinates.columns())
        ]
        found.append(
            Cluster(
                tuple(sorted(dependent | independent)),
                tuple(sorted(independent)),
                np.array(sources, dtype=np.intp),
                tuple(sorted(k for k in independent if k not in slots_of)),
                np.array(passive, dtype=np.intp),
                tuple(bodies),
            )
        )
    return tuple(found)


def partition_by_measured(model: Model, q: Floats, orders: Iterable[Sequence[int]]) -> Partition:
    """Return a partition whose independent coordinates come first in an order of preference.

    Args:
        model: A closed mechanism.
        q: Coordinates (nq,) in which it is closed.
        orders: Entries of v, the most wanted kind of coordinates first.
    """
    q = regular_configuration(model, q)
    G = np.asarray(jacobian(model, q))
    G = scales_of(model, G).scaled(G)
    sizes = np.linalg.svd(G, compute_uv=False)
    rank = int(np.count_nonzero(sizes > RANK_TOLERANCE * sizes[0])) if sizes.size else 0
    wanted = list(dict.fromkeys(k for order in orders for k in order))
    chosen: list[int] = []
    for tolerance in (_WELL, RANK_TOLERANCE):
        for column in wanted:
            if len(chosen) == model.nv - rank:
                break
            others = [k for k in range(model.nv) if k not in {*chosen, column}]
            if column not in chosen and _serves(G[:, others], rank, tolerance * sizes[0]):
                chosen.append(column)
    return choose_partition(model, q, independent=chosen)


def _serves(G: Floats, rank: int, floor: float) -> bool:
    """Return whether columns can be eliminated by all independent equations."""
    if rank == 0:
        return True
    sizes = np.linalg.svd(G, compute_uv=False)
    return len(sizes) >= rank and bool(sizes[rank - 1] > floor)


def _columns_of_slots(plan: FramePlan) -> list[set[int]]:
    """Return the entries of v that each slot gives."""
    told = [{int(column)} for column in plan.v_index]
    return [*told, *(set(range(entry.v.start, entry.v.stop)) for entry in plan.multi)]


def _bound_together(
    model: Model, partition: Partition, q: Floats
) -> Iterable[tuple[set[int], set[int]]]:
    """Yield the dependent and the independent coordinates that equations bind together."""
    rng = np.random.default_rng(_SEED)
    touched = np.zeros((model.closure.rows, model.nv), dtype=bool)
    for _ in range(_LOOKS):
        near = integrate(model, q, 0.1 * rng.uniform(-1.0, 1.0, model.nv))
        G = np.abs(np.asarray(jacobian(model, near)))
        touched |= G / max(1.0, float(G.max(initial=0.0))) > _TOUCHED
    dependent = set(partition.dependent)
    groups = [set(np.flatnonzero(touched[row]).tolist()) for row in partition.rows]
    while True:
        apart: list[set[int]] = []
        for group in groups:
            met = [other for other in apart if other & group & dependent]
            apart = [other for other in apart if other not in met] + [group.union(*met)]
        if len(apart) == len(groups):
            break
        groups = apart
    for group in apart:
        yield group & dependent, group - dependent
