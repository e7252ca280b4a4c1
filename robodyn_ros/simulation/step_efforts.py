"""The efforts that are held through a step: commands, and forces found for the step's end.

Joint limits, Coulomb friction, servos and damping that is stiff for the step are solved for
together (`implicit_step`), so that no gain makes a step unstable. Damping that is not stiff is left
to the integrator, whose order it does not cost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ClosureError
from robodyn_ros.simulation.implicit_step import resisted
from robodyn_ros.simulation.joint_rates import JointRates
from robodyn_ros.simulation.mechanics import Mechanics
from robodyn_ros.simulation.motors import Motors
from robodyn_ros.simulation.resistance import Resistance, Servos, Stops

Floats = NDArray[np.float64]

_STIFF = 0.2
"""h times the rate at which damping alone would stop a row, from which it is stiff."""
_MOST = 1.0
"""The same of all rows that are not stiff, together."""
_LOOK = 64
"""Steps after which it is looked again for what has become stiff."""
_FORCE_LIMIT = 1e300


class LimitLaw(NamedTuple):
    """How limits give way: as a spring and damper on what hits them.

    Attributes:
        time_constant: s, in which what is beyond a limit comes back.
        damping_ratio: 1 without overshoot.
    """

    time_constant: float
    damping_ratio: float


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
        self._limits = limits
        self._compensated = compensated
        model = mechanics.robot.model
        self._rates = JointRates(model)
        self._limited = np.flatnonzero(
            np.isfinite(self._rates.lower) | np.isfinite(self._rates.upper)
        )
        self._lower = self._rates.lower[self._limited]
        self._upper = self._rates.upper[self._limited]
        if limits is None:
            self._limited = self._limited[:0]
        self.begin()

    def begin(self) -> None:
        """Forget the steps before: the next one is the first."""
        count = self._rates.count
        self.motors = np.clip(self._motors.effort, -self._motors.most, self._motors.most)
        self._before: Floats = np.zeros(count)
        self._damping: Floats = np.zeros(count)
        self._coulomb: Floats | None = None
        self._stiff: Floats | None = None
        self._is_stiff: NDArray[np.bool_] = np.zeros(count, dtype=np.bool_)
        self._until_look = 0
        self._mechanics.damping = None
        if self._friction:
            self._damping, coulomb = self._rates.parameters(self._mechanics.robot.environment)
            self._coulomb = coulomb if np.any(coulomb) else None

    def at(self, q: Floats, v: Floats) -> Floats:
        """Return the efforts (nv,) to be held through the step that begins at q and v."""
        N = self._mechanics.directions(q)
        if np.any(self._damping):
            self._look(q, N)
        tau = self._motors.effort
        servos = self._motors.servos(q, self._step, self._load(q))
        stops = self._stops(q, v, N)
        if all(x is None for x in (stops, servos, self._coulomb, self._stiff)):
            self.motors = tau
            return tau
        resistance = Resistance(self._stiff, self._coulomb, stops, servos)
        C = self._rates.map_at(q)
        before = self._before
        held = tau - (before if C is None else C.T.dot(before))
        a = self._mechanics.stage(q, v, held)[1]
        ahead = v + self._step * a
        u = ahead if C is None else C.dot(ahead)
        force, _ = resistance.at(u)
        if not np.array_equal(force, before):
            M = self._mechanics.inertia(q, N)
            A = C if N is None else (N if C is None else C.dot(N))
            u, force = resisted(M, A, u, resistance, before, self._step)
            held = tau - (force if C is None else C.T.dot(force))
        self._before = force
        self.motors = tau if servos is None else self._with_servos(tau, servos, u)
        return held

    def _with_servos(self, tau: Floats, servos: Servos, u: Floats) -> Floats:
        """Return commanded efforts with those of servos at rates u."""
        total = tau.copy()
        total[servos.rows] += servos.efforts(u)
        return total

    def _load(self, q: Floats) -> Floats | None:
        """Return the efforts (nv,) that servos hold against gravity."""
        if not (self._compensated and self._motors.are_servos_on):
            return None
        try:
            return self._mechanics.robot.gravity_force(q)
        except ClosureError:  # its motors do not hold it: there is nothing to give
            return None

    def _stops(self, q: Floats, v: Floats, N: Floats | None) -> Stops | None:
        """Return the limits that are reached, or would be in this step at the present rates."""
        if self._limits is None or not len(self._limited):
            return None
        h = self._step
        z = self._rates.positions(q)
        C = self._rates.map_at(q)
        u = v if C is None else C.dot(v)
        if len(self._limited) < self._rates.count:
            z, u = z[self._limited], u[self._limited]
        ahead = z + h * u
        low = (ahead < self._lower) | (z < self._lower)
        high = (ahead > self._upper) | (z > self._upper)
        reached = np.flatnonzero(low | high)
        if not len(reached):
            return None
        signs = np.where(low[reached], 1.0, -1.0)
        bounds = np.where(low[reached], self._lower[reached], self._upper[reached])
        rows = self._limited[reached]
        gaps = signs * (z[reached] - bounds)
        mass = self._masses(q, N, rows)
        time, ratio = self._limits
        spring, damper = mass / (time * ratio) ** 2, 2.0 * mass / time
        slopes = spring * h + damper
        targets = np.where(gaps < 0.0, -spring * gaps / slopes, -gaps / h)
        return Stops(rows, signs, slopes, targets)

    def _masses(self, q: Floats, N: Floats | None, rows: NDArray[np.intp]) -> Floats:
        """Return the inertia (k,) that a force on each row feels, everything else left free."""
        inverse = _mobilities(self._mechanics.inertia(q, N), self._directions(q, N)[rows])
        inverse = np.diagonal(inverse)
        return np.asarray(1.0 / np.maximum(inverse, 1.0 / _FORCE_LIMIT))

    def _directions(self, q: Floats, N: Floats | None) -> Floats:
        """Return C N (count, m)."""
        C = self._rates.map_at(q)
        if N is None:
            return np.eye(self._rates.count) if C is None else C
        return N if C is None else C.dot(N)

    def _look(self, q: Floats, N: Floats | None) -> None:
        """Look which damping is stiff for the step; what was so stays so."""
        self._until_look -= 1
        if self._until_look >= 0:
            return
        self._until_look = _LOOK
        mobilities = self._step * _mobilities(self._mechanics.inertia(q, N), self._directions(q, N))
        c = self._damping
        stiff = self._is_stiff | (c * np.diagonal(mobilities) > _STIFF)
        if self._rates.is_varying:
            stiff[self._mechanics.robot.model.nv :] = True
        root = np.sqrt(np.where(stiff, 0.0, c))
        if np.linalg.eigvalsh(root[:, None] * mobilities * root)[-1] > _MOST:
            stiff[:] = True
        stiff &= c > 0.0
        if self._mechanics.damping is None or np.any(stiff != self._is_stiff):
            self._is_stiff = stiff
            self._stiff = np.where(stiff, c, 0.0) if np.any(stiff) else None
            self._mechanics.damping = self._explicit(q, np.where(stiff, 0.0, c))

    def _explicit(self, q: Floats, damping: Floats) -> Floats | None:
        """Return what damping (count,) takes of the efforts of coordinates, by their rates."""
        if not np.any(damping):
            return None
        C = self._rates.map_at(q)
        if C is None:
            return damping
        return np.asarray((C.T * damping).dot(C))


def _mobilities(M: Floats, A: Floats) -> Floats:
    """Return A M^-1 A^T (k, k)."""
    found: Floats = A.dot(np.linalg.solve(M, A.T))
    return found
