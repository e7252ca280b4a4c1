"""The efforts that are held through a step: commands, and forces found for the step's end.

Joint limits, Coulomb friction, servos and damping that is stiff for the step are solved for
together (`implicit_step`), so that no gain makes a step unstable. Damping that is not stiff is left
to the integrator, whose order it does not cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from robodyn_ros.errors import ClosureError
from robodyn_ros.simulation.explicit_damping import ExplicitDamping
from robodyn_ros.simulation.implicit_step import resisted
from robodyn_ros.simulation.joint_rates import JointRates
from robodyn_ros.simulation.limits import LimitLaw, Limits
from robodyn_ros.simulation.mechanics import Mechanics
from robodyn_ros.simulation.motors import Motors
from robodyn_ros.simulation.resistance import Resistance, Servos, Stops

Floats = NDArray[np.float64]

_LIGHTEST = 1e-300
"""1/(kg m^2) or 1/kg of a row that cannot move."""


class StepEfforts:
    """Finds the efforts of each step.

    Attributes:
        motors: (nv,) efforts of the motors in the last step.
    """

    def __init__(
        self,
        mechanics: Mechanics,
        motors: Motors,
        step: float,
        *,
        friction: bool,
        limits: LimitLaw | None,
        compensated: bool,
    ) -> None:
        """Take what acts, and a step in s."""
        self._mechanics = mechanics
        self._motors = motors
        self._step = step
        self._friction = friction
        self._coulomb: Floats | None = None
        self._compensated = compensated
        self._rates = JointRates(mechanics.robot.model)
        self._every = np.eye(self._rates.count)
        self._limits = None if limits is None else Limits(self._rates, limits, step)
        self._damping = ExplicitDamping(mechanics, self._rates, step)
        self.begin()

    def begin(self) -> None:
        """Forget the steps before: the next one is the first."""
        self.motors = self._motors.effort
        self._before: Floats = np.zeros(self._rates.count)
        damping, coulomb = self._friction_of_rows()
        self._coulomb = coulomb if np.any(coulomb) else None
        self._damping.begin(damping)

    def friction_at(self, q: Floats) -> tuple[Floats, Floats]:
        """Return damping and Coulomb friction (nv,) of each coordinate and its followers."""
        damping, coulomb = self._friction_of_rows()
        C = self._rates.map_at(q)
        return (damping, coulomb) if C is None else (damping @ C**2, coulomb @ np.abs(C))

    def _friction_of_rows(self) -> tuple[Floats, Floats]:
        """Return damping and Coulomb friction (count,) that act."""
        if self._friction:
            return self._rates.parameters(self._mechanics.robot.environment)
        return np.zeros(self._rates.count), np.zeros(self._rates.count)

    def at(self, q: Floats, v: Floats) -> Floats:
        """Return the efforts (nv,) to be held through the step that begins at q and v."""
        N = self._mechanics.directions(q)
        C = self._rates.map_at(q)
        A = C if N is None else (N if C is None else C.dot(N))
        stiff = self._damping.stiff_at(q, N, A)
        tau = self._motors.effort
        servos = self._motors.servos(q, self._step, self._load(q))
        stops = self._stops(q, v if C is None else C.dot(v), N, A)
        if stops is None and servos is None and self._coulomb is None and stiff is None:
            self.motors = tau
            return tau
        resistance = Resistance(stiff, self._coulomb, stops, servos)
        before = self._before
        held = tau - (before if C is None else C.T.dot(before))
        ahead = v + self._step * self._mechanics.stage(q, v, held)[1]
        u = ahead if C is None else C.dot(ahead)
        at_beginning = resistance.at(u)
        force = at_beginning[0]
        if not (force == before).all():
            M = self._mechanics.inertia(q, N)
            u, force = resisted(M, A, u, resistance, at_beginning, before, self._step)
            held = tau - (force if C is None else C.T.dot(force))
        self._before = force
        self.motors = tau if servos is None else _with_servos(tau, servos, u)
        return held

    def _load(self, q: Floats) -> Floats | None:
        """Return the efforts (nv,) that servos hold against gravity."""
        if not (self._compensated and self._motors.are_servos_on):
            return None
        try:
            return self._mechanics.robot.gravity_force(q)
        except ClosureError:  # its motors do not hold it: there is nothing to give
            return None

    def _stops(self, q: Floats, u: Floats, N: Floats | None, A: Floats | None) -> Stops | None:
        """Return the limits that are reached, or would be in this step at the present rates."""
        reached = None if self._limits is None else self._limits.reached(q, u)
        if reached is None or self._limits is None:
            return None
        M = self._mechanics.inertia(q, N)
        rows = self._every[reached.rows] if A is None else A[reached.rows]
        _, found, failed = dposv(M, rows.T, lower=1)
        if failed:
            found = np.linalg.lstsq(M, rows.T, rcond=None)[0]
        inverse = (rows * found.T).sum(axis=1)
        return self._limits.stops(reached, 1.0 / np.maximum(inverse, _LIGHTEST))


def _with_servos(tau: Floats, servos: Servos, u: Floats) -> Floats:
    """Return commanded efforts (nv,) with those of servos at rates u (count,)."""
    total = tau.copy()
    total[servos.rows] += servos.efforts(u)
    return total
