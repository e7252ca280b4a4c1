"""What every service looks at: the robot of the moment, its names, its measured state."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.singular import coordinate_limits
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.errors import ArgumentError, DescriptionError, UnknownNameError
from robodyn_ros.model import Environment, Model
from robodyn_ros.robot import Robot
from robodyn_ros.ros.dynamics_host import DynamicsHost
from robodyn_ros.ros.services.coordinates import Coordinates

Floats = NDArray[np.float64]
_LONGEST_NAME = 100


class Known:
    """What is worked out once for a model."""

    def __init__(self, model: Model, *, prefix: str = "", world_frame: str = "") -> None:
        """Prepare.

        Args:
            model: The model.
            prefix: Frame prefix of the node.
            world_frame: Frame that the motion of bodies is given in, "" for the default.
        """
        self.model = model
        self.coordinates = Coordinates(model)
        self.no_rates: Floats = np.zeros(model.nv)
        self._prefix = prefix
        self._world_frame = world_frame
        self._limits: tuple[Environment, Floats] | None = None

    @cached_property
    def visible(self) -> tuple[int, ...]:
        """The bodies that somebody may see."""
        bodies = enumerate(self.model.bodies)
        return tuple(number for number, body in bodies if not body.auxiliary)

    @cached_property
    def neutral(self) -> Floats:
        """The neutral coordinates (nq,); of a closed mechanism those that it begins with."""
        if self.model.is_closed:
            return np.array(self.model.defaults.q, dtype=np.float64)
        parts = [joint.joint.neutral() for joint in self.model.own_joints]
        return np.concatenate(parts) if parts else np.zeros(0)

    def limits(self, environment: Environment) -> Floats:
        """Pivots (nv,) of the mass matrix that are not above these are lost."""
        found = self._limits
        if found is None or found[0] is not environment:
            surroundings = Surroundings.of(self.model, environment)
            found = self._limits = (environment, coordinate_limits(self.model, surroundings))
        return found[1]

    @cached_property
    def state_frame(self) -> tuple[str, str]:
        """The frame that the motion of bodies is given in: its name, and `FramePlan.seen_from`."""
        plan = FramePlan(self.model, prefix=self._prefix, world_frame=self._world_frame)
        return plan.state_frame, plan.seen_from

    def frame(self, name: str, what: str) -> str:
        """Return the model's name of a frame, given with or without the frame prefix.

        Raises:
            ArgumentError: an empty name; `what` says whose it is.
            UnknownNameError: no such frame.
        """
        if not name:
            raise ArgumentError(f"{what} is empty; give the link or frame")
        frames = self.model.frames
        if name in frames:
            return name
        if self._prefix and name.startswith(self._prefix):
            stripped = name[len(self._prefix) :]
            if stripped in frames:
                return stripped
        raise UnknownNameError.among(f"frame ({what})", name[:_LONGEST_NAME], frames)


class Subject(NamedTuple):
    """One request's view of the node.

    Attributes:
        host: The node.
        robot: Its robot, the same for the whole request.
        known: What is known of the robot's model.
    """

    host: DynamicsHost
    robot: Robot
    known: Known

    def require_gravity(self) -> None:
        """Raise ArgumentError where efforts cannot be trusted, since gravity is not known."""
        trouble = self.host.surroundings_trouble
        if trouble:
            raise ArgumentError(trouble)


class Subjects:
    """Makes a `Subject` for every request, and keeps what is known of the model."""

    def __init__(self, host: DynamicsHost, *, prefix: str = "", world_frame: str = "") -> None:
        """Take the node; see `Known` for the rest."""
        self._host = host
        self._prefix, self._world_frame = prefix, world_frame
        self._known: Known | None = None

    def now(self) -> Subject:
        """Return the view of this moment.

        Raises:
            DescriptionError: there is no robot yet.
        """
        robot = self._host.robot
        if robot is None:
            raise DescriptionError(no_model(self._host.waiting_for))
        known = self._known
        if known is None or known.model is not robot.model:
            known = Known(robot.model, prefix=self._prefix, world_frame=self._world_frame)
            self._known = known
        return Subject(self._host, robot, known)


def no_model(waiting_for: str) -> str:
    """Return the text for a request that comes before the robot."""
    if not waiting_for:
        return "no model yet; try again in a moment"
    return waiting_for if "no model" in waiting_for else f"no model yet: {waiting_for}"
