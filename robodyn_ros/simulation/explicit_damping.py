"""Which damping an integrator can take as it is, and which is stiff for its step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.simulation.joint_rates import JointRates
from robodyn_ros.simulation.mechanics import Mechanics

Floats = NDArray[np.float64]

_STIFF = 0.2
"""Steps per time in which damping alone would stop a row, from which on it is stiff."""
_MOST = 1.0
"""The same for all rows that are not stiff together, in the motion that is stopped soonest."""
_LOOK = 64
"""Steps after which it is looked again for what has become stiff."""


class ExplicitDamping:
    """Leaves damping to the mechanics as long as it is not stiff; what was so once stays so."""

    def __init__(self, mechanics: Mechanics, rates: JointRates, step: float) -> None:
        """Take the rows, and a step in s."""
        self._mechanics = mechanics
        self._rates = rates
        self._step = step

    def begin(self, damping: Floats) -> None:
        """Take the damping (count,) of each row; the next step is the first."""
        self._damping = damping
        self._is_some = bool(np.any(damping))
        self._is_stiff: NDArray[np.bool_] | None = None
        self._stiff: Floats | None = None
        self._left = 0
        self._mechanics.damping = None

    def stiff_at(self, q: Floats, N: Floats | None, A: Floats | None) -> Floats | None:
        """Return the damping (count,) that is stiff, None where there is none.

        Args:
            q: coordinates (nq,).
            N: the directions (nv, m) that are possible, None for all.
            A: C N (count, m), None for the identity.
        """
        if self._is_some:
            self._left -= 1
            if self._left < 0:
                self._left = _LOOK
                self._look(q, N, np.eye(self._rates.count) if A is None else A)
        return self._stiff

    def _look(self, q: Floats, N: Floats | None, A: Floats) -> None:
        before = self._is_stiff
        c = self._damping
        speeds = self._step * A.dot(np.linalg.solve(self._mechanics.inertia(q, N), A.T))
        stiff = c * np.diagonal(speeds) > _STIFF
        if before is not None:
            stiff |= before
        if self._rates.is_varying:  # what followers take of others changes within the step
            stiff[self._mechanics.robot.model.nv :] = True
        root = np.sqrt(np.where(stiff, 0.0, c))
        if np.linalg.eigvalsh(root[:, None] * speeds * root)[-1] > _MOST:
            stiff[:] = True
        stiff &= c > 0.0
        if before is None or np.any(stiff != before):
            self._is_stiff = stiff
            self._stiff = np.where(stiff, c, 0.0) if np.any(stiff) else None
            self._mechanics.damping = self._matrix(q, np.where(stiff, 0.0, c))

    def _matrix(self, q: Floats, damping: Floats) -> Floats | None:
        """Return what rates lose to damping (count,): (nv,), or (nv, nv) with followers."""
        if not np.any(damping):
            return None
        C = self._rates.map_at(q)
        return damping if C is None else np.asarray((C.T * damping).dot(C))
