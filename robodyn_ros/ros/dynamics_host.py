"""What the dynamics services need of the node that they are in."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.model import Payload
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


class Live(NamedTuple):
    """The state that was measured, as of now.

    Attributes:
        q: (nq,) coordinates; the last sane ones, neutral where nothing came.
        v: (nv,) rates.
        stamp: Time of the last message, ns; 0 before the first.
        ages: Age of each joint's last sample by joint name, s; -1 where none came.
        troubles: Why a joint's measured state may not be used, by joint name: never received,
            stale, not finite, an outlier. A joint that is not in it may be used.
    """

    q: Floats
    v: Floats
    stamp: int
    ages: dict[str, float]
    troubles: dict[str, str]


class DynamicsHost(Protocol):
    """A node with one robot, its measured state and its surroundings."""

    @property
    def robot(self) -> Robot | None:
        """The robot in its surroundings of this moment; None while there is no description."""
        ...

    @property
    def waiting_for(self) -> str:
        """Why there is no robot, with what to do; "" where there is one."""
        ...

    @property
    def surroundings_trouble(self) -> str:
        """Why gravity is not known, with what to do; "" where it is.

        It comes from a frame or an IMU then, and efforts computed with it are not to be used.
        """
        ...

    @property
    def driver_compensates_gravity(self) -> bool:
        """Whether the robot's own driver adds the efforts that hold the weight."""
        ...

    def live(self) -> Live:
        """Return the measured state; takes the lock for a moment.

        Raises:
            DescriptionError: there is no robot yet.
        """
        ...

    def set_payload(
        self,
        frame: str,
        mass: float,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        *,
        name: str | None = None,
    ) -> Payload | None:
        """Attach, replace or (mass 0) remove a payload as `Robot.set_payload`, and announce it.

        Raises:
            DescriptionError: there is no robot yet.
            UnknownNameError: no such frame.
            ArgumentError: a value that no body can have.
        """
        ...

    def clear_payload(self, name: str | None = None) -> None:
        """Detach a payload, or all, as `Robot.clear_payload`, and announce it.

        Raises:
            DescriptionError: there is no robot yet.
            UnknownNameError: no payload has that name.
        """
        ...
