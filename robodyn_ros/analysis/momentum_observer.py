"""External joint efforts from the generalised momentum: no accelerations are needed.

With the generalised momentum p = M(q) v, the equations of motion

    M dv/dt + h = tau + tau_ext,   h = C v + g + friction,

give dp/dt = tau + tau_ext + C^T v - g - friction, since dM/dt = C + C^T. The observer

    r = K (p - p(0) - integral of (tau + C^T v - g - friction + r) dt)

then obeys dr/dt = K (tau_ext - r): the residual r is tau_ext behind a first-order filter of time
constant 1/K, in every coordinate by itself.

Sources: A. De Luca and R. Mattone, "Sensorless robot collision detection and hybrid force/motion
control", ICRA 2005, eqs. (9) to (12); S. Haddadin, A. De Luca and A. Albu-Schaeffer, "Robot
collisions: a survey on detection, isolation, and identification", T-RO 33(6), 2017, eqs. (34) to
(37).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.robot import Robot
from robodyn_ros.spatial.arrays import real_array

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_Sample = tuple[Floats, Floats, Floats]
"""M (nv, nv), v (nv,) and the unbalanced efforts (nv,)."""

GAP = 0.5
"""Seconds between two samples from which on nothing is known of the motion in between."""


class MomentumObserver:
    """Estimates the joint efforts that the surroundings exert on a robot.

    Between two samples the change of p less the integral of dM/dt v is M dv with the mean M of
    both: C^T v = dM/dt v - C v needs no matrix C, only `mass_matrix` and `bias_force`. That holds
    for joints whose rates are no derivatives and for floating and prescribed bases alike, where
    v is what M and h go with. The mean external effort of the interval,

        u = (M_0 + M_1)/2 (v_1 - v_0)/dt + (h_0 + h_1)/2 - (tau_0 + tau_1)/2,

    passes the filter exactly for any dt: r_1 = r_0 e^(-K dt) + u (1 - e^(-K dt)). It is right to
    dt^2 for smooth motion.

    Gravity, payloads, armature, damping and friction are those of `robot` at each sample.

    Attributes:
        driver_compensates_gravity: Whether efforts of motors lack what holds the weight of links
            and payloads: it is added.
    """

    def __init__(
        self, robot: Robot, *, gain: float = 25.0, driver_compensates_gravity: bool = False
    ) -> None:
        """Begin with nothing known.

        Args:
            robot: A robot without closed loops.
            gain: K, 1/s: the residual follows with the time constant 1/K; noise passes up to K.
            driver_compensates_gravity: See the class.

        Raises:
            ArgumentError: a closed mechanism, or a gain that is not positive.
        """
        if robot.model.is_closed:
            raise ArgumentError(
                f"robot {quoted(robot.model.name)} is a closed mechanism: forces of its constraints"
                " would count as external; observe a robot without loops"
            )
        self._robot = robot
        self.gain = gain
        self.driver_compensates_gravity = driver_compensates_gravity
        motors = [told.v for told in told_coordinates(robot.model)]
        self._motors: Floats = np.zeros(robot.model.nv)
        self._motors[motors] = 1.0
        self.reset()

    @property
    def gain(self) -> float:
        """The gain K, 1/s."""
        return self._gain

    @gain.setter
    def gain(self, gain: float) -> None:
        if not isinstance(gain, (int, float)) or not 0.0 < gain < math.inf:
            raise ArgumentError(f"gain must be a positive number of 1/s, got {quoted(gain)}")
        self._gain = float(gain)

    @property
    def residual(self) -> Floats:
        """External joint efforts (nv,), exerted on the robot, N m or N; 0 where not known."""
        return np.where(self._known, self._residual, 0.0)

    @property
    def held(self) -> Floats:
        """Return `residual` (nv,) with those last known, for up to `GAP`; NaN behind that."""
        return np.where(self._known | (self._ages > 0.0), self._residual, np.nan)

    @property
    def known(self) -> Flags:
        """Return (nv,) coordinates of which the last two samples had an effort."""
        return self._known.copy()

    @property
    def age(self) -> float:
        """Seconds that were observed since the last start; a residual settles in some 3/K."""
        return self._age

    @property
    def ages(self) -> Floats:
        """The same of each coordinate (nv,); one that is not known for `GAP` starts anew."""
        return self._ages.copy()

    def reset(self) -> None:
        """Forget all: the next sample is the first."""
        nv = self._robot.model.nv
        self._residual: Floats = np.zeros(nv)
        self._known: Flags = np.zeros(nv, dtype=bool)
        self._ages: Floats = np.zeros(nv)
        self._lost: Floats = np.zeros(nv)
        self._before: _Sample | None = None
        self._since = 0.0
        self._age = 0.0

    def update(self, q: ArrayLike, v: ArrayLike, effort: ArrayLike, dt: float) -> Floats:
        """Take a sample; return the residual (nv,), N m or N, exerted on the robot.

        A state that is not finite is left out, and so is one at no later time (dt of 0); a
        coordinate whose effort is not finite has the residual 0 and is not `known` until two in a
        row are; it goes on from where it was unless that lasts for `GAP`. Time that runs backwards,
        and a gap of more than `GAP`, begin anew.

        Args:
            q: Coordinates (nq,).
            v: Rates (nv,).
            effort: Efforts (nv,) of the motors at this instant, N m or N; 0 where there is none.
            dt: Seconds since the sample before; of the first it does not matter.

        Raises:
            ArgumentError: a wrong shape, or a quaternion whose norm is not 1.
        """
        model = self._robot.model
        q, v, effort = (
            _vector(name, value, size)
            for name, value, size in (
                ("q", q, model.nq),
                ("v", v, model.nv),
                ("effort", effort, model.nv),
            )
        )
        if self._before is not None and not self._elapsed(dt):
            return self.residual
        with np.errstate(all="ignore"):
            M = np.asarray(self._robot.mass_matrix(q))
            net = self._unbalanced(q, v, effort)
            if not (np.isfinite(M).all() and np.isfinite(v).all()):
                return self.residual
            if self._before is not None:
                self._advance(self._before, (M, v, net))
        self._before, self._since = (M, v.copy(), net), 0.0
        return self.residual

    def _elapsed(self, dt: float) -> bool:
        """Count the time; False where there is no interval. Start over where it is none at all."""
        if not 0.0 <= dt < math.inf:
            self.reset()
            return True
        self._since += float(dt)
        if self._since > GAP:
            self.reset()
            return True
        return self._since > 0.0

    def _unbalanced(self, q: Floats, v: Floats, effort: Floats) -> Floats:
        """Return what efforts of motors lack to balance all that does not depend on dv/dt."""
        net = np.asarray(self._robot.bias_force(q, v, friction=True)) - effort
        if self.driver_compensates_gravity:
            net -= self._motors * np.asarray(self._robot.gravity_force(q))
        return net

    def _advance(self, before: _Sample, now: _Sample) -> None:
        """Let the residual follow what acted between two samples."""
        (M_0, v_0, net_0), (M, v, net) = before, now
        dt = self._since
        mean = 0.5 * ((M_0 + M) @ (v - v_0) / dt + net_0 + net)
        share = -math.expm1(-self._gain * dt)
        found = self._residual + share * (mean - self._residual)
        self._known = np.isfinite(found)
        self._lost = np.where(self._known, 0.0, self._lost + dt)
        gone = self._lost > GAP
        self._residual = np.where(self._known, found, np.where(gone, 0.0, self._residual))
        self._ages = np.where(gone, 0.0, self._ages + np.where(self._known, dt, 0.0))
        self._age += dt


def _vector(name: str, value: ArrayLike, size: int) -> Floats:
    """Return numbers (size,)."""
    array = real_array(name, value)
    if array.shape != (size,):
        raise ArgumentError(f"{name} must have shape ({size},), got {array.shape}")
    return array
