"""A robot that MuJoCo moves in fixed steps, as the hardware of a controller."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.algorithms import forward_dynamics, integrate, mass_matrix
from robodyn_ros.cosimulation.physics import Energy, Physics
from robodyn_ros.cosimulation.plant import Plant
from robodyn_ros.cosimulation.settings import Settings
from robodyn_ros.cosimulation.waiting_commands import WaitingCommands
from robodyn_ros.errors import ArgumentError, SimulationError, quoted
from robodyn_ros.robot import Robot
from robodyn_ros.simulation.arguments import checked_state
from robodyn_ros.simulation.commanded import CommandedSimulation
from robodyn_ros.simulation.motors import CommandMode, Motors
from robodyn_ros.simulation.pushes import Pushes

Floats = NDArray[np.float64]


class Snapshot(NamedTuple):
    """A state, in MuJoCo's coordinates, and what motors exert (nv,) in ours."""

    qpos: Floats
    qvel: Floats
    effort: Floats


class MujocoSimulator(CommandedSimulation):
    """A robot in MuJoCo, with the interface of `robodyn_ros.simulation.Simulator`.

    Gravity, payloads and joint parameters are those of `robot` at each step.

    Args:
        plant: the robot in both models.
        robot: the robot, in its environment.
        settings: how it is simulated, and what it has that its description does not say.
        q: coordinates (nq,) at the beginning; by default the description's.
        v: rates (nv,), likewise.

    Raises:
        ArgumentError: a state that cannot be used.
        UnknownNameError: settings name a link or joint that there is not.
        SingularMassMatrixError: efforts do not determine the accelerations.
    """

    def __init__(
        self,
        plant: Plant,
        robot: Robot,
        settings: Settings | None = None,
        *,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
    ) -> None:
        """See the class."""
        self.robot = robot
        self.settings = settings = Settings() if settings is None else settings
        self._model = model = robot.model
        start_q, start_v = robot.initial_state
        self._begin = self._state(start_q if q is None else q, start_v if v is None else v)
        rest = np.zeros(model.nv)
        forward_dynamics(model, *self._begin, rest, environment=robot.environment)
        self.physics = Physics(plant, settings, robot.environment)
        self._motors, self._trial = Motors(model), Motors(model)
        if not settings.effort_limits:
            self._motors.most[:] = np.inf
        M = mass_matrix(model, self._begin[0], environment=robot.environment)
        felt = (np.diagonal(M).copy(), rest, rest)
        frequency, ratio = settings.servo_frequency, settings.servo_damping_ratio
        self._motors.gains(felt, frequency, ratio, None, None)
        self._pushes = Pushes(robot)
        errors = settings.errors
        self._waiting = WaitingCommands(settings.steps(errors.command_delay))
        self._state_steps = settings.steps(errors.state_delay)
        self._timeout_steps = settings.steps(settings.effort_timeout)
        self._steps = self._commanded = 0
        self._effort: Floats = rest
        self._past: deque[Snapshot] = deque()
        self.physics.enter(*self._begin)

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._steps * self.settings.step

    @property
    def q(self) -> Floats:
        """Coordinates (nq,)."""
        return self._ours()[0]

    @property
    def v(self) -> Floats:
        """Rates (nv,)."""
        return self._ours()[1]

    @property
    def effort(self) -> Floats:
        """What the motors exert (nv,), held through the last step."""
        return self._effort.copy()

    @property
    def energy(self) -> Energy:
        """Kinetic and potential energy, J."""
        return self.physics.energy

    @property
    def measured(self) -> Snapshot:
        """The state that sensors report, `state_delay` old."""
        return self._past[0] if self._past else self.present

    @property
    def present(self) -> Snapshot:
        """The state that is so."""
        data = self.physics.data
        return Snapshot(data.qpos.copy(), data.qvel.copy(), self._effort.copy())

    def set_state(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """Go to coordinates q (nq,) and rates v (nv,), those of the beginning by default.

        Time and commands go on.

        Raises:
            ArgumentError: a wrong shape, a number that is not finite. Nothing has changed then.
        """
        start_q, start_v = self._begin
        state = self._state(start_q if q is None else q, start_v if v is None else v)
        self.physics.enter(*state)
        self._past.clear()

    def reset(self) -> None:
        """Go back to the beginning: time 0, initial state, no commands, no pushes."""
        self._motors.release()
        self._pushes.clear()
        self._waiting.clear()
        self._past.clear()
        self._steps = self._commanded = 0
        self._effort = np.zeros(self._model.nv)
        self.physics.enter(*self._begin)

    def command_effort(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let motors exert efforts, N m or N, until told otherwise.

        Raises:
            UnknownNameError: a coordinate that does not exist, or follows another one.
            ArgumentError: one without a motor, a wrong number of values, or one that is not finite.
        """
        self._command(CommandMode.EFFORT, names, values)

    def command_velocity(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let servos hold velocities, rad/s or m/s; errors as of `command_effort`."""
        self._command(CommandMode.VELOCITY, names, values)

    def command_position(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let servos hold positions, rad or m, within limits; errors as of `command_effort`."""
        self._command(CommandMode.POSITION, names, values)

    def release(self, names: Iterable[str] | None = None) -> None:
        """Let coordinates go, by default all; at once, and what waits is forgotten."""
        self._motors.release(names)
        if names is None:
            self._waiting.clear()

    def hold_wrench(self, frame: str, wrench: ArrayLike | None) -> None:
        """Exert a wrench [moment; force] (6,), in a frame's axes at its origin; None ends it.

        Raises:
            UnknownNameError: no such frame.
            ArgumentError: a wrench that is none.
        """
        self._pushes.hold(frame, wrench)

    def advance(self, steps: int = 1) -> None:
        """Go on by a number of steps, from 0 on.

        Raises:
            SimulationError: the motion leaves all bounds; the state is that of the last good step,
                or of a good one shortly before.
        """
        if not isinstance(steps, (int, np.integer)) or steps < 0:
            raise ArgumentError(f"steps must be a whole number from 0 on, got {quoted(steps)}")
        self.physics.refresh(self.robot.environment)
        left = int(steps)
        while left:
            taken = left if self._is_steady else 1
            self._advance(taken)
            left -= taken

    @property
    def _is_steady(self) -> bool:
        """Whether what acts is the same in every step."""
        motors = self._motors
        turning = self.physics.plant.coordinates.are_turning and motors.effort.any()
        changing = motors.are_servos_on or turning or self._waiting or self._pushes.acting
        return not (changing or self._timeout_steps or self._state_steps)

    def _advance(self, steps: int) -> None:
        self._take_commands()
        data = self.physics.data
        before = data.qpos.copy(), data.qvel.copy()
        if self._state_steps:
            self._past.append(self.present)
        self._effort = self._motor_efforts()
        self.physics.exert(self._effort, self._pushes.acting)
        if not self.physics.step(steps):
            data.qpos[:], data.qvel[:] = before
            data.qacc_warmstart[:] = 0.0
            raise SimulationError(
                f"the motion of robot {quoted(self._model.name)} leaves all bounds at"
                f" {self.time:g} s; look at efforts and inertias, or take shorter steps than"
                f" {self.settings.step:g} s"
            )
        self._steps += steps
        while len(self._past) > self._state_steps:
            self._past.popleft()

    def _take_commands(self) -> None:
        """Let the commands act whose time has come, and efforts end that nobody renews."""
        for command in self._waiting.due(self._steps):
            self._act(command.mode, command.names, command.values)
        if self._timeout_steps and self._steps - self._commanded >= self._timeout_steps:
            self._end_efforts()

    def _end_efforts(self) -> None:
        """Do what a drive does that no longer hears its controller."""
        rows = np.flatnonzero(self._motors.modes == CommandMode.EFFORT)
        if not len(rows):
            return
        names, places = self._model.coordinate_names, self._model.rate_places
        if not self.settings.hold_after_timeout:
            self._motors.release([names[k] for k in rows])
            return
        q = self._ours()[0]
        for k in rows.tolist():
            has_position = places[k] >= 0
            mode = CommandMode.POSITION if has_position else CommandMode.VELOCITY
            self._motors.command(mode, [names[k]], [q[places[k]] if has_position else 0.0])

    def _motor_efforts(self) -> Floats:
        """Return the efforts (nv,) of motors: commanded ones, and those of servos."""
        motors = self._motors
        if not motors.are_servos_on:
            return motors.effort.copy()
        q, v = self._ours()
        load = self.physics.weight(q) if self.settings.servo_gravity_compensation else None
        servos = motors.servos(q, self.settings.step, load)
        efforts = motors.effort.copy()
        if servos is not None:
            efforts[servos.rows] += servos.efforts(v)
        return efforts

    def _command(self, mode: CommandMode, names: Sequence[str], values: ArrayLike) -> None:
        if not self._waiting.delay:
            self._act(mode, names, values)
            return
        self._trial.command(mode, names, values)  # refused now, and not when it acts
        self._waiting.add(self._steps, mode, names, np.array(values, dtype=np.float64))

    def _act(self, mode: CommandMode, names: Sequence[str], values: ArrayLike) -> None:
        self._motors.command(mode, names, values)
        if mode is CommandMode.EFFORT:
            self._commanded = self._steps

    def _ours(self) -> tuple[Floats, Floats]:
        data = self.physics.data
        return self.physics.plant.coordinates.ours(data.qpos, data.qvel)

    def _state(self, q: ArrayLike, v: ArrayLike) -> tuple[Floats, Floats]:
        """Return a state, checked, its quaternions of norm 1."""
        q = checked_state("q", q, (self._model.nq,))
        v = checked_state("v", v, (self._model.nv,))
        return np.asarray(integrate(self._model, q, np.zeros(self._model.nv))), v
