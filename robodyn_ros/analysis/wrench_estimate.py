"""A wrench at a frame from external joint efforts, and what of it the joints cannot see.

A wrench F = [moment; force] exerted at a frame's origin loads the joints with tau = J^T F. With at
least as many joints as F has parts, in a regular position, F is the least-squares solution; where
joints are too few, or the position is singular, J^T has a null space: wrenches in it are carried by
the bearings and leave no trace in any joint. Of these F has nothing, and they are named.

Moments and forces are made comparable by a length L. The singular values of J^T [L 1, 1] then are
levers: efforts per unit of wrench. Those below `BLIND` of the largest count as not seen and are
damped out by degrees, so that F does not jump on the way through a singularity.

Source: S. Haddadin, A. De Luca and A. Albu-Schaeffer, T-RO 33(6), 2017, section V-C; damping by
singular value: A. A. Maciejewski and C. A. Klein, "Numerical filtering for the operation of robotic
manipulators through kinematically singular configurations", J. Robotic Systems 5(6), 1988.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.spatial.arrays import real_array

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

BLIND = 0.03
"""Lever of a direction, as a share of the longest, below which it counts as not seen."""
_PARTS = ("x", "y", "z")
_ALONG = 0.98
"""Share of a unit vector in one axis from which on it is told as that axis."""


class WrenchEstimate(NamedTuple):
    """A wrench with what is known of its errors; axes are those of the Jacobian.

    Attributes:
        wrench: (6,) [moment; force] exerted on the robot at the frame's origin, N m and N.
        unseen: (n, 6) directions of wrenches that the joints do not feel: unit vectors of
            [moment / length; force], orthogonal to each other.
        length: The length L, m, by which moments are made forces.
        unexplained: (nv,) what of the efforts no wrench at this frame causes, N m or N; NaN where
            the effort is not known. It is not small where something else touches the robot.
        covariance: (6, 6) of the wrench in the directions that are seen; None where deviations of
            the efforts were not given.
    """

    wrench: Floats
    unseen: Floats
    length: float
    unexplained: Floats
    covariance: Floats | None = None

    def turned(self, rotation: ArrayLike) -> WrenchEstimate:
        """Return the same in other axes; `rotation` (3, 3) leads from these to those."""
        R = real_array("rotation", rotation)
        both = np.zeros((6, 6))
        both[:3, :3] = both[3:, 3:] = R
        covariance = None if self.covariance is None else both @ self.covariance @ both.T
        return self._replace(
            wrench=both @ self.wrench, unseen=self.unseen @ both.T, covariance=covariance
        )


def estimate_wrench(
    jacobian: ArrayLike,
    effort: ArrayLike,
    *,
    deviation: ArrayLike | None = None,
    length: float | None = None,
) -> WrenchEstimate:
    """Return the wrench at a frame that loads the joints as they are loaded.

    Args:
        jacobian: (6, nv) of the frame, angular rows first, in the axes that F is wanted in.
        effort: (nv,) external joint efforts, N m or N; NaN where one is not known.
        deviation: (nv,) standard deviations of the efforts, N m or N, above 0. Efforts are weighed
            by them, and the wrench has a covariance.
        length: L, m; by default the lever of the linear rows to the angular ones.

    Raises:
        ArgumentError: a wrong shape, a Jacobian that is not finite, a deviation or length that is
            not positive.
    """
    J, tau = real_array("jacobian", jacobian), real_array("effort", effort)
    if J.ndim != 2 or J.shape[0] != 6 or not np.isfinite(J).all():
        raise ArgumentError(f"jacobian must be finite and of shape (6, nv), got shape {J.shape}")
    if tau.shape != J.shape[1:]:
        raise ArgumentError(f"effort must have shape {J.shape[1:]}, got {tau.shape}")
    known: Flags = np.isfinite(tau)
    sigma = np.ones(len(tau)) if deviation is None else _deviations(deviation, tau.shape)
    lever = _lever(J) if length is None else float(length)
    if not 0.0 < lever < np.inf:
        raise ArgumentError(f"length must be a positive number of m, got {length}")
    scale = np.array([lever] * 3 + [1.0] * 3)
    levers = J[:, known].T * scale
    weight = 1.0 / sigma[known]
    # The directions are judged by what joints feel, not by how well it is measured.
    seen, unseen = _directions(levers)
    gain = _inverse(levers @ seen * weight[:, None], levers @ seen)
    solver = scale[:, None] * seen @ gain * weight
    wrench = solver @ tau[known]
    covariance = None if deviation is None else (solver * sigma[known] ** 2) @ solver.T
    return WrenchEstimate(wrench, unseen, lever, tau - J.T @ wrench, covariance)


def _lever(J: Floats) -> float:
    """Return how long linear rows are in terms of angular ones; 1 where one of them is nothing."""
    turning, sliding = np.linalg.norm(J[:3]), np.linalg.norm(J[3:])
    return float(sliding / turning) if turning > 0.0 and sliding > 0.0 else 1.0


def _directions(levers: Floats) -> tuple[Floats, Floats]:
    """Return the directions with levers (6, k), damped ones too, and those without (n, 6)."""
    _, s, Vt = np.linalg.svd(levers, full_matrices=True)
    sizes = np.zeros(6)
    sizes[: len(s)] = s
    blind = sizes <= BLIND * sizes[0]
    felt = sizes > np.finfo(float).eps * 6.0 * max(sizes[0], np.finfo(float).tiny)
    return Vt[felt].T, Vt[blind]


def _inverse(weighed: Floats, levers: Floats) -> Floats:
    """Return the pseudo-inverse (k, n) of weighed levers, damped where levers are short."""
    if not weighed.size:
        return np.zeros(weighed.shape[::-1])
    s: Floats = np.sqrt(np.einsum("ij,ij->j", levers, levers))
    share = s / (BLIND * s.max())
    damping: Floats = np.where(share < 1.0, (BLIND * s.max() * (1.0 - share**2)) ** 2, 0.0)
    gram: Floats = weighed.T @ weighed
    # Of the same size as the weights, which a damping in levers is not.
    weights = float(np.trace(gram)) / float(s @ s)
    normal = np.asarray(gram + weights * np.diag(damping), dtype=np.float64)
    return np.asarray(np.linalg.solve(normal, weighed.T), dtype=np.float64)


def _deviations(deviation: ArrayLike, shape: tuple[int, ...]) -> Floats:
    sigma = real_array("deviation", deviation)
    if sigma.shape != shape or not (np.isfinite(sigma).all() and (sigma > 0.0).all()):
        raise ArgumentError(f"deviation must be positive and of shape {shape}, got {sigma}")
    return sigma


def described(direction: ArrayLike) -> str:
    """Return a direction [moment / length; force] (6,) in words: "force along x"."""
    x = np.asarray(direction, dtype=np.float64)
    parts = []
    for name, vector in (("force", x[3:]), ("moment", x[:3])):
        size = float(np.linalg.norm(vector))
        if size < 0.1 * float(np.linalg.norm(x)):
            continue
        axis = int(np.argmax(np.abs(vector)))
        if abs(vector[axis]) >= _ALONG * size:
            parts.append(f"{name} along {_PARTS[axis]}")
        else:
            numbers = ", ".join(f"{number:.2f}" for number in (vector / size).tolist())
            parts.append(f"{name} along ({numbers})")
    return " with ".join(parts)
