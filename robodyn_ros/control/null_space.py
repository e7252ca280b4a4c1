"""Efforts that do not move a task: dynamically consistent, and damped near singularities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_TINY = float(np.finfo(np.float64).tiny)


class TaskInertia(NamedTuple):
    """How a robot resists at a task.

    Attributes:
        inertia: (m, m) Λ = (J M⁻¹ Jᵀ + λ² 1)⁻¹.
        projector: (nv, nv) Nᵀ = 1 - Jᵀ Λ J M⁻¹; efforts Nᵀ τ do not accelerate the task.
        manipulability: Least eigenvalue of J M⁻¹ Jᵀ over its largest; 0 where singular.
    """

    inertia: Floats
    projector: Floats
    manipulability: float


def task_inertia(
    mass_matrix: Floats, jacobian: Floats, regularisation: float = 1e-8
) -> TaskInertia:
    """Return the inertia at a task and the projector into its null space.

    λ² is `regularisation` times the largest eigenvalue of J M⁻¹ Jᵀ: nothing grows beyond bounds at
    a singularity, where the projector lets less through instead.

    Args:
        mass_matrix: (nv, nv) M, positive definite.
        jacobian: (m, nv) J.
        regularisation: Relative, > 0.

    Raises:
        numpy.linalg.LinAlgError: the mass matrix is not positive definite.

    Source:
        Khatib, A Unified Approach for Motion and Force Control of Robot Manipulators (1987);
        damping as Nakamura & Hanafusa (1986).
    """
    factor = scipy.linalg.cho_factor(mass_matrix)
    weighted = scipy.linalg.cho_solve(factor, jacobian.T)  # M⁻¹ Jᵀ
    mobility = jacobian @ weighted
    eigenvalues = np.linalg.eigvalsh(mobility)
    largest = max(float(eigenvalues[-1]), _TINY)
    damped = mobility + regularisation * largest * np.eye(len(mobility))
    inertia: Floats = np.linalg.inv(damped)
    projector = np.eye(len(mass_matrix)) - jacobian.T @ inertia @ weighted.T
    return TaskInertia(inertia, projector, max(float(eigenvalues[0]), 0.0) / largest)
