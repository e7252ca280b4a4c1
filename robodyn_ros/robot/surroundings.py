"""Setting what may change at run time: gravity, base motion, payloads, joint parameters."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import BaseMotion, Payload
from robodyn_ros.robot.arguments import float_array
from robodyn_ros.robot.base_motion import base_motion
from robodyn_ros.robot.functions import Floats, Functions
from robodyn_ros.robot.payloads import joint_parameters, payload


class Surroundings(Functions):
    """Setters of the environment: each swaps it for another one, one setter at a time."""

    @property
    def gravity(self) -> Floats:
        """The physical gravity vector (3,), world axes, m/s^2; it points down."""
        return self.environment.gravity

    @gravity.setter
    def gravity(self, gravity: ArrayLike) -> None:
        vector = float_array("gravity", gravity, (3,))
        if vector.ndim != 1 or not np.all(np.isfinite(vector)):
            raise ArgumentError("gravity must be three finite numbers")
        with self._setting:
            self.environment = self.environment.with_gravity(vector)

    def set_base_motion(
        self,
        position: ArrayLike = (0.0, 0.0, 0.0),
        quaternion: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        *,
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
        linear_velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_acceleration: ArrayLike = (0.0, 0.0, 0.0),
        linear_acceleration: ArrayLike = (0.0, 0.0, 0.0),
    ) -> BaseMotion:
        """Set and return the motion of a prescribed base (document A's given state of b_1).

        Args:
            position: (3,) of the root link's origin, world axes, m.
            quaternion: (4,) x y z w, root link axes to world axes.
            angular_velocity: (3,) world axes, rad/s.
            linear_velocity: (3,) of the origin, world axes, m/s.
            angular_acceleration: (3,) world axes, rad/s^2.
            linear_acceleration: (3,) classical, of the origin, world axes, m/s^2.

        Raises:
            ArgumentError: the base is not "prescribed", or a value is unfit.
        """
        if self._model.base != "prescribed":
            raise ArgumentError(
                f"the base of this robot is {self._model.base!r}; load it with base='prescribed'"
                " to prescribe its motion"
            )
        motion = base_motion(
            position,
            quaternion,
            angular_velocity,
            linear_velocity,
            angular_acceleration,
            linear_acceleration,
        )
        with self._setting:
            self.environment = self.environment.with_base_motion(motion)
        return motion

    def set_payload(
        self,
        frame: str,
        mass: float,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        *,
        name: str | None = None,
    ) -> Payload | None:
        """Attach a payload, or replace the one of the same name; mass 0 removes it.

        Args:
            frame: name of the body or frame that carries it.
            mass: kg.
            com: its centre of mass (3,) in the frame, m.
            inertia: (3, 3) about its centre of mass, in the frame's axes, kg m^2; None: a point.
            name: to tell payloads apart; the frame's name by default.

        Returns:
            The payload, None where it is removed.

        Raises:
            UnknownNameError: no such frame.
            ArgumentError: a negative or non-finite value, or an inertia that no body can have.
        """
        load = payload(self._model, frame, mass, com, inertia, frame if name is None else name)
        with self._setting:
            if load.mass == 0.0:
                self.environment = self.environment.without_payload(load.name)
                return None
            self.environment = self.environment.with_payload(load)
        return load

    def clear_payload(self, name: str | None = None) -> None:
        """Detach the payload `name`, or all; efforts are then, bit for bit, what they were before.

        Raises:
            UnknownNameError: no payload has that name.
        """
        with self._setting:
            names = [load.name for load in self.environment.payloads]
            if name is not None and name not in names:
                raise UnknownNameError.among("payload", name, names)
            self.environment = self.environment.without_payload(name)

    @property
    def payloads(self) -> tuple[Payload, ...]:
        """What the robot carries."""
        return self.environment.payloads

    def set_joint_parameters(
        self,
        joint: str,
        *,
        armature: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        friction: ArrayLike | None = None,
    ) -> None:
        """Change a joint's parameters; None leaves one as it is.

        Args:
            joint: name of a joint that moves, a mimic follower too; or `joint/axis` for one rate of
                several.
            armature: rotor inertia seen at the joint (gear ratio squared times that of the rotor),
                kg m^2 or kg, one number or one for each of the joint's rates.
            damping: viscous friction, N m s/rad or N s/m.
            friction: Coulomb friction, N m or N.

        Raises:
            UnknownNameError: no such joint, or a fixed one.
            ArgumentError: a negative or non-finite value, or a wrong number of them.
        """
        given = {"armature": armature, "damping": damping, "friction": friction}
        with self._setting:
            changed = joint_parameters(self._model, self.environment, joint, given)
            self.environment = self.environment.with_joint_parameters(changed)

    def reset_joint_parameters(self) -> None:
        """Return to the model's own armatures, dampings and frictions."""
        with self._setting:
            self.environment = self.environment.with_joint_parameters(None)
