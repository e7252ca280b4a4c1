"""The simulated robot as the host of services: its surroundings, which are the truth here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Payload
from robodyn_ros.robot import Robot
from robodyn_ros.ros.description_source import DescriptionSource
from robodyn_ros.ros.dynamics_host import Live
from robodyn_ros.ros.services.subject import no_model
from robodyn_ros.ros.simulator.loop import Loop
from robodyn_ros.ros.simulator.world import World

Floats = NDArray[np.float64]


class SimulatedHost:
    """A `DynamicsHost`: a change of the surroundings acts from the next step on."""

    def __init__(
        self, loop: Loop, source: DescriptionSource, announce: Callable[[World], None]
    ) -> None:
        """Take what keeps the world; `announce` is called when its surroundings have changed."""
        self._loop = loop
        self._source = source
        self._announce = announce

    @property
    def robot(self) -> Robot | None:
        """The robot in its surroundings of this moment; None while there is no description."""
        world = self._loop.world
        return None if world is None else world.robot

    @property
    def waiting_for(self) -> str:
        """Why there is no robot, with what to do; "" where there is one."""
        topic = self._source.waiting_for
        return topic and (
            f"waiting for a description on {topic}; publish one there, or set robot_description or"
            " robot_description_file"
        )

    @property
    def surroundings_trouble(self) -> str:
        """Nothing: gravity is what it is told to be."""
        return ""

    @property
    def driver_compensates_gravity(self) -> bool:
        """False: motors exert what is commanded and no more."""
        return False

    @property
    def world(self) -> World:
        """The world.

        Raises:
            DescriptionError: there is none yet.
        """
        if self._loop.world is None:
            raise DescriptionError(no_model(self.waiting_for))
        return self._loop.world

    def live(self) -> Live:
        """Return the state of now."""
        with self._loop.turn:
            world = self.world
            ages = dict.fromkeys(world.robot.model.joint_names, 0.0)
            return Live(world.q, world.v, world.clock.stamp, ages, {})

    def set_payload(
        self,
        frame: str,
        mass: float,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        *,
        name: str | None = None,
    ) -> Payload | None:
        """Attach, replace or (mass 0) remove a payload as `Robot.set_payload`, and announce it."""
        return self._change("set_payload", frame, mass, com, inertia, name=name)  # type: ignore[no-any-return]

    def clear_payload(self, name: str | None = None) -> None:
        """Detach a payload, or all, as `Robot.clear_payload`, and announce it."""
        self._change("clear_payload", name)

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Set the physical gravity vector (3,), world axes, m/s^2, and announce it."""
        world = self.world
        with self._loop.turn:
            world.robot.gravity = np.asarray(gravity, dtype=np.float64)
        self._announce(world)

    def _change(self, setter: str, *arguments: Any, **named: Any) -> Any:
        world = self.world
        with self._loop.turn:
            changed = getattr(world.robot, setter)(*arguments, **named)
        self._announce(world)
        return changed
