"""What in a closed mechanism will hurt dynamics: motions that move no inertia."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import mass_matrix
from robodyn_ros.errors import quoted
from robodyn_ros.model import Model
from robodyn_ros.model.findings import Finding

#: Of the largest entry on the diagonal of the reduced mass matrix.
_NOTHING = 1e-14
#: Of eigenvalues once the diagonal is 1; rounding leaves some 1e-16.
_DEPENDENT = 1e-12
#: A coordinate counts as part of a motion from this share of its largest entry on.
_SHARE = 1e-2


def inertia_free_motions(model: Model) -> Iterator[tuple[str, ...]]:
    """Yield the coordinates of each motion of a closed mechanism that moves no inertia.

    The motions are those that its constraints allow in the configuration it begins with; with N
    for them, N^T M N is singular where one of them moves nothing.
    """
    # Imported here because nodes whose robot is a tree start without it.
    from robodyn_ros.constraints.null_space import motions_of

    q = model.defaults.q
    N = motions_of(model, q)
    if not N.shape[1]:
        return
    reduced = N.T @ mass_matrix(model, q) @ N
    sizes = np.diag(reduced)
    light = sizes <= _NOTHING * np.max(sizes)
    for motion in N.T[light]:
        yield _names(model, motion)
    if np.all(light):
        return
    scale = 1.0 / np.sqrt(sizes[~light])
    values, vectors = np.linalg.eigh(scale[:, None] * reduced[np.ix_(~light, ~light)] * scale)
    for vector in vectors.T[values <= _DEPENDENT]:
        yield _names(model, N[:, ~light] @ (scale * vector))


def closed_findings(model: Model) -> Iterator[Finding]:
    """Yield a finding for each motion that moves no inertia, and on the position it begins in."""
    for names in dict.fromkeys(inertia_free_motions(model)):
        several = len(names) > 1
        yield Finding(
            "error",
            "singular",
            f"joint{'s' * several} {', '.join(map(quoted, names))}",
            f"{'together they' if several else 'it'} can move without moving any inertia, though"
            " the mechanism is closed: accelerations are not determined",
            "give the links that move mass and inertia, or let more depend on the coordinates",
        )
    yield from _structure_findings(model)


def _structure_findings(model: Model) -> Iterator[Finding]:
    """Yield what the structure says: that it cannot move, or begins in a singular position."""
    from robodyn_ros.constraints.structure import structure

    found = structure(model)
    element = f"robot {quoted(model.name)}"
    if found.kind == "structure":
        giving = f"; {found.explanation}" if found.momentary_mobility else ""
        text = f"its constraints leave it no motion{giving}"
        remedy = "free a joint or leave out a constraint, if it is to move"
        yield Finding("warning", "closure", element, text, remedy)
        return
    for warning in found.warnings:
        remedy = "begin elsewhere (initial_position), or choose others with `independent`"
        yield Finding("warning", "closure", element, f"where it begins: {warning}", remedy)


def _names(model: Model, motion: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the coordinates that take part in a motion (nv,)."""
    part = np.abs(motion) > _SHARE * np.max(np.abs(motion))
    return tuple(name for name, takes in zip(model.coordinate_names, part, strict=True) if takes)
