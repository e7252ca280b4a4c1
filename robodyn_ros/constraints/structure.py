"""The structure of a mechanism: how its links hang together, and how many ways it can move."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.constraints.elimination import eliminated
from robodyn_ros.constraints.explanation import explained
from robodyn_ros.constraints.failures import require_closed_at
from robodyn_ros.constraints.jacobian import Equations, all_equations
from robodyn_ros.constraints.mobility import mobility_at, regular_configuration
from robodyn_ros.constraints.partition import choose_partition
from robodyn_ros.constraints.scaling import scales_of
from robodyn_ros.constraints.topology import (
    Loop,
    Topology,
    clusters,
    is_linkage,
    loops,
    topology,
)
from robodyn_ros.model import Element, Model, Partition, Weld

Floats = NDArray[np.float64]

LARGEST_RATIO = 50.0
"""A dependent rate that is as many times an independent one tells of a singular position near."""
_MEANINGS = tuple(f"{what} {axis}" for what in ("turn about", "offset along") for axis in "xyz")


@dataclass(frozen=True)
class Redundant:
    """Equations of an element that follow from the others.

    Attributes:
        element: its name.
        equations: what they are about; of a loop in the axes of the frame behind its joint.
    """

    element: str
    equations: tuple[str, ...]


@dataclass(frozen=True)
class Structure:
    """What a mechanism is, at one closed configuration.

    Attributes:
        loops: the way round that each element closes.
        clusters: links that joints connect, set by set; elements alone hold the sets together.
        topology: a tree, a network with loops, or a closed chain: every link is held twice.
        kind: "mechanism", or "structure" where it cannot move.
        is_linkage: whether it has lower pairs only, and no couplings.
        variables: coordinates, control elements included, without what follows them.
        equations: 6 for each loop, 1 for each constraint element.
        mobility_by_count: variables less equations (Gruebler and Kutzbach; document D's count).
        mobility: by the rank of the Jacobian, in the configurations near this one.
        momentary_mobility: the same in this configuration; more than `mobility` where it is
            singular.
        rank: independent equations in this configuration.
        redundant: the other equations, by element.
        independent: coordinates that can be given.
        dependent: coordinates that follow from them.
        conditioning: smallest by largest singular value of the equations for the dependent ones,
            without units; 0 where they do not determine them.
        explanation: why count and rank differ; empty where they agree.
        warnings: what to beware of in this configuration.
    """

    loops: tuple[Loop, ...]
    clusters: tuple[tuple[str, ...], ...]
    topology: Topology
    kind: str
    is_linkage: bool
    variables: int
    equations: int
    mobility_by_count: int
    mobility: int
    momentary_mobility: int
    rank: int
    redundant: tuple[Redundant, ...]
    independent: tuple[str, ...]
    dependent: tuple[str, ...]
    conditioning: float
    explanation: str
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return {key: _plain(value) for key, value in asdict(self).items()}

    def lines(self) -> list[str]:
        """Return it in words."""
        what = f"{self.kind}, {self.topology}{', linkage' if self.is_linkage else ''}"
        lines = [
            f"{what}: mobility {self.mobility}",
            f"{self.variables} coordinates, {self.rank} of {self.equations} equations independent:"
            f" mobility {self.mobility_by_count} by count, {self.mobility} by rank",
        ]
        lines += [self.explanation] * bool(self.explanation)
        for loop in self.loops:
            closing = f"{loop.kind} {loop.element}" if loop.kind != "loop" else loop.element
            lines.append(f"loop closed by {closing}: {', '.join(loop.joints)}")
        if len(self.clusters) > 1:
            lines += [f"cluster: {', '.join(links)}" for links in self.clusters]
        for redundant in self.redundant:
            lines.append(f"redundant in {redundant.element}: {', '.join(redundant.equations)}")
        lines.append(f"independent: {', '.join(self.independent) or 'none'}")
        lines.append(f"dependent: {', '.join(self.dependent) or 'none'}")
        return lines + [f"warning: {warning}" for warning in self.warnings]


def structure(model: Model, q: ArrayLike | None = None) -> Structure:
    """Return the structure of a model at a closed configuration.

    Args:
        model: any model; one without constraint elements is a tree.
        q: coordinates (nq,) in which it is closed, by default those that it begins with.

    Raises:
        ClosureError: it is not closed at q.
    """
    at = np.array(model.defaults.q if q is None else q, dtype=np.float64)
    require_closed_at(model, at)
    equations = all_equations(model, at, None)
    found = mobility_at(model, at)
    partition = model.closure.partition
    if partition is None or len(partition.rows) != found.rank_nearby:
        partition = choose_partition(model, regular_configuration(model, at))
    names = model.coordinate_names
    conditioning, warnings = _judged(model, equations, partition)
    if found.momentary > found.finite:
        singular = (
            f"a singular position: for the moment it has mobility {found.momentary}, near it"
            f" {found.finite}"
        )
        warnings = (singular, *warnings)
    redundant = _redundant(model, partition)
    count = model.nv - model.closure.rows
    return Structure(
        loops(model),
        clusters(model),
        topology(model),
        "mechanism" if found.finite else "structure",
        is_linkage(model),
        model.nv,
        model.closure.rows,
        count,
        found.finite,
        found.momentary,
        found.rank,
        redundant,
        tuple(names[k] for k in partition.independent),
        tuple(names[k] for k in sorted(partition.dependent)),
        conditioning,
        explained(model, count, found),
        warnings,
    )


def _judged(
    model: Model, equations: Equations, partition: Partition
) -> tuple[float, tuple[str, ...]]:
    """Return the conditioning of the dependent block, and a warning where it is bad."""
    if not partition.dependent:
        return 1.0, ()
    scales = scales_of(model, equations.jacobian)
    block = scales.scaled(equations.jacobian)[np.ix_(partition.rows, partition.dependent)]
    _, sizes, rows = np.linalg.svd(block)
    names = model.coordinate_names
    conditioning = float(sizes[-1] / sizes[0]) if sizes[0] > 0.0 else 0.0
    elimination = eliminated(equations, partition)
    weak = names[partition.dependent[int(np.argmax(np.abs(rows[-1])))]]
    led = ", ".join(names[k] for k in partition.independent)
    if float(elimination.verdict) > 0.0:
        return conditioning, (f"{weak} is not determined by {led or 'the equations'} here",)
    ratios = np.abs(elimination.basis / scales.columns[:, None])
    ratios = ratios * scales.columns[list(partition.independent)]
    largest = np.max(ratios, axis=1, initial=0.0)
    if float(np.max(largest, initial=0.0)) < LARGEST_RATIO:
        return conditioning, ()
    k = int(np.argmax(largest))
    return conditioning, (
        f"near a singular position: {names[k]} moves {largest[k]:.3g} times as far as {led}"
        " (in radians and shares of the mechanism's size); make another coordinate independent",
    )


def _redundant(model: Model, partition: Partition) -> tuple[Redundant, ...]:
    """Return the equations that a partition leaves out, by element."""
    found = []
    for element in model.closure.elements:
        rows = model.closure.rows_of(element.name)
        left = tuple(
            _meaning(element, k) for k, row in enumerate(rows) if row not in partition.rows
        )
        if left:
            found.append(Redundant(element.name, left))
    return tuple(found)


def _meaning(element: Element, row: int) -> str:
    return _MEANINGS[row] if isinstance(element, Weld) else element.type_name


def _plain(value: Any) -> Any:
    """Return tuples as lists, all the way down."""
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value
