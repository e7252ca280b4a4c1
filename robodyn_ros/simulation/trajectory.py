"""The motion of a robot from an initial state, under given efforts and its environment."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.algorithms import coordinate_rates
from robodyn_ros.constraints.partition import rank_of
from robodyn_ros.constraints.projection import projected
from robodyn_ros.errors import (
    ArgumentError,
    ClosureError,
    RobodynError,
    SingularMassMatrixError,
    quoted,
)
from robodyn_ros.robot import Robot
from robodyn_ros.simulation.arguments import checked_state, checked_times

Floats = NDArray[np.float64]
Effort = Callable[[float, Floats, Floats], ArrayLike]

MOST_EVALUATIONS = 1_000_000
"""Times that the dynamics may be worked out between two output states, foreseen or done."""
_TRIED = 5_000
"""Evaluations after which it can be foreseen how many more are needed."""
_STILL = 1e-9
"""An acceleration, rad/s^2 or m/s^2, of what stays at rest."""
_AHEAD = 1e-4
"""rad or m beyond a change point at which accelerations are taken in its place."""
_LARGEST_TURN = 1.0
"""Rad that a rotation vector may grow by before it is put right."""


@dataclass(frozen=True)
class Trajectory:
    """States at equal steps of time.

    Attributes:
        time: (n,) s.
        q: (n, nq) coordinates.
        v: (n, nv) rates.
        kinetic: (n,) J.
        potential: (n,) J.
    """

    time: Floats
    q: Floats
    v: Floats
    kinetic: Floats
    potential: Floats

    @property
    def energy(self) -> Floats:
        """Kinetic and potential energy together (n,), J."""
        total: Floats = self.kinetic + self.potential
        return total

    @property
    def energy_drift(self) -> float:
        """The largest change of the energy since the beginning, J."""
        return float(np.max(np.abs(self.energy - self.energy[0])))

    @property
    def relative_energy_drift(self) -> float:
        """The drift of the range that kinetic and potential energy go through; 0 at rest."""
        swing = max(float(np.ptp(self.kinetic)), float(np.ptp(self.potential)))
        return self.energy_drift / swing if swing > 0.0 else 0.0


def simulate(
    robot: Robot,
    duration: float,
    step: float,
    *,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    effort: Effort | None = None,
    friction: bool = True,
    tolerance: float = 1e-10,
) -> Trajectory:
    """Return the motion of a robot: by a Runge-Kutta method of order 8, or LSODA with friction.

    Coordinates on manifolds (quaternions, rotation vectors) are put right after every output step,
    and the state of a closed mechanism is put back onto its constraints.

    Args:
        robot: the robot, in its environment of now.
        duration: how long, s; a multiple of the step, else the last step is left out.
        step: between the states returned, s; the method's own steps follow its tolerance.
        q: coordinates (nq,) at the beginning; the description's initial ones by default.
        v: rates (nv,) at the beginning, likewise.
        effort: called with time, q and v, returns the efforts (nv,) conjugate to v; none by
            default.
        friction: whether damping and Coulomb friction of the joints act.
        tolerance: relative and absolute, of each of the method's own steps.

    Raises:
        ArgumentError: a duration, step, tolerance or state that cannot be used.
        SingularMassMatrixError: efforts do not determine the accelerations.
        ClosureError: a closed mechanism cannot be closed near its initial state.
        RobodynError: the motion grows beyond all bounds; the text says when.
    """
    times = checked_times(duration, step)
    if not (isinstance(tolerance, (int, float)) and 0.0 < tolerance < 1.0):
        raise ArgumentError(f"tolerance must be between 0 and 1, got {quoted(tolerance)}")
    start_q, start_v = robot.initial_state
    q = start_q if q is None else checked_state("q", q, start_q.shape)
    v = start_v if v is None else checked_state("v", v, start_v.shape)
    states = np.empty((len(times), len(q) + len(v)))
    states[0] = np.concatenate([robot.integrate(q, np.zeros_like(v), 1.0), v])
    motion = _Motion(robot, effort, friction=friction)
    states[0] = motion.closed(states[0])
    motion.require_finite(states[0])
    motion.require_one_way(states[0])
    for k in range(1, len(times)):
        states[k] = motion.advanced(states[k - 1], times[k - 1], times[k], tolerance)
    q_all, v_all = states[:, : robot.model.nq], states[:, robot.model.nq :]
    energy = robot.energy(q_all, v_all)
    return Trajectory(times, q_all, v_all, energy.kinetic, energy.potential)


class _Motion:
    """The differential equation of a robot's state (q, v)."""

    def __init__(self, robot: Robot, effort: Effort | None, *, friction: bool) -> None:
        self._robot = robot
        self._effort = effort
        self._friction = friction
        self._nothing = np.zeros(robot.model.nv)
        resists = friction and np.any(robot.environment.joints(robot.model)[:, 1:])
        # Coulomb friction near rest, and damping of light links, are stiff: LSODA notices.
        self._method = "LSODA" if resists else "DOP853"
        self._begin, self._end = 0.0, math.inf
        self._evaluations = 0
        self._singular: SingularMassMatrixError | ClosureError | None = None
        self._quaternions = [
            slice(first, first + 4)
            for joint in robot.model.own_joints
            if joint.joint.quaternion_start is not None
            for first in [joint.q_index + joint.joint.quaternion_start]
        ]
        self._wrapped = [
            slice(joint.v_index, joint.v_index + joint.joint.nv)
            for joint in robot.model.own_joints
            if joint.joint.type_name == "global"
        ]

    def __call__(self, time: float, state: Floats) -> Floats:
        """Return the derivative of the state.

        NaN where accelerations are not determined, which makes the method try a shorter step: one
        that is too long for stiff friction ends anywhere.
        """
        self._require_progress(time)
        model = self._robot.model
        q, v = self._normalized(state[: model.nq]), state[model.nq :]
        tau = self._nothing if self._effort is None else self._effort(time, q, v)
        try:
            v, a = self._motion(q, v, tau)
        except (SingularMassMatrixError, ClosureError) as error:
            ahead = self._straight_on(q, v, tau)
            if ahead is None and time == self._begin:
                raise
            v, a = ahead or (v, np.full(model.nv, np.nan))
            self._singular = error
        if np.isfinite(a).all():
            self._singular = None
        return np.concatenate([coordinate_rates(model, q, v), a])

    def _motion(self, q: Floats, v: Floats, tau: Floats | ArrayLike) -> tuple[Floats, Floats]:
        """Return the rates that constraints allow, and the accelerations."""
        if self._robot.model.is_closed:
            v = self._robot.complete(q, v).v
        return v, self._robot.forward_dynamics(q, v, tau, friction=self._friction)

    def _straight_on(
        self, q: Floats, v: Floats, tau: Floats | ArrayLike
    ) -> tuple[Floats, Floats] | None:
        """Return `_motion` a little ahead, None where that does not help.

        At a change point itself the motion could go on in several ways; it goes on as it came.
        """
        speed = float(np.max(np.abs(v), initial=0.0))
        if not (self._robot.model.is_closed and 0.0 < speed < math.inf):
            return None
        try:
            return self._motion(self._robot.integrate(q, v, _AHEAD / speed), v, tau)
        except (SingularMassMatrixError, ClosureError):
            return None

    def require_finite(self, state: Floats) -> None:
        """Raise where a motion cannot begin, its accelerations being beyond all numbers."""
        with np.errstate(all="ignore"):
            begins = bool(np.all(np.isfinite(self(0.0, state))))
        if not begins:
            raise RobodynError(
                f"the motion of robot {quoted(self._robot.model.name)} cannot begin: its"
                " accelerations are beyond all numbers; look at its velocities, efforts and"
                " inertias"
            )

    def require_one_way(self, state: Floats) -> None:
        """Raise where a closed mechanism is let go at rest in a position that branches meet in."""
        model = self._robot.model
        q, v = state[: model.nq], state[model.nq :]
        partition = model.closure.partition
        if partition is None or np.any(v):
            return
        rank = rank_of(model, self._robot.constraint_jacobian(q))
        a = self(0.0, state)[model.nq :]
        if rank < len(partition.rows) and np.max(np.abs(a), initial=0.0) > _STILL:
            raise ClosureError(
                f"mechanism {quoted(model.name)} is let go at rest in a singular position, from"
                " which it can move on in more ways than one; begin beside it, or with rates"
            )

    def _require_progress(self, time: float) -> None:
        """Count an evaluation; raise where the method would be at work without foreseeable end."""
        self._evaluations += 1
        done = (time - self._begin) / (self._end - self._begin)
        # Not >: where rates are beyond all numbers, the method's own step is NaN.
        if self._evaluations > _TRIED and not self._evaluations <= MOST_EVALUATIONS * done:
            raise RobodynError(
                f"the motion of robot {quoted(self._robot.model.name)} is too fast to be followed"
                f" beyond {self._begin:g} s; look at its velocities, efforts and inertias, or"
                " take shorter steps"
            )

    def advanced(self, state: Floats, begin: float, end: float, tolerance: float) -> Floats:
        """Return the state at `end`, with quaternions of norm 1 and rotation vectors up to pi.

        A rotation vector must not come near 2 pi on the way, so that a long step has pieces.
        """
        nq = self._robot.model.nq
        time = begin
        while time < end:
            turn = max((float(np.linalg.norm(state[nq:][v])) for v in self._wrapped), default=0.0)
            piece = end if turn == 0.0 else min(end, time + _LARGEST_TURN / turn)
            state = self._integrated(state, time, piece, tolerance)
            q = self._normalized(state[:nq])
            if self._wrapped:
                q = self._robot.integrate(q, self._nothing, 1.0)
            state, time = self.closed(np.concatenate([q, state[nq:]])), piece
        return state

    def closed(self, state: Floats) -> Floats:
        """Return the state on the constraints that is nearest."""
        model = self._robot.model
        if not model.is_closed:
            return state
        return np.concatenate(projected(model, state[: model.nq], state[model.nq :]))

    def _integrated(self, state: Floats, begin: float, end: float, tolerance: float) -> Floats:
        from scipy.integrate import solve_ivp

        self._begin, self._end, self._singular = begin, end, None
        self._evaluations = 0
        with np.errstate(all="ignore"):
            found = solve_ivp(
                self, (begin, end), state, method=self._method, rtol=tolerance, atol=tolerance
            )
        last: Floats = found.y[:, -1]
        if not found.success or not np.all(np.isfinite(last)):
            if self._singular is not None:
                raise self._singular
            raise RobodynError(
                f"the motion of robot {quoted(self._robot.model.name)} cannot be followed beyond"
                f" {found.t[-1]:g} s: {found.message}; look at its efforts and inertias"
            )
        return last

    def _normalized(self, q: Floats) -> Floats:
        """Return q with quaternions of norm 1."""
        if self._quaternions:
            q = q.copy()
            for begin in self._quaternions:
                q[begin] = q[begin] / np.linalg.norm(q[begin])
        return q
