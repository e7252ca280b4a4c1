"""A robot that moves in fixed steps of time, under commands, pushes, friction and limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import (
    ArgumentError,
    ClosureError,
    SimulationError,
    SingularMassMatrixError,
    quoted,
)
from robodyn_ros.robot import Robot
from robodyn_ros.robot.results import LazyEnergy
from robodyn_ros.simulation.arguments import checked_state
from robodyn_ros.simulation.closed_mechanics import ClosedMechanics
from robodyn_ros.simulation.commanded import CommandedSimulation
from robodyn_ros.simulation.integrators import METHODS, Integrator, Method
from robodyn_ros.simulation.limits import LimitLaw
from robodyn_ros.simulation.mechanics import Mechanics
from robodyn_ros.simulation.motors import CommandMode, Motors
from robodyn_ros.simulation.pushes import Pushes
from robodyn_ros.simulation.step_efforts import StepEfforts

Floats = NDArray[np.float64]

_FASTEST = 1e8
"""rad/s or m/s beyond which a motion is none."""


class Simulator(CommandedSimulation):
    """Forward dynamics of a robot in fixed steps; docs/simulation.md has the method.

    Gravity, payloads and joint parameters are those of `robot` at each step.

    Args:
        robot: the robot; its kernels are waited for here unless it is never compiled.
        step: of time, s.
        integrator: "rk4", of order 4, or "semi_implicit_euler", of order 1.
        q: coordinates (nq,) at the beginning; by default the description's.
        v: rates (nv,), likewise.
        friction: whether damping and Coulomb friction of the joints act.
        limits: whether joints stop at their limits.
        limit_time_constant: s, in which a joint comes back from beyond a limit.
        limit_damping_ratio: 1 for limits that do not throw back.
        servo_frequency: Hz of servos, from the inertia of each coordinate at the beginning.
        servo_damping_ratio: of servos, 1 without overshoot.
        servo_stiffness: gains by coordinate name, in place of those, N m/rad or N/m.
        servo_damping: likewise, N m s/rad or N s/m.
        servo_gravity_compensation: whether servos hold the robot's weight in any case.

    Raises:
        ArgumentError: a value that cannot be used.
        ClosureError: a closed mechanism that cannot be closed near q.
        SingularMassMatrixError: efforts do not determine the accelerations.
    """

    def __init__(
        self,
        robot: Robot,
        *,
        step: float = 1e-3,
        integrator: Integrator = "rk4",
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        friction: bool = True,
        limits: bool = True,
        limit_time_constant: float = 0.02,
        limit_damping_ratio: float = 1.0,
        servo_frequency: float = 5.0,
        servo_damping_ratio: float = 1.0,
        servo_stiffness: Mapping[str, float] | None = None,
        servo_damping: Mapping[str, float] | None = None,
        servo_gravity_compensation: bool = True,
    ) -> None:
        """See the class."""
        positive = {
            "step": step,
            "limit_time_constant": limit_time_constant,
            "limit_damping_ratio": limit_damping_ratio,
            "servo_frequency": servo_frequency,
            "servo_damping_ratio": servo_damping_ratio,
        }
        for name, value in positive.items():
            if not isinstance(value, (int, float)) or not 0.0 < value < math.inf:
                raise ArgumentError(f"{name} must be a positive number, got {quoted(value)}")
        if integrator not in get_args(Integrator):
            raise ArgumentError(
                f"integrator must be one of {get_args(Integrator)}, got {quoted(integrator)}"
            )
        self._robot = robot
        self._step = float(step)
        closed = robot.model.is_closed
        self._mechanics: Mechanics = (ClosedMechanics if closed else Mechanics)(robot)
        self._motors = Motors(robot.model)
        self._pushes = Pushes(robot)
        self._efforts = StepEfforts(
            self._mechanics,
            self._motors,
            self._step,
            friction=friction,
            limits=LimitLaw(limit_time_constant, limit_damping_ratio) if limits else None,
            compensated=servo_gravity_compensation,
        )
        self._method: Method = METHODS[integrator](self._mechanics, self._step)
        self._begin = self._given(q, v)
        self._q, self._v = self._begin
        self._v_before = self._v
        self._efforts.begin()
        felt = (self._mechanics.felt_inertias(self._q), *self._efforts.friction_at(self._q))
        self._motors.gains(
            felt, servo_frequency, servo_damping_ratio, servo_stiffness, servo_damping
        )
        self._steps = 0

    @property
    def robot(self) -> Robot:
        """What moves."""
        return self._robot

    @property
    def step(self) -> float:
        """Of time, s."""
        return self._step

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._steps * self._step

    @property
    def q(self) -> Floats:
        """Coordinates (nq,)."""
        return self._q.copy()

    @property
    def v(self) -> Floats:
        """Rates (nv,)."""
        return self._v.copy()

    @property
    def a(self) -> Floats:
        """Accelerations (nv,), the mean over the last step."""
        return np.asarray((self._v - self._v_before) / self._step)

    @property
    def effort(self) -> Floats:
        """What the motors exert (nv,), held through the last step: what a sensor on them reads."""
        return self._efforts.motors.copy()

    @property
    def energy(self) -> LazyEnergy:
        """Kinetic and potential energy, J."""
        return self._robot.energy(self._q, self._v)

    def set_state(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """Go to coordinates q (nq,) and rates v (nv,), those of the beginning by default.

        Time and commands go on. The state of a closed mechanism is put onto its constraints.

        Raises:
            ArgumentError: a wrong shape, a number that is not finite.
            ClosureError: the mechanism cannot be closed near q. Nothing has changed then.
        """
        self._enter(self._given(q, v))

    def reset(self) -> None:
        """Go back to the beginning: time 0, initial state, no commands, no pushes."""
        self._motors.release()
        self._pushes.clear()
        self._mechanics.push(None)
        self._steps = 0
        self._enter(self._begin)

    def command_effort(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let motors exert efforts, N m or N, until told otherwise; cut to their limits.

        Raises:
            UnknownNameError: a coordinate that does not exist, or follows another one.
            ArgumentError: one without a motor, a wrong number of values, or one that is not finite.
        """
        self._motors.command(CommandMode.EFFORT, names, values)

    def command_velocity(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let servos hold velocities, rad/s or m/s; errors as of `command_effort`."""
        self._motors.command(CommandMode.VELOCITY, names, values)

    def command_position(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let servos hold positions, rad or m, within limits; errors as of `command_effort`."""
        self._motors.command(CommandMode.POSITION, names, values)

    def release(self, names: Iterable[str] | None = None) -> None:
        """Let coordinates go, by default all."""
        self._motors.release(names)

    def push(self, frame: str, wrench: ArrayLike, duration: float) -> None:
        """Exert a wrench [moment; force] (6,), in a frame's axes at its origin, for some time.

        Args:
            frame: name of the body or frame.
            wrench: N m and N.
            duration: of simulated time, s; it ends with a step.

        Raises:
            UnknownNameError: no such frame.
            ArgumentError: a value that cannot be used.
        """
        self._pushes.push(frame, wrench, duration, self._step)
        self._mechanics.push(self._pushes.packed())

    def hold_wrench(self, frame: str, wrench: ArrayLike | None) -> None:
        """Exert a wrench as `push` does until another takes its place; None ends it."""
        self._pushes.hold(frame, wrench)
        self._mechanics.push(self._pushes.packed())

    def advance(self, steps: int = 1) -> None:
        """Go on by a number of steps, from 0 on.

        Raises:
            SimulationError: the motion leaves all bounds, or cannot be determined; the state is
                that of the last good step.
        """
        if not isinstance(steps, (int, np.integer)) or steps < 0:
            raise ArgumentError(f"steps must be a whole number from 0 on, got {quoted(steps)}")
        with np.errstate(all="ignore"):
            for _ in range(steps):
                self._advance()

    def _advance(self) -> None:
        if not self._mechanics.is_current:
            self._mechanics.refresh()
            self._efforts.begin()
        try:
            tau = self._efforts.at(self._q, self._v)
            q, v = self._method(self._q, self._v, tau)
        except (ClosureError, SingularMassMatrixError, np.linalg.LinAlgError) as error:
            raise SimulationError(
                f"the motion of robot {quoted(self._robot.model.name)} cannot go on at"
                f" {self.time:g} s: {error}"
            ) from error
        if not (v.dot(v) < _FASTEST**2 and math.isfinite(q.dot(q))):
            raise SimulationError(self._runaway(v))
        self._v_before = self._v
        self._q, self._v = q, v
        self._steps += 1
        if self._pushes.passed():
            self._mechanics.push(self._pushes.packed())

    def _runaway(self, v: Floats) -> str:
        """Return what to say of rates (nv,) beyond all bounds."""
        sizes = np.where(np.isfinite(v), np.abs(v), np.inf)
        worst = int(np.argmax(sizes))
        model = self._robot.model
        return (
            f"the motion of robot {quoted(model.name)} leaves all bounds at {self.time:g} s:"
            f" coordinate {quoted(model.coordinate_names[worst])} would move at {v[worst]:g}; look"
            f" at efforts and inertias, or take shorter steps than {self._step:g} s"
        )

    def _given(self, q: ArrayLike | None, v: ArrayLike | None) -> tuple[Floats, Floats]:
        """Return a state, checked and put in its place."""
        start_q, start_v = self._robot.initial_state
        q = start_q if q is None else checked_state("q", q, start_q.shape)
        v = start_v if v is None else checked_state("v", v, start_v.shape)
        return self._mechanics.placed(np.array(q), np.array(v))

    def _enter(self, state: tuple[Floats, Floats]) -> None:
        self._q, self._v = state
        self._v_before = self._v
        self._efforts.begin()
