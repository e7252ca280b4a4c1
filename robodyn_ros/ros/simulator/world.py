"""One robot that is simulated: its engines, its time, what acts on it; needs no ROS.

Whoever uses it holds its lock.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import SimulationError
from robodyn_ros.robot import Robot
from robodyn_ros.ros.simulator.acting import ActingWrenches, Wrench
from robodyn_ros.ros.simulator.clock import SimulatedClock
from robodyn_ros.ros.simulator.simulation import SimulationEngine
from robodyn_ros.simulation import CommandMode

Floats = NDArray[np.float64]


class World:
    """A simulated robot.

    Attributes:
        robot: The robot, in its environment.
        clock: Simulated time, which goes on when another robot takes its place.
        engines: What simulates it.
        columns: (n,) entries of v of the coordinates that have a motor.
        failure: Why the motion cannot go on; "" where it can.
    """

    def __init__(
        self,
        robot: Robot,
        engines: SimulationEngine,
        clock: SimulatedClock,
        *,
        hold: bool = False,
    ) -> None:
        """Take a robot at its initial state, where with `hold` servos keep it."""
        self.robot = robot
        self.clock = clock
        self.engines = engines
        self.failure = ""
        self._wrenches = ActingWrenches()
        names = robot.model.coordinate_names
        self.names = self.engines.active.command_names
        self.columns = np.array([names.index(name) for name in self.names], dtype=np.intp)
        self._keeps = hold
        self._keep()

    @property
    def q(self) -> Floats:
        """Coordinates (nq,)."""
        return self.engines.active.q

    @property
    def v(self) -> Floats:
        """Rates (nv,)."""
        return self.engines.active.v

    @property
    def effort(self) -> Floats:
        """What motors exert (nv,), N m or N; 0 where a step that failed has no number for it."""
        effort = self.engines.active.effort
        return np.where(np.isfinite(effort), effort, 0.0)

    @property
    def wrenches(self) -> dict[str, Floats]:
        """What acts on each frame: [moment; force] (6,) in its axes."""
        return self._wrenches.total()

    @property
    def until_change(self) -> int | None:
        """Steps until a wrench ends, 1 or more; None where none acts."""
        end = self._wrenches.next_end()
        return None if end is None else max(1, end - self.clock.ticks)

    def prepare(self) -> None:
        """Have ready what is going to take the next steps, while time stands still."""
        if not self.failure:
            self.engines.choose()

    def advance(self, steps: int) -> int:
        """Take so many steps, as long as no wrench ends before; return how many were taken.

        Raises:
            SimulationError: the motion cannot go on; `failure` says so from now on.
        """
        until = self.until_change
        steps = steps if until is None else min(steps, until)
        self.engines.choose()
        simulator = self.engines.active
        before = simulator.time
        try:
            simulator.advance(steps)
        except SimulationError as error:
            self.failure = str(error)
            self.clock.count(round((simulator.time - before) / self.clock.step))
            raise
        self.clock.count(steps)
        if self._wrenches.end(self.clock.ticks):
            self.engines.exert(self._wrenches.total())
        return steps

    def reset(self, *, clock: bool) -> None:
        """Go back to the initial state; commands and wrenches end. `clock` says whether time too.

        Else a step of time passes, so that no stamp has two states.
        """
        self._wrenches.clear()
        self.engines.reset()
        self._keep()
        self.failure = ""
        if clock:
            self.clock.reset()
        else:
            self.clock.count(1)

    def set_state(self, q: Floats, v: Floats) -> None:
        """Go to a state; a step of time passes with that.

        Raises:
            RobodynError: it cannot; nothing has changed.
        """
        self.engines.active.set_state(q, v)
        self.failure = ""
        self.clock.count(1)

    def command(self, mode: CommandMode, values: Mapping[str, float]) -> None:
        """Drive coordinates by name.

        Raises:
            RobodynError: one that cannot be driven so; nothing has changed.
        """
        simulator = self.engines.active
        commands = {
            CommandMode.EFFORT: simulator.command_effort,
            CommandMode.VELOCITY: simulator.command_velocity,
            CommandMode.POSITION: simulator.command_position,
        }
        commands[mode]([*values], [*values.values()])

    def _keep(self) -> None:
        """Have servos hold the robot where it is, if they are to; turns of balls by their rates."""
        if not self._keeps:
            return
        told = {one.name: float(self.q[one.q]) for one in told_coordinates(self.robot.model)}
        held = {name: told[name] for name in self.names if name in told}
        self.command(CommandMode.POSITION, held)
        self.command(CommandMode.VELOCITY, {name: 0.0 for name in self.names if name not in held})

    def release(self) -> None:
        """Let all coordinates go."""
        self.engines.active.release()

    def push(self, frame: str, wrench: Floats, duration: float) -> None:
        """Let a wrench (6,) act on a frame, in its axes, for a time, s; besides all others.

        Raises:
            RobodynError: it cannot.
        """
        end = self.clock.ticks + self.clock.steps(duration)
        self._wrenches.push(frame, Wrench(wrench, end))
        self.engines.exert(self._wrenches.total())

    def hold(self, frame: str, wrench: Floats, duration: float) -> None:
        """Let a wrench act as `push` does, in place of the one held on its frame so far."""
        end = self.clock.ticks + self.clock.steps(duration)
        self._wrenches.hold(frame, Wrench(wrench, end))
        self.engines.exert(self._wrenches.total())
