"""Two simulations of one robot: by kernels, and by plain functions while there are none.

Both have the same state whenever one takes over from the other, so that nothing jumps; a closed
mechanism is put onto its constraints then. What plain functions compute differs by rounding only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import RobodynError
from robodyn_ros.robot import Robot
from robodyn_ros.simulation import CommandMode, Simulator
from robodyn_ros.simulation.closed_mechanics import ClosedMechanics
from robodyn_ros.simulation.mechanics import Mechanics

Floats = NDArray[np.float64]
Make = Callable[[Robot], Simulator]

_PUSHED = "forward_dynamics+external"


class Engines:
    """The simulations, of which one is in use; for one thread at a time.

    Attributes:
        robot: The robot, whose environment counts.
        active: The simulation in use.
    """

    def __init__(self, robot: Robot, make: Make) -> None:
        """Begin, by plain functions unless kernels are there; else those are waited for elsewhere.

        Args:
            robot: The robot.
            make: Makes a simulation of a robot at its initial state.

        Raises:
            RobodynError: the robot cannot be simulated.
        """
        self.robot = robot
        self._make = make
        closed = robot.model.is_closed
        operations = (ClosedMechanics if closed else Mechanics).OPERATIONS
        self._operations = (*operations, "integrate", "coordinate_rates")
        self._quick: Simulator | None = None
        self._plain: Simulator | None = None
        self._given_up = False
        self._chosen: tuple[object, bool] | None = None
        if robot.compile(*self._operations, wait=False):
            self._quick = self.active = make(robot)
            return
        self.active = self._by_plain_functions()
        thread = threading.Thread(target=self._prepare, name="kernels", daemon=True)
        thread.start()

    @property
    def state(self) -> str:
        """Return "compiled" where kernels are in use, else "compiling", or "plain" for good."""
        if self.active is self._quick:
            return "compiled"
        return "plain" if self._given_up else "compiling"

    def reset(self) -> None:
        """Go back to the initial state, without commands and wrenches."""
        self.active.reset()

    def exert(self, wrenches: Mapping[str, Floats]) -> None:
        """Let these wrenches act from now on, and no others: (6,) by frame, in its axes."""
        _exert(self.active, wrenches)
        self._chosen = None

    def choose(self) -> None:
        """Have the simulation that can take the next steps without waiting for a kernel take them.

        Called before steps, and while time stands still. Payloads and wrenches need kernels of
        their own.
        """
        environment = self.robot.environment
        key = (environment, bool(self.active.wrenches))
        if self._chosen is not None and self._chosen[0] is environment and self._chosen == key:
            return
        quick = self._quick
        if quick is None:
            self._by_plain_functions()
            return
        needed = [*self._operations, *([_PUSHED] if key[1] else [])]
        if self.robot.compile(*needed, wait=False):
            if self.active is not quick:
                self._take_over(quick)
            self._chosen = key
            return
        plain = self._by_plain_functions()
        if self.active is not plain:
            self._take_over(plain)

    def _by_plain_functions(self) -> Simulator:
        """Return the simulation that needs no kernels, in the surroundings of now."""
        if self._plain is None:
            robot = Robot(self.robot.model, compile="off")
            robot.environment = self.robot.environment
            self._plain = self._make(robot)
        self._plain.robot.environment = self.robot.environment
        return self._plain

    def _take_over(self, other: Simulator) -> None:
        """Go on with the other simulation."""
        before = self.active
        other.release()
        other.set_state(before.q, before.v)
        modes, commands = before.modes, before.commands
        names = self.robot.model.coordinate_names
        for mode, command in (
            (CommandMode.EFFORT, other.command_effort),
            (CommandMode.VELOCITY, other.command_velocity),
            (CommandMode.POSITION, other.command_position),
        ):
            columns = np.flatnonzero(modes == mode)
            if len(columns):
                command([names[k] for k in columns], commands[columns])
        _exert(other, before.wrenches)
        self.active = other

    def _prepare(self) -> None:
        """Wait for the kernels and make the simulation that uses them; in a thread of its own."""
        try:
            if not self.robot.compile(*self._operations):
                self._given_up = True
                return
            self._quick = self._make(self.robot)
        except RobodynError:  # plain functions simulate it, so this is not the robot's fault
            self._given_up = True


def _exert(simulator: Simulator, wrenches: Mapping[str, Floats]) -> None:
    for frame in simulator.wrenches.keys() - wrenches.keys():
        simulator.hold_wrench(frame, None)
    for frame, wrench in wrenches.items():
        simulator.hold_wrench(frame, wrench)
