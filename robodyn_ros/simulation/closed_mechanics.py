"""A closed mechanism as a differential equation, put back onto its constraints after every step.

Steps go in all coordinates. What they drift off the constraints is taken away in the direction of
least size, which does not depend on which coordinates were chosen as independent:

    x = -W G^T (G W G^T + e)^-1 g,

G the Jacobian without units, e next to nothing: redundant equations and singular positions do no
harm. Source: Hairer, Lubich and Wanner, Geometric Numerical Integration, chapter IV.4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs

from robodyn_ros.constraints.newton import positions_by_rate
from robodyn_ros.constraints.null_space import motions_of
from robodyn_ros.constraints.projection import projected
from robodyn_ros.constraints.scaling import scales_of
from robodyn_ros.errors import ClosureError, SingularMassMatrixError
from robodyn_ros.robot import Robot
from robodyn_ros.simulation.mechanics import ONE, Mechanics

Floats = NDArray[np.float64]

_REDUNDANT = 1e-13
"""Share of the largest diagonal entry that keeps G W G^T positive definite."""
_CLOSED = 1e-12
"""rad, or share of the mechanism's size, of a residual that is left alone."""
_STEPS = 8
_OPEN = 1e-9
"""A residual that is too large to be left."""
_LEAST = 1e-300
"""1/(kg m^2) or 1/kg of a coordinate that cannot move."""
_NEARLY = 1e-6
"""A residual of a state that only has to be put right; what is beyond a limit must stay there."""
_NEAR = 20.0
"""How much larger than where it was chosen a basis gets near a dead centre of its coordinates."""
_AHEAD = 1e-4
"""rad or m beyond a change point at which accelerations are taken in its place."""


class ClosedMechanics(Mechanics):
    """The mechanics of a closed mechanism, through dead centres and change points."""

    OPERATIONS = (
        *Mechanics.OPERATIONS,
        "motion_basis",
        "constraint_residual",
        "constraint_jacobian",
    )

    def __init__(self, robot: Robot) -> None:
        """Compile what steps need."""
        super().__init__(robot)
        q, _ = robot.initial_state
        scales = scales_of(robot.model, robot.constraint_jacobian(q))
        self._row_units, self._column_units = scales
        self._usual = _NEAR * self._size(robot.motion_basis(q))
        self._is_near = False

    def _size(self, N: Floats) -> float:
        """Return the largest entry of a basis without units."""
        units = self._column_units
        independent = list(self.robot.model.closure.partition.independent)  # type: ignore[union-attr]
        return float(np.abs(N * units[independent] / units[:, None]).max(initial=1.0))

    def directions(self, q: Floats) -> Floats:
        """Return N (nv, mobility) of the rates that are possible, v = N y."""
        try:
            N = self.robot.motion_basis(q)
        except ClosureError:
            N = motions_of(self.robot.model, q)
            self._is_near = True
        else:
            self._is_near = self._size(N) > self._usual
        return N

    def stage(self, q: Floats, v: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """Return dq/dt (nq,) and accelerations (nv,) within a step."""
        q = self.normalized(q)
        if self._is_near:  # the chosen coordinates do not say the others' rates well
            v = self._possible(q, v)
        slope = v if self.plain else self.robot.coordinate_rates(q, v)
        try:
            return slope, self.accelerations(q, v, tau)
        except (ClosureError, SingularMassMatrixError):
            speed = float(np.abs(v).max(initial=0.0))
            if not 0.0 < speed < np.inf:
                raise
            # At a change point itself the motion could go on in several ways; it goes on straight.
            ahead = self.robot.integrate(q, v, _AHEAD / speed)
            return slope, self.accelerations(ahead, self._possible(ahead, v), tau)

    def settled(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return the state on the constraints that is nearest to one that a step ended with.

        Raises:
            ClosureError: it does not close nearby; the text says which element lacks how much.
        """
        q = self.charted(q)
        residual = self._row_units * self.robot.constraint_residual(q)
        for _ in range(_STEPS):
            G, factor = self._factored(q)
            back = _least(G, factor, residual) * self._column_units
            q = q - back if self.plain else self.robot.integrate(q, -back, ONE)
            residual = self._row_units * self.robot.constraint_residual(q)
            size = float(np.abs(residual).max(initial=0.0))
            if size <= _CLOSED:
                break
        if not size <= _OPEN:
            return projected(self.robot.model, q, v)
        scaled = v / self._column_units
        return q, v - self._column_units * _least(G, factor, G.dot(scaled))

    def placed(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return the state on the constraints that a motion begins with for one that is given.

        Where it is not closed, the independent coordinates stay and the others follow.

        Raises:
            ClosureError: it cannot be closed so.
            SingularMassMatrixError: efforts do not determine the accelerations.
        """
        robot = self.robot
        q = robot.integrate(q, self._rest)
        with np.errstate(all="ignore"):
            gap = np.abs(self._row_units * robot.constraint_residual(q)).max(initial=0.0)
            if not gap < _NEARLY:
                values = positions_by_rate(robot.model, q)
                columns = {name: k for k, name in enumerate(robot.model.coordinate_names)}
                held = {name: float(values[columns[name]]) for name in robot.independent_names}
                q = robot.assemble(q, **{x: y for x, y in held.items() if np.isfinite(y)}).q
            q, v = self.settled(q, v)
        return super().placed(q, v)

    def felt_inertias(self, q: Floats) -> Floats:
        """Return the inertia (nv,) that a motor on each coordinate feels, the others let go."""
        N = motions_of(self.robot.model, q)
        mobilities = N.dot(np.linalg.pinv(self.inertia(q, N))).dot(N.T)
        return np.asarray(1.0 / np.maximum(np.diagonal(mobilities), _LEAST))

    def _possible(self, q: Floats, v: Floats) -> Floats:
        """Return the rates (nv,) that constraints allow, nearest to v."""
        G, factor = self._factored(q)
        return v - self._column_units * _least(G, factor, G.dot(v / self._column_units))

    def _factored(self, q: Floats) -> tuple[Floats, Floats]:
        """Return the Jacobian without units (m, nv) and the Cholesky factor of its square."""
        G = self._row_units[:, None] * self.robot.constraint_jacobian(q) * self._column_units
        square = G.dot(G.T)
        diagonal = square.ravel()[:: len(square) + 1]
        diagonal += _REDUNDANT * float(diagonal.max())
        factor, _ = dpotrf(square, lower=1)
        return G, factor


def _least(G: Floats, factor: Floats, right: Floats) -> Floats:
    """Return the least x (nv,) with G x = right (m,), as nearly as may be."""
    shares, _ = dpotrs(factor, right, lower=1)
    found: Floats = G.T.dot(shares)
    return found
